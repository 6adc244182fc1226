// SPDX-License-Identifier: Apache-2.0
// Shorter ways: besides the forest there are uses of rules that joined nothing,
// and congruences that joined nothing.
#include "egraph/why_core.h"

#include <stdlib.h>

enum { PASSES = 6, WORK = 100000, WORK_EDGE = 2000 };

static void mesh_half(struct why *w, uint32_t node, uint32_t half)
{
    w->link.at[half] = w->head.at[node];
    w->head.at[node] = half + 1;
}

// A dead node has a live one that it is congruent to, which the journal does
// not say where both were in one class already.
static void add_congruences(struct why *w)
{
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (!(w->g->node.at[i].op & CC_DEAD))
            continue;
        uint32_t few[16], n = cc_arity(w->g, i);
        if (n > 16)
            continue;
        for (uint32_t k = 0; k < n; k++)
            few[k] = cc_find(w->g, cc_args(w->g, i)[k]);
        uint32_t live = cc_lookup(w->g, w->g->node.at[i].op & CC_OP, few);
        if (live == CC_NONE || live == i || w->twin.at[i] == live + 1)
            continue;
        w->twin.at[i] = live + 1;
        struct why_entry x = {.kind = JOURNAL_CONGRUENCE, .l = live, .r = i};
        vec_push(&w->entry, x);
    }
}

static void mesh(struct why *w)
{
    if (w->n_meshed == w->entry.len && w->n_meshed > 0)
        return;
    why_zeros(&w->twin, w->n_nodes);
    add_congruences(w);
    why_zeros(&w->edge_of, w->entry.len);
    why_zeros(&w->head, w->n_nodes);
    uint32_t n = w->visit.len;
    if (n == 0) {
        vec_zero(&w->visit, w->n_nodes);
    } else {
        vec_reserve(&w->visit, w->n_nodes);
        memset(w->visit.at + n, 0, (w->n_nodes - n) * sizeof *w->visit.at);
        w->visit.len = w->n_nodes;
    }
    vec_reserve(&w->link, 2 * w->entry.len);
    w->link.len = 2 * w->entry.len;
    for (uint32_t i = w->n_meshed; i < w->entry.len; i++) {
        mesh_half(w, w->entry.at[i].l, 2 * i);
        mesh_half(w, w->entry.at[i].r, 2 * i + 1);
    }
    w->n_meshed = w->entry.len;
}

// As of now.
static uint64_t edge_steps(struct why *w, uint32_t entry)
{
    struct why_edge *g = why_edge(w, entry);
    uint64_t s = w->entry.at[entry].kind != JOURNAL_CONGRUENCE;
    for (uint32_t k = 0; k < g->n; k++)
        s = why_plus(s, w->pair.at[w->prem.at[g->at + k]].steps);
    if (s < g->steps)
        g->steps = s;
    return g->steps;
}

static void heap_push(struct why *w, uint64_t steps, uint32_t node)
{
    struct why_reached x = {steps, node};
    vec_push(&w->heap, x);
    uint32_t i = w->heap.len - 1;
    for (; i > 0 && w->heap.at[(i - 1) / 2].steps > steps; i = (i - 1) / 2)
        w->heap.at[i] = w->heap.at[(i - 1) / 2];
    w->heap.at[i] = x;
}

static struct why_reached heap_pop(struct why *w)
{
    struct why_reached top = w->heap.at[0], x = vec_pop(&w->heap);
    uint32_t i = 0, n = w->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= n)
            break;
        k += k + 1 < n && w->heap.at[k + 1].steps < w->heap.at[k].steps;
        if (w->heap.at[k].steps >= x.steps)
            break;
        w->heap.at[i] = w->heap.at[k];
        i = k;
    }
    if (n > 0)
        w->heap.at[i] = x;
    return top;
}

static bool reach(struct why *w, struct why_reached x, const struct why_pair *p,
                  uint64_t limit, struct err *e)
{
    if (x.steps + 1 >= p->steps)
        return true;
    bool last = x.steps + 2 >= p->steps; // one more step, or too many
    for (uint32_t h = w->head.at[x.node]; h != 0 && w->work <= limit;
         h = w->link.at[h - 1]) {
        uint32_t entry = (h - 1) >> 1;
        const struct why_entry *y = &w->entry.at[entry];
        uint32_t to = (h - 1) & 1 ? y->l : y->r;
        struct why_visit *v = &w->visit.at[to];
        w->work++;
        if ((last && to != p->y) ||
            (v->search == w->search && v->steps <= x.steps + 1))
            continue;
        const struct why_edge *g = why_edge(w, entry);
        if (!g->known && !g->dull && !why_need_edge(w, entry, WORK_EDGE, e))
            return false;
        g = why_edge(w, entry);
        if (!g->known)
            continue;
        uint64_t steps = why_plus(x.steps, edge_steps(w, entry));
        if (steps >= p->steps || (v->search == w->search && v->steps <= steps))
            continue;
        *v = (struct why_visit){steps, w->search, h - 1};
        heap_push(w, steps, to);
    }
    return true;
}

