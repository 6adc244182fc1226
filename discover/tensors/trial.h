// SPDX-License-Identifier: Apache-2.0
// A rule on random ground instances, both sides run by the interpreter.  Makes
// its instances in its own way and shares nothing with the search of verify/.
//
// Values of maps on one axis are a point.  Points that meet the preconditions
// and make the left side well-defined are found at one axis a class, by chance
// and from each other by small steps; instances of any rank are then made of
// points, since conditions hold axis by axis.
#ifndef DISCOVER_TENSORS_TRIAL_H
#define DISCOVER_TENSORS_TRIAL_H

#include "base/text/buf.h"
#include "rules/rule.h"

struct trial_options {
    uint64_t seed;
    uint32_t instances; // in all domains together
    unsigned domains;   // mask; 0: those the rule claims
    unsigned most_rank; // of a class; 0: 2, or 3 where there are relabels
    double seconds;     // a net; 0: none
};
struct trial_result {
    uint32_t instances; // that were run
    bool broken;
    enum domain domain;  // where
    struct buf instance; // ranks and maps, in words, if broken
};
// The caller releases `instance`.
void trial_rule(const struct rule *rule, const struct trial_options *options,
                struct trial_result *out);

#endif
