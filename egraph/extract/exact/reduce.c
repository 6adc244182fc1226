// SPDX-License-Identifier: Apache-2.0
// Reductions: each removes nodes or classes that are in no solution, or in none
// that is needed for the least cost.  docs/extraction.md has the argument for each.
#include "egraph/extract/exact/core.h"

struct reducer {
    struct exact_core *exact_core;
    struct exact_edit edit;
    struct exact_needs needs;
    struct sccs scc;
    bool *root;
    uint64_t *row; // one row of needs
};

static bool *root_flags(const struct problem *problem)
{
    bool *root = mem_alloc((size_t)problem->n_classes + 1);
    for (uint32_t i = 0; i < problem->root.len; i++)
        root[problem->root.at[i]] = true;
    return root;
}

static inline uint32_t class_size(const struct problem *problem, uint32_t c)
{
    return problem->node_at.at[c + 1] - problem->node_at.at[c];
}

static inline uint32_t node_size(const struct problem *problem, uint32_t n)
{
    return problem->child_at.at[n + 1] - problem->child_at.at[n];
}

// Roots of one node that asks for nothing are paid and forgotten.
static uint32_t free_roots(struct exact_core *exact_core, struct exact_edit *edit)
{
    const struct problem *problem = &exact_core->problem;
    uint32_t found = 0;
    for (uint32_t i = 0; i < problem->root.len; i++) {
        uint32_t c = problem->root.at[i], n = problem->node_at.at[c];
        if (class_size(problem, c) == 1 && node_size(problem, n) == 0) {
            edit->free[c] = true;
            found++;
        }
    }
    for (uint32_t i = 0; found && i < problem->child.len; i++)
        edit->cut[i] = edit->free[problem->child.at[i]];
    return found;
}

// Classes of one node that only one node needs, or that cost nothing and do not
// make the problem larger, are part of those who need them.
static uint32_t melt_classes(struct exact_core *exact_core, struct exact_edit *edit, bool costly)
{
    const struct problem *problem = &exact_core->problem;
    bool *root = root_flags(problem);
    struct u32_vec at = {0}, user = {0};
    problem_users(problem, &at, &user);
    uint32_t found = 0;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        if (root[c] || class_size(problem, c) != 1)
            continue;
        uint32_t n = problem->node_at.at[c], users = at.at[c + 1] - at.at[c];
        uint32_t size = node_size(problem, n);
        bool cheap =
            problem->cost.at[n] == 0 && (uint64_t)users * size <= (uint64_t)users + size + 1;
        if (costly ? users == 1 : cheap) {
            edit->melt[c] = true;
            found++;
        }
    }
    vec_release(&at);
    vec_release(&user);
    mem_free(root);
    return found;
}

static uint32_t simple_edits(struct exact_core *exact_core)
{
    struct exact_edit edit;
    exact_edit_init(&edit, exact_core);
    uint32_t freed = free_roots(exact_core, &edit);
    exact_core_apply(exact_core, &edit);
    exact_edit_init(&edit, exact_core);
    uint32_t melted = melt_classes(exact_core, &edit, true);
    exact_core_apply(exact_core, &edit);
    exact_edit_init(&edit, exact_core);
    melted += melt_classes(exact_core, &edit, false);
    exact_core_apply(exact_core, &edit);
    return freed + melted;
}

// ---- by what every term needs

// Roots need theirs in every solution.
static uint32_t force_roots(struct reducer *reducer)
{
    struct problem *problem = &reducer->exact_core->problem;
    memset(reducer->row, 0, sizeof *reducer->row * reducer->needs.words);
    for (uint32_t i = 0; i < problem->root.len; i++) {
        const uint64_t *of =
            reducer->needs.bit + (size_t)problem->root.at[i] * reducer->needs.words;
        for (uint32_t w = 0; w < reducer->needs.words; w++)
            reducer->row[w] |= of[w];
    }
    uint32_t found = 0;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (!reducer->root[c] && bit_get(reducer->row, c)) {
            reducer->root[c] = true;
            vec_push(&problem->root, c);
            found++;
        }
    return found;
}

