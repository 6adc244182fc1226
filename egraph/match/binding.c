// SPDX-License-Identifier: Apache-2.0
// The instance of a match whose axes have their classes and places.
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/axes.h"
#include "rules/instance/regroup.h"

static void set_ranks(const struct match_axes *x, uint32_t *rank)
{
    for (uint32_t c = 0; c < x->r->n_classes; c++) {
        uint32_t family = x->r->classes[c].like;
        rank[c] = x->v->empty >> c & 1 ? 0 : axes_least_rank(x, family);
        for (uint32_t f = 0; f < x->v->n_parts; f++)
            if (x->v->parts[f].family == family)
                rank[c] = x->count[f];
    }
}

// The element type of all starts; false: they have several.
static bool set_index_elem(struct match_axes *x, struct instance *in)
{
    const struct terms *t = x->m->g->terms;
    in->index_elem = ELEM_I32; // where no start is matched
    bool any = false;
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        if (p->kind != PAT_OP ||
            (p->op != OP_DYNAMIC_SLICE && p->op != OP_DYNAMIC_UPDATE_SLICE))
            continue;
        term_id start = term_args(t, x->m->node[i])[p->n_args];
        enum elem e = type_elem(x->pool, term_type(t, start));
        if (any && e != in->index_elem)
            return false;
        in->index_elem = e;
        any = true;
    }
    return true;
}

static bool is_index(const struct rule *r, uint32_t m)
{
    return r->maps[m].index && r->maps[m].def == NULL;
}

static term_id operand(struct matcher *m, class_id c);

static bool set_maps(struct match_axes *x, struct instance *in)
{
    for (uint32_t f = 0; f < x->r->n_classes; f++) {
        if (x->r->classes[f].like != f)
            continue;
        for (uint32_t j = 0; j < in->rank[f]; j++) {
            if (!axes_place_fits(x, f, j, NULL))
                return false;
            for (uint32_t m = 0; m < x->r->n_maps; m++) {
                if (x->r->classes[x->r->maps[m].cls].like != f)
                    continue;
                if (!is_index(x->r, m)) {
                    in->map[m][j] = x->values.value[m];
                    continue;
                }
                if (x->values.known[m])
                    in->index[m][j] =
                        operand(x->m, (class_id){x->values.start[m]});
                else if (x->m->q->pattern->used[m])
                    return false;
            }
            for (uint32_t m = 0; m < x->r->n_maps; m++)
                if (x->r->classes[x->r->maps[m].cls].like == f &&
                    !x->values.known[m] && x->r->maps[m].def == NULL &&
                    x->m->q->pattern->used[m])
                    return false;
        }
    }
    return true;
}

static uint32_t axis_of(struct match_axes *x, const struct instance *in, uint32_t dim)
{
    uint32_t q = axes_root(x->up, dim), top = axes_root(x->sup, q);
    for (uint32_t k = 0; k < x->n_groups; k++)
        if (x->group[k].first == top)
            return in->class_axes[x->label[q]][x->group[k].place];
    return NONE;
}

// The order in which the parent of matched node i sees its dimensions, or that
// of the e-node itself.
static struct order node_order(struct match_axes *x, const struct instance *in,
                               uint32_t i, bool seen)
{
    struct order o = {axes_count(x, i), NULL};
    o.axis = ARENA_NEW(in->mem, uint32_t, o.n);
    for (uint32_t d = 0; d < o.n; d++)
        o.axis[d] = axis_of(x, in, seen ? axes_seen(x, i, d) : x->base[i] + d);
    return o;
}

static void set_places(struct match_axes *x, struct instance *in)
{
    for (uint32_t i = 0; i <= x->m->q->pattern->root; i++) {
        uint32_t to = x->v->rep[i];
        if (to == NONE)
            continue;
        in->pat[i].out = node_order(x, in, to, to != i);
        for (uint32_t k = 0; k < x->r->pats[i].n_args; k++) {
            uint32_t a = x->v->rep[x->r->pats[i].args[k]];
            if (a != NONE)
                in->pat[i].in[k] = node_order(x, in, a, true);
        }
    }
}

