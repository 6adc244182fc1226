// SPDX-License-Identifier: Apache-2.0
// Why a rule is not proved over the reals if a side has no value at some elements: a divisor
// may be 0, the operand of a logarithm or a root negative.
//
// Conditions that exclude these elements are added to the rule's own text, and the rule is
// parsed and decided again.  The advice "add `where ..`" is given only if that proves it.
// Each condition of the advice is needed: without it, or with a weaker one of its kind, the
// rule was not proved.
#ifndef VERIFY_UNDEFINED_H
#define VERIFY_UNDEFINED_H

#include "verify/decide.h"

// The reason, in `mem`.  NULL if both sides have a value everywhere, or if conditions on
// elements do not help.  *conditions: those of the advice, as a `where` has them; in `mem`.
const char *undefined_reason(const struct rule *rule, const struct decide_options *options,
                             struct arena *mem, const char **conditions);
// The reason if an operator of a side never has a value: (A - A) / (A - A), sqrt(-1).  No condition
// helps then.  NULL: there is no such operator, or elements cannot be tried.
const char *undefined_always(const struct rule *rule, struct arena *mem);

#endif
