// SPDX-License-Identifier: Apache-2.0
// Branch and bound over cores, private to exact extraction.
#ifndef EGRAPH_EXTRACT_EXACT_BRANCH_H
#define EGRAPH_EXTRACT_EXACT_BRANCH_H

#include "egraph/extract/exact/lp.h"

struct branch_search {
    const struct clp *clp; // borrowed
    double step;           // all costs are multiples of it; 0 when that is not known
    double slack;          // without a step: a cutoff's part that counts as rounding
    double noise;          // bounds may be wrong by that, as costs may cancel out
    uint64_t n_cores;
    uint32_t depth; // branches above
    // Told of choices (NULL: none) for all of the whole problem and of bounds
    // for its cost (-INFINITY: none), in no order; may be NULL.
    void (*tell)(void *arg, const uint32_t *choice, double bound);
    void *arg;
};

struct branch_outcome {
    bool found;       // a solution below the cutoff; its choices are in the core
    double value;     // its cost
    double bound;     // no solution costs less, but for those that are not below
                      // the cutoff
    uint32_t *choice; // inside of the search only
};

// Sets step, slack and noise for the costs of a problem: the step is the
// greatest number that all costs are multiples of, so closely that all sums of
// them are, too.
void branch_measure(struct branch_search *search, const struct problem *problem);
// Nothing costs less than the cutoff if nothing costs less than that below it:
// a step, or else what counts as rounding.
double branch_slack(const struct branch_search *search, double cutoff);
// Uses the core up.
struct branch_outcome branch_run(struct branch_search *search, struct exact_core *exact_core,
                                 double cutoff);

// A quick lower bound on the cost of the core; with base.
double branch_least(const struct exact_core *exact_core);

// A choice for the core from what the relaxation takes (NULL: nothing), in
// node[c]; its DAG cost, without base.
double branch_take(const struct exact_core *exact_core, const double *take, uint32_t *node);

#endif
