// SPDX-License-Identifier: Apache-2.0
// Visitors of preconditions on maps: code that looks into a condition asks here,
// and does not follow comparisons and connectives itself.
#ifndef RULES_CONDITIONS_H
#define RULES_CONDITIONS_H

#include "rules/rule.h"

// Does `test` hold of a constant or a map that occurs in the expression (NULL:
// none), in the order of the text?
typedef bool iexp_test(void *context, const struct iexp *leaf);
bool iexp_any(const struct iexp *expr, iexp_test *test, void *context);
// The same of all expressions of a condition (NULL: none).
bool cond_any(const struct cond *condition, iexp_test *test, void *context);

// Sets mark[m] for every map m that occurs.
void iexp_mark_maps(const struct iexp *expr, bool *mark);
void cond_mark_maps(const struct cond *condition, bool *mark);

// A copy in which each expression e of a comparison is put(context, e).
typedef const struct iexp *iexp_put(void *context, const struct iexp *expr);
const struct cond *cond_copy(const struct cond *condition, struct arena *mem, iexp_put *put,
                             void *context);

#endif
