// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/problem.h"

#include <math.h>

void problem_release(struct problem *problem)
{
    vec_release(&problem->node_at);
    vec_release(&problem->child_at);
    vec_release(&problem->child);
    vec_release(&problem->cost);
    vec_release(&problem->root);
    *problem = (struct problem){0};
}

// at[0] = 0, ascending, the last is `end`.
static bool table_check(const struct u32_vec *at, uint32_t n, uint32_t end)
{
    if (at->len != n + 1 || at->at[0] != 0 || at->at[n] != end)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (at->at[i] > at->at[i + 1])
            return false;
    return true;
}

bool problem_check(const struct problem *problem, struct err *err)
{
    if (problem->n_classes >= NO_CHOICE || problem->n_nodes >= NO_CHOICE)
        return err_set(err, ERR_INPUT, "too many classes or nodes");
    if (!table_check(&problem->node_at, problem->n_classes, problem->n_nodes) ||
        !table_check(&problem->child_at, problem->n_nodes, problem->child.len) ||
        problem->cost.len != problem->n_nodes)
        return err_set(err, ERR_INPUT, "the tables of the problem do not fit");
    for (uint32_t i = 0; i < problem->child.len; i++)
        if (problem->child.at[i] >= problem->n_classes)
            return err_set(err, ERR_INPUT, "a node needs class %u of %u", problem->child.at[i],
                           problem->n_classes);
    for (uint32_t i = 0; i < problem->root.len; i++)
        if (problem->root.at[i] >= problem->n_classes)
            return err_set(err, ERR_INPUT, "root %u is class %u of %u", i, problem->root.at[i],
                           problem->n_classes);
    for (uint32_t n = 0; n < problem->n_nodes; n++)
        if (!isfinite(problem->cost.at[n]))
            return err_set(err, ERR_INPUT, "the cost of node %u is not finite", n);
    return true;
}

uint32_t *problem_owners(const struct problem *problem)
{
    uint32_t *owner = mem_alloc(sizeof *owner * ((size_t)problem->n_nodes + 1));
    for (uint32_t c = 0; c < problem->n_classes; c++)
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            owner[n] = c;
    return owner;
}

void problem_users(const struct problem *problem, struct u32_vec *at, struct u32_vec *user)
{
    vec_reserve(at, problem->n_classes + 1);
    at->len = problem->n_classes + 1;
    memset(at->at, 0, sizeof *at->at * at->len);
    vec_reserve(user, problem->child.len + 1);
    user->len = problem->child.len;
    for (uint32_t i = 0; i < problem->child.len; i++)
        at->at[problem->child.at[i]]++;
    for (uint32_t c = 1; c <= problem->n_classes; c++)
        at->at[c] += at->at[c - 1]; // ends; the filling moves them to starts
    for (uint32_t n = problem->n_nodes; n-- > 0;)
        for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
            user->at[--at->at[problem->child.at[i]]] = n;
}

bool *problem_terms(const struct problem *problem)
{
    bool *has = mem_alloc(sizeof *has * ((size_t)problem->n_classes + 1));
    uint32_t *owner = problem_owners(problem);
    struct u32_vec at = {0}, user = {0};
    problem_users(problem, &at, &user);
    uint32_t *open = mem_alloc(sizeof *open * ((size_t)problem->n_nodes + 1));
    struct u32_vec ready = {0};
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        open[n] = problem->child_at.at[n + 1] - problem->child_at.at[n];
        if (!open[n] && !has[owner[n]]) {
            has[owner[n]] = true;
            vec_push(&ready, owner[n]);
        }
    }
    while (ready.len) {
        uint32_t c = vec_pop(&ready);
        for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++) {
            uint32_t n = user.at[i];
            if (--open[n] == 0 && !has[owner[n]]) {
                has[owner[n]] = true;
                vec_push(&ready, owner[n]);
            }
        }
    }
    vec_release(&ready);
    mem_free(open);
    mem_free(owner);
    vec_release(&at);
    vec_release(&user);
    return has;
}

void solution_init(struct solution *solution, const struct problem *problem)
{
    *solution = (struct solution){.n_classes = problem->n_classes, .bound = -INFINITY};
    solution->node = mem_alloc(sizeof *solution->node * ((size_t)problem->n_classes + 1));
    for (uint32_t c = 0; c < problem->n_classes; c++)
        solution->node[c] = NO_CHOICE;
}

void solution_release(struct solution *solution)
{
    mem_free(solution->node);
    *solution = (struct solution){0};
}

void solution_copy(struct solution *to, const struct solution *from)
{
    uint32_t *node = mem_alloc(sizeof *node * ((size_t)from->n_classes + 1));
    if (from->n_classes)
        memcpy(node, from->node, sizeof *node * from->n_classes);
    mem_free(to->node);
    *to = *from;
    to->node = node;
}

