// SPDX-License-Identifier: Apache-2.0
// Internal to solve: points, at each of which all slots are found under which
// both sides agree.
#ifndef DISCOVER_TENSORS_SOLVE_CORE_H
#define DISCOVER_TENSORS_SOLVE_CORE_H

#include "discover/limits.h"
#include "discover/tensors/solve.h"

struct axis_point {
    int64_t known[SKETCH_SLOTS + 16 + SOLVE_COMPUTED]; // then what is computed
    bool sampled;
    bool rich;   // several elements on this axis: agreeing says something
    bool usable; // its solutions are known
    bool agrees; // some solution
    uint32_t n;  // solutions
    int64_t *solution;
};
struct solver {
    const struct rule_sketch *pair;
    const struct agreement *base;
    unsigned cls;
    struct known_names known;
    struct computed computed[SOLVE_COMPUTED];
    uint32_t n_computed;
    uint32_t n_compared; // of those, without ends: for preconditions
    const char *names[SKETCH_SLOTS + 16 + SOLVE_COMPUTED];
    uint8_t unknown[SKETCH_SLOTS];
    uint32_t n_unknown;
    struct sketch_sizes sizes;
    struct sketch_world world;
    int16_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    struct sketch_values *lv, *rv;
    struct axis_point *points;
    uint32_t n_points;
    struct arena *mem;
    struct solve_counts *counts;
    // of one enumeration:
    const struct sketch_array *target;
    struct axis_point *at;
    bool flood;
    uint64_t steps;
};

// Points of the class; false: too few.
bool solver_points(struct solver *solver, struct rng *rng);
// The left side's value at a point; the target is a copy.
bool solver_left(struct solver *solver, const struct axis_point *point, struct sketch_array *copy);
// Has the right side, with the slots `right`, the value of the target?
bool solver_right_agrees(struct solver *solver);
// All slots under which the sides agree at the point.
void solver_solutions(struct solver *solver, struct axis_point *point, struct sketch_array *copy);

#endif
