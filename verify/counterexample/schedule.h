// SPDX-License-Identifier: Apache-2.0
// One search in one domain: what all its phases share.
#ifndef VERIFY_COUNTEREXAMPLE_SCHEDULE_H
#define VERIFY_COUNTEREXAMPLE_SCHEDULE_H

#include "verify/counterexample/parts.h"

struct cex_schedule {
    const struct cex_space *space;
    const struct rule *rule;
    enum domain domain;
    const struct cex_budget *budget;
    struct rng *rng;
    struct arena *mem;
    struct cex_evaluator evaluator;
    uint64_t runs; // steps so far: one for each case evaluated, more for many elements
    bool approximate, moves;
    bool sums;     // of floats: fillings matter more than places
    uint32_t turn; // grounds so far
    const char *json;
};

// How one case is filled: `round` chooses element types and operators (0: the simplest), the
// fillings have the styles `first`, `then`, `then` + 1, ...; then come `vectors` of simple
// elements.  All this for each of the first `indices` vectors of simple indices; with none,
// for indices at random, or for those of the case.  With `like`, element types and operators are
// those of that case.
struct cex_effort {
    const struct cex_case *like;
    uint32_t round, fills, first, then;
    uint32_t vectors;
    bool addends; // the vectors are all those of a few numbers that sums of floats round
    uint32_t indices;
    bool own_indices;
};

// attempt.c
// A case with ranks[f] axes in family f, and nothing else set.
struct cex_case *cex_blank_case(const struct cex_schedule *schedule, struct arena *mem,
                                const uint8_t *ranks);
void cex_put_point(const struct cex_schedule *schedule, struct cex_case *candidate, uint32_t family,
                   uint32_t axis, const struct cex_point *point);
// Grounds the case and tries fillings.  Returns true if the case fails; it has the types and
// elements with which it does.
bool cex_fails(struct cex_schedule *schedule, struct cex_case *candidate, struct cex_effort effort);
// Makes a failing case small, writes it down and reads it back.
bool cex_conclude(struct cex_schedule *schedule, const struct cex_case *candidate);
// Both.
bool cex_try(struct cex_schedule *schedule, struct cex_case *candidate, struct cex_effort effort);

// systematic.c
// The first instance that fails, of those that do not come after the candidate in the order
// (order.h) and within the budget; NULL if there is none.
struct cex_case *cex_least(struct cex_schedule *schedule, const struct cex_case *candidate,
                           enum cex_lack lack);
// Tries all instances in order, within the budget.
bool cex_systematic(struct cex_schedule *schedule);

#endif
