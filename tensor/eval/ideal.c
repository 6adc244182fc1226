// SPDX-License-Identifier: Apache-2.0
// The mathematical integers and rationals.  Intermediate results have 128 bits
// (two 64-bit factors, or the sum of two such products, always fit); what does
// not fit in 64 bits after reduction is a failure, never a wrong number.
#include "tensor/eval/parts.h"
#include <math.h>

static bool too_large(enum elem elem, struct err *err)
{
    return err_set(err, ERR_LIMIT, "a result of type %s does not fit in 64 bits", elem_text(elem));
}

static bool undefined(enum op op, enum elem elem, const char *why, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s on %s: %s", op_name(op), elem_text(elem), why);
}

static i128 abs128(i128 x)
{
    return x < 0 ? -x : x;
}

static i128 gcd(i128 a, i128 b)
{
    while (b) {
        i128 r = a % b;
        a = b;
        b = r;
    }
    return a;
}

bool ideal_make(enum elem elem, i128 num, i128 den, struct scalar *out, struct err *err)
{
    if (den != 1) {
        i128 g = gcd(abs128(num), abs128(den));
        num /= den < 0 ? -g : g;
        den = abs128(den) / g;
    }
    if (num < INT64_MIN || num > INT64_MAX || den > INT64_MAX)
        return too_large(elem, err);
    *out = (struct scalar){.num = (int64_t)num, .den = (int64_t)den};
    return true;
}

int ideal_order(struct scalar a, struct scalar b)
{
    if (a.den == 0 || b.den == 0) {
        int64_t x = a.den == 0 ? a.num : 0, y = b.den == 0 ? b.num : 0;
        return (x > y) - (x < y);
    }
    i128 x = (i128)a.num * b.den, y = (i128)b.num * a.den;
    return (x > y) - (x < y);
}

static i128 floor_div(i128 a, i128 b) // b > 0
{
    return a / b - (a % b < 0);
}

// Nearest integer; ties away from zero, or to the even one.
static i128 nearest(struct scalar scalar, bool even)
{
    i128 n = scalar.num, d = scalar.den, q = floor_div(n, d), twice = 2 * (n - q * d);
    bool up = twice > d;
    if (twice == d)
        up = even ? q % 2 != 0 : n > 0;
    return q + up;
}

// The k-th root (k = 2, 3) of a number >= 0, false if it is not an integer.
static bool whole_root(int64_t x, unsigned k, int64_t *out)
{
    double guess = k == 2 ? sqrt((double)x) : cbrt((double)x);
    for (i128 r = (i128)guess - 1; r <= (i128)guess + 1; r++) {
        i128 power = k == 2 ? r * r : r * r * r;
        if (r >= 0 && power == x) {
            *out = (int64_t)r;
            return true;
        }
    }
    return false;
}

static bool root(enum op op, struct scalar scalar, struct scalar *out, struct err *err)
{
    unsigned k = op == OP_CBRT ? 3 : 2;
    int64_t num, den;
    bool negative = scalar.num < 0;
    if (scalar.num == INT64_MIN || (negative && k == 2) || (op == OP_RSQRT && scalar.num == 0) ||
        !whole_root(negative ? -scalar.num : scalar.num, k, &num) ||
        !whole_root(scalar.den, k, &den))
        return undefined(op, ELEM_REAL, "the root is not a rational number", err);
    if (op == OP_RSQRT)
        return ideal_make(ELEM_REAL, den, num, out, err);
    return ideal_make(ELEM_REAL, negative ? -num : num, den, out, err);
}

static bool int_bits(enum op op, struct scalar scalar, struct scalar *out, struct err *err)
{
    if (op == OP_NOT)
        return ideal_make(ELEM_INT, -1 - (i128)scalar.num, 1, out, err);
    if (op != OP_POPCNT || scalar.num < 0)
        return undefined(op, ELEM_INT, "there is no last bit to count from", err);
    int64_t n = 0;
    for (uint64_t x = (uint64_t)scalar.num; x; x &= x - 1)
        n++;
    return ideal_make(ELEM_INT, n, 1, out, err);
}

// The value of a function where it is obvious.
static bool at_point(enum op op, struct scalar scalar, struct scalar *out, struct err *err)
{
    bool zero = scalar.num == 0, one = scalar.num == 1 && scalar.den == 1;
    switch (op_facts(op)->point) {
    case POINT_AT_0_IS_0:
        return zero && ideal_make(ELEM_REAL, 0, 1, out, err);
    case POINT_AT_0_IS_1:
        return zero && ideal_make(ELEM_REAL, 1, 1, out, err);
    case POINT_AT_0_IS_HALF:
        return zero && ideal_make(ELEM_REAL, 1, 2, out, err);
    case POINT_AT_1_IS_0:
        return one && ideal_make(ELEM_REAL, 0, 1, out, err);
    case POINT_NONE:
        break;
    }
    return false;
}

