// SPDX-License-Identifier: Apache-2.0
// Internal to generalize: changes of the rule that is widened, one by one.
#ifndef DISCOVER_GENERALIZE_WIDEN_H
#define DISCOVER_GENERALIZE_WIDEN_H

#include "discover/generalize/generalize.h"

struct widening {
    struct learner *learner;
    struct generalization *general;
    const struct rule *cur;
    unsigned claims; // that must be kept
    uint32_t at;     // variant of cur
    double end;
};

// Text that lives as long as the learner.
const char *widening_text(struct widening *widening, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *widening_where(struct widening *widening, const struct rule *rule, uint32_t i);
bool widening_over(const struct widening *widening); // the time is spent
void widening_refuse(struct widening *widening, const char *what, const char *why);
// Was the change refused of this very rule?
bool widening_refused(const struct widening *widening, const char *what);
void widening_accept(struct widening *widening, const struct rule *rule, unsigned proved,
                     const char *what, const char *wider);
// A change that is all there is to it: proved as it is, or refused.
bool widening_try(struct widening *widening, const struct draft *draft, const char *what);

// Each change gives a variant, which is then the rule, or false.  One of a
// thing that the rule has not got is none.
//
// discover/generalize/learned.c: the right side and a precondition are learned.
uint32_t widen_n_slots(const struct widening *widening); // attributes of the left side
bool widen_slot(struct widening *widening, uint32_t i);  // a constant becomes a map
bool widen_where(struct widening *widening, uint32_t i); // a condition on maps
// discover/generalize/forms.c: nothing else changes.
bool widen_element(struct widening *widening, uint32_t i); // a condition on elements
bool widen_literal(struct widening *widening, uint32_t i); // becomes a scalar
bool widen_scalar(struct widening *widening, uint32_t i);  // becomes a tensor
bool widen_ops(struct widening *widening);                 // one operator, a variable
bool widen_types(struct widening *widening);               // one type, or more domains
bool widen_class(struct widening *widening, uint32_t c);   // any rank
// All tensors get axes that nothing is done to, if no class is like that.
bool widen_add_class(struct widening *widening);

#endif
