// SPDX-License-Identifier: Apache-2.0
// When a pattern is well-defined: StableHLO's conditions, each on one axis.
#include "verify/meaning/parts.h"

// Sizes of the classes that two operands share, in `set`.
static void valid_shared(struct denote *d, uint32_t pat, uint32_t a, uint32_t b,
                         uint64_t set, const char *what, struct clauses *out)
{
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (denote_bit(set, c) && denote_has_class(d, a, c) &&
            denote_has_class(d, b, c))
            for (uint32_t k = 0; k < d->rank[c]; k++)
                denote_demand_equal(d, out, (struct clause_site){pat, c, k},
                                    denote_size(d, a, c, k),
                                    denote_size(d, b, c, k), what);
}

// Operands of equal shape (but for the axis of a concat).
static void valid_operands(struct denote *d, uint32_t pat, uint64_t but,
                           struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t i = 1; i < p->n_args; i++)
            if (denote_has_class(d, p->args[i], c) !=
                denote_has_class(d, p->args[0], c))
                d->failure = "operands have different axis classes";
    for (uint32_t i = 1; i < p->n_args; i++)
        valid_shared(d, pat, p->args[0], p->args[i], ~but,
                     "operands have equal sizes", out);
}

static void valid_declared(struct denote *d, uint32_t pat, uint32_t n,
                           const struct axis_size *sizes, struct clauses *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < d->rank[sizes[i].cls]; k++)
            denote_demand_size(d, out,
                               (struct clause_site){pat, sizes[i].cls, k},
                               sizes[i].size);
}

// Classes of an operand, as a bit set.
static uint64_t classes_of(struct denote *d, uint32_t pat)
{
    uint64_t set = 0;
    for (uint32_t c = 0; c < d->r->n_classes && c < 64; c++)
        if (denote_has_class(d, pat, c))
            set |= (uint64_t)1 << c;
    return set;
}

static void valid_dot(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    uint64_t a = classes_of(d, p->args[0]), b = classes_of(d, p->args[1]);
    if ((a & b) != (p->classes | p->batch) || (p->classes & p->batch) != 0)
        d->failure = "dot: the operands share other classes than it names";
    valid_shared(d, pat, p->args[0], p->args[1], a & b,
                 "dot: shared axes have equal sizes", out);
}

// Group counts speak of several single axes at once.
static void valid_groups(struct denote *d, uint32_t pat, const struct iexp *g,
                         uint64_t classes, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    struct exprs *x = d->x;
    if (g == NULL)
        return;
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (denote_bit(classes, c) && !d->r->classes[c].single)
            d->failure = "convolution: groups of classes of more than one axis";
    struct clause_site s = {pat, denote_lowest_bit(p->out), 0};
    if (p->out == 0 || !denote_iexp_within(d->r, g, s.cls)) {
        d->failure = "convolution: a group count of other axes";
        return;
    }
    expr_id n = denote_iexp(d, g, 0);
    denote_demand_defined(d, out, s, g);
    denote_demand_least(d, out, s, 1, n, "convolution: groups >= 1");
    denote_demand_equal(
        d, out, s, expr_mod(x, denote_size(d, p->args[1], s.cls, 0), n),
        expr_int(x, 0), "convolution: groups divide the output");
}

static void valid_convolution(struct denote *d, uint32_t pat,
                              struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    struct exprs *x = d->x;
    uint64_t a = classes_of(d, p->args[0]), b = classes_of(d, p->args[1]);
    if (a != (p->batch | p->classes | p->spatial) ||
        b != (p->classes | p->out | p->spatial) || (p->batch & b) != 0 ||
        (p->out & a) != 0 || (p->classes & p->spatial) != 0)
        d->failure = "convolution: other classes than it names";
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t k = 0; denote_bit(p->spatial, c) && k < d->rank[c]; k++)
            denote_valid_window(d, p, (struct clause_site){pat, c, k}, out);
    valid_groups(d, pat, p->feature_groups, p->classes | p->out, out);
    valid_groups(d, pat, p->batch_groups, p->batch | p->out, out);
    if (p->feature_groups == NULL)
        valid_shared(d, pat, p->args[0], p->args[1], p->classes,
                     "convolution: features have equal sizes", out);
    if (d->failure != NULL)
        return;
    expr_id one = expr_int(x, 1), f = one, g = one;
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        struct clause_site s = {pat, c, 0};
        if (denote_bit(p->classes, c) && p->feature_groups != NULL) {
            f = denote_iexp(d, p->feature_groups, 0);
            denote_demand_equal(
                d, out, s, denote_size(d, p->args[0], c, 0),
                expr_mul(x, denote_size(d, p->args[1], c, 0), f),
                "convolution: features are the kernel's by groups");
        }
        if (denote_bit(p->batch, c) && p->batch_groups != NULL) {
            g = denote_iexp(d, p->batch_groups, 0);
            denote_demand_equal(
                d, out, s, expr_mod(x, denote_size(d, p->args[0], c, 0), g),
                expr_int(x, 0), "convolution: batch groups divide the batch");
        }
    }
    if (p->feature_groups != NULL && p->batch_groups != NULL)
        denote_demand(d, out,
                      (struct clause_site){pat, denote_lowest_bit(p->out), 0},
                      expr_or2(x, expr_eq(x, f, one), expr_eq(x, g, one)),
                      "convolution: groups of one kind only");
}

