// SPDX-License-Identifier: Apache-2.0
// Internal to generalize/: changes of the current rule, one by one.
#ifndef DISCOVER_GENERALIZE_WIDEN_H
#define DISCOVER_GENERALIZE_WIDEN_H

#include "discover/generalize/generalize.h"

struct widening {
    struct learner *learner;
    struct generalization *general;
    const struct rule *cur;
    bool forms;      // as in generalize_options
    unsigned claims; // domains in which every variant must be proved
    uint32_t at;     // number of the variant that is current
};

// Returns a text that lives as long as the learner.
const char *widening_text(struct widening *widening, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *widening_where(struct widening *widening, const struct rule *rule, uint32_t i);
bool widening_over(const struct widening *widening); // the time is used up
void widening_refuse(struct widening *widening, const char *what, const char *why);
// Was the change refused for this rule before?
bool widening_refused(const struct widening *widening, const char *what);
void widening_accept(struct widening *widening, const struct rule *rule, unsigned proved,
                     const char *what, const char *wider);
// Accepts the draft as a variant if it is proved as it is.
bool widening_try(struct widening *widening, const struct draft *draft, const char *what);

// Each function tries one change.  If it succeeds, its variant becomes the current
// rule.  A function whose object the rule lacks returns false.
//
// discover/generalize/learned.c: the right side and a precondition are learned.
uint32_t widen_n_slots(const struct widening *widening); // attributes of the left side
bool widen_slot(struct widening *widening, uint32_t i);  // a constant becomes a map
bool widen_where(struct widening *widening, uint32_t i); // a condition on maps
// discover/generalize/forms.c: nothing else changes.
bool widen_element(struct widening *widening, uint32_t i); // a condition on elements
bool widen_literal(struct widening *widening, uint32_t i); // becomes a scalar
bool widen_scalar(struct widening *widening, uint32_t i);  // becomes a tensor
bool widen_ops(struct widening *widening);   // an operator becomes an operator variable
bool widen_types(struct widening *widening); // element types are united, or more domains claimed
bool widen_class(struct widening *widening, uint32_t c); // an axis becomes a class of any rank
// Gives all tensors further axes that no operator acts on, unless there is such
// a class.
bool widen_add_class(struct widening *widening);
// discover/generalize/parts.c
bool widen_parts(struct widening *widening); // a part of both sides becomes a tensor
// Axes at least one of which there must be, with a precondition: one such axis, and others without.
bool widen_split(struct widening *widening, uint32_t c);

#endif
