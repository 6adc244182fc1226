// SPDX-License-Identifier: Apache-2.0
// Good solutions from fractional ones: the cheapest trees where a node costs
// the less the more of it is taken.
#include "egraph/extract/exact/branch.h"

#include <math.h>

// Values only fall, and every node costs something: no choice is beneath
// itself.
static void cheapest_trees(const struct problem *problem, const double *weight, uint32_t *node)
{
    size_t n = (size_t)problem->n_classes + 1;
    double *value = mem_alloc(sizeof(double) * n);
    bool *dirty = mem_alloc(n);
    uint32_t *owner = problem_owners(problem);
    struct u32_vec order = {0}, at = {0}, user = {0};
    exact_core_order(problem, &order);
    problem_users(problem, &at, &user);
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        value[c] = INFINITY;
        node[c] = NO_CHOICE;
        dirty[c] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < order.len; k++) {
            uint32_t c = order.at[k];
            if (!dirty[c])
                continue;
            dirty[c] = false;
            double before = value[c];
            for (uint32_t m = problem->node_at.at[c]; m < problem->node_at.at[c + 1]; m++) {
                double sum = weight[m];
                uint32_t i = problem->child_at.at[m], end = problem->child_at.at[m + 1];
                for (; i < end; i++)
                    sum += value[problem->child.at[i]];
                if (sum < value[c] * (1 - 1e-12) || (node[c] == NO_CHOICE && sum < INFINITY)) {
                    value[c] = sum;
                    node[c] = m;
                }
            }
            if (value[c] == before)
                continue;
            changed = true;
            for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++)
                dirty[owner[user.at[i]]] = true;
        }
    }
    mem_free(value);
    mem_free(dirty);
    mem_free(owner);
    vec_release(&order);
    vec_release(&at);
    vec_release(&user);
}

// Keeps what the roots need and adds it up.
static double trim(const struct exact_core *exact_core, uint32_t *node)
{
    const struct problem *problem = &exact_core->problem;
    struct solution solution = {.node = node, .n_classes = problem->n_classes};
    struct err err = {0};
    solution_trim(problem, &solution);
    return solution_check(problem, &solution, &err) ? solution.dag_cost : INFINITY;
}

double branch_take(const struct exact_core *exact_core, const double *take, uint32_t *node)
{
    const struct problem *problem = &exact_core->problem;
    double most = 0;
    for (uint32_t n = 0; n < problem->n_nodes; n++)
        most = fmax(most, problem->cost.at[n]);
    most = most > 0 ? most : 1;
    double *weight = mem_alloc(sizeof(double) * ((size_t)problem->n_nodes + 1));
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        double open = take ? 1 - fmin(1, fmax(0, take[n])) : 1;
        weight[n] = fmax(0, problem->cost.at[n]) * open + most * (1e-7 + 1e-4 * open);
    }
    cheapest_trees(problem, weight, node);
    mem_free(weight);
    return trim(exact_core, node);
}
