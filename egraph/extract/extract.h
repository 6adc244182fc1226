// SPDX-License-Identifier: Apache-2.0
// Extraction from the e-graph of tensor terms: its part that the roots reach
// becomes a problem (problem.h), the solution becomes terms again.
//
//   tree   least tree cost (egraph/extract/tree/tree.h)
//   dag    low DAG cost, by search (egraph/extract/dag/dag.h)
//   exact  least DAG cost, or the best found in EGRAPH_EXACT_STEPS (exact.h)
//
// Every node counts besides its cost, so no cycle is ever free; ties go to the
// smaller and then to the older term.
#ifndef EGRAPH_EXTRACT_EXTRACT_H
#define EGRAPH_EXTRACT_EXTRACT_H

#include "egraph/extract/cost.h"
#include "egraph/extract/scope.h"
#include "egraph/program/egraph.h"

enum extract_method { EXTRACT_TREE, EXTRACT_DAG, EXTRACT_EXACT };

struct extracted {
    class_id root; // class
    term_id node;  // the node chosen for it
    term_id term;  // the result term, arguments replaced by chosen terms
};
struct extraction {
    VEC(struct extracted) at; // reachable classes, arguments first
    double tree_cost, dag_cost;
    bool proved; // least in what the method minimises
};

struct extract_request {
    const struct cost *model;
    enum extract_method method;
    uint32_t n_roots;
    const term_id *roots; // any members of their classes
    // The last ones are operations with a side effect, and stay so.
    uint32_t n_effects;
    // Only terms that `scope` has are chosen; NULL: any terms.
    const struct class_scopes *scopes;
    uint32_t scope;
};

// Sets out[i] to the term for roots[i].  The graph must be closed.  The terms
// are made in the store and registered, so that explain can prove each equal to
// its root.  *extraction must be zero or released.
bool extract(struct egraph *graph, const struct extract_request *request, term_id *out,
             struct extraction *extraction, struct err *err);
void extraction_release(struct extraction *extraction);

#endif
