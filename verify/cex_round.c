// SPDX-License-Identifier: Apache-2.0
// Is a result of a transcendental operator the correctly rounded one?  IEEE-754
// fixes the last bit of add, multiply, divide and sqrt, not that of exp or
// rsqrt.  But an implementation that rounds those correctly is an admissible
// one, and a rule must hold in every implementation: a difference that it shows
// is a counterexample.
//
// The interpreter works in double; whether its result is the correctly rounded
// one is checked here in long double, with room for its error.  Where that
// cannot be said the result counts as open.
#include "verify/cex_parts.h"
#include <math.h>

#define SLACK 0x1p-59L // relative error of long double functions, with room

static long double value(enum op op, long double a, long double b)
{
    switch (op) {
    case OP_CBRT:
        return cbrtl(a);
    case OP_COSINE:
        return cosl(a);
    case OP_EXPONENTIAL:
        return expl(a);
    case OP_EXPONENTIAL_MINUS_ONE:
        return expm1l(a);
    case OP_LOG:
        return logl(a);
    case OP_LOG_PLUS_ONE:
        return log1pl(a);
    case OP_LOGISTIC:
        return 1 / (1 + expl(-a));
    case OP_RSQRT:
        return 1 / sqrtl(a);
    case OP_SINE:
        return sinl(a);
    case OP_SQRT:
        return sqrtl(a);
    case OP_TAN:
        return tanl(a);
    case OP_TANH:
        return tanhl(a);
    case OP_ATAN2:
        return atan2l(a, b);
    default:
        return powl(a, b);
    }
}

// To double, to odd where that is not exact: rounding the result again to a
// type with two digits less is rounding once.
static double to_odd(long double v)
{
    double d = (double)v;
    uint64_t bits;
    if (!isfinite(d) || (long double)d == v)
        return d;
    if (fabsl((long double)d) > fabsl(v))
        d = nextafter(d, 0);
    memcpy(&bits, &d, sizeof bits);
    bits |= 1;
    memcpy(&d, &bits, sizeof bits);
    return d;
}

static struct scalar rounded(enum elem t, long double v)
{
    bool narrow = t != ELEM_F64 && fabsl(v) <= 1e300L;
    return scalar_of_double(t, narrow ? to_odd(v) : (double)v);
}

bool cex_rounds_right(enum op op, enum elem t, double a, double b,
                      struct scalar got)
{
    long double v = value(op, a, b);
    if (isnan(v))
        return scalar_is_nan(t, got);
    if (isinf(v) || v == 0)
        return scalar_same(t, scalar_of_double(t, (double)v), got);
    return scalar_same(t, rounded(t, v * (1 - SLACK)), got) &&
           scalar_same(t, rounded(t, v * (1 + SLACK)), got);
}
