// SPDX-License-Identifier: Apache-2.0
// Closing the graph: new nodes enter the lists (egraph/core/enter.c), merged classes get
// one list, the nodes above them are hashed again, and where two become
// congruent their classes are merged in turn.
#include "egraph/core/tables.h"

static void kill_node(struct cc *graph, uint32_t node)
{
    struct enode *n = &graph->node.at[node];
    if (!(n->op & CC_HIDDEN)) {
        graph->n_live--;
        graph->class_.at[cc_class(graph, node)].n_nodes--;
        vec_push(&graph->killed, node);
    }
    n->op |= CC_DEAD;
    graph->dead_edges += cc_arity(graph, node);
}

// Logs the first argument of this place, before the first change.
static void log_arg(struct cc *graph, uint32_t node, uint32_t i, uint32_t was)
{
    struct u32_vec *log = &graph->journal.was;
    uint8_t bit = i == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    uint32_t place = 2 * node + i;
    if (cc_arity(graph, node) > 2) {
        place = CC_WIDE | (graph->node.at[node].a + i);
        bit = 0;
    } else if (graph->mark.at[node] & bit) {
        return;
    }
    graph->mark.at[node] |= bit;
    vec_reserve(log, log->len + 2);
    log->at[log->len++] = place;
    log->at[log->len++] = was;
}

// Sets the arguments of a live node that is in no table to their classes.
static void canonical_args(struct cc *graph, uint32_t node)
{
    struct enode *n = &graph->node.at[node];
    uint32_t arity = cc_arity(graph, node);
    uint32_t *args = arity > 2 ? graph->wide.at + n->a : &n->a;
    for (uint32_t i = 0; i < arity; i++) {
        uint32_t c = cc_find(graph, args[i]);
        if (c == args[i])
            continue;
        if (graph->journal.on)
            log_arg(graph, node, i, args[i]);
        args[i] = c;
    }
}

static bool is_canonical(struct cc *graph, uint32_t node)
{
    uint32_t arity = cc_arity(graph, node);
    const uint32_t *args = cc_args(graph, node);
    for (uint32_t i = 0; i < arity; i++)
        if (graph->up.at[args[i]] != args[i])
            return false;
    return true;
}

// The node, which is in no table, was found to be congruent to the twin, which
// is, under hash h.
static void congruent(struct cc *graph, uint32_t node, uint32_t twin, uint64_t h)
{
    uint32_t old = twin < node ? twin : node, young = twin < node ? node : twin;
    if (twin != old) {
        cc_table_remove(graph, twin, h);
        cc_table_put(graph, node, h);
        cc_event(graph, node, CC_REARGED);
    }
    uint32_t hidden = graph->node.at[young].op & CC_HIDDEN;
    if (cc_union(graph, graph->node.at[old].cls, graph->node.at[young].cls))
        journal_congruence(&graph->journal, old, young);
    kill_node(graph, young);
    if (hidden)
        cc_hide(graph, old);
}

static void rehash(struct cc *graph, uint32_t node)
{
    uint32_t op = graph->node.at[node].op & CC_OP;
    const uint32_t *args = cc_args(graph, node);
    cc_table_remove(graph, node, cc_hash(graph, op, args));
    canonical_args(graph, node);
    uint64_t h = cc_hash(graph, op, args);
    uint32_t twin = cc_lookup_hash(graph, h, op, args);
    if (twin == CC_NONE) {
        graph->n_rehashed++;
        cc_table_put(graph, node, h);
        cc_event(graph, node, CC_REARGED);
    } else {
        congruent(graph, node, twin, h);
    }
}

// A node with at most two arguments that needs a new hash: its arguments a and b,
// and the classes of these, if known.
struct rehash_task {
    uint32_t node, arity, a, b, to_a, to_b;
    uint64_t old, next;
};