// The term of a class that a variable stands for: the oldest, or where rules
// need finite elements one that is known to be finite.
static term_id operand(struct matcher *m, class_id c)
{
    term_id best = class_term(m->g, c);
    if (m->q->float_mode != DOMAIN_REAL ||
        finite_term(m->q->finite, m->g->terms, best))
        return best;
    for (term_id n = class_first(m->g, c); n.v != NO_TERM.v;
         n = class_next(m->g, c, n))
        if (finite_term(m->q->finite, m->g->terms, n))
            return n;
    return best;
}

static bool set_operands(struct match_axes *x, struct instance *in)
{
    struct matcher *m = x->m;
    for (uint32_t t = 0; t < x->r->n_types; t++)
        in->elem[t] = m->elem[t] == ELEM_OTHER ? ELEM_I1 : m->elem[t];
    for (uint32_t k = 0; k < x->r->n_opvars; k++)
        in->op[k] = m->op[k];
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        if (p->kind != PAT_TENSOR)
            continue;
        in->tensor[p->var] = operand(m, m->home[i]);
        in->order[p->var] = node_order(x, in, i, false);
    }
    // A scalar of a deleted pad may be anything.
    for (uint32_t k = 0; k < x->r->n_scalars; k++) {
        struct pool *pool = m->g->terms->pool;
        enum elem t = in->elem[x->r->scalars[k].type];
        struct err e = {0};
        type_id type;
        lit_id lit = m->scalar[k].is
                         ? m->scalar[k].lit
                         : literal_splat(pool, t, scalar_of_int(t, 0));
        if (m->scalar[k].is && m->scalar[k].cls.v != NO_CLASS.v)
            in->scalar[k] = operand(m, m->scalar[k].cls);
        else if (type_tensor(pool, t, 0, NULL, &type, &e))
            in->scalar[k] = term_constant(m->g->terms, lit, type);
        else
            return false;
    }
    return true;
}

// Literals that were matched before their operator was known.
static bool literals_fit(const struct match_axes *x, const struct instance *in)
{
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        struct scalar want;
        struct err e = {0};
        if (p->kind != PAT_LITERAL || x->m->lit[i].v == NO_LIT.v)
            continue;
        enum elem t = in->elem[p->type];
        int64_t k;
        bool fits = p->lit != LIT_VALUE
                        ? pat_literal(x->r, p, t, in->op, &want, &e)
                        : instance_iexp(in, p->value, NONE, 0, &k) &&
                              elem_has_int(t, k);
        if (fits && p->lit == LIT_VALUE)
            want = scalar_of_int(t, k);
        if (!fits ||
            !scalar_same(t, want, literal_get(x->pool, x->m->lit[i], 0)))
            return false;
    }
    return true;
}

static void use_constant(struct egraph *g, term_id *t)
{
    if (!egraph_known(g, *t)) // a scalar that was made as a constant
        return;
    term_id c = class_constant_term(g, egraph_find(g, *t));
    if (c.v != NO_TERM.v)
        *t = c;
}

// The variables of an element condition stand for the constants that their
// classes equal, in the sides too, so that a checker sees the same condition.
static void use_constants(struct match_axes *x, struct instance *in, uint32_t pat)
{
    const struct pat *p = &x->r->pats[pat];
    if (p->kind == PAT_TENSOR)
        use_constant(x->m->g, &in->tensor[p->var]);
    else if (p->kind == PAT_SCALAR)
        use_constant(x->m->g, &in->scalar[p->var]);
    for (uint32_t k = 0; k < p->n_args; k++)
        use_constants(x, in, p->args[k]);
}

