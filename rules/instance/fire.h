// SPDX-License-Identifier: Apache-2.0
// When a rule may be used on given element types: one definition for the
// engine, which fires rules, and for the checker, which replays them.
#ifndef RULES_INSTANCE_FIRE_H
#define RULES_INSTANCE_FIRE_H

#include "rules/instance/instance.h"
#include "tensor/fold/finite.h"

// What is known of a rule.
struct rule_status {
    unsigned proved;        // mask of 1 << enum domain
    unsigned uninterpreted; // of those, proved with arbitrary element operators
    unsigned unknown;       // tried again just now, without an answer
};

// For every type variable the domain of its element (domain_of_elem) must be
// proved; where one use needs two domains, both must be proved with arbitrary
// element operators; a rule of fixed bools needs DOMAIN_BOOL.  Integers that
// are only moved and read as places need none: a machine's are mathematical
// ones, and nothing is computed with them.
bool rule_may_fire(const struct rule *rule, const enum elem *elem, enum domain float_mode,
                   struct rule_status s);

// Proofs over the reals speak of finite elements: where floats are read as
// reals and the rule's proof uses their arithmetic, no variable may stand for a
// term that may hold an infinity or a NaN (else x + inf = y + inf would make
// all reals equal).  `memo` remembers what was found of the terms of *terms.
bool instance_finite(const struct instance *in, const struct terms *terms, struct finite *memo,
                     enum domain float_mode, struct rule_status s);

#endif
