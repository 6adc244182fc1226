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

static inline void naive_release(struct naive *naive)
{
    vec_release(&naive->node);
    vec_release(&naive->now);
    vec_release(&naive->value);
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

static inline uint32_t naive_label(struct naive *naive)
{
    uint32_t label = naive->now.len;
    vec_push(&naive->now, label);
    return label;
}

static inline bool naive_union(struct naive *naive, uint32_t a, uint32_t b)
{
    a = naive->now.at[a];
    b = naive->now.at[b];
    for (uint32_t i = 0; i < naive->now.len; i++)
        if (naive->now.at[i] == b)
            naive->now.at[i] = a;
    return a != b;
}

static inline bool naive_same(const struct naive *naive, const struct naive_node *naive_node,
                              uint32_t op, const uint32_t *arg)
{
    if (naive_node->op != op)
        return false;
    for (uint32_t k = 0; k < naive_node->n; k++)
        if (naive->now.at[naive_node->arg[k]] != naive->now.at[arg[k]])
            return false;
    return true;
}

static inline struct naive_node *naive_find(struct naive *naive, uint32_t op, const uint32_t *arg)
{
    for (uint32_t i = 0; i < naive->node.len; i++)
        if (naive_same(naive, &naive->node.at[i], op, arg))
            return &naive->node.at[i];
    return NULL;
}

static inline uint32_t naive_add(struct naive *naive, uint32_t op, uint32_t arity,
                                 const uint32_t *arg)
{
    struct naive_node *naive_node = naive_find(naive, op, arg);
    if (naive_node != NULL)
        return naive->now.at[naive_node->label];
    struct naive_node y = {.op = op, .n = arity, .label = naive_label(naive)};
    for (uint32_t k = 0; k < arity; k++)
        y.arg[k] = arg[k];
    vec_push(&naive->node, y);
    return y.label;
}

static inline void naive_close(struct naive *naive)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < naive->node.len; i++)
            for (uint32_t j = i + 1; j < naive->node.len; j++) {
                struct naive_node *naive_node = &naive->node.at[i], *y = &naive->node.at[j];
                if (!naive_same(naive, naive_node, y->op, y->arg))
                    continue;
                naive_node->hidden = naive_node->hidden || y->hidden;
                naive_union(naive, naive_node->label, y->label);
                naive->node.at[j] = naive->node.at[--naive->node.len];
                changed = true;
                j--;
            }
    }
}

// What a node says of its class, when this is known of its arguments.
static inline uint32_t naive_says(uint32_t op, uint32_t arity, const uint32_t *known)
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

static inline void naive_know(struct naive *naive)
{
    vec_clear(&naive->value);
    for (uint32_t i = 0; i < naive->now.len; i++)
        vec_push(&naive->value, 0);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < naive->node.len; i++) {
            const struct naive_node *naive_node = &naive->node.at[i];
            uint32_t known[NAIVE_ARGS];
            for (uint32_t k = 0; k < naive_node->n; k++)
                known[k] = naive->value.at[naive->now.at[naive_node->arg[k]]];
            uint32_t *v = &naive->value.at[naive->now.at[naive_node->label]];
            uint32_t more = *v | naive_says(naive_node->op, naive_node->n, known);
            changed = changed || more != *v;
            *v = more;
        }
    }
}

// Closes the graph; `knowing`: and adds what follows from knowledge.
static inline void naive_settle(struct naive *naive, bool knowing)
{
    bool changed = true;
    while (changed) {
        changed = false;
        naive_close(naive);
        naive_know(naive);
        for (uint32_t i = 0; knowing && i < naive->node.len && !changed; i++) {
            uint32_t label = naive->now.at[naive->node.at[i].label];
            if (naive_is_constant(naive->value.at[label]))
                changed = naive_union(naive, label, naive_add(naive, naive->constant, 0, NULL));
        }
    }
}

static inline uint32_t naive_classes(const struct naive *naive)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < naive->now.len; i++)
        count += naive->now.at[i] == i;
    return count;
}

static inline uint32_t naive_visible(const struct naive *naive)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < naive->node.len; i++)
        count += !naive->node.at[i].hidden;
    return count;
}

// Matching

struct naive_match {
    const struct naive *naive;
    const struct naive_rule *rule;
    uint32_t place[NAIVE_PATTERN]; // label of each position of the left side
    uint32_t var[NAIVE_VARS];
    struct u32_vec *out; // place[] of each match
};

