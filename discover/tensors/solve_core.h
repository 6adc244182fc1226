// SPDX-License-Identifier: Apache-2.0
// Internal to solve: points on one class, and at each all slots under which
// both sides agree.
#ifndef DISCOVER_TENSORS_SOLVE_CORE_H
#define DISCOVER_TENSORS_SOLVE_CORE_H

#include "discover/limits.h"
#include "discover/tensors/solve.h"

struct axis_point {
    int64_t known[SKETCH_SLOTS + 16 + SOLVE_COMPUTED]; // known values, then computed ones
    bool sampled;
    bool rich;   // several elements on this axis, so that agreement is evidence
    bool usable; // its solutions are known
    bool agrees; // there is a solution
    uint32_t n;  // number of solutions
    int64_t *solution;
};
struct solver {
    const struct rule_sketch *pair;
    const struct agreement *base;
    unsigned cls;
    struct known_names known;
    struct computed computed[SOLVE_COMPUTED];
    uint32_t n_computed;
    uint32_t n_compared; // computed values that preconditions may use: all but ends
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
    // State of one enumeration:
    const struct sketch_array *target;
    struct axis_point *at;
    bool flood;
    uint64_t steps;
};

// Finds points of the class.  False: there are too few.
bool solver_points(struct solver *solver, struct rng *rng);
// Evaluates the left side at a point; the target is a copy of the value.
bool solver_left(struct solver *solver, const struct axis_point *point, struct sketch_array *copy);
// Does the right side, with the slots `right`, have the value of the target?
bool solver_right_agrees(struct solver *solver);
// Finds all slots under which the sides agree at the point.
void solver_solutions(struct solver *solver, struct axis_point *point, struct sketch_array *copy);

#endif