// Returns false if the node stays as it is.
static bool again_set(struct cc *graph, struct rehash_task *rehash_task, uint32_t node)
{
    const struct enode *n = &graph->node.at[node];
    if (n->op & CC_DEAD)
        return false;
    rehash_task->node = node;
    rehash_task->arity = cc_arity(graph, node);
    if (rehash_task->arity > 2)
        return !is_canonical(graph, node);
    rehash_task->a = rehash_task->to_a = n->a;
    rehash_task->b = rehash_task->to_b = n->b;
    if (rehash_task->arity > 0)
        rehash_task->to_a = cc_find(graph, n->a);
    if (rehash_task->arity > 1)
        rehash_task->to_b = cc_find(graph, n->b);
    if (rehash_task->a == rehash_task->to_a && rehash_task->b == rehash_task->to_b)
        return false;
    uint32_t op = n->op & CC_OP;
    rehash_task->old = cc_hash2(op, rehash_task->a, rehash_task->b);
    rehash_task->next = cc_hash2(op, rehash_task->to_a, rehash_task->to_b);
    cc_prefetch(graph, rehash_task->old);
    cc_prefetch(graph, rehash_task->next);
    return true;
}

static void rehash_narrow(struct cc *graph, struct rehash_task *rehash_task)
{
    uint32_t node = rehash_task->node, op = graph->node.at[node].op & CC_OP;
    uint32_t a = cc_find(graph, rehash_task->to_a), free = 0;
    uint32_t b = rehash_task->arity > 1 ? cc_find(graph, rehash_task->to_b) : rehash_task->to_b;
    if (a != rehash_task->to_a || b != rehash_task->to_b)
        rehash_task->next = cc_hash2(op, a, b);
    cc_table_remove(graph, node, rehash_task->old);
    if (graph->journal.on && a != rehash_task->a)
        log_arg(graph, node, 0, rehash_task->a);
    if (graph->journal.on && b != rehash_task->b)
        log_arg(graph, node, 1, rehash_task->b);
    graph->node.at[node].a = a;
    graph->node.at[node].b = b;
    uint32_t home = cc_home(graph, rehash_task->next);
    uint32_t twin = cc_lookup2(graph, home, rehash_task->next, op, a, b, &free);
    if (twin == CC_NONE) {
        graph->n_rehashed++;
        cc_table_set(graph, free, rehash_task->next, node);
        cc_event(graph, node, CC_REARGED);
    } else {
        congruent(graph, node, twin, rehash_task->next);
    }
}

// In batches, so that the table's memory is asked for before it is needed.
static void rehash_above(struct cc *graph)
{
    enum { BATCH = 64 };
    struct rehash_task again[BATCH];
    for (uint32_t at = 0; at < graph->above.len; at += BATCH) {
        uint32_t n = graph->above.len - at < BATCH ? graph->above.len - at : BATCH;
        uint32_t m = 0;
        // A removed node leaves a mark in the table where it was.
        cc_table_reserve(graph, n);
        for (uint32_t i = at; i < at + n; i++) {
            if (i + 8 < graph->above.len) {
                __builtin_prefetch(&graph->node.at[graph->above.at[i + 8]]);
                __builtin_prefetch(&graph->node.at[graph->above.at[i + 8]].cls);
            }
            m += again_set(graph, &again[m], graph->above.at[i]);
        }
        for (uint32_t i = 0; i < m; i++)
            __builtin_prefetch(&graph->class_.at[graph->node.at[again[i].node].cls]);
        for (uint32_t i = 0; i < m; i++) {
            struct rehash_task *rehash_task = &again[i];
            const struct enode *node = &graph->node.at[rehash_task->node];
            if (node->op & CC_DEAD)
                continue;
            // It may have been done, by its other argument.
            if (rehash_task->arity <= 2 && node->a == rehash_task->a && node->b == rehash_task->b)
                rehash_narrow(graph, rehash_task);
            else if (!is_canonical(graph, rehash_task->node))
                rehash(graph, rehash_task->node);
        }
    }
    vec_clear(&graph->above);
}

static void join_members(struct cc *graph, uint32_t keep, uint32_t lose)
{
    struct eclass *class = &graph->class_.at[keep], *l = &graph->class_.at[lose];
    if (l->member == CC_NONE)
        return;
    uint32_t m = l->member;
    do {
        graph->node.at[m].cls = keep;
        if (!(graph->node.at[m].op & (CC_DEAD | CC_HIDDEN)))
            cc_event(graph, m, CC_MOVED);
        m = graph->next.at[m];
    } while (m != l->member);
    if (class->member == CC_NONE) {
        class->member = m;
    } else {
        uint32_t x = graph->next.at[class->member];
        graph->next.at[class->member] = graph->next.at[m];
        graph->next.at[m] = x;
    }
    class->n_nodes += l->n_nodes;
    class->n_dead += l->n_dead;
    class->ops |= l->ops;
    l->member = CC_NONE;
}

