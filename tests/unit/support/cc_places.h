// SPDX-License-Identifier: Apache-2.0
// Random closed graphs, and what a planted fault may touch there.
#ifndef TESTS_UNIT_SUPPORT_CC_PLACES_H
#define TESTS_UNIT_SUPPORT_CC_PLACES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "egraph/core/tables.h"
#include "egraph/why/why.h"

enum { OPS = 9, TRIES = 400, WANTED = 12 };
static const uint32_t arity[OPS] = {0, 0, 0, 1, 1, 2, 2, 3, 5};

static inline uint32_t below(struct rng *rng, uint32_t n)
{
    return (uint32_t)rng_below(rng, n);
}

static inline void add_some(struct cc *graph, struct rng *rng, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arg[5], op = graph->node.len < 3 ? graph->node.len : below(rng, OPS);
        for (uint32_t k = 0; k < arity[op]; k++)
            arg[k] = cc_class(graph, below(rng, graph->node.len));
        uint32_t into = CC_NONE;
        if (graph->node.len > 3 && below(rng, 3) == 0)
            into = cc_class(graph, below(rng, graph->node.len));
        if (cc_lookup(graph, op, arg) != CC_NONE)
            continue;
        uint32_t node = cc_insert(graph, op, arg, into);
        if (into != CC_NONE)
            journal_given(&graph->journal, JOURNAL_GIVEN, graph->class_.at[into].founder, node, 0);
    }
}

static inline void random_graph(struct cc *graph, struct rng *rng)
{
    cc_init(graph, true);
    for (uint32_t i = 0; i < OPS; i++) {
        uint32_t op = cc_op_new(graph, arity[i]);
        graph->op.at[op].listen = CC_EVENTS;
    }
    for (uint32_t round = 0; round < 3; round++) {
        add_some(graph, rng, 30);
        for (uint32_t i = 0; i < 5; i++)
            cc_union_given(graph, JOURNAL_GIVEN, below(rng, graph->node.len),
                           below(rng, graph->node.len), i);
        cc_hide(graph, below(rng, graph->node.len));
        cc_rebuild(graph);
    }
}

// What a fault may need.  Each returns CC_NONE when the graph has none.

static inline bool is_dead(const struct cc *graph, uint32_t node)
{
    return (graph->node.at[node].op & CC_DEAD) != 0;
}

static inline bool is_founder(const struct cc *graph, uint32_t node)
{
    for (uint32_t c = 0; c < graph->class_.len; c++)
        if (graph->class_.at[c].founder == node)
            return true;
    return false;
}

// A live node with `least` arguments or more, two of them at most if `narrow`.
static inline uint32_t live_node(const struct cc *graph, struct rng *rng, uint32_t least,
                                 bool narrow)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t n = below(rng, graph->node.len);
        if (!is_dead(graph, n) && !(graph->node.at[n].op & CC_HIDDEN) &&
            cc_arity(graph, n) >= least && (!narrow || cc_arity(graph, n) <= 2))
            return n;
    }
    return CC_NONE;
}

static inline uint32_t dead_node(const struct cc *graph, struct rng *rng)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t n = below(rng, graph->node.len);
        if (is_dead(graph, n))
            return n;
    }
    return CC_NONE;
}

static inline uint32_t any_class(struct cc *graph, struct rng *rng)
{
    return cc_find(graph, below(rng, graph->class_.len));
}

static inline uint32_t merged_class(const struct cc *graph, struct rng *rng)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = below(rng, graph->class_.len);
        if (graph->up.at[c] != c)
            return c;
    }
    return CC_NONE;
}

static inline uint32_t other_class(struct cc *graph, struct rng *rng, uint32_t cls)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = any_class(graph, rng);
        if (c != cc_find(graph, cls))
            return c;
    }
    return CC_NONE;
}

static inline uint32_t class_with_parents(struct cc *graph, struct rng *rng, uint32_t least)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = any_class(graph, rng);
        if (graph->class_.at[c].n_parents >= least)
            return c;
    }
    return CC_NONE;
}

static inline uint64_t hash_of(const struct cc *graph, uint32_t node)
{
    return cc_hash(graph, graph->node.at[node].op & CC_OP, cc_args(graph, node));
}

static inline uint32_t slot_of(const struct cc *graph, uint32_t node)
{
    uint32_t s = cc_home(graph, hash_of(graph, node));
    while (graph->slot.at[s] < CC_SLOT_NODE || cc_slot_node(graph, graph->slot.at[s]) != node)
        s = cc_after(graph, s);
    return s;
}

static inline uint32_t free_slot(const struct cc *graph, uint32_t from)
{
    while (graph->slot.at[from] != CC_SLOT_FREE)
        from = cc_after(graph, from);
    return from;
}

static inline void fill_slot(struct cc *graph, uint32_t s, uint32_t node)
{
    graph->slot.at[s] = cc_slot(graph, hash_of(graph, node), node);
    graph->n_used++;
}

#endif
