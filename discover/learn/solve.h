// SPDX-License-Identifier: Apache-2.0
// Internal to learn/: expressions for unknown attributes, fitted to all values
// under which both sides agree at some points.
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
    uint32_t *unknown; // by unknown: its map in the rule
    struct fit_sample *samples;
    uint32_t n_samples;
};

// Solves at random points.  The caller frees the experiment.  False: an unknown
// is no map of the rule, or there are no known values; then there is no
// experiment.
bool solving_start(struct learner *learner, const struct learn_problem *problem,
                   const struct rule *rule, uint32_t root, struct solving *solving);
// Fits expressions of at most `size` nodes.  Returns the number of tuples, at
// most LEARN_ANSWERS.
uint32_t solving_fit(struct solving *solving, uint32_t size, struct fit_answer *out);
// Solves at points where the best expressions are wrong and other values are
// right; a better fit must know these points.  Returns how many were added.
uint32_t solving_wrong(struct solving *solving, const struct labels *labels);

#endif
