// SPDX-License-Identifier: Apache-2.0
// Internal to learning: points at which a rule without the precondition that
// is sought is right or wrong, and where they come from.
#ifndef DISCOVER_LEARN_LABELS_H
#define DISCOVER_LEARN_LABELS_H

#include "discover/fit/fit.h"
#include "discover/learn/columns.h"

struct labels {
    const struct rule *rule; // without the precondition that is sought
    uint32_t root, root_narrow;
    struct experiment *lab;
    struct columns columns;
    VEC(struct fit_sample) at;
    VEC(uint8_t) is_good, is_kept;
    VEC(uint8_t) was;          // where the rule held before
    bool broken;               // it is wrong where it held before
    struct experiment *narrow; // the rule where it held before; NULL: nowhere
    uint32_t n_good, n_bad;
    VEC(const char *) text; // the points in words
    VEC(uint32_t) weight;   // how far from zero
};

void labels_start(struct learner *learner, const struct learn_problem *problem,
                  const struct rule *rule, uint32_t root, struct labels *labels);
void labels_release(struct learner *learner, struct labels *labels);
// Random points, until there are so many.  A third of them are where the rule
// held before: it must go on to hold there.
void labels_sample(struct learner *learner, struct labels *labels, uint32_t points);
// A precondition between right and wrong.
bool labels_fit(struct learner *learner, struct labels *labels, uint32_t literals,
                struct fit_where *out);

// These add points that a precondition with which the rule is `rule` has not got
// right; how many.
//
// New points within it at which the rule is wrong.
uint32_t labels_attack(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem, uint32_t round);
// The prover's counterexample, for each of its axes at which the rule is wrong
// on one axis.
uint32_t labels_learn(struct learner *learner, struct labels *labels, const struct rule *rule,
                      const char *json);
// Points at which the rule held before and the precondition does not hold;
// they must be kept.
uint32_t labels_losses(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem);

// The simplest point that is right and not met, in words; NULL: none.
const char *labels_lost_point(const struct labels *labels, const struct fit_where *answer);

#endif
