// SPDX-License-Identifier: Apache-2.0
// Rewriting of float elements by identities that hold bit for bit in every IEEE format (all
// NaNs count as one value).  Each identity is a line of float_identities.c with its reason
// in docs/proving.md; tests/unit/verify/element.c evaluates both sides.
#ifndef VERIFY_ARITHMETIC_FLOAT_IDENTITIES_H
#define VERIFY_ARITHMETIC_FLOAT_IDENTITIES_H

#include "verify/symbolic/expr.h"

// The node e of a float type over operands in normal form (those of
// commutative operators sorted): negations outermost, differences as sums.
expr_id float_normal(struct exprs *exprs, expr_id e, const expr_id *args);

// An element that is equal to e, which is in normal form, except for the sign of zero.
expr_id float_up_to_zero_sign(struct exprs *exprs, expr_id e);

// Is the literal a number that every format has?  True of literals that are no numbers.
bool literal_in_every_format(const struct expr *node);
// The number of such a literal, of LIT_INT, LIT_DECIMAL, or an infinity.
double literal_number(const struct expr *node);

#endif