struct naive_goal {
    uint32_t pattern, label;
};

static inline void naive_solve(struct naive_match *naive_match, uint32_t n_goals,
                               const struct naive_goal *goal)
{
    struct naive_goal next[NAIVE_PATTERN + 1];
    if (n_goals == 0) {
        if (naive_match->rule->guard != NONE &&
            !(naive_match->naive->value.at[naive_match->var[naive_match->rule->guard]] & 4))
            return;
        for (uint32_t i = 0; i < naive_match->rule->n_left; i++)
            vec_push(naive_match->out, naive_match->place[i]);
        return;
    }
    const struct naive_pattern *naive_pattern = &naive_match->rule->at[goal[0].pattern];
    uint32_t label = goal[0].label;
    naive_match->place[goal[0].pattern] = label;
    if (naive_pattern->var) {
        uint32_t was = naive_match->var[naive_pattern->id];
        if (was != NONE && was != label)
            return;
        naive_match->var[naive_pattern->id] = label;
        naive_solve(naive_match, n_goals - 1, goal + 1);
        naive_match->var[naive_pattern->id] = was;
        return;
    }
    for (uint32_t i = 0; i < naive_match->naive->node.len; i++) {
        const struct naive_node *naive_node = &naive_match->naive->node.at[i];
        if (naive_node->hidden || naive_node->op != naive_pattern->id ||
            naive_match->naive->now.at[naive_node->label] != label)
            continue;
        uint32_t n = 0;
        for (uint32_t k = 0; k < naive_pattern->n; k++)
            next[n++] = (struct naive_goal){naive_pattern->arg[k],
                                            naive_match->naive->now.at[naive_node->arg[k]]};
        memcpy(next + n, goal + 1, (n_goals - 1) * sizeof *next);
        naive_solve(naive_match, n + n_goals - 1, next);
    }
}

// The patterns from number `k` on, whose labels are yet to be chosen.
static inline void naive_roots(struct naive_match *naive_match, uint32_t k, struct naive_goal *goal)
{
    uint32_t v = naive_match->rule->root_var[k];
    if (k == naive_match->rule->n_roots) {
        naive_solve(naive_match, k, goal);
        return;
    }
    for (uint32_t l = 0; l < naive_match->naive->now.len; l++) {
        if (naive_match->naive->now.at[l] != l)
            continue;
        uint32_t was = v == NONE ? NONE : naive_match->var[v];
        if (was != NONE && was != l)
            continue;
        if (v != NONE)
            naive_match->var[v] = l;
        goal[k] = (struct naive_goal){naive_match->rule->root[k], l};
        naive_roots(naive_match, k + 1, goal);
        if (v != NONE)
            naive_match->var[v] = was;
    }
}

// All matches of a closed graph; `guarded`: only those whose guard holds.
static inline void naive_matches(const struct naive *naive, const struct naive_rule *rule,
                                 bool guarded, struct u32_vec *out)
{
    struct naive_rule free = *rule;
    free.guard = guarded ? rule->guard : NONE;
    struct naive_match naive_match = {.naive = naive, .rule = &free, .out = out};
    memset(naive_match.var, 0xff, sizeof naive_match.var);
    struct naive_goal goal[4];
    naive_roots(&naive_match, 0, goal);
}

static inline uint32_t naive_build(struct naive *naive, const struct naive_rule *rule, uint32_t at,
                                   const uint32_t *var)
{
    const struct naive_pattern *naive_pattern = &rule->at[at];
    uint32_t arg[NAIVE_ARGS];
    if (naive_pattern->var)
        return naive->now.at[var[naive_pattern->id]];
    for (uint32_t k = 0; k < naive_pattern->n; k++)
        arg[k] = naive_build(naive, rule, naive_pattern->arg[k], var);
    return naive_add(naive, naive_pattern->id, naive_pattern->n, arg);
}

static inline void naive_apply(struct naive *naive, const struct naive_rule *rule,
                               const uint32_t *place)
{
    uint32_t var[NAIVE_VARS];
    for (uint32_t i = 0; i < rule->n_left; i++)
        if (rule->at[i].var)
            var[rule->at[i].id] = place[i];
    for (uint32_t k = 0; k < rule->n_roots; k++)
        if (rule->root_var[k] != NONE)
            var[rule->root_var[k]] = place[rule->root[k]];
    naive_union(naive, place[rule->root[rule->target]],
                naive_build(naive, rule, rule->n_left, var));
}

#endif
