// SPDX-License-Identifier: Apache-2.0
// Small random extraction problems, and their optima by enumeration of all
// choices, with nothing of what is tested.
#ifndef TESTS_UNIT_SUPPORT_PROBLEM_RANDOM_H
#define TESTS_UNIT_SUPPORT_PROBLEM_RANDOM_H

#include "base/rng.h"
#include "egraph/extract/problem/problem.h"

#include <math.h>

enum costs { COSTS_POSITIVE, COSTS_ZERO, COSTS_ANY, N_COSTS };

// Cycles, self-loops, repeated children and roots, classes that nobody needs,
// classes without nodes.
static inline void problem_random(struct rng *rng, uint32_t classes, enum costs costs,
                                  struct problem *problem)
{
    *problem = (struct problem){.n_classes = classes};
    for (uint32_t c = 0; c < classes; c++) {
        uint32_t nodes = (uint32_t)rng_below(rng, 4);
        nodes = nodes == 0 && rng_below(rng, 3) ? 1 : nodes;
        vec_push(&problem->node_at, problem->n_nodes);
        for (uint32_t n = 0; n < nodes; n++, problem->n_nodes++) {
            uint32_t children = (uint32_t)rng_below(rng, 4);
            vec_push(&problem->child_at, problem->child.len);
            for (uint32_t i = 0; i < children; i++)
                vec_push(&problem->child, (uint32_t)rng_below(rng, classes));
            vec_push(&problem->cost, (double)rng_range(rng, costs == COSTS_ANY ? -3 : 0, 4) +
                                         (costs == COSTS_POSITIVE));
        }
    }
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
    for (uint32_t i = 1 + (uint32_t)rng_below(rng, 3); i > 0; i--)
        vec_push(&problem->root, (uint32_t)rng_below(rng, classes));
}

// The tree cost of class c, NAN if there is none: `path` marks what is above.
static inline double brute_tree(const struct problem *problem, const uint32_t *node, uint32_t c,
                                uint32_t path, uint32_t *needed)
{
    if (node[c] == NO_CHOICE || path >> c & 1)
        return NAN;
    uint32_t n = node[c];
    if (n < problem->node_at.at[c] || n >= problem->node_at.at[c + 1])
        return NAN;
    double sum = problem->cost.at[n];
    *needed |= 1u << c;
    for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
        sum += brute_tree(problem, node, problem->child.at[i], path | 1u << c, needed);
    return sum;
}

// What choices of all classes cost, of which only the needed ones count.
static inline bool brute_cost(const struct problem *problem, const uint32_t *node, double *tree,
                              double *dag, uint32_t *needed)
{
    *tree = *dag = 0;
    *needed = 0;
    for (uint32_t i = 0; i < problem->root.len; i++)
        *tree += brute_tree(problem, node, problem->root.at[i], 0, needed);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (*needed >> c & 1 && !isnan(*tree))
            *dag += problem->cost.at[node[c]];
    return !isnan(*tree);
}

// Least costs, INFINITY if there is no solution.
static inline void brute_force(const struct problem *problem, double *tree, double *dag)
{
    uint32_t node[32], needed;
    *tree = *dag = INFINITY;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        node[c] = problem->node_at.at[c] < problem->node_at.at[c + 1] ? problem->node_at.at[c]
                                                                      : NO_CHOICE;
    for (;;) {
        double t, d;
        if (brute_cost(problem, node, &t, &d, &needed)) {
            *tree = t < *tree ? t : *tree;
            *dag = d < *dag ? d : *dag;
        }
        uint32_t c = 0;
        for (; c < problem->n_classes; c++) { // the next choice, as a number
            if (node[c] == NO_CHOICE)
                continue;
            if (++node[c] < problem->node_at.at[c + 1])
                break;
            node[c] = problem->node_at.at[c];
        }
        if (c == problem->n_classes)
            return;
    }
}

#endif
