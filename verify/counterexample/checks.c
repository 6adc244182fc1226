// SPDX-License-Identifier: Apache-2.0
// The conditions under which a node is well-defined, as relations between the integer
// expressions of one rank family.  They only guide the choice of map values; rule_ground
// decides whether an instance is well-defined.
#include "verify/counterexample/parts.h"

static const struct iexp zero = {.op = IE_CONST, .k = 0};
static const struct iexp one = {.op = IE_CONST, .k = 1};

struct check_list {
    const struct rule *rule;
    const struct pat *pattern;
    struct arena *mem;
    cex_check_vec *out;
};

const struct iexp *cex_size_in(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == cls)
            return pattern->sizes[i].size;
    return NULL;
}

static const struct iexp *attr_in(const struct pat *pattern, uint32_t cls, uint32_t k,
                                  const struct iexp *other)
{
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        if (pattern->attrs[i].cls == cls && pattern->attrs[i].expr[k] != NULL)
            return pattern->attrs[i].expr[k];
    return other;
}

static const struct pat *arg(const struct check_list *list, uint32_t k)
{
    return &list->rule->pats[list->pattern->args[k]];
}

static void put(struct check_list *list, enum cex_check_kind kind, uint32_t cls,
                const struct iexp *a, const struct iexp *b)
{
    if (a != NULL && b != NULL && (kind != CEX_CHECK_EQ || a != b))
        vec_push(list->out, ((struct cex_check){.kind = kind, .cls = cls, .a = a, .b = b}));
}

static void le(struct check_list *list, uint32_t cls, const struct iexp *a, const struct iexp *b)
{
    put(list, CEX_CHECK_LE, cls, a, b);
}

static void eq(struct check_list *list, uint32_t cls, const struct iexp *a, const struct iexp *b)
{
    put(list, CEX_CHECK_EQ, cls, a, b);
}

// Arguments j and k have equal sizes in the classes of both.
static void agree(struct check_list *list, uint32_t j, uint32_t k)
{
    const struct pat *pattern = arg(list, j);
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        eq(list, pattern->sizes[i].cls, pattern->sizes[i].size,
           cex_size_in(arg(list, k), pattern->sizes[i].cls));
}

static const struct iexp *product(struct check_list *list, const struct iexp *a,
                                  const struct iexp *b)
{
    struct iexp *expr = ARENA_NEW(list->mem, struct iexp, 1);
    if (a == NULL || b == NULL)
        return NULL;
    *expr = (struct iexp){.op = IE_MUL, .a = a, .b = b, .nodes = a->nodes + b->nodes + 1};
    return a == &one ? b : b == &one ? a : expr;
}

static void slice(struct check_list *list)
{
    for (uint32_t i = 0; i < list->pattern->n_sizes; i++) {
        uint32_t c = list->pattern->sizes[i].cls;
        const struct iexp *expr = cex_size_in(arg(list, 0), c);
        const struct iexp *low = attr_in(list->pattern, c, 0, &zero);
        const struct iexp *high = attr_in(list->pattern, c, 1, expr);
        le(list, c, &zero, low);
        le(list, c, low, high);
        le(list, c, high, expr);
        le(list, c, &one, attr_in(list->pattern, c, 2, &one));
    }
}

static void pad(struct check_list *list)
{
    for (uint32_t i = 0; i < list->pattern->n_sizes; i++) {
        uint32_t c = list->pattern->sizes[i].cls;
        struct cex_check check = {.kind = CEX_CHECK_PAD,
                                  .cls = c,
                                  .a = cex_size_in(arg(list, 0), c),
                                  .b = attr_in(list->pattern, c, 0, &zero),
                                  .c = attr_in(list->pattern, c, 1, &zero),
                                  .d = attr_in(list->pattern, c, 2, &zero)};
        vec_push(list->out, check);
    }
}

// Attributes from `first` on must be positive.
static void positive(struct check_list *list, uint32_t n, const uint32_t *attrs)
{
    for (uint32_t i = 0; i < list->pattern->n_attrs; i++)
        for (uint32_t k = 0; k < n; k++)
            le(list, list->pattern->attrs[i].cls, &one, list->pattern->attrs[i].expr[attrs[k]]);
}

static void convolution(struct check_list *list)
{
    static const uint32_t at_least_1[] = {0, 3, 4};
    const struct pat *in = arg(list, 0), *kernel = arg(list, 1);
    const struct iexp *groups =
        list->pattern->feature_groups != NULL ? list->pattern->feature_groups : &one;
    positive(list, 3, at_least_1);
    for (uint32_t i = 0; i < in->n_sizes; i++) {
        uint32_t c = in->sizes[i].cls;
        if (list->pattern->classes >> c & 1)
            eq(list, c, in->sizes[i].size, product(list, cex_size_in(kernel, c), groups));
    }
}

