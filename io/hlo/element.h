// SPDX-License-Identifier: Apache-2.0
// Names of HLO: element types and operations.
#ifndef IO_HLO_ELEMENT_H
#define IO_HLO_ELEMENT_H

#include "base/text/buf.h"
#include "tensor/language/op.h"
#include "io/limits.h"
#include "tensor/language/pool.h"

// The element type of this name.  ELEM_OTHER: HLO has it, terms do not.
bool hlo_element(const char *name, size_t n, enum elem *out);
// The shape with its layout ("": the default one, which is not written).
void hlo_put_type(const struct pool *pool, type_id type, const char *layout, struct buf *out);

void hlo_put_element(enum elem elem, struct buf *out);
// The length of the bracket {..} at the start of the text; 0: none.
size_t hlo_bracket_length(const char *text);
// The length of the shape at the start of the text, with its layout.
size_t hlo_shape_length(const char *text);

// The operator of this opcode.  Constants and parameters are no operators here.
bool hlo_op(const char *opcode, size_t n, enum op *out);
// The opcode of an operator, such as broadcast of broadcast_in_dim.
void hlo_put_opcode(enum op op, struct buf *out);
// Does the operation's result depend on operands, attributes and called computations
// only, so that no program can observe that it is left out or done twice?
bool hlo_is_pure(const char *opcode, size_t n);

// Helpers are instructions that the printer adds where HLO has no single instruction for
// a term, marked by the op_name of their metadata, "rankwright.helper".  A reader may
// take the term from the helper's operand, which has an equal meaning; it checks that.
//
//   broadcast_in_dim(x, dims) that repeats an axis of size 1:
//       %r = .. reshape(%x), metadata={op_name="rankwright.helper 0,1"}   0,1: dims
//       %b = .. broadcast(%r), dimensions={1}
//   broadcast_in_dim(c, []) of a constant, which else is read as a constant:
//       %r = .. reshape(%c), metadata={op_name="rankwright.helper"}
//   a value in the layout in which an opaque instruction or the root takes it:
//       %r = f32[2,3]{0,1} copy(%x), metadata={op_name="rankwright.helper"}
//   a scalar predicate of select, a scalar bound of clamp:
//       %r = .. broadcast(%c), dimensions={}, metadata={op_name="rankwright.helper"}
#define HLO_HELPER "rankwright.helper"

// The op_name of the root of a computation that is a region of an operation, although it has become
// one operator or one of the parameters.  Only a reader of an output sees it.
#define HLO_REGION "rankwright.region"

// The attributes of a parameter that comes after other instructions: it is printed where they
// are, as an instruction that stays, and nothing but the name and the type is the parameter's.
#define HLO_PARAMETER_STAYS "stays"

// The attribute of a call's template that says it is a fusion of this kind.
#define HLO_FUSION_KIND "fusion"

#endif
