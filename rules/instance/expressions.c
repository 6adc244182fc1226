// SPDX-License-Identifier: Apache-2.0
// Values of integer expressions and conditions.
#include "rules/instance/instance.h"

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

// Where maps take their values from: at `index` of each map's values; or, with
// an instance, at a place of a class and from classes joint with it (N5).
struct source {
    int64_t *const *map;
    uint32_t index;
    const struct instance *in;
    uint32_t cls;
};

// A block's map stands for the product over its axes.
static bool joint_value(const struct instance *in, uint32_t m, int64_t *out)
{
    const struct map *map = &in->rule->maps[m];
    uint32_t rank = in->rank[map->cls];
    *out = 1;
    if (rank != 1 && !in->rule->classes[map->cls].block)
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(*out, in->map[m][i], out))
            return false;
    return true;
}

static bool map_value(const struct source *s, uint32_t m, int64_t *out)
{
    if (s->in == NULL) {
        *out = s->map[m][s->index];
        return true;
    }
    const struct rule *r = s->in->rule;
    if (r->maps[m].index)
        return false;
    if (s->cls == NONE ||
        r->classes[r->maps[m].cls].like != r->classes[s->cls].like)
        return joint_value(s->in, m, out);
    if (s->index >= s->in->rank[r->maps[m].cls])
        return false;
    *out = s->in->map[m][s->index];
    return true;
}

static bool eval_iexp(const struct source *s, const struct iexp *x,
                      int64_t *out)
{
    int64_t a, b;
    switch (x->op) {
    case IE_CONST:
        *out = x->k;
        return true;
    case IE_MAP:
        return map_value(s, x->map, out);
    case IE_NEG:
    case IE_ABS:
        if (!eval_iexp(s, x->a, &a))
            return false;
        if (x->op == IE_ABS && a >= 0) {
            *out = a;
            return true;
        }
        return !__builtin_sub_overflow(0, a, out);
    default:
        return eval_iexp(s, x->a, &a) && eval_iexp(s, x->b, &b) &&
               eval_binary_iexp(x->op, a, b, out);
    }
}

// A connective whose first operand decides still evaluates the second: what
// cannot be evaluated does not hold.
static bool eval_cond(const struct source *s, const struct cond *c, bool *out)
{
    int64_t a, b;
    bool l, r = false;
    switch (c->op) {
    case COND_AND:
    case COND_OR:
        if (!eval_cond(s, c->l, &l) || !eval_cond(s, c->r, &r))
            return false;
        *out = c->op == COND_AND ? l && r : l || r;
        return true;
    case COND_NOT:
        if (!eval_cond(s, c->l, &l))
            return false;
        *out = !l;
        return true;
    default:
        break;
    }
    if (!eval_iexp(s, c->a, &a) || !eval_iexp(s, c->b, &b))
        return false;
    *out = c->op == COND_LE   ? a <= b
           : c->op == COND_LT ? a < b
           : c->op == COND_EQ ? a == b
                              : a != b;
    return true;
}

bool iexp_eval(const struct iexp *x, int64_t *const *map, uint32_t index,
               int64_t *out)
{
    struct source s = {map, index, NULL, NONE};
    return eval_iexp(&s, x, out);
}

bool cond_eval(const struct cond *c, int64_t *const *map, uint32_t index,
               bool *out)
{
    struct source s = {map, index, NULL, NONE};
    return eval_cond(&s, c, out);
}

bool instance_iexp(const struct instance *in, const struct iexp *x,
                   uint32_t cls, uint32_t place, int64_t *out)
{
    struct source s = {NULL, place, in, cls};
    return eval_iexp(&s, x, out);
}

// Is a map of a block, or of several rank classes, in it?
static bool is_joint(const struct rule *r, const struct iexp *x,
                     uint32_t family)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP) {
        const struct axis_class *c = &r->classes[r->maps[x->map].cls];
        return c->block || c->like != family;
    }
    return is_joint(r, x->a, family) || is_joint(r, x->b, family);
}

static bool cond_is_joint(const struct rule *r, const struct cond *c,
                          uint32_t family)
{
    return c != NULL &&
           (is_joint(r, c->a, family) || is_joint(r, c->b, family) ||
            cond_is_joint(r, c->l, family) || cond_is_joint(r, c->r, family));
}

bool where_is_joint(const struct rule *r, uint32_t w)
{
    const struct where *wh = &r->wheres[w];
    return cond_is_joint(r, wh->cond, r->classes[wh->family].like);
}

uint32_t where_places(const struct instance *in, uint32_t w)
{
    const struct rule *r = in->rule;
    const struct where *wh = &r->wheres[w];
    if (wh->cond == NULL)
        return 0;
    return where_is_joint(r, w) ? 1 : in->rank[wh->family];
}

bool where_at(const struct instance *in, uint32_t w, uint32_t place,
              bool *holds)
{
    const struct rule *r = in->rule;
    const struct where *wh = &r->wheres[w];
    bool joint = where_is_joint(r, w);
    struct source s = {NULL, place, in, joint ? NONE : wh->family};
    *holds = false;
    return eval_cond(&s, wh->cond, holds);
}

bool instance_where(const struct instance *in, uint32_t *which)
{
    for (uint32_t w = 0; w < in->rule->n_wheres; w++) {
        *which = w;
        for (uint32_t i = 0; i < where_places(in, w); i++) {
            bool holds;
            if (!where_at(in, w, i, &holds) || !holds)
                return false;
        }
    }
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
