// SPDX-License-Identifier: Apache-2.0
// Closing the graph: new nodes enter the lists (cc_enter.c), merged classes get
// one list, the nodes above them are hashed again, and where two become
// congruent their classes are merged in turn.
#include "egraph/core/tables.h"

static void kill_node(struct cc *g, uint32_t node)
{
    struct enode *n = &g->node.at[node];
    if (!(n->op & CC_HIDDEN)) {
        g->n_live--;
        g->class_.at[cc_class(g, node)].n_nodes--;
        vec_push(&g->killed, node);
    }
    n->op |= CC_DEAD;
    g->dead_edges += cc_arity(g, node);
}

// What the argument at this place was, before its first change.
static void log_arg(struct cc *g, uint32_t node, uint32_t i, uint32_t was)
{
    struct u32_vec *log = &g->journal.was;
    uint8_t bit = i == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    uint32_t place = 2 * node + i;
    if (cc_arity(g, node) > 2) {
        place = CC_WIDE | (g->node.at[node].a + i);
        bit = 0;
    } else if (g->mark.at[node] & bit) {
        return;
    }
    g->mark.at[node] |= bit;
    vec_reserve(log, log->len + 2);
    log->at[log->len++] = place;
    log->at[log->len++] = was;
}

// Sets the arguments of a live node that is in no table to their classes.
static void canonical_args(struct cc *g, uint32_t node)
{
    struct enode *n = &g->node.at[node];
    uint32_t arity = cc_arity(g, node);
    uint32_t *args = arity > 2 ? g->wide.at + n->a : &n->a;
    for (uint32_t i = 0; i < arity; i++) {
        uint32_t c = cc_find(g, args[i]);
        if (c == args[i])
            continue;
        if (g->journal.on)
            log_arg(g, node, i, args[i]);
        args[i] = c;
    }
}

static bool is_canonical(struct cc *g, uint32_t node)
{
    uint32_t arity = cc_arity(g, node);
    const uint32_t *args = cc_args(g, node);
    for (uint32_t i = 0; i < arity; i++)
        if (g->up.at[args[i]] != args[i])
            return false;
    return true;
}

// The node, which is in no table, was found to be congruent to the twin, which
// is, under hash h.
static void congruent(struct cc *g, uint32_t node, uint32_t twin, uint64_t h)
{
    uint32_t old = twin < node ? twin : node, young = twin < node ? node : twin;
    if (twin != old) {
        cc_table_remove(g, twin, h);
        cc_table_put(g, node, h);
        cc_event(g, node, CC_REARGED);
    }
    uint32_t hidden = g->node.at[young].op & CC_HIDDEN;
    if (cc_union(g, g->cls.at[old], g->cls.at[young]))
        journal_congruence(&g->journal, old, young);
    kill_node(g, young);
    if (hidden)
        cc_hide(g, old);
}

static void rehash(struct cc *g, uint32_t node)
{
    uint32_t op = g->node.at[node].op & CC_OP;
    const uint32_t *args = cc_args(g, node);
    cc_table_remove(g, node, cc_hash(g, op, args));
    canonical_args(g, node);
    uint64_t h = cc_hash(g, op, args);
    uint32_t twin = cc_lookup_hash(g, h, op, args);
    if (twin == CC_NONE) {
        g->n_rehashed++;
        cc_table_put(g, node, h);
        cc_event(g, node, CC_REARGED);
    } else {
        congruent(g, node, twin, h);
    }
}

// A node with two arguments at most that is to be hashed again: those it has,
// and their classes, as far as is known.
struct rehash_task {
    uint32_t node, arity, a, b, to_a, to_b;
    uint64_t old, next;
};

