// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/real_error.h"

static bool is_zero(struct real_operand a)
{
    return a.x == 0 && a.off == 0;
}

// At least the magnitude of the real result for a.x and b.x. The result r may have underflowed.
static double magnitude(double r)
{
    return fabs(r) + real_rounding(r);
}

static double of_quotient(struct real_operand a, struct real_operand b, double r)
{
    double least = fabs(b.x) - b.off;
    if (is_zero(a) && least > 0)
        return 0;
    return least > 0 ? (a.off + magnitude(r) * b.off) / least + real_rounding(r) : REAL_UNKNOWN;
}

// A function whose derivative is at most `slope` in magnitude between the bounds.
static double of_slope(double slope, struct real_operand a, double r)
{
    return a.off * slope + real_rounding(r);
}

// A power of a number that may not be positive is defined for whole exponents only.
static double of_power(struct real_operand a, struct real_operand b, double r)
{
    double least = a.x - a.off;
    if (a.off == 0 && b.off == 0)
        return real_rounding(r);
    if (!(least > 0))
        return REAL_UNKNOWN;
    double relative = a.off / least;
    double exponent = (fabs(b.x) + b.off) * relative + (fabs(log(a.x)) + relative) * b.off;
    exponent *= 1 + REAL_UNIT; // it was rounded itself
    return magnitude(r) * expm1(exponent) + real_rounding(r);
}

// The angle jumps where the second operand is negative and the first changes its sign.  No real
// zero has a sign.
static double of_angle(struct real_operand a, struct real_operand b, double r)
{
    double off = hypot(a.off, b.off), distance = hypot(a.x, b.x) - off;
    bool jumps = b.x - b.off < 0 && fabs(a.x) <= a.off && !(is_zero(a) && !signbit(a.x));
    if (jumps || (a.x == 0 && b.x == 0))
        return REAL_UNKNOWN;
    if (off == 0)
        return real_rounding(r);
    return distance > 0 ? off / distance + real_rounding(r) : REAL_UNKNOWN;
}

// The integer next to the number is the same for all numbers within the bounds.
static double of_steps(double (*step)(double), struct real_operand a)
{
    double low = nextafter(a.x - a.off, -HUGE_VAL), high = nextafter(a.x + a.off, HUGE_VAL);
    return a.off == 0 || step(low) == step(high) ? 0 : REAL_UNKNOWN;
}

static double of_product(struct real_operand a, struct real_operand b, double r)
{
    if (is_zero(a) || is_zero(b))
        return 0;
    return fabs(a.x) * b.off + fabs(b.x) * a.off + a.off * b.off + real_rounding(r);
}

// A function that is defined for numbers greater than `end`, with the slope 1 / (x - end).
static double of_logarithm(double end, struct real_operand a, double r)
{
    double least = a.x - a.off - end;
    return least > 0 ? of_slope(1 / least, a, r) : REAL_UNKNOWN;
}

// The power of a number whose magnitude is at least `least` has this slope at most.
static double of_root(double least, double slope, struct real_operand a, double r)
{
    if (a.off == 0)
        return real_rounding(r);
    return least > 0 ? of_slope(slope, a, r) : REAL_UNKNOWN;
}

static double exact_only(struct real_operand a, struct real_operand b, double off)
{
    return a.off == 0 && b.off == 0 ? off : REAL_UNKNOWN;
}

static double of_operator(enum op op, struct real_operand a, struct real_operand b, double r)
{
    double least = a.x - a.off, root = cbrt(fabs(a.x) - a.off);
    switch (op) {
    case OP_ADD:
    case OP_SUBTRACT:
        return a.off + b.off + real_rounding(r);
    case OP_MULTIPLY:
        return of_product(a, b, r);
    case OP_DIVIDE:
        return of_quotient(a, b, r);
    case OP_POWER:
        return of_power(a, b, r);
    case OP_ATAN2:
        return of_angle(a, b, r);
    case OP_COMPARE:
        return fabs(a.x - b.x) > a.off + b.off ? 0 : exact_only(a, b, 0);
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_SELECT:
        return fmax(a.off, b.off);
    case OP_ABS:
    case OP_NEGATE:
    case OP_CONVERT:
    case OP_REAL:
    case OP_IMAG:
        return a.off;
    case OP_SIGN:
        return fabs(a.x) > a.off ? 0 : exact_only(a, a, 0);
    case OP_FLOOR:
        return of_steps(floor, a);
    case OP_CEIL:
        return of_steps(ceil, a);
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
        return of_steps(round, a);
    case OP_IS_FINITE:
        return 0;
    case OP_EXPONENTIAL:
        return magnitude(r) * expm1(a.off) + real_rounding(r);
    case OP_EXPONENTIAL_MINUS_ONE:
        return (magnitude(r) + 1) * expm1(a.off) + real_rounding(r);
    case OP_LOG:
        return of_logarithm(0, a, r);
    case OP_LOG_PLUS_ONE:
        return of_logarithm(-1, a, r);
    case OP_SQRT:
        return of_root(least, 1 / sqrt(least), a, r);
    case OP_RSQRT:
        return of_root(least, 1 / (least * sqrt(least)), a, r);
    case OP_CBRT:
        return of_root(root, 1 / (root * root), a, r);
    case OP_SINE:
    case OP_COSINE:
    case OP_TANH:
    case OP_LOGISTIC:
        return of_slope(1, a, r);
    case OP_ERF:
        return of_slope(2, a, r);
    case OP_TAN: // jumps
        return exact_only(a, a, real_rounding(r));
    case OP_REMAINDER: // the same; of floats it is exact
    case OP_CLAMP:
        LEAF_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return exact_only(a, b, 0);
}

// Are operands and result short, and does the operator have no other value than the result so near
// it?  A quotient, root or small power of short numbers is a multiple of 1/64, or further away from
// each such number than a rounding.
static bool is_exact(enum op op, struct real_operand a, struct real_operand b, double r)
{
    bool algebraic = !op_is_transcendental(op) || op == OP_SQRT ||
                     (op == OP_POWER && b.x >= 0 && b.x <= 4 && floor(b.x) == b.x);
    if (a.off != 0 || b.off != 0 || !real_is_short(r))
        return false;
    // Where a function has a value at 0, it is 0, 1 or 1/2.
    return algebraic ? real_is_short(a.x) && real_is_short(b.x) : op_arity(op) == 1 && a.x == 0;
}

double real_error_up_to(double most, enum op op, struct real_operand a, struct real_operand b,
                        double r)
{
    if (!(fabs(r) <= most) || op == OP_BITCAST_CONVERT)
        return REAL_UNKNOWN;
    double off = of_operator(op, a, b, r);
    if (off > 0 && off < REAL_UNKNOWN && is_exact(op, a, b, r))
        return 0;
    off *= 1 + REAL_UNIT; // the bound is rounded, too
    return off <= most ? off : REAL_UNKNOWN;
}

double real_error(enum op op, struct real_operand a, struct real_operand b, double r)
{
    return real_error_up_to(REAL_LARGE, op, a, b, r);
}
