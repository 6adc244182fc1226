// SPDX-License-Identifier: Apache-2.0
// Of terms that cost the same to read, one whose factors and summands stand as
// people write them: numbers before names, what is simple before what is not,
// the others in the order of the formula, matrices so that their product is
// matmul; what the formula has already stays as it was written there.  Sums and
// products of up to 24 operands have no brackets but those of the operands.
// Every exchange is a use of a rule that says that an operator commutes, or
// associates, found by what it says.
#ifndef SIMPLIFY_TIDY_H
#define SIMPLIFY_TIDY_H

#include "formula/language/formula.h"

// *proof: lines of proof/plain/check.h from term to the term that is returned; empty
// where that is x.  `rules`: plain rules.
fterm tidy(const struct formula *formula, const struct fdefines *defs, const char *rules,
           fterm term, struct buf *proof);

#endif
