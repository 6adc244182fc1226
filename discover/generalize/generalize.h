// SPDX-License-Identifier: Apache-2.0
// Makes a proved rule wider, change by change: drops or weakens preconditions;
// turns constants and defaults into maps, literals into scalars, scalars into
// tensors, operators into operator variables, single axes into classes; admits
// more element types.  If the right side has to change with the left side, its
// attributes are learned (learn.h).
//
// G1  Every variant is proved in every domain that the rule claimed.
// G2  A variant has an instance that its parent does not have: `wider` names it,
//     or the change itself implies it.  A variant has all instances of its
//     parent.  This follows from the kind of change; if a precondition was
//     learned, it was tested at some hundred points, all of which the variant
//     must cover.
#ifndef DISCOVER_GENERALIZE_GENERALIZE_H
#define DISCOVER_GENERALIZE_GENERALIZE_H

#include "discover/learn/learn.h"

struct rule_variant {
    const struct rule *rule; // in the learner's set
    uint32_t parent;         // number of a variant; NONE: the rule as given
    const char *what;        // the change, in words
    const char *wider;       // a new instance; "" if the change implies one
    unsigned proved;
};
struct refusal {
    uint32_t of; // number of a variant
    const char *what, *why;
};
struct condition_need {             // why the last variant needs a precondition
    const char *condition, *breaks; // a point at which the sides differ
                                    // without it; NULL: none was found
};
struct generalization {
    VEC(struct rule_variant) variants; // 0 is the rule as given
    VEC(struct refusal) refused;
    VEC(struct condition_need) needs;
    uint32_t best;          // number of a variant
    bool maximal;           // the sides agreed nowhere outside the preconditions
    const char *lost;       // a point of agreement outside; NULL: none was found
    const char *lost_empty; // agreement of tensors without elements, which is
                            // no reason not to call it maximal; NULL: none
    uint32_t points;        // points tried to decide `maximal`
    bool stopped;           // by the clock, before all was tried and looked at
    double seconds;
};
struct generalize_options {
    bool forms;     // no attribute is freed, no precondition weakened, no point looked for outside
    double seconds; // wall clock after which nothing is tried or proved; 0: no limit
};

// Fails if the rule itself is not proved in the domains it claims; *err says
// so.
bool generalize(struct learner *learner, const struct rule *rule,
                const struct generalize_options *options, struct generalization *out,
                struct err *err);
void generalization_release(struct generalization *general);

#endif
