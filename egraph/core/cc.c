// SPDX-License-Identifier: Apache-2.0
#include "egraph/core/cc.h"

#include "egraph/core/tables.h"

enum { SLOTS = 64 }; // of an empty table

void cc_init(struct cc *graph, bool journal)
{
    memset(graph, 0, sizeof *graph);
    graph->journal.on = journal;
    vec_zero(&graph->slot, SLOTS);
    graph->id_mask = SLOTS - 1;
    graph->closed = true;
}

void cc_release(struct cc *graph)
{
    vec_release(&graph->node);
    vec_release(&graph->next);
    vec_release(&graph->edge);
    vec_release(&graph->mark);
    vec_release(&graph->wide);
    vec_release(&graph->wide_next);
    vec_release(&graph->wide_node);
    vec_release(&graph->up);
    vec_release(&graph->class_);
    vec_release(&graph->slot);
    for (uint32_t i = 0; i < graph->op.len; i++) {
        vec_release(&graph->op.at[i].all);
        vec_release(&graph->op.at[i].events);
    }
    vec_release(&graph->op);
    vec_release(&graph->eventful);
    vec_release(&graph->dirty);
    vec_release(&graph->learned);
    vec_release(&graph->untold);
    vec_release(&graph->killed);
    vec_release(&graph->above);
    journal_release(&graph->journal);
}

uint32_t cc_op_new(struct cc *graph, uint32_t arity)
{
    struct cc_op op_info = {.arity = arity};
    vec_push(&graph->op, op_info);
    return graph->op.len - 1;
}

// Scratch keeps what it once took.
#define SCRATCH(v) ((uint64_t)(v).cap * sizeof *(v).at)
#define HELD(v, n) vec_held((n), (v).cap, sizeof *(v).at)

// A large table grows by half, so that less of it is empty; a small one by more, so that fewer
// nodes are hashed again.
static uint64_t larger(uint64_t slots)
{
    enum { LARGE = 1 << 18 };
    return slots < LARGE ? 4 * slots : slots + slots / 2;
}

uint64_t cc_bytes_with(const struct cc *graph, uint32_t more)
{
    uint32_t nodes = graph->node.len + more, classes = graph->class_.len + more;
    enum { ENTRY = 32 };
    uint64_t n = vec_slack() + journal_bytes(&graph->journal, (uint64_t)more * ENTRY);
    uint64_t slots = graph->slot.len;
    n += sizeof *graph->slot.at *
         (cc_crowded((uint64_t)graph->n_used + more, slots) ? larger(slots) : slots);
    n += HELD(graph->node, nodes) + HELD(graph->next, nodes) + HELD(graph->edge, 2 * nodes) +
         HELD(graph->mark, nodes);
    n += HELD(graph->wide, graph->wide.len) + HELD(graph->wide_next, graph->wide.len) +
         HELD(graph->wide_node, graph->wide.len);
    n += HELD(graph->up, classes) + HELD(graph->class_, classes);
    if (graph->analysis.bytes != NULL)
        n += HELD(graph->untold, classes) + graph->analysis.bytes(graph->analysis.ctx, classes);
    n += SCRATCH(graph->eventful) + SCRATCH(graph->dirty) + SCRATCH(graph->learned) +
         SCRATCH(graph->killed) + SCRATCH(graph->above);
    n += (uint64_t)(nodes - graph->n_entered) * sizeof *graph->next.at;
    for (uint32_t i = 0; i < graph->op.len; i++)
        n += HELD(graph->op.at[i].all, graph->op.at[i].all.len) +
             HELD(graph->op.at[i].events, graph->op.at[i].events.len);
    return n;
}

uint64_t cc_bytes(const struct cc *graph)
{
    return cc_bytes_with(graph, 0);
}

// Hash table

static bool equal(const struct cc *graph, uint32_t node, uint32_t op, const uint32_t *args)
{
    const struct enode *n = &graph->node.at[node];
    if ((n->op & CC_OP) != op)
        return false;
    switch (graph->op.at[op].arity) {
    case 0:
        return true;
    case 1:
        return n->a == args[0];
    case 2:
        return n->a == args[0] && n->b == args[1];
    default:
        return memcmp(graph->wide.at + n->a, args, n->b * sizeof *args) == 0;
    }
}

// The place of the node's slot, or CC_NONE.
static uint32_t slot_of(const struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args)
{
    uint32_t slot;
    for (uint32_t i = cc_home(graph, h); (slot = graph->slot.at[i]) != CC_SLOT_FREE;
         i = cc_after(graph, i))
        if (cc_slot_fits(graph, slot, h) && equal(graph, cc_slot_node(graph, slot), op, args))
            return i;
    return CC_NONE;
}