// A way from x to y of fewer than pair.steps, if there is one.
static bool search(struct why *w, uint32_t pair, uint64_t limit, bool *shorter,
                   struct err *e)
{
    struct why_pair p = w->pair.at[pair];
    struct why_reached x = {0, p.x};
    w->search++;
    vec_clear(&w->heap);
    w->visit.at[p.x] = (struct why_visit){0, w->search, CC_NONE};
    for (;;) {
        if (w->work > limit)
            return true;
        if (x.steps == w->visit.at[x.node].steps && !reach(w, x, &p, limit, e))
            return false;
        if (w->heap.len == 0)
            return true;
        x = heap_pop(w);
        if (x.node == p.y)
            break;
    }
    *shorter = true;
    p.at = w->way.len;
    for (uint32_t n = p.y; n != p.x;) {
        uint32_t h = w->visit.at[n].by;
        vec_push(&w->way, h);
        n = h & 1 ? w->entry.at[h >> 1].r : w->entry.at[h >> 1].l;
    }
    p.n = w->way.len - p.at;
    for (uint32_t i = 0; i < p.n / 2; i++) {
        uint32_t h = w->way.at[p.at + i];
        w->way.at[p.at + i] = w->way.at[p.at + p.n - 1 - i];
        w->way.at[p.at + p.n - 1 - i] = h;
    }
    p.steps = x.steps;
    w->changes++;
    p.written = false;
    w->pair.at[pair] = p;
    return true;
}

// The way as its edges are now.
static void sum_up(struct why *w, uint32_t pair)
{
    struct why_pair *p = &w->pair.at[pair];
    uint64_t s = 0;
    for (uint32_t i = 0; i < p->n; i++)
        s = why_plus(s, edge_steps(w, w->way.at[p->at + i] >> 1));
    if (s < p->steps) {
        p->steps = s;
        w->changes++;
        p->written = false;
    }
}

struct ranked {
    uint64_t steps;
    uint32_t pair;
};
struct ranks {
    struct ranked *at;
    uint32_t len, cap;
};

static int by_steps(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->steps != y->steps)
        return x->steps < y->steps ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

// What the pair rests on, by steps.
static void rank(struct why *w, uint32_t pair, struct ranks *list)
{
    uint32_t base = w->todo.len;
    vec_clear(list);
    vec_push(&w->todo, pair);
    while (w->todo.len > base) {
        uint32_t k = vec_pop(&w->todo);
        struct why_pair *p = &w->pair.at[k];
        if (p->open)
            continue;
        p->open = true;
        struct ranked x = {p->steps, k};
        vec_push(list, x);
        for (uint32_t i = 0; i < p->n; i++) {
            const struct why_edge *g = why_edge(w, w->way.at[p->at + i] >> 1);
            for (uint32_t m = 0; m < g->n; m++)
                vec_push(&w->todo, w->prem.at[g->at + m]);
        }
    }
    for (uint32_t i = 0; i < list->len; i++)
        w->pair.at[list->at[i].pair].open = false;
    qsort(list->at, list->len, sizeof *list->at, by_steps);
}

// Short ways first: the long ones rest on them.
bool why_shorten(struct why *w, uint32_t pair, struct err *e)
{
    if (w->pair.at[pair].steps < 2)
        return true;
    uint64_t limit = w->work + WORK;
    if (w->most_work > 0 && limit > w->most_work)
        limit = w->most_work;
    if (w->work >= limit)
        return true;
    mesh(w);
    struct ranks list = {0};
    bool ok = true, shorter = true;
    for (uint32_t i = 0; i < PASSES && ok && shorter; i++) {
        rank(w, pair, &list);
        shorter = false;
        for (uint32_t k = 0; k < list.len && ok; k++) {
            uint32_t x = list.at[k].pair;
            sum_up(w, x);
            // Nothing is new since it was searched for.
            if (w->pair.at[x].steps <= 1 || w->work >= limit ||
                w->pair.at[x].searched == w->changes)
                continue;
            ok = search(w, x, limit, &shorter, e);
            if (w->work <= limit)
                w->pair.at[x].searched = w->changes;
        }
    }
    vec_release(&list);
    return ok;
}
