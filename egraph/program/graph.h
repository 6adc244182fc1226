// SPDX-License-Identifier: Apache-2.0
// The data of an e-graph over tensor terms.  Everything is read here, and
// written by egraph.c, rebuild.c, orbit.c and egraph/program/constants.c only.
//
// The closure itself is cc.h's.  Every registered term has a node of its own
// there, and a class of its own at birth, so that node and class ids are one
// row of numbers:
//   node_of[]  by term: its node, or NO_NODE
//   node[]     by node: its term, its news
//   class_[]   by class: knowledge about the class, valid at canonical classes
//   key[]      by operator of cc.h: operator, attributes, type, arguments
//
// E1  node_of and node[].term are inverse to each other; the node of a term has
//     the operator of its key and is the founder of the class of its number.
// E2  the arguments of a live node are the classes of its term's arguments.
// E3  all terms of a class have one type; `oldest` is its first node and
//     `constant` a constant term of it, if it has one.
#ifndef EGRAPH_PROGRAM_GRAPH_H
#define EGRAPH_PROGRAM_GRAPH_H

#include "egraph/core/cc.h"
#include "egraph/program/explain.h"
#include "tensor/program/term.h"

typedef struct {
    uint32_t v;
} class_id;
#define NO_CLASS ((class_id){UINT32_MAX})
#define NO_NODE UINT32_MAX

struct egraph_options {
    bool fold;                  // constant folding
    enum float_reading reading; // which folds hold (fold.h)
    uint64_t fold_count;        // most elements of a folded dense literal
    // Most bytes of a constant that extraction may choose, copies of one element
    // included; 0 = any.  See constants.h.
    uint64_t constant_bytes;
    uint32_t max_nodes; // limits of egraph_full; 0 = none
    uint64_t max_bytes;
    double deadline; // on clock_wall(); 0 = none
};

#define NEWS_MASK UINT32_C(0x7FFFFFFF)
struct graph_node {
    uint32_t term;
    uint32_t news : 31; // round in which it came, or its class went into another
                        // or became a transpose of one, or one of an argument
    uint32_t folded : 1;
};

struct class_data {
    uint32_t oldest;      // node
    uint32_t changed;     // round of the last change
    term_id constant;     // a constant term of the class, or NO_TERM
    term_id splat;        // s of a broadcast_in_dim(s, []) in it, or NO_TERM
    uint32_t n_broadcast; // broadcast_in_dim nodes that joined it
    uint32_t n_reshape;   // reshape nodes that joined it
    // Orbit (orbit.h): this class = transpose(leader, perm).
    uint32_t leader; // node
    attr_id perm;
    uint32_t orbit_next, orbit_prev; // ring of the classes of the orbit
    uint32_t orbit_size;             // by number of the leader
};

struct layout_task { // a transpose(transpose(x, p), q) to compose
    term_id term;
    attr_id p, q;
};

struct egraph {
    struct terms *terms; // borrowed
    struct egraph_options opt;
    struct cc cc;
    struct u32_vec node_of;
    VEC(struct graph_node) node;
    VEC(struct class_data) class_;
    VEC(struct operation) key;        // type: NO_TYPE where it is inferred
    struct operator_entry *operators; // by their keys
    VEC(struct reason) given;         // from outside: what the journal's numbers mean
    VEC(struct layout_task) layouts;
    uint32_t n_seen;        // nodes from here on wait for laws and folding
    struct u32_vec again;   // nodes that wait for a second look
    struct u32_vec touched; // classes whose parents need layout or folding
    bool closed;
    bool complete;        // orbit_complete was called
    uint32_t round;       // counts egraph_rebuild calls; stamps of `changed`
    uint32_t n_twins;     // terms that had a congruent one when they came
    uint32_t n_conflicts; // merges of two different constants
};

#endif