static void put(struct cc *graph, uint64_t h, uint32_t node)
{
    uint32_t i = cc_home(graph, h);
    while (graph->slot.at[i] >= CC_SLOT_NODE)
        i = cc_after(graph, i);
    cc_table_set(graph, i, h, node);
}

// Do the ids of so many nodes fit into the bits of such a mask?
static bool ids_fit(uint64_t nodes, uint32_t mask)
{
    return nodes + CC_SLOT_NODE <= (uint64_t)mask + 1;
}

static void table_grow(struct cc *graph, uint32_t more)
{
    uint32_t n = graph->slot.len, in_use = 0;
    for (uint32_t i = 0; i < n; i++)
        in_use += graph->slot.at[i] >= CC_SLOT_NODE;
    // If removed nodes fill it, a table of the same size will do; else it would soon be full again.
    uint64_t size = cc_crowded(in_use + in_use / 2, n) ? larger(n) : n;
    while (cc_crowded((uint64_t)in_use + more, size))
        size = larger(size);
    // Enough for as many nodes as the table has room for.
    uint64_t ids = (uint64_t)graph->node.len + (more > size - in_use ? more : size - in_use);
    if (ids > CC_MAX_NODES)
        ids = CC_MAX_NODES;
    while (!ids_fit(ids, graph->id_mask))
        graph->id_mask = graph->id_mask << 1 | 1;
    vec_reserve(&graph->slot, size);
    graph->slot.len = (uint32_t)size;
    graph->n_used = 0;
    memset(graph->slot.at, 0, size * sizeof *graph->slot.at);
    uint64_t h[16];
    for (uint32_t i = 0; i < graph->node.len; i += 16) {
        uint32_t end = graph->node.len - i < 16 ? graph->node.len - i : 16;
        for (uint32_t k = 0; k < end; k++) {
            if (graph->node.at[i + k].op & CC_DEAD)
                continue;
            h[k] = cc_hash(graph, graph->node.at[i + k].op & CC_OP, cc_args(graph, i + k));
            cc_prefetch(graph, h[k]);
        }
        for (uint32_t k = 0; k < end; k++)
            if (!(graph->node.at[i + k].op & CC_DEAD))
                put(graph, h[k], i + k);
    }
}

void cc_table_reserve(struct cc *graph, uint32_t more)
{
    if (cc_crowded((uint64_t)graph->n_used + more, graph->slot.len) ||
        !ids_fit((uint64_t)graph->node.len + more, graph->id_mask))
        table_grow(graph, more);
}

void cc_table_put(struct cc *graph, uint32_t node, uint64_t hash)
{
    put(graph, hash, node);
}

void cc_table_remove(struct cc *graph, uint32_t node, uint64_t hash)
{
    uint32_t i = cc_home(graph, hash), slot = cc_slot(graph, hash, node);
    while (graph->slot.at[i] != slot)
        i = cc_after(graph, i);
    // The end of a chain needs no mark.
    bool last = graph->slot.at[cc_after(graph, i)] == CC_SLOT_FREE;
    graph->slot.at[i] = last ? CC_SLOT_FREE : CC_SLOT_GONE;
    graph->n_used -= last;
}

uint32_t cc_lookup_hash(const struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args)
{
    uint32_t s = slot_of(graph, h, op, args);
    return s == CC_NONE ? CC_NONE : cc_slot_node(graph, graph->slot.at[s]);
}

uint32_t cc_lookup(const struct cc *graph, uint32_t op, const uint32_t *args)
{
    uint32_t s = slot_of(graph, cc_hash(graph, op, args), op, args);
    return s == CC_NONE ? CC_NONE : cc_slot_node(graph, graph->slot.at[s]);
}

// Nodes

static uint32_t class_new(struct cc *graph, uint32_t node)
{
    uint32_t c = graph->class_.len;
    struct eclass class = {.parents = CC_NONE, .member = CC_NONE, .founder = node};
    vec_push(&graph->up, c);
    vec_push(&graph->class_, class);
    graph->n_classes++;
    return c;
}

static uint32_t node_new(struct cc *graph, uint32_t op, const uint32_t *args, uint32_t cls)
{
    uint32_t node = graph->node.len, n = graph->op.at[op].arity;
    struct enode e = {.op = op};
    if (n > 2) {
        e.a = graph->wide.len;
        e.b = n;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&graph->wide, args[i]);
    } else if (n > 0) {
        e.a = args[0];
        e.b = n == 2 ? args[1] : 0;
    }
    e.cls = cls == CC_NONE ? class_new(graph, node) : cls;
    vec_push(&graph->node, e);
    return node;
}

void cc_reserve(struct cc *graph, uint32_t n)
{
    cc_table_reserve(graph, n);
    vec_reserve(&graph->node, graph->node.len + n);
    vec_reserve(&graph->up, graph->up.len + n);
    vec_reserve(&graph->class_, graph->class_.len + n);
}

