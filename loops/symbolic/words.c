// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"

// 2^b for a constant b.  False: it is none, or too large.
static bool power_of_two(const struct integers *in, ipoly b, int64_t *out)
{
    int64_t bits;
    bool small = int_is_constant(in, b, &bits) && bits >= 0 && bits < 31;
    *out = small ? INT64_C(1) << bits : 0;
    return small;
}

lterm leaf_word(struct symbolic *s, enum code_op op, ipoly a, ipoly b)
{
    struct integers *in = s->in;
    int64_t power, mask;
    bool holds = false;
    if (op == CODE_AND) {
        holds = int_is_constant(in, b, &mask) && mask >= 0 && mask < INT32_MAX &&
                (mask & (mask + 1)) == 0;
        power = holds ? mask + 1 : 0;
    } else {
        holds = power_of_two(in, b, &power);
    }
    ipoly by = int_constant(in, power);
    if (holds && op == CODE_SHIFT_LEFT)
        return lterm_whole(s->terms, int_multiply(in, a, by));
    if (!holds || !int_prove(in, &s->facts, a))
        return lterm_undefined(s->terms, "an operator on words that is not supported");
    return lterm_whole(s->terms, op == CODE_AND ? int_remainder(in, &s->facts, a, by)
                                                : int_divide(in, &s->facts, a, by));
}

enum code_op words_signed(enum code_op op)
{
    switch (op) {
    case CODE_UNSIGNED_DIVIDE:
        return CODE_DIVIDE;
    case CODE_UNSIGNED_REMAINDER:
        return CODE_REMAINDER;
    case CODE_UNSIGNED_MINIMUM:
        return CODE_MINIMUM;
    case CODE_UNSIGNED_MAXIMUM:
        return CODE_MAXIMUM;
    case CODE_UNSIGNED_LESS:
        return CODE_LESS;
    case CODE_UNSIGNED_LESS_EQUAL:
        return CODE_LESS_EQUAL;
    case CODE_UNSIGNED_CONVERT:
        return CODE_CONVERT;
    default:
        return op;
    }
}

bool words_natural(struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return words_natural(s, lterm_arg(s->terms, tree, 1)) &&
               words_natural(s, lterm_arg(s->terms, tree, 2));
    return lterm_kind(s->terms, tree) == LT_WHOLE &&
           int_prove(s->in, &s->facts, lterm_arg(s->terms, tree, 0));
}
