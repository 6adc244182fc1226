// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes in other orders of dimensions, by the law LIFT.  An elementwise
// node has as many orders as its result has dimensions to permute; a node in another
// order is made only if it takes an operand in an order that the graph has already.
#ifndef EGRAPH_PROGRAM_TURN_H
#define EGRAPH_PROGRAM_TURN_H

#include "egraph/program/egraph.h"

// All operands of the elementwise node are transposes by one permutation: so is the node.
void turn_result(struct egraph *graph, term_id node);
// The transpose of an elementwise node with an operand whose transpose is there, too.
void turn_operands(struct egraph *graph, term_id transpose);

#endif
