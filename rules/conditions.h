// SPDX-License-Identifier: Apache-2.0
// Visitors of preconditions on maps.  Code that looks into a condition uses these
// functions, and does not follow comparisons and connectives itself.
#ifndef RULES_CONDITIONS_H
#define RULES_CONDITIONS_H

#include "rules/rule.h"

// Does `test` hold of some constant or map of the expression?  The leaves are tested
// in the order of the text.  The expression NULL has no leaves.
typedef bool iexp_test(void *context, const struct iexp *leaf);
bool iexp_any(const struct iexp *expr, iexp_test *test, void *context);
// Does `test` hold of some leaf of some expression of the condition?  The condition
// NULL has no expressions.
bool cond_any(const struct cond *condition, iexp_test *test, void *context);

// Sets mark[m] for every map m that occurs in the expression or condition.
void iexp_mark_maps(const struct iexp *expr, bool *mark);
void cond_mark_maps(const struct cond *condition, bool *mark);

// A copy in which each expression e of a comparison is put(context, e).
typedef const struct iexp *iexp_put(void *context, const struct iexp *expr);
const struct cond *cond_copy(const struct cond *condition, struct arena *mem, iexp_put *put,
                             void *context);

#endif
