// SPDX-License-Identifier: Apache-2.0
// Machine integers that count: where they are mathematical integers, and a proof in `int` or
// `real` holds for them.
#ifndef RULES_INSTANCE_COUNTS_H
#define RULES_INSTANCE_COUNTS_H

#include "rules/instance/fire.h"

// Are the elements of the type variable nothing but iotas and value(..) without an index, moved and
// compared?  Such a rule computes nothing with these elements: if every count and every value
// is an element of the type, then the machine's elements are the integers of the proof.
bool rule_type_is_count(const struct rule *rule, uint32_t type);

// Are the elements of the type variable those of variables, moved and chosen by `select`, and
// nothing else?  A rule says the same of any elements then: were there a counterexample, then its
// elements, named by different integers, would be one of integers.
bool rule_type_is_chosen(const struct rule *rule, uint32_t type);

// rule_may_fire; or else: some type variables of the rule are counts, whose elements are integers
// that have every count and value of the instance, and the others are fixed bools, chosen ones, or
// have elements in whose domain the rule is proved.  If all are of the first three sorts, then the
// rule must be proved in `int` or `real`, where counts are mathematical integers.
bool instance_may_fire(const struct instance *in, enum domain float_mode,
                       struct rule_status status);

#endif
