// SPDX-License-Identifier: Apache-2.0
// Stores found rules in a database.
#ifndef API_PROVING_FOUND_H
#define API_PROVING_FOUND_H

#include "api/database/database.h"

// Proves the rules of a text again, from that text, and stores them in the
// database.  `file`: the name of the text in messages.
bool found_store(struct rw_database *database, const struct buf *text, const char *file,
                 const struct rw_prove_options *options, struct err *err);

#endif
