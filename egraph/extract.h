// SPDX-License-Identifier: Apache-2.0
// Extraction: for given roots the cheapest terms of their classes.
//
//   tree   least tree cost for every class (exact for tree cost): Knuth's
//          generalisation of Dijkstra, shared subterms are paid every time
//   dag    greedy with cost sets: shared subterms are paid once; not optimal.
//          The better, by DAG cost, of this and `tree` is returned.
//
// Costs compare as (cost, nodes, id of the node): every node counts, so no
// cycle is ever free, and ties go to the smaller and then to the older term.
#ifndef EGRAPH_EXTRACT_H
#define EGRAPH_EXTRACT_H

#include "egraph/cost.h"
#include "egraph/egraph.h"

enum extract_method { EXTRACT_TREE, EXTRACT_DAG };

struct extracted {
    class_id root; // class
    term_id node;  // the node chosen for it
    term_id term;  // the result term, arguments replaced by chosen terms
};
struct extraction {
    VEC(struct extracted) at; // reachable classes, arguments first
    double tree_cost, dag_cost;
    bool limited; // the dag method ran out of memory budget; tree was used
};

// out[i] = the term for roots[i] (any member of a class).  The graph must be
// closed.  Result terms are made in the store and registered, so that each can
// be explained: explain(g, roots[i], out[i]).  *x must be zero or released.
bool extract(struct egraph *g, const struct cost *c, enum extract_method m,
             uint32_t n_roots, const term_id *roots, term_id *out,
             struct extraction *x, struct err *e);
void extraction_release(struct extraction *x);

#endif
