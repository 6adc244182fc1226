// SPDX-License-Identifier: Apache-2.0
// Do the preconditions of a rule say more than each other and the well-definedness of the
// left side?  Conditions hold axis by axis, so one axis of each class decides these
// questions for all ranks, as it decides VALID (decide.h).
#ifndef VERIFY_OBLIGATIONS_IMPLIED_H
#define VERIFY_OBLIGATIONS_IMPLIED_H

#include "rules/rule.h"

enum implied {
    IMPLIED_YES,
    IMPLIED_NO,      // an axis was found that contradicts it, and evaluated
    IMPLIED_UNKNOWN, // *why says what stopped the proof
};
// Does precondition w hold wherever the others hold and the left side is well-defined?
// `why` points into *mem.
enum implied implied_where(const struct rule *rule, uint32_t w, struct arena *mem,
                           const char **why);
// Does no axis of the family of class `cls` meet the preconditions with a well-defined left
// side?
enum implied implied_nothing(const struct rule *rule, uint32_t cls, struct arena *mem,
                             const char **why);
// Are there elements of the domain that meet all preconditions on elements at one index?
// Also false if none was found, as in the reason "vacuous".  True if the rule has no such
// precondition.
bool implied_has_elements(const struct rule *rule, enum domain domain, struct arena *mem);

#endif
