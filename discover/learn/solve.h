// SPDX-License-Identifier: Apache-2.0
// Internal to learning: expressions for unknown attributes, fitted to all
// values under which both sides agree at some points.
#ifndef DISCOVER_LEARN_SOLVE_H
#define DISCOVER_LEARN_SOLVE_H

#include "discover/learn/labels.h"

struct range {
    int64_t lo, hi;
};

struct solving {
    struct learner *learner;
    const struct learn_problem *problem;
    const struct rule *rule;
    uint32_t root;
    struct experiment *lab;
    struct columns columns;
    struct range *range;
    uint32_t *unknown; // maps of r
    struct fit_sample *samples;
    uint32_t n_samples;
};

// Solves at random points, in a lab that the caller frees.  False: an unknown
// is no map of the rule, or nothing is known; then there is no lab.
bool solving_start(struct learner *learner, const struct learn_problem *problem,
                   const struct rule *rule, uint32_t root, struct solving *solving);
// Expressions of at most that size; how many tuples, LEARN_ANSWERS at most.
uint32_t solving_fit(struct solving *solving, uint32_t size, struct fit_answer *out);
// Solves at points where the best expressions are wrong, though others are
// right: a better fit has to know them.  How many.
uint32_t solving_wrong(struct solving *solving, const struct labels *labels);

#endif
