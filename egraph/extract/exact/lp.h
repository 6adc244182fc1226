// SPDX-License-Identifier: Apache-2.0
// The linear relaxation of a core, and what it proves; private to the
// exact extraction's.
//
// Columns are the nodes of the core, then its classes: how much of each is
// taken, 0 .. 1, roots 1.  All rows read  sum(value * column) >= least:
//
//   class     its nodes add up to it (equal)
//   needs     a class f gets as much as those nodes of a class that need f
//   loop      some node of a set S of classes needs nothing in S: those nodes
//             get as much as any class of S (added where violated)
//   support   where costs are negative: a class gets no more than its users
//
// Nothing the simplex code says is believed but its duals, and these only as
// numbers: any duals give a bound, which is computed here (lp_bound).
#ifndef EGRAPH_EXTRACT_EXACT_LP_H
#define EGRAPH_EXTRACT_EXACT_LP_H

#include "egraph/extract/exact/clp.h"
#include "egraph/extract/exact/core.h"

struct lp {
    const struct exact_core *exact_core;
    const struct clp *clp;
    Clp_Simplex *model;
    uint32_t n_cols;
    bool *root;
    struct u32_vec row_at, row_col;
    VEC(double) row_value;
    VEC(double) row_least;
    uint32_t n_equal;   // the first rows: equal, not just at least
    uint32_t n_first;   // rows that stay; others may go when they are slack
    uint32_t n_sent;    // rows that the simplex code has
    double *low, *high; // per column: 0 and 1, or decided
    double *take;       // per column, after lp_solve
    double *reduced;    // reduced cost per column
    double unit;        // of the costs that the simplex code is told
    double bound;       // no solution of the core costs less; without core.base
};

// The core and the functions of Clp are borrowed.
void lp_init(struct lp *lp, const struct exact_core *exact_core, const struct clp *clp);
void lp_release(struct lp *lp);
// Solves, adds violated rows, solves again, until the bound hardly moves, is
// beyond the limit or the time is over.  After each round `look` gives the
// limit: a solution is of interest only if it costs no more.  Columns are
// decided (low, high) that have no other value in solutions of interest.
void lp_solve(struct lp *lp, double (*look)(void *arg, const struct lp *lp), void *arg);
// Decides columns, as lp_solve does between rounds; how many nodes are.
uint32_t lp_decide(struct lp *lp, double limit);
// Rows, term by term; a row that has been begun may be dropped again.
void lp_row(struct lp *lp, double least);
void lp_term(struct lp *lp, uint32_t col, double value);
void lp_drop_row(struct lp *lp);
// Violated rows of egraph/extract/exact/flow.c, at most so many; how many.
uint32_t lp_add_flows(struct lp *lp, uint32_t most);

static inline uint32_t lp_class(const struct lp *lp, uint32_t c)
{
    return lp->exact_core->problem.n_nodes + c;
}

#endif
