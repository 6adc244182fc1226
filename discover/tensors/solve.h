// SPDX-License-Identifier: Apache-2.0
// Solves for the slots of a right side: from two sketches and one place where they
// agree, finds the slots as functions of known values of the left side, and
// preconditions.  It works class by class, with fit.h on samples; answers are
// counted again on many more points.
//
// Classes are separate because slices, paddings and the like act on one axis
// independently of others.  The prover decides whether this holds for the pair.
#ifndef DISCOVER_TENSORS_SOLVE_H
#define DISCOVER_TENSORS_SOLVE_H

#include "discover/limits.h"
#include "base/memory/arena.h"
#include "base/rng.h"
#include "discover/sketch/text.h"

// One place where both sides agree.
struct agreement {
    struct sketch_world world;
    int16_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    uint8_t avoid; // 1 + slot of the left side that must not have `value`; 0: none
    int16_t value;
};
struct solve_counts {
    uint64_t fits, evaluations;
};
enum { OTHERS = 1 };
// Other preconditions under which the same slots are right outside the first
// one; each replaces the precondition of one class.
struct other_wheres {
    unsigned cls, n;
    const char *where[OTHERS];
};
struct solve_result {
    bool whole; // no precondition on the classes
    struct other_wheres others;
};
struct solve_context {
    struct rng *rng;
    struct arena *mem; // owns the texts
    struct solve_counts *counts;
};
// Fills slot and where of *out for the classes of the mask `only`.  The sides
// are given, and slots may be.  False: nothing was learned.
bool solve_slots(struct rule_sketch *out, unsigned only, const struct agreement *agreement,
                 const struct solve_context *context, struct solve_result *result);

#endif
