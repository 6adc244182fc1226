// SPDX-License-Identifier: Apache-2.0
// The proof record of one instance of a derived rule: two programs, its left
// and its right side.
#ifndef API_DISCOVER_DERIVE_RECORD_H
#define API_DISCOVER_DERIVE_RECORD_H

#include "discover/derive/derive.h"

// Appends the text of the record, after the checker has accepted it.
// assumed[i]: rule i of the base was not proved.
bool derive_record(const struct derive_proof *proof, const struct derive_base *base,
                   const bool *assumed, enum float_reading reading, struct buf *out,
                   struct err *err);

#endif
