// SPDX-License-Identifier: Apache-2.0
// An extraction problem, independent of the meaning of nodes.  A class has nodes to
// choose from; a node has a cost and needs classes.  A solution chooses one node for
// each class that the roots need, without cycles.
//
//   tree cost  every use of a class is paid, a root named twice twice
//   DAG cost   every class that is needed is paid once
//
// Solvers fill `node` of a solution.  Only solution_check computes the costs, from
// nothing but the choices.
#ifndef EGRAPH_EXTRACT_PROBLEM_PROBLEM_H
#define EGRAPH_EXTRACT_PROBLEM_PROBLEM_H

#include "base/err.h"
#include "base/memory/vec.h"

#define NO_CHOICE UINT32_MAX

struct problem {
    uint32_t n_classes, n_nodes;
    struct u32_vec node_at;  // class c has the nodes node_at[c] .. [c + 1] - 1
    struct u32_vec child_at; // node n needs child[child_at[n] .. [n + 1] - 1]
    struct u32_vec child;    // classes; one may stand there more than once
    VEC(double) cost;        // per node; may be negative, not NaN or infinite
    struct u32_vec root;     // classes; one may stand there more than once
};

struct solution {
    uint32_t *node; // per class: its node, or NO_CHOICE where none is needed
    uint32_t n_classes;
    double tree_cost, dag_cost; // infinite where a double cannot hold it
    double bound;               // no solution costs less: -INFINITY says nothing
    bool optimal;               // proved to be
};

// All zero is a valid empty problem.
void problem_release(struct problem *problem);
// Indices in range, tables of the right length, costs finite: ERR_INPUT.
bool problem_check(const struct problem *problem, struct err *err);
// The class of every node; the caller releases it with mem_free.
uint32_t *problem_owners(const struct problem *problem);
// The nodes that need class c: user[at[c] .. [c + 1] - 1], ascending, each as
// often as it needs it.
void problem_users(const struct problem *problem, struct u32_vec *at, struct u32_vec *user);
// Per class: has it a term at all, that is a choice without cycles?  The caller
// releases it with mem_free.
bool *problem_terms(const struct problem *problem);

// No choices, bound -INFINITY.
void solution_init(struct solution *solution, const struct problem *problem);
void solution_release(struct solution *solution);
void solution_copy(struct solution *to, const struct solution *from);
// Takes back the choices that the roots do not need.
void solution_trim(const struct problem *problem, struct solution *solution);
// Needed classes of a solution that has been checked, children first.
void solution_order(const struct problem *problem, const struct solution *solution,
                    struct u32_vec *order);
// Every root and every needed class has a node, of that class; none is beneath
// itself; classes that are not needed have none: ERR_CHECK otherwise.  Then
// both costs are written.
bool solution_check(const struct problem *problem, struct solution *solution, struct err *err);

#endif
