// SPDX-License-Identifier: Apache-2.0
// What the preconditions of a rule say beyond each other and beyond the left
// side being well-defined.  Conditions hold axis by axis, so one axis of each
// class decides these questions for all ranks, as it does VALID (decide.h).
#ifndef VERIFY_OBLIGATIONS_IMPLIED_H
#define VERIFY_OBLIGATIONS_IMPLIED_H

#include "rules/rule.h"

enum implied {
    IMPLIED_YES,
    IMPLIED_NO,      // there is an axis, found and evaluated, that says so
    IMPLIED_UNKNOWN, // *why says what is in the way
};
// Does precondition w hold wherever the others do and the left side is
// well-defined?  `why` points into *mem.
enum implied implied_where(const struct rule *rule, uint32_t w, struct arena *mem,
                           const char **why);
// Can no axis of the family of class `cls` meet the preconditions with the left
// side well-defined?
enum implied implied_nothing(const struct rule *rule, uint32_t cls, struct arena *mem,
                             const char **why);
// Are there elements of the domain that meet all preconditions on elements at
// one index?  False also if none was found, as in prove.h's "vacuous"; true
// where the rule has none.
bool implied_has_elements(const struct rule *rule, enum domain domain, struct arena *mem);

#endif
