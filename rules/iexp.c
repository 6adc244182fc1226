// SPDX-License-Identifier: Apache-2.0
// Values of integer expressions and conditions.
#include "rules/parse.h"

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static bool eval_binary_iexp(enum iexp_op op, int64_t a, int64_t b,
                             int64_t *out)
{
    switch (op) {
    case IE_ADD:
        return !__builtin_add_overflow(a, b, out);
    case IE_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case IE_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case IE_DIV:
    case IE_CDIV:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *out = floor_div(a, b);
        if (op == IE_CDIV && a % b != 0)
            ++*out;
        return true;
    case IE_MOD: {
        if (b == 0)
            return false;
        // By the sign of the divisor, without the product b * floor(a / b).
        int64_t m = b == -1 ? 0 : a % b;
        *out = m != 0 && (m < 0) != (b < 0) ? m + b : m;
        return true;
    }
    case IE_MIN:
        *out = a < b ? a : b;
        return true;
    case IE_MAX:
        *out = a > b ? a : b;
        return true;
    default:
        return false;
    }
}

bool iexp_eval(const struct iexp *x, int64_t *const *map, uint32_t index,
               int64_t *out)
{
    int64_t a, b;
    switch (x->op) {
    case IE_CONST:
        *out = x->k;
        return true;
    case IE_MAP:
        *out = map[x->map][index];
        return true;
    case IE_NEG:
    case IE_ABS:
        if (!iexp_eval(x->a, map, index, &a))
            return false;
        if (x->op == IE_ABS && a >= 0) {
            *out = a;
            return true;
        }
        return !__builtin_sub_overflow(0, a, out);
    default:
        return iexp_eval(x->a, map, index, &a) &&
               iexp_eval(x->b, map, index, &b) &&
               eval_binary_iexp(x->op, a, b, out);
    }
}

// A connective whose first operand decides still evaluates the second: what
// cannot be evaluated does not hold.
bool cond_eval(const struct cond *c, int64_t *const *map, uint32_t index,
               bool *out)
{
    int64_t a, b;
    bool l, r = false;
    switch (c->op) {
    case COND_AND:
    case COND_OR:
        if (!cond_eval(c->l, map, index, &l) ||
            !cond_eval(c->r, map, index, &r))
            return false;
        *out = c->op == COND_AND ? l && r : l || r;
        return true;
    case COND_NOT:
        if (!cond_eval(c->l, map, index, &l))
            return false;
        *out = !l;
        return true;
    default:
        break;
    }
    if (!iexp_eval(c->a, map, index, &a) || !iexp_eval(c->b, map, index, &b))
        return false;
    *out = c->op == COND_LE   ? a <= b
           : c->op == COND_LT ? a < b
           : c->op == COND_EQ ? a == b
                              : a != b;
    return true;
}

bool iexp_equal(const struct iexp *a, const struct iexp *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->op != b->op || a->nodes != b->nodes)
        return false;
    if (a->op == IE_CONST)
        return a->k == b->k;
    if (a->op == IE_MAP)
        return a->map == b->map;
    return iexp_equal(a->a, b->a) && iexp_equal(a->b, b->b);
}
