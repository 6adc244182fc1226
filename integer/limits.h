// SPDX-License-Identifier: Apache-2.0
// The limits of integer/, one table.  The code uses the constants.
#ifndef INTEGER_LIMITS_H
#define INTEGER_LIMITS_H

#include "base/limit.h"

// clang-format off
#define INTEGER_LIMITS(X) \
    X(INTEGER_ROWS, 320, "inequalities", "of one linear question; more make the table of the simplex slow") \
    X(INTEGER_COLUMNS, 160, "monomials", "of one linear question") \
    X(INTEGER_PIVOTS, 600, "pivots", "of one linear question; questions that are true need fewer than 60") \
    X(INTEGER_SPLITS, 4, "cases", "minimum, maximum and choices that one proof may take apart") \
    X(INTEGER_DEPTH, 3, "levels", "proofs that a divisor is positive, inside proofs") \
    X(INTEGER_BOUNDS, 24, "steps", "that put an upper bound in the place of a symbol, of one question") \
    X(INTEGER_DEGREE, 12, "factors", "of one monomial; longer products become unknowns") \
    X(INTEGER_NESTING, 50, "levels", "of brackets of a text")
// clang-format on

enum { INTEGER_LIMITS(LIMIT_CONSTANT) };

extern const struct limit integer_limits[];
extern const unsigned n_integer_limits;

#endif
