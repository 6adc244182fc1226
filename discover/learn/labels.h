// SPDX-License-Identifier: Apache-2.0
// Internal to learn/: points labelled right or wrong.  A point is right if the
// rule without the precondition that is sought holds there.
#ifndef DISCOVER_LEARN_LABELS_H
#define DISCOVER_LEARN_LABELS_H

#include "discover/fit/fit.h"
#include "discover/learn/columns.h"

struct labels {
    const struct rule *rule; // the rule without the precondition that is sought
    uint32_t root, root_narrow;
    bool alone; // points have no axes of other families, as far as that can be
    struct experiment *lab;
    struct columns columns;
    VEC(struct fit_sample) at;
    VEC(uint8_t) is_good, is_kept;
    VEC(uint8_t) was;          // by point: the rule held there before
    bool broken;               // the rule is wrong at a point where it held before
    struct experiment *narrow; // the rule as it was, on the points where it held; NULL: none
    uint32_t n_good, n_bad;
    VEC(const char *) text; // by point: the point in words
    VEC(uint32_t) weight;   // by point: its distance from zero
};

void labels_start(struct learner *learner, const struct learn_problem *problem,
                  const struct rule *rule, uint32_t root, struct labels *labels);
void labels_release(struct learner *learner, struct labels *labels);
// Labels random points until there are `points`.  A third of them are points
// where the rule held before, since the rule must still hold there.
void labels_sample(struct learner *learner, struct labels *labels, uint32_t points);
// Labels the current case of the experiment, if it is one.
void labels_try(struct learner *learner, struct labels *labels);
// Labels the current case of the experiment as right without trying it, and keeps it: the
// precondition must hold there.  False: a column has no value there.
bool labels_keep(struct learner *learner, struct labels *labels);
// Learns a precondition that separates right from wrong.
bool labels_fit(struct learner *learner, struct labels *labels, uint32_t literals,
                struct fit_where *out);

// The next three functions look for points that the precondition of `rule` treats
// wrongly, and label them.  They return how many they found.
//
// New points that meet the precondition and at which the rule is wrong.
uint32_t labels_attack(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem, uint32_t round);
// From the counterexample of the prover: each of its axes at which the rule is
// wrong by that axis alone.
uint32_t labels_learn(struct learner *learner, struct labels *labels, const struct rule *rule,
                      const char *json);
// Points at which the rule held before and the precondition does not hold; the
// precondition must admit them.
uint32_t labels_losses(struct learner *learner, struct labels *labels, const struct rule *rule,
                       const struct learn_problem *problem);

// The simplest right point that the precondition excludes, in words; NULL:
// none.
const char *labels_lost_point(const struct labels *labels, const struct fit_where *answer);

#endif
