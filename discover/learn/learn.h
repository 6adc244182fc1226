// SPDX-License-Identifier: Apache-2.0
// Learns a rule from its two sides: finds attributes of the right side and a
// precondition on ground instances, then proves them.
//
//   sample   points of one axis at which the left side is well-defined
//   solve    at each point: all attributes under which both sides agree
//   fit      expressions through these attributes (fit.h)
//   label    points at which the rule with these expressions is right or wrong
//   where    a precondition that separates right from wrong
//   attack   the rule with its precondition on new points, then by the prover;
//            each counterexample becomes one more wrong point
//
// N1  A returned rule is proved by prove_rule in every domain of `proved`.
// N2  Equal problems and options have equal answers, unless the wall clock (a
//     net only) stops a proof.
#ifndef DISCOVER_LEARN_LEARN_H
#define DISCOVER_LEARN_LEARN_H

#include "discover/learn/draft.h"
#include "discover/learn/learner.h"

struct learn_problem {
    const struct draft *draft; // the right side may have unknown maps
    uint32_t root;             // family of axes whose attributes are learned
    uint32_t n_unknown;
    const uint32_t *unknown;        // maps of the draft
    const bool *positive;           // per unknown: a stride or dilation
    const char *narrow;             // precondition under which the rule held before; NULL: none
    unsigned domains;               // domains in which the rule must be proved
    bool alone;                     // other families have their least ranks at all points
    const struct experiment *fixed; // or this case; NULL: none
    bool some_domains;              // a proof in one of the domains suffices
};
struct learned {
    const struct rule *rule; // in the learner's set
    unsigned proved;
    const char **expr; // by unknown
    uint32_t n_terms;
    const char **term;      // terms of the precondition
    uint32_t points;        // labelled points
    uint32_t good, covered; // right points; right points that meet the precondition
    const char *lost;       // the smallest right point that is not covered; NULL: none
    const char *wider;      // a covered point at which the rule did not hold before; NULL: none
};
// False: nothing was found; *why says what is missing, in one line.
bool learn_rule(struct learner *learner, const struct learn_problem *problem, struct learned *out,
                const char **why);

#endif
