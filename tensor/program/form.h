// SPDX-License-Identifier: Apache-2.0
// Operations on tensors of sizes "?", and operations whose attributes are operands.
//
// A type with "?" is carried as text (ELEM_OTHER), and its operations are opaque.  Where a reader
// knows which operator such an operation is, the program has a FORM for the operation's text:
// the operator, and the attributes that the text gives.  Once the sizes of the operands are
// known, the form is an operation like any other:
//
//   D1  A value of type T with "?" is a tensor of some sizes that T allows.  An operation that
//       gets operands for which its operator has no result of a type that it declares means
//       nothing, so a rewrite may say anything about it.
//   D2  A CAST is "stablehlo.convert" from a tensor type S to a type with "?" that allows S: the
//       value is the same.  It keeps the types of statements together.
//   D3  Operation a with a form equals the operator of the form on the operands behind casts, and
//       a cast of that if a's type has "?".  That is D1 and D2, and what an operand that stands
//       for an attribute says: StableHLO defines dynamic_reshape, dynamic_pad and so on by the
//       operators that they are for constants.
#ifndef TENSOR_PROGRAM_FORM_H
#define TENSOR_PROGRAM_FORM_H

#include "tensor/program/program.h"

#define FORM_LISTS 3 // most operands that stand for attributes

// The types of operands, and the numbers of those that stand for attributes.
struct form_operands {
    uint32_t n; // of the operation, with those that stand for attributes
    const type_id *type;
    struct i64_vec list[FORM_LISTS];
    bool given[FORM_LISTS]; // the numbers are known
};

// The sizes of a type, -1 for "?".  False: it is no tensor of elements that terms have, or
// says more than sizes and their bounds.
bool shape_of_type(const struct pool *pool, type_id type, enum elem *elem, uint32_t *rank,
                   int64_t dims[TENSOR_MAX_RANK]);
// The same, and the most that each size "?" may be by #stablehlo.bounds; 0: nothing is said.
bool bounds_of_type(const struct pool *pool, type_id type, enum elem *elem, uint32_t *rank,
                    int64_t dims[TENSOR_MAX_RANK], int64_t bounds[TENSOR_MAX_RANK]);
bool type_is_dynamic(const struct pool *pool, type_id type); // has a size "?"
// Can a value of the tensor type be one of `type`?
bool type_allows(const struct pool *pool, type_id type, type_id tensor);

// The form of the operation with this attribute, or NULL.
const struct op_form *op_form_of(const struct program *program, attr_id opaque);
// Enters the form of a text, unless it has one.
void op_form_add(struct program *program, sym_id text, struct op_form form);
// The operation that the form is on operands of these tensor types; false: not known, or none.
// The type of *out is the result's, a tensor.  `declared` is the type of the operation.  Not of
// N_OPS, the size of a dimension.
bool form_operation(struct pool *pool, const struct op_form *form,
                    const struct form_operands *operands, type_id declared, struct operation *out);
void form_operands_release(struct form_operands *operands);

// Is the node a cast (D2)?
bool term_is_cast(const struct terms *terms, term_id id);
// What the opaque node equals by D3, made if it is new: its operands are tensors or casts, and
// constants where they stand for attributes.  NO_TERM: not known.
term_id form_refine(const struct program *program, struct terms *terms, term_id id);

#endif
