// SPDX-License-Identifier: Apache-2.0
// Floats are computed in double and rounded to their type once.  For + - * /
// and sqrt that is the correctly rounded result also of f32: double has more
// than twice its digits plus two, so the first rounding cannot disturb the
// second; fmod and the roundings to integers are exact.  Transcendental
// functions and powers are computed in long double and rounded once.
#include "tensor/eval/parts.h"
#include <math.h>

struct scalar float_nan(enum elem elem)
{
    switch (elem) {
    case ELEM_F16:
        return (struct scalar){.bits = 0x7E00};
    case ELEM_BF16:
        return (struct scalar){.bits = 0x7FC0};
    case ELEM_F32:
        return (struct scalar){.bits = 0x7FC00000};
    default:
        return (struct scalar){.bits = UINT64_C(0x7FF8000000000000)};
    }
}

static struct scalar rounded(enum elem elem, double x)
{
    return isnan(x) ? float_nan(elem) : scalar_of_double(elem, x);
}

bool float_finite(enum elem elem, struct scalar scalar)
{
    return isfinite(scalar_to_double(elem, scalar)) != 0;
}

static uint64_t sign_bit(enum elem elem)
{
    return (uint64_t)1 << (elem_bits(elem) - 1);
}

static double round_half_even(double x)
{
    double below = floor(x), rest = x - below;
    if (rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0))
        below += 1;
    return copysign(below, x);
}

long double float_function(enum op op, long double a, long double b)
{
    switch (op) {
    case OP_CBRT:
        return cbrtl(a);
    case OP_COSINE:
        return cosl(a);
    case OP_ERF:
        return erfl(a);
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
    case OP_POWER:
        return powl(a, b);
    case OP_ABS:
    case OP_CEIL:
    case OP_FLOOR:
    case OP_IMAG:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
    case OP_ADD:
    case OP_DIVIDE:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_MULTIPLY:
    case OP_REMAINDER:
    case OP_SUBTRACT:
        LEAF_CASES
        POINT_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    BUG("%s is not a function of floats", op_name(op));
}

// Converts to double, with rounding to odd if the conversion is not exact.  A second
// rounding, to a type with two digits less, then gives the same as one rounding.
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

struct scalar float_round_once(enum elem elem, long double v)
{
    bool narrow = elem != ELEM_F64 && fabsl(v) <= 1e300L;
    return rounded(elem, narrow ? to_odd(v) : (double)v);
}

// Only powers can lie halfway between two neighbours of a type, where the least error
// decides.  Such powers of small integers are exact in double.  The machine's arithmetic
// rounds squares and reciprocals correctly.
static long double power(double x, double y)
{
    double m;
    long e;
    if (y == 2 || y == -1)
        return y == 2 ? x * x : 1 / x;
    if (y >= 1 && y <= TENSOR_EXACT_POWER && y == floor(y) && isfinite(x) && x != 0 &&
        power_exact(x, (unsigned)y, &m, &e))
        return ldexpl(m, (int)e);
    return powl(x, y);
}

static double sign(double x)
{
    return x == 0 ? x : copysign(1, x);
}

struct scalar float_unary(enum op op, enum elem elem, struct scalar scalar)
{
    double x = scalar_to_double(elem, scalar);
    switch (op) {
    case OP_ABS: // a sign-bit operation, on NaN too
        return (struct scalar){.bits = scalar.bits & ~sign_bit(elem)};
    case OP_NEGATE:
        return (struct scalar){.bits = scalar.bits ^ sign_bit(elem)};
    case OP_REAL:
        return scalar;
    case OP_IMAG:
        return (struct scalar){.bits = 0};
    case OP_SIGN:
        return isnan(x) ? scalar : rounded(elem, sign(x));
    case OP_CEIL:
        return rounded(elem, ceil(x));
    case OP_FLOOR:
        return rounded(elem, floor(x));
    case OP_ROUND_NEAREST_AFZ:
        return rounded(elem, round(x));
    case OP_ROUND_NEAREST_EVEN:
        return rounded(elem, isfinite(x) ? round_half_even(x) : x);
    case OP_SQRT:
        return rounded(elem, sqrt(x));
    case OP_CBRT:
    case OP_COSINE:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
    case OP_LOGISTIC:
    case OP_RSQRT:
    case OP_SINE:
    case OP_TAN:
    case OP_TANH:
        LEAF_CASES
        BINARY_CASES
        POINT_CASES
        BITS_UNARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return float_round_once(elem, float_function(op, x, 0));
}

// IEEE-754 maximum and minimum: NaN wins, and -0 < +0.
static struct scalar extreme(bool max, enum elem elem, struct scalar a, struct scalar b)
{
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    if (isnan(x) || isnan(y))
        return float_nan(elem);
    bool less = x < y || (x == y && signbit(x) && !signbit(y));
    return less == max ? b : a;
}

struct scalar float_binary(enum op op, enum elem elem, struct scalar a, struct scalar b)
{
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    switch (op) {
    case OP_ADD:
        return rounded(elem, x + y);
    case OP_ATAN2:
        return float_round_once(elem, atan2l(x, y));
    case OP_DIVIDE:
        return rounded(elem, x / y);
    case OP_MAXIMUM:
        return extreme(true, elem, a, b);
    case OP_MINIMUM:
        return extreme(false, elem, a, b);
    case OP_MULTIPLY:
        return rounded(elem, x * y);
    case OP_POWER:
        return float_round_once(elem, power(x, y));
    case OP_REMAINDER:
        return rounded(elem, fmod(x, y));
    case OP_SUBTRACT:
        return rounded(elem, x - y);
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    BUG("%s is not a binary operator on floats", op_name(op));
}

// Bits as a number that ascends in IEEE-754's totalOrder.
static uint64_t total_key(enum elem elem, struct scalar scalar)
{
    uint64_t top = sign_bit(elem);
    return scalar.bits & top ? top - 1 - (scalar.bits & (top - 1)) : scalar.bits | top;
}

static bool by_order(enum compare_dir direction, bool less, bool equal, bool greater)
{
    switch (direction) {
    case CMP_EQ:
        return equal;
    case CMP_NE:
        return !equal;
    case CMP_GE:
        return greater || equal;
    case CMP_GT:
        return greater;
    case CMP_LE:
        return less || equal;
    case CMP_LT:
        return less;
    }
    return false;
}

bool float_compare(enum compare_dir direction, enum compare_type ct, enum elem elem,
                   struct scalar a, struct scalar b)
{
    if (ct == CMPT_TOTALORDER) {
        uint64_t x = total_key(elem, a), y = total_key(elem, b);
        return by_order(direction, x<y, x == y, x> y);
    }
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    return by_order(direction, x<y, x == y, x> y);
}

// Right shift that keeps "something was lost" in the lowest bit.  A number
// rounded this way can be rounded again to two digits less without error.
static uint64_t shift_sticky(uint64_t x, unsigned by, bool sticky)
{
    uint64_t lost = x & (((uint64_t)1 << by) - 1);
    return x >> by | (lost != 0 || sticky);
}

struct scalar float_from_parts(enum elem elem, bool negative, uint64_t mantissa, bool sticky,
                               int exponent)
{
    unsigned drop = 0;
    while (mantissa >> drop >= (uint64_t)1 << 53)
        drop++;
    double x;
    if (elem == ELEM_F64) // 64 bits with a sticky end round correctly to 53
        x = (double)(mantissa | sticky);
    else
        x = ldexp((double)shift_sticky(mantissa, drop, sticky), (int)drop);
    x = ldexp(x, exponent);
    return scalar_of_double(elem, negative ? -x : x);
}
