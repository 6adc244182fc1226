// SPDX-License-Identifier: Apache-2.0
// From a structural match to an instance: which dimensions are one axis, and
// which classes each axis may have.
#include "egraph/match/axes.h"
#include "egraph/program/constants.h"
#include "egraph/match/roles.h"
#include <inttypes.h>

static void unite(uint32_t *up, uint32_t a, uint32_t b)
{
    a = axes_root(up, a);
    b = axes_root(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

void axes_unite(struct match_axes *axes, uint32_t a, uint32_t b)
{
    unite(axes->up, a, b);
}

static type_id node_type(const struct match_axes *axes, uint32_t i)
{
    return egraph_type(axes->matcher->graph, axes->matcher->home[i]);
}

static bool has_dims(const struct match_axes *axes, uint32_t i)
{
    enum pat_kind k = axes->rule->pats[i].kind;
    return k != PAT_SCALAR && k != PAT_LITERAL;
}

const int64_t *axes_node_attr(const struct match_axes *axes, uint32_t i, uint32_t *n)
{
    attr_id attr = term_at(axes->matcher->graph->terms, axes->matcher->node[i])->attr;
    *n = attr_len(axes->pool, attr);
    return attr_at(axes->pool, attr);
}

static void number_dims(struct match_axes *axes)
{
    uint32_t total = 0;
    axes->rank = ARENA_NEW(axes->mem, uint32_t, axes->rule->n_pats);
    axes->base = ARENA_NEW(axes->mem, uint32_t, axes->rule->n_pats);
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        axes->rank[i] = has_dims(axes, i) ? type_rank(axes->pool, node_type(axes, i)) : 0;
        total += axes->rank[i];
    }
    axes->up = ARENA_NEW(axes->mem, uint32_t, total);
    axes->sup = ARENA_NEW(axes->mem, uint32_t, total);
    axes->label = ARENA_NEW(axes->mem, uint32_t, total);
    axes->size = ARENA_NEW(axes->mem, int64_t, total);
    axes->edge = ARENA_NEW(axes->mem, struct edge3, total);
    uint32_t *var = ARENA_NEW(axes->mem, uint32_t, axes->rule->n_tensors);
    for (uint32_t i = 0; i < axes->rule->n_tensors; i++)
        var[i] = NONE;
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s], n = axes_count(axes, i);
        const struct pat *pattern = &axes->rule->pats[i];
        axes->base[i] = axes->n_dims;
        if (pattern->kind == PAT_TENSOR && var[pattern->var] != NONE) {
            axes->base[i] = var[pattern->var];
            continue;
        }
        if (pattern->kind == PAT_TENSOR)
            var[pattern->var] = axes->base[i];
        for (uint32_t d = 0; d < n; d++) {
            axes->up[axes->n_dims] = axes->n_dims;
            axes->size[axes->n_dims++] = type_dims(axes->pool, node_type(axes, i))[d];
        }
    }
}

static bool contains(const int64_t *v, uint32_t n, int64_t k)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i] == k)
            return true;
    return false;
}

static void unite_same(struct match_axes *axes, uint32_t i, uint32_t a)
{
    for (uint32_t d = 0; d < axes_count(axes, i); d++)
        unite(axes->up, axes->base[i] + d, axes_seen(axes, a, d));
}

