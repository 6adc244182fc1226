// SPDX-License-Identifier: Apache-2.0
#include "egraph/core/cc.h"

#include "egraph/core/tables.h"

void cc_init(struct cc *g, bool journal)
{
    memset(g, 0, sizeof *g);
    g->journal.on = journal;
    g->slot_mask = 63;
    vec_zero(&g->tag, 64);
    vec_zero(&g->slot, 64);
    g->closed = true;
}

void cc_release(struct cc *g)
{
    vec_release(&g->node);
    vec_release(&g->cls);
    vec_release(&g->next);
    vec_release(&g->edge);
    vec_release(&g->mark);
    vec_release(&g->wide);
    vec_release(&g->wide_next);
    vec_release(&g->wide_node);
    vec_release(&g->up);
    vec_release(&g->class_);
    vec_release(&g->tag);
    vec_release(&g->slot);
    for (uint32_t i = 0; i < g->op.len; i++) {
        vec_release(&g->op.at[i].all);
        vec_release(&g->op.at[i].events);
    }
    vec_release(&g->op);
    vec_release(&g->eventful);
    vec_release(&g->dirty);
    vec_release(&g->learned);
    vec_release(&g->untold);
    vec_release(&g->killed);
    vec_release(&g->above);
    journal_release(&g->journal);
}

uint32_t cc_op_new(struct cc *g, uint32_t arity)
{
    struct cc_op o = {.arity = arity};
    vec_push(&g->op, o);
    return g->op.len - 1;
}

// Scratch keeps what it once took.
#define SCRATCH(v) ((uint64_t)(v).cap * sizeof *(v).at)
#define HELD(v, n) vec_held((n), (v).cap, sizeof *(v).at)

uint64_t cc_bytes_with(const struct cc *g, uint32_t more)
{
    uint32_t nodes = g->node.len + more, classes = g->class_.len + more;
    enum { ENTRY = 32 };
    uint64_t n =
        vec_slack() + journal_bytes(&g->journal, (uint64_t)more * ENTRY);
    uint64_t size = (uint64_t)g->slot_mask + 1;
    n += 5 * (4 * ((uint64_t)g->n_used + more) > 3 * size ? 2 * size : size);
    n += HELD(g->node, nodes) + HELD(g->cls, nodes) + HELD(g->next, nodes) +
         HELD(g->edge, 2 * nodes) + HELD(g->mark, nodes);
    n += HELD(g->wide, g->wide.len) + HELD(g->wide_next, g->wide.len) +
         HELD(g->wide_node, g->wide.len);
    n += HELD(g->up, classes) + HELD(g->class_, classes);
    if (g->analysis.bytes != NULL)
        n += HELD(g->untold, classes) +
             g->analysis.bytes(g->analysis.ctx, classes);
    n += SCRATCH(g->eventful) + SCRATCH(g->dirty) + SCRATCH(g->learned) +
         SCRATCH(g->killed) + SCRATCH(g->above);
    n += (uint64_t)(nodes - g->n_entered) * sizeof *g->next.at;
    for (uint32_t i = 0; i < g->op.len; i++)
        n += HELD(g->op.at[i].all, g->op.at[i].all.len) +
             HELD(g->op.at[i].events, g->op.at[i].events.len);
    return n;
}

uint64_t cc_bytes(const struct cc *g)
{
    return cc_bytes_with(g, 0);
}

// Hash table

static bool equal(const struct cc *g, uint32_t node, uint32_t op,
                  const uint32_t *args)
{
    const struct enode *n = &g->node.at[node];
    if ((n->op & CC_OP) != op)
        return false;
    switch (g->op.at[op].arity) {
    case 0:
        return true;
    case 1:
        return n->a == args[0];
    case 2:
        return n->a == args[0] && n->b == args[1];
    default:
        return memcmp(g->wide.at + n->a, args, n->b * sizeof *args) == 0;
    }
}

// The slot of the node, or CC_NONE.
static uint32_t slot_of(const struct cc *g, uint64_t h, uint32_t op,
                        const uint32_t *args)
{
    uint8_t t = cc_tag(h);
    for (uint32_t i = cc_home(g, h);; i = (i + 1) & g->slot_mask) {
        if (g->tag.at[i] == 0)
            return CC_NONE;
        if (g->tag.at[i] == t && equal(g, g->slot.at[i], op, args))
            return i;
    }
}

