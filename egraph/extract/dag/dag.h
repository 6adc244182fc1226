// SPDX-License-Identifier: Apache-2.0
// Low DAG cost, by search: good, not proved, the same for the same input.
//
//   starts   the tree choice; the same with what every solution needs for free
//            (egraph/extract/tree/needed.h); greedy with cost sets
//            (egraph/extract/dag/greedy.c); tree choices at prices that
//            sharing divides
//   local    from each start (egraph/extract/dag/local.c): single exchanges, classes that
//            pay only when several turn to them or leave them together, and
//            unused classes priced anew, free of what is paid already;
//            for the best also nodes with several classes that are new
//
// Effort is counted in visited edges, in proportion to the problem; a time
// limit only ends it earlier.
#ifndef EGRAPH_EXTRACT_DAG_DAG_H
#define EGRAPH_EXTRACT_DAG_DAG_H

#include "egraph/extract/problem/space.h"

struct effort {
    uint64_t spent, most;
    double deadline; // clock_wall(); INFINITY: none
    uint64_t look;   // when to look at the clock again
    bool late;       // the deadline has passed
};
// Is there some left?
bool dag_effort_left(struct effort *effort);

// Greedy: each class keeps the set of classes under its choice, a node costs
// the union of its children's sets.  `choice` and `price` hold the tree choice
// and take its place for what is needed; false: out of effort or memory, or the
// choices do not fit together, `choice` is as before.
bool dag_greedy(const struct space *space, struct effort *effort, uint32_t *choice);

// Improves an acyclic choice of all classes and keeps it so; gives its price.
// `deep` also takes nodes that pay only when others share what they need.
struct price dag_improve(const struct space *space, struct effort *effort, bool deep,
                         uint32_t *choice);
// Classes that the roots need, arguments first; false: a cycle.
bool space_order(const struct space *space, const uint32_t *choice, const struct u32_vec *roots,
                 struct u32_vec *order);

// *limited: the time ran out and the best so far is given.
bool dag_solve(const struct problem *problem, double seconds, struct solution *out, bool *limited,
               struct err *err);

#endif
