// SPDX-License-Identifier: Apache-2.0
// When a pattern is well-defined: StableHLO's conditions, each on one axis.
#include "verify/meaning/parts.h"

// Axis classes of `set` that two operands a and b of a pattern share.
struct shared_axes {
    uint32_t pat, a, b;
    uint64_t set;
    const char *what; // the condition, in words
};

// Demands that shared axes have equal sizes.
static void valid_shared(struct denote *denote, struct shared_axes shared, struct clauses *out)
{
    uint32_t a = shared.a, b = shared.b;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        if (denote_bit(shared.set, c) && denote_has_class(denote, a, c) &&
            denote_has_class(denote, b, c))
            for (uint32_t k = 0; k < denote->rank[c]; k++)
                denote_demand_equal(denote, out, (struct clause_site){shared.pat, c, k},
                                    denote_size(denote, a, c, k), denote_size(denote, b, c, k),
                                    shared.what);
}

// Operands of equal shape (except for the axis of a concat).
static void valid_operands(struct denote *denote, uint32_t pat, uint64_t but, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        for (uint32_t i = 1; i < pattern->n_args; i++)
            if (denote_has_class(denote, pattern->args[i], c) !=
                denote_has_class(denote, pattern->args[0], c))
                denote->failure = "operands have different axis classes";
    for (uint32_t i = 1; i < pattern->n_args; i++)
        valid_shared(denote,
                     (struct shared_axes){pat, pattern->args[0], pattern->args[i], ~but,
                                          "operands have equal sizes"},
                     out);
}

static void valid_declared(struct denote *denote, uint32_t pat, uint32_t n,
                           const struct axis_size *sizes, struct clauses *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < denote->rank[sizes[i].cls]; k++)
            denote_demand_size(denote, out, (struct clause_site){pat, sizes[i].cls, k},
                               sizes[i].size);
}

// Classes of an operand, as a bit set.
static uint64_t classes_of(struct denote *denote, uint32_t pat)
{
    uint64_t set = 0;
    for (uint32_t c = 0; c < denote->rule->n_classes && c < 64; c++)
        if (denote_has_class(denote, pat, c))
            set |= (uint64_t)1 << c;
    return set;
}

static void valid_dot(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    uint64_t a = classes_of(denote, pattern->args[0]), b = classes_of(denote, pattern->args[1]);
    if ((a & b) != (pattern->classes | pattern->batch) || (pattern->classes & pattern->batch) != 0)
        denote->failure = "dot: the operands share other classes than it names";
    valid_shared(denote,
                 (struct shared_axes){pat, pattern->args[0], pattern->args[1], a & b,
                                      "dot: shared axes have equal sizes"},
                 out);
}

// Group counts speak of several single axes at once.
static void valid_groups(struct denote *denote, uint32_t pat, const struct iexp *expr,
                         uint64_t classes, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct exprs *exprs = denote->exprs;
    if (expr == NULL)
        return;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        if (denote_bit(classes, c) && !denote->rule->classes[c].single)
            denote->failure = "convolution: groups of classes of more than one axis";
    struct clause_site site = {pat, denote_lowest_bit(pattern->out), 0};
    if (pattern->out == 0 || !denote_iexp_within(denote->rule, expr, site.cls)) {
        denote->failure = "convolution: a group count of other axes";
        return;
    }
    expr_id n = denote_iexp(denote, expr, 0);
    denote_demand_defined(denote, out, site, expr);
    denote_demand_least(denote, out, site, 1, n, "convolution: groups >= 1");
    denote_demand_equal(denote, out, site,
                        expr_mod(exprs, denote_size(denote, pattern->args[1], site.cls, 0), n),
                        expr_int(exprs, 0), "convolution: groups divide the output");
}

static void valid_convolution(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct exprs *exprs = denote->exprs;
    uint64_t a = classes_of(denote, pattern->args[0]), b = classes_of(denote, pattern->args[1]);
    if (a != (pattern->batch | pattern->classes | pattern->spatial) ||
        b != (pattern->classes | pattern->out | pattern->spatial) || (pattern->batch & b) != 0 ||
        (pattern->out & a) != 0 || (pattern->classes & pattern->spatial) != 0)
        denote->failure = "convolution: other classes than it names";
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        for (uint32_t k = 0; denote_bit(pattern->spatial, c) && k < denote->rank[c]; k++)
            denote_valid_window(denote, pattern, (struct clause_site){pat, c, k}, out);
    valid_groups(denote, pat, pattern->feature_groups, pattern->classes | pattern->out, out);
    valid_groups(denote, pat, pattern->batch_groups, pattern->batch | pattern->out, out);
    if (pattern->feature_groups == NULL)
        valid_shared(denote,
                     (struct shared_axes){pat, pattern->args[0], pattern->args[1], pattern->classes,
                                          "convolution: features have equal sizes"},
                     out);
    if (denote->failure != NULL)
        return;
    expr_id one = expr_int(exprs, 1), f = one, g = one;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++) {
        struct clause_site site = {pat, c, 0};
        if (denote_bit(pattern->classes, c) && pattern->feature_groups != NULL) {
            f = denote_iexp(denote, pattern->feature_groups, 0);
            denote_demand_equal(denote, out, site, denote_size(denote, pattern->args[0], c, 0),
                                expr_mul(exprs, denote_size(denote, pattern->args[1], c, 0), f),
                                "convolution: features are the kernel's by groups");
        }
        if (denote_bit(pattern->batch, c) && pattern->batch_groups != NULL) {
            g = denote_iexp(denote, pattern->batch_groups, 0);
            denote_demand_equal(denote, out, site,
                                expr_mod(exprs, denote_size(denote, pattern->args[0], c, 0), g),
                                expr_int(exprs, 0), "convolution: batch groups divide the batch");
        }
    }
    if (pattern->feature_groups != NULL && pattern->batch_groups != NULL)
        denote_demand(denote, out, (struct clause_site){pat, denote_lowest_bit(pattern->out), 0},
                      expr_or2(exprs, expr_eq(exprs, f, one), expr_eq(exprs, g, one)),
                      "convolution: groups of one kind only");
}

