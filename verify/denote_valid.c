// SPDX-License-Identifier: Apache-2.0
// When a pattern is well-defined: StableHLO's conditions, each on one axis.
// Conditions on which classes the operands have are no statements about
// integers; where they fail, d->failure says so.
#include "verify/denote_parts.h"

struct site {
    uint32_t pat, cls, place;
};

static void add_clause(struct denote *d, struct clauses *out, struct site s,
                       expr_id cond, const char *what, bool each_axis)
{
    if (d->x->node.at[cond].kind == X_TRUE)
        return;
    struct clause c = {cond,
                       denote_family(d->r, s.cls),
                       s.place,
                       s.cls,
                       what,
                       s.pat,
                       each_axis && d->r->classes[s.cls].block &&
                           !d->r->classes[s.cls].single};
    vec_push(&out->at, c);
}

static void demand(struct denote *d, struct clauses *out, struct site s,
                   expr_id cond, const char *what)
{
    add_clause(d, out, s, cond, what, true);
}

static void demand_defined(struct denote *d, struct clauses *out, struct site s,
                           const struct iexp *e)
{
    if (e != NULL)
        demand(d, out, s, denote_defined(d, e, s.place), "a divisor is not 0");
}

static void demand_size(struct denote *d, struct clauses *out, struct site s,
                        const struct iexp *size)
{
    demand_defined(d, out, s, size);
    demand(d, out, s,
           expr_le(d->x, expr_int(d->x, 0), denote_iexp(d, size, s.place)),
           "a size is not negative");
}

static void demand_least(struct denote *d, struct clauses *out, struct site s,
                         int64_t least, expr_id e, const char *what)
{
    demand(d, out, s, expr_le(d->x, expr_int(d->x, least), e), what);
}

static void demand_equal(struct denote *d, struct clauses *out, struct site s,
                         expr_id a, expr_id b, const char *what)
{
    demand(d, out, s, expr_eq(d->x, a, b), what);
}

static void valid_slice(struct denote *d, const struct pat *p,
                        const struct pat_attr *a, struct site s,
                        struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    expr_id n = denote_size(d, p->args[0], s.cls, s.place);
    expr_id start = denote_attr_value(d, a, 0, s.place, zero);
    expr_id limit = denote_attr_value(d, a, 1, s.place, n);
    demand_least(d, out, s, 1, denote_attr_value(d, a, 2, s.place, one),
                 "slice: stride >= 1");
    demand(d, out, s, expr_le(x, zero, start), "slice: 0 <= start");
    demand(d, out, s, expr_le(x, start, limit), "slice: start <= limit");
    demand(d, out, s, expr_le(x, limit, n), "slice: limit <= size");
}

// Also what a convolution asks of a spatial class, all of whose attributes may
// be missing.
static void valid_window(struct denote *d, const struct pat *p, struct site s,
                         struct clauses *out)
{
    struct sliding w = denote_sliding(d, p, s.cls, s.place);
    demand_least(d, out, s, 1, w.size, "a window is not empty");
    demand_least(d, out, s, 1, w.stride, "window: stride >= 1");
    demand_least(d, out, s, 1, w.base, "window: dilation >= 1");
    demand_least(d, out, s, 1, w.dilation, "window: window dilation >= 1");
}

static bool has_index(const struct rule *r, const struct iexp *e)
{
    if (e == NULL)
        return false;
    if (e->op == IE_MAP)
        return r->maps[e->map].index || has_index(r, r->maps[e->map].def);
    return has_index(r, e->a) || has_index(r, e->b);
}

// Does the node slice at an index (N6 of rules/instance.h)?
static bool at_index(const struct rule *r, const struct pat *p)
{
    bool yes = false;
    if (!denote_is_op(p, OP_DYNAMIC_SLICE) &&
        !denote_is_op(p, OP_DYNAMIC_UPDATE_SLICE))
        return false;
    for (uint32_t i = 0; i < p->n_attrs; i++)
        yes |= has_index(r, p->attrs[i].v[0]);
    return yes;
}

// The values that a run-time index expression takes on its way must exist in
// the index type, of which only the sizes of what either side slices are
// known.  Extrema of such values are such values.
static expr_id largest_size(struct denote *d, struct site s)
{
    const struct rule *r = d->r;
    expr_id most = expr_int(d->x, 0);
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        if (!at_index(r, p))
            continue;
        for (uint32_t k = 0; k < p->n_attrs; k++) {
            uint32_t c = p->attrs[k].cls;
            if (denote_family(r, c) == denote_family(r, s.cls))
                most = expr_max(d->x, most,
                                denote_size(d, p->args[0], c, s.place));
        }
    }
    return most;
}

