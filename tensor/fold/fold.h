// SPDX-License-Identifier: Apache-2.0
// Constant folding: the literal of a node all of whose operands are literals.
// Splats stay splats of any size; dense results are made up to `max_count`
// elements.  In exact mode a float result is given only if no operation
// rounded, overflowed or made a NaN, so that the fold holds over the reals too;
// arithmetic then refuses operands and results that are NaN or infinite (data
// movement and select do not), and of the transcendental operators only obvious
// points (exp 0 = 1 and the like) are folded.  Otherwise the literal is bit for
// bit what eval_node gives.
// The e-graph folds with this function and the proof checker re-folds with it.
#ifndef TENSOR_FOLD_FOLD_H
#define TENSOR_FOLD_FOLD_H

#include "tensor/program/term.h"

struct fold_options {
    bool exact;
    uint64_t max_count; // elements of a dense result; TENSOR_FOLD_ELEMENTS
};

// False when the node cannot be folded (never an error).
bool fold_node(struct pool *pool, struct operation operation, const lit_id *args,
               const type_id *arg_types, struct fold_options options, lit_id *out);

#endif
