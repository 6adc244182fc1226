// SPDX-License-Identifier: Apache-2.0
// A slow and plain second opinion on the journal of a graph without rules:
// replays it over terms, checks every entry against the entries before it, and
// compares what is equal in the end.
#ifndef TESTS_UNIT_SUPPORT_AC_JOURNAL_H
#define TESTS_UNIT_SUPPORT_AC_JOURNAL_H

#include "egraph/core/cc.h"

struct replay {
    struct cc *graph;
    uint32_t *up;  // by node
    uint32_t *arg; // by node, two each: nodes
    uint64_t at;
    uint32_t last, n_ac, n_steps;
    // A multiset of nodes.
    uint32_t n, set[256];
};

static uint32_t replay_find(const struct replay *replay, uint32_t x)
{
    while (replay->up[x] != x)
        x = replay->up[x];
    return x;
}

static uint32_t replay_get(struct replay *replay)
{
    uint32_t x = 0, shift = 0;
    uint8_t b;
    do {
        if (replay->at == replay->graph->journal.len || shift > 28)
            return UINT32_MAX;
        b = replay->graph->journal.at[replay->at++];
        x |= (uint32_t)(b & 127) << shift;
        shift += 7;
    } while (b & 128);
    return x;
}

static uint32_t replay_near(struct replay *replay)
{
    uint32_t z = replay_get(replay);
    return replay->last += z >> 1 ^ (0 - (z & 1));
}

static void replay_begin(struct replay *replay, struct cc *graph)
{
    uint32_t n = graph->node.len;
    *replay = (struct replay){.graph = graph};
    replay->up = mem_alloc((n + 1) * sizeof *replay->up);
    replay->arg = mem_alloc(2 * (n + 1) * sizeof *replay->arg);
    for (uint32_t i = 0; i < n; i++) {
        replay->up[i] = i;
        const uint32_t *args = cc_args(graph, i);
        for (uint32_t k = 0; k < cc_arity(graph, i); k++)
            replay->arg[2 * i + k] = args[k];
    }
    const struct u32_vec *was = &graph->journal.was;
    for (uint32_t i = 0; i < was->len; i += 2)
        replay->arg[was->at[i]] = was->at[i + 1];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < cc_arity(graph, i); k++)
            replay->arg[2 * i + k] = graph->class_.at[replay->arg[2 * i + k]].founder;
}

static void replay_end(struct replay *replay)
{
    mem_free(replay->up);
    mem_free(replay->arg);
}

// Takes what equals x out of the set.
static bool replay_take(struct replay *replay, uint32_t x)
{
    for (uint32_t i = 0; i < replay->n; i++)
        if (replay_find(replay, replay->set[i]) == replay_find(replay, x)) {
            replay->set[i] = replay->set[--replay->n];
            return true;
        }
    return false;
}

static bool replay_step(struct replay *replay, uint32_t op, uint32_t node, bool back)
{
    const uint32_t *arg = replay->arg + 2 * node;
    if ((replay->graph->node.at[node].op & CC_OP) != op || replay->n + 2 > 256)
        return false;
    if (back) {
        if (!replay_take(replay, arg[0]) || !replay_take(replay, arg[1]))
            return false;
        replay->set[replay->n++] = node;
        return true;
    }
    if (!replay_take(replay, node))
        return false;
    replay->set[replay->n++] = arg[0];
    replay->set[replay->n++] = arg[1];
    return true;
}

static bool replay_path(struct replay *replay, uint32_t a, uint32_t b,
                        bool (*is_ac)(const struct cc *g, uint32_t op))
{
    uint32_t n = replay_get(replay), op = CC_NONE;
    bool ok = true;
    replay->n = 1;
    replay->set[0] = a;
    for (uint32_t i = 0; i < n && ok; i++) {
        uint32_t node = replay_near(replay), back = replay_get(replay);
        if (op == CC_NONE && node < replay->graph->node.len)
            op = replay->graph->node.at[node].op & CC_OP;
        ok = ok && node < replay->graph->node.len;
        ok = ok && op != CC_NONE && is_ac(replay->graph, op) &&
             replay_step(replay, op, node, back == 1);
    }
    replay->n_ac++;
    replay->n_steps += n;
    return ok && replay->n == 1 && replay_take(replay, b);
}

static bool replay_congruent(const struct replay *replay, uint32_t a, uint32_t b)
{
    const struct cc *graph = replay->graph;
    if ((graph->node.at[a].op & CC_OP) != (graph->node.at[b].op & CC_OP))
        return false;
    for (uint32_t k = 0; k < cc_arity(graph, a); k++)
        if (replay_find(replay, replay->arg[2 * a + k]) !=
            replay_find(replay, replay->arg[2 * b + k]))
            return false;
    return true;
}

// False: an entry does not follow, or other nodes are equal than in the graph.
static bool replay_journal(struct replay *replay, bool (*is_ac)(const struct cc *g, uint32_t op))
{
    struct cc *graph = replay->graph;
    while (replay->at < graph->journal.len) {
        uint32_t kind = replay_get(replay), a = replay_near(replay), b = replay_near(replay);
        if (a >= graph->node.len || b >= graph->node.len)
            return false;
        bool ok = kind == JOURNAL_GIVEN        ? (replay_get(replay), true)
                  : kind == JOURNAL_CONGRUENCE ? replay_congruent(replay, a, b)
                  : kind == JOURNAL_AC         ? replay_path(replay, a, b, is_ac)
                                               : false;
        if (!ok)
            return false;
        replay->up[replay_find(replay, a)] = replay_find(replay, b);
    }
    for (uint32_t i = 0; i < graph->node.len; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((cc_class(graph, i) == cc_class(graph, k)) !=
                (replay_find(replay, i) == replay_find(replay, k)))
                return false;
    return true;
}

#endif
