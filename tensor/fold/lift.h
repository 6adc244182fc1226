// SPDX-License-Identifier: Apache-2.0
// The law LIFT of layout.h: a transpose of all operands of an elementwise operator is
// one of its result.
#ifndef TENSOR_FOLD_LIFT_H
#define TENSOR_FOLD_LIFT_H

#include "tensor/program/term.h"

// Does the operand have rank 0 beside a result of another rank?  (select and clamp)
bool lift_is_scalar(const struct terms *terms, term_id node, term_id operand);
// Is the term a constant of one repeated element, which has every order of dimensions?
bool lift_is_splat(const struct terms *terms, term_id term);
// The term that equals `term` by the law.  False if the law does not apply.
bool layout_lift(struct terms *terms, term_id term, term_id *out);
// The law SCALARS.
bool layout_scalars(struct terms *terms, term_id term, term_id *out);

#endif