static void put(struct cc *g, uint64_t h, uint32_t node)
{
    uint32_t i = cc_home(g, h);
    while (g->tag.at[i] > 1)
        i = (i + 1) & g->slot_mask;
    g->n_used += g->tag.at[i] == 0;
    g->tag.at[i] = cc_tag(h);
    g->slot.at[i] = node;
}

static void table_grow(struct cc *g, uint32_t more)
{
    uint32_t n = g->slot_mask + 1;
    uint32_t in_use = 0;
    for (uint32_t i = 0; i < n; i++)
        in_use += g->tag.at[i] > 1;
    uint32_t size = in_use > n / 2 ? 2 * n : n;
    while (4 * ((uint64_t)in_use + more) > 3 * (uint64_t)size)
        size *= 2;
    g->slot_mask = size - 1;
    g->n_used = 0;
    vec_reserve(&g->tag, size);
    vec_reserve(&g->slot, size);
    g->tag.len = g->slot.len = size;
    memset(g->tag.at, 0, size);
    uint64_t h[16];
    for (uint32_t i = 0; i < g->node.len; i += 16) {
        uint32_t end = g->node.len - i < 16 ? g->node.len - i : 16;
        for (uint32_t k = 0; k < end; k++) {
            if (g->node.at[i + k].op & CC_DEAD)
                continue;
            h[k] = cc_hash(g, g->node.at[i + k].op & CC_OP, cc_args(g, i + k));
            cc_prefetch(g, h[k]);
        }
        for (uint32_t k = 0; k < end; k++)
            if (!(g->node.at[i + k].op & CC_DEAD))
                put(g, h[k], i + k);
    }
}

void cc_table_reserve(struct cc *g, uint32_t more)
{
    if (4 * ((uint64_t)g->n_used + more) > 3 * ((uint64_t)g->slot_mask + 1))
        table_grow(g, more);
}

void cc_table_put(struct cc *g, uint32_t node, uint64_t hash)
{
    put(g, hash, node);
}

void cc_table_remove(struct cc *g, uint32_t node, uint64_t hash)
{
    uint8_t t = cc_tag(hash);
    uint32_t i = cc_home(g, hash);
    while (g->tag.at[i] != t || g->slot.at[i] != node)
        i = (i + 1) & g->slot_mask;
    // The end of a chain needs no mark.
    g->tag.at[i] = g->tag.at[(i + 1) & g->slot_mask] == 0 ? 0 : 1;
    g->n_used -= g->tag.at[i] == 0;
}

uint32_t cc_lookup_hash(const struct cc *g, uint64_t h, uint32_t op,
                        const uint32_t *args)
{
    uint32_t s = slot_of(g, h, op, args);
    return s == CC_NONE ? CC_NONE : g->slot.at[s];
}

uint32_t cc_lookup(const struct cc *g, uint32_t op, const uint32_t *args)
{
    uint32_t s = slot_of(g, cc_hash(g, op, args), op, args);
    return s == CC_NONE ? CC_NONE : g->slot.at[s];
}

// Nodes

static uint32_t class_new(struct cc *g, uint32_t node)
{
    uint32_t c = g->class_.len;
    struct eclass k = {.parents = CC_NONE, .member = CC_NONE, .founder = node};
    vec_push(&g->up, c);
    vec_push(&g->class_, k);
    g->n_classes++;
    return c;
}

static uint32_t node_new(struct cc *g, uint32_t op, const uint32_t *args,
                         uint32_t cls)
{
    uint32_t node = g->node.len, n = g->op.at[op].arity;
    struct enode e = {.op = op};
    if (n > 2) {
        e.a = g->wide.len;
        e.b = n;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&g->wide, args[i]);
    } else if (n > 0) {
        e.a = args[0];
        e.b = n == 2 ? args[1] : 0;
    }
    vec_push(&g->node, e);
    vec_push(&g->cls, cls == CC_NONE ? class_new(g, node) : cls);
    return node;
}

void cc_reserve(struct cc *g, uint32_t n)
{
    cc_table_reserve(g, n);
    vec_reserve(&g->node, g->node.len + n);
    vec_reserve(&g->cls, g->cls.len + n);
    vec_reserve(&g->up, g->up.len + n);
    vec_reserve(&g->class_, g->class_.len + n);
}

uint32_t cc_insert_hash(struct cc *g, uint64_t h, uint32_t op,
                        const uint32_t *args, uint32_t cls)
{
    cc_table_reserve(g, 1);
    uint32_t node = node_new(g, op, args, cls);
    put(g, h, node);
    g->n_live++;
    g->closed = false;
    return node;
}