static void valid_reduce_window(struct denote *d, const struct pat *p)
{
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (p->n_args > 1 && denote_has_class(d, p->args[1], c))
            d->failure = "an initial value has axes";
}

static void valid_gather(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    struct exprs *x = d->x;
    uint32_t axis = denote_lowest_bit(p->classes);
    uint64_t a = classes_of(d, p->args[0]), b = classes_of(d, p->args[1]);
    const struct pat_attr *at = denote_attr(p, axis);
    bool scatter = p->op == OP_SCATTER;
    uint64_t stays = at != NULL || scatter ? a : a & ~p->classes;
    if (!denote_bit(a, axis) || !d->r->classes[axis].single ||
        (a & b & p->batch) != p->batch || (b & ~p->batch & stays) != 0 ||
        denote_bit(p->batch, axis)) {
        d->failure = "gather, scatter: other classes than they name";
        return;
    }
    valid_shared(d, pat, p->args[0], p->args[1], p->batch,
                 "batch axes have equal sizes", out);
    struct clause_site s = {pat, axis, 0};
    expr_id n = denote_size(d, p->args[0], axis, 0), one = expr_int(x, 1);
    if (scatter) {
        uint64_t want = (a & ~p->classes) | b;
        if (classes_of(d, p->args[2]) != want)
            d->failure = "scatter: other classes than it names";
        valid_shared(d, pat, p->args[0], p->args[2], a & ~p->classes,
                     "scatter: the update's sizes", out);
        valid_shared(d, pat, p->args[1], p->args[2], b & ~p->batch,
                     "scatter: the update's sizes", out);
        return;
    }
    expr_id m = denote_attr_value(d, at, 0, 0, one);
    denote_demand_least(d, out, s, 0, m, "gather: 0 <= size");
    denote_demand(d, out, s, expr_le(x, m, n), "gather: size <= size");
}

static void valid_update(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    if (classes_of(d, p->args[0]) != classes_of(d, p->args[1]))
        d->failure = "dynamic_update_slice: operands of different classes";
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t k = 0; k < d->rank[c]; k++)
            if (denote_has_class(d, p->args[0], c))
                denote_demand(d, out, (struct clause_site){pat, c, k},
                              expr_le(d->x, denote_size(d, p->args[1], c, k),
                                      denote_size(d, p->args[0], c, k)),
                              "dynamic_update_slice: size <= size");
}

static void valid_unit_axes(struct denote *d, uint32_t pat, uint32_t cls,
                            struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t k = 0; k < d->rank[cls]; k++)
        denote_demand_equal(d, out, (struct clause_site){pat, cls, k},
                            denote_size(d, p->args[0], cls, k),
                            expr_int(d->x, 1),
                            "reshape: a dropped axis has one element");
}

