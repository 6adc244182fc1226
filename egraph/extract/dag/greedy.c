// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/dag/dag.h"

enum { SET_BUDGET = 1 << 25 }; // stored members

struct cost_set {
    uint32_t at, n, cap; // in the pool
};

struct greedy_search {
    const struct space *s;
    struct effort *f;
    uint32_t *choice;
    struct price *best;
    struct cost_set *set;
    struct u32_vec pool; // members of all sets
    struct u32_vec members;
    uint32_t *mark; // per class
    uint32_t stamp;
    struct u32_vec queue; // nodes of one component; head is the next one
    uint32_t head;
    uint8_t *queued;
    bool positive; // no cost is below zero
};

static void enqueue(struct greedy_search *d, uint32_t node)
{
    if (d->queued[node])
        return;
    d->queued[node] = 1;
    vec_push(&d->queue, node);
}

// A node cannot beat `best` if what one child brings alone does not.
static bool hopeless(const struct greedy_search *d, uint32_t node, uint32_t self)
{
    const struct space *s = d->s;
    struct price own = {s->p.cost.at[node], 1};
    FOR_CHILDREN(s, node, i)
    {
        uint32_t c = s->p.child.at[i];
        if (d->choice[c] == NO_CHOICE)
            return true;
        struct price p = {own.cost + d->best[c].cost,
                          own.nodes + d->best[c].nodes};
        if (d->positive && d->choice[self] != NO_CHOICE &&
            price_compare(p, d->best[self]) >= 0)
            return true;
    }
    return false;
}

// The union of the children's sets in d->members; false if it leads back to
// the node's own class.
static bool gather(struct greedy_search *d, uint32_t node, uint32_t self,
                   struct price *price)
{
    const struct space *s = d->s;
    *price = (struct price){s->p.cost.at[node], 1};
    d->stamp++;
    vec_clear(&d->members);
    vec_push(&d->members, self);
    FOR_CHILDREN(s, node, i)
    {
        const struct cost_set *x = &d->set[s->p.child.at[i]];
        d->f->spent += x->n;
        vec_reserve(&d->members, d->members.len + x->n);
        for (uint32_t k = 0; k < x->n; k++) {
            uint32_t c = d->pool.at[x->at + k];
            if (c == self)
                return false;
            if (d->mark[c] == d->stamp)
                continue;
            d->mark[c] = d->stamp;
            d->members.at[d->members.len++] = c;
            price->cost += s->p.cost.at[d->choice[c]];
            price->nodes++;
        }
    }
    return true;
}

static bool store(struct greedy_search *d, uint32_t c)
{
    struct cost_set *x = &d->set[c];
    uint32_t n = d->members.len;
    if (n > x->cap) {
        if (d->pool.len + (uint64_t)n > SET_BUDGET)
            return false;
        x->at = d->pool.len;
        x->cap = n;
        vec_reserve(&d->pool, d->pool.len + n);
        d->pool.len += n;
    }
    x->n = n;
    memcpy(d->pool.at + x->at, d->members.at, n * sizeof(uint32_t));
    return true;
}

static bool try_node(struct greedy_search *d, uint32_t node)
{
    const struct space *s = d->s;
    uint32_t c = s->owner.at[node];
    struct price price;
    d->f->spent += 1;
    if (hopeless(d, node, c) || !gather(d, node, c, &price) ||
        (d->choice[c] != NO_CHOICE && price_compare(price, d->best[c]) >= 0))
        return true;
    if (!store(d, c))
        return false;
    d->choice[c] = node;
    d->best[c] = price;
    uint32_t part = s->part.at[c];
    if (s->part_at.at[part + 1] - s->part_at.at[part] == 1)
        return true;
    FOR_USERS(s, c, i)
    {
        uint32_t n = s->user.at[i];
        if (s->part.at[s->owner.at[n]] == part)
            enqueue(d, n);
    }
    return true;
}

// Components in order: what a node needs outside its own is final.
static bool choose_component(struct greedy_search *d, uint32_t part)
{
    const struct space *s = d->s;
    uint32_t from = s->p.node_at.at[s->part_at.at[part]];
    uint32_t end = s->p.node_at.at[s->part_at.at[part + 1]];
    vec_clear(&d->queue);
    for (uint32_t n = from; n < end; n++)
        enqueue(d, n);
    d->head = 0;
    while (d->head < d->queue.len) {
        uint32_t n = d->queue.at[d->head++];
        d->queued[n] = 0;
        if (!try_node(d, n) || !dag_effort_left(d->f))
            return false;
        if (d->head > 4096 && d->head > d->queue.len / 2) {
            d->queue.len -= d->head;
            memmove(d->queue.at, d->queue.at + d->head,
                    d->queue.len * sizeof(uint32_t));
            d->head = 0;
        }
    }
    return true;
}

// What the roots do not need keeps its tree node: needed classes only lead to
// needed ones, so the whole stays acyclic.  What the sets said of a class may
// rest on an older choice for another, so this can turn out cyclic.
static bool merge(const struct space *s, const uint32_t *found,
                  uint32_t *choice)
{
    struct u32_vec order = {0};
    bool ok = space_order(s, found, &s->p.root, &order);
    for (uint32_t i = 0; ok && i < order.len; i++)
        choice[order.at[i]] = found[order.at[i]];
    vec_release(&order);
    return ok;
}

bool dag_greedy(const struct space *s, struct effort *f, uint32_t *choice)
{
    size_t n = (size_t)s->p.n_classes + 1;
    struct greedy_search d = {.s = s, .f = f, .positive = true};
    d.choice = mem_alloc(n * sizeof *d.choice);
    d.best = mem_alloc(n * sizeof *d.best);
    d.set = mem_alloc(n * sizeof *d.set);
    d.mark = mem_alloc(n * sizeof *d.mark);
    d.queued = mem_alloc((size_t)s->p.n_nodes + 1);
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        d.choice[c] = NO_CHOICE;
    for (uint32_t k = 0; k < s->p.n_nodes; k++)
        d.positive &= s->p.cost.at[k] >= 0;
    bool ok = true;
    for (uint32_t part = 0; ok && part + 1 < s->part_at.len; part++)
        ok = choose_component(&d, part);
    ok = ok && merge(s, d.choice, choice);
    mem_free(d.choice);
    mem_free(d.best);
    mem_free(d.set);
    mem_free(d.mark);
    mem_free(d.queued);
    vec_release(&d.pool);
    vec_release(&d.members);
    vec_release(&d.queue);
    return ok;
}
