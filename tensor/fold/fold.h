// SPDX-License-Identifier: Apache-2.0
// Constant folding: the literal of a node if all its operands are literals.  A splat
// stays a splat, of any size.  A dense result has at most `max_count` elements.
//
// The literal is bit for bit the result of eval_node, if there is one:
//   - Transcendental operators are folded only at obvious points, such as exp 0 = 1.
//     Implementations differ in the last bits elsewhere.
//   - READ_FLOAT: a sum or product of floats is folded only if every order of its
//     elements gives the same result.
//   - READ_REAL: the fold holds over the reals too.  No operation may round, overflow or
//     make a NaN.  Arithmetic refuses operands and results that are NaN or infinite.
//     Data movement and select accept them.
//
// The e-graph folds with this function, and the proof checker folds again with it.
#ifndef TENSOR_FOLD_FOLD_H
#define TENSOR_FOLD_FOLD_H

#include "tensor/program/term.h"

struct fold_options {
    enum float_reading reading;
    uint64_t max_count; // elements of a dense result; TENSOR_FOLD_ELEMENTS
};

// False if the node cannot be folded, which is never an error.
bool fold_node(struct pool *pool, struct operation operation, const lit_id *args,
               const type_id *arg_types, struct fold_options options, lit_id *out);

#endif
