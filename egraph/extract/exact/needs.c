// SPDX-License-Identifier: Apache-2.0
// needs(c) is {c} and what all nodes of c have in common, a node having the
// union of its children's sets.  Any solution of these inclusions is sound:
// by induction on the height of a term of c, its node's children are terms of
// less height that contain their sets.  Terms are finite because choices are
// acyclic, so the greatest solution is sound too, and it alone sees through
// the cycles that e-graphs are full of.
#include "base/clock.h"
#include "egraph/extract/exact/core.h"

#define NEEDS_BYTES ((size_t)400 << 20)

void exact_needs_release(struct exact_needs *s)
{
    mem_free(s->bit);
    *s = (struct exact_needs){0};
}

void exact_needs_of_node(const struct exact_needs *s, const struct problem *q, uint32_t n,
                   uint64_t *row)
{
    memset(row, 0, sizeof *row * s->words);
    for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++) {
        const uint64_t *of = s->bit + (size_t)q->child.at[i] * s->words;
        for (uint32_t w = 0; w < s->words; w++)
            row[w] |= of[w];
    }
}

// True when row c became smaller.
static bool needs_update(struct exact_needs *s, const struct problem *q, uint32_t c,
                         uint64_t *all, uint64_t *one)
{
    uint64_t *row = s->bit + (size_t)c * s->words;
    memcpy(all, row, sizeof *all * s->words);
    for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
        exact_needs_of_node(s, q, n, one);
        for (uint32_t w = 0; w < s->words; w++)
            all[w] &= one[w];
    }
    all[c / 64] |= (uint64_t)1 << (c % 64);
    if (memcmp(all, row, sizeof *all * s->words) == 0)
        return false;
    memcpy(row, all, sizeof *all * s->words);
    return true;
}

bool exact_needs_init(struct exact_needs *s, const struct exact_core *x)
{
    const struct problem *q = &x->q;
    *s = (struct exact_needs){.n = q->n_classes, .words = q->n_classes / 64 + 1};
    size_t size = (size_t)s->n * s->words * sizeof *s->bit;
    if (size > NEEDS_BYTES)
        return false;
    s->bit = mem_alloc(size + 1);
    memset(s->bit, 0xff, size);
    uint64_t *all = mem_alloc(sizeof *all * s->words);
    uint64_t *one = mem_alloc(sizeof *one * s->words);
    uint32_t *owner = problem_owners(q);
    bool *dirty = mem_alloc((size_t)q->n_classes + 1);
    memset(dirty, 1, (size_t)q->n_classes + 1);
    struct u32_vec order = {0}, at = {0}, user = {0};
    exact_core_order(q, &order);
    problem_users(q, &at, &user);
    // Only the last round, which changes nothing, makes the rows true.
    bool changed = true, late = false;
    while (changed && !late) {
        changed = false;
        for (uint32_t k = 0; k < order.len && !late; k++) {
            uint32_t c = order.at[k];
            late = k % 64 == 0 && clock_wall() > x->until;
            if (!dirty[c] || late)
                continue;
            dirty[c] = false;
            if (!needs_update(s, q, c, all, one))
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
        exact_needs_release(s);
    return !late;
}
