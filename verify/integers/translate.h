// SPDX-License-Identifier: Apache-2.0
// Translation of canonical expressions to solver terms: integers as linear
// sums over monomials, elements in free sorts (one for each type variable)
// under uninterpreted functions.  Element types that are bool in every domain
// are the solver's truth values with their one meaning.
#ifndef VERIFY_INTEGERS_TRANSLATE_H
#define VERIFY_INTEGERS_TRANSLATE_H

#include "verify/integers/linear.h"

// Is every element of the type an i1 in every domain?
bool emit_type_is_bool(const struct rule *rule, uint32_t type);
Z3_ast emit_mono(struct linear *linear, uint32_t mono);
Z3_ast emit_poly(struct linear *linear, struct poly poly);
// poly >= k
Z3_ast emit_at_least(struct linear *linear, struct poly poly, int64_t k);
Z3_ast emit_truth(struct linear *linear, expr_id e);
Z3_ast emit_element(struct linear *linear, expr_id e);
// The fixed meaning of operators on i1: add and maximum are or; multiply and minimum are
// and; comparisons are unsigned (EQ, LT, LE; the others are not canonical).  NULL: not an
// operator of truth values.
Z3_ast emit_truth_op(Z3_context context, const struct expr *node, const Z3_ast *a);
// Applies a function symbol, given by its name and result sort, to arguments.
Z3_ast emit_apply(struct smt *smt, const char *name, Z3_sort result, unsigned n,
                  const Z3_ast *args);
// "add", "compare.LT"
void emit_op_name(const struct expr *node, struct buf *out);

#endif
