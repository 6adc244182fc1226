// SPDX-License-Identifier: Apache-2.0
// The shape rules: the type of a node from its operator, attributes and operand types,
// and every condition of well-definedness (StableHLO's constraints).  Readers, rules,
// the e-graph and the checker all build nodes through infer_type.
#ifndef TENSOR_SHAPE_INFER_H
#define TENSOR_SHAPE_INFER_H

#include "tensor/language/operation.h"

// The type of a node.  The type of the operation is NO_TYPE or the expected type.  These
// operators need an expected type: parameter, constant, iota, convert (its element type
// is taken, its shape is compared), broadcast_in_dim, reshape, bitcast_convert, opaque.
// For the other operators the inferred type must equal the expected type, if given.
//
//   select            accepts a rank-0 predicate
//   clamp             accepts rank-0 bounds
//   reduce            init has rank 0 and the input's element type
//   broadcast_in_dim  dims distinct and in range; operand dim is 1 or the result dim
//   slice             0 <= start <= limit <= size, stride >= 1
//   pad               interior >= 0, result sizes >= 0, value of rank 0
//   concatenate       at least one operand
//
// Fails with ERR_INPUT and one sentence: expected X, found Y.
bool infer_type(struct pool *pool, struct operation operation, const type_id *args, type_id *out,
                struct err *err);

// Result sizes of slice and pad along one axis.  False if the size is not well-defined
// or does not fit in 62 bits.
bool slice_size(int64_t n, int64_t start, int64_t limit, int64_t stride, int64_t *out);
bool pad_size(int64_t n, int64_t low, int64_t high, int64_t interior, int64_t *out);

#endif
