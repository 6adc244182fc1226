// SPDX-License-Identifier: Apache-2.0
#include "tensor/eval/parts.h"

static uint64_t width_mask(enum elem elem)
{
    unsigned bits = elem_bits(elem);
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static bool is_signed(enum elem elem)
{
    return elem_kind(elem) == KIND_SINT;
}

static bool is_negative(enum elem elem, uint64_t x)
{
    return is_signed(elem) && x >> 63;
}

struct scalar int_wrap(enum elem elem, uint64_t x)
{
    uint64_t mask = width_mask(elem);
    x &= mask;
    if (is_signed(elem) && x & (mask ^ mask >> 1))
        x |= ~mask;
    return (struct scalar){.bits = x};
}

int int_order(enum elem elem, struct scalar a, struct scalar b)
{
    // Flipping the sign bit turns the signed order into the unsigned one.
    uint64_t flip = is_signed(elem) ? (uint64_t)1 << 63 : 0;
    uint64_t x = a.bits ^ flip, y = b.bits ^ flip;
    return (x > y) - (x < y);
}

static uint64_t popcount(uint64_t x)
{
    uint64_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint64_t leading_zeros(uint64_t x, unsigned width)
{
    uint64_t n = width;
    for (; x; x >>= 1)
        n--;
    return n;
}

struct scalar int_unary(enum op op, enum elem elem, struct scalar scalar)
{
    uint64_t x = scalar.bits;
    switch (op) {
    case OP_ABS:
        return int_wrap(elem, is_negative(elem, x) ? 0 - x : x);
    case OP_COUNT_LEADING_ZEROS:
        return int_wrap(elem, leading_zeros(x & width_mask(elem), elem_bits(elem)));
    case OP_NEGATE:
        return int_wrap(elem, 0 - x);
    case OP_NOT:
        return int_wrap(elem, ~x);
    case OP_POPCNT:
        return int_wrap(elem, popcount(x & width_mask(elem)));
    case OP_SIGN:
        return int_wrap(elem, is_negative(elem, x) ? UINT64_MAX : x != 0);
        LEAF_CASES
        BINARY_CASES
        POINT_CASES
        FLOAT_UNARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    BUG("%s is not a unary operator on integers", op_name(op));
}

static uint64_t magnitude(enum elem elem, uint64_t x)
{
    return is_negative(elem, x) ? 0 - x : x;
}

// Truncating; the magnitudes are divided so that MIN / -1 wraps to MIN.
static uint64_t quotient(enum elem elem, uint64_t x, uint64_t y)
{
    if (y == 0)
        return UINT64_MAX;
    uint64_t q = magnitude(elem, x) / magnitude(elem, y);
    return is_negative(elem, x) != is_negative(elem, y) ? 0 - q : q;
}

static uint64_t remainder_of(enum elem elem, uint64_t x, uint64_t y)
{
    if (y == 0)
        return x;
    uint64_t r = magnitude(elem, x) % magnitude(elem, y);
    return is_negative(elem, x) ? 0 - r : r;
}

// Negative exponents give 0 except for the bases 1 and -1.
static uint64_t power(enum elem elem, uint64_t x, uint64_t y)
{
    // For the bases 1 and -1 the parity of y decides; y and -y have the same parity.
    if (is_negative(elem, y) && magnitude(elem, x) != 1)
        return 0;
    uint64_t r = 1;
    for (; y; y >>= 1, x *= x)
        if (y & 1)
            r *= x;
    return r;
}

// Amounts are read as unsigned numbers, so negative ones are too large.
static uint64_t shift(enum op op, enum elem elem, uint64_t x, uint64_t amount)
{
    unsigned width = elem_bits(elem);
    uint64_t mask = width_mask(elem), field = x & mask;
    bool top = field >> (width - 1) & 1;
    bool fill = op == OP_SHIFT_RIGHT_ARITHMETIC && top;
    amount &= mask;
    if (amount >= width)
        return fill ? mask : 0;
    if (op == OP_SHIFT_LEFT)
        return field << amount;
    return field >> amount | (fill ? mask & ~(mask >> amount) : 0);
}

static struct scalar bool_binary(enum op op, uint64_t x, uint64_t y)
{
    switch (op) {
    case OP_ADD:
    case OP_MAXIMUM:
    case OP_OR:
        return (struct scalar){.bits = x | y};
    case OP_MULTIPLY:
    case OP_MINIMUM:
    case OP_AND:
        return (struct scalar){.bits = x & y};
    case OP_XOR:
        return (struct scalar){.bits = x ^ y};
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SUBTRACT:
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    BUG("%s is not a binary operator on i1", op_name(op));
}

struct scalar int_binary(enum op op, enum elem elem, struct scalar a, struct scalar b)
{
    uint64_t x = a.bits, y = b.bits;
    if (elem_kind(elem) == KIND_BOOL)
        return bool_binary(op, x, y);
    switch (op) {
    case OP_ADD:
        return int_wrap(elem, x + y);
    case OP_AND:
        return int_wrap(elem, x & y);
    case OP_DIVIDE:
        return int_wrap(elem, quotient(elem, x, y));
    case OP_MAXIMUM:
        return int_order(elem, a, b) >= 0 ? a : b;
    case OP_MINIMUM:
        return int_order(elem, a, b) <= 0 ? a : b;
    case OP_MULTIPLY:
        return int_wrap(elem, x * y);
    case OP_OR:
        return int_wrap(elem, x | y);
    case OP_POWER:
        return int_wrap(elem, power(elem, x, y));
    case OP_REMAINDER:
        return int_wrap(elem, remainder_of(elem, x, y));
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
        return int_wrap(elem, shift(op, elem, x, y));
    case OP_SUBTRACT:
        return int_wrap(elem, x - y);
    case OP_XOR:
        return int_wrap(elem, x ^ y);
    case OP_ATAN2:
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    BUG("%s is not a binary operator on integers", op_name(op));
}
