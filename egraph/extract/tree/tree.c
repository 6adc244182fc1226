// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/tree/tree.h"

#include <math.h>

struct tree_candidate {
    struct price price;
    uint32_t node;
};

struct tree_search {
    const struct space *space;
    const struct tree_guide *tree_guide; // NULL: none
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

static void heap_push(struct tree_search *search, struct tree_candidate candidate)
{
    vec_push(&search->heap, candidate);
    struct tree_candidate *h = search->heap.at;
    uint32_t i = search->heap.len - 1;
    for (; i > 0 && before(&candidate, &h[(i - 1) / 2]); i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = candidate;
}

static struct tree_candidate heap_pop(struct tree_search *search)
{
    struct tree_candidate *candidate = search->heap.at, top = candidate[0],
                          last = vec_pop(&search->heap);
    uint32_t i = 0, n = search->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k + 1 < n && before(&candidate[k + 1], &candidate[k]))
            k++;
        if (k >= n || !before(&candidate[k], &last))
            break;
        candidate[i] = candidate[k];
        i = k;
    }
    if (n > 0)
        candidate[i] = last;
    return top;
}

static bool fixed(const struct tree_search *search, uint32_t c)
{
    return search->tree_guide && search->tree_guide->fixed && search->tree_guide->fixed[c];
}

static void settle(struct tree_search *search, uint32_t c, uint32_t n, struct price price)
{
    double share =
        search->tree_guide && search->tree_guide->share ? search->tree_guide->share[c] : 1;
    if (search->tree_guide && search->tree_guide->most > 0 &&
        price.nodes > search->tree_guide->most)
        share = 0;
    search->choice[c] = n;
    search->price[c] = (struct price){price.cost * share, price.nodes * share};
}

// A node with what it needs of earlier components.
static struct price base(struct tree_search *search, uint32_t n, uint32_t part, uint32_t *open)
{
    const struct space *space = search->space;
    struct price price = {space->problem.cost.at[n], 1};
    *open = 0;
    FOR_CHILDREN (space, n, i) {
        uint32_t c = space->problem.child.at[i];
        if (space->part.at[c] == part) {
            ++*open;
            continue;
        }
        price.cost += search->price[c].cost;
        price.nodes += search->price[c].nodes;
    }
    search->negative = search->negative || space->problem.cost.at[n] < 0;
    search->huge = search->huge || !isfinite(price.cost);
    return price;
}

static void choose_alone(struct tree_search *search, uint32_t c)
{
    uint32_t best = NO_CHOICE;
    struct price least = {0, 0};
    FOR_NODES (search->space, c, n) {
        uint32_t open;
        struct price price = base(search, n, search->space->part.at[c], &open);
        if (best == NO_CHOICE || price_compare(price, least) < 0) {
            best = n;
            least = price;
        }
    }
    settle(search, c, best, least);
}

// Class c is settled: goes on with the nodes that wait for it.
static void offer_users(struct tree_search *search, uint32_t c, uint32_t part)
{
    const struct space *space = search->space;
    FOR_USERS (space, c, i) {
        uint32_t n = space->user.at[i], owner = space->owner.at[n];
        if (space->part.at[owner] != part || search->choice[owner] != NO_CHOICE)
            continue;
        search->sum[n].cost += search->price[c].cost;
        search->sum[n].nodes += search->price[c].nodes;
        if (--search->open[n] == 0)
            heap_push(search, (struct tree_candidate){search->sum[n], n});
    }
}

static void begin_component(struct tree_search *search, uint32_t part)
{
    const struct space *space = search->space;
    uint32_t first = space->part_at.at[part], end = space->part_at.at[part + 1];
    for (uint32_t c = first; c < end; c++) {
        if (fixed(search, c))
            continue;
        search->choice[c] = NO_CHOICE;
        FOR_NODES (space, c, n) {
            search->sum[n] = base(search, n, part, &search->open[n]);
            if (search->open[n] == 0)
                heap_push(search, (struct tree_candidate){search->sum[n], n});
            if (!(search->sum[n].cost >= 0))
                search->proved = false;
        }
    }
    for (uint32_t c = first; c < end; c++)
        if (fixed(search, c))
            offer_users(search, c, part);
}

static void choose_component(struct tree_search *search, uint32_t part)
{
    begin_component(search, part);
    while (search->heap.len > 0) {
        struct tree_candidate candidate = heap_pop(search);
        uint32_t c = search->space->owner.at[candidate.node];
        if (search->choice[c] != NO_CHOICE)
            continue;
        settle(search, c, candidate.node, candidate.price);
        offer_users(search, c, part);
    }
}

bool tree_choose(const struct space *space, const struct tree_guide *tree_guide, uint32_t *choice,
                 struct price *price)
{
    struct tree_search search = {.space = space,
                                 .tree_guide = tree_guide,
                                 .choice = choice,
                                 .price = price,
                                 .proved = tree_guide == NULL};
    search.sum = mem_alloc(sizeof *search.sum * ((size_t)space->problem.n_nodes + 1));
    search.open = mem_alloc(sizeof *search.open * ((size_t)space->problem.n_nodes + 1));
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        if (fixed(&search, c))
            price[c] = (struct price){0, 0};
    for (uint32_t part = 0; part + 1 < space->part_at.len; part++) {
        uint32_t first = space->part_at.at[part];
        bool alone = space->part_at.at[part + 1] - first == 1;
        if (alone && !fixed(&search, first))
            choose_alone(&search, first);
        else if (alone)
            continue;
        else
            choose_component(&search, part);
    }
    mem_free(search.sum);
    mem_free(search.open);
    vec_release(&search.heap);
    // A sum that was too large may be finite by now.
    return search.proved && !(search.negative && search.huge);
}

bool tree_solve(const struct problem *problem, struct solution *out, struct err *err)
{
    struct space space;
    if (!space_init(&space, problem, err))
        return false;
    uint32_t *choice = mem_alloc(sizeof *choice * ((size_t)space.problem.n_classes + 1));
    struct price *price = mem_alloc(sizeof *price * ((size_t)space.problem.n_classes + 1));
    bool proved = tree_choose(&space, NULL, choice, price);
    space_solution(&space, problem, choice, out);
    // Sums differ by their order, so the bound is the cost of the solution.  Costs
    // that a double cannot tell apart prove nothing.
    out->optimal = proved && solution_check(problem, out, err) && isfinite(out->tree_cost);
    out->bound = out->optimal ? out->tree_cost : -INFINITY;
    mem_free(choice);
    mem_free(price);
    space_release(&space);
    return !err->kind;
}
