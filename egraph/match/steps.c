// SPDX-License-Identifier: Apache-2.0
// The structure of a match, pattern node by pattern node.
#include "base/clock.h"
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"
#include "egraph/program/orbit.h"
#include "tensor/eval/eval.h"

static void match_step(struct matcher *m, uint32_t s);

static uint64_t form_key(const struct matcher *m)
{
    uint64_t h = hash_u64(m->v->empty, 2);
    for (uint32_t s = 0; s < m->v->n_steps; s++) {
        uint32_t i = m->v->step[s];
        switch (m->r->pats[i].kind) {
        case PAT_LITERAL:
            break; // given by the pattern
        case PAT_SCALAR:
            h = hash_u64(m->cls[i].v, hash_u64(m->lit[i].v, h));
            break;
        case PAT_OP:
        case PAT_OPVAR: // its class may merge with another of the orbit
            h = hash_u64(m->node[i].v, hash_u64(m->home[i].v, h));
            h = hash_u64(m->perm[i].v, h);
            break;
        case PAT_TENSOR:
        case PAT_SPLAT:
        case PAT_RELABEL:
            h = hash_u64(m->home[i].v, hash_u64(m->perm[i].v, h));
            break;
        case PAT_CALL: // in no pattern that runs
            break;
        }
    }
    return h;
}

// Element conditions may come to hold by a constant that is found later.
static bool has_element_condition(const struct rule *r)
{
    for (uint32_t w = 0; w < r->n_wheres; w++)
        if (r->wheres[w].cond == NULL)
            return true;
    return false;
}

static void match_complete(struct matcher *m)
{
    uint64_t form = form_key(m);
    if (match_seen(m->q, form)) {
        m->out->known++;
        return;
    }
    // What is no match stays none while the classes are the same; what has the
    // bindings of another form is found by that one.
    if (!axes_match(m, form) && m->q->seen != NULL &&
        !has_element_condition(m->r))
        match_set_add(m->q->seen, form);
}

void match_next(struct matcher *m, uint32_t s)
{
    if (m->stop)
        return;
    m->out->steps++;
    if (m->out->steps >= m->steps_end ||
        (m->q->deadline > 0 && m->out->steps % 4096 == 0 &&
         clock_wall() > m->q->deadline)) {
        m->stop = true;
        return;
    }
    if (s == m->v->n_steps)
        match_complete(m);
    else
        match_step(m, s);
}

static bool is_tensor_class(const struct matcher *m, class_id c)
{
    return type_is_tensor(m->g->terms->pool, egraph_type(m->g, c));
}

static uint32_t class_rank(const struct matcher *m, class_id c)
{
    return type_rank(m->g->terms->pool, egraph_type(m->g, c));
}

static enum elem class_elem(const struct matcher *m, class_id c)
{
    return type_elem(m->g->terms->pool, egraph_type(m->g, c));
}

static void match_tensor(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s];
    class_id *var = &m->tensor[m->r->pats[i].var];
    bool first = var->v == NO_CLASS.v;
    m->perm[i] = NO_ATTR;
    // The leader stands for the variable: every order in which the orbit has
    // it is there as a transpose of the leader.
    if (first)
        *var = orbit_find(m->g, m->cls[i]).leader;
    if (!orbit_relation(m->g, *var, m->cls[i], &m->perm[i])) {
        if (first)
            *var = NO_CLASS;
        return;
    }
    m->home[i] = *var;
    match_next(m, s + 1);
    if (first)
        *var = NO_CLASS;
}

// A rank-0 operand in its normal form: the constant if it is one.
static struct scalar_bound scalar_of(struct matcher *m, uint32_t i)
{
    struct scalar_bound b = {true, m->cls[i], m->lit[i]};
    if (b.cls.v != NO_CLASS.v)
        b.lit = class_constant(m->g, b.cls);
    if (b.lit.v != NO_LIT.v)
        b.cls = NO_CLASS;
    return b;
}

static void match_scalar(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s];
    struct scalar_bound *var = &m->scalar[m->r->pats[i].var];
    struct scalar_bound b = scalar_of(m, i);
    if (var->is && (var->cls.v != b.cls.v || var->lit.v != b.lit.v))
        return;
    bool first = !var->is;
    *var = b;
    match_next(m, s + 1);
    if (first)
        var->is = false;
}

static void match_literal(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s];
    const struct pat *p = &m->r->pats[i];
    struct scalar_bound b = scalar_of(m, i);
    struct scalar want;
    struct err e = {0};
    if (m->cls[i].v == NO_CLASS.v && b.lit.v == NO_LIT.v) {
        match_next(m, s + 1);
        return;
    }
    if (b.lit.v == NO_LIT.v)
        return;
    // A unit is compared when the operator is known, a value when the maps are
    // (binding.c).
    bool later =
        p->lit == LIT_VALUE ||
        (p->lit == LIT_UNIT && p->opvar != NONE && m->op_uses[p->opvar] == 0);
    if (!later) {
        enum elem t = m->elem[p->type];
        const struct pool *pool = m->g->terms->pool;
        if (!pat_literal(m->r, p, t, m->op, &want, &e) ||
            !scalar_same(t, want, literal_get(pool, b.lit, 0)))
            return;
    }
    m->lit[i] = b.lit;
    match_next(m, s + 1);
}

