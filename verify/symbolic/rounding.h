// SPDX-License-Identifier: Apache-2.0
// What floats say of real numbers: which distances no rounding explains, and which steps keep the
// relative error of their operands small.
#ifndef VERIFY_SYMBOLIC_ROUNDING_H
#define VERIFY_SYMBOLIC_ROUNDING_H

#include "tensor/language/op.h"

#include <math.h>

#define ROUNDING_NEAR 1e-3 // relative distance below which values count as equal
#define ROUNDING_TINY 1e-4 // least magnitude an inexact divisor may have
#define ROUNDING_LARGE 1e6 // greatest magnitude of values that stand for reals

// NaN is apart from everything.
static inline bool rounding_apart(double a, double b)
{
    return isnan(a) || isnan(b) || fabs(a - b) > ROUNDING_NEAR * fmax(fabs(a), fabs(b));
}

// A multiple of 1/64 of moderate size: sums and short products of such are exact.
static inline bool rounding_dyadic(double x)
{
    return fabs(x) <= ROUNDING_LARGE && floor(x * 64) == x * 64;
}

// Does operator `op` keep the error of inexact operands small at one result element?  a and b are
// the operands (b = a if there is one), r is the result.
bool rounding_step_is_safe(enum op op, double a, double b, double r);

#endif