static void join_parents(struct cc *graph, uint32_t lose)
{
    uint32_t first = CC_NONE, last = CC_NONE, n = 0;
    uint32_t p = graph->class_.at[lose].parents;
    while (p != CC_NONE) {
        uint32_t next = *cc_place_link(graph, p), node = cc_place_node(graph, p);
        if (next != CC_NONE)
            __builtin_prefetch(&graph->node.at[cc_place_node(graph, next)]);
        if (graph->node.at[node].op & CC_DEAD) {
            graph->dead_edges--;
        } else {
            if (last == CC_NONE)
                first = p;
            else
                *cc_place_link(graph, last) = p;
            last = p;
            n++;
            vec_push(&graph->above, node);
        }
        p = next;
    }
    if (last == CC_NONE)
        return;
    struct eclass *class = &graph->class_.at[cc_find(graph, lose)];
    *cc_place_link(graph, last) = class->parents;
    class->parents = first;
    class->n_parents += n;
    class->uses |= graph->class_.at[lose].uses;
}

static void push_learned(struct cc *graph, uint32_t cls)
{
    if (graph->untold.len < graph->class_.len) {
        vec_reserve(&graph->untold, graph->class_.len);
        memset(graph->untold.at + graph->untold.len, 0, graph->class_.len - graph->untold.len);
        graph->untold.len = graph->class_.len;
    }
    if (graph->untold.at[cls])
        return;
    graph->untold.at[cls] = 1;
    vec_push(&graph->learned, cls);
}

// Tells the parents of a class that something was learned about the class.
static void learn_above(struct cc *graph, uint32_t cls)
{
    struct cc_analysis *analysis = &graph->analysis;
    for (uint32_t p = graph->class_.at[cls].parents; p != CC_NONE; p = *cc_place_link(graph, p)) {
        uint32_t node = cc_place_node(graph, p);
        if (graph->node.at[node].op & CC_DEAD)
            continue;
        if (analysis->learn(analysis->ctx, graph, node))
            push_learned(graph, cc_class(graph, node));
        if (!(graph->node.at[node].op & CC_HIDDEN))
            cc_event(graph, node, CC_ARG_KNOWS);
    }
}

static void learn_within(struct cc *graph, uint32_t cls)
{
    uint32_t first = graph->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (!(graph->node.at[m].op & (CC_DEAD | CC_HIDDEN)))
            cc_event(graph, m, CC_KNOWS);
        m = graph->next.at[m];
    } while (m != first);
}

static void join_knowledge(struct cc *graph, uint32_t keep, uint32_t lose)
{
    unsigned who = graph->analysis.join(graph->analysis.ctx, graph, keep, lose);
    if (who & CC_KEEP_LEARNED)
        push_learned(graph, keep);
    // While the lists are apart, for those of `keep` may be long.
    if ((who & CC_LOSE_LEARNED) || (lose < graph->untold.len && graph->untold.at[lose])) {
        learn_within(graph, lose);
        learn_above(graph, lose);
    }
}

// Memory for classes that are joined soon: they themselves, then the first of
// their nodes and of their parents.
static inline void dirty_ahead(const struct cc *graph, uint32_t i)
{
    enum { NEAR = 4, FAR = 8 };
    const struct u32_vec *list = &graph->dirty;
    if (i + FAR >= list->len)
        return;
    __builtin_prefetch(&graph->class_.at[list->at[i + FAR]]);
    __builtin_prefetch(&graph->class_.at[graph->up.at[list->at[i + FAR]]]);
    const struct eclass *class = &graph->class_.at[list->at[i + NEAR]];
    if (class->member != CC_NONE) {
        __builtin_prefetch(&graph->node.at[class->member]);
        __builtin_prefetch(&graph->next.at[class->member]);
        __builtin_prefetch(&graph->node.at[class->member].cls);
    }
    if (class->parents != CC_NONE && !(class->parents & CC_WIDE)) {
        __builtin_prefetch(&graph->node.at[class->parents >> 1]);
        __builtin_prefetch(&graph->edge.at[class->parents]);
    }
}

