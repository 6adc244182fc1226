// SPDX-License-Identifier: Apache-2.0
// Is a result of a transcendental operator the correctly rounded one?  IEEE-754 fixes the
// last bit of add, multiply, divide and sqrt, but not of exp or rsqrt.  An
// implementation that rounds exp and rsqrt correctly is admissible, and a rule must hold
// in every implementation.  So a difference between correctly rounded results is a
// counterexample.
//
// The interpreter computes in long double.  This file checks whether its result is the
// correctly rounded one, with a margin for the error of long double.  If the margin
// leaves the question open, the result counts as open.
#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"
#include <math.h>

#define SLACK 0x1p-59L // relative error of long double functions, with room

bool cex_rounds_right(enum op op, enum elem elem, double a, double b, struct scalar got)
{
    long double v = float_function(op, a, b);
    if (isnan(v))
        return scalar_is_nan(elem, got);
    if (isinf(v) || v == 0)
        return scalar_same(elem, scalar_of_double(elem, (double)v), got);
    return scalar_same(elem, float_round_once(elem, v * (1 - SLACK)), got) &&
           scalar_same(elem, float_round_once(elem, v * (1 + SLACK)), got);
}
