// SPDX-License-Identifier: Apache-2.0
// Operators on leaves: exact rules for infinities and for the numbers 0 and 1; otherwise a node
// as the program wrote it.
#ifndef LOOPS_SYMBOLIC_LEAF_H
#define LOOPS_SYMBOLIC_LEAF_H

#include "loops/symbolic/symbolic.h"

// `args` are no CHOOSE.
lterm leaf_apply(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args);
// The unit of a fold; false: it has none here.
bool leaf_unit(struct symbolic *s, enum code_op op, lterm *out);
bool leaf_is_positive(const struct lterms *terms, lterm term); // surely above 0

#endif
