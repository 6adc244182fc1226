// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/tree/tree.h"

#include <math.h>

struct tree_candidate {
    struct price price;
    uint32_t node;
};

struct tree_search {
    const struct space *s;
    const struct tree_guide *g; // NULL: none
    uint32_t *choice;
    struct price *price; // per class: what each user pays
    struct price *sum;   // per node: itself and what is settled beneath it
    uint32_t *open;      // per node: children that are not settled
    VEC(struct tree_candidate) heap;
    bool proved;
    bool negative, huge; // a cost below zero; a sum that no double holds
};

static bool before(const struct tree_candidate *a, const struct tree_candidate *b)
{
    int c = price_compare(a->price, b->price);
    return c < 0 || (c == 0 && a->node < b->node);
}

static void heap_push(struct tree_search *t, struct tree_candidate c)
{
    vec_push(&t->heap, c);
    struct tree_candidate *h = t->heap.at;
    uint32_t i = t->heap.len - 1;
    for (; i > 0 && before(&c, &h[(i - 1) / 2]); i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = c;
}

static struct tree_candidate heap_pop(struct tree_search *t)
{
    struct tree_candidate *h = t->heap.at, top = h[0], last = vec_pop(&t->heap);
    uint32_t i = 0, n = t->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k + 1 < n && before(&h[k + 1], &h[k]))
            k++;
        if (k >= n || !before(&h[k], &last))
            break;
        h[i] = h[k];
        i = k;
    }
    if (n > 0)
        h[i] = last;
    return top;
}

static bool fixed(const struct tree_search *t, uint32_t c)
{
    return t->g && t->g->fixed && t->g->fixed[c];
}

static void settle(struct tree_search *t, uint32_t c, uint32_t n, struct price p)
{
    double share = t->g && t->g->share ? t->g->share[c] : 1;
    t->choice[c] = n;
    t->price[c] = (struct price){p.cost * share, p.nodes * share};
}

// A node with what it needs of earlier components.
static struct price base(struct tree_search *t, uint32_t n, uint32_t part,
                         uint32_t *open)
{
    const struct space *s = t->s;
    struct price p = {s->p.cost.at[n], 1};
    *open = 0;
    FOR_CHILDREN(s, n, i)
    {
        uint32_t c = s->p.child.at[i];
        if (s->part.at[c] == part) {
            ++*open;
            continue;
        }
        p.cost += t->price[c].cost;
        p.nodes += t->price[c].nodes;
    }
    t->negative = t->negative || s->p.cost.at[n] < 0;
    t->huge = t->huge || !isfinite(p.cost);
    return p;
}

static void choose_alone(struct tree_search *t, uint32_t c)
{
    uint32_t best = NO_CHOICE;
    struct price least = {0, 0};
    FOR_NODES(t->s, c, n)
    {
        uint32_t open;
        struct price p = base(t, n, t->s->part.at[c], &open);
        if (best == NO_CHOICE || price_compare(p, least) < 0) {
            best = n;
            least = p;
        }
    }
    settle(t, c, best, least);
}

// c is settled: what waits for it.
static void offer_users(struct tree_search *t, uint32_t c, uint32_t part)
{
    const struct space *s = t->s;
    FOR_USERS(s, c, i)
    {
        uint32_t n = s->user.at[i], owner = s->owner.at[n];
        if (s->part.at[owner] != part || t->choice[owner] != NO_CHOICE)
            continue;
        t->sum[n].cost += t->price[c].cost;
        t->sum[n].nodes += t->price[c].nodes;
        if (--t->open[n] == 0)
            heap_push(t, (struct tree_candidate){t->sum[n], n});
    }
}

static void begin_component(struct tree_search *t, uint32_t part)
{
    const struct space *s = t->s;
    uint32_t first = s->part_at.at[part], end = s->part_at.at[part + 1];
    for (uint32_t c = first; c < end; c++) {
        if (fixed(t, c))
            continue;
        t->choice[c] = NO_CHOICE;
        FOR_NODES(s, c, n)
        {
            t->sum[n] = base(t, n, part, &t->open[n]);
            if (t->open[n] == 0)
                heap_push(t, (struct tree_candidate){t->sum[n], n});
            if (!(t->sum[n].cost >= 0))
                t->proved = false;
        }
    }
    for (uint32_t c = first; c < end; c++)
        if (fixed(t, c))
            offer_users(t, c, part);
}

static void choose_component(struct tree_search *t, uint32_t part)
{
    begin_component(t, part);
    while (t->heap.len > 0) {
        struct tree_candidate k = heap_pop(t);
        uint32_t c = t->s->owner.at[k.node];
        if (t->choice[c] != NO_CHOICE)
            continue;
        settle(t, c, k.node, k.price);
        offer_users(t, c, part);
    }
}

bool tree_choose(const struct space *s, const struct tree_guide *g, uint32_t *choice,
                 struct price *price)
{
    struct tree_search t = {
        .s = s, .g = g, .choice = choice, .price = price, .proved = g == NULL};
    t.sum = mem_alloc(sizeof *t.sum * ((size_t)s->p.n_nodes + 1));
    t.open = mem_alloc(sizeof *t.open * ((size_t)s->p.n_nodes + 1));
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        if (fixed(&t, c))
            price[c] = (struct price){0, 0};
    for (uint32_t part = 0; part + 1 < s->part_at.len; part++) {
        uint32_t first = s->part_at.at[part];
        bool alone = s->part_at.at[part + 1] - first == 1;
        if (alone && !fixed(&t, first))
            choose_alone(&t, first);
        else if (alone)
            continue;
        else
            choose_component(&t, part);
    }
    mem_free(t.sum);
    mem_free(t.open);
    vec_release(&t.heap);
    // What was too large may have come down again.
    return t.proved && !(t.negative && t.huge);
}

bool tree_solve(const struct problem *p, struct solution *out, struct err *e)
{
    struct space s;
    if (!space_init(&s, p, e))
        return false;
    uint32_t *choice = mem_alloc(sizeof *choice * ((size_t)s.p.n_classes + 1));
    struct price *price =
        mem_alloc(sizeof *price * ((size_t)s.p.n_classes + 1));
    bool proved = tree_choose(&s, NULL, choice, price);
    space_solution(&s, p, choice, out);
    // Sums differ by their order: the bound is what the solution costs.  Terms
    // that are too dear to be told apart are no proof.
    out->optimal =
        proved && solution_check(p, out, e) && isfinite(out->tree_cost);
    out->bound = out->optimal ? out->tree_cost : -INFINITY;
    mem_free(choice);
    mem_free(price);
    space_release(&s);
    return !e->kind;
}
