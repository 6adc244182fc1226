// SPDX-License-Identifier: Apache-2.0
// Tries a rule on random ground instances; the interpreter evaluates both sides.
// The module makes instances in its own way and shares no code with the search of
// verify/.
//
// The values of all maps on one axis are a point.  Points that meet the
// preconditions and make the left side well-defined are found with one axis for
// each class, at random and by small steps from each other.  Instances of any
// rank are then made of points, since conditions hold axis by axis.
#ifndef DISCOVER_TENSORS_TRIAL_H
#define DISCOVER_TENSORS_TRIAL_H

#include "base/text/buf.h"
#include "rules/rule.h"

struct trial_options {
    uint64_t seed;
    uint32_t instances; // in all domains together
    unsigned domains;   // mask of domains; 0: those that the rule claims
    unsigned most_rank; // limit for a class; 0: 2, or 3 if there are relabels
};
struct trial_result {
    uint32_t instances; // number of instances that were evaluated
    bool broken;
    enum domain domain;  // domain in which the sides differ
    struct buf instance; // ranks and maps in words, if the sides differ
};
// The caller releases `instance`.
void trial_rule(const struct rule *rule, const struct trial_options *options,
                struct trial_result *out);

#endif
