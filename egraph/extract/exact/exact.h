// SPDX-License-Identifier: Apache-2.0
// Least DAG cost, with a proof, or the best found and a bound when the effort is spent.
//
//   exact_core, exact_needs, exact_reduce   a smaller problem of the same cost
//   exact_lp                                what no solution can cost less than
//   exact_round, exact_search               solutions; branch and bound
//
// docs/extraction.md has the argument for every step and says what is trusted.
#ifndef EGRAPH_EXTRACT_EXACT_EXACT_H
#define EGRAPH_EXTRACT_EXACT_EXACT_H

#include "egraph/extract/problem/problem.h"

// Initialises *out to a solution that has passed solution_check and costs no more
// than `start` (NULL: the cheapest trees).  `optimal` is set if optimality is
// proved; `bound` holds in any case.  Takes EGRAPH_EXACT_STEPS, or instead of
// them `seconds` of wall clock if these are not INFINITY, and the time for reading a
// large problem once.  Most of the work is done in a process of its own.  Fails with ERR_CHECK if a root has no term,
// and with ERR_IO if there is something to search and Clp cannot be loaded.
bool solve_exact(const struct problem *problem, double seconds, const struct solution *start,
                 struct solution *out, struct err *err);

#endif
