// SPDX-License-Identifier: Apache-2.0
// New nodes enter the lists of their classes and operators.
#include "egraph/core/tables.h"

void cc_clear_marks(struct cc *graph)
{
    const uint8_t keep = (uint8_t)~CC_EVENTS;
    for (uint32_t i = 0; i < graph->eventful.len; i++) {
        struct cc_op *op_info = &graph->op.at[graph->eventful.at[i]];
        for (uint32_t k = op_info->round_events; k < op_info->events.len; k++)
            graph->mark.at[op_info->events.at[k]] &= keep;
        if (op_info->events.len > 64 + op_info->all.len) {
            op_info->event_base += op_info->events.len;
            vec_clear(&op_info->events);
        }
        op_info->round_events = op_info->events.len;
    }
    vec_clear(&graph->eventful);
}

static inline void add_place(struct cc *graph, uint32_t cls, uint32_t place, uint32_t use)
{
    struct eclass *class = &graph->class_.at[cls];
    *cc_place_link(graph, place) = class->parents;
    class->parents = place;
    class->n_parents++;
    class->uses |= use;
}

static void add_wide_places(struct cc *graph, uint32_t node)
{
    const struct enode *n = &graph->node.at[node];
    for (uint32_t i = 0; i < n->b; i++)
        add_place(graph, graph->wide.at[n->a + i], CC_WIDE | (n->a + i),
                  cc_use_bit(n->op & CC_OP, i));
}

static inline void add_places(struct cc *graph, uint32_t node, uint32_t op, uint32_t arity)
{
    const struct enode *n = &graph->node.at[node];
    if (arity > 2) {
        add_wide_places(graph, node);
        return;
    }
    if (arity > 0)
        add_place(graph, n->a, 2 * node, cc_use_bit(op, 0));
    if (arity > 1)
        add_place(graph, n->b, 2 * node + 1, cc_use_bit(op, 1));
}

void cc_add_places(struct cc *graph, uint32_t node)
{
    add_places(graph, node, graph->node.at[node].op & CC_OP, cc_arity(graph, node));
}

static inline void enter(struct cc *graph, uint32_t node)
{
    const struct enode n = graph->node.at[node];
    uint32_t *next = graph->next.at, op = n.op & CC_OP;
    struct eclass *class = &graph->class_.at[n.cls];
    struct cc_op *op_info = &graph->op.at[op];
    if (n.op & CC_DEAD) { // from birth
        next[node] = node;
        return;
    }
    if (class->member == CC_NONE) {
        next[node] = node;
        class->member = node;
    } else {
        next[node] = next[class->member];
        next[class->member] = node;
    }
    class->n_nodes += !(n.op & CC_HIDDEN);
    class->ops |= cc_op_bit(op);
    vec_push(&op_info->all, node);
    if (n.op & CC_HIDDEN)
        vec_push(&graph->killed, node);
    add_places(graph, node, op, op_info->arity);
}

static void prefetch_classes(const struct cc *graph, uint32_t node)
{
    const struct enode *n = &graph->node.at[node];
    __builtin_prefetch(&graph->class_.at[graph->node.at[node].cls]);
    if (cc_arity(graph, node) > 2)
        return;
    __builtin_prefetch(&graph->class_.at[n->a]);
    __builtin_prefetch(&graph->class_.at[n->b]);
}

void cc_enter_new(struct cc *graph)
{
    uint32_t n = graph->node.len;
    if (cc_full(graph, 0, 0))
        BUG("an e-graph of %u nodes", n);
    vec_reserve(&graph->next, n);
    vec_reserve(&graph->edge, 2 * n);
    vec_reserve(&graph->mark, n);
    if (n > graph->mark.len)
        memset(graph->mark.at + graph->mark.len, 0, n - graph->mark.len);
    graph->next.len = graph->mark.len = n;
    graph->edge.len = 2 * n;
    uint32_t w = graph->wide_next.len;
    vec_reserve(&graph->wide_next, graph->wide.len);
    vec_reserve(&graph->wide_node, graph->wide.len);
    graph->wide_next.len = graph->wide_node.len = graph->wide.len;
    for (uint32_t i = graph->n_entered; i < n; i++) {
        if (i + 16 < n)
            prefetch_classes(graph, i + 16);
        if (w < graph->wide.len && cc_arity(graph, i) > 2)
            for (uint32_t k = 0; k < graph->node.at[i].b; k++)
                graph->wide_node.at[w++] = i;
        enter(graph, i);
    }
    graph->n_entered = n;
}
