// SPDX-License-Identifier: Apache-2.0
// Congruence closure over flat tables: the core of an e-graph.
//
// An e-node is an operator and the classes of its arguments.  Nodes and classes
// are 32-bit ids, dense from 0.  A node never leaves the table of nodes; of
// several congruent nodes the oldest is live, the others are dead.
//
//   node[n]    operator, up to two arguments (more: in wide[]), and
//              the class of the node, canonical if it is in a ring   16 bytes
//   next[n]    ring of the nodes of its class                         4
//   edge[2n+k] parent list: the next place where the class is used    8
//   slot       hash table of the live nodes, at most half full,     4 / 0.5
//              at most 4/5 if it is large                           4 / 0.8
//   up[c]      union-find                                             4
//   class_[c]  first parent, counts                                  32
//
// Adding and merging never look at the lists: they only fill the hash table,
// the union-find and a queue.  So lists and arguments stand still, as of the
// last cc_rebuild, while rules are matched and applied; cc_rebuild enters the
// new nodes, joins the lists of merged classes and restores congruence.
//
// I1  up leads from a merged class to the one it is in, without cycles;
//     n_classes lead nowhere, n_merges somewhere.
// I2  every live node, and nothing else, is in the hash table: once, under its
//     operator and arguments, where a search finds it.
// When closed:
// I3  the arguments of live nodes are canonical and no two live nodes are
//     congruent; a dead one is congruent to an older live one of its class.
// I4  each canonical class has a ring with each of its live nodes once, and
//     with dead and hidden ones that are not yet taken out; the counts agree.
//     The founder of a class, merged or not, is in it; founders ascend.
// I5  the parent list of a canonical class names each place of a live node that
//     has it as argument once, and dead_edges places of dead nodes in all.
//     `uses` and `ops` cover what is there (and what was there).
// I6  the journal (journal.h) connects exactly the nodes of each class, and
//     knows the first argument of each place that has another now.
// I7  `all` of an operator names its live nodes (and others), by age; the
//     events of the last rebuild are its nodes with a mark of CC_EVENTS, each
//     once.
#ifndef EGRAPH_CORE_CC_H
#define EGRAPH_CORE_CC_H

#include "base/err.h"
#include "base/memory/vec.h"
#include "egraph/core/journal.h"

#define CC_NONE UINT32_MAX
// More nodes, or more arguments of wide nodes, have no place in the tables, and
// cc_rebuild aborts the program.  Callers must check cc_full before adding nodes.
#define CC_MAX_NODES (UINT32_C(1) << 30)
#define CC_MAX_WIDE (UINT32_C(1) << 31)

// Flags in `op`: a dead node is congruent to a live one; a hidden one is in the
// table but not matched, counted or extracted.
#define CC_DEAD (UINT32_C(1) << 31)
#define CC_HIDDEN (UINT32_C(1) << 30)
#define CC_OP (~(CC_DEAD | CC_HIDDEN))
struct enode {
    uint32_t op;
    uint32_t a, b; // arguments; more than two: place in wide[], and how many
    uint32_t cls;
};

struct eclass {
    uint32_t parents; // a place, or CC_NONE
    uint32_t n_parents;
    uint32_t n_nodes; // not dead, not hidden
    uint32_t n_dead;  // and hidden, in the ring still
    uint32_t member;  // a node of the ring
    uint32_t founder; // the node that the class was made for; names the class in terms
    uint32_t uses;    // bits of the (operator, argument) of its parents
    uint32_t ops;     // bits of the operators of its nodes
};

static inline uint32_t cc_use_bit(uint32_t op, uint32_t arg)
{
    return UINT32_C(1) << ((2 * op + arg) & 31);
}

static inline uint32_t cc_op_bit(uint32_t op)
{
    return UINT32_C(1) << (op & 31);
}

// Events of a node in the last rebuild.  CC_KNOWS: the analysis learned something
// about the node's class.  CC_ARG_KNOWS: about the class of an argument.
enum {
    CC_MOVED = 1,
    CC_REARGED = 2,
    CC_LOGGED_A = 4,
    CC_LOGGED_B = 8,
    CC_KNOWS = 16,
    CC_ARG_KNOWS = 32,
    // During a search: it had an event since the last one, and was looked at.
    CC_SOUGHT = 64,
    CC_PASSED = 128,
    CC_EVENTS = CC_MOVED | CC_REARGED | CC_KNOWS | CC_ARG_KNOWS
};

struct cc_op {
    uint32_t arity;
    uint32_t listen;       // events to log
    struct u32_vec all;    // its nodes by age; may name dead ones
    struct u32_vec events; // nodes that moved or changed arguments
    uint32_t round_events; // those of the last round begin here
    uint64_t event_base;   // number of events that were dropped
};

// Knowledge about classes, kept by the caller (egg: e-class analysis).  All are
// called by cc_rebuild only.  Classes are modified in the order in which they
// learned, so before those that learned from them.
struct cc;
enum { CC_KEEP_LEARNED = 1, CC_LOSE_LEARNED = 2 };
struct cc_analysis {
    void *ctx;
    // Called when a node was entered or the class of an argument learned something.
    // Returns true if the node's class learned something.  May hide the node.
    bool (*learn)(void *ctx, struct cc *graph, uint32_t node);
    // Called when `lose` is merged into `keep`, while their rings are still apart.
    // Returns which of the two learned something (CC_KEEP_LEARNED, ..).  May hide.
    unsigned (*join)(void *ctx, struct cc *graph, uint32_t keep, uint32_t lose);
    // Called when the class has learned something.  May add, merge and hide.
    void (*modify)(void *ctx, struct cc *graph, uint32_t cls);
    // Bytes that the knowledge about so many classes takes; may be NULL.
    uint64_t (*bytes)(void *ctx, uint32_t classes);
};