static void valid_reshape(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    struct exprs *x = d->x;
    for (uint32_t i = 0; i < p->n_groups; i++) {
        const struct reshape_group *g = &p->groups[i];
        expr_id to = expr_int(x, 1);
        for (uint32_t k = 0; k < g->n_from; k++)
            if (!denote_has_class(d, p->args[0], g->from[k]))
                d->failure = "reshape: a class that is not there";
        for (uint32_t k = 0; k < g->n_to; k++)
            if (denote_has_class(d, p->args[0], g->to[k].cls))
                d->failure = "reshape: a class that is there already";
        for (uint32_t k = 0; k < g->n_from && g->n_to == 0; k++)
            valid_unit_axes(d, pat, g->from[k], out);
        for (uint32_t k = 0; k < g->n_to && g->n_from == 0; k++)
            for (uint32_t j = 0; j < d->rank[g->to[k].cls]; j++) {
                struct clause_site s = {pat, g->to[k].cls, j};
                if (g->to[k].size == NULL)
                    continue;
                denote_demand_defined(d, out, s, g->to[k].size);
                denote_demand_equal(d, out, s, denote_iexp(d, g->to[k].size, j),
                                    expr_int(x, 1),
                                    "reshape: a new axis has one element");
            }
        if (g->n_from == 0 || g->n_to == 0)
            continue;
        for (uint32_t k = 0; k < g->n_to; k++) {
            struct clause_site s = {pat, g->to[k].cls, 0};
            if (g->to[k].size != NULL)
                denote_demand_size(d, out, s, g->to[k].size);
            to = expr_mul(x, to, denote_group_size(d, p, g, k));
        }
        denote_demand_clause(d, out, (struct clause_site){pat, g->from[0], 0},
                             expr_eq(x, denote_group_count(d, p, g), to),
                             "reshape: equally many elements", false);
    }
}

static void valid_op(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t i = 0; i < p->n_attrs; i++)
        for (uint32_t k = 0; k < d->rank[p->attrs[i].cls]; k++)
            if (p->op != OP_IOTA)
                denote_valid_attr(d, p, &p->attrs[i],
                                  (struct clause_site){pat, p->attrs[i].cls, k},
                                  out);
    switch (p->op) {
    case OP_DOT_GENERAL:
        valid_dot(d, pat, out);
        return;
    case OP_CONVOLUTION:
        valid_convolution(d, pat, out);
        return;
    case OP_PAD:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
        valid_reduce_window(d, p);
        return;
    case OP_GATHER:
    case OP_SCATTER:
        valid_gather(d, pat, out);
        return;
    case OP_DYNAMIC_UPDATE_SLICE:
        valid_update(d, pat, out);
        return;
    case OP_RESHAPE:
        valid_reshape(d, pat, out);
        return;
    case OP_CONCATENATE:
        valid_operands(d, pat, p->classes, out);
        return;
    default:
        if (op_is_elementwise(p->op))
            valid_operands(d, pat, 0, out);
        return;
    }
}

static bool single_axes(const struct rule *r, const struct iexp *e)
{
    if (e == NULL)
        return true;
    if (e->op == IE_MAP)
        return denote_one_axis(r, r->maps[e->map].cls);
    return single_axes(r, e->a) && single_axes(r, e->b);
}

static bool has_division(const struct rule *r, const struct iexp *e)
{
    if (e == NULL)
        return false;
    if (e->op == IE_MAP)
        return has_division(r, r->maps[e->map].def);
    return e->op == IE_DIV || e->op == IE_MOD || e->op == IE_CDIV ||
           has_division(r, e->a) || has_division(r, e->b);
}

static void valid_value(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct iexp *e = d->r->pats[pat].value;
    uint32_t cls = denote_iexp_class(d->r, e);
    if (cls == NONE)
        return;
    if (!single_axes(d->r, e))
        d->failure = "value: of axes that are not single";
    if (!denote_iexp_within(d->r, e, cls)) {
        // A condition on axes of several families cannot be stated.
        if (denote_has_index(d->r, e) || has_division(d->r, e))
            d->failure = "value: a quotient or an index, of several axes";
        return;
    }
    struct clause_site s = {pat, cls, 0};
    denote_demand_defined(d, out, s, e);
    denote_valid_index(d, e, s, out);
}

void denote_valid(struct denote *d, uint32_t root, struct clauses *out)
{
    const struct pat *p = &d->r->pats[root];
    for (uint32_t i = 0; i < p->n_args; i++)
        denote_valid(d, p->args[i], out);
    denote_check_classes(d, p);
    denote_check_blocks(d, p);
    if (p->kind == PAT_TENSOR) {
        const struct tensor_var *t = &d->r->tensors[p->var];
        valid_declared(d, root, t->n_sizes, t->sizes, out);
    } else if (p->kind == PAT_LITERAL && p->lit == LIT_VALUE) {
        valid_value(d, root, out);
    } else if (p->kind == PAT_SPLAT || denote_is_op(p, OP_IOTA)) {
        valid_declared(d, root, p->n_sizes, p->sizes, out);
    } else if (p->kind == PAT_OPVAR) {
        valid_operands(d, root, 0, out);
    } else if (p->kind == PAT_OP) {
        valid_op(d, root, out);
    }
}
