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

void cc_add_places(struct cc *graph, uint32_t node)
{
    const struct enode *n = &graph->node.at[node];
    uint32_t arity = cc_arity(graph, node), op = n->op & CC_OP;
    if (arity > 2) {
        for (uint32_t i = 0; i < arity; i++)
            add_place(graph, graph->wide.at[n->a + i], CC_WIDE | (n->a + i), cc_use_bit(op, i));
        return;
    }
    for (uint32_t i = 0; i < arity; i++) {
        struct eclass *class = &graph->class_.at[i == 0 ? n->a : n->b];
        graph->edge.at[2 * node + i] = class->parents;
        class->parents = 2 * node + i;
        class->n_parents++;
        class->uses |= cc_use_bit(op, i);
    }
}

static void enter(struct cc *graph, uint32_t node)
{
    struct enode *n = &graph->node.at[node];
    struct eclass *class = &graph->class_.at[graph->node.at[node].cls];
    if (n->op & CC_DEAD) { // from birth
        graph->next.at[node] = node;
        return;
    }
    if (class->member == CC_NONE) {
        graph->next.at[node] = node;
        class->member = node;
    } else {
        graph->next.at[node] = graph->next.at[class->member];
        graph->next.at[class->member] = node;
    }
    class->n_nodes += !(n->op & CC_HIDDEN);
    class->ops |= cc_op_bit(n->op & CC_OP);
    vec_push(&graph->op.at[n->op & CC_OP].all, node);
    if (n->op & CC_HIDDEN)
        vec_push(&graph->killed, node);
    cc_add_places(graph, node);
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
