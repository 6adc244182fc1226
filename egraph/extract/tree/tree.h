// SPDX-License-Identifier: Apache-2.0
// Least tree cost.  Component by component: a class that is alone takes its
// cheapest node; inside a component Knuth's generalisation of Dijkstra settles
// the cheapest class first, and a node is a candidate once what it needs is
// settled, so the choices are acyclic whatever the numbers are.
//
// Exact where no node inside a component of several classes falls below zero
// without what it needs from that component; elsewhere good, not proved.
// Costs compare as (cost, nodes, number of the node).
#ifndef EGRAPH_EXTRACT_TREE_TREE_H
#define EGRAPH_EXTRACT_TREE_TREE_H

#include "egraph/extract/problem/space.h"

// Changes to the prices.  A fixed class keeps its choice and costs its users
// nothing; fixed classes need only fixed classes.  `share`, per class, NULL: 1, is
// the part of a class's price that each user pays.  A class whose tree has more than
// `most` nodes costs its users nothing, 0: any number.
struct tree_guide {
    const bool *fixed;
    const double *share;
    double most;
};

// Writes the node of each class of the space and the cost of its tree.  Returns
// true if the costs are proved least, up to the rounding of sums.  With a guide
// nothing is proved.
bool tree_choose(const struct space *space, const struct tree_guide *tree_guide, uint32_t *choice,
                 struct price *price);

// The whole method.  Callers initialise *out and call solution_check.  `optimal` and
// `bound` are about the tree cost.  `optimal` is false if the cost does not fit into
// a double.
bool tree_solve(const struct problem *problem, struct solution *out, struct err *err);

#endif
