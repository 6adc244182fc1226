// SPDX-License-Identifier: Apache-2.0
// Closing the graph.  Four things are done in this order, so that each sees the
// work of those before it done:
//   congruence  (cc_rebuild, which also tells what classes merged)
//   layouts     transposes to compose, for the orbit table
//   nodes       new ones, and some again: layout laws, orbit, folding
//   touched     classes that learned something: their parents again
#include "egraph/program/constants.h"
#include "egraph/program/core.h"
#include "egraph/program/egraph.h"
#include "egraph/program/orbit.h"

#include <stdlib.h>

// How many broadcasts of one class are fused with each broadcast or transpose
// above it.  More would repeat what the equal ones already say.
enum { FUSE_FAN = 8 };

struct rebuild {
    struct egraph *g;
    uint32_t next_layout, next_again;
    uint32_t ticks;
    bool full; // no more folding and fusing; the closure itself goes on
    struct u32_vec scratch;
};

// `m` is congruent to `n` (or n itself) and equals what the law makes of it.
static void apply(struct egraph *g, term_id n, term_id m, enum layout_kind kind)
{
    term_id r;
    if (!layout_rewrite(g->terms, m, kind, &r) ||
        (egraph_known(g, r) && egraph_same(g, n, r)))
        return;
    egraph_add_term(g, m);
    egraph_add_term(g, r);
    egraph_join(g, m, r, (struct reason){REASON_LAYOUT, kind, 0});
}

static term_id transpose_of(struct egraph *g, term_id x, attr_id p)
{
    term_id out;
    struct err e = {0};
    if (!term_build(g->terms, OP_TRANSPOSE, p, NO_TYPE, 1, &x, &out, &e))
        BUG("transpose of a term in the graph: %s", e.msg);
    return out;
}

static bool find_transpose(struct egraph *g, term_id x, attr_id p, term_id *out)
{
    const struct pool *pool = g->terms->pool;
    for (uint32_t i = parent_first(g, egraph_find(g, x)); i != CC_NONE;
         i = parent_next(g, i)) {
        uint32_t node = cc_place_node(&g->cc, i);
        term_id t = node_term(g, node);
        const struct term *m = term_at(g->terms, t);
        if (!node_live(g, node))
            continue;
        if (m->op == OP_TRANSPOSE && perm_normal(pool, m->attr).v == p.v) {
            *out = t;
            return true;
        }
    }
    return false;
}

// transpose(transpose(x, p), q) = transpose(x, r), unless all three are there.
static void do_layout(struct egraph *g, struct layout_task k)
{
    attr_id r = perm_compose(g->terms->pool, k.p, k.q);
    term_id in, over, to = k.x;
    term_id inner = transpose_of(g, k.x, k.p);
    type_id in_type = term_type(g->terms, inner);
    term_id outer = transpose_of(g, inner, k.q);
    type_id type = term_type(g->terms, outer);
    if (egraph_lookup(g, OP_TRANSPOSE, k.p, in_type, 1, &k.x, &in) &&
        egraph_lookup(g, OP_TRANSPOSE, k.q, type, 1, &in, &over) &&
        (r.v == NO_ATTR.v ||
         egraph_lookup(g, OP_TRANSPOSE, r, type, 1, &k.x, &to)) &&
        egraph_same(g, over, to))
        return;
    egraph_add_term(g, outer);
    apply(g, outer, outer, LAYOUT_COMPOSE);
}

static uint32_t broadcasts(struct egraph *g, class_id c, term_id *out)
{
    uint32_t n = 0;
    if (egraph_class(g, c)->n_broadcast == 0)
        return 0;
    for (term_id t = class_first(g, c); t.v != NO_TERM.v && n < FUSE_FAN;
         t = class_next(g, c, t))
        if (term_op(g->terms, t) == OP_BROADCAST_IN_DIM)
            out[n++] = t;
    return n;
}

// The same node over another term of its operand's class.
static void fuse_with(struct egraph *g, term_id node, term_id operand)
{
    struct term m = *term_at(g->terms, node);
    term_id over =
        term_make(g->terms, (enum op)m.op, m.attr, m.type, 1, &operand);
    apply(g, node, over, LAYOUT_FUSE);
}

static void fuse(struct egraph *g, term_id node)
{
    term_id inner[FUSE_FAN], turned;
    class_id c = egraph_find(g, term_args(g->terms, node)[0]);
    uint32_t n = broadcasts(g, c, inner);
    for (uint32_t i = 0; i < n; i++)
        fuse_with(g, node, inner[i]);
    const struct class_data *d = egraph_class(g, class_find(g, c));
    if (term_op(g->terms, node) == OP_BROADCAST_IN_DIM &&
        d->perm.v != NO_ATTR.v &&
        find_transpose(g, node_term(g, d->leader), d->perm, &turned))
        fuse_with(g, node, turned);
}

static void relate_transpose(struct egraph *g, term_id node)
{
    const struct term *m = term_at(g->terms, node);
    attr_id q = perm_normal(g->terms->pool, m->attr);
    if (q.v == NO_ATTR.v) {
        apply(g, node, node, LAYOUT_IDENTITY);
        return;
    }
    class_id from = egraph_find(g, term_args(g->terms, node)[0]);
    const struct class_data *d = egraph_class(g, from);
    if (d->perm.v != NO_ATTR.v)
        vec_push(&g->layouts,
                 ((struct layout_task){node_term(g, d->leader), d->perm, q}));
    orbit_relate(g, from, egraph_find(g, node), q);
}