// False: it stays as it is.
static bool again_set(struct cc *g, struct rehash_task *x, uint32_t node)
{
    const struct enode *n = &g->node.at[node];
    if (n->op & CC_DEAD)
        return false;
    x->node = node;
    x->arity = cc_arity(g, node);
    if (x->arity > 2)
        return !is_canonical(g, node);
    x->a = x->to_a = n->a;
    x->b = x->to_b = n->b;
    if (x->arity > 0)
        x->to_a = cc_find(g, n->a);
    if (x->arity > 1)
        x->to_b = cc_find(g, n->b);
    if (x->a == x->to_a && x->b == x->to_b)
        return false;
    uint32_t op = n->op & CC_OP;
    x->old = cc_hash2(op, x->a, x->b);
    x->next = cc_hash2(op, x->to_a, x->to_b);
    cc_prefetch(g, x->old);
    cc_prefetch(g, x->next);
    return true;
}

static void rehash_narrow(struct cc *g, struct rehash_task *x)
{
    uint32_t node = x->node, op = g->node.at[node].op & CC_OP;
    uint32_t a = cc_find(g, x->to_a), free = 0;
    uint32_t b = x->arity > 1 ? cc_find(g, x->to_b) : x->to_b;
    if (a != x->to_a || b != x->to_b)
        x->next = cc_hash2(op, a, b);
    cc_table_remove(g, node, x->old);
    if (g->journal.on && a != x->a)
        log_arg(g, node, 0, x->a);
    if (g->journal.on && b != x->b)
        log_arg(g, node, 1, x->b);
    g->node.at[node].a = a;
    g->node.at[node].b = b;
    uint32_t twin = cc_lookup2(g, x->next, op, a, b, &free);
    if (twin == CC_NONE) {
        g->n_rehashed++;
        cc_table_set(g, free, x->next, node);
        cc_event(g, node, CC_REARGED);
    } else {
        congruent(g, node, twin, x->next);
    }
}

// In batches, so that the table's memory is asked for before it is needed.
static void rehash_above(struct cc *g)
{
    enum { BATCH = 64 };
    struct rehash_task again[BATCH];
    for (uint32_t at = 0; at < g->above.len; at += BATCH) {
        uint32_t n = g->above.len - at < BATCH ? g->above.len - at : BATCH;
        uint32_t m = 0;
        // A removed node leaves a mark in the table where it was.
        cc_table_reserve(g, n);
        for (uint32_t i = at; i < at + n; i++) {
            if (i + 8 < g->above.len) {
                __builtin_prefetch(&g->node.at[g->above.at[i + 8]]);
                __builtin_prefetch(&g->cls.at[g->above.at[i + 8]]);
            }
            m += again_set(g, &again[m], g->above.at[i]);
        }
        for (uint32_t i = 0; i < m; i++) {
            __builtin_prefetch(&g->class_.at[g->cls.at[again[i].node]]);
            if (again[i].arity <= 2)
                cc_prefetch_node(g, again[i].next);
        }
        for (uint32_t i = 0; i < m; i++) {
            struct rehash_task *x = &again[i];
            const struct enode *e = &g->node.at[x->node];
            if (e->op & CC_DEAD)
                continue;
            // It may have been done, by its other argument.
            if (x->arity <= 2 && e->a == x->a && e->b == x->b)
                rehash_narrow(g, x);
            else if (!is_canonical(g, x->node))
                rehash(g, x->node);
        }
    }
    vec_clear(&g->above);
}

static void join_members(struct cc *g, uint32_t keep, uint32_t lose)
{
    struct eclass *k = &g->class_.at[keep], *l = &g->class_.at[lose];
    if (l->member == CC_NONE)
        return;
    uint32_t m = l->member;
    do {
        g->cls.at[m] = keep;
        if (!(g->node.at[m].op & (CC_DEAD | CC_HIDDEN)))
            cc_event(g, m, CC_MOVED);
        m = g->next.at[m];
    } while (m != l->member);
    if (k->member == CC_NONE) {
        k->member = m;
    } else {
        uint32_t x = g->next.at[k->member];
        g->next.at[k->member] = g->next.at[m];
        g->next.at[m] = x;
    }
    k->n_nodes += l->n_nodes;
    k->n_dead += l->n_dead;
    k->ops |= l->ops;
    l->member = CC_NONE;
}

