// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/components.h"

struct component_finder {
    const struct problem *p;
    const uint8_t *skip;
    uint32_t *index, *low; // per class, index 0: not seen
    uint32_t *next;        // per class on the path: its next edge
    uint32_t seen;
    struct u32_vec path, held; // held: seen, without a component yet
    struct sccs *s;
};

static void class_enter(struct component_finder *f, uint32_t c)
{
    f->index[c] = f->low[c] = ++f->seen;
    f->next[c] = f->p->child_at.at[f->p->node_at.at[c]];
    vec_push(&f->path, c);
    vec_push(&f->held, c);
}

// A component is closed after all that it needs.
static void class_leave(struct component_finder *f, uint32_t c)
{
    (void)vec_pop(&f->path);
    if (f->path.len && f->low[c] < f->low[vec_last(&f->path)])
        f->low[vec_last(&f->path)] = f->low[c];
    if (f->low[c] != f->index[c])
        return;
    uint32_t part = f->s->part_at.len, k;
    vec_push(&f->s->part_at, f->s->class_of.len);
    do {
        k = vec_pop(&f->held);
        vec_push(&f->s->class_of, k);
        f->s->part[k] = part;
    } while (k != c);
}

// All children of one class stand in a row.
static void search(struct component_finder *f, uint32_t root)
{
    const struct problem *p = f->p;
    if (f->index[root])
        return;
    class_enter(f, root);
    while (f->path.len) {
        uint32_t c = vec_last(&f->path);
        uint32_t end = p->child_at.at[p->node_at.at[c + 1]];
        uint32_t i = f->next[c];
        for (; i < end; i++) {
            uint32_t k = p->child.at[i];
            if (f->skip && f->skip[i])
                continue;
            if (!f->index[k])
                break;
            if (f->s->part[k] == UINT32_MAX && f->index[k] < f->low[c])
                f->low[c] = f->index[k];
        }
        f->next[c] = i + 1;
        if (i < end)
            class_enter(f, p->child.at[i]);
        else
            class_leave(f, c);
    }
}

void sccs_find(struct sccs *s, const struct problem *p, const uint32_t *from,
               uint32_t n, const uint8_t *skip)
{
    size_t size = sizeof(uint32_t) * ((size_t)p->n_classes + 1);
    *s = (struct sccs){.part = mem_alloc(size)};
    memset(s->part, 0xff, size);
    struct component_finder f = {.p = p,
                       .skip = skip,
                       .index = mem_alloc(size),
                       .low = mem_alloc(size),
                       .next = mem_alloc(size),
                       .s = s};
    for (uint32_t i = 0; i < (from ? n : p->n_classes); i++)
        search(&f, from ? from[i] : i);
    vec_push(&s->part_at, s->class_of.len);
    mem_free(f.index);
    mem_free(f.low);
    mem_free(f.next);
    vec_release(&f.path);
    vec_release(&f.held);
}

void sccs_release(struct sccs *s)
{
    vec_release(&s->class_of);
    vec_release(&s->part_at);
    mem_free(s->part);
}