static bool unite_node(struct match_axes *axes, uint32_t i)
{
    const struct pat *pattern = &axes->rule->pats[i];
    if (pattern->kind == PAT_RELABEL) {
        uint32_t a = axes->variant->rep[pattern->args[0]];
        for (uint32_t d = 0; d < axes_count(axes, i); d++)
            axes->edge[axes->n_edges++] =
                (struct edge3){i, axes->base[i] + d, axes_seen(axes, a, d)};
        return true;
    }
    if (pattern->kind != PAT_OP && pattern->kind != PAT_OPVAR)
        return true;
    if (pattern->kind == PAT_OP && roles_differ(pattern->op))
        return roles_unite(axes, i);
    uint32_t len, out = 0;
    const int64_t *attr = axes_node_attr(axes, i, &len);
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        uint32_t a = axes->variant->rep[pattern->args[k]];
        enum op op = pattern->kind == PAT_OP ? pattern->op : OP_ADD;
        if (k == 1 && (op == OP_PAD || op == OP_REDUCE || op == OP_REDUCE_WINDOW))
            continue; // a value of rank 0
        if (op != OP_REDUCE && op != OP_BROADCAST_IN_DIM) {
            unite_same(axes, i, a);
            continue;
        }
        for (uint32_t d = 0; d < axes_count(axes, a); d++) {
            if (op == OP_BROADCAST_IN_DIM)
                out = (uint32_t)attr[d];
            else if (contains(attr + 1, len - 1, d))
                continue;
            unite(axes->up, axes->base[i] + out, axes_seen(axes, a, d));
            out++;
        }
    }
    return true;
}

static void find_groups(struct match_axes *axes)
{
    for (uint32_t d = 0; d < axes->n_dims; d++)
        axes->sup[d] = axes_root(axes->up, d);
    for (uint32_t e = 0; e < axes->n_edges; e++)
        unite(axes->sup, axes_root(axes->up, axes->edge[e].out),
              axes_root(axes->up, axes->edge[e].in));
    axes->group = ARENA_NEW(axes->mem, struct axis_group, axes->n_dims);
    for (uint32_t d = 0; d < axes->n_dims; d++)
        if (axes_root(axes->sup, d) == d) {
            struct axis_group *group = &axes->group[axes->n_groups++];
            group->first = d;
            group->choice = NONE;
            group->candidate = ARENA_NEW(axes->mem, struct axis_candidate, axes->rule->n_classes);
        }
}

static uint32_t renamed(const struct pat *pattern, uint32_t c, bool backwards)
{
    for (uint32_t k = 0; k < pattern->n_relabels; k++)
        if ((backwards ? pattern->relabels[k].to : pattern->relabels[k].from) == c)
            return backwards ? pattern->relabels[k].from : pattern->relabels[k].to;
    return c;
}

// Labels all components of a group from the class of its first one.
bool axes_label(struct match_axes *axes, const struct axis_group *group, uint32_t cls)
{
    for (uint32_t e = 0; e < axes->n_edges; e++)
        if (axes_root(axes->sup, axes_root(axes->up, axes->edge[e].out)) == group->first) {
            axes->label[axes_root(axes->up, axes->edge[e].out)] = NONE;
            axes->label[axes_root(axes->up, axes->edge[e].in)] = NONE;
        }
    axes->label[group->first] = cls;
    for (bool again = axes->n_edges > 0; again;) {
        again = false;
        for (uint32_t e = 0; e < axes->n_edges; e++) {
            uint32_t out = axes_root(axes->up, axes->edge[e].out);
            uint32_t in = axes_root(axes->up, axes->edge[e].in);
            if (axes_root(axes->sup, out) != group->first ||
                (axes->label[out] == NONE && axes->label[in] == NONE))
                continue;
            const struct pat *pattern = &axes->rule->pats[axes->edge[e].node];
            uint32_t want = axes->label[in] != NONE ? renamed(pattern, axes->label[in], false)
                                                    : axes->label[out];
            uint32_t from = axes->label[in] != NONE ? axes->label[in]
                                                    : renamed(pattern, axes->label[out], true);
            again = again || axes->label[out] == NONE || axes->label[in] == NONE;
            if (axes->label[out] != NONE && axes->label[out] != want)
                return false;
            axes->label[out] = want;
            axes->label[in] = from;
        }
    }
    return true;
}

