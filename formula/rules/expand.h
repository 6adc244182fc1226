// SPDX-License-Identifier: Apache-2.0
// Named functions written out, by the rules that define them.
#ifndef FORMULA_RULES_EXPAND_H
#define FORMULA_RULES_EXPAND_H

#include "formula/rules/define.h"
#include "formula/terms/term.h"

// *out: term with every call written out whose rule has no precondition and whose
// arguments are constant along the axes as it demands; others stay.  *all (may
// be NULL): nothing stayed.  Equal to term wherever term has a value, and has one
// where term has.
void formula_expand(struct fterms *terms, const struct fdefines *defs, fterm term, fterm *out,
                    bool *all);

#endif
