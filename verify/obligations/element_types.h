// SPDX-License-Identifier: Apache-2.0
// The element types that a rule speaks of: those that have the numbers which the rule writes,
// in the order that its `wider` preconditions ask for, with the widths that its left side's
// bitcasts ask for.  A rule that speaks of no types has no left side, and nothing is proved of
// it.
#ifndef VERIFY_OBLIGATIONS_ELEMENT_TYPES_H
#define VERIFY_OBLIGATIONS_ELEMENT_TYPES_H

#include "rules/rule.h"
#include "verify/obligations/session.h"

// Is asked of an assignment, one type for each type variable.
typedef bool (*element_types_fit)(void *ctx, const enum elem *of);

// The types that a type variable may stand for in the domain, into `out`.  Returns how many.
uint32_t element_types_of(const struct rule *rule, uint32_t type, enum domain domain,
                          enum elem out[N_ELEMS]);
// Do the types meet the rule's `wider` and its bitcasts, as far as they are chosen?  ELEM_OTHER
// is a type that is not chosen yet.
bool element_types_agree(const struct rule *rule, const enum elem *of);
// Finds types that the rule speaks of and that `fit` accepts (NULL: any).  `turn` says which
// types are tried first, the widest ones if it is 0.  Leaves the types in `of`.  False if there
// are none, or if none were found within VERIFY_TYPE_TRIES.
bool element_types_find(const struct rule *rule, enum domain domain, uint32_t turn,
                        element_types_fit fit, void *ctx, enum elem *of);
// Are there types that the rule speaks of, and values of its maps with which those types have
// the numbers of value()?
bool element_types_exist(struct session *session, enum domain domain);

#endif