// Does dimension d of the e-node play the part that class c has at node i?
static bool role_fits(const struct match_axes *axes, uint32_t i, uint32_t d, uint32_t c)
{
    const struct pat *pattern = &axes->rule->pats[i];
    if (pattern->kind != PAT_OP ||
        (pattern->op != OP_CONCATENATE && pattern->op != OP_IOTA && pattern->op != OP_REVERSE))
        return true;
    uint32_t n;
    const int64_t *attr = axes_node_attr(axes, i, &n);
    return contains(attr, n, d) == (pattern->classes >> c & 1);
}

// Have the operands of node i, and its result, the roles at the group's axes
// that the pattern gives to their classes?
static bool roles_fit(struct match_axes *axes, const struct axis_group *group, uint32_t i)
{
    const struct pat *pattern = &axes->rule->pats[i];
    uint32_t q;
    if (pattern->kind != PAT_OP || !roles_differ(pattern->op))
        return true;
    for (uint32_t k = 0; k <= pattern->n_args; k++) {
        bool result = k == pattern->n_args;
        uint32_t a = result ? i : axes->variant->rep[pattern->args[k]];
        for (uint32_t d = 0; d < axes_count(axes, a); d++)
            if (axes_in_group(axes, group, result ? axes->base[i] + d : axes_seen(axes, a, d),
                              &q) &&
                !roles_agree(axes, i, k, d, axes->label[q]))
                return false;
    }
    return true;
}

// The part that the group, as labelled, fills exactly; NONE if none.
static uint32_t covered_part(struct match_axes *axes, const struct axis_group *group)
{
    uint32_t part = NONE, n = 0, q;
    axes->now++;
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        if (!roles_fit(axes, group, i))
            return NONE;
        for (uint32_t d = 0; d < axes_count(axes, i); d++) {
            if (!axes_in_group(axes, group, axes->base[i] + d, &q))
                continue;
            uint32_t c = axes->label[q], slot = i * axes->rule->n_classes + c;
            uint32_t f = axes->variant->slot_part[slot];
            if (f == NONE || (part != NONE && part != f) || axes->stamp[slot] == axes->now ||
                !role_fits(axes, i, d, c))
                return NONE;
            axes->stamp[slot] = axes->now;
            part = f;
            n++;
        }
    }
    return part != NONE && axes->variant->parts[part].n_slots == n ? part : NONE;
}

static bool index_is(struct match_axes *axes, const struct equation_at *equation)
{
    uint32_t m = equation->expr->map;
    if (axes->values.known[m])
        return axes->values.start[m] == equation->start.v;
    axes->values.start[m] = equation->start.v;
    return axes->values.known[m] = true;
}

static bool equation_holds(struct match_axes *axes, const struct equation_at *equation, bool *again)
{
    if (equation->start.v != NO_CLASS.v)
        return index_is(axes, equation);
    if (equation->expr == NULL)
        return equation->value == equation->found;
    return equation_solve(axes->rule, equation->expr, equation->found, &axes->values, again) !=
           EQ_FAILS;
}

// Solves the collected equations of one place of a rank class and tests the
// preconditions that can be.
bool axes_solve(struct match_axes *axes, uint32_t family)
{
    bool again = true;
    for (uint32_t m = 0; m < axes->rule->n_maps; m++)
        axes->values.known[m] = false;
    while (again) {
        again = false;
        for (uint32_t k = 0; k < axes->equations.len; k++) {
            if (!equation_holds(axes, &axes->equations.at[k], &again))
                return miss_equation(axes, &axes->equations.at[k]);
        }
        if (!lets_solve(axes->rule, &axes->values, &again))
            return miss_text(axes->matcher, MISS_CONDITION, "every let is defined", "");
    }
    for (uint32_t w = 0; w < axes->rule->n_wheres; w++) {
        const struct where *wh = &axes->rule->wheres[w];
        bool holds = true;
        if (wh->cond != NULL && wh->family == family &&
            !where_is_joint(axes->rule, w) && // asked of products (N5)
            cond_known(wh->cond, &axes->values) &&
            (!cond_eval(wh->cond, axes->values.at, 0, &holds) || !holds))
            return miss_where(axes, w);
    }
    return true;
}