// Could what pattern node i matches in the class be new?  A leaf is what the
// class is, an operator one of its nodes.
static bool has_hope(const struct matcher *m, uint32_t i, class_id c)
{
    const struct match_index *x = m->q->index;
    uint32_t look = m->v->look[i], lead = x->lead.at[c.v];
    if (look == NONE || m->all)
        return false;
    if (look > x->depth)
        return true;
    switch (m->r->pats[i].kind) {
    case PAT_OP:
    case PAT_OPVAR:
        return x->inner.at[look * x->lead.len + lead] >= m->q->since;
    case PAT_TENSOR:
    case PAT_SCALAR:
    case PAT_LITERAL:
        return x->changed.at[lead] >= m->q->since;
    case PAT_SPLAT:
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    return index_stamp(x, lead, look) >= m->q->since;
}

static bool constant_is_empty(const struct matcher *m, class_id k)
{
    const struct pool *pool = m->g->terms->pool;
    return class_constant(m->g, k).v != NO_LIT.v &&
           type_count(pool, egraph_type(m->g, k)) == 0;
}

// A rank-0 pattern at every index: a splat constant, a broadcast of rank 0, or
// at rank 0 the thing itself.
static void match_splat(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s], a = m->v->rep[m->r->pats[i].args[0]];
    class_id k = m->cls[i], source;
    m->home[i] = k;
    m->lit[a] = NO_LIT;
    m->cls[a] = k;
    if (class_rank(m, k) > 0) {
        lit_id lit = class_splat(m->g, k);
        enum pat_kind kind = m->r->pats[a].kind;
        bool constant =
            lit.v != NO_LIT.v && (kind == PAT_LITERAL || kind == PAT_SCALAR);
        bool empty = constant_is_empty(m, k);
        if (empty && kind == PAT_LITERAL) {
            m->cls[a] = NO_CLASS; // every constant of no element is this one
            m->lit[a] = NO_LIT;
        } else if (empty && kind == PAT_SCALAR) {
            enum elem t = class_elem(m, k);
            m->cls[a] = NO_CLASS;
            m->lit[a] =
                literal_splat(m->g->terms->pool, t, scalar_of_int(t, 0));
        } else if (constant) {
            const struct pool *pool = m->g->terms->pool;
            struct scalar v = literal_get(pool, lit, 0);
            m->cls[a] = NO_CLASS;
            m->lit[a] = literal_splat(m->g->terms->pool, class_elem(m, k), v);
        } else if (class_splat_source(m->g, k, &source)) {
            m->cls[a] = source;
        } else {
            return;
        }
    }
    m->hope[a] = m->cls[a].v != NO_CLASS.v && has_hope(m, a, m->cls[a]);
    m->fresh += m->hope[a];
    match_next(m, s + 1);
    m->fresh -= m->hope[a];
}

// The e-node itself, or an argument that the pattern does not name.
static bool node_is_new(struct matcher *m, uint32_t i, uint32_t node)
{
    const struct egraph *g = m->g;
    const struct match_index *x = m->q->index;
    uint32_t n = cc_arity(&g->cc, node);
    bool news = g->node.at[node].news >= m->q->since;
    for (uint32_t k = m->r->pats[i].n_args; k < n && !news; k++)
        news =
            x->changed.at[x->lead.at[cc_args(&g->cc, node)[k]]] >= m->q->since;
    return news;
}

// The match was found before, whatever is taken below this e-node.
static bool is_stale(struct matcher *m, uint32_t i, uint32_t node)
{
    return !m->all && m->fresh == m->hope[i] &&
           index_news(m->q->index, node, m->v->look[i]) < m->q->since &&
           !node_is_new(m, i, node);
}

// A splat is a constant or a broadcast of rank 0, or at rank 0 anything.
static bool may_be_splat(struct matcher *m, class_id c)
{
    const struct class_data *d = egraph_class(m->g, c);
    return d->constant.v != NO_TERM.v || d->splat.v != NO_TERM.v ||
           (is_tensor_class(m, c) && class_rank(m, c) == 0);
}

