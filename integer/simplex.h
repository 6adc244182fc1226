// SPDX-License-Identifier: Apache-2.0
// Linear inequalities over the rationals.  Either they have a solution, or some of them,
// multiplied by numbers that are not negative, add up to a contradiction (Farkas).  The search
// is the simplex with Bland's rule; its answer is only a proposal, which callers must check.
#ifndef INTEGER_SIMPLEX_H
#define INTEGER_SIMPLEX_H

#include "base/memory/vec.h"

#include <stdbool.h>

// Row i says: sum of coefficient[i][j] * x_j + constant[i] >= 0.
struct simplex {
    uint32_t n_rows, n_columns;
    VEC(int64_t) coefficient; // row by row
    struct i64_vec constant;
};

// True: the rows contradict each other; multiplier[i] of row i (whole numbers).  False: they do
// not, or the search gave up (numbers too large, too many pivots).
bool simplex_refute(const struct simplex *simplex, struct i64_vec *multiplier);

#endif
