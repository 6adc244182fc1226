// SPDX-License-Identifier: Apache-2.0
// Expands named functions by the rules that define them.
#ifndef FORMULA_RULES_EXPAND_H
#define FORMULA_RULES_EXPAND_H

#include "formula/rules/define.h"
#include "formula/terms/term.h"

// *out: the term with calls expanded.  A call stays if its rule has a
// precondition or its arguments are not constant along the axes as the rule
// demands.  *all (may be NULL): no call stayed.  *out equals the term wherever
// the term has a value, and has one there.
void formula_expand(struct fterms *terms, const struct fdefines *defs, fterm term, fterm *out,
                    bool *all);

#endif
