// SPDX-License-Identifier: Apache-2.0
// The tables of the closure, private to egraph/core/ and
// egraph/plain/saturate/apply.c.
#ifndef EGRAPH_CORE_TABLES_H
#define EGRAPH_CORE_TABLES_H

#include "egraph/core/cc.h"

static inline uint64_t cc_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9FB21C651E98DF25);
    return h ^ (h >> 29);
}

static inline uint64_t cc_hash2(uint32_t op, uint32_t a, uint32_t b)
{
    return cc_mix((uint64_t)op * UINT64_C(0xD6E8FEB86659FD93), (uint64_t)b << 32 | a) *
           UINT64_C(0xAEF17502108EF2D9);
}

static inline uint64_t cc_hash(const struct cc *graph, uint32_t op, const uint32_t *args)
{
    uint32_t n = graph->op.at[op].arity;
    uint64_t h = op;
    if (n > 2) {
        for (uint32_t i = 0; i < n; i++)
            h = cc_mix(h, args[i]);
    } else {
        return cc_hash2(op, n > 0 ? args[0] : 0, n > 1 ? args[1] : 0);
    }
    return h * UINT64_C(0xAEF17502108EF2D9);
}

static inline uint8_t cc_tag(uint64_t h)
{
    uint8_t t = (uint8_t)(h >> 24);
    return t < 2 ? t + 2 : t;
}
// Own table: the table of nodes of the e-graph, where the engine spends its time.
static inline uint32_t cc_home(const struct cc *graph, uint64_t h)
{
    return (uint32_t)(h >> 32) & graph->slot_mask;
}

uint32_t cc_lookup_hash(const struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args);
uint32_t cc_insert_hash(struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args,
                        uint32_t cls);
// cc_lookup for at most two arguments, absent ones being 0.  Where it finds
// nothing, *free is the slot for such a node.
static inline uint32_t cc_lookup2(const struct cc *graph, uint64_t h, uint32_t op, uint32_t a,
                                  uint32_t b, uint32_t *free)
{
    const uint8_t *tag = graph->tag.at;
    uint8_t t = cc_tag(h);
    uint32_t mask = graph->slot_mask, i = cc_home(graph, h), gone = CC_NONE;
    for (; tag[i] != 0; i = (i + 1) & mask) {
        if (tag[i] == t) {
            const struct enode *node = &graph->node.at[graph->slot.at[i]];
            if ((node->op & CC_OP) == op && node->a == a && node->b == b)
                return graph->slot.at[i];
        } else if (tag[i] == 1 && gone == CC_NONE) {
            gone = i;
        }
    }
    *free = gone == CC_NONE ? i : gone;
    return CC_NONE;
}
// A slot that cc_lookup2 has found free is taken.
static inline void cc_table_set(struct cc *graph, uint32_t free, uint64_t h, uint32_t node)
{
    graph->n_used += graph->tag.at[free] == 0;
    graph->tag.at[free] = cc_tag(h);
    graph->slot.at[free] = node;
}
// Makes room for n nodes and classes, and for the nodes in the hash table.
void cc_reserve(struct cc *graph, uint32_t n);
// Adds the node that cc_lookup2 did not find, to class `cls`, or to a new one
// where that is CC_NONE; there must be room.
static inline uint32_t cc_insert2(struct cc *graph, uint64_t h, uint32_t free, uint32_t op,
                                  uint32_t a, uint32_t b, uint32_t cls)
{
    uint32_t node = graph->node.len++;
    graph->node.at[node] = (struct enode){op, a, b};
    cc_table_set(graph, free, h, node);
    if (cls == CC_NONE) {
        cls = graph->class_.len++;
        graph->up.at[graph->up.len++] = cls;
        graph->class_.at[cls] =
            (struct eclass){.parents = CC_NONE, .member = CC_NONE, .founder = node};
        graph->n_classes++;
    }
    graph->cls.at[graph->cls.len++] = cls;
    graph->n_live++;
    graph->closed = false;
    return node;
}
static inline void cc_prefetch(const struct cc *graph, uint64_t h)
{
    uint32_t i = cc_home(graph, h);
    __builtin_prefetch(graph->tag.at + i);
    __builtin_prefetch(graph->slot.at + i);
}
// The first node that may be meant, once the table's memory is there.
static inline void cc_prefetch_node(const struct cc *graph, uint64_t h)
{
    uint8_t t = cc_tag(h);
    for (uint32_t i = cc_home(graph, h); graph->tag.at[i] != 0; i = (i + 1) & graph->slot_mask)
        if (graph->tag.at[i] == t) {
            __builtin_prefetch(&graph->node.at[graph->slot.at[i]]);
            return;
        }
}
// Makes room for so many calls of cc_table_put.  All live nodes must be in the
// table.
void cc_table_reserve(struct cc *graph, uint32_t more);
// Under the hash of its present arguments.
void cc_table_put(struct cc *graph, uint32_t node, uint64_t hash);
void cc_table_remove(struct cc *graph, uint32_t node, uint64_t hash);

// Events of the round before are no longer marked.  Old ones are dropped when
// they are more than the nodes: then looking at all of these costs less.
void cc_clear_marks(struct cc *graph);
// The arguments of the node join the lists of parents of their classes.
void cc_add_places(struct cc *graph, uint32_t node);
// All nodes since the last rebuild enter the lists.
void cc_enter_new(struct cc *graph);

// Logs an event of a live node, so that searches look at the node again.
static inline void cc_event(struct cc *graph, uint32_t node, uint8_t what)
{
    struct cc_op *op_info = &graph->op.at[graph->node.at[node].op & CC_OP];
    if (!(op_info->listen & what))
        return;
    if (!(graph->mark.at[node] & CC_EVENTS)) {
        if (op_info->events.len == op_info->round_events)
            vec_push(&graph->eventful, graph->node.at[node].op & CC_OP);
        vec_push(&op_info->events, node);
    }
    graph->mark.at[node] |= what;
}

#endif
