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

// A bit that all hashes have, and so all slots of nodes, but no id.
#define CC_HASHED (UINT32_C(1) << 31)

static inline uint64_t cc_hash2(uint32_t op, uint32_t a, uint32_t b)
{
    uint64_t h = cc_mix((uint64_t)op * UINT64_C(0xD6E8FEB86659FD93), (uint64_t)b << 32 | a);
    return h * UINT64_C(0xAEF17502108EF2D9) | CC_HASHED;
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
    return h * UINT64_C(0xAEF17502108EF2D9) | CC_HASHED;
}

// Own table: the table of nodes of the e-graph, where the engine spends its time.
// Open addressing with a step of one slot.  A slot is 0 if it is free, 1 if its node was
// removed, else the id of a node plus 2 in the bits of id_mask, with bits of the
// node's hash in the others, CC_HASHED among them.  So one load finds most nodes that are not
// meant.
// The high half of a hash says where the node's chain begins; any number of slots will do.
enum { CC_SLOT_FREE = 0, CC_SLOT_GONE = 1, CC_SLOT_NODE = 2 };

static inline uint32_t cc_home(const struct cc *graph, uint64_t h)
{
    return (uint32_t)((h >> 32) * graph->slot.len >> 32);
}

static inline uint32_t cc_after(const struct cc *graph, uint32_t slot)
{
    return slot + 1 == graph->slot.len ? 0 : slot + 1;
}

static inline uint32_t cc_slot(const struct cc *graph, uint64_t h, uint32_t node)
{
    return ((uint32_t)h & ~graph->id_mask) | (node + CC_SLOT_NODE);
}
// Is it the slot of a node with such a hash, as far as the slot says?
static inline bool cc_slot_fits(const struct cc *graph, uint32_t slot, uint64_t h)
{
    return ((slot ^ (uint32_t)h) & ~graph->id_mask) == 0;
}

static inline uint32_t cc_slot_node(const struct cc *graph, uint32_t slot)
{
    return (slot & graph->id_mask) - CC_SLOT_NODE;
}
// Are so many of so many slots more than there may be?  In a small table chains are short, so that
// most searches end where they begin; of a large one the memory counts.
static inline bool cc_crowded(uint64_t used, uint64_t slots)
{
    enum { LARGE = 1 << 18 };
    return slots < LARGE ? 2 * used > slots : 5 * used > 4 * slots;
}

uint32_t cc_lookup_hash(const struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args);
uint32_t cc_insert_hash(struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args,
                        uint32_t cls);
// Has the node this operator and these arguments, absent ones being 0?
static inline bool cc_is_node2(const struct cc *graph, uint32_t id, uint32_t op, uint32_t a,
                               uint32_t b)
{
    const struct enode *node = &graph->node.at[id];
    return (node->op & CC_OP) == op && node->a == a && node->b == b;
}
// cc_lookup for at most two arguments, absent ones being 0; `home` is that of the hash.  Where it
// finds nothing, *free is the slot for such a node.
static inline uint32_t cc_lookup2(const struct cc *graph, uint32_t home, uint64_t h, uint32_t op,
                                  uint32_t a, uint32_t b, uint32_t *free)
{
    const uint32_t *slots = graph->slot.at;
    uint32_t i = home, gone = CC_NONE;
    for (uint32_t slot; (slot = slots[i]) != CC_SLOT_FREE; i = cc_after(graph, i)) {
        if (cc_slot_fits(graph, slot, h)) {
            uint32_t id = cc_slot_node(graph, slot);
            if (cc_is_node2(graph, id, op, a, b))
                return id;
        } else if (slot == CC_SLOT_GONE && gone == CC_NONE) {
            gone = i;
        }
    }
    *free = gone == CC_NONE ? i : gone;
    return CC_NONE;
}
// A slot that cc_lookup2 has found free is taken.
static inline void cc_table_set(struct cc *graph, uint32_t free, uint64_t h, uint32_t node)
{
    graph->n_used += graph->slot.at[free] == CC_SLOT_FREE;
    graph->slot.at[free] = cc_slot(graph, h, node);
}
// Makes room for n nodes and classes, and for the nodes in the hash table.
void cc_reserve(struct cc *graph, uint32_t n);
// Adds the node that cc_lookup2 did not find, to class `cls`, or to a new one
// where that is CC_NONE; there must be room.
static inline uint32_t cc_insert2(struct cc *graph, uint64_t h, uint32_t free, uint32_t op,
                                  uint32_t a, uint32_t b, uint32_t cls)
{
    uint32_t node = graph->node.len++;
    cc_table_set(graph, free, h, node);
    if (cls == CC_NONE) {
        cls = graph->class_.len++;
        graph->up.at[graph->up.len++] = cls;
        graph->class_.at[cls] =
            (struct eclass){.parents = CC_NONE, .member = CC_NONE, .founder = node};
        graph->n_classes++;
    }
    graph->node.at[node] = (struct enode){op, a, b, cls};
    graph->n_live++;
    graph->closed = false;
    return node;
}
static inline void cc_prefetch(const struct cc *graph, uint64_t h)
{
    __builtin_prefetch(graph->slot.at + cc_home(graph, h));
}
// The hashes of many nodes and their homes, whose memory is asked for.
static inline void cc_homes(const struct cc *graph, uint32_t op, uint32_t n, const uint32_t *x,
                            const uint32_t *y, uint64_t *restrict hash, uint32_t *restrict home)
{
    const uint32_t *slots = graph->slot.at;
    uint64_t len = graph->slot.len;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t h = cc_hash2(op, x[i], y[i]);
        hash[i] = h;
        home[i] = (uint32_t)((h >> 32) * len >> 32);
        __builtin_prefetch(&slots[home[i]]);
    }
}
static inline uint32_t cc_fit(uint32_t slot, uint32_t h, uint32_t mask, uint32_t other)
{
    return ((slot ^ h) & ~mask) == 0 ? slot : other;
}
// For each hash a node that may be meant: that of the first slot from the home on, of three, that
// fits; else the first of all nodes, which is never dead.  No branch depends on the slots, for it
// would often go another way than the last time.  The memory of the nodes is asked for (Chen et
// al., Improving hash join performance through prefetching, ICDE 2004; Ross, Selection conditions
// in main memory, ACM Trans. Database Systems 29, 2004).
static inline void cc_guesses(const struct cc *graph, uint32_t n, const uint64_t *hash,
                              const uint32_t *home, uint32_t *restrict guess)
{
    const uint32_t *slots = graph->slot.at;
    const struct enode *nodes = graph->node.at;
    uint32_t mask = graph->id_mask, last = graph->slot.len - 3;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *at = slots + (home[i] < last ? home[i] : last);
        uint32_t h = (uint32_t)hash[i], fit = CC_SLOT_NODE;
        fit = cc_fit(at[2], h, mask, fit);
        fit = cc_fit(at[1], h, mask, fit);
        fit = cc_fit(at[0], h, mask, fit);
        guess[i] = (fit & mask) - CC_SLOT_NODE;
        __builtin_prefetch(&nodes[guess[i]]);
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