static bool miss_axis(struct match_axes *axes, const struct axis_group *group)
{
    struct buf found = {0};
    if (axes->matcher->miss)
        buf_printf(&found, "size = %" PRId64, axes->size[group->first]);
    miss_text(axes->matcher, MISS_AXES, "every axis plays the part of an axis class",
              buf_text(&found));
    buf_release(&found);
    return false;
}

bool axes_candidates(struct match_axes *axes, struct axis_group *group)
{
    miss_aside(axes->matcher);
    for (uint32_t c = 0; c < axes->rule->n_classes; c++) {
        if (!axes_label(axes, group, c))
            continue;
        uint32_t part = covered_part(axes, group);
        if (part == NONE)
            continue;
        vec_clear(&axes->equations);
        axes_equations(axes, group);
        if (axes_solve(axes, axes->variant->parts[part].family))
            group->candidate[group->n_candidates++] = (struct axis_candidate){part, c};
    }
    if (group->n_candidates == 0)
        return miss_axis(axes, group);
    miss_back(axes->matcher);
    return true;
}

static bool match_axes(struct matcher *matcher, uint64_t form, enum grouping_way way)
{
    struct arena_mark mark = arena_mark(&matcher->scratch);
    struct match_axes axes = {.way = way,
                              .matcher = matcher,
                              .mem = &matcher->scratch,
                              .rule = matcher->rule,
                              .variant = matcher->variant};
    axes.pool = matcher->graph->terms->pool;
    axes.stamp = ARENA_NEW(axes.mem, uint32_t, matcher->rule->n_pats * matcher->rule->n_classes);
    axes.values = map_values_new(matcher->rule, axes.mem);
    number_dims(&axes);
    bool ok = true;
    for (uint32_t s = 0; ok && s < matcher->variant->n_steps; s++)
        ok = unite_node(&axes, matcher->variant->step[s]);
    find_groups(&axes);
    ok = (ok && axes_assign_parts(&axes) && axes_assign_places(&axes)) ||
         miss_text(matcher, MISS_AXES, "the axes fill the axis classes", "");
    if (ok)
        miss_clear(matcher);
    ok = ok && axes_instance(&axes, form);
    vec_release(&axes.equations);
    arena_reset(&matcher->scratch, mark);
    return ok;
}

static bool reshapes_blocks(const struct matcher *matcher)
{
    for (uint32_t s = 0; s < matcher->variant->n_steps; s++) {
        const struct pat *pattern = &matcher->rule->pats[matcher->variant->step[s]];
        for (uint32_t k = 0; k < pattern->n_groups; k++)
            for (uint32_t j = 0; j < pattern->groups[k].n_from; j++)
                if (matcher->rule->classes[pattern->groups[k].from[j]].block)
                    return true;
    }
    return false;
}

// Does a reshape add or drop dimensions of size 1?  Which of several is open then.
static bool reshapes_units(const struct matcher *matcher)
{
    for (uint32_t s = 0; s < matcher->variant->n_steps; s++) {
        const struct pat *pattern = &matcher->rule->pats[matcher->variant->step[s]];
        for (uint32_t k = 0; k < pattern->n_groups; k++)
            if (pattern->groups[k].n_from == 0 || pattern->groups[k].n_to == 0)
                return true;
    }
    return false;
}

bool axes_match(struct matcher *matcher, uint64_t form)
{
    miss_clear(matcher);
    bool ok = match_axes(matcher, form, GROUPING_FIRST) ||
              (reshapes_blocks(matcher) && match_axes(matcher, form, GROUPING_WHOLE)) ||
              (reshapes_units(matcher) && (match_axes(matcher, form, GROUPING_LATE) ||
                                           match_axes(matcher, form, GROUPING_NONE)));
    if (!ok)
        miss_tell(matcher);
    return ok;
}
