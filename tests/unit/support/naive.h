// SPDX-License-Identifier: Apache-2.0
// An e-graph that is too slow to be wrong: nodes in a list, classes that are
// labels, merging by relabelling, congruence by comparing all pairs, matching
// by trying all nodes, knowledge by going round until nothing changes.  Shares
// nothing with egraph/.
#ifndef TESTS_UNIT_SUPPORT_NAIVE_H
#define TESTS_UNIT_SUPPORT_NAIVE_H

#include "base/rng.h"
#include "base/memory/vec.h"

#include <stdbool.h>

#define NONE UINT32_MAX
enum { NAIVE_ARGS = 6, NAIVE_PATTERN = 40, NAIVE_VARS = 6 };

struct naive_node {
    uint32_t op, n, arg[NAIVE_ARGS];
    uint32_t label;
    bool hidden;
};

struct naive {
    VEC(struct naive_node) node;
    struct u32_vec now;   // label -> what it is called now
    struct u32_vec value; // label -> what is known about the class
    uint32_t constant;    // operator of what modify adds
};

// Positions in the order in which they are written.
struct naive_pattern {
    bool var;
    uint32_t id; // operator or variable
    uint32_t n, arg[NAIVE_ARGS];
};

struct naive_rule {
    struct naive_pattern at[2 * NAIVE_PATTERN];
    uint32_t n_left, n; // left: [0, n_left), right: the rest
    uint32_t guard;     // a variable, or NONE
    // Patterns of the left side: where they begin and, where there are several,
    // the variables that they equal.  The right side equals pattern `target`.
    uint32_t n_roots, root[3], root_var[4], target;
};

static inline void naive_release(struct naive *n)
{
    vec_release(&n->node);
    vec_release(&n->now);
    vec_release(&n->value);
}

static inline void naive_copy(struct naive *to, const struct naive *from)
{
    *to = (struct naive){.constant = from->constant};
    for (uint32_t i = 0; i < from->node.len; i++)
        vec_push(&to->node, from->node.at[i]);
    for (uint32_t i = 0; i < from->now.len; i++)
        vec_push(&to->now, from->now.at[i]);
    for (uint32_t i = 0; i < from->value.len; i++)
        vec_push(&to->value, from->value.at[i]);
}

static inline uint32_t naive_label(struct naive *n)
{
    uint32_t label = n->now.len;
    vec_push(&n->now, label);
    return label;
}

static inline bool naive_union(struct naive *n, uint32_t a, uint32_t b)
{
    a = n->now.at[a];
    b = n->now.at[b];
    for (uint32_t i = 0; i < n->now.len; i++)
        if (n->now.at[i] == b)
            n->now.at[i] = a;
    return a != b;
}

static inline bool naive_same(const struct naive *n, const struct naive_node *x,
                              uint32_t op, const uint32_t *arg)
{
    if (x->op != op)
        return false;
    for (uint32_t k = 0; k < x->n; k++)
        if (n->now.at[x->arg[k]] != n->now.at[arg[k]])
            return false;
    return true;
}

static inline struct naive_node *naive_find(struct naive *n, uint32_t op,
                                            const uint32_t *arg)
{
    for (uint32_t i = 0; i < n->node.len; i++)
        if (naive_same(n, &n->node.at[i], op, arg))
            return &n->node.at[i];
    return NULL;
}

static inline uint32_t naive_add(struct naive *n, uint32_t op, uint32_t arity,
                                 const uint32_t *arg)
{
    struct naive_node *x = naive_find(n, op, arg);
    if (x != NULL)
        return n->now.at[x->label];
    struct naive_node y = {.op = op, .n = arity, .label = naive_label(n)};
    for (uint32_t k = 0; k < arity; k++)
        y.arg[k] = arg[k];
    vec_push(&n->node, y);
    return y.label;
}

static inline void naive_close(struct naive *n)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n->node.len; i++)
            for (uint32_t j = i + 1; j < n->node.len; j++) {
                struct naive_node *x = &n->node.at[i], *y = &n->node.at[j];
                if (!naive_same(n, x, y->op, y->arg))
                    continue;
                x->hidden = x->hidden || y->hidden;
                naive_union(n, x->label, y->label);
                n->node.at[j] = n->node.at[--n->node.len];
                changed = true;
                j--;
            }
    }
}

// What a node says of its class, when this is known of its arguments.
static inline uint32_t naive_says(uint32_t op, uint32_t arity,
                                  const uint32_t *known)
{
    uint32_t bits = UINT32_C(1) << (op * 5 % 12);
    for (uint32_t k = 0; k < arity; k++)
        bits |= (known[k] << (k + 1) | known[k] >> (11 - k)) & 0xfff;
    return bits;
}

// Classes of which so much is known are the constant.
static inline bool naive_is_constant(uint32_t known)
{
    return (known & 0x4d6) == 0x4d6;
}

static inline void naive_know(struct naive *n)
{
    vec_clear(&n->value);
    for (uint32_t i = 0; i < n->now.len; i++)
        vec_push(&n->value, 0);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n->node.len; i++) {
            const struct naive_node *x = &n->node.at[i];
            uint32_t known[NAIVE_ARGS];
            for (uint32_t k = 0; k < x->n; k++)
                known[k] = n->value.at[n->now.at[x->arg[k]]];
            uint32_t *v = &n->value.at[n->now.at[x->label]];
            uint32_t more = *v | naive_says(x->op, x->n, known);
            changed = changed || more != *v;
            *v = more;
        }
    }
}

