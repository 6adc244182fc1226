// SPDX-License-Identifier: Apache-2.0
// Rules that were found become rules of a database.
#ifndef API_PROVING_FOUND_H
#define API_PROVING_FOUND_H

#include "api/database/database.h"

// Proves the rules of a text again into the database, from that text.  `file`:
// what messages call it.
bool found_store(struct rw_database *database, const struct buf *text, const char *file,
                 const struct rw_prove_options *options, struct err *err);

#endif