static void do_dirty(struct cc *graph)
{
    while (graph->dirty.len > 0) {
        for (uint32_t i = 0; i < graph->dirty.len; i++) {
            uint32_t lose = graph->dirty.at[i], keep = cc_find(graph, lose);
            dirty_ahead(graph, i);
            if (graph->analysis.join != NULL)
                join_knowledge(graph, keep, lose);
            join_members(graph, keep, lose);
            join_parents(graph, lose);
        }
        vec_clear(&graph->dirty);
        rehash_above(graph);
    }
}

// Dead and hidden nodes leave the rings, when they are many there.
static void unlink_dead(struct cc *graph)
{
    const uint32_t gone = CC_DEAD | CC_HIDDEN;
    for (uint32_t i = 0; i < graph->killed.len; i++)
        graph->class_.at[graph->node.at[graph->killed.at[i]].cls].n_dead++;
    for (uint32_t i = 0; i < graph->killed.len; i++) {
        if (i + 8 < graph->killed.len)
            __builtin_prefetch(&graph->node.at[graph->killed.at[i + 8]]);
        struct eclass *class = &graph->class_.at[graph->node.at[graph->killed.at[i]].cls];
        if (class->n_nodes == 0 || class->n_dead == 0 || 4 * class->n_dead < class->n_nodes)
            continue;
        uint32_t stay = class->member;
        while (graph->node.at[stay].op & gone)
            stay = graph->next.at[stay];
        uint32_t m = stay, ops = 0;
        do {
            uint32_t x = graph->next.at[m];
            ops |= cc_op_bit(graph->node.at[m].op);
            while (graph->node.at[x].op & gone)
                x = graph->next.at[x];
            graph->next.at[m] = x;
            m = x;
        } while (m != stay);
        class->member = stay;
        class->n_dead = 0;
        class->ops = ops;
    }
    vec_clear(&graph->killed);
}

static void compact_parents(struct cc *graph)
{
    for (uint32_t i = 0; i < graph->class_.len; i++) {
        graph->class_.at[i].parents = CC_NONE;
        graph->class_.at[i].n_parents = 0;
    }
    for (uint32_t i = 0; i < graph->node.len; i++)
        if (!(graph->node.at[i].op & CC_DEAD))
            cc_add_places(graph, i);
    graph->dead_edges = 0;
}

static void do_learned(struct cc *graph)
{
    struct cc_analysis *analysis = &graph->analysis;
    while (graph->n_learned < graph->learned.len && graph->dirty.len == 0 &&
           graph->n_entered == graph->node.len) {
        // A class that was merged since has given its turn to the class that it
        // is in.  Knowledge learned from the merged class comes later.
        uint32_t c = cc_find(graph, graph->learned.at[graph->n_learned++]);
        if (c >= graph->untold.len || !graph->untold.at[c])
            continue;
        graph->untold.at[c] = 0;
        // First, for the lists are those of c only until it is merged.
        learn_within(graph, c);
        learn_above(graph, c);
        if (analysis->modify != NULL)
            analysis->modify(analysis->ctx, graph, c);
    }
    if (graph->n_learned == graph->learned.len)
        graph->n_learned = graph->learned.len = 0;
}

static void enter_and_learn(struct cc *graph)
{
    uint32_t first = graph->n_entered;
    cc_enter_new(graph);
    if (graph->analysis.learn != NULL)
        for (uint32_t i = first; i < graph->node.len; i++)
            if (graph->analysis.learn(graph->analysis.ctx, graph, i))
                push_learned(graph, cc_class(graph, i));
}

void cc_rebuild_part(struct cc *graph)
{
    if (!graph->begun)
        cc_clear_marks(graph);
    graph->begun = true;
    enter_and_learn(graph);
    do_dirty(graph);
}

void cc_rebuild(struct cc *graph)
{
    if (!graph->begun)
        cc_clear_marks(graph);
    graph->begun = false;
    for (;;) {
        enter_and_learn(graph);
        do_dirty(graph);
        if (graph->learned.len > 0)
            do_learned(graph);
        if (graph->dirty.len == 0 && graph->n_entered == graph->node.len && graph->learned.len == 0)
            break;
    }
    unlink_dead(graph);
    if (graph->dead_edges > 64 && graph->dead_edges > graph->edge.len / 2)
        compact_parents(graph);
    graph->round++;
    graph->closed = true;
}
