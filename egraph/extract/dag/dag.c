// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/needed.h"
#include "egraph/extract/tree/tree.h"
#include "egraph/limits.h"

#include "base/clock.h"
#include <math.h>

enum { CLOCK_INTERVAL = 1 << 16 }; // edge visits between two looks at the clock

bool dag_effort_left(struct effort *effort)
{
    if (effort->spent >= effort->look && !effort->late) {
        effort->look = effort->spent + CLOCK_INTERVAL;
        effort->late = effort->deadline < INFINITY && clock_wall() >= effort->deadline;
    }
    return !effort->late && effort->spent < effort->most;
}

bool space_order(const struct space *space, const uint32_t *choice, const struct u32_vec *roots,
                 struct u32_vec *order)
{
    uint8_t *state = mem_alloc((size_t)space->problem.n_classes + 1); // 1 open, 2 done
    struct u32_vec stack = {0};
    bool ok = true;
    vec_clear(order);
    for (uint32_t i = roots->len; i-- > 0;)
        vec_push(&stack, roots->at[i]);
    while (ok && stack.len > 0) {
        uint32_t c = vec_last(&stack);
        if (state[c] != 0) {
            if (state[c] == 1)
                vec_push(order, c);
            state[c] = 2;
            stack.len--;
            continue;
        }
        ok = choice[c] != NO_CHOICE;
        if (!ok)
            break;
        state[c] = 1;
        FOR_CHILDREN (space, choice[c], i) {
            uint32_t k = space->problem.child.at[i];
            ok &= state[k] != 1;
            if (state[k] == 0)
                vec_push(&stack, k);
        }
    }
    vec_release(&stack);
    mem_free(state);
    return ok;
}

struct dag_search {
    const struct space *space;
    struct effort effort;
    uint32_t *best, *other;
    struct price least;
    bool found;
};

// Do the roots need the same of both?
static bool same(const struct dag_search *search, const uint32_t *a, const uint32_t *b)
{
    struct u32_vec order = {0};
    bool equal = space_order(search->space, a, &search->space->problem.root, &order);
    for (uint32_t i = 0; equal && i < order.len; i++)
        equal = a[order.at[i]] == b[order.at[i]];
    vec_release(&order);
    return equal;
}

// Improves `other` and keeps it if it is the best.
static bool consider(struct dag_search *search, bool deep)
{
    struct price price = dag_improve(search->space, &search->effort, deep, search->other);
    if (search->found && price_compare(price, search->least) >= 0)
        return false;
    memcpy(search->best, search->other, sizeof *search->best * search->space->problem.n_classes);
    search->least = price;
    search->found = true;
    return true;
}

// The part of its price that each user of a class would pay, if the classes
// were used as in the best choice.
static void divide(const struct dag_search *search, double *share)
{
    const struct space *space = search->space;
    struct u32_vec order = {0};
    uint32_t *ref = mem_alloc(((size_t)space->problem.n_classes + 1) * sizeof *ref);
    if (!space_order(space, search->best, &space->problem.root, &order))
        BUG("the best choice is cyclic");
    for (uint32_t k = 0; k < order.len; k++)
        FOR_CHILDREN (space, search->best[order.at[k]], i)
            ref[space->problem.child.at[i]]++;
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        share[c] = ref[c] > 1 ? 1.0 / ref[c] : 1;
    mem_free(ref);
    vec_release(&order);
}

static uint64_t share_of(uint64_t edge, const struct space *space)
{
    uint64_t effort = EGRAPH_DAG_EFFORT_FLOOR + edge * space->problem.child.len;
    return effort < EGRAPH_DAG_EFFORT_CEILING ? effort : EGRAPH_DAG_EFFORT_CEILING;
}

// The tree choice in which classes that every solution needs are free.
static void start_from_needed(struct dag_search *search, double *share, struct price *price)
{
    const struct space *space = search->space;
    bool *needed = mem_alloc((size_t)space->problem.n_classes + 1);
    classes_needed(space, needed);
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        share[c] = needed[c] ? 0 : 1;
    mem_free(needed);
    struct tree_guide tree_guide = {.share = share};
    tree_choose(space, &tree_guide, search->other, price);
    search->effort.spent += 2 * (uint64_t)space->problem.child.len;
    consider(search, false);
}

static void run(struct dag_search *search)
{
    const struct space *space = search->space;
    size_t n = (size_t)space->problem.n_classes + 1;
    uint32_t *tree = mem_alloc(n * sizeof *tree);
    struct price *price = mem_alloc(n * sizeof *price);
    double *share = mem_alloc(n * sizeof *share);
    // In a deep problem the cost of a tree says little: it doubles with every level, and what
    // is saved near the leaves is lost in the sums.  So large trees are free.
    struct tree_guide small = {.most = EGRAPH_TREE};
    tree_choose(space, &small, tree, price);
    memcpy(search->other, tree, sizeof *tree * space->problem.n_classes);
    consider(search, false);
    start_from_needed(search, share, price);
    memcpy(search->other, tree, sizeof *tree * space->problem.n_classes);
    if (dag_effort_left(&search->effort) && dag_greedy(space, &search->effort, search->other) &&
        !same(search, search->other, tree))
        consider(search, false);
    for (int i = 0; i < EGRAPH_DAG_DIVISIONS && dag_effort_left(&search->effort); i++) {
        divide(search, share);
        struct tree_guide tree_guide = {.share = share};
        tree_choose(space, &tree_guide, search->other, price);
        search->effort.spent += space->problem.child.len;
        if (same(search, search->best, search->other) || !consider(search, false))
            break;
    }
    search->effort.most = search->effort.spent + EGRAPH_DAG_EFFORT_FLOOR / 4 +
                          (uint64_t)EGRAPH_DAG_LOCAL_EFFORT * space->problem.child.len;
    memcpy(search->other, search->best, sizeof *search->best * space->problem.n_classes);
    if (dag_effort_left(&search->effort))
        consider(search, true);
    mem_free(tree);
    mem_free(price);
    mem_free(share);
}

bool dag_solve(const struct problem *problem, double seconds, struct solution *out, bool *limited,
               struct err *err)
{
    struct space space;
    double deadline = clock_wall() + seconds;
    if (!space_init(&space, problem, err))
        return false;
    struct dag_search search = {.space = &space};
    search.effort = (struct effort){.deadline = deadline};
    search.effort.most = share_of(EGRAPH_DAG_EFFORT, &space);
    search.best = mem_alloc(((size_t)space.problem.n_classes + 1) * sizeof *search.best);
    search.other = mem_alloc(((size_t)space.problem.n_classes + 1) * sizeof *search.other);
    run(&search);
    space_solution(&space, problem, search.best, out);
    *limited = search.effort.late;
    mem_free(search.best);
    mem_free(search.other);
    space_release(&space);
    return true;
}
