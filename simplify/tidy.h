// SPDX-License-Identifier: Apache-2.0
// Chooses, of terms with one cost, a term whose factors and summands stand as people
// write them: numbers before names, simple operands before others, the others in the
// order of the formula, and matrices so that their product is a matmul.  Operands
// that stand in the formula keep their order.  Sums and products of up to
// SIMPLIFY_CHAIN operands have no brackets except those of the operands.  Every
// exchange is a use of a rule of commutativity or associativity; such rules are
// recognised by their text.
#ifndef SIMPLIFY_TIDY_H
#define SIMPLIFY_TIDY_H

#include "formula/language/formula.h"

// *proof: lines of proof/plain/check.h from term to the term that is returned; empty
// where that is x.  `rules`: plain rules.
// `whole`: the formula is no part of another (parts.h); then products are put so that they are a
// matmul, and a/exp(b) is a*exp(-b) if the formula says exp(-b).
fterm tidy(const struct formula *formula, const struct fdefines *defs, const char *rules,
           bool whole, fterm term, struct buf *proof);

#endif