void solution_trim(const struct problem *problem, struct solution *solution)
{
    bool *need = mem_alloc(sizeof *need * ((size_t)problem->n_classes + 1));
    struct u32_vec waiting = {0};
    for (uint32_t i = 0; i < problem->root.len; i++)
        vec_push(&waiting, problem->root.at[i]);
    while (waiting.len) {
        uint32_t c = vec_pop(&waiting);
        if (need[c])
            continue;
        need[c] = true;
        uint32_t n = solution->node[c];
        if (n != NO_CHOICE)
            for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
                vec_push(&waiting, problem->child.at[i]);
    }
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (!need[c])
            solution->node[c] = NO_CHOICE;
    vec_release(&waiting);
    mem_free(need);
}

// ---- the check: depth first over the choices, every class closed once

enum { UNSEEN, BEGUN, CLOSED };

struct solution_walk {
    const struct problem *problem;
    const struct solution *solution;
    uint8_t *state;       // per class
    double *tree;         // per closed class
    uint32_t *next;       // per begun class: where its node's children go on
    struct u32_vec stack; // begun classes
    double dag;
    struct u32_vec *order; // NULL: not asked for
};

static bool class_begin(struct solution_walk *walk, uint32_t c, struct err *err)
{
    const struct problem *problem = walk->problem;
    uint32_t n = walk->solution->node[c];
    if (n == NO_CHOICE)
        return err_set(err, ERR_CHECK, "class %u is needed and has no node", c);
    if (n < problem->node_at.at[c] || n >= problem->node_at.at[c + 1])
        return err_set(err, ERR_CHECK, "node %u does not belong to class %u", n, c);
    walk->state[c] = BEGUN;
    walk->tree[c] = problem->cost.at[n];
    walk->dag += problem->cost.at[n];
    walk->next[c] = problem->child_at.at[n];
    vec_push(&walk->stack, c);
    return true;
}

static bool class_walk(struct solution_walk *walk, uint32_t root, struct err *err)
{
    const struct problem *problem = walk->problem;
    if (walk->state[root] == UNSEEN && !class_begin(walk, root, err))
        return false;
    while (walk->stack.len) {
        uint32_t c = vec_last(&walk->stack);
        if (walk->next[c] == problem->child_at.at[walk->solution->node[c] + 1]) {
            walk->state[c] = CLOSED;
            if (walk->order)
                vec_push(walk->order, c);
            (void)vec_pop(&walk->stack);
            continue;
        }
        uint32_t child = problem->child.at[walk->next[c]];
        if (walk->state[child] == BEGUN)
            return err_set(err, ERR_CHECK, "class %u needs itself: the choice has a cycle", child);
        if (walk->state[child] == UNSEEN) { // and looked at again afterwards
            if (!class_begin(walk, child, err))
                return false;
            continue;
        }
        walk->tree[c] += walk->tree[child];
        walk->next[c]++;
    }
    return true;
}

static void walk_init(struct solution_walk *walk, const struct problem *problem,
                      const struct solution *solution)
{
    size_t n = (size_t)problem->n_classes + 1;
    *walk = (struct solution_walk){.problem = problem, .solution = solution};
    walk->state = mem_alloc(n);
    walk->tree = mem_alloc(sizeof *walk->tree * n);
    walk->next = mem_alloc(sizeof *walk->next * n);
}

static void walk_release(struct solution_walk *walk)
{
    vec_release(&walk->stack);
    mem_free(walk->state);
    mem_free(walk->tree);
    mem_free(walk->next);
}

void solution_order(const struct problem *problem, const struct solution *solution,
                    struct u32_vec *order)
{
    struct solution_walk walk;
    struct err err = {0};
    walk_init(&walk, problem, solution);
    vec_clear(order);
    walk.order = order;
    for (uint32_t i = 0; i < problem->root.len; i++)
        if (!class_walk(&walk, problem->root.at[i], &err))
            BUG("the order of no solution: %s", err.msg);
    walk_release(&walk);
}

bool solution_check(const struct problem *problem, struct solution *solution, struct err *err)
{
    struct solution_walk walk;
    if (solution->n_classes != problem->n_classes)
        return err_set(err, ERR_CHECK, "expected a solution of this problem, found one of another");
    walk_init(&walk, problem, solution);
    bool ok = true;
    double tree = 0;
    for (uint32_t i = 0; ok && i < problem->root.len; i++) {
        ok = class_walk(&walk, problem->root.at[i], err);
        tree += walk.tree[problem->root.at[i]];
    }
    for (uint32_t c = 0; ok && c < problem->n_classes; c++)
        if (walk.state[c] == UNSEEN && solution->node[c] != NO_CHOICE)
            ok = err_set(err, ERR_CHECK, "class %u is not needed and has a node", c);
    if (ok) {
        solution->tree_cost = tree;
        solution->dag_cost = walk.dag;
    }
    walk_release(&walk);
    return ok;
}