static void dynamic_slice(struct check_list *list)
{
    for (uint32_t i = 0; i < list->pattern->n_attrs; i++) {
        uint32_t c = list->pattern->attrs[i].cls;
        le(list, c, &zero, list->pattern->attrs[i].expr[1]);
        le(list, c, list->pattern->attrs[i].expr[1], cex_size_in(arg(list, 0), c));
    }
}

static void gather(struct check_list *list)
{
    const struct pat *in = arg(list, 0);
    for (uint32_t i = 0; i < in->n_sizes; i++) {
        uint32_t c = in->sizes[i].cls;
        if (list->pattern->classes >> c & 1) {
            const struct iexp *expr = attr_in(list->pattern, c, 0, &one);
            le(list, c, &zero, expr);
            le(list, c, expr, in->sizes[i].size);
        } else if (list->pattern->batch >> c & 1) {
            eq(list, c, in->sizes[i].size, cex_size_in(arg(list, 1), c));
        }
    }
}

static void scatter(struct check_list *list)
{
    const struct pat *in = arg(list, 0), *at = arg(list, 1), *pattern = arg(list, 2);
    for (uint32_t i = 0; i < in->n_sizes; i++)
        if (list->pattern->batch >> in->sizes[i].cls & 1)
            eq(list, in->sizes[i].cls, in->sizes[i].size, cex_size_in(at, in->sizes[i].cls));
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        uint32_t c = pattern->sizes[i].cls;
        const struct iexp *expr = cex_size_in(at, c);
        eq(list, c, pattern->sizes[i].size, expr != NULL ? expr : cex_size_in(in, c));
    }
}

static void regroup(struct check_list *list, const struct reshape_group *group)
{
    const struct iexp *from = &one, *to = &one;
    for (uint32_t i = 0; i < group->n_to; i++)
        le(list, group->to[i].cls, &zero, group->to[i].size);
    for (uint32_t i = 0; group->n_to == 0 && i < group->n_from; i++)
        eq(list, group->from[i], cex_size_in(arg(list, 0), group->from[i]), &one);
    for (uint32_t i = 0; group->n_from == 0 && i < group->n_to; i++)
        eq(list, group->to[i].cls, group->to[i].size, &one);
    if (group->n_from == 0 || group->n_to == 0)
        return;
    for (uint32_t i = 0; i < group->n_from; i++)
        from = product(list, from, cex_size_in(arg(list, 0), group->from[i]));
    for (uint32_t i = 0; i < group->n_to; i++)
        to = product(list, to, group->to[i].size);
    eq(list, group->from[0], from, to);
}

static void operator_checks(struct check_list *list)
{
    static const uint32_t window[] = {0, 1, 4, 5};
    const struct pat *pattern = list->pattern;
    switch (pattern->op) {
    case OP_SLICE:
        slice(list);
        break;
    case OP_PAD:
        pad(list);
        break;
    case OP_DOT_GENERAL:
        agree(list, 0, 1);
        break;
    case OP_CONVOLUTION:
        convolution(list);
        break;
    case OP_REDUCE_WINDOW:
        positive(list, 4, window);
        break;
    case OP_DYNAMIC_SLICE:
        dynamic_slice(list);
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        for (uint32_t i = 0; i < arg(list, 1)->n_sizes; i++)
            le(list, arg(list, 1)->sizes[i].cls, arg(list, 1)->sizes[i].size,
               cex_size_in(arg(list, 0), arg(list, 1)->sizes[i].cls));
        break;
    case OP_GATHER:
        gather(list);
        break;
    case OP_SCATTER:
        scatter(list);
        break;
    case OP_RESHAPE:
        for (uint32_t g = 0; g < pattern->n_groups; g++)
            regroup(list, &pattern->groups[g]);
        break;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
}

void cex_node_checks(const struct rule *rule, const struct pat *pattern, struct arena *mem,
                     cex_check_vec *out)
{
    struct check_list list = {rule, pattern, mem, out};
    bool op = pattern->kind == PAT_OP;
    bool each = pattern->kind == PAT_OPVAR || (op && op_is_elementwise(pattern->op));
    bool joins = op && pattern->op == OP_CONCATENATE;
    bool fresh = pattern->kind == PAT_TENSOR || pattern->kind == PAT_SPLAT ||
                 (op && (pattern->op == OP_IOTA || pattern->op == OP_BROADCAST_IN_DIM));
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        uint32_t c = pattern->sizes[i].cls;
        if (fresh)
            le(&list, c, &zero, pattern->sizes[i].size);
        if (!each && !(joins && !(pattern->classes >> c & 1)))
            continue;
        for (uint32_t k = 1; k < pattern->n_args; k++)
            eq(&list, c, cex_size_in(arg(&list, 0), c), cex_size_in(arg(&list, k), c));
    }
    if (op)
        operator_checks(&list);
}
