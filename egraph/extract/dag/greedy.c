// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/dag/dag.h"
#include "egraph/limits.h"

struct cost_set {
    uint32_t at, n, cap; // in the pool
};

struct greedy_search {
    const struct space *space;
    struct effort *effort;
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

static void enqueue(struct greedy_search *greedy_search, uint32_t node)
{
    if (greedy_search->queued[node])
        return;
    greedy_search->queued[node] = 1;
    vec_push(&greedy_search->queue, node);
}

// A node cannot beat `best` if what one child brings alone does not.
static bool hopeless(const struct greedy_search *greedy_search, uint32_t node, uint32_t self)
{
    const struct space *space = greedy_search->space;
    struct price own = {space->problem.cost.at[node], 1};
    FOR_CHILDREN (space, node, i) {
        uint32_t c = space->problem.child.at[i];
        if (greedy_search->choice[c] == NO_CHOICE)
            return true;
        struct price price = {own.cost + greedy_search->best[c].cost,
                              own.nodes + greedy_search->best[c].nodes};
        if (greedy_search->positive && greedy_search->choice[self] != NO_CHOICE &&
            price_compare(price, greedy_search->best[self]) >= 0)
            return true;
    }
    return false;
}

// The union of the children's sets in greedy_search->members; false if it leads back to
// the node's own class.
static bool gather(struct greedy_search *greedy_search, uint32_t node, uint32_t self,
                   struct price *price)
{
    const struct space *space = greedy_search->space;
    *price = (struct price){space->problem.cost.at[node], 1};
    greedy_search->stamp++;
    vec_clear(&greedy_search->members);
    vec_push(&greedy_search->members, self);
    FOR_CHILDREN (space, node, i) {
        const struct cost_set *set = &greedy_search->set[space->problem.child.at[i]];
        greedy_search->effort->spent += set->n;
        vec_reserve(&greedy_search->members, greedy_search->members.len + set->n);
        for (uint32_t k = 0; k < set->n; k++) {
            uint32_t c = greedy_search->pool.at[set->at + k];
            if (c == self)
                return false;
            if (greedy_search->mark[c] == greedy_search->stamp)
                continue;
            greedy_search->mark[c] = greedy_search->stamp;
            greedy_search->members.at[greedy_search->members.len++] = c;
            price->cost += space->problem.cost.at[greedy_search->choice[c]];
            price->nodes++;
        }
    }
    return true;
}

static bool store(struct greedy_search *greedy_search, uint32_t c)
{
    struct cost_set *set = &greedy_search->set[c];
    uint32_t n = greedy_search->members.len;
    if (n > set->cap) {
        if (greedy_search->pool.len + (uint64_t)n > EGRAPH_DAG_SET_MEMBERS)
            return false;
        set->at = greedy_search->pool.len;
        set->cap = n;
        vec_reserve(&greedy_search->pool, greedy_search->pool.len + n);
        greedy_search->pool.len += n;
    }
    set->n = n;
    memcpy(greedy_search->pool.at + set->at, greedy_search->members.at, n * sizeof(uint32_t));
    return true;
}

static bool try_node(struct greedy_search *greedy_search, uint32_t node)
{
    const struct space *space = greedy_search->space;
    uint32_t c = space->owner.at[node];
    struct price price;
    greedy_search->effort->spent += 1;
    if (hopeless(greedy_search, node, c) || !gather(greedy_search, node, c, &price) ||
        (greedy_search->choice[c] != NO_CHOICE &&
         price_compare(price, greedy_search->best[c]) >= 0))
        return true;
    if (!store(greedy_search, c))
        return false;
    greedy_search->choice[c] = node;
    greedy_search->best[c] = price;
    uint32_t part = space->part.at[c];
    if (space->part_at.at[part + 1] - space->part_at.at[part] == 1)
        return true;
    FOR_USERS (space, c, i) {
        uint32_t n = space->user.at[i];
        if (space->part.at[space->owner.at[n]] == part)
            enqueue(greedy_search, n);
    }
    return true;
}

// Components in order: classes that a node needs outside its own component are
// final.
static bool choose_component(struct greedy_search *greedy_search, uint32_t part)
{
    const struct space *space = greedy_search->space;
    uint32_t from = space->problem.node_at.at[space->part_at.at[part]];
    uint32_t end = space->problem.node_at.at[space->part_at.at[part + 1]];
    vec_clear(&greedy_search->queue);
    for (uint32_t n = from; n < end; n++)
        enqueue(greedy_search, n);
    greedy_search->head = 0;
    while (greedy_search->head < greedy_search->queue.len) {
        uint32_t n = greedy_search->queue.at[greedy_search->head++];
        greedy_search->queued[n] = 0;
        if (!try_node(greedy_search, n) || !dag_effort_left(greedy_search->effort))
            return false;
        if (greedy_search->head > 4096 && greedy_search->head > greedy_search->queue.len / 2) {
            greedy_search->queue.len -= greedy_search->head;
            memmove(greedy_search->queue.at, greedy_search->queue.at + greedy_search->head,
                    greedy_search->queue.len * sizeof(uint32_t));
            greedy_search->head = 0;
        }
    }
    return true;
}

// A class that the roots do not need keeps its tree node: needed classes lead to
// needed classes only, so the whole stays acyclic.  The set of a class may rest on
// an older choice for another class, so the result can be cyclic.
static bool merge(const struct space *space, const uint32_t *found, uint32_t *choice)
{
    struct u32_vec order = {0};
    bool ok = space_order(space, found, &space->problem.root, &order);
    for (uint32_t i = 0; ok && i < order.len; i++)
        choice[order.at[i]] = found[order.at[i]];
    vec_release(&order);
    return ok;
}

bool dag_greedy(const struct space *space, struct effort *effort, uint32_t *choice)
{
    size_t n = (size_t)space->problem.n_classes + 1;
    struct greedy_search greedy_search = {.space = space, .effort = effort, .positive = true};
    greedy_search.choice = mem_alloc(n * sizeof *greedy_search.choice);
    greedy_search.best = mem_alloc(n * sizeof *greedy_search.best);
    greedy_search.set = mem_alloc(n * sizeof *greedy_search.set);
    greedy_search.mark = mem_alloc(n * sizeof *greedy_search.mark);
    greedy_search.queued = mem_alloc((size_t)space->problem.n_nodes + 1);
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        greedy_search.choice[c] = NO_CHOICE;
    for (uint32_t k = 0; k < space->problem.n_nodes; k++)
        greedy_search.positive &= space->problem.cost.at[k] >= 0;
    bool ok = true;
    for (uint32_t part = 0; ok && part + 1 < space->part_at.len; part++)
        ok = choose_component(&greedy_search, part);
    ok = ok && merge(space, greedy_search.choice, choice);
    mem_free(greedy_search.choice);
    mem_free(greedy_search.best);
    mem_free(greedy_search.set);
    mem_free(greedy_search.mark);
    mem_free(greedy_search.queued);
    vec_release(&greedy_search.pool);
    vec_release(&greedy_search.members);
    vec_release(&greedy_search.queue);
    return ok;
}