static void valid_reduce_window(struct denote *denote, const struct pat *pattern)
{
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        if (pattern->n_args > 1 && denote_has_class(denote, pattern->args[1], c))
            denote->failure = "an initial value has axes";
}

static void valid_gather(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct exprs *exprs = denote->exprs;
    uint32_t axis = denote_lowest_bit(pattern->classes);
    uint64_t a = classes_of(denote, pattern->args[0]), b = classes_of(denote, pattern->args[1]);
    const struct pat_attr *at = denote_attr(pattern, axis);
    bool scatter = pattern->op == OP_SCATTER;
    uint64_t stays = at != NULL || scatter ? a : a & ~pattern->classes;
    if (!denote_bit(a, axis) || !denote->rule->classes[axis].single ||
        (a & b & pattern->batch) != pattern->batch || (b & ~pattern->batch & stays) != 0 ||
        denote_bit(pattern->batch, axis)) {
        denote->failure = "gather, scatter: other classes than they name";
        return;
    }
    valid_shared(denote,
                 (struct shared_axes){pat, pattern->args[0], pattern->args[1], pattern->batch,
                                      "batch axes have equal sizes"},
                 out);
    struct clause_site site = {pat, axis, 0};
    expr_id n = denote_size(denote, pattern->args[0], axis, 0), one = expr_int(exprs, 1);
    if (scatter) {
        uint64_t want = (a & ~pattern->classes) | b;
        if (classes_of(denote, pattern->args[2]) != want)
            denote->failure = "scatter: other classes than it names";
        valid_shared(denote,
                     (struct shared_axes){pat, pattern->args[0], pattern->args[2],
                                          a & ~pattern->classes, "scatter: the update's sizes"},
                     out);
        valid_shared(denote,
                     (struct shared_axes){pat, pattern->args[1], pattern->args[2],
                                          b & ~pattern->batch, "scatter: the update's sizes"},
                     out);
        return;
    }
    expr_id m = denote_attr_value(denote, at, 0, 0, one);
    denote_demand_least(denote, out, site, 0, m, "gather: 0 <= size");
    denote_demand(denote, out, site, expr_le(exprs, m, n), "gather: size <= size");
}

static void valid_update(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    if (classes_of(denote, pattern->args[0]) != classes_of(denote, pattern->args[1]))
        denote->failure = "dynamic_update_slice: operands of different classes";
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        for (uint32_t k = 0; k < denote->rank[c]; k++)
            if (denote_has_class(denote, pattern->args[0], c))
                denote_demand(denote, out, (struct clause_site){pat, c, k},
                              expr_le(denote->exprs, denote_size(denote, pattern->args[1], c, k),
                                      denote_size(denote, pattern->args[0], c, k)),
                              "dynamic_update_slice: size <= size");
}

static void valid_unit_axes(struct denote *denote, uint32_t pat, uint32_t cls, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    for (uint32_t k = 0; k < denote->rank[cls]; k++)
        denote_demand_equal(denote, out, (struct clause_site){pat, cls, k},
                            denote_size(denote, pattern->args[0], cls, k),
                            expr_int(denote->exprs, 1), "reshape: a dropped axis has one element");
}

