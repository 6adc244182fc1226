// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/instance.h"

struct ground_run {
    const struct rule *r;
    struct instance *in;
    struct terms *t;
    struct rng *shuffle;
    bool *undefined; // per map: a `let` that divides by zero on some axis
    struct err *e;
};

// Why instance_iexp failed: a division by zero (the value is undefined) or else
// an overflow.
static bool divides_by_zero(const struct instance *in, const struct iexp *x,
                            uint32_t cls, uint32_t place)
{
    int64_t v;
    if (x->op == IE_CONST || x->op == IE_MAP)
        return false;
    bool divides = x->op == IE_DIV || x->op == IE_MOD || x->op == IE_CDIV;
    if (divides && instance_iexp(in, x->b, cls, place, &v) && v == 0)
        return true;
    return divides_by_zero(in, x->a, cls, place) ||
           (x->b != NULL && divides_by_zero(in, x->b, cls, place));
}

static bool uses_undefined(const struct ground_run *g, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP)
        return g->undefined[x->map];
    return uses_undefined(g, x->a) || uses_undefined(g, x->b);
}

static bool cond_undefined(const struct ground_run *g, const struct cond *c)
{
    return c != NULL && (uses_undefined(g, c->a) || uses_undefined(g, c->b) ||
                         cond_undefined(g, c->l) || cond_undefined(g, c->r));
}

static bool pat_undefined(const struct ground_run *g, uint32_t i)
{
    const struct pat *p = &g->r->pats[i];
    for (uint32_t k = 0; k < p->n_attrs; k++)
        for (uint32_t j = 0; j < N_ATTRS; j++)
            if (uses_undefined(g, p->attrs[k].v[j]))
                return true;
    for (uint32_t k = 0; k < p->n_sizes; k++)
        if (uses_undefined(g, p->sizes[k].size))
            return true;
    if (uses_undefined(g, p->value) || uses_undefined(g, p->feature_groups) ||
        uses_undefined(g, p->batch_groups))
        return true;
    for (uint32_t k = 0; k < p->n_args; k++)
        if (pat_undefined(g, p->args[k]))
            return true;
    return false;
}

// False: a value overflows.  A division by zero only marks the map: it makes
// the side undefined that uses it.
static bool compute_lets(struct ground_run *g)
{
    struct instance *in = g->in;
    for (uint32_t m = 0; m < g->r->n_maps; m++) {
        const struct map *def = &g->r->maps[m];
        if (def->def == NULL || def->index)
            continue;
        g->undefined[m] = uses_undefined(g, def->def);
        for (uint32_t i = 0; !g->undefined[m] && i < in->rank[def->cls]; i++) {
            if (instance_iexp(in, def->def, def->cls, i, &in->map[m][i]))
                continue;
            if (!divides_by_zero(in, def->def, def->cls, i))
                return err_set(g->e, ERR_LIMIT, "%s overflows", def->name);
            g->undefined[m] = true;
        }
    }
    return true;
}

static struct order ground_order(struct ground_run *g, uint32_t n,
                                 const struct axis_size *sizes)
{
    struct order o = instance_axes(g->in, n, sizes);
    for (uint32_t i = o.n; g->shuffle != NULL && i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(g->shuffle, i), swap = o.axis[i - 1];
        o.axis[i - 1] = o.axis[k];
        o.axis[k] = swap;
    }
    return o;
}

static bool parameter(struct ground_run *g, uint32_t index, enum elem elem,
                      uint32_t rank, const int64_t *dims, term_id *out)
{
    int64_t attr[2] = {0, (int64_t)index};
    type_id type;
    return type_tensor(g->t->pool, elem, rank, dims, &type, g->e) &&
           term_build(g->t, OP_PARAMETER, attr_make(g->t->pool, 2, attr), type,
                      0, NULL, out, g->e);
}

static bool make_indices(struct ground_run *g)
{
    struct instance *in = g->in;
    for (uint32_t m = 0; m < g->r->n_maps; m++) {
        for (uint32_t i = 0;
             in->index[m] != NULL && i < in->rank[g->r->maps[m].cls]; i++) {
            type_id type;
            int64_t k = in->map[m][i];
            if (!elem_has_int(in->index_elem, k))
                return err_set(g->e, ERR_LIMIT, "%s is no value of %s",
                               g->r->maps[m].name, elem_text(in->index_elem));
            if (!type_tensor(g->t->pool, in->index_elem, 0, NULL, &type, g->e))
                return false;
            in->index[m][i] = term_constant(
                g->t,
                literal_splat(g->t->pool, in->index_elem,
                              scalar_of_int(in->index_elem, k)),
                type);
        }
    }
    return instance_index_fits(in, g->e);
}

