// SPDX-License-Identifier: Apache-2.0
// The nodes of a plan that was evaluated: their values, and how they combine elements.
#ifndef VERIFY_COUNTEREXAMPLE_ROUNDING_NODES_H
#define VERIFY_COUNTEREXAMPLE_ROUNDING_NODES_H

#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"

struct cex_nodes {
    const struct cex_evaluator *evaluator;
    const struct eval_plan *plan;
};

static inline bool is_machine_float(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem);
}

const struct term *nodes_term(const struct cex_nodes *nodes, uint32_t at);
uint32_t nodes_place(const struct cex_nodes *nodes, term_id id);
// The place of an operand.
uint32_t nodes_operand(const struct cex_nodes *nodes, uint32_t at, uint32_t k);
enum elem nodes_elem(const struct cex_nodes *nodes, uint32_t at);
int64_t nodes_count(const struct cex_nodes *nodes, uint32_t at);
// An element; of a node without axes the one that it has.
double nodes_element(const struct cex_nodes *nodes, uint32_t at, int64_t i);
// The greatest magnitude of the finite elements, or 0.
double nodes_most(const struct cex_nodes *nodes, uint32_t at);
// The operator by which a node combines elements; N_OPS if it combines none, or if the order does
// not matter.  `products`: it sums products of two operands' elements.
enum op nodes_reducer(const struct cex_nodes *nodes, uint32_t at, bool *products);
// Does the node move or pick elements?
bool nodes_is_move(const struct cex_nodes *nodes, uint32_t at);

// Over the reals: how far the elements of each node are from the real numbers for which they
// stand, at most, into `off`.  False if floats do not tell what some node is (reals.c).
bool nodes_real_errors(const struct cex_nodes *nodes, double *off);

#endif
