// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/space.h"
#include "egraph/extract/problem/components.h"

static bool node_usable(const struct problem *problem, const bool *term, uint32_t n, uint32_t owner)
{
    for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
        if (!term[problem->child.at[i]] || problem->child.at[i] == owner)
            return false;
    return true;
}

// The classes that the roots reach over usable nodes, by components.
static void arrange(struct space *space, const struct problem *problem, const bool *usable)
{
    uint8_t *skip = mem_alloc((size_t)problem->child.len + 1);
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        uint32_t from = problem->child_at.at[n];
        memset(skip + from, !usable[n], problem->child_at.at[n + 1] - from);
    }
    struct sccs components;
    sccs_find(&components, problem, problem->root.at, problem->root.len, skip);
    space->class_of = components.class_of;
    space->part_at = components.part_at;
    for (uint32_t i = 0; i < space->class_of.len; i++)
        vec_push(&space->part, components.part[space->class_of.at[i]]);
    mem_free(components.part);
    mem_free(skip);
}

// The tables of the space.
static void fill(struct space *space, const struct problem *problem, const bool *term)
{
    bool *usable = mem_alloc((size_t)problem->n_nodes + 1);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            usable[n] = node_usable(problem, term, n, c);
    arrange(space, problem, usable);
    uint32_t *at = mem_alloc(sizeof *at * ((size_t)problem->n_classes + 1));
    space->problem.n_classes = space->class_of.len;
    for (uint32_t c = 0; c < space->class_of.len; c++)
        at[space->class_of.at[c]] = c;
    for (uint32_t c = 0; c < space->class_of.len; c++) {
        uint32_t from = space->class_of.at[c];
        vec_push(&space->problem.node_at, space->problem.n_nodes);
        for (uint32_t n = problem->node_at.at[from]; n < problem->node_at.at[from + 1]; n++) {
            if (!usable[n])
                continue;
            vec_push(&space->problem.child_at, space->problem.child.len);
            for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
                vec_push(&space->problem.child, at[problem->child.at[i]]);
            vec_push(&space->problem.cost, problem->cost.at[n]);
            vec_push(&space->node_of, n);
            vec_push(&space->owner, c);
            space->problem.n_nodes++;
        }
    }
    vec_push(&space->problem.node_at, space->problem.n_nodes);
    vec_push(&space->problem.child_at, space->problem.child.len);
    for (uint32_t i = 0; i < problem->root.len; i++)
        vec_push(&space->problem.root, at[problem->root.at[i]]);
    problem_users(&space->problem, &space->user_at, &space->user);
    mem_free(at);
    mem_free(usable);
}

bool space_init(struct space *space, const struct problem *problem, struct err *err)
{
    *space = (struct space){0};
    bool *term = problem_terms(problem);
    bool ok = true;
    for (uint32_t i = 0; ok && i < problem->root.len; i++)
        ok = term[problem->root.at[i]] || err_set(err, ERR_CHECK, "root %u has no finite term", i);
    if (ok)
        fill(space, problem, term);
    mem_free(term);
    return ok;
}

void space_release(struct space *space)
{
    problem_release(&space->problem);
    vec_release(&space->class_of);
    vec_release(&space->node_of);
    vec_release(&space->owner);
    vec_release(&space->user_at);
    vec_release(&space->user);
    vec_release(&space->part_at);
    vec_release(&space->part);
}

void space_solution(const struct space *space, const struct problem *whole, const uint32_t *choice,
                    struct solution *out)
{
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        out->node[space->class_of.at[c]] =
            choice[c] == NO_CHOICE ? NO_CHOICE : space->node_of.at[choice[c]];
    solution_trim(whole, out);
}
