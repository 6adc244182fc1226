// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/orbit.h"

#include "egraph/program/core.h"

struct orbit_place orbit_find(struct egraph *g, class_id c)
{
    const struct class_data *d = egraph_class(g, class_find(g, c));
    return (struct orbit_place){class_find(g, (class_id){d->leader}), d->perm};
}

bool orbit_relation(struct egraph *g, class_id a, class_id b, attr_id *perm)
{
    struct orbit_place p = orbit_find(g, a), q = orbit_find(g, b);
    if (p.leader.v != q.leader.v)
        return false;
    struct pool *pool = g->terms->pool;
    *perm = perm_compose(pool, perm_inverse(pool, p.perm), q.perm);
    return true;
}

class_id orbit_next(const struct egraph *g, class_id c, class_id m)
{
    uint32_t next = g->class_.at[m.v].orbit_next;
    return next == c.v ? NO_CLASS : (class_id){next};
}

uint32_t orbit_count(struct egraph *g, class_id c)
{
    return g->class_.at[egraph_class(g, c)->leader].orbit_size;
}

void orbit_start(struct egraph *g, class_id c)
{
    struct class_data *d = egraph_class(g, c);
    d->leader = c.v;
    d->perm = NO_ATTR;
    d->orbit_next = d->orbit_prev = c.v;
    d->orbit_size = 1;
}

static void push_task(struct egraph *g, uint32_t x, attr_id p, attr_id q)
{
    if (p.v != NO_ATTR.v && q.v != NO_ATTR.v)
        vec_push(&g->layouts, ((struct layout_task){node_term(g, x), p, q}));
}

// Hangs the orbit of class c, whose leader is x, below the leader y, where one
// class is known to contain both transpose(x, p) and transpose(y, q).  Then
// x = transpose(transpose(x, p), p^-1) = transpose(transpose(y, q), p^-1)
//   = transpose(y, s), and m = transpose(transpose(y, s), m's own perm).
static void relabel(struct egraph *g, class_id c, attr_id p, uint32_t y,
                    attr_id q)
{
    struct pool *pool = g->terms->pool;
    uint32_t x = egraph_class(g, c)->leader;
    attr_id back = perm_inverse(pool, p), s = perm_compose(pool, q, back);
    push_task(g, x, p, back);
    push_task(g, y, q, back);
    for (class_id m = c; m.v != NO_CLASS.v; m = orbit_next(g, c, m)) {
        struct class_data *d = egraph_class(g, m);
        push_task(g, y, s, d->perm);
        attr_id now = perm_compose(pool, s, d->perm);
        egraph_stir(g, m.v);
        if (now.v != d->perm.v)
            vec_push(&g->touched, m.v);
        d->leader = y;
        d->perm = now;
    }
    g->class_.at[y].orbit_size += g->class_.at[x].orbit_size;
    g->class_.at[x].orbit_size = 0;
}

static void ring_join(struct egraph *g, class_id a, class_id b)
{
    struct class_data *c = g->class_.at;
    uint32_t a_end = c[a.v].orbit_prev, b_end = c[b.v].orbit_prev;
    c[a_end].orbit_next = b.v;
    c[b.v].orbit_prev = a_end;
    c[b_end].orbit_next = a.v;
    c[a.v].orbit_prev = b_end;
}

void orbit_relate(struct egraph *g, class_id a, class_id b, attr_id perm)
{
    struct class_data *da = egraph_class(g, a), *db = egraph_class(g, b);
    if (da->leader == db->leader)
        return; // known, or a symmetry that the table does not keep
    // The class of b contains transpose(a's leader, p) and transpose(b's
    // leader, q), once the tasks queued so far are done.
    struct pool *pool = g->terms->pool;
    attr_id p = perm_compose(pool, da->perm, perm), q = db->perm;
    uint32_t na = g->class_.at[da->leader].orbit_size;
    uint32_t nb = g->class_.at[db->leader].orbit_size;
    if (na > nb || (na == nb && da->leader < db->leader))
        relabel(g, b, q, da->leader, p);
    else
        relabel(g, a, p, db->leader, q);
    ring_join(g, a, b);
}

void orbit_absorb(struct egraph *g, class_id keep, class_id lose)
{
    struct class_data *k = egraph_class(g, keep), *l = egraph_class(g, lose);
    if (l->perm.v == NO_ATTR.v && k->perm.v != NO_ATTR.v) {
        k->perm = NO_ATTR; // O1: the leader's class went into `keep`
        vec_push(&g->touched, keep.v);
    }
    g->class_.at[l->orbit_prev].orbit_next = l->orbit_next;
    g->class_.at[l->orbit_next].orbit_prev = l->orbit_prev;
    l->orbit_next = l->orbit_prev = lose.v;
    g->class_.at[l->leader].orbit_size--;
}

static bool check_class(const struct egraph *g, uint32_t c, struct err *e)
{
    const struct class_data *d = &g->class_.at[c];
    uint32_t lead = egraph_root(g, d->leader);
    if (g->class_.at[lead].leader != d->leader ||
        g->class_.at[lead].perm.v != NO_ATTR.v)
        return err_set(e, ERR_CHECK, "orbit of class %u: leader breaks O1", c);
    uint32_t n = 0, m = c;
    do {
        const struct class_data *o = &g->class_.at[m];
        if (o->leader != d->leader || egraph_root(g, m) != m ||
            g->class_.at[o->orbit_next].orbit_prev != m)
            return err_set(e, ERR_CHECK, "orbit ring of %u breaks O3", c);
        m = o->orbit_next;
        n++;
    } while (m != c && n <= g->cc.n_classes);
    if (n != g->class_.at[d->leader].orbit_size)
        return err_set(e, ERR_CHECK, "orbit size of %u breaks O3", c);
    if (d->perm.v == NO_ATTR.v)
        return lead == c ||
               err_set(e, ERR_CHECK, "class %u has the leader's perm (O1)", c);
    class_id root = {c};
    for (term_id t = class_first(g, root); t.v != NO_TERM.v;
         t = class_next(g, root, t)) {
        const struct term *x = term_at(g->terms, t);
        if (x->op == OP_TRANSPOSE && x->attr.v == d->perm.v &&
            egraph_root(g, egraph_node(g, term_args(g->terms, t)[0])) == lead)
            return true;
    }
    return err_set(e, ERR_CHECK, "class %u lacks transpose(leader) (O2)", c);
}

bool orbit_check(const struct egraph *g, struct err *e)
{
    for (uint32_t c = 0; c < g->class_.len; c++)
        if (g->cc.up.at[c] == c && !check_class(g, c, e))
            return false;
    return true;
}
