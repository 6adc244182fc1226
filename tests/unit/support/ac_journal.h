// SPDX-License-Identifier: Apache-2.0
// A slow and plain second opinion on the journal of a graph without rules:
// replays it over terms, checks every entry against the entries before it, and
// compares what is equal in the end.
#ifndef TESTS_UNIT_SUPPORT_AC_JOURNAL_H
#define TESTS_UNIT_SUPPORT_AC_JOURNAL_H

#include "egraph/core/cc.h"

struct replay {
    struct cc *g;
    uint32_t *up;  // by node
    uint32_t *arg; // by node, two each: nodes
    uint64_t at;
    uint32_t last, n_ac, n_steps;
    // A multiset of nodes.
    uint32_t n, set[256];
};

static uint32_t replay_find(const struct replay *r, uint32_t x)
{
    while (r->up[x] != x)
        x = r->up[x];
    return x;
}

static uint32_t replay_get(struct replay *r)
{
    uint32_t x = 0, shift = 0;
    uint8_t b;
    do {
        if (r->at == r->g->journal.len || shift > 28)
            return UINT32_MAX;
        b = r->g->journal.at[r->at++];
        x |= (uint32_t)(b & 127) << shift;
        shift += 7;
    } while (b & 128);
    return x;
}

static uint32_t replay_near(struct replay *r)
{
    uint32_t z = replay_get(r);
    return r->last += z >> 1 ^ (0 - (z & 1));
}

static void replay_begin(struct replay *r, struct cc *g)
{
    uint32_t n = g->node.len;
    *r = (struct replay){.g = g};
    r->up = mem_alloc((n + 1) * sizeof *r->up);
    r->arg = mem_alloc(2 * (n + 1) * sizeof *r->arg);
    for (uint32_t i = 0; i < n; i++) {
        r->up[i] = i;
        const uint32_t *args = cc_args(g, i);
        for (uint32_t k = 0; k < cc_arity(g, i); k++)
            r->arg[2 * i + k] = args[k];
    }
    const struct u32_vec *was = &g->journal.was;
    for (uint32_t i = 0; i < was->len; i += 2)
        r->arg[was->at[i]] = was->at[i + 1];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < cc_arity(g, i); k++)
            r->arg[2 * i + k] = g->class_.at[r->arg[2 * i + k]].founder;
}

static void replay_end(struct replay *r)
{
    mem_free(r->up);
    mem_free(r->arg);
}

// Takes what equals x out of the set.
static bool replay_take(struct replay *r, uint32_t x)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (replay_find(r, r->set[i]) == replay_find(r, x)) {
            r->set[i] = r->set[--r->n];
            return true;
        }
    return false;
}

static bool replay_step(struct replay *r, uint32_t op, uint32_t node, bool back)
{
    const uint32_t *arg = r->arg + 2 * node;
    if ((r->g->node.at[node].op & CC_OP) != op || r->n + 2 > 256)
        return false;
    if (back) {
        if (!replay_take(r, arg[0]) || !replay_take(r, arg[1]))
            return false;
        r->set[r->n++] = node;
        return true;
    }
    if (!replay_take(r, node))
        return false;
    r->set[r->n++] = arg[0];
    r->set[r->n++] = arg[1];
    return true;
}

static bool replay_path(struct replay *r, uint32_t a, uint32_t b,
                        bool (*is_ac)(const struct cc *g, uint32_t op))
{
    uint32_t n = replay_get(r), op = CC_NONE;
    bool ok = true;
    r->n = 1;
    r->set[0] = a;
    for (uint32_t i = 0; i < n && ok; i++) {
        uint32_t node = replay_near(r), back = replay_get(r);
        if (op == CC_NONE && node < r->g->node.len)
            op = r->g->node.at[node].op & CC_OP;
        ok = ok && node < r->g->node.len;
        ok = ok && op != CC_NONE && is_ac(r->g, op) &&
             replay_step(r, op, node, back == 1);
    }
    r->n_ac++;
    r->n_steps += n;
    return ok && r->n == 1 && replay_take(r, b);
}

static bool replay_congruent(const struct replay *r, uint32_t a, uint32_t b)
{
    const struct cc *g = r->g;
    if ((g->node.at[a].op & CC_OP) != (g->node.at[b].op & CC_OP))
        return false;
    for (uint32_t k = 0; k < cc_arity(g, a); k++)
        if (replay_find(r, r->arg[2 * a + k]) !=
            replay_find(r, r->arg[2 * b + k]))
            return false;
    return true;
}

// False: an entry does not follow, or other nodes are equal than in the graph.
static bool replay_journal(struct replay *r,
                           bool (*is_ac)(const struct cc *g, uint32_t op))
{
    struct cc *g = r->g;
    while (r->at < g->journal.len) {
        uint32_t kind = replay_get(r), a = replay_near(r), b = replay_near(r);
        if (a >= g->node.len || b >= g->node.len)
            return false;
        bool ok = kind == JOURNAL_GIVEN        ? (replay_get(r), true)
                  : kind == JOURNAL_CONGRUENCE ? replay_congruent(r, a, b)
                  : kind == JOURNAL_AC         ? replay_path(r, a, b, is_ac)
                                               : false;
        if (!ok)
            return false;
        r->up[replay_find(r, a)] = replay_find(r, b);
    }
    for (uint32_t i = 0; i < g->node.len; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((cc_class(g, i) == cc_class(g, k)) !=
                (replay_find(r, i) == replay_find(r, k)))
                return false;
    return true;
}

#endif