bool ideal_unary(enum op op, enum elem elem, struct scalar scalar, struct scalar *out,
                 struct err *err)
{
    if (scalar.den == 0)
        return undefined(op, elem, "the operand is infinite", err);
    i128 n = scalar.num, d = scalar.den;
    switch (op) {
    case OP_ABS:
        return ideal_make(elem, abs128(n), d, out, err);
    case OP_NEGATE:
        return ideal_make(elem, -n, d, out, err);
    case OP_REAL:
        return ideal_make(elem, n, d, out, err);
    case OP_IMAG:
        return ideal_make(elem, 0, 1, out, err);
    case OP_SIGN:
        return ideal_make(elem, (n > 0) - (n < 0), 1, out, err);
    case OP_FLOOR:
        return ideal_make(elem, floor_div(n, d), 1, out, err);
    case OP_CEIL:
        return ideal_make(elem, -floor_div(-n, d), 1, out, err);
    case OP_ROUND_NEAREST_AFZ:
        return ideal_make(elem, nearest(scalar, false), 1, out, err);
    case OP_ROUND_NEAREST_EVEN:
        return ideal_make(elem, nearest(scalar, true), 1, out, err);
    case OP_SQRT:
    case OP_RSQRT:
    case OP_CBRT:
        return root(op, scalar, out, err);
    case OP_NOT:
    case OP_POPCNT:
    case OP_COUNT_LEADING_ZEROS:
        return int_bits(op, scalar, out, err);
    case OP_COSINE:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
    case OP_LOGISTIC:
    case OP_SINE:
    case OP_TAN:
    case OP_TANH:
        if (at_point(op, scalar, out, err))
            return true;
        break;
        LEAF_CASES
        BINARY_CASES
        POINT_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return undefined(op, elem, "the result is not a rational number", err);
}

static bool shift(enum op op, struct scalar a, struct scalar b, struct scalar *out, struct err *err)
{
    if (b.num < 0)
        return undefined(op, ELEM_INT, "the amount is negative", err);
    if (op == OP_SHIFT_LEFT) {
        if (a.num != 0 && b.num > 63)
            return too_large(ELEM_INT, err);
        i128 factor = (i128)1 << (a.num == 0 ? 0 : b.num);
        return ideal_make(ELEM_INT, a.num * factor, 1, out, err);
    }
    if (op == OP_SHIFT_RIGHT_LOGICAL && a.num < 0)
        return undefined(op, ELEM_INT, "there is no width to fill", err);
    i128 divisor = (i128)1 << (b.num > 63 ? 64 : b.num);
    return ideal_make(ELEM_INT, floor_div(a.num, divisor), 1, out, err);
}

// 0^0 = 1.  INT as machine integers: negative exponents give 0 except for the
// bases 1 and -1.  REAL: integral exponents only, 1 / x for negative ones.
static bool power(enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                  struct err *err)
{
    if (b.den != 1)
        return undefined(OP_POWER, elem, "the exponent is not an integer", err);
    bool unit = a.den == 1 && (a.num == 1 || a.num == -1);
    if (unit || b.num == 0)
        return ideal_make(elem, b.num % 2 ? a.num : 1, 1, out, err);
    if (a.num == 0 && (b.num > 0 || elem == ELEM_INT))
        return ideal_make(elem, 0, 1, out, err);
    if (a.num == 0)
        return undefined(OP_POWER, elem, "division by zero", err);
    if (b.num < 0 && elem == ELEM_INT)
        return ideal_make(elem, 0, 1, out, err);
    if (b.num < -64 || b.num > 64) // |num| or den is at least 2
        return too_large(elem, err);
    struct scalar scalar = {.num = 1, .den = 1};
    for (int64_t i = b.num < 0 ? -b.num : b.num; i > 0; i--)
        if (!ideal_make(elem, (i128)scalar.num * a.num, (i128)scalar.den * a.den, &scalar, err))
            return false;
    if (b.num < 0)
        return ideal_make(elem, scalar.den, scalar.num, out, err);
    *out = scalar;
    return true;
}

static bool divide(enum op op, enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                   struct err *err)
{
    i128 x = (i128)a.num * b.den, y = (i128)b.num * a.den;
    bool rem = op == OP_REMAINDER;
    if (y == 0 && elem == ELEM_REAL)
        return undefined(op, elem, "division by zero", err);
    if (y == 0)
        return ideal_make(elem, rem ? a.num : -1, 1, out, err);
    if (rem)
        return ideal_make(elem, x % y, (i128)a.den * b.den, out, err);
    return elem == ELEM_INT ? ideal_make(elem, x / y, 1, out, err)
                            : ideal_make(elem, x, y, out, err);
}

bool ideal_binary(enum op op, enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                  struct err *err)
{
    if (op == OP_MAXIMUM || op == OP_MINIMUM) {
        bool first = (ideal_order(a, b) >= 0) == (op == OP_MAXIMUM);
        *out = first ? a : b;
        return true;
    }
    if (a.den == 0 || b.den == 0)
        return undefined(op, elem, "an operand is infinite", err);
    i128 x = (i128)a.num * b.den, y = (i128)b.num * a.den;
    i128 den = (i128)a.den * b.den;
    switch (op) {
    case OP_ADD:
        return ideal_make(elem, x + y, den, out, err);
    case OP_SUBTRACT:
        return ideal_make(elem, x - y, den, out, err);
    case OP_MULTIPLY:
        return ideal_make(elem, (i128)a.num * b.num, den, out, err);
    case OP_DIVIDE:
    case OP_REMAINDER:
        return divide(op, elem, a, b, out, err);
    case OP_POWER:
        return power(elem, a, b, out, err);
    case OP_AND:
        return ideal_make(elem, a.num & b.num, 1, out, err);
    case OP_OR:
        return ideal_make(elem, a.num | b.num, 1, out, err);
    case OP_XOR:
        return ideal_make(elem, a.num ^ b.num, 1, out, err);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
        return shift(op, a, b, out, err);
    case OP_ATAN2:
    case OP_MAXIMUM:
    case OP_MINIMUM:
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return undefined(op, elem, "the result is not a rational number", err);
}
