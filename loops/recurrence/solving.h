// SPDX-License-Identifier: Apache-2.0
// Internal to loops/recurrence/: one loop that is being solved, and what its solvers share.
#ifndef LOOPS_RECURRENCE_SOLVING_H
#define LOOPS_RECURRENCE_SOLVING_H

#include "loops/recurrence/recurrence.h"

struct solving {
    struct symbolic *s;
    uint32_t loop;
    ipoly k, trips; // the iteration, and how many there are
};

const struct code_loop *solving_loop(const struct solving *v);
const struct code_type *solving_type(const struct solving *v, uint32_t carried);
// Pushes facts about the lanes of a state.
void solving_lane_facts(const struct solving *v, uint32_t carried);
// For lterm_any: is the term a state of the loop, a struct code_loop?
bool solving_is_state(void *loop, const struct lterms *terms, lterm term);
// A state at symbolic lanes: itself, its value before the loop, and the next value in an iteration
// from `first` on.
lterm solving_leaf(const struct solving *v, uint32_t carried);
lterm solving_initial(const struct solving *v, uint32_t carried);
lterm solving_next(const struct solving *v, uint32_t carried, int64_t first);
// The fold of g(t) over t < k, for k = the iteration of closed forms, at least `from`.
lterm solving_fold(const struct solving *v, uint32_t carried, enum code_op op, lterm g,
                   int64_t from);

// weighted.c.  x' = x*exp(a - b) + g, where a and b are another state's values: closes the state
// with the fold of g, with a at the end in the place of b.
bool solve_weighted(const struct solving *v, uint32_t carried, lterm next);
// The next value with the other states of real numbers as unknowns: what holds for every
// iteration, the first one too.
lterm solving_open_next(const struct solving *v, uint32_t carried);

#endif