static void valid_index(struct denote *d, const struct iexp *e, struct site s,
                        struct clauses *out)
{
    struct exprs *x = d->x;
    if (!has_index(d->r, e))
        return;
    if (e->op == IE_MAP) {
        valid_index(d, d->r->maps[e->map].def, s, out);
        return;
    }
    valid_index(d, e->a, s, out);
    valid_index(d, e->b, s, out);
    if (e->op == IE_MIN || e->op == IE_MAX)
        return;
    expr_id v = denote_iexp(d, e, s.place);
    demand_least(d, out, s, 0, v, "an index expression is not negative");
    demand(d, out, s, expr_le(x, v, largest_size(d, s)),
           "an index expression is at most a size that is sliced");
}

static void valid_dynamic(struct denote *d, const struct pat *p,
                          const struct pat_attr *a, struct site s,
                          struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id n = denote_size(d, p->args[0], s.cls, s.place);
    if (a->v[0] != NULL)
        valid_index(d, a->v[0], s, out);
    if (p->op == OP_DYNAMIC_SLICE && a->v[1] != NULL) {
        expr_id m = denote_iexp(d, a->v[1], s.place);
        demand_least(d, out, s, 0, m, "dynamic_slice: 0 <= size");
        demand(d, out, s, expr_le(x, m, n), "dynamic_slice: size <= size");
    }
}

static void valid_attr(struct denote *d, const struct pat *p,
                       const struct pat_attr *a, struct site s,
                       struct clauses *out)
{
    for (int i = 0; i < N_ATTRS; i++)
        demand_defined(d, out, s, a->v[i]);
    switch (p->op) {
    case OP_SLICE:
        valid_slice(d, p, a, s, out);
        return;
    case OP_PAD:
        if (a->v[2] != NULL)
            demand_least(d, out, s, 0, denote_iexp(d, a->v[2], s.place),
                         "pad: interior >= 0");
        demand_least(d, out, s, 0, denote_size(d, s.pat, s.cls, s.place),
                     "pad: size >= 0");
        return;
    case OP_BROADCAST_IN_DIM:
        demand_size(d, out, s, a->v[0]);
        return;
    case OP_REDUCE_WINDOW:
        valid_window(d, p, s, out);
        return;
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        valid_dynamic(d, p, a, s, out);
        return;
    default:
        return;
    }
}

