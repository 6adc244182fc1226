// SPDX-License-Identifier: Apache-2.0
// All choices of operators that fit the element types of a case: those that worked elsewhere come
// first, then the favourites, then the others.  A choice comes before another if the greatest place
// of its operators is smaller.
#ifndef VERIFY_COUNTEREXAMPLE_OPS_H
#define VERIFY_COUNTEREXAMPLE_OPS_H

#include "verify/counterexample/parts.h"

struct cex_op_walk {
    const struct rule *rule;
    struct cex_evaluator *evaluator;
    const struct cex_case *like; // its operators come first, each one wherever it fits
    uint32_t choices;            // visited, at most
    // Called with the case that has the operators.  Ends the walk by returning false.
    bool (*visit)(void *context, struct cex_case *now);
    void *context;
};
// Sets the operators of `now`.  A rule without operator variables has one choice.
void cex_walk_ops(const struct cex_op_walk *walk, struct cex_case *now, struct arena *mem);

#endif
