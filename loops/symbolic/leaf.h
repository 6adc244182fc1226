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
bool leaf_is_not_negative(const struct lterms *terms, lterm term);

// Parts of symbolic_value: a value that there is not, with the place of the node, and folds (folds.c).
lterm value_refused(struct symbolic *s, code_value value, const char *reason);
lterm value_of_reduction(struct symbolic *s, code_value value, const ipoly *lane);
lterm value_of_scan(struct symbolic *s, code_value value, const ipoly *lane);
lterm value_of_dot(struct symbolic *s, code_value value, const ipoly *lane);

// What a fold of pairs (value, index) by a region keeps, lanes in ascending order of index.
enum pair_fold {
    PAIR_FIRST_GREATEST,
    PAIR_LAST_GREATEST,
    PAIR_FIRST_LEAST,
    PAIR_LAST_LEAST,
};
// False: the region is none of these, for all values.
bool pair_fold(struct symbolic *s, const struct code_region *region, enum pair_fold *out);

// Operators on words that are arithmetic: shifts by a constant, and the last bits of a number.  To
// the right a number that is not negative is divided; a negative one would be rounded down.
lterm leaf_word(struct symbolic *s, enum code_op op, ipoly a, ipoly b);
// The operator of signed integers that is the same where no operand is negative; other operators
// stay.
enum code_op words_signed(enum code_op op);
// Is the integer nowhere negative?
bool words_natural(struct symbolic *s, lterm tree);

#endif