static void join_parents(struct cc *g, uint32_t lose)
{
    uint32_t first = CC_NONE, last = CC_NONE, n = 0;
    uint32_t p = g->class_.at[lose].parents;
    while (p != CC_NONE) {
        uint32_t next = *cc_place_link(g, p), node = cc_place_node(g, p);
        if (next != CC_NONE)
            __builtin_prefetch(&g->node.at[cc_place_node(g, next)]);
        if (g->node.at[node].op & CC_DEAD) {
            g->dead_edges--;
        } else {
            if (last == CC_NONE)
                first = p;
            else
                *cc_place_link(g, last) = p;
            last = p;
            n++;
            vec_push(&g->above, node);
        }
        p = next;
    }
    if (last == CC_NONE)
        return;
    struct eclass *k = &g->class_.at[cc_find(g, lose)];
    *cc_place_link(g, last) = k->parents;
    k->parents = first;
    k->n_parents += n;
    k->uses |= g->class_.at[lose].uses;
}

static void push_learned(struct cc *g, uint32_t cls)
{
    if (g->untold.len < g->class_.len) {
        vec_reserve(&g->untold, g->class_.len);
        memset(g->untold.at + g->untold.len, 0, g->class_.len - g->untold.len);
        g->untold.len = g->class_.len;
    }
    if (g->untold.at[cls])
        return;
    g->untold.at[cls] = 1;
    vec_push(&g->learned, cls);
}

// Something was learned about a class: its parents are told.
static void learn_above(struct cc *g, uint32_t cls)
{
    struct cc_analysis *a = &g->analysis;
    for (uint32_t p = g->class_.at[cls].parents; p != CC_NONE;
         p = *cc_place_link(g, p)) {
        uint32_t node = cc_place_node(g, p);
        if (g->node.at[node].op & CC_DEAD)
            continue;
        if (a->learn(a->ctx, g, node))
            push_learned(g, cc_class(g, node));
        if (!(g->node.at[node].op & CC_HIDDEN))
            cc_event(g, node, CC_ARG_KNOWS);
    }
}

static void learn_within(struct cc *g, uint32_t cls)
{
    uint32_t first = g->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (!(g->node.at[m].op & (CC_DEAD | CC_HIDDEN)))
            cc_event(g, m, CC_KNOWS);
        m = g->next.at[m];
    } while (m != first);
}

static void join_knowledge(struct cc *g, uint32_t keep, uint32_t lose)
{
    unsigned who = g->analysis.join(g->analysis.ctx, g, keep, lose);
    if (who & CC_KEEP_LEARNED)
        push_learned(g, keep);
    // While the lists are apart, for those of `keep` may be long.
    if ((who & CC_LOSE_LEARNED) ||
        (lose < g->untold.len && g->untold.at[lose])) {
        learn_within(g, lose);
        learn_above(g, lose);
    }
}

// Memory for classes that are joined soon: they themselves, then the first of
// their nodes and of their parents.
static inline void dirty_ahead(const struct cc *g, uint32_t i)
{
    enum { NEAR = 4, FAR = 8 };
    const struct u32_vec *d = &g->dirty;
    if (i + FAR >= d->len)
        return;
    __builtin_prefetch(&g->class_.at[d->at[i + FAR]]);
    __builtin_prefetch(&g->class_.at[g->up.at[d->at[i + FAR]]]);
    const struct eclass *c = &g->class_.at[d->at[i + NEAR]];
    if (c->member != CC_NONE) {
        __builtin_prefetch(&g->node.at[c->member]);
        __builtin_prefetch(&g->next.at[c->member]);
        __builtin_prefetch(&g->cls.at[c->member]);
    }
    if (c->parents != CC_NONE && !(c->parents & CC_WIDE)) {
        __builtin_prefetch(&g->node.at[c->parents >> 1]);
        __builtin_prefetch(&g->edge.at[c->parents]);
    }
}

