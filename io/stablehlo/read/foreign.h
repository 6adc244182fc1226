// SPDX-License-Identifier: Apache-2.0
// Internal to the StableHLO reader: operations of other dialects that often
// stand between those of StableHLO.
#ifndef IO_STABLEHLO_READ_FOREIGN_H
#define IO_STABLEHLO_READ_FOREIGN_H

#include "io/stablehlo/read/reader.h"

// The only result's type of a pretty operation that lists types without an
// arrow, into reader->types, which holds the listed ones.  `at` is the first
// type's token; 0 = there is none.  False: the type cannot be told.
bool foreign_type(struct stablehlo_reader *reader, const char *name, uint32_t at);
// True if the operation of another dialect has no effect (io/stablehlo/read/effect.c says
// what that means).
bool foreign_is_pure(const char *name);
// True if the operation is a constant whose value is written as StableHLO's: of arith, or of
// Shardy, which has its own only to keep other tools from merging it.
bool foreign_is_constant(const char *name);
// True if the operation is VHLO's, which must be converted; the hint that says how.
bool foreign_is_vhlo(const char *name);
bool foreign_hint_vhlo(struct err *err);

#endif