static void valid_reshape(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct exprs *exprs = denote->exprs;
    for (uint32_t i = 0; i < pattern->n_groups; i++) {
        const struct reshape_group *group = &pattern->groups[i];
        expr_id to = expr_int(exprs, 1);
        for (uint32_t k = 0; k < group->n_from; k++)
            if (!denote_has_class(denote, pattern->args[0], group->from[k]))
                denote->failure = "reshape: a class that is not there";
        for (uint32_t k = 0; k < group->n_to; k++)
            if (denote_has_class(denote, pattern->args[0], group->to[k].cls))
                denote->failure = "reshape: a class that is there already";
        for (uint32_t k = 0; k < group->n_from && group->n_to == 0; k++)
            valid_unit_axes(denote, pat, group->from[k], out);
        for (uint32_t k = 0; k < group->n_to && group->n_from == 0; k++)
            for (uint32_t j = 0; j < denote->rank[group->to[k].cls]; j++) {
                struct clause_site site = {pat, group->to[k].cls, j};
                if (group->to[k].size == NULL)
                    continue;
                denote_demand_defined(denote, out, site, group->to[k].size);
                denote_demand_equal(denote, out, site, denote_iexp(denote, group->to[k].size, j),
                                    expr_int(exprs, 1), "reshape: a new axis has one element");
            }
        if (group->n_from == 0 || group->n_to == 0)
            continue;
        for (uint32_t k = 0; k < group->n_to; k++) {
            struct clause_site s = {pat, group->to[k].cls, 0};
            if (group->to[k].size != NULL)
                denote_demand_size(denote, out, s, group->to[k].size);
            to = expr_mul(exprs, to, denote_group_size(denote, pattern, group, k));
        }
        denote_demand_clause(denote, out, (struct clause_site){pat, group->from[0], 0},
                             expr_eq(exprs, denote_group_count(denote, pattern, group), to),
                             "reshape: equally many elements", false);
    }
}

static void valid_op(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        for (uint32_t k = 0; k < denote->rank[pattern->attrs[i].cls]; k++)
            if (pattern->op != OP_IOTA)
                denote_valid_attr(denote, pattern, &pattern->attrs[i],
                                  (struct clause_site){pat, pattern->attrs[i].cls, k}, out);
    switch (pattern->op) {
    case OP_DOT_GENERAL:
        valid_dot(denote, pat, out);
        return;
    case OP_CONVOLUTION:
        valid_convolution(denote, pat, out);
        return;
    case OP_PAD:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
        valid_reduce_window(denote, pattern);
        return;
    case OP_GATHER:
    case OP_SCATTER:
        valid_gather(denote, pat, out);
        return;
    case OP_DYNAMIC_UPDATE_SLICE:
        valid_update(denote, pat, out);
        return;
    case OP_RESHAPE:
        valid_reshape(denote, pat, out);
        return;
    case OP_CONCATENATE:
        valid_operands(denote, pat, pattern->classes, out);
        return;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_DYNAMIC_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        if (op_is_elementwise(pattern->op))
            valid_operands(denote, pat, 0, out);
        return;
    }
}

static bool single_axes(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL)
        return true;
    if (expr->op == IE_MAP)
        return denote_one_axis(rule, rule->maps[expr->map].cls);
    return single_axes(rule, expr->a) && single_axes(rule, expr->b);
}

static bool has_division(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL)
        return false;
    if (expr->op == IE_MAP)
        return has_division(rule, rule->maps[expr->map].def);
    return expr->op == IE_DIV || expr->op == IE_MOD || expr->op == IE_CDIV ||
           has_division(rule, expr->a) || has_division(rule, expr->b);
}

static void valid_value(struct denote *denote, uint32_t pat, struct clauses *out)
{
    const struct iexp *expr = denote->rule->pats[pat].value;
    uint32_t cls = denote_iexp_class(denote->rule, expr);
    if (cls == NONE)
        return;
    if (!single_axes(denote->rule, expr))
        denote->failure = "value: of axes that are not single";
    if (!denote_iexp_within(denote->rule, expr, cls)) {
        // A condition on axes of several families cannot be stated.
        if (denote_has_index(denote->rule, expr) || has_division(denote->rule, expr))
            denote->failure = "value: a quotient or an index, of several axes";
        return;
    }
    struct clause_site site = {pat, cls, 0};
    denote_demand_defined(denote, out, site, expr);
    denote_valid_index(denote, expr, site, out);
}

void denote_valid(struct denote *denote, uint32_t root, struct clauses *out)
{
    const struct pat *pattern = &denote->rule->pats[root];
    for (uint32_t i = 0; i < pattern->n_args; i++)
        denote_valid(denote, pattern->args[i], out);
    denote_check_classes(denote, pattern);
    denote_check_blocks(denote, pattern);
    if (pattern->kind == PAT_TENSOR) {
        const struct tensor_var *tensor = &denote->rule->tensors[pattern->var];
        valid_declared(denote, root, tensor->n_sizes, tensor->sizes, out);
    } else if (pattern->kind == PAT_LITERAL && pattern->lit == LIT_VALUE) {
        valid_value(denote, root, out);
    } else if (pattern->kind == PAT_SPLAT || denote_is_op(pattern, OP_IOTA)) {
        valid_declared(denote, root, pattern->n_sizes, pattern->sizes, out);
    } else if (pattern->kind == PAT_OPVAR) {
        valid_operands(denote, root, 0, out);
    } else if (pattern->kind == PAT_OP) {
        valid_op(denote, root, out);
    }
}