static void do_dirty(struct cc *g)
{
    while (g->dirty.len > 0) {
        for (uint32_t i = 0; i < g->dirty.len; i++) {
            uint32_t lose = g->dirty.at[i], keep = cc_find(g, lose);
            dirty_ahead(g, i);
            if (g->analysis.join != NULL)
                join_knowledge(g, keep, lose);
            join_members(g, keep, lose);
            join_parents(g, lose);
        }
        vec_clear(&g->dirty);
        rehash_above(g);
    }
}

// Dead and hidden nodes leave the rings, when they are many there.
static void unlink_dead(struct cc *g)
{
    const uint32_t gone = CC_DEAD | CC_HIDDEN;
    for (uint32_t i = 0; i < g->killed.len; i++)
        g->class_.at[g->cls.at[g->killed.at[i]]].n_dead++;
    for (uint32_t i = 0; i < g->killed.len; i++) {
        if (i + 8 < g->killed.len)
            __builtin_prefetch(&g->node.at[g->killed.at[i + 8]]);
        struct eclass *k = &g->class_.at[g->cls.at[g->killed.at[i]]];
        if (k->n_nodes == 0 || k->n_dead == 0 || 4 * k->n_dead < k->n_nodes)
            continue;
        uint32_t stay = k->member;
        while (g->node.at[stay].op & gone)
            stay = g->next.at[stay];
        uint32_t m = stay, ops = 0;
        do {
            uint32_t x = g->next.at[m];
            ops |= cc_op_bit(g->node.at[m].op);
            while (g->node.at[x].op & gone)
                x = g->next.at[x];
            g->next.at[m] = x;
            m = x;
        } while (m != stay);
        k->member = stay;
        k->n_dead = 0;
        k->ops = ops;
    }
    vec_clear(&g->killed);
}

static void compact_parents(struct cc *g)
{
    for (uint32_t i = 0; i < g->class_.len; i++) {
        g->class_.at[i].parents = CC_NONE;
        g->class_.at[i].n_parents = 0;
    }
    for (uint32_t i = 0; i < g->node.len; i++)
        if (!(g->node.at[i].op & CC_DEAD))
            cc_add_places(g, i);
    g->dead_edges = 0;
}

static void do_learned(struct cc *g)
{
    struct cc_analysis *a = &g->analysis;
    while (g->n_learned < g->learned.len && g->dirty.len == 0 &&
           g->n_entered == g->node.len) {
        // A class that was merged since gave its turn to the one it is in: what
        // was learned from it comes later.
        uint32_t c = cc_find(g, g->learned.at[g->n_learned++]);
        if (c >= g->untold.len || !g->untold.at[c])
            continue;
        g->untold.at[c] = 0;
        // First, for the lists are those of c only until it is merged.
        learn_within(g, c);
        learn_above(g, c);
        if (a->modify != NULL)
            a->modify(a->ctx, g, c);
    }
    if (g->n_learned == g->learned.len)
        g->n_learned = g->learned.len = 0;
}

static void enter_and_learn(struct cc *g)
{
    uint32_t first = g->n_entered;
    cc_enter_new(g);
    if (g->analysis.learn != NULL)
        for (uint32_t i = first; i < g->node.len; i++)
            if (g->analysis.learn(g->analysis.ctx, g, i))
                push_learned(g, cc_class(g, i));
}

void cc_rebuild_part(struct cc *g)
{
    if (!g->begun)
        cc_clear_marks(g);
    g->begun = true;
    enter_and_learn(g);
    do_dirty(g);
}

void cc_rebuild(struct cc *g)
{
    if (!g->begun)
        cc_clear_marks(g);
    g->begun = false;
    for (;;) {
        enter_and_learn(g);
        do_dirty(g);
        if (g->learned.len > 0)
            do_learned(g);
        if (g->dirty.len == 0 && g->n_entered == g->node.len &&
            g->learned.len == 0)
            break;
    }
    unlink_dead(g);
    if (g->dead_edges > 64 && g->dead_edges > g->edge.len / 2)
        compact_parents(g);
    g->round++;
    g->closed = true;
}