static bool make_operands(struct ground_run *g)
{
    struct instance *in = g->in;
    for (uint32_t i = 0; i < g->r->n_tensors; i++) {
        const struct tensor_var *v = &g->r->tensors[i];
        struct order o = ground_order(g, v->n_sizes, v->sizes);
        int64_t dims[MAX_RANK];
        if (o.n > MAX_RANK)
            return err_set(g->e, ERR_LIMIT, "rank %u is over %d", o.n,
                           MAX_RANK);
        for (uint32_t k = 0; k < o.n; k++)
            if (!instance_size(in, v->n_sizes, v->sizes, o.axis[k], &dims[k]) ||
                dims[k] < 0)
                return err_set(g->e, ERR_INPUT, "%s has no such size", v->name);
        for (uint32_t k = 0; k < v->n_sizes; k++)
            if (uses_undefined(g, v->sizes[k].size))
                return err_set(g->e, ERR_INPUT, "a size of %s is undefined",
                               v->name);
        in->order[i] = o;
        if (!parameter(g, i, in->elem[v->type], o.n, dims, &in->tensor[i]))
            return false;
    }
    for (uint32_t i = 0; i < g->r->n_scalars; i++)
        if (!parameter(g, g->r->n_tensors + i, in->elem[g->r->scalars[i].type],
                       0, NULL, &in->scalar[i]))
            return false;
    return true;
}

static bool preconditions(struct ground_run *g, term_id *elem_cond)
{
    struct builder b = builder_plain(g->t);
    uint32_t which = 0;
    for (uint32_t w = 0; w < g->r->n_wheres; w++)
        if (cond_undefined(g, g->r->wheres[w].cond))
            return false;
    if (!instance_where(g->in, &which))
        return false;
    for (uint32_t w = 0; w < g->r->n_wheres; w++) {
        const struct where *wh = &g->r->wheres[w];
        term_id cond = NO_TERM;
        if (wh->cond == NULL) {
            const struct pat *p = &g->r->pats[wh->pat];
            struct order o = ground_order(g, p->n_sizes, p->sizes);
            instance_orient(g->in, wh->pat, &o);
            if (pat_undefined(g, wh->pat) ||
                !instance_build_as(g->in, wh->pat, &o, &b, &cond, g->e))
                return false;
        }
        if (elem_cond != NULL)
            elem_cond[w] = cond;
    }
    return true;
}

static enum ground_status ground_sides(struct ground_run *g, term_id *lhs,
                                       term_id *rhs)
{
    struct builder b = builder_plain(g->t);
    const struct rule *r = g->r;
    struct instance *in = g->in;
    const struct pat *p = &r->pats[r->lhs];
    struct order wanted = ground_order(g, p->n_sizes, p->sizes);
    if (g->shuffle != NULL)
        instance_shuffle(in, r->lhs, &wanted, g->shuffle);
    else
        instance_orient(in, r->lhs, &wanted);
    if (pat_undefined(g, r->lhs))
        return GROUND_LHS_INVALID;
    if (!instance_build(in, r->lhs, &b, lhs, g->e))
        return g->e->kind == ERR_LIMIT ? GROUND_PRE_FALSE : GROUND_LHS_INVALID;
    instance_orient(in, r->rhs, &in->pat[r->lhs].out);
    if (pat_undefined(g, r->rhs)) {
        err_set(g->e, ERR_INPUT, "a value divides by zero");
        return GROUND_RHS_INVALID;
    }
    if (!instance_build_as(in, r->rhs, &in->pat[r->lhs].out, &b, rhs, g->e))
        return g->e->kind == ERR_LIMIT ? GROUND_PRE_FALSE : GROUND_RHS_INVALID;
    bool same = term_type(g->t, *lhs).v == term_type(g->t, *rhs).v;
    return same ? GROUND_OK : GROUND_TYPE_DIFFERS;
}

static bool ranks_hold(const struct rule *r, const uint32_t *rank)
{
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (rank[c] < r->classes[c].least_rank || rank[c] > MAX_RANK ||
            (r->classes[c].single && rank[c] != 1) ||
            rank[c] != rank[r->classes[c].like])
            return false;
    return true;
}

enum ground_status rule_ground(const struct rule *r, const struct ground *g,
                               struct terms *t, struct rng *shuffle,
                               struct arena *mem, struct instance **inst,
                               term_id *lhs, term_id *rhs, term_id *elem_cond,
                               struct err *e)
{
    *lhs = *rhs = NO_TERM;
    if (inst != NULL)
        *inst = NULL;
    if (!ranks_hold(r, g->rank))
        return GROUND_PRE_FALSE;
    struct instance *in = instance_new(r, g->rank, mem);
    struct err own = {0};
    struct ground_run w = {r, in, t, shuffle, NULL, e != NULL ? e : &own};
    w.undefined = ARENA_NEW(mem, bool, r->n_maps);
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t i = 0;
             r->maps[m].def == NULL && i < g->rank[r->maps[m].cls]; i++)
            in->map[m][i] = g->map[m][i];
    for (uint32_t i = 0; i < r->n_types; i++)
        in->elem[i] = g->elem[i];
    for (uint32_t i = 0; i < r->n_opvars; i++)
        in->op[i] = g->op[i];
    if (g->index_elem != ELEM_OTHER)
        in->index_elem = g->index_elem;
    if (inst != NULL)
        *inst = in;
    if (!instance_wider(in, w.e) || !compute_lets(&w) || !make_operands(&w) ||
        !make_indices(&w) || !preconditions(&w, elem_cond))
        return GROUND_PRE_FALSE;
    return ground_sides(&w, lhs, rhs);
}
