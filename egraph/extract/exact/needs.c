// SPDX-License-Identifier: Apache-2.0
// needs(c) is {c} and what all nodes of c have in common, a node having the
// union of its children's sets.  Any solution of these inclusions is sound:
// by induction on the height of a term of c, its node's children are terms of
// less height that contain their sets.  Terms are finite because choices are
// acyclic, so the greatest solution is sound too, and it alone sees through
// the cycles that e-graphs are full of.
#include "egraph/extract/exact/core.h"
#include "egraph/limits.h"

void exact_needs_release(struct exact_needs *needs)
{
    mem_free(needs->bit);
    *needs = (struct exact_needs){0};
}

void exact_needs_of_node(const struct exact_needs *needs, const struct problem *problem, uint32_t n,
                         uint64_t *row)
{
    memset(row, 0, sizeof *row * needs->words);
    for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++) {
        const uint64_t *of = needs->bit + (size_t)problem->child.at[i] * needs->words;
        for (uint32_t w = 0; w < needs->words; w++)
            row[w] |= of[w];
    }
}

// The children of all nodes of a class.
static uint32_t places_of(const struct problem *problem, uint32_t c)
{
    return 1 + problem->child_at.at[problem->node_at.at[c + 1]] -
           problem->child_at.at[problem->node_at.at[c]];
}

// True when row c became smaller.
static bool needs_update(struct exact_needs *needs, const struct problem *problem, uint32_t c,
                         uint64_t *all, uint64_t *one)
{
    uint64_t *row = needs->bit + (size_t)c * needs->words;
    memcpy(all, row, sizeof *all * needs->words);
    for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
        exact_needs_of_node(needs, problem, n, one);
        for (uint32_t w = 0; w < needs->words; w++)
            all[w] &= one[w];
    }
    all[c / 64] |= (uint64_t)1 << (c % 64);
    if (memcmp(all, row, sizeof *all * needs->words) == 0)
        return false;
    memcpy(row, all, sizeof *all * needs->words);
    return true;
}

bool exact_needs_init(struct exact_needs *needs, const struct exact_core *exact_core)
{
    const struct problem *problem = &exact_core->problem;
    *needs =
        (struct exact_needs){.n_classes = problem->n_classes, .words = problem->n_classes / 64 + 1};
    size_t size = (size_t)needs->n_classes * needs->words * sizeof *needs->bit;
    if (size > (size_t)EGRAPH_EXACT_NEEDS << 20)
        return false;
    needs->bit = mem_alloc(size + 1);
    memset(needs->bit, 0xff, size);
    uint64_t *all = mem_alloc(sizeof *all * needs->words);
    uint64_t *one = mem_alloc(sizeof *one * needs->words);
    uint32_t *owner = problem_owners(problem);
    bool *dirty = mem_alloc((size_t)problem->n_classes + 1);
    memset(dirty, 1, (size_t)problem->n_classes + 1);
    struct u32_vec order = {0}, at = {0}, user = {0};
    exact_core_order(problem, &order);
    problem_users(problem, &at, &user);
    // Only the last round, which changes nothing, makes the rows true.
    bool changed = true, late = false;
    while (changed && !late) {
        changed = false;
        for (uint32_t k = 0; k < order.len && !late; k++) {
            uint32_t c = order.at[k];
            late = k % 64 == 0 && !exact_spend(exact_core->effort, 64);
            if (!dirty[c] || late)
                continue;
            exact_spend(exact_core->effort, (uint64_t)needs->words * places_of(problem, c));
            dirty[c] = false;
            if (!needs_update(needs, problem, c, all, one))
                continue;
            changed = true;
            for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++)
                dirty[owner[user.at[i]]] = true;
        }
    }
    mem_free(all);
    mem_free(one);
    mem_free(owner);
    mem_free(dirty);
    vec_release(&order);
    vec_release(&at);
    vec_release(&user);
    if (late)
        exact_needs_release(needs);
    return !late;
}
