// SPDX-License-Identifier: Apache-2.0
// From two sketches and one place where they agree to the slots of the right
// one as functions of what the left one has, and preconditions: class by
// class, by fit.h on samples, which are counted again on many more.
//
// Classes are taken one by one because what slices, paddings and the like do
// on one axis does not depend on the others; whether that carries over to a
// pair of sketches is for the prover to say.
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
    uint8_t avoid; // 1 + slot of the left side that is not to have this value
    int16_t value;
};
struct solve_counts {
    uint64_t fits, evaluations;
};
enum { OTHERS = 1 };
// Other preconditions under which the same slots are right, where the first one
// is not met; in place of that of one class.
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