// Could the class, or its orbit, have what pattern node i asks for?
static bool may_be(struct matcher *m, uint32_t i, class_id c)
{
    const struct pat *p = &m->r->pats[i];
    const struct match_index *x = m->q->index;
    switch (p->kind) {
    case PAT_OP:
        return (x->ops.at[x->lead.at[c.v]] & op_bit(p->op)) != 0;
    case PAT_OPVAR:
        return (x->ops.at[x->lead.at[c.v]] &
                x->elementwise[m->r->opvars[p->var].n_args & 3]) != 0;
    case PAT_SPLAT:
        return may_be_splat(m, c);
    case PAT_LITERAL:
        return egraph_class(m->g, c)->constant.v != NO_TERM.v;
    case PAT_TENSOR:
    case PAT_SCALAR:
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    return true;
}

static bool has_room(const struct matcher *m, uint32_t node)
{
    const struct measure *by = m->q->index->by;
    for (uint32_t k = 0; k < N_MEASURES; k++)
        if (m->room[k] >= by[k].over.at[node])
            return true;
    return !m->q->bounded;
}

static void take_room(struct matcher *m, uint32_t node, int sign)
{
    const struct measure *by = m->q->index->by;
    for (uint32_t k = 0; k < N_MEASURES; k++)
        m->room[k] -= sign * (int64_t)by[k].over.at[node];
}

// Pattern node i is this e-node, of class `home`.
static void try_node(struct matcher *m, uint32_t s, class_id home, term_id node)
{
    uint32_t i = m->v->step[s], var, before = m->fresh;
    uint32_t e = egraph_node(m->g, node);
    const struct pat *p = &m->r->pats[i];
    if ((p->kind == PAT_OP && term_op(m->g->terms, node) != p->op) ||
        !has_room(m, e) || is_stale(m, i, e) || !node_fits(m, p, node, &var))
        return;
    take_room(m, e, 1);
    m->home[i] = home;
    m->node[i] = node;
    m->fresh = m->fresh - m->hope[i] + node_is_new(m, i, e);
    bool ok = true;
    for (uint32_t k = 0; ok && k < p->n_args; k++) {
        uint32_t a = m->v->rep[p->args[k]];
        m->cls[a] = (class_id){cc_args(&m->g->cc, e)[k]};
        m->lit[a] = NO_LIT;
        ok = may_be(m, a, m->cls[a]);
        m->hope[a] = has_hope(m, a, m->cls[a]);
        m->fresh += m->hope[a];
    }
    if (ok && (m->all || m->fresh > 0))
        match_next(m, s + 1);
    m->fresh = before;
    if (var != NONE)
        m->op_uses[var]--;
    take_room(m, e, -1);
}

static void match_operator(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s];
    class_id k = m->cls[i];
    if (s == m->root_step) {
        m->perm[i] = NO_ATTR;
        try_node(m, s, k, m->node[i]);
        return;
    }
    for (class_id h = k; h.v != NO_CLASS.v && !m->stop;
         h = orbit_next(m->g, k, h)) {
        attr_id perm;
        if (!orbit_relation(m->g, h, k, &perm))
            continue;
        for (term_id n = class_first(m->g, h); n.v != NO_TERM.v && !m->stop;
             n = class_next(m->g, h, n)) {
            m->perm[i] = perm;
            try_node(m, s, h, n);
        }
    }
}

static bool kind_fits(struct matcher *m, uint32_t i, enum elem *elem)
{
    const struct pat *p = &m->r->pats[i];
    if (m->cls[i].v == NO_CLASS.v && m->lit[i].v == NO_LIT.v)
        *elem = m->elem[m->r->pats[m->v->parent[i]].type];
    else if (m->cls[i].v == NO_CLASS.v) {
        *elem = pool_literal(m->g->terms->pool, m->lit[i])->elem;
    } else {
        if (!is_tensor_class(m, m->cls[i]))
            return false;
        *elem = class_elem(m, m->cls[i]);
    }
    return (elem_kind(*elem) & m->r->types[p->type].kinds) &&
           (m->elem[p->type] == ELEM_OTHER || m->elem[p->type] == *elem);
}

static void match_step(struct matcher *m, uint32_t s)
{
    uint32_t i = m->v->step[s];
    const struct pat *p = &m->r->pats[i];
    enum elem elem, before = m->elem[p->type];
    bool rank0 = p->kind == PAT_SCALAR || p->kind == PAT_LITERAL;
    if (!kind_fits(m, i, &elem) ||
        (rank0 && m->cls[i].v != NO_CLASS.v && class_rank(m, m->cls[i]) > 0) ||
        (!rank0 && m->cls[i].v == NO_CLASS.v))
        return;
    m->elem[p->type] = elem;
    m->perm[i] = NO_ATTR;
    switch (p->kind) {
    case PAT_TENSOR:
        match_tensor(m, s);
        break;
    case PAT_SCALAR:
        match_scalar(m, s);
        break;
    case PAT_LITERAL:
        match_literal(m, s);
        break;
    case PAT_SPLAT:
        match_splat(m, s);
        break;
    case PAT_OP:
    case PAT_OPVAR:
        match_operator(m, s);
        break;
    case PAT_RELABEL: {
        uint32_t a = m->v->rep[p->args[0]];
        m->home[i] = m->cls[a] = m->cls[i];
        m->lit[a] = NO_LIT;
        m->hope[a] = m->hope[i];
        match_next(m, s + 1);
        break;
    }
    case PAT_CALL:
        break;
    }
    m->elem[p->type] = before;
}