// Closes the graph; `knowing`: and adds what follows from knowledge.
static inline void naive_settle(struct naive *n, bool knowing)
{
    bool changed = true;
    while (changed) {
        changed = false;
        naive_close(n);
        naive_know(n);
        for (uint32_t i = 0; knowing && i < n->node.len && !changed; i++) {
            uint32_t label = n->now.at[n->node.at[i].label];
            if (naive_is_constant(n->value.at[label]))
                changed =
                    naive_union(n, label, naive_add(n, n->constant, 0, NULL));
        }
    }
}

static inline uint32_t naive_classes(const struct naive *n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->now.len; i++)
        count += n->now.at[i] == i;
    return count;
}

static inline uint32_t naive_visible(const struct naive *n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->node.len; i++)
        count += !n->node.at[i].hidden;
    return count;
}

// Matching

struct naive_match {
    const struct naive *n;
    const struct naive_rule *rule;
    uint32_t place[NAIVE_PATTERN]; // label of each position of the left side
    uint32_t var[NAIVE_VARS];
    struct u32_vec *out; // place[] of each match
};

struct naive_goal {
    uint32_t pattern, label;
};

static inline void naive_solve(struct naive_match *m, uint32_t n_goals,
                               const struct naive_goal *goal)
{
    struct naive_goal next[NAIVE_PATTERN + 1];
    if (n_goals == 0) {
        if (m->rule->guard != NONE &&
            !(m->n->value.at[m->var[m->rule->guard]] & 4))
            return;
        for (uint32_t i = 0; i < m->rule->n_left; i++)
            vec_push(m->out, m->place[i]);
        return;
    }
    const struct naive_pattern *p = &m->rule->at[goal[0].pattern];
    uint32_t label = goal[0].label;
    m->place[goal[0].pattern] = label;
    if (p->var) {
        uint32_t was = m->var[p->id];
        if (was != NONE && was != label)
            return;
        m->var[p->id] = label;
        naive_solve(m, n_goals - 1, goal + 1);
        m->var[p->id] = was;
        return;
    }
    for (uint32_t i = 0; i < m->n->node.len; i++) {
        const struct naive_node *x = &m->n->node.at[i];
        if (x->hidden || x->op != p->id || m->n->now.at[x->label] != label)
            continue;
        uint32_t n = 0;
        for (uint32_t k = 0; k < p->n; k++)
            next[n++] = (struct naive_goal){p->arg[k], m->n->now.at[x->arg[k]]};
        memcpy(next + n, goal + 1, (n_goals - 1) * sizeof *next);
        naive_solve(m, n + n_goals - 1, next);
    }
}

// The patterns from number `k` on, whose labels are yet to be chosen.
static inline void naive_roots(struct naive_match *m, uint32_t k,
                               struct naive_goal *goal)
{
    uint32_t v = m->rule->root_var[k];
    if (k == m->rule->n_roots) {
        naive_solve(m, k, goal);
        return;
    }
    for (uint32_t l = 0; l < m->n->now.len; l++) {
        if (m->n->now.at[l] != l)
            continue;
        uint32_t was = v == NONE ? NONE : m->var[v];
        if (was != NONE && was != l)
            continue;
        if (v != NONE)
            m->var[v] = l;
        goal[k] = (struct naive_goal){m->rule->root[k], l};
        naive_roots(m, k + 1, goal);
        if (v != NONE)
            m->var[v] = was;
    }
}

// All matches of a closed graph; `guarded`: only those whose guard holds.
static inline void naive_matches(const struct naive *n,
                                 const struct naive_rule *rule, bool guarded,
                                 struct u32_vec *out)
{
    struct naive_rule free = *rule;
    free.guard = guarded ? rule->guard : NONE;
    struct naive_match m = {.n = n, .rule = &free, .out = out};
    memset(m.var, 0xff, sizeof m.var);
    struct naive_goal goal[4];
    naive_roots(&m, 0, goal);
}

static inline uint32_t naive_build(struct naive *n,
                                   const struct naive_rule *rule, uint32_t at,
                                   const uint32_t *var)
{
    const struct naive_pattern *p = &rule->at[at];
    uint32_t arg[NAIVE_ARGS];
    if (p->var)
        return n->now.at[var[p->id]];
    for (uint32_t k = 0; k < p->n; k++)
        arg[k] = naive_build(n, rule, p->arg[k], var);
    return naive_add(n, p->id, p->n, arg);
}

static inline void naive_apply(struct naive *n, const struct naive_rule *rule,
                               const uint32_t *place)
{
    uint32_t var[NAIVE_VARS];
    for (uint32_t i = 0; i < rule->n_left; i++)
        if (rule->at[i].var)
            var[rule->at[i].id] = place[i];
    for (uint32_t k = 0; k < rule->n_roots; k++)
        if (rule->root_var[k] != NONE)
            var[rule->root_var[k]] = place[rule->root[k]];
    naive_union(n, place[rule->root[rule->target]],
                naive_build(n, rule, rule->n_left, var));
}

#endif
