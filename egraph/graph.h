// SPDX-License-Identifier: Apache-2.0
// The data of an e-graph.  Everything is read here, and written by egraph.c,
// rebuild.c, orbit.c and analysis.c only.
//
// Of several congruent terms one is LIVE, the oldest; the others stay members
// of the class but are on no list.  Flat arrays, indexed by term id:
//   node[]    state of a term: ring of the live nodes of its class, hash
//   class_[]  data of a class, valid at its root
//   edge[]    parent lists: singly linked (node that has the class as argument)
//   slot[]    congruence table: open addressing, id + 1 of live nodes
//   by_op[]   for each operator its terms in order of registration
// A class has a `label`, which stands for it in hashes.  When classes merge,
// the one with fewer parents gives up its label and only its parents are
// hashed again, whichever root survives.
//
// I1  roots are oldest (unionfind.h).
// I2  every live node is in the congruence table exactly once, under the hash
//     of its operator, attributes, type and the labels of its arguments.
// I3  congruent terms share a class; exactly one of them is live.
// I4  the rings partition the live nodes by class; counts agree; the root of a
//     class is live; all terms of a class have one type.
// I5  the parent list of a class names every live node that has it as argument.
// I6  every merge has a reason: the forest of explain.h connects exactly the
//     terms of each class.
#ifndef EGRAPH_GRAPH_H
#define EGRAPH_GRAPH_H

#include "egraph/explain.h"
#include "egraph/unionfind.h"
#include "tensor/term.h"

struct egraph_options {
    bool fold;           // constant folding
    bool fold_exact;     // only folds that hold over the reals too (fold.h)
    uint64_t fold_count; // most elements of a folded dense literal
    uint32_t max_nodes;  // limits of egraph_full; 0 = none
    uint64_t max_bytes;
    double deadline; // on clock_wall(); 0 = none
};

enum { NODE_KNOWN = 1, NODE_LIVE = 2, NODE_FOLDED = 4 };
struct node {
    uint32_t next, prev; // ring of the live nodes of the class
    uint32_t hash;       // under which it is in the table, if live
    uint32_t flags;
    uint32_t born; // round in which it was registered
};

struct class_data {
    uint32_t label;
    uint32_t parents, parents_end, n_parents; // edges; NO_EDGE
    uint32_t n_live, size;                    // live nodes; all terms
    uint32_t changed;                         // round of the last change
    term_id constant;     // a constant term of the class, or NO_TERM
    term_id splat;        // s of a broadcast_in_dim(s, []) in it, or NO_TERM
    uint32_t n_broadcast; // broadcast_in_dim nodes that joined it
    // Orbit (orbit.h): this class = transpose(leader, perm).
    term_id leader;
    attr_id perm;
    uint32_t orbit_next, orbit_prev; // ring of the classes of the orbit
};

#define NO_EDGE UINT32_MAX
struct edge {
    uint32_t node, next;
};

struct pending { // parents that must be hashed again: edges from..to
    uint32_t from, to;
};
struct layout_task { // transpose(transpose(x, p), q) is to be composed
    term_id x;
    attr_id p, q;
};

struct egraph {
    struct terms *terms; // borrowed
    struct egraph_options opt;
    struct uf uf;
    VEC(struct node) node;
    VEC(struct class_data) class_;
    VEC(struct edge) edge;
    struct u32_vec slot;
    struct u32_vec by_op[N_OPS];
    struct forest forest; // explain.h
    VEC(struct pending) pending;
    VEC(struct layout_task) layouts;
    struct u32_vec fresh;      // terms not yet seen by layout laws and analysis
    struct u32_vec touched;    // roots whose parents need layout or folding
    struct u32_vec orbit_size; // by leader term
    uint32_t dead_edges;       // at most so many edges name nodes that died
    bool closed;
    uint32_t round;   // counts egraph_rebuild calls; stamps of `changed`
    uint32_t n_nodes; // live
    uint32_t n_known; // registered terms, live or not
    uint32_t n_classes;
    uint32_t n_merges;    // merges that joined two classes
    uint32_t n_conflicts; // merges of two different constants
};

#endif
