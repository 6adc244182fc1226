// SPDX-License-Identifier: Apache-2.0
// The shape rules: the type of a node from its operator, attributes and
// operand types, and every condition of well-definedness (StableHLO's
// constraints).  One function; readers, rules, the e-graph and the checker all
// build nodes through it.
#ifndef TENSOR_SHAPE_INFER_H
#define TENSOR_SHAPE_INFER_H

#include "tensor/language/operation.h"

// The type of the operation is NO_TYPE or the expected type.  An expected type is required for parameter,
// constant, iota, convert (element type taken, shape compared),
// broadcast_in_dim, opaque; for the others the inferred type is compared with
// it when given.  select accepts a rank-0 predicate, clamp rank-0 bounds.
// reduce's init has rank 0 and the input's element type.  broadcast_in_dim:
// dims distinct and in range; operand dim is 1 or equals the result dim.
// slice: 0 <= start <= limit <= size, stride >= 1.  pad: interior >= 0, result
// sizes >= 0, value rank 0.  concatenate: at least one operand.
// Fails with ERR_INPUT and one sentence naming what was expected and found.
bool infer_type(struct pool *pool, struct operation operation, const type_id *args, type_id *out,
                struct err *err);

// Result sizes of slice and pad along one axis, false if it is not
// well-defined or does not fit in 62 bits.
bool slice_size(int64_t n, int64_t start, int64_t limit, int64_t stride, int64_t *out);
bool pad_size(int64_t n, int64_t low, int64_t high, int64_t interior, int64_t *out);

#endif
