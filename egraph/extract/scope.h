// SPDX-License-Identifier: Apache-2.0
// In which scopes a class of an e-graph has a term.  A class can have terms that need
// different scopes: all empty tensors of a type are equal, and one is a parameter of a
// loop.  Extraction for a scope must choose among the terms that the scope has.
//
// The scopes of a class are the outermost ones in which a term can be built from it; none is
// inside another.  They are the least fixed point over all nodes (tensor/program/region.h says
// what a node needs).
#ifndef EGRAPH_EXTRACT_SCOPE_H
#define EGRAPH_EXTRACT_SCOPE_H

#include "egraph/program/egraph.h"

struct scope_entry {
    uint32_t scope, next; // next: index + 1
};

struct class_scopes {
    struct egraph *graph;
    struct u32_vec of; // by the oldest node of a class: list, + 1
    VEC(struct scope_entry) list;
};

// The graph must be closed.  Terms that are registered later must belong to classes of now.
void class_scopes_init(struct class_scopes *scopes, struct egraph *graph);
void class_scopes_release(struct class_scopes *scopes);
// The scope of the class that `scope` has, or SCOPE_NONE.  It is the outermost one, so that
// what a loop need not compute is computed outside; but a function does not do without
// its own parameters.
uint32_t class_scope(const struct class_scopes *scopes, class_id class, uint32_t scope);
// Can the node be computed in `scope`, every argument from some node of its class?
bool node_in_scope(const struct class_scopes *scopes, term_id node, uint32_t scope);

#endif