// reduce(x, init) over no dims, where init's class has a constant.
static void drop_reduce(struct egraph *g, term_id node)
{
    struct term m = *term_at(g->terms, node);
    if (m.n_args != 2 || attr_len(g->terms->pool, m.attr) != 1)
        return;
    const term_id *args = term_args(g->terms, node);
    term_id with[2] = {args[0],
                       class_constant_term(g, egraph_find(g, args[1]))};
    if (with[1].v == NO_TERM.v)
        return;
    term_id over = term_make(g->terms, OP_REDUCE, m.attr, m.type, 2, with);
    apply(g, node, over, LAYOUT_NOOP);
}

static void learn(struct rebuild *r, term_id node)
{
    struct egraph *g = r->g;
    if (!egraph_live(g, node))
        return;
    switch (term_op(g->terms, node)) {
    case OP_TRANSPOSE:
        relate_transpose(g, node);
        if (!r->full)
            fuse(g, node);
        break;
    case OP_BROADCAST_IN_DIM:
        apply(g, node, node, LAYOUT_NOOP);
        apply(g, node, node, LAYOUT_PERMUTE);
        if (!r->full)
            fuse(g, node);
        break;
    case OP_REDUCE:
        drop_reduce(g, node);
        break;
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_CONVERT:
        apply(g, node, node, LAYOUT_NOOP);
        break;
    case OP_GATHER:
    case OP_SCATTER:
        apply(g, node, node, LAYOUT_SINGLE);
        break;
    default:
        break;
    }
    if (!r->full && egraph_live(g, node))
        analysis_fold(g, node);
}

void egraph_stir(struct egraph *g, uint32_t cls)
{
    const struct eclass *k = &g->cc.class_.at[cls];
    uint32_t m = k->member;
    if (m == CC_NONE) // it came in this very step
        return;
    do {
        g->node.at[m].news = g->round & NEWS_MASK;
        m = g->cc.next.at[m];
    } while (m != k->member);
    for (uint32_t p = k->parents; p != CC_NONE; p = parent_next(g, p))
        g->node.at[cc_place_node(&g->cc, p)].news = g->round & NEWS_MASK;
}

// Two classes merged.
static unsigned joined(void *ctx, struct cc *cc, uint32_t keep, uint32_t lose)
{
    struct egraph *g = ctx;
    if (cc->class_.at[lose].member == CC_NONE)
        return 0; // a term that joins its twin
    class_id k = {keep}, l = {lose};
    if (egraph_class(g, k)->leader == egraph_class(g, l)->leader)
        egraph_stir(g, lose); // else orbit_relate does, the smaller orbit
    orbit_relate(g, k, l, NO_ATTR);
    orbit_absorb(g, k, l);
    analysis_merge(g, k, l);
    struct class_data *d = egraph_class(g, k);
    uint32_t oldest = egraph_class(g, l)->oldest;
    d->oldest = oldest < d->oldest ? oldest : d->oldest;
    d->changed = g->round;
    return 0;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_unique(struct u32_vec *v)
{
    if (v->len > 1)
        qsort(v->at, v->len, sizeof v->at[0], by_id);
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->len; i++)
        if (n == 0 || v->at[n - 1] != v->at[i])
            v->at[n++] = v->at[i];
    v->len = n;
}

// The parents of all touched classes are looked at again: those that a law or
// folding may concern.
static void do_touched(struct rebuild *r)
{
    struct egraph *g = r->g;
    struct u32_vec *v = &r->scratch;
    vec_clear(v);
    for (uint32_t i = 0; i < g->touched.len; i++)
        vec_push(v, cc_find(&g->cc, g->touched.at[i]));
    vec_clear(&g->touched);
    sort_unique(v);
    for (uint32_t i = 0; i < v->len; i++) {
        class_id c = {v->at[i]};
        bool constant = egraph_class(g, c)->constant.v != NO_TERM.v;
        uint32_t last = NO_NODE;
        for (uint32_t k = parent_first(g, c); k != CC_NONE;
             k = parent_next(g, k)) {
            uint32_t node = cc_place_node(&g->cc, k);
            enum op op = term_op(g->terms, node_term(g, node));
            if (node != last &&
                (constant || op == OP_BROADCAST_IN_DIM || op == OP_TRANSPOSE))
                vec_push(&g->again, node);
            last = node;
        }
    }
}

// The next node to look at, or NO_NODE.
static uint32_t next_node(struct rebuild *r)
{
    struct egraph *g = r->g;
    if (r->next_again < g->again.len)
        return g->again.at[r->next_again++];
    r->next_again = g->again.len = 0;
    return g->n_seen < g->node.len ? g->n_seen++ : NO_NODE;
}

static bool step(struct rebuild *r)
{
    struct egraph *g = r->g;
    if (!g->cc.closed) {
        cc_rebuild(&g->cc);
        return true;
    }
    if (r->next_layout < g->layouts.len) {
        struct layout_task k = g->layouts.at[r->next_layout++];
        do_layout(g, k);
        return true;
    }
    uint32_t node = next_node(r);
    if (node != NO_NODE) {
        learn(r, node_term(g, node));
        bool ask = (++r->ticks & 255) == 0;
        r->full = r->full || egraph_has_nodes(g) || (ask && egraph_full(g));
        return true;
    }
    if (g->touched.len == 0)
        return false;
    do_touched(r);
    return true;
}

void egraph_rebuild(struct egraph *g)
{
    struct rebuild r = {.g = g, .full = egraph_full(g)};
    g->cc.analysis = (struct cc_analysis){.ctx = g, .join = joined};
    while (step(&r))
        ;
    vec_clear(&g->layouts);
    vec_release(&r.scratch);
    g->round++;
    g->closed = true;
}
