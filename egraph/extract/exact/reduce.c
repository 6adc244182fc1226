// SPDX-License-Identifier: Apache-2.0
// Reductions: what they take away is in no solution, or in none that is needed
// for the least cost.  docs/extraction.md has the argument for each.
#include "base/clock.h"
#include "egraph/extract/exact/core.h"

struct reducer {
    struct exact_core *x;
    struct exact_edit d;
    struct exact_needs s;
    struct sccs scc;
    bool *root;
    uint64_t *row; // one row of needs
};

static bool *root_flags(const struct problem *q)
{
    bool *root = mem_alloc((size_t)q->n_classes + 1);
    for (uint32_t i = 0; i < q->root.len; i++)
        root[q->root.at[i]] = true;
    return root;
}

static inline uint32_t class_size(const struct problem *q, uint32_t c)
{
    return q->node_at.at[c + 1] - q->node_at.at[c];
}

static inline uint32_t node_size(const struct problem *q, uint32_t n)
{
    return q->child_at.at[n + 1] - q->child_at.at[n];
}

// Roots of one node that asks for nothing are paid and forgotten.
static uint32_t free_roots(struct exact_core *x, struct exact_edit *d)
{
    const struct problem *q = &x->q;
    uint32_t found = 0;
    for (uint32_t i = 0; i < q->root.len; i++) {
        uint32_t c = q->root.at[i], n = q->node_at.at[c];
        if (class_size(q, c) == 1 && node_size(q, n) == 0) {
            d->free[c] = true;
            found++;
        }
    }
    for (uint32_t i = 0; found && i < q->child.len; i++)
        d->cut[i] = d->free[q->child.at[i]];
    return found;
}

// Classes of one node that only one node needs, or that cost nothing and do not
// make the problem larger, are part of those who need them.
static uint32_t melt_classes(struct exact_core *x, struct exact_edit *d, bool costly)
{
    const struct problem *q = &x->q;
    bool *root = root_flags(q);
    struct u32_vec at = {0}, user = {0};
    problem_users(q, &at, &user);
    uint32_t found = 0;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        if (root[c] || class_size(q, c) != 1)
            continue;
        uint32_t n = q->node_at.at[c], users = at.at[c + 1] - at.at[c];
        uint32_t size = node_size(q, n);
        bool cheap = q->cost.at[n] == 0 &&
                     (uint64_t)users * size <= (uint64_t)users + size + 1;
        if (costly ? users == 1 : cheap) {
            d->melt[c] = true;
            found++;
        }
    }
    vec_release(&at);
    vec_release(&user);
    mem_free(root);
    return found;
}

static uint32_t simple_edits(struct exact_core *x)
{
    struct exact_edit d;
    exact_edit_init(&d, x);
    uint32_t freed = free_roots(x, &d);
    exact_core_apply(x, &d);
    exact_edit_init(&d, x);
    uint32_t melted = melt_classes(x, &d, true);
    exact_core_apply(x, &d);
    exact_edit_init(&d, x);
    melted += melt_classes(x, &d, false);
    exact_core_apply(x, &d);
    return freed + melted;
}

// ---- by what every term needs

// Roots need theirs in every solution.
static uint32_t force_roots(struct reducer *r)
{
    struct problem *q = &r->x->q;
    memset(r->row, 0, sizeof *r->row * r->s.words);
    for (uint32_t i = 0; i < q->root.len; i++) {
        const uint64_t *of = r->s.bit + (size_t)q->root.at[i] * r->s.words;
        for (uint32_t w = 0; w < r->s.words; w++)
            r->row[w] |= of[w];
    }
    uint32_t found = 0;
    for (uint32_t c = 0; c < q->n_classes; c++)
        if (!r->root[c] && bit_get(r->row, c)) {
            r->root[c] = true;
            vec_push(&q->root, c);
            found++;
        }
    return found;
}

// Is the child at place i of node n of class c there anyway, and not above?
static bool implied(const struct reducer *r, uint32_t c, uint32_t n, uint32_t i)
{
    const struct problem *q = &r->x->q;
    uint32_t f = q->child.at[i];
    if (r->root[f] && r->scc.part[f] != r->scc.part[c])
        return true;
    for (uint32_t k = q->child_at.at[n]; k < q->child_at.at[n + 1]; k++)
        if (k != i &&
            bit_get(r->s.bit + (size_t)q->child.at[k] * r->s.words, f))
            return true;
    return false;
}

// Is m as good as n wherever n is, n needing row?
static bool dominates(const struct reducer *r, uint32_t m, uint32_t n,
                      const uint64_t *row)
{
    const struct problem *q = &r->x->q;
    if (q->cost.at[m] > q->cost.at[n])
        return false;
    uint32_t first = q->child_at.at[m], end = q->child_at.at[m + 1];
    if (r->x->negative)
        return end - first == node_size(q, n) &&
               (end == first ||
                memcmp(q->child.at + first, q->child.at + q->child_at.at[n],
                       sizeof(uint32_t) * (end - first)) == 0);
    for (uint32_t i = first; i < end; i++)
        if (!bit_get(row, q->child.at[i]) && !r->d.cut[i])
            return false;
    return true;
}

static uint32_t drop_nodes(struct reducer *r, uint32_t c)
{
    const struct problem *q = &r->x->q;
    uint32_t first = q->node_at.at[c], end = q->node_at.at[c + 1], found = 0;
    for (uint32_t n = first; n < end; n++) {
        exact_needs_of_node(&r->s, q, n, r->row);
        bool gone = bit_get(r->row, c);
        for (uint32_t m = first; m < end && !gone; m++)
            gone = m != n && !r->d.gone[m] && dominates(r, m, n, r->row);
        r->d.gone[n] = gone;
        found += gone;
    }
    return found;
}

static uint32_t needs_edits(struct reducer *r)
{
    struct exact_core *x = r->x;
    struct problem *q = &x->q;
    if (!exact_needs_init(&r->s, x))
        return 0;
    uint32_t found = 0;
    exact_edit_init(&r->d, x);
    sccs_find(&r->scc, q, NULL, 0, NULL);
    r->root = root_flags(q);
    r->row = mem_alloc(sizeof *r->row * r->s.words);
    found += force_roots(r);
    for (uint32_t c = 0; c < q->n_classes; c++)
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++)
                found += r->d.cut[i] = implied(r, c, n, i);
    for (uint32_t c = 0; c < q->n_classes; c++)
        found += drop_nodes(r, c);
    mem_free(r->row);
    mem_free(r->root);
    sccs_release(&r->scc);
    exact_needs_release(&r->s);
    exact_core_apply(x, &r->d);
    return found;
}

void exact_core_reduce(struct exact_core *x)
{
    struct reducer r = {.x = x};
    while (x->q.n_classes && !x->dead && clock_wall() < x->until) {
        uint32_t found = 0, now;
        while (!x->dead && (now = simple_edits(x)) != 0 &&
               clock_wall() < x->until)
            found += now;
        if (x->dead)
            return;
        found += needs_edits(&r);
        if (!found)
            return;
    }
}
