// SPDX-License-Identifier: Apache-2.0
// What a class needs is what all its nodes have in common; a node needs its children and what
// they need.  Any solution of these inclusions is sound, by induction on the height of a term
// (egraph/extract/exact/needs.c, which keeps whole sets).  Here a class keeps the nearest
// classes only: those with the largest numbers, as children stand before their users.
#include "egraph/extract/tree/needed.h"
#include "egraph/limits.h"

struct near {
    bool all; // not known yet: every class
    uint32_t n;
    uint32_t at[EGRAPH_NEEDED_KEPT]; // descending
};

static void add_class(struct near *near, uint32_t c)
{
    uint32_t i = 0;
    while (i < near->n && near->at[i] > c)
        i++;
    if (i == EGRAPH_NEEDED_KEPT || (i < near->n && near->at[i] == c))
        return;
    uint32_t last = near->n < EGRAPH_NEEDED_KEPT ? near->n++ : near->n - 1;
    for (uint32_t k = last; k > i; k--)
        near->at[k] = near->at[k - 1];
    near->at[i] = c;
}

static struct near of_node(const struct space *space, const struct near *near, uint32_t node)
{
    struct near out = {.all = false};
    FOR_CHILDREN (space, node, i) {
        uint32_t c = space->problem.child.at[i];
        if (near[c].all)
            return near[c];
        add_class(&out, c);
        for (uint32_t k = 0; k < near[c].n; k++)
            add_class(&out, near[c].at[k]);
    }
    return out;
}

// What both have in common.
static void intersect(struct near *a, const struct near *b)
{
    uint32_t n = 0, k = 0;
    if (b->all)
        return;
    if (a->all) {
        *a = *b;
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        while (k < b->n && b->at[k] > a->at[i])
            k++;
        if (k < b->n && b->at[k] == a->at[i])
            a->at[n++] = a->at[i];
    }
    a->n = n;
}

// Returns true if the class needs less than before.
static bool update(const struct space *space, struct near *near, uint32_t c)
{
    struct near out = near[c];
    FOR_NODES (space, c, n) {
        struct near one = of_node(space, near, n);
        intersect(&out, &one);
    }
    bool changed = out.all != near[c].all || out.n != near[c].n;
    near[c] = out;
    return changed;
}

// The classes of a component, until nothing changes.
static void settle(const struct space *space, struct near *near, uint32_t first, uint32_t end)
{
    bool changed = true;
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        for (uint32_t c = first; c < end; c++)
            changed |= update(space, near, c);
        if (round < EGRAPH_NEEDED_ROUNDS || !changed)
            continue;
        for (uint32_t c = first; c < end; c++) // nothing is said of them
            near[c] = (struct near){.all = false};
        return;
    }
}

void classes_needed(const struct space *space, bool *needed)
{
    uint32_t n = space->problem.n_classes;
    struct near *near = mem_alloc(((size_t)n + 1) * sizeof *near);
    struct u32_vec stack = {0};
    for (uint32_t c = 0; c < n; c++)
        near[c].all = true;
    for (uint32_t part = 0; part + 1 < space->part_at.len; part++)
        settle(space, near, space->part_at.at[part], space->part_at.at[part + 1]);
    for (uint32_t i = 0; i < space->problem.root.len; i++)
        vec_push(&stack, space->problem.root.at[i]);
    while (stack.len > 0) {
        uint32_t c = vec_pop(&stack);
        if (needed[c])
            continue;
        needed[c] = true;
        for (uint32_t i = 0; !near[c].all && i < near[c].n; i++)
            vec_push(&stack, near[c].at[i]);
    }
    vec_release(&stack);
    mem_free(near);
}
