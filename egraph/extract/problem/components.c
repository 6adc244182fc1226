// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/components.h"

struct component_finder {
    const struct problem *problem;
    const uint8_t *skip;
    uint32_t *index, *low; // per class, index 0: not seen
    uint32_t *next;        // per class on the path: its next edge
    uint32_t seen;
    struct u32_vec path, held; // held: seen, without a component yet
    struct sccs *components;
};

static void class_enter(struct component_finder *finder, uint32_t c)
{
    finder->index[c] = finder->low[c] = ++finder->seen;
    finder->next[c] = finder->problem->child_at.at[finder->problem->node_at.at[c]];
    vec_push(&finder->path, c);
    vec_push(&finder->held, c);
}

// A component is closed after all that it needs.
static void class_leave(struct component_finder *finder, uint32_t c)
{
    (void)vec_pop(&finder->path);
    if (finder->path.len && finder->low[c] < finder->low[vec_last(&finder->path)])
        finder->low[vec_last(&finder->path)] = finder->low[c];
    if (finder->low[c] != finder->index[c])
        return;
    uint32_t part = finder->components->part_at.len, k;
    vec_push(&finder->components->part_at, finder->components->class_of.len);
    do {
        k = vec_pop(&finder->held);
        vec_push(&finder->components->class_of, k);
        finder->components->part[k] = part;
    } while (k != c);
}

// All children of one class stand in a row.
static void search(struct component_finder *finder, uint32_t root)
{
    const struct problem *problem = finder->problem;
    if (finder->index[root])
        return;
    class_enter(finder, root);
    while (finder->path.len) {
        uint32_t c = vec_last(&finder->path);
        uint32_t end = problem->child_at.at[problem->node_at.at[c + 1]];
        uint32_t i = finder->next[c];
        for (; i < end; i++) {
            uint32_t k = problem->child.at[i];
            if (finder->skip && finder->skip[i])
                continue;
            if (!finder->index[k])
                break;
            if (finder->components->part[k] == UINT32_MAX && finder->index[k] < finder->low[c])
                finder->low[c] = finder->index[k];
        }
        finder->next[c] = i + 1;
        if (i < end)
            class_enter(finder, problem->child.at[i]);
        else
            class_leave(finder, c);
    }
}

void sccs_find(struct sccs *components, const struct problem *problem, const uint32_t *from,
               uint32_t n, const uint8_t *skip)
{
    size_t size = sizeof(uint32_t) * ((size_t)problem->n_classes + 1);
    *components = (struct sccs){.part = mem_alloc(size)};
    memset(components->part, 0xff, size);
    struct component_finder finder = {.problem = problem,
                                      .skip = skip,
                                      .index = mem_alloc(size),
                                      .low = mem_alloc(size),
                                      .next = mem_alloc(size),
                                      .components = components};
    for (uint32_t i = 0; i < (from ? n : problem->n_classes); i++)
        search(&finder, from ? from[i] : i);
    vec_push(&components->part_at, components->class_of.len);
    mem_free(finder.index);
    mem_free(finder.low);
    mem_free(finder.next);
    vec_release(&finder.path);
    vec_release(&finder.held);
}

void sccs_release(struct sccs *components)
{
    vec_release(&components->class_of);
    vec_release(&components->part_at);
    mem_free(components->part);
}