static bool elements_hold(struct match_axes *x, struct instance *in)
{
    for (uint32_t w = 0; w < x->r->n_wheres; w++) {
        if (x->r->wheres[w].cond != NULL)
            continue;
        use_constants(x, in, x->r->wheres[w].pat);
        if (!instance_element_condition(in, x->r->wheres[w].pat,
                                        x->m->g->terms))
            return false;
    }
    return true;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    return hash_u64(v, h);
}

static uint64_t mix_order(uint64_t h, const struct order *o)
{
    h = mix(h, o->n);
    for (uint32_t i = 0; i < o->n; i++)
        h = mix(h, o->axis[i]);
    return h;
}

// Bindings and place; the forms of the nodes in between do not count.
static uint64_t match_key(const struct match_axes *x, const struct instance *in)
{
    const struct rule *r = x->r;
    const struct pattern *p = x->m->q->pattern;
    uint64_t h = mix(x->m->cls[x->v->step[0]].v, p->backward);
    for (uint32_t c = 0; c < r->n_classes; c++)
        h = mix(h, in->rank[c]);
    for (uint32_t m = 0; m < r->n_maps; m++)
        for (uint32_t j = 0; j < in->rank[r->maps[m].cls]; j++)
            h = mix(h, !is_index(r, m)
                           ? (uint64_t)in->map[m][j]
                           : egraph_find(x->m->g, in->index[m][j]).v);
    for (uint32_t t = 0; t < r->n_types; t++)
        h = mix(h, in->elem[t]);
    for (uint32_t k = 0; k < r->n_opvars; k++)
        h = mix(mix(h, in->op[k].op), in->op[k].attr.v);
    for (uint32_t k = 0; k < r->n_tensors; k++)
        h = mix_order(mix(h, egraph_find(x->m->g, in->tensor[k]).v),
                      &in->order[k]);
    for (uint32_t k = 0; k < r->n_scalars; k++)
        h = mix(h, in->scalar[k].v); // may be a constant that is in no class
    return mix_order(h, &in->pat[p->root].out);
}

// Between two reshapes a transpose may change the order of a block's axes: then
// it is no block of both.
static bool blocks_in_order(const struct match_axes *x, const struct instance *in)
{
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        if (p->kind == PAT_OP && p->op == OP_RESHAPE &&
            !reshape_fits(in, p, &in->pat[i].in[0], &in->pat[i].out))
            return false;
    }
    return true;
}

static bool finish(struct match_axes *x, struct instance *in, uint64_t *key)
{
    struct err e = {0};
    uint32_t which;
    if (!set_index_elem(x, in) || !set_maps(x, in) || !set_operands(x, in))
        return false;
    set_places(x, in);
    if (!blocks_in_order(x, in))
        return false;
    *key = match_key(x, in);
    if (match_seen(x->m->q, *key)) {
        x->m->out->known++;
        return false;
    }
    return match_set_add(&x->m->out->keys, *key) && instance_lets(in, &e) &&
           instance_where(in, &which) && instance_wider(in, &e) &&
           instance_index_fits(in, &e) && literals_fit(x, in) &&
           rule_may_fire(x->r, in->elem, x->m->q->float_mode,
                         x->m->q->status) &&
           instance_monoids(in, x->m->q->float_mode, &e) &&
           elements_hold(x, in) &&
           instance_finite(in, x->m->g->terms, x->m->q->finite,
                           x->m->q->float_mode, x->m->q->status);
}

bool axes_instance(struct match_axes *x, uint64_t form)
{
    struct matcher *m = x->m;
    struct arena_mark mark = arena_mark(m->mem);
    uint32_t *rank = ARENA_NEW(x->mem, uint32_t, x->r->n_classes);
    set_ranks(x, rank);
    struct instance *in = instance_new(x->r, rank, m->mem);
    uint64_t key;
    if (!finish(x, in, &key)) {
        arena_reset(m->mem, mark);
        return false;
    }
    struct match found = {in, m->cls[x->v->step[0]], key, form};
    vec_push(&m->out->found, found);
    if (m->out->found.len >= m->q->max_matches)
        m->stop = true;
    return true;
}