// Sizes of the classes that two operands share, in `set`.
static void valid_shared(struct denote *d, uint32_t pat, uint32_t a, uint32_t b,
                         uint64_t set, const char *what, struct clauses *out)
{
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (denote_bit(set, c) && denote_has_class(d, a, c) &&
            denote_has_class(d, b, c))
            for (uint32_t k = 0; k < d->rank[c]; k++)
                demand_equal(d, out, (struct site){pat, c, k},
                             denote_size(d, a, c, k), denote_size(d, b, c, k),
                             what);
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
            demand_size(d, out, (struct site){pat, sizes[i].cls, k},
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
    struct site s = {pat, denote_lowest_bit(p->out), 0};
    if (p->out == 0 || !denote_iexp_within(d->r, g, s.cls)) {
        d->failure = "convolution: a group count of other axes";
        return;
    }
    expr_id n = denote_iexp(d, g, 0);
    demand_defined(d, out, s, g);
    demand_least(d, out, s, 1, n, "convolution: groups >= 1");
    demand_equal(d, out, s,
                 expr_mod(x, denote_size(d, p->args[1], s.cls, 0), n),
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
            valid_window(d, p, (struct site){pat, c, k}, out);
    valid_groups(d, pat, p->feature_groups, p->classes | p->out, out);
    valid_groups(d, pat, p->batch_groups, p->batch | p->out, out);
    if (p->feature_groups == NULL)
        valid_shared(d, pat, p->args[0], p->args[1], p->classes,
                     "convolution: features have equal sizes", out);
    if (d->failure != NULL)
        return;
    expr_id one = expr_int(x, 1), f = one, g = one;
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        struct site s = {pat, c, 0};
        if (denote_bit(p->classes, c) && p->feature_groups != NULL) {
            f = denote_iexp(d, p->feature_groups, 0);
            demand_equal(d, out, s, denote_size(d, p->args[0], c, 0),
                         expr_mul(x, denote_size(d, p->args[1], c, 0), f),
                         "convolution: features are the kernel's by groups");
        }
        if (denote_bit(p->batch, c) && p->batch_groups != NULL) {
            g = denote_iexp(d, p->batch_groups, 0);
            demand_equal(
                d, out, s, expr_mod(x, denote_size(d, p->args[0], c, 0), g),
                expr_int(x, 0), "convolution: batch groups divide the batch");
        }
    }
    if (p->feature_groups != NULL && p->batch_groups != NULL)
        demand(d, out, (struct site){pat, denote_lowest_bit(p->out), 0},
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
    struct site s = {pat, axis, 0};
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
    demand_least(d, out, s, 0, m, "gather: 0 <= size");
    demand(d, out, s, expr_le(x, m, n), "gather: size <= size");
}

static void valid_update(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    if (classes_of(d, p->args[0]) != classes_of(d, p->args[1]))
        d->failure = "dynamic_update_slice: operands of different classes";
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t k = 0; k < d->rank[c]; k++)
            if (denote_has_class(d, p->args[0], c))
                demand(d, out, (struct site){pat, c, k},
                       expr_le(d->x, denote_size(d, p->args[1], c, k),
                               denote_size(d, p->args[0], c, k)),
                       "dynamic_update_slice: size <= size");
}

static void valid_unit_axes(struct denote *d, uint32_t pat, uint32_t cls,
                            struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t k = 0; k < d->rank[cls]; k++)
        demand_equal(d, out, (struct site){pat, cls, k},
                     denote_size(d, p->args[0], cls, k), expr_int(d->x, 1),
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
                struct site s = {pat, g->to[k].cls, j};
                if (g->to[k].size == NULL)
                    continue;
                demand_defined(d, out, s, g->to[k].size);
                demand_equal(d, out, s, denote_iexp(d, g->to[k].size, j),
                             expr_int(x, 1),
                             "reshape: a new axis has one element");
            }
        if (g->n_from == 0 || g->n_to == 0)
            continue;
        for (uint32_t k = 0; k < g->n_to; k++) {
            struct site s = {pat, g->to[k].cls, 0};
            if (g->to[k].size != NULL)
                demand_size(d, out, s, g->to[k].size);
            to = expr_mul(x, to, denote_group_size(d, p, g, k));
        }
        add_clause(d, out, (struct site){pat, g->from[0], 0},
                   expr_eq(x, denote_group_count(d, p, g), to),
                   "reshape: equally many elements", false);
    }
}

static void check_relabel(struct denote *d, const struct pat *p)
{
    for (uint32_t i = 0; i < p->n_relabels; i++) {
        const struct relabel *a = &p->relabels[i];
        if (!denote_has_class(d, p->args[0], a->from))
            d->failure = "relabel: a class that is not there";
        if (denote_rank_class(d->r, a->from) != denote_rank_class(d->r, a->to))
            d->failure = "relabel: classes of different rank classes";
        for (uint32_t j = 0; j < i; j++)
            if (p->relabels[j].from == a->from || p->relabels[j].to == a->to)
                d->failure = "relabel: a class named twice";
    }
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        uint32_t from = denote_relabel_source(p, c);
        // A class that keeps its name must not meet one renamed to it.
        bool gone = from == c || from == NONE;
        for (uint32_t i = 0; i < p->n_relabels; i++)
            gone |= p->relabels[i].from == c;
        if (!gone && denote_has_class(d, p->args[0], c))
            d->failure = "relabel: two classes get one name";
    }
}

// Classes that an operator needs, or must not find, in its operand.
static void check_classes(struct denote *d, const struct pat *p)
{
    if (p->kind == PAT_RELABEL)
        check_relabel(d, p);
    if (p->kind != PAT_OP || p->op == OP_CONVOLUTION || p->op == OP_DOT_GENERAL)
        return;
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        bool has = p->n_args > 0 && denote_has_class(d, p->args[0], c);
        if (!denote_bit(p->classes, c) && denote_attr(p, c) == NULL)
            continue;
        bool makes = p->op == OP_BROADCAST_IN_DIM;
        if (p->op != OP_IOTA && has == makes)
            d->failure = makes ? "broadcast to a class that is there already"
                               : "an operator names a class that is not there";
        if ((p->op == OP_IOTA || p->op == OP_CONCATENATE) &&
            denote_bit(p->classes, c) && !d->r->classes[c].single)
            d->failure = "iota and concat need a class of one axis";
    }
}

