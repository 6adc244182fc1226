// SPDX-License-Identifier: Apache-2.0
// From a structural match to an instance: which dimensions are one axis, and
// which classes each axis may have.
#include "egraph/match/axes.h"
#include "egraph/program/constants.h"
#include "egraph/match/roles.h"

uint32_t axes_root(uint32_t *up, uint32_t d)
{
    while (up[d] != d)
        d = up[d] = up[up[d]];
    return d;
}

static void unite(uint32_t *up, uint32_t a, uint32_t b)
{
    a = axes_root(up, a);
    b = axes_root(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

void axes_unite(struct match_axes *x, uint32_t a, uint32_t b)
{
    unite(x->up, a, b);
}

static type_id node_type(const struct match_axes *x, uint32_t i)
{
    return egraph_type(x->m->g, x->m->home[i]);
}

static bool has_dims(const struct match_axes *x, uint32_t i)
{
    enum pat_kind k = x->r->pats[i].kind;
    return k != PAT_SCALAR && k != PAT_LITERAL;
}

uint32_t axes_count(const struct match_axes *x, uint32_t i)
{
    return has_dims(x, i) ? type_rank(x->pool, node_type(x, i)) : 0;
}

// Dimension d of what the parent of node i sees.
uint32_t axes_seen(const struct match_axes *x, uint32_t i, uint32_t d)
{
    attr_id perm = x->m->perm[i];
    if (perm.v == NO_ATTR.v)
        return x->base[i] + d;
    return x->base[i] + (uint32_t)attr_at(x->pool, perm)[d];
}

static const int64_t *node_attr(const struct match_axes *x, uint32_t i, uint32_t *n)
{
    attr_id a = term_at(x->m->g->terms, x->m->node[i])->attr;
    *n = attr_len(x->pool, a);
    return attr_at(x->pool, a);
}

static void number_dims(struct match_axes *x)
{
    uint32_t total = 0;
    for (uint32_t s = 0; s < x->v->n_steps; s++)
        total += axes_count(x, x->v->step[s]);
    x->up = ARENA_NEW(x->mem, uint32_t, total);
    x->sup = ARENA_NEW(x->mem, uint32_t, total);
    x->label = ARENA_NEW(x->mem, uint32_t, total);
    x->size = ARENA_NEW(x->mem, int64_t, total);
    x->edge = ARENA_NEW(x->mem, struct edge3, total);
    uint32_t *var = ARENA_NEW(x->mem, uint32_t, x->r->n_tensors);
    for (uint32_t i = 0; i < x->r->n_tensors; i++)
        var[i] = NONE;
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s], n = axes_count(x, i);
        const struct pat *p = &x->r->pats[i];
        x->base[i] = x->n_dims;
        if (p->kind == PAT_TENSOR && var[p->var] != NONE) {
            x->base[i] = var[p->var];
            continue;
        }
        if (p->kind == PAT_TENSOR)
            var[p->var] = x->base[i];
        for (uint32_t d = 0; d < n; d++) {
            x->up[x->n_dims] = x->n_dims;
            x->size[x->n_dims++] = type_dims(x->pool, node_type(x, i))[d];
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

static void unite_same(struct match_axes *x, uint32_t i, uint32_t a)
{
    for (uint32_t d = 0; d < axes_count(x, i); d++)
        unite(x->up, x->base[i] + d, axes_seen(x, a, d));
}

static bool unite_node(struct match_axes *x, uint32_t i)
{
    const struct pat *p = &x->r->pats[i];
    if (p->kind == PAT_RELABEL) {
        uint32_t a = x->v->rep[p->args[0]];
        for (uint32_t d = 0; d < axes_count(x, i); d++)
            x->edge[x->n_edges++] =
                (struct edge3){i, x->base[i] + d, axes_seen(x, a, d)};
        return true;
    }
    if (p->kind != PAT_OP && p->kind != PAT_OPVAR)
        return true;
    if (p->kind == PAT_OP && roles_differ(p->op))
        return roles_unite(x, i);
    uint32_t len, out = 0;
    const int64_t *attr = node_attr(x, i, &len);
    for (uint32_t k = 0; k < p->n_args; k++) {
        uint32_t a = x->v->rep[p->args[k]];
        enum op op = p->kind == PAT_OP ? p->op : OP_ADD;
        if (k == 1 &&
            (op == OP_PAD || op == OP_REDUCE || op == OP_REDUCE_WINDOW))
            continue; // a value of rank 0
        if (op != OP_REDUCE && op != OP_BROADCAST_IN_DIM) {
            unite_same(x, i, a);
            continue;
        }
        for (uint32_t d = 0; d < axes_count(x, a); d++) {
            if (op == OP_BROADCAST_IN_DIM)
                out = (uint32_t)attr[d];
            else if (contains(attr + 1, len - 1, d))
                continue;
            unite(x->up, x->base[i] + out, axes_seen(x, a, d));
            out++;
        }
    }
    return true;
}

static void find_groups(struct match_axes *x)
{
    for (uint32_t d = 0; d < x->n_dims; d++)
        x->sup[d] = axes_root(x->up, d);
    for (uint32_t e = 0; e < x->n_edges; e++)
        unite(x->sup, axes_root(x->up, x->edge[e].out),
              axes_root(x->up, x->edge[e].in));
    x->group = ARENA_NEW(x->mem, struct axis_group, x->n_dims);
    for (uint32_t d = 0; d < x->n_dims; d++)
        if (axes_root(x->sup, d) == d) {
            struct axis_group *g = &x->group[x->n_groups++];
            g->first = d;
            g->choice = NONE;
            g->candidate = ARENA_NEW(x->mem, struct axis_candidate, x->r->n_classes);
        }
}

static uint32_t renamed(const struct pat *p, uint32_t c, bool backwards)
{
    for (uint32_t k = 0; k < p->n_relabels; k++)
        if ((backwards ? p->relabels[k].to : p->relabels[k].from) == c)
            return backwards ? p->relabels[k].from : p->relabels[k].to;
    return c;
}

// Labels all components of a group from the class of its first one.
bool axes_label(struct match_axes *x, const struct axis_group *g, uint32_t cls)
{
    for (uint32_t e = 0; e < x->n_edges; e++)
        if (axes_root(x->sup, axes_root(x->up, x->edge[e].out)) == g->first) {
            x->label[axes_root(x->up, x->edge[e].out)] = NONE;
            x->label[axes_root(x->up, x->edge[e].in)] = NONE;
        }
    x->label[g->first] = cls;
    for (bool again = x->n_edges > 0; again;) {
        again = false;
        for (uint32_t e = 0; e < x->n_edges; e++) {
            uint32_t out = axes_root(x->up, x->edge[e].out);
            uint32_t in = axes_root(x->up, x->edge[e].in);
            if (axes_root(x->sup, out) != g->first ||
                (x->label[out] == NONE && x->label[in] == NONE))
                continue;
            const struct pat *p = &x->r->pats[x->edge[e].node];
            uint32_t want = x->label[in] != NONE
                                ? renamed(p, x->label[in], false)
                                : x->label[out];
            uint32_t from = x->label[in] != NONE
                                ? x->label[in]
                                : renamed(p, x->label[out], true);
            again = again || x->label[out] == NONE || x->label[in] == NONE;
            if (x->label[out] != NONE && x->label[out] != want)
                return false;
            x->label[out] = want;
            x->label[in] = from;
        }
    }
    return true;
}

static bool in_group(struct match_axes *x, const struct axis_group *g, uint32_t dim,
                     uint32_t *component)
{
    *component = axes_root(x->up, dim);
    return axes_root(x->sup, *component) == g->first;
}

// Does dimension d of the e-node play the part that class c has at node i?
static bool role_fits(const struct match_axes *x, uint32_t i, uint32_t d, uint32_t c)
{
    const struct pat *p = &x->r->pats[i];
    if (p->kind != PAT_OP ||
        (p->op != OP_CONCATENATE && p->op != OP_IOTA && p->op != OP_REVERSE))
        return true;
    uint32_t n;
    const int64_t *attr = node_attr(x, i, &n);
    return contains(attr, n, d) == (p->classes >> c & 1);
}

// Have the operands of node i, and its result, the roles at the group's axes
// that the pattern gives to their classes?
static bool roles_fit(struct match_axes *x, const struct axis_group *g, uint32_t i)
{
    const struct pat *p = &x->r->pats[i];
    uint32_t q;
    if (p->kind != PAT_OP || !roles_differ(p->op))
        return true;
    for (uint32_t k = 0; k <= p->n_args; k++) {
        bool result = k == p->n_args;
        uint32_t a = result ? i : x->v->rep[p->args[k]];
        for (uint32_t d = 0; d < axes_count(x, a); d++)
            if (in_group(x, g, result ? x->base[i] + d : axes_seen(x, a, d),
                         &q) &&
                !roles_agree(x, i, k, d, x->label[q]))
                return false;
    }
    return true;
}

// The part that the group, as labelled, fills exactly; NONE if none.
static uint32_t covered_part(struct match_axes *x, const struct axis_group *g)
{
    uint32_t part = NONE, n = 0, q;
    x->now++;
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        if (!roles_fit(x, g, i))
            return NONE;
        for (uint32_t d = 0; d < axes_count(x, i); d++) {
            if (!in_group(x, g, x->base[i] + d, &q))
                continue;
            uint32_t c = x->label[q], slot = i * x->r->n_classes + c;
            uint32_t f = x->v->slot_part[slot];
            if (f == NONE || (part != NONE && part != f) ||
                x->stamp[slot] == x->now || !role_fits(x, i, d, c))
                return NONE;
            x->stamp[slot] = x->now;
            part = f;
            n++;
        }
    }
    return part != NONE && x->v->parts[part].n_slots == n ? part : NONE;
}

static void add_equation(struct match_axes *x, const struct iexp *e, int64_t value,
                         int64_t found)
{
    x->equation[x->n_equations++] =
        (struct equation_at){e, value, found, NO_CLASS};
}

static const struct pat_attr *attributes_of(const struct pat *p, uint32_t c)
{
    for (uint32_t k = 0; k < p->n_attrs; k++)
        if (p->attrs[k].cls == c)
            return &p->attrs[k];
    return NULL;
}

// Attribute j of class c is found to be so; where the pattern does not name
// it, it must be the default.
static void attribute_is(struct match_axes *x, const struct pat *p, uint32_t c,
                         uint32_t j, int64_t normal, int64_t found)
{
    const struct pat_attr *given = attributes_of(p, c);
    add_equation(x, given != NULL ? given->v[j] : NULL, normal, found);
}

// The start along dimension d: an index is bound to the class of its term,
// anything else is a constant.
static void start_equation(struct match_axes *x, uint32_t i, uint32_t d, uint32_t c)
{
    const struct pat *p = &x->r->pats[i];
    const struct pat_attr *given = attributes_of(p, c);
    const struct iexp *e = given != NULL ? given->v[0] : NULL;
    const term_id *args = term_args(x->m->g->terms, x->m->node[i]);
    class_id k = egraph_find(x->m->g, args[p->n_args + d]);
    lit_id lit = class_constant(x->m->g, k);
    if (e != NULL && iexp_is_index(x->r, e)) {
        x->equation[x->n_equations++] = (struct equation_at){e, 0, 0, k};
    } else if (lit.v == NO_LIT.v) {
        add_equation(x, NULL, 0, 1); // no constant: no match
    } else {
        enum elem t = type_elem(x->pool, egraph_type(x->m->g, k));
        uint64_t bits = literal_get(x->pool, lit, 0).bits;
        bool fits = elem_kind(t) == KIND_SINT || bits <= INT64_MAX;
        add_equation(x, e, fits ? 0 : 1, fits ? (int64_t)bits : 0);
    }
}

static int64_t operand_size(const struct match_axes *x, uint32_t i, uint32_t d)
{
    term_id arg = term_args(x->m->g->terms, x->m->node[i])[0];
    return type_dims(x->pool, term_type(x->m->g->terms, arg))[d];
}

// Attributes along dimension d of the node, of class c.
static void attribute_equations(struct match_axes *x, uint32_t i, uint32_t d,
                                uint32_t c)
{
    static const int64_t window[] = {1, 1, 0, 0, 1, 1};
    const struct pat *p = &x->r->pats[i];
    uint32_t n, rank = axes_count(x, i);
    if (p->kind != PAT_OP)
        return;
    const int64_t *attr = node_attr(x, i, &n);
    switch (p->op) {
    case OP_SLICE:
        attribute_is(x, p, c, 0, 0, attr[d]);
        attribute_is(x, p, c, 1, operand_size(x, i, d), attr[rank + d]);
        attribute_is(x, p, c, 2, 1, attr[2 * rank + d]);
        break;
    case OP_PAD:
        for (uint32_t j = 0; j < 3; j++)
            attribute_is(x, p, c, j, 0, attr[j * rank + d]);
        break;
    case OP_REDUCE_WINDOW:
        for (uint32_t j = 0; j < 6; j++)
            attribute_is(x, p, c, j, window[j], attr[1 + j * rank + d]);
        break;
    case OP_DYNAMIC_SLICE:
        attribute_is(x, p, c, 1, operand_size(x, i, d), attr[d]);
        start_equation(x, i, d, c);
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        start_equation(x, i, d, c);
        break;
    default:
        break;
    }
}

// The window of a convolution along its j-th spatial axis, and the groups.
static void convolution_equations(struct match_axes *x, uint32_t i,
                                  const struct axis_group *g)
{
    static const int64_t normal[] = {1, 0, 0, 1, 1};
    const struct pat *p = &x->r->pats[i];
    uint32_t n, q;
    if (p->kind != PAT_OP || p->op != OP_CONVOLUTION)
        return;
    const int64_t *attr = node_attr(x, i, &n), ns = attr[3];
    const int64_t *spatial = attr + n - ns; // of the result
    for (int64_t j = 0; j < ns; j++)
        if (in_group(x, g, x->base[i] + (uint32_t)spatial[j], &q))
            for (uint32_t k = 0; k < 5; k++)
                attribute_is(x, p, x->label[q], k, normal[k],
                             attr[4 + k * ns + j]);
    const int64_t *groups = attr + 4 + 6 * ns;
    for (uint32_t k = 0; k < 2; k++) {
        const struct iexp *e = k == 0 ? p->feature_groups : p->batch_groups;
        add_equation(x, e, 1, groups[k]);
    }
}

// An integer that stands as an element: literals_fit asks again.
static void value_equation(struct match_axes *x, uint32_t i, const struct axis_group *g)
{
    const struct pat *p = &x->r->pats[i];
    lit_id lit = x->m->lit[i];
    if (p->kind != PAT_LITERAL || p->value == NULL || lit.v == NO_LIT.v ||
        pattern_value_family(x->r, p->value) != x->r->classes[x->label[g->first]].like)
        return;
    enum elem t = pool_literal(x->pool, lit)->elem;
    uint64_t bits = literal_get(x->pool, lit, 0).bits;
    if ((elem_kind(t) & (KIND_SINT | KIND_UINT)) &&
        (elem_kind(t) == KIND_SINT || bits <= INT64_MAX))
        add_equation(x, p->value, 0, (int64_t)bits);
}

void axes_equations(struct match_axes *x, const struct axis_group *g)
{
    uint32_t q;
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        convolution_equations(x, i, g);
        value_equation(x, i, g);
        for (uint32_t d = 0; d < axes_count(x, i); d++) {
            if (!in_group(x, g, x->base[i] + d, &q))
                continue;
            for (uint32_t k = 0; k < p->n_sizes; k++)
                if (p->sizes[k].cls == x->label[q])
                    add_equation(x, p->sizes[k].size, 0,
                                 x->size[x->base[i] + d]);
            attribute_equations(x, i, d, x->label[q]);
        }
    }
}

static bool index_is(struct match_axes *x, const struct equation_at *e)
{
    uint32_t m = e->x->map;
    if (x->values.known[m])
        return x->values.start[m] == e->start.v;
    x->values.start[m] = e->start.v;
    return x->values.known[m] = true;
}

static bool equation_holds(struct match_axes *x, const struct equation_at *e,
                           bool *again)
{
    if (e->start.v != NO_CLASS.v)
        return index_is(x, e);
    if (e->x == NULL)
        return e->value == e->found;
    return equation_solve(x->r, e->x, e->found, &x->values, again) != EQ_FAILS;
}

// Solves the collected equations of one place of a rank class and tests the
// preconditions that can be.
bool axes_solve(struct match_axes *x, uint32_t family)
{
    bool again = true;
    for (uint32_t m = 0; m < x->r->n_maps; m++)
        x->values.known[m] = false;
    while (again) {
        again = false;
        for (uint32_t k = 0; k < x->n_equations; k++) {
            if (!equation_holds(x, &x->equation[k], &again))
                return false;
        }
        if (!lets_solve(x->r, &x->values, &again))
            return false;
    }
    for (uint32_t w = 0; w < x->r->n_wheres; w++) {
        const struct where *wh = &x->r->wheres[w];
        bool holds = true;
        if (wh->cond != NULL && wh->family == family &&
            !where_is_joint(x->r, w) && // asked of products (N5)
            cond_known(wh->cond, &x->values) &&
            (!cond_eval(wh->cond, x->values.at, 0, &holds) || !holds))
            return false;
    }
    return true;
}

bool axes_candidates(struct match_axes *x, struct axis_group *g)
{
    for (uint32_t c = 0; c < x->r->n_classes; c++) {
        if (!axes_label(x, g, c))
            continue;
        uint32_t part = covered_part(x, g);
        if (part == NONE)
            continue;
        x->n_equations = 0;
        axes_equations(x, g);
        if (axes_solve(x, x->v->parts[part].family))
            g->candidate[g->n_candidates++] = (struct axis_candidate){part, c};
    }
    return g->n_candidates > 0;
}

static bool match_axes(struct matcher *m, uint64_t form, bool whole)
{
    struct arena_mark mark = arena_mark(&m->scratch);
    struct match_axes x = {
        .whole = whole, .m = m, .mem = &m->scratch, .r = m->r, .v = m->v};
    x.pool = m->g->terms->pool;
    x.base = ARENA_NEW(x.mem, uint32_t, m->r->n_pats);
    x.stamp = ARENA_NEW(x.mem, uint32_t, m->r->n_pats * m->r->n_classes);
    x.values = map_values_new(m->r, x.mem);
    number_dims(&x);
    bool ok = true;
    uint32_t dims = 0; // each dimension of each node gives up to 9 equations
    for (uint32_t s = 0; s < m->v->n_steps; s++) {
        ok = ok && unite_node(&x, m->v->step[s]);
        dims += axes_count(&x, m->v->step[s]);
    }
    find_groups(&x);
    x.equation = ARENA_NEW(x.mem, struct equation_at,
                           9 * dims + 2 * m->v->n_steps * (x.n_groups + 1));
    ok = ok && axes_assign_parts(&x) && axes_assign_places(&x) &&
         axes_instance(&x, form);
    arena_reset(&m->scratch, mark);
    return ok;
}

static bool reshapes_blocks(const struct matcher *m)
{
    for (uint32_t s = 0; s < m->v->n_steps; s++) {
        const struct pat *p = &m->r->pats[m->v->step[s]];
        for (uint32_t k = 0; k < p->n_groups; k++)
            for (uint32_t j = 0; j < p->groups[k].n_from; j++)
                if (m->r->classes[p->groups[k].from[j]].block)
                    return true;
    }
    return false;
}

bool axes_match(struct matcher *m, uint64_t form)
{
    return match_axes(m, form, false) ||
           (reshapes_blocks(m) && match_axes(m, form, true));
}
