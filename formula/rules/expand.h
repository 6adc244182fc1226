// SPDX-License-Identifier: Apache-2.0
// Named functions written out, by the rules that define them.
#ifndef FORMULA_RULES_EXPAND_H
#define FORMULA_RULES_EXPAND_H

#include "formula/rules/define.h"
#include "formula/terms/term.h"

// *out: x with every call written out whose rule has no precondition and whose
// arguments are constant along the axes as it demands; others stay.  *all (may
// be NULL): nothing stayed.  Equal to x wherever x has a value, and has one
// where x has.
void formula_expand(struct fterms *t, const struct fdefines *defs, fterm x,
                    fterm *out, bool *all);

#endif