static bool is_block(const struct rule *r, uint32_t cls)
{
    return r->classes[cls].block && !r->classes[cls].single;
}

// Only the size as declared: what is computed from it axis by axis is not the
// same of the product.
static bool whole_size(const struct rule *r, const struct iexp *e)
{
    return e == NULL || (e->op == IE_CONST && e->k == 1) ||
           (e->op == IE_MAP && r->maps[e->map].def == NULL);
}

static bool whole_sizes(const struct rule *r, uint32_t n,
                        const struct axis_size *sizes)
{
    bool whole = true;
    for (uint32_t i = 0; i < n; i++)
        whole &= !is_block(r, sizes[i].cls) || whole_size(r, sizes[i].size);
    return whole;
}

static bool names_block_only_whole(const struct rule *r, const struct pat *p,
                                   uint32_t cls)
{
    const struct pat_attr *a = denote_attr(p, cls);
    if (p->kind != PAT_OP)
        return true;
    if (denote_bit(p->spatial, cls))
        return false;
    if (a != NULL && p->op != OP_IOTA &&
        (p->op != OP_BROADCAST_IN_DIM || !whole_size(r, a->v[0])))
        return false;
    return p->op == OP_REDUCE || p->op == OP_DOT_GENERAL ||
           p->op == OP_CONVOLUTION || !denote_bit(p->classes, cls);
}

// A block is one axis here, so nothing may look at its axes one by one.
static void check_blocks(struct denote *d, const struct pat *p)
{
    const struct rule *r = d->r;
    bool whole = true;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (denote_one_axis(r, c) && !r->classes[c].single && !is_block(r, c))
            d->failure = "a class that goes with a block is not one";
        if (is_block(r, c))
            whole &= names_block_only_whole(r, p, c);
    }
    if (p->kind == PAT_TENSOR)
        whole &= whole_sizes(r, r->tensors[p->var].n_sizes,
                             r->tensors[p->var].sizes);
    if (p->kind == PAT_SPLAT || denote_is_op(p, OP_IOTA))
        whole &= whole_sizes(r, p->n_sizes, p->sizes);
    for (uint32_t i = 0; i < p->n_groups; i++)
        whole &= whole_sizes(r, p->groups[i].n_to, p->groups[i].to);
    for (uint32_t m = 0; m < r->n_maps; m++)
        whole &= !is_block(r, r->maps[m].cls) ||
                 (r->maps[m].def == NULL && !r->maps[m].index);
    if (!whole)
        d->failure = "a block is used axis by axis";
}

static void valid_op(struct denote *d, uint32_t pat, struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t i = 0; i < p->n_attrs; i++)
        for (uint32_t k = 0; k < d->rank[p->attrs[i].cls]; k++)
            if (p->op != OP_IOTA)
                valid_attr(d, p, &p->attrs[i],
                           (struct site){pat, p->attrs[i].cls, k}, out);
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
        if (has_index(d->r, e) || has_division(d->r, e))
            d->failure = "value: a quotient or an index, of several axes";
        return;
    }
    struct site s = {pat, cls, 0};
    demand_defined(d, out, s, e);
    valid_index(d, e, s, out);
}

void denote_valid(struct denote *d, uint32_t root, struct clauses *out)
{
    const struct pat *p = &d->r->pats[root];
    for (uint32_t i = 0; i < p->n_args; i++)
        denote_valid(d, p->args[i], out);
    check_classes(d, p);
    check_blocks(d, p);
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

static uint32_t width_root(const uint32_t *up, uint32_t t)
{
    while (up[t] != t)
        t = up[t];
    return t;
}

bool denote_widths_agree(const struct rule *r)
{
    bool agree = true;
    uint32_t *up = mem_alloc((r->n_types + 1) * sizeof *up);
    for (uint32_t t = 0; t < r->n_types; t++)
        up[t] = t;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < r->n_pats; i++) {
            const struct pat *p = &r->pats[i];
            bool left = !denote_below(r, r->rhs, i);
            if (!denote_is_op(p, OP_BITCAST_CONVERT) || left != (side == 0))
                continue;
            uint32_t a = width_root(up, p->type);
            uint32_t b = width_root(up, r->pats[p->args[0]].type);
            if (side == 0)
                up[a] = b;
            else
                agree &= a == b;
        }
    mem_free(up);
    return agree;
}
