// SPDX-License-Identifier: Apache-2.0
// Operators on slices, and the same on whole tensors of sizes "?" (tensor/dynamic/slices.h).
//
// An operator works slice by slice if every slice of its result is made of the slices of its
// operands at the same index of the sizes "?", in their order, and of operands of known sizes:
//   - an elementwise one;
//   - a reduction, a reversal or a concatenation along dimensions of known size;
//   - a transpose that keeps the order of the sizes "?";
//   - a broadcast that takes these to those of the result, in order;
//   - a reshape where they stand in front, in the operand and in the result;
//   - dot_general, where they are batch dimensions of both operands, or are neither summed nor
//     batch dimensions of the only operand that has some.
// Elements of a slice are computed in the order in which those of the whole are.
#ifndef TENSOR_DYNAMIC_WHOLE_H
#define TENSOR_DYNAMIC_WHOLE_H

#include "tensor/language/operation.h"

#define WHOLE_OPERANDS 16 // most operands

// The attributes on whole tensors of an operator with these attributes on slices; types of the n
// operands and of the result are the whole ones, some of the operands of known sizes.  False: the
// operator does not work slice by slice on these, or does not have that result.
bool whole_attr(struct pool *pool, struct operation on_slices, const type_id *types, attr_id *out);
// The other way.  The type of the operation is that of the whole result.
bool slice_attr(struct pool *pool, struct operation on_whole, const type_id *types, attr_id *out);

#endif
