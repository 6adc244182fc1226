// SPDX-License-Identifier: Apache-2.0
// Values of integer expressions and conditions.
#include "rules/instance/instance.h"

#include "rules/conditions.h"

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static bool eval_binary_iexp(enum iexp_op op, int64_t a, int64_t b, int64_t *out)
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

// The source of the maps' values: without an instance, entry `index` of each map's
// values; with an instance, the value at a place of a class, and products for the
// joint classes (N5).
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

static bool map_value(const struct source *source, uint32_t m, int64_t *out)
{
    if (source->in == NULL) {
        *out = source->map[m][source->index];
        return true;
    }
    const struct rule *rule = source->in->rule;
    if (rule->maps[m].index)
        return false;
    if (source->cls == NONE ||
        rule->classes[rule->maps[m].cls].like != rule->classes[source->cls].like)
        return joint_value(source->in, m, out);
    if (source->index >= source->in->rank[rule->maps[m].cls])
        return false;
    *out = source->in->map[m][source->index];
    return true;
}

static bool eval_iexp(const struct source *source, const struct iexp *expr, int64_t *out)
{
    int64_t a, b;
    switch (expr->op) {
    case IE_CONST:
        *out = expr->k;
        return true;
    case IE_MAP:
        return map_value(source, expr->map, out);
    case IE_NEG:
    case IE_ABS:
        if (!eval_iexp(source, expr->a, &a))
            return false;
        if (expr->op == IE_ABS && a >= 0) {
            *out = a;
            return true;
        }
        return !__builtin_sub_overflow(0, a, out);
    default:
        return eval_iexp(source, expr->a, &a) && eval_iexp(source, expr->b, &b) &&
               eval_binary_iexp(expr->op, a, b, out);
    }
}

// A connective evaluates its second operand even if the first one decides: a
// condition with a part that cannot be evaluated does not hold.
static bool eval_cond(const struct source *source, const struct cond *condition, bool *out)
{
    int64_t a, b;
    bool l, r = false;
    switch (condition->op) {
    case COND_AND:
    case COND_OR:
        if (!eval_cond(source, condition->l, &l) || !eval_cond(source, condition->r, &r))
            return false;
        *out = condition->op == COND_AND ? l && r : l || r;
        return true;
    case COND_NOT:
        if (!eval_cond(source, condition->l, &l))
            return false;
        *out = !l;
        return true;
    default:
        break;
    }
    if (!eval_iexp(source, condition->a, &a) || !eval_iexp(source, condition->b, &b))
        return false;
    *out = condition->op == COND_LE   ? a <= b
           : condition->op == COND_LT ? a < b
           : condition->op == COND_EQ ? a == b
                                      : a != b;
    return true;
}

bool iexp_eval(const struct iexp *expr, int64_t *const *map, uint32_t index, int64_t *out)
{
    struct source source = {map, index, NULL, NONE};
    return eval_iexp(&source, expr, out);
}

bool cond_eval(const struct cond *condition, int64_t *const *map, uint32_t index, bool *out)
{
    struct source source = {map, index, NULL, NONE};
    return eval_cond(&source, condition, out);
}

bool instance_iexp(const struct instance *in, const struct iexp *expr, uint32_t cls, uint32_t place,
                   int64_t *out)
{
    struct source source = {NULL, place, in, cls};
    return eval_iexp(&source, expr, out);
}

// Does the expression have a map of a block, or maps of several rank classes?
struct joint_question {
    const struct rule *rule;
    uint32_t family;
};

static bool is_joint(void *context, const struct iexp *leaf)
{
    const struct joint_question *question = context;
    if (leaf->op != IE_MAP)
        return false;
    const struct rule *rule = question->rule;
    const struct axis_class *cls = &rule->classes[rule->maps[leaf->map].cls];
    return cls->block || cls->like != question->family;
}

bool where_is_joint(const struct rule *rule, uint32_t w)
{
    const struct where *wh = &rule->wheres[w];
    if (wh->cond == NULL)
        return false;
    struct joint_question question = {rule, rule->classes[wh->family].like};
    return cond_any(wh->cond, is_joint, &question);
}

uint32_t where_places(const struct instance *in, uint32_t w)
{
    const struct rule *rule = in->rule;
    const struct where *wh = &rule->wheres[w];
    if (wh->cond == NULL)
        return 0;
    return where_is_joint(rule, w) ? 1 : in->rank[wh->family];
}

bool where_at(const struct instance *in, uint32_t w, uint32_t place, bool *holds)
{
    const struct rule *rule = in->rule;
    const struct where *wh = &rule->wheres[w];
    bool joint = where_is_joint(rule, w);
    struct source source = {NULL, place, in, joint ? NONE : wh->family};
    *holds = false;
    return eval_cond(&source, wh->cond, holds);
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