uint32_t cc_insert_hash(struct cc *graph, uint64_t h, uint32_t op, const uint32_t *args,
                        uint32_t cls)
{
    cc_table_reserve(graph, 1);
    uint32_t node = node_new(graph, op, args, cls);
    put(graph, h, node);
    graph->n_live++;
    graph->closed = false;
    return node;
}

uint32_t cc_insert(struct cc *graph, uint32_t op, const uint32_t *args, uint32_t cls)
{
    return cc_insert_hash(graph, cc_hash(graph, op, args), op, args, cls);
}

uint32_t cc_add(struct cc *graph, uint32_t op, const uint32_t *args)
{
    uint32_t few[16] = {0}, n = graph->op.at[op].arity;
    uint32_t *canonical = n <= 16 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = cc_find(graph, args[i]);
    uint32_t node = cc_lookup(graph, op, canonical);
    if (node == CC_NONE)
        node = cc_insert(graph, op, canonical, CC_NONE);
    if (n > 16)
        mem_free(canonical);
    return node;
}

// The first arguments of places that have other arguments now.
static void log_exact(struct cc *graph, uint32_t node, const uint32_t *args)
{
    uint32_t n = cc_arity(graph, node), old = graph->mark.len;
    const uint32_t *stored = cc_args(graph, node);
    vec_reserve(&graph->mark, node + 1);
    memset(graph->mark.at + old, 0, node + 1 - old);
    graph->mark.len = node + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (args[i] == stored[i])
            continue;
        vec_push(&graph->journal.was,
                 n > 2 ? CC_WIDE | (graph->node.at[node].a + i) : 2 * node + i);
        vec_push(&graph->journal.was, args[i]);
        if (n <= 2)
            graph->mark.at[node] |= i == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    }
}

uint32_t cc_insert_exact(struct cc *graph, uint32_t op, const uint32_t *args)
{
    uint32_t few[16] = {0}, n = graph->op.at[op].arity;
    uint32_t *canonical = n <= 16 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = cc_find(graph, args[i]);
    uint64_t h = cc_hash(graph, op, canonical);
    uint32_t twin = cc_lookup_hash(graph, h, op, canonical);
    if (twin == CC_NONE)
        cc_table_reserve(graph, 1);
    uint32_t node = node_new(graph, op, canonical, CC_NONE);
    if (twin == CC_NONE) {
        put(graph, h, node);
        graph->n_live++;
    } else {
        graph->node.at[node].op |= CC_DEAD;
        cc_union(graph, graph->node.at[twin].cls, graph->node.at[node].cls);
        journal_congruence(&graph->journal, twin, node);
    }
    if (graph->journal.on)
        log_exact(graph, node, args);
    graph->closed = false;
    if (n > 16)
        mem_free(canonical);
    return node;
}

bool cc_union(struct cc *graph, uint32_t a, uint32_t b)
{
    a = cc_find(graph, a);
    b = cc_find(graph, b);
    if (a == b)
        return false;
    struct eclass *class = graph->class_.at;
    uint32_t size_a = class[a].n_parents + class[a].n_nodes;
    uint32_t size_b = class[b].n_parents + class[b].n_nodes;
    if (size_a < size_b || (size_a == size_b && a > b)) {
        uint32_t c = a;
        a = b;
        b = c;
    }
    graph->up.at[b] = a;
    vec_push(&graph->dirty, b);
    graph->n_classes--;
    graph->n_merges++;
    graph->closed = false;
    return true;
}

bool cc_union_given(struct cc *graph, uint32_t kind, uint32_t a, uint32_t b, uint32_t reason)
{
    bool news = cc_union(graph, graph->node.at[a].cls, graph->node.at[b].cls);
    if (news)
        journal_given(&graph->journal, kind, a, b, reason);
    return news;
}

bool cc_union_fold(struct cc *graph, uint32_t node, uint32_t value, const uint32_t *arg)
{
    uint32_t n = cc_arity(graph, node);
    for (uint32_t i = 0; i < n; i++)
        if (arg[i] != CC_NONE && cc_class(graph, arg[i]) != cc_find(graph, cc_args(graph, node)[i]))
            BUG("a value that an argument does not have");
    bool news = cc_union(graph, graph->node.at[node].cls, graph->node.at[value].cls);
    if (news)
        journal_fold(&graph->journal, node, value, n, arg);
    return news;
}

void cc_hide(struct cc *graph, uint32_t node)
{
    struct enode *n = &graph->node.at[node];
    if (n->op & (CC_DEAD | CC_HIDDEN))
        return;
    n->op |= CC_HIDDEN;
    graph->n_live--;
    if (node >= graph->n_entered)
        return;
    graph->class_.at[cc_class(graph, node)].n_nodes--;
    vec_push(&graph->killed, node);
}
