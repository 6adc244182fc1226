// SPDX-License-Identifier: Apache-2.0
// The conditions under which a rule may be applied to given element types: one
// definition for the engine, which applies rules, and for the checker, which
// replays the steps.
#ifndef RULES_INSTANCE_FIRE_H
#define RULES_INSTANCE_FIRE_H

#include "rules/instance/instance.h"
#include "tensor/fold/finite.h"

// The verdicts of a rule.
struct rule_status {
    unsigned proved;        // mask of 1 << enum domain
    unsigned uninterpreted; // the proved domains with arbitrary element operators
    unsigned unknown;       // domains whose latest proof attempt ended without an answer
};

// May the rule be applied at these element types?
//   - The domain of each type variable's element (domain_of_elem) must be proved.
//   - If one use needs two domains, then both must be proved with arbitrary element
//     operators, or one domain in which each type variable lives in the domain of its
//     element (domain_of_kinds): that verdict is about these types together.
//   - A rule of fixed bools needs DOMAIN_BOOL.
//   - Integers that are only moved and read as places need no domain: machine
//     integers are mathematical integers, and the rule computes nothing with them.
bool rule_may_fire(const struct rule *rule, const enum elem *elem, enum domain float_mode,
                   struct rule_status s);

// May the rule be applied to these terms, although proofs over the reals speak of
// finite elements only?  If floats are read as reals and the rule's proof uses
// their arithmetic, then no variable may stand for a term that may hold an infinity
// or a NaN.  (Otherwise x + inf = y + inf would make all reals equal.)  `memo`
// keeps the results for the terms of *terms.
bool instance_finite(const struct instance *in, const struct terms *terms, struct finite *memo,
                     enum domain float_mode, struct rule_status s);

#endif
