// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/problem/problem.h"

#include <math.h>

void problem_release(struct problem *p)
{
    vec_release(&p->node_at);
    vec_release(&p->child_at);
    vec_release(&p->child);
    vec_release(&p->cost);
    vec_release(&p->root);
    *p = (struct problem){0};
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

bool problem_check(const struct problem *p, struct err *e)
{
    if (p->n_classes >= NO_CHOICE || p->n_nodes >= NO_CHOICE)
        return err_set(e, ERR_INPUT, "too many classes or nodes");
    if (!table_check(&p->node_at, p->n_classes, p->n_nodes) ||
        !table_check(&p->child_at, p->n_nodes, p->child.len) ||
        p->cost.len != p->n_nodes)
        return err_set(e, ERR_INPUT, "the tables of the problem do not fit");
    for (uint32_t i = 0; i < p->child.len; i++)
        if (p->child.at[i] >= p->n_classes)
            return err_set(e, ERR_INPUT, "a node needs class %u of %u",
                           p->child.at[i], p->n_classes);
    for (uint32_t i = 0; i < p->root.len; i++)
        if (p->root.at[i] >= p->n_classes)
            return err_set(e, ERR_INPUT, "root %u is class %u of %u", i,
                           p->root.at[i], p->n_classes);
    for (uint32_t n = 0; n < p->n_nodes; n++)
        if (!isfinite(p->cost.at[n]))
            return err_set(e, ERR_INPUT, "the cost of node %u is not finite",
                           n);
    return true;
}

uint32_t *problem_owners(const struct problem *p)
{
    uint32_t *owner = mem_alloc(sizeof *owner * ((size_t)p->n_nodes + 1));
    for (uint32_t c = 0; c < p->n_classes; c++)
        for (uint32_t n = p->node_at.at[c]; n < p->node_at.at[c + 1]; n++)
            owner[n] = c;
    return owner;
}

void problem_users(const struct problem *p, struct u32_vec *at,
                   struct u32_vec *user)
{
    vec_reserve(at, p->n_classes + 1);
    at->len = p->n_classes + 1;
    memset(at->at, 0, sizeof *at->at * at->len);
    vec_reserve(user, p->child.len + 1);
    user->len = p->child.len;
    for (uint32_t i = 0; i < p->child.len; i++)
        at->at[p->child.at[i]]++;
    for (uint32_t c = 1; c <= p->n_classes; c++)
        at->at[c] += at->at[c - 1]; // ends; the filling moves them to starts
    for (uint32_t n = p->n_nodes; n-- > 0;)
        for (uint32_t i = p->child_at.at[n]; i < p->child_at.at[n + 1]; i++)
            user->at[--at->at[p->child.at[i]]] = n;
}

bool *problem_terms(const struct problem *p)
{
    bool *has = mem_alloc(sizeof *has * ((size_t)p->n_classes + 1));
    uint32_t *owner = problem_owners(p);
    struct u32_vec at = {0}, user = {0};
    problem_users(p, &at, &user);
    uint32_t *open = mem_alloc(sizeof *open * ((size_t)p->n_nodes + 1));
    struct u32_vec ready = {0};
    for (uint32_t n = 0; n < p->n_nodes; n++) {
        open[n] = p->child_at.at[n + 1] - p->child_at.at[n];
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

void solution_init(struct solution *s, const struct problem *p)
{
    *s = (struct solution){.n_classes = p->n_classes, .bound = -INFINITY};
    s->node = mem_alloc(sizeof *s->node * ((size_t)p->n_classes + 1));
    for (uint32_t c = 0; c < p->n_classes; c++)
        s->node[c] = NO_CHOICE;
}

void solution_release(struct solution *s)
{
    mem_free(s->node);
    *s = (struct solution){0};
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

void solution_trim(const struct problem *p, struct solution *s)
{
    bool *need = mem_alloc(sizeof *need * ((size_t)p->n_classes + 1));
    struct u32_vec waiting = {0};
    for (uint32_t i = 0; i < p->root.len; i++)
        vec_push(&waiting, p->root.at[i]);
    while (waiting.len) {
        uint32_t c = vec_pop(&waiting);
        if (need[c])
            continue;
        need[c] = true;
        uint32_t n = s->node[c];
        if (n != NO_CHOICE)
            for (uint32_t i = p->child_at.at[n]; i < p->child_at.at[n + 1]; i++)
                vec_push(&waiting, p->child.at[i]);
    }
    for (uint32_t c = 0; c < p->n_classes; c++)
        if (!need[c])
            s->node[c] = NO_CHOICE;
    vec_release(&waiting);
    mem_free(need);
}

// ---- the check: depth first over the choices, every class closed once

enum { UNSEEN, BEGUN, CLOSED };

struct solution_walk {
    const struct problem *p;
    const struct solution *s;
    uint8_t *state;       // per class
    double *tree;         // per closed class
    uint32_t *next;       // per begun class: where its node's children go on
    struct u32_vec stack; // begun classes
    double dag;
    struct u32_vec *order; // NULL: not asked for
};

static bool class_begin(struct solution_walk *w, uint32_t c, struct err *e)
{
    const struct problem *p = w->p;
    uint32_t n = w->s->node[c];
    if (n == NO_CHOICE)
        return err_set(e, ERR_CHECK, "class %u is needed and has no node", c);
    if (n < p->node_at.at[c] || n >= p->node_at.at[c + 1])
        return err_set(e, ERR_CHECK, "node %u does not belong to class %u", n,
                       c);
    w->state[c] = BEGUN;
    w->tree[c] = p->cost.at[n];
    w->dag += p->cost.at[n];
    w->next[c] = p->child_at.at[n];
    vec_push(&w->stack, c);
    return true;
}

static bool class_walk(struct solution_walk *w, uint32_t root, struct err *e)
{
    const struct problem *p = w->p;
    if (w->state[root] == UNSEEN && !class_begin(w, root, e))
        return false;
    while (w->stack.len) {
        uint32_t c = vec_last(&w->stack);
        if (w->next[c] == p->child_at.at[w->s->node[c] + 1]) {
            w->state[c] = CLOSED;
            if (w->order)
                vec_push(w->order, c);
            (void)vec_pop(&w->stack);
            continue;
        }
        uint32_t child = p->child.at[w->next[c]];
        if (w->state[child] == BEGUN)
            return err_set(e, ERR_CHECK, "class %u is beneath itself", child);
        if (w->state[child] == UNSEEN) { // and looked at again afterwards
            if (!class_begin(w, child, e))
                return false;
            continue;
        }
        w->tree[c] += w->tree[child];
        w->next[c]++;
    }
    return true;
}

static void walk_init(struct solution_walk *w, const struct problem *p,
                      const struct solution *s)
{
    size_t n = (size_t)p->n_classes + 1;
    *w = (struct solution_walk){.p = p, .s = s};
    w->state = mem_alloc(n);
    w->tree = mem_alloc(sizeof *w->tree * n);
    w->next = mem_alloc(sizeof *w->next * n);
}

static void walk_release(struct solution_walk *w)
{
    vec_release(&w->stack);
    mem_free(w->state);
    mem_free(w->tree);
    mem_free(w->next);
}

void solution_order(const struct problem *p, const struct solution *s,
                    struct u32_vec *order)
{
    struct solution_walk w;
    struct err e = {0};
    walk_init(&w, p, s);
    vec_clear(order);
    w.order = order;
    for (uint32_t i = 0; i < p->root.len; i++)
        if (!class_walk(&w, p->root.at[i], &e))
            BUG("the order of no solution: %s", e.msg);
    walk_release(&w);
}

bool solution_check(const struct problem *p, struct solution *s, struct err *e)
{
    struct solution_walk w;
    if (s->n_classes != p->n_classes)
        return err_set(e, ERR_CHECK, "a solution of another problem");
    walk_init(&w, p, s);
    bool ok = true;
    double tree = 0;
    for (uint32_t i = 0; ok && i < p->root.len; i++) {
        ok = class_walk(&w, p->root.at[i], e);
        tree += w.tree[p->root.at[i]];
    }
    for (uint32_t c = 0; ok && c < p->n_classes; c++)
        if (w.state[c] == UNSEEN && s->node[c] != NO_CHOICE)
            ok = err_set(e, ERR_CHECK, "class %u has a node without need", c);
    if (ok) {
        s->tree_cost = tree;
        s->dag_cost = w.dag;
    }
    walk_release(&w);
    return ok;
}
