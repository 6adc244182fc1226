// SPDX-License-Identifier: Apache-2.0
// A rule from its two sides: the attributes of the right side and the
// precondition are learned from ground instances and proved.
//
//   sample   points of one axis at which the left side is well-defined
//   solve    at each, all attributes under which both sides agree
//   fit      expressions through them (fit.h)
//   label    points at which the rule with these expressions is right or wrong
//   where    a precondition between them
//   attack   the rule with it on new points, then by the prover; what breaks it
//            is one more wrong point
//
// N1  What is returned is proved, by prove_rule, in every domain of `proved`.
// N2  Equal sketches and options have equal answers, unless the wall clock (a
//     net only) stops a proof.
#ifndef DISCOVER_LEARN_LEARN_H
#define DISCOVER_LEARN_LEARN_H

#include "discover/learn/draft.h"
#include "discover/learn/learner.h"

struct learn_problem {
    const struct draft *draft; // the right side may have unknown maps
    uint32_t root;             // family of axes that is learned on
    uint32_t n_unknown;
    const uint32_t *unknown; // maps of the draft
    const bool *positive;    // per unknown: a stride or dilation
    const char *narrow;      // where it held before; NULL: nowhere
    unsigned domains;        // in which it must be proved
    bool some_domains;       // or at least in one of them
};
struct learned {
    const struct rule *rule; // in the learner's set
    unsigned proved;
    const char **expr; // of the unknowns
    uint32_t n_terms;
    const char **term;      // of the precondition
    uint32_t points;        // at which the left side is well-defined
    uint32_t good, covered; // of those, right; of these, covered
    const char *lost;       // the smallest point that is not; NULL: none
    const char *wider;      // a point that is, and was not before; NULL: none
};
// False: nothing was found; *why says what is missing, in one line.
bool learn_rule(struct learner *learner, const struct learn_problem *problem, struct learned *out,
                const char **why);

#endif