uint32_t cc_insert(struct cc *g, uint32_t op, const uint32_t *args,
                   uint32_t cls)
{
    return cc_insert_hash(g, cc_hash(g, op, args), op, args, cls);
}

uint32_t cc_add(struct cc *g, uint32_t op, const uint32_t *args)
{
    uint32_t few[16], n = g->op.at[op].arity;
    uint32_t *canonical = n <= 16 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = cc_find(g, args[i]);
    uint32_t node = cc_lookup(g, op, canonical);
    if (node == CC_NONE)
        node = cc_insert(g, op, canonical, CC_NONE);
    if (n > 16)
        mem_free(canonical);
    return node;
}

// What the arguments were, where that is not what is stored.
static void log_exact(struct cc *g, uint32_t node, const uint32_t *args)
{
    uint32_t n = cc_arity(g, node), old = g->mark.len;
    const uint32_t *stored = cc_args(g, node);
    vec_reserve(&g->mark, node + 1);
    memset(g->mark.at + old, 0, node + 1 - old);
    g->mark.len = node + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (args[i] == stored[i])
            continue;
        vec_push(&g->journal.was,
                 n > 2 ? CC_WIDE | (g->node.at[node].a + i) : 2 * node + i);
        vec_push(&g->journal.was, args[i]);
        if (n <= 2)
            g->mark.at[node] |= i == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    }
}

uint32_t cc_insert_exact(struct cc *g, uint32_t op, const uint32_t *args)
{
    uint32_t few[16], n = g->op.at[op].arity;
    uint32_t *canonical = n <= 16 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = cc_find(g, args[i]);
    uint64_t h = cc_hash(g, op, canonical);
    uint32_t twin = cc_lookup_hash(g, h, op, canonical);
    if (twin == CC_NONE)
        cc_table_reserve(g, 1);
    uint32_t node = node_new(g, op, canonical, CC_NONE);
    if (twin == CC_NONE) {
        put(g, h, node);
        g->n_live++;
    } else {
        g->node.at[node].op |= CC_DEAD;
        cc_union(g, g->cls.at[twin], g->cls.at[node]);
        journal_congruence(&g->journal, twin, node);
    }
    if (g->journal.on)
        log_exact(g, node, args);
    g->closed = false;
    if (n > 16)
        mem_free(canonical);
    return node;
}

bool cc_union(struct cc *g, uint32_t a, uint32_t b)
{
    a = cc_find(g, a);
    b = cc_find(g, b);
    if (a == b)
        return false;
    struct eclass *k = g->class_.at;
    uint32_t size_a = k[a].n_parents + k[a].n_nodes;
    uint32_t size_b = k[b].n_parents + k[b].n_nodes;
    if (size_a < size_b || (size_a == size_b && a > b)) {
        uint32_t c = a;
        a = b;
        b = c;
    }
    g->up.at[b] = a;
    vec_push(&g->dirty, b);
    g->n_classes--;
    g->n_merges++;
    g->closed = false;
    return true;
}

bool cc_union_given(struct cc *g, uint32_t kind, uint32_t a, uint32_t b,
                    uint32_t x)
{
    bool news = cc_union(g, g->cls.at[a], g->cls.at[b]);
    if (news)
        journal_given(&g->journal, kind, a, b, x);
    return news;
}

bool cc_union_fold(struct cc *g, uint32_t node, uint32_t value,
                   const uint32_t *arg)
{
    uint32_t n = cc_arity(g, node);
    for (uint32_t i = 0; i < n; i++)
        if (arg[i] != CC_NONE &&
            cc_class(g, arg[i]) != cc_find(g, cc_args(g, node)[i]))
            BUG("a value that an argument does not have");
    bool news = cc_union(g, g->cls.at[node], g->cls.at[value]);
    if (news)
        journal_fold(&g->journal, node, value, n, arg);
    return news;
}

void cc_hide(struct cc *g, uint32_t node)
{
    struct enode *n = &g->node.at[node];
    if (n->op & (CC_DEAD | CC_HIDDEN))
        return;
    n->op |= CC_HIDDEN;
    g->n_live--;
    if (node >= g->n_entered)
        return;
    g->class_.at[cc_class(g, node)].n_nodes--;
    vec_push(&g->killed, node);
}
