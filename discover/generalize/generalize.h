// SPDX-License-Identifier: Apache-2.0
// A proved rule made wider, change by change: preconditions dropped or
// weakened, constants and defaults made maps, literals scalars, scalars
// tensors, operators operator variables, single axes classes, element types
// more.  Where the right side has to change with it, its attributes are learned
// (learn.h).
//
// G1  Every variant is proved in every domain that the rule claimed.
// G2  A variant has an instance that its parent does not have: `wider` says
//     which, or the change itself does.  It has all of its parent's: by what
//     the change is, or, where a precondition was learned, as far as points can
//     say (some hundred, all of which it must cover).
#ifndef DISCOVER_GENERALIZE_GENERALIZE_H
#define DISCOVER_GENERALIZE_GENERALIZE_H

#include "discover/learn/learn.h"

struct rule_variant {
    const struct rule *rule; // in the learner's set
    uint32_t parent;         // variant; NONE: the rule as given
    const char *what;        // the change
    const char *wider;       // an instance that is new; "" where the change says
    unsigned proved;
};
struct refusal {
    uint32_t of; // variant
    const char *what, *why;
};
struct condition_need {             // what a precondition of the last variant is for
    const char *condition, *breaks; // a point at which the sides differ
                                    // without it; NULL: none was found
};
struct generalization {
    VEC(struct rule_variant) variants; // 0 is the rule as given
    VEC(struct refusal) refused;
    VEC(struct condition_need) needs;
    uint32_t best;          // variant
    bool maximal;           // no agreement was found outside of the preconditions
    const char *lost;       // one, else
    const char *lost_empty; // agreement of tensors without elements, which is
                            // no reason not to call it maximal; NULL: none
    uint32_t points;        // that were looked at for it
    bool stopped;           // by the clock, before all changes were tried
    double seconds;
};
struct generalize_options {
    double seconds; // stops trying changes after so long, a net; 0: default
};

// False: the rule itself is not proved in what it claims; *err says so.
bool generalize(struct learner *learner, const struct rule *rule,
                const struct generalize_options *options, struct generalization *out,
                struct err *err);
void generalization_release(struct generalization *general);

#endif
