// SPDX-License-Identifier: Apache-2.0
// New nodes enter the lists of their classes and operators.
#include "egraph/core/tables.h"

void cc_clear_marks(struct cc *g)
{
    const uint8_t keep = (uint8_t)~CC_EVENTS;
    for (uint32_t i = 0; i < g->eventful.len; i++) {
        struct cc_op *o = &g->op.at[g->eventful.at[i]];
        for (uint32_t k = o->round_events; k < o->events.len; k++)
            g->mark.at[o->events.at[k]] &= keep;
        if (o->events.len > 64 + o->all.len) {
            o->event_base += o->events.len;
            vec_clear(&o->events);
        }
        o->round_events = o->events.len;
    }
    vec_clear(&g->eventful);
}

static inline void add_place(struct cc *g, uint32_t cls, uint32_t place,
                             uint32_t use)
{
    struct eclass *k = &g->class_.at[cls];
    *cc_place_link(g, place) = k->parents;
    k->parents = place;
    k->n_parents++;
    k->uses |= use;
}

void cc_add_places(struct cc *g, uint32_t node)
{
    const struct enode *n = &g->node.at[node];
    uint32_t arity = cc_arity(g, node), op = n->op & CC_OP;
    if (arity > 2) {
        for (uint32_t i = 0; i < arity; i++)
            add_place(g, g->wide.at[n->a + i], CC_WIDE | (n->a + i),
                      cc_use_bit(op, i));
        return;
    }
    for (uint32_t i = 0; i < arity; i++) {
        struct eclass *k = &g->class_.at[i == 0 ? n->a : n->b];
        g->edge.at[2 * node + i] = k->parents;
        k->parents = 2 * node + i;
        k->n_parents++;
        k->uses |= cc_use_bit(op, i);
    }
}

static void enter(struct cc *g, uint32_t node)
{
    struct enode *n = &g->node.at[node];
    struct eclass *k = &g->class_.at[g->cls.at[node]];
    if (n->op & CC_DEAD) { // from birth
        g->next.at[node] = node;
        return;
    }
    if (k->member == CC_NONE) {
        g->next.at[node] = node;
        k->member = node;
    } else {
        g->next.at[node] = g->next.at[k->member];
        g->next.at[k->member] = node;
    }
    k->n_nodes += !(n->op & CC_HIDDEN);
    k->ops |= cc_op_bit(n->op & CC_OP);
    vec_push(&g->op.at[n->op & CC_OP].all, node);
    if (n->op & CC_HIDDEN)
        vec_push(&g->killed, node);
    cc_add_places(g, node);
}

static void prefetch_classes(const struct cc *g, uint32_t node)
{
    const struct enode *n = &g->node.at[node];
    __builtin_prefetch(&g->class_.at[g->cls.at[node]]);
    if (cc_arity(g, node) > 2)
        return;
    __builtin_prefetch(&g->class_.at[n->a]);
    __builtin_prefetch(&g->class_.at[n->b]);
}

void cc_enter_new(struct cc *g)
{
    uint32_t n = g->node.len;
    if (cc_full(g, 0, 0))
        BUG("an e-graph of %u nodes", n);
    vec_reserve(&g->next, n);
    vec_reserve(&g->edge, 2 * n);
    vec_reserve(&g->mark, n);
    if (n > g->mark.len)
        memset(g->mark.at + g->mark.len, 0, n - g->mark.len);
    g->next.len = g->mark.len = n;
    g->edge.len = 2 * n;
    uint32_t w = g->wide_next.len;
    vec_reserve(&g->wide_next, g->wide.len);
    vec_reserve(&g->wide_node, g->wide.len);
    g->wide_next.len = g->wide_node.len = g->wide.len;
    for (uint32_t i = g->n_entered; i < n; i++) {
        if (i + 16 < n)
            prefetch_classes(g, i + 16);
        if (w < g->wide.len && cc_arity(g, i) > 2)
            for (uint32_t k = 0; k < g->node.at[i].b; k++)
                g->wide_node.at[w++] = i;
        enter(g, i);
    }
    g->n_entered = n;
}