// Is the child at place i of node n of class c there anyway, and not above?
static bool implied(const struct reducer *reducer, uint32_t c, uint32_t n, uint32_t i)
{
    const struct problem *problem = &reducer->exact_core->problem;
    uint32_t f = problem->child.at[i];
    if (reducer->root[f] && reducer->scc.part[f] != reducer->scc.part[c])
        return true;
    for (uint32_t k = problem->child_at.at[n]; k < problem->child_at.at[n + 1]; k++)
        if (k != i &&
            bit_get(reducer->needs.bit + (size_t)problem->child.at[k] * reducer->needs.words, f))
            return true;
    return false;
}

// Is m as good as n wherever n is, n needing row?
static bool dominates(const struct reducer *reducer, uint32_t m, uint32_t n, const uint64_t *row)
{
    const struct problem *problem = &reducer->exact_core->problem;
    if (problem->cost.at[m] > problem->cost.at[n])
        return false;
    uint32_t first = problem->child_at.at[m], end = problem->child_at.at[m + 1];
    if (reducer->exact_core->negative)
        return end - first == node_size(problem, n) &&
               (end == first ||
                memcmp(problem->child.at + first, problem->child.at + problem->child_at.at[n],
                       sizeof(uint32_t) * (end - first)) == 0);
    for (uint32_t i = first; i < end; i++)
        if (!bit_get(row, problem->child.at[i]) && !reducer->edit.cut[i])
            return false;
    return true;
}

static uint32_t drop_nodes(struct reducer *reducer, uint32_t c)
{
    const struct problem *problem = &reducer->exact_core->problem;
    uint32_t first = problem->node_at.at[c], end = problem->node_at.at[c + 1], found = 0;
    for (uint32_t n = first; n < end; n++) {
        exact_needs_of_node(&reducer->needs, problem, n, reducer->row);
        bool gone = bit_get(reducer->row, c);
        for (uint32_t m = first; m < end && !gone; m++)
            gone = m != n && !reducer->edit.gone[m] && dominates(reducer, m, n, reducer->row);
        reducer->edit.gone[n] = gone;
        found += gone;
    }
    return found;
}

static uint32_t needs_edits(struct reducer *reducer)
{
    struct exact_core *exact_core = reducer->exact_core;
    struct problem *problem = &exact_core->problem;
    if (!exact_needs_init(&reducer->needs, exact_core))
        return 0;
    uint32_t found = 0;
    exact_edit_init(&reducer->edit, exact_core);
    sccs_find(&reducer->scc, problem, NULL, 0, NULL);
    reducer->root = root_flags(problem);
    reducer->row = mem_alloc(sizeof *reducer->row * reducer->needs.words);
    found += force_roots(reducer);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
                found += reducer->edit.cut[i] = implied(reducer, c, n, i);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        found += drop_nodes(reducer, c);
    mem_free(reducer->row);
    mem_free(reducer->root);
    sccs_release(&reducer->scc);
    exact_needs_release(&reducer->needs);
    exact_core_apply(exact_core, &reducer->edit);
    return found;
}

// One pass over the core.
static bool spend(struct exact_core *exact_core)
{
    return exact_spend(exact_core->effort, exact_core_places(exact_core));
}

void exact_core_reduce(struct exact_core *exact_core)
{
    struct reducer reducer = {.exact_core = exact_core};
    while (exact_core->problem.n_classes && !exact_core->dead && spend(exact_core)) {
        uint32_t found = 0, now;
        while (!exact_core->dead && (now = simple_edits(exact_core)) != 0 && spend(exact_core))
            found += now;
        if (exact_core->dead)
            return;
        found += needs_edits(&reducer);
        if (!found)
            return;
    }
}