struct cc {
    VEC(struct enode) node;
    struct u32_vec next, edge;
    VEC(uint8_t) mark; // CC_MOVED ..
    struct u32_vec wide, wide_next, wide_node;
    struct u32_vec up; // by class: itself when canonical
    VEC(struct eclass) class_;
    struct u32_vec slot; // the hash table, as tables.h describes it
    uint32_t id_mask;    // of a slot: bits of the node
    uint32_t n_used;     // slots that are not free
    VEC(struct cc_op) op;
    struct u32_vec eventful; // operators with events of the last round
    struct u32_vec dirty;    // classes that were merged into others
    struct u32_vec learned;  // classes whose knowledge grew, oldest first
    uint32_t n_learned;      // of these: done
    VEC(uint8_t) untold;     // by class: is it among these?
    struct u32_vec killed, above;
    uint32_t n_entered; // nodes that are in the lists
    uint32_t n_live;    // neither dead nor hidden
    uint32_t n_classes;
    uint32_t n_merges;
    uint64_t n_rehashed; // entries of the table that are not a node's first
    uint32_t round;      // calls of cc_rebuild
    uint64_t dead_edges;
    bool closed;
    bool begun; // a rebuild
    struct cc_analysis analysis;
    struct journal journal;
};

void cc_init(struct cc *graph, bool journal);
void cc_release(struct cc *graph);
// A new operator; ids count from 0.
uint32_t cc_op_new(struct cc *graph, uint32_t arity);
// Bytes of the tables: now, and after a rebuild with so many more nodes.  The
// scratch memory of the rebuild itself is not counted.
uint64_t cc_bytes(const struct cc *graph);
uint64_t cc_bytes_with(const struct cc *graph, uint32_t more);

// The canonical class; halves the path on the way.
static inline uint32_t cc_find(struct cc *graph, uint32_t c)
{
    uint32_t *up = graph->up.at;
    while (up[c] != c) {
        up[c] = up[up[c]];
        c = up[c];
    }
    return c;
}
static inline uint32_t cc_class(struct cc *graph, uint32_t node)
{
    return cc_find(graph, graph->node.at[node].cls);
}
// True if there is no room for so many nodes with so many wide arguments in all.
static inline bool cc_full(const struct cc *graph, uint64_t nodes, uint64_t wide)
{
    return graph->node.len + nodes > CC_MAX_NODES || graph->wide.len + wide > CC_MAX_WIDE;
}
static inline uint32_t cc_arity(const struct cc *graph, uint32_t node)
{
    return graph->op.at[graph->node.at[node].op & CC_OP].arity;
}
// Valid until the next cc_add.
static inline const uint32_t *cc_args(const struct cc *graph, uint32_t node)
{
    const struct enode *n = &graph->node.at[node];
    return graph->op.at[n->op & CC_OP].arity > 2 ? graph->wide.at + n->a : &n->a;
}

// The node with these arguments (canonical classes), or CC_NONE.
uint32_t cc_lookup(const struct cc *graph, uint32_t op, const uint32_t *args);
// Adds a node that cc_lookup does not find, to class `cls`, or to a new one
// where that is CC_NONE.
uint32_t cc_insert(struct cc *graph, uint32_t op, const uint32_t *args, uint32_t cls);
// Both; arguments need not be canonical.
uint32_t cc_add(struct cc *graph, uint32_t op, const uint32_t *args);
// Adds a node and a class of which the node is the founder, for exactly these
// arguments: the classes need not be canonical.  If a congruent node exists, the
// new node is dead from birth, on no list and in no ring, and the two classes are
// merged.
uint32_t cc_insert_exact(struct cc *graph, uint32_t op, const uint32_t *args);
// Merges two classes.  Returns false if they were one class already.  Callers
// write the journal entry.
bool cc_union(struct cc *graph, uint32_t a, uint32_t b);
// The same for the classes of two nodes, with the journal entry: for a reason of
// the caller (JOURNAL_GIVEN with the caller's number x, JOURNAL_AC),
bool cc_union_given(struct cc *graph, uint32_t kind, uint32_t a, uint32_t b, uint32_t reason);
// because the node has the value of node `value` when its arguments have those
// of arg[] (CC_NONE: whatever it is).  An argument and its arg[] must be in one
// class by now: then explanations end.
bool cc_union_fold(struct cc *graph, uint32_t node, uint32_t value, const uint32_t *arg);
void cc_hide(struct cc *graph, uint32_t node);
void cc_rebuild(struct cc *graph);
// Begins a rebuild, which cc_rebuild ends: nodes and merges so far are closed
// under congruence; knowledge that was learned waits.  Callers must not do this
// while rules are matched.
void cc_rebuild_part(struct cc *graph);

// Places: the uses of a class.  for (p = class_[c].parents; p != CC_NONE;
// p = cc_next_place(g, p)) cc_place_node(g, p)
#define CC_WIDE (UINT32_C(1) << 31)
static inline uint32_t cc_place_node(const struct cc *graph, uint32_t p)
{
    return p & CC_WIDE ? graph->wide_node.at[p & ~CC_WIDE] : p >> 1;
}
static inline uint32_t *cc_place_link(struct cc *graph, uint32_t p)
{
    return p & CC_WIDE ? &graph->wide_next.at[p & ~CC_WIDE] : &graph->edge.at[p];
}

// The invariants, I1 and I2 alone where the graph is not closed; of I6 only
// the arguments: why_check knows the rest.
bool cc_check(const struct cc *graph, struct err *err);

#endif
