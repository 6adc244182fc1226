// SPDX-License-Identifier: Apache-2.0
// Ways between nodes and what they rest on.
#include "base/hash.h"
#include "egraph/why/core.h"

// Own table: asked for every pair of nodes on every way of an explanation.
static uint32_t *pair_slot(struct why *why, uint32_t x, uint32_t y)
{
    uint32_t mask = why->pair_slot.len - 1;
    uint32_t i = (uint32_t)hash_u64((uint64_t)x << 32 | y, 1) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t p = why->pair_slot.at[i];
        if (p == 0 || (why->pair.at[p - 1].x == x && why->pair.at[p - 1].y == y))
            return &why->pair_slot.at[i];
    }
}

uint32_t why_pair(struct why *why, uint32_t x, uint32_t y)
{
    if (x > y) {
        uint32_t z = x;
        x = y;
        y = z;
    }
    if (2 * (why->pair.len + 1) > why->pair_slot.len) {
        uint32_t n = why->pair_slot.len == 0 ? 128 : 2 * why->pair_slot.len;
        vec_release(&why->pair_slot);
        vec_reserve(&why->pair_slot, n);
        memset(why->pair_slot.at, 0, n * sizeof *why->pair_slot.at);
        why->pair_slot.len = n;
        for (uint32_t i = 0; i < why->pair.len; i++)
            *pair_slot(why, why->pair.at[i].x, why->pair.at[i].y) = i + 1;
    }
    uint32_t *slot = pair_slot(why, x, y);
    if (*slot == 0) {
        struct why_pair pair = {.x = x, .y = y, .line = {.line = CC_NONE}};
        vec_push(&why->pair, pair);
        *slot = why->pair.len;
    }
    return *slot - 1;
}

static bool way_push(struct why *why, uint32_t half, uint64_t limit)
{
    vec_push(&why->way, half);
    return ++why->work <= limit;
}

// The way through the forest: the youngest entry on it splits it in two.  No
// way is noted where that takes more than the limit.
static bool forest_way(struct why *why, uint32_t pair, uint64_t limit, struct err *err)
{
    struct why_pair p = why->pair.at[pair];
    uint32_t base = why->waiting.len;
    p.at = why->way.len;
    vec_push(&why->waiting, p.x);
    vec_push(&why->waiting, p.y);
    while (why->waiting.len > base) {
        uint32_t y = vec_pop(&why->waiting), x = vec_pop(&why->waiting);
        if (x == CC_NONE) {
            if (way_push(why, y, limit))
                continue;
            why->waiting.len = base;
            return true;
        }
        if (x == y)
            continue;
        uint32_t entry = why_joined(why, x, y);
        if (entry == CC_NONE) {
            why->waiting.len = base;
            return err_set(err, ERR_CHECK, "the journal does not make nodes %u and %u equal", p.x,
                           p.y);
        }
        uint32_t l = why->entry.at[entry].left, r = why->entry.at[entry].right;
        uint32_t other = x == l ? CC_NONE : why_joined(why, x, l);
        bool back = x != l && (other == CC_NONE || other >= entry);
        uint32_t from = back ? r : l, to = back ? l : r;
        if (to != y) {
            vec_push(&why->waiting, to);
            vec_push(&why->waiting, y);
        }
        if (x != from) {
            vec_push(&why->waiting, CC_NONE);
            vec_push(&why->waiting, 2 * entry + back);
            vec_push(&why->waiting, x);
            vec_push(&why->waiting, from);
        } else if (!way_push(why, 2 * entry + back, limit)) {
            why->waiting.len = base;
            return true;
        }
    }
    p.n = why->way.len - p.at;
    p.found = true;
    why->pair.at[pair] = p;
    return true;
}

void why_premise(struct why *why, uint32_t x, uint32_t y)
{
    if (x != y)
        vec_push(&why->prem, why_pair(why, x, y));
}

static void rule_premises(struct why *why, uint32_t entry)
{
    uint32_t rule = why->entry.at[entry].kind - JOURNAL_RULE;
    const struct plain_rule *q = &why->rules->rule.at[rule];
    const struct why_place *place = why->place.at + why->place_at.at[rule];
    const uint32_t *list = why_list(why, entry);
    for (uint32_t i = why->twice_at.at[rule]; i < why->twice_at.at[rule + 1]; i++)
        why_premise(why, why_at(why, list, why->twice.at[i].a),
                    why_at(why, list, why->twice.at[i].b));
    for (uint32_t i = 0; i < q->n_guards; i++) {
        const struct plain_guard *plain_guard = &q->guard[i];
        uint32_t node[sizeof plain_guard->arg / sizeof *plain_guard->arg], witness;
        for (uint32_t k = 0; k < plain_guard->n; k++)
            node[k] = place[plain_guard->arg[k]].place == CC_NONE
                          ? CC_NONE
                          : why_at(why, list, place[plain_guard->arg[k]]);
        for (uint32_t k = 0; k < plain_guard->n; k++)
            if (why_guard(why, entry, plain_guard, k, node, &witness))
                why_premise(why, node[k], witness);
    }
}

// The premises of an entry, once.
static bool premises(struct why *why, uint32_t entry, struct err *err)
{
    if (why_edge(why, entry)->listed)
        return true;
    bool ok = true;
    const struct why_entry x = why->entry.at[entry];
    uint32_t at = why->prem.len;
    if (x.kind >= JOURNAL_RULE) {
        rule_premises(why, entry);
    } else if (x.kind == JOURNAL_AC) {
        ok = why_ac_premises(why, entry);
    } else if (x.kind == JOURNAL_CONGRUENCE || x.kind == JOURNAL_FOLD) {
        for (uint32_t k = 0; k < cc_arity(why->graph, x.left); k++) {
            uint32_t to =
                x.kind == JOURNAL_FOLD ? why_list(why, entry)[2 + k] : why_kid(why, x.right, k);
            uint32_t from = why_kid(why, x.left, k);
            why_premise(why, from, to == CC_NONE ? from : to);
        }
    }
    struct why_edge *edge = why_edge(why, entry);
    edge->at = at;
    edge->n = why->prem.len - at;
    edge->listed = ok;
    for (uint32_t i = at; i < why->prem.len; i++) {
        struct why_pair *pair = &why->pair.at[why->prem.at[i]];
        vec_push(&why->user, ((struct why_link){entry, pair->users}));
        pair->users = why->user.len;
    }
    return ok || err_set(err, ERR_BUG, "entry %u of the journal is broken", entry);
}

static uint64_t own_steps(const struct why *why, uint32_t entry)
{
    return why->entry.at[entry].kind != JOURNAL_CONGRUENCE;
}

static uint64_t pair_steps(struct why *why, uint32_t pair)
{
    struct why_pair *p = &why->pair.at[pair];
    if (p->steps == UINT64_MAX) {
        p->steps = 0;
        for (uint32_t i = 0; i < p->n; i++)
            p->steps = why_plus(p->steps, why_edge(why, why->way.at[p->at + i] >> 1)->steps);
    }
    return p->steps;
}

static bool know(struct why *why, uint32_t entry, struct err *err)
{
    if (why_edge(why, entry)->known)
        return true;
    if (!premises(why, entry, err))
        return false;
    vec_push(&why->fresh, entry);
    struct why_edge *edge = why_edge(why, entry);
    edge->known = true;
    for (uint32_t k = 0; k < edge->n; k++)
        vec_push(&why->waiting, why->prem.at[edge->at + k]);
    return true;
}

static void forget_fresh(struct why *why)
{
    for (uint32_t i = 0; i < why->fresh.len; i++)
        why_edge(why, (uint32_t)why->fresh.at[i])->known = false;
    for (uint32_t i = 0; i < why->fresh_pair.len; i++)
        why->pair.at[why->fresh_pair.at[i]].known = false;
}

// Ways for the pairs in `waiting` from `base` on, and what they rest on, as
// long as the work stays below a limit (*dull: it does not).
static bool need_all(struct why *why, uint32_t base, uint64_t limit, bool *dull, struct err *err)
{
    vec_clear(&why->fresh_pair);
    *dull = false;
    while (why->waiting.len > base) {
        uint32_t p = vec_pop(&why->waiting);
        if (why->pair.at[p].known)
            continue;
        bool ok = why->pair.at[p].found || forest_way(why, p, limit, err);
        why->pair.at[p].steps = UINT64_MAX;
        why->pair.at[p].asked = 0;
        why->pair.at[p].known = why->pair.at[p].found;
        vec_push(&why->fresh_pair, p);
        why->work++;
        *dull = why->work > limit;
        for (uint32_t i = 0; ok && !*dull && i < why->pair.at[p].n; i++)
            ok = know(why, why->way.at[why->pair.at[p].at + i] >> 1, err);
        if (!ok || *dull) {
            why->waiting.len = base;
            forget_fresh(why);
            vec_clear(&why->fresh);
            return ok;
        }
    }
    // The premises of an entry are older than the entry.
    why_sort(why->fresh.at, why->fresh.len);
    for (uint32_t i = 0; i < why->fresh.len; i++) {
        uint32_t entry = (uint32_t)why->fresh.at[i];
        struct why_edge *edge = why_edge(why, entry);
        edge->steps = own_steps(why, entry);
        for (uint32_t k = 0; k < edge->n; k++)
            edge->steps = why_plus(edge->steps, pair_steps(why, why->prem.at[edge->at + k]));
    }
    vec_clear(&why->fresh);
    return true;
}

bool why_need(struct why *why, uint32_t pair, struct err *err)
{
    bool dull;
    uint32_t base = why->waiting.len;
    vec_push(&why->waiting, pair);
    bool ok = need_all(why, base, UINT64_MAX, &dull, err);
    if (ok)
        pair_steps(why, pair);
    return ok;
}

// Few of the entries between two nodes are shorter than what is known already,
// and most are found not to be before all that they rest on is looked at.
struct bounded_need {
    struct why *why;
    uint64_t limit;
    struct err *err;
    bool ok, dull; // while these hold: ok and not dull
};

// A lower bound on the steps, by facts already found.
static uint64_t pair_least(const struct why *why, uint32_t pair)
{
    const struct why_pair *p = &why->pair.at[pair];
    return p->known || p->asked == why->changes ? p->steps : p->found ? p->n : 1;
}

static uint64_t edge_least(const struct why *why, uint32_t entry)
{
    if (why->edge_of.at[entry] == 0)
        return 1;
    const struct why_edge *edge = &why->edge.at[why->edge_of.at[entry] - 1];
    return edge->known || edge->asked == why->changes ? edge->steps
           : edge->listed                             ? own_steps(why, entry) + edge->n
                                                      : 1;
}

static uint64_t edge_within(struct bounded_need *bounded_need, uint32_t entry, uint64_t most,
                            uint32_t depth);

static uint64_t pair_within(struct bounded_need *bounded_need, uint32_t pair, uint64_t most,
                            uint32_t depth)
{
    struct why *why = bounded_need->why;
    uint64_t sum = pair_least(why, pair);
    if (why->pair.at[pair].known || sum >= most)
        return sum;
    if (depth > EGRAPH_WHY_DEPTH) {
        uint32_t base = why->waiting.len;
        vec_push(&why->waiting, pair);
        bounded_need->ok =
            need_all(why, base, bounded_need->limit, &bounded_need->dull, bounded_need->err);
        return bounded_need->ok && !bounded_need->dull ? pair_steps(why, pair) : most;
    }
    if (!why->pair.at[pair].found) {
        bounded_need->ok = forest_way(why, pair, bounded_need->limit, bounded_need->err);
        bounded_need->dull = ++why->work > bounded_need->limit;
        if (!bounded_need->ok || bounded_need->dull)
            return most;
    }
    uint32_t at = why->pair.at[pair].at, n = why->pair.at[pair].n;
    sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum = why_plus(sum, edge_least(why, why->way.at[at + i] >> 1));
    for (uint32_t i = 0; i < n && sum < most; i++) {
        uint32_t entry = why->way.at[at + i] >> 1;
        sum -= edge_least(why, entry);
        sum = why_plus(sum, edge_within(bounded_need, entry, most - sum, depth + 1));
        if (!bounded_need->ok || bounded_need->dull)
            return most;
    }
    struct why_pair *p = &why->pair.at[pair];
    p->steps = sum;
    p->known = sum < most;
    p->asked = why->changes;
    return sum;
}

static uint64_t edge_within(struct bounded_need *bounded_need, uint32_t entry, uint64_t most,
                            uint32_t depth)
{
    struct why *why = bounded_need->why;
    uint64_t sum = edge_least(why, entry);
    if (why_edge(why, entry)->known || sum >= most)
        return sum;
    bounded_need->ok = premises(why, entry, bounded_need->err);
    bounded_need->dull = ++why->work > bounded_need->limit;
    if (!bounded_need->ok || bounded_need->dull)
        return most;
    uint32_t at = why_edge(why, entry)->at, n = why_edge(why, entry)->n;
    sum = own_steps(why, entry);
    for (uint32_t i = 0; i < n; i++)
        sum = why_plus(sum, pair_least(why, why->prem.at[at + i]));
    for (uint32_t i = 0; i < n && sum < most; i++) {
        uint32_t pair = why->prem.at[at + i];
        sum -= pair_least(why, pair);
        sum = why_plus(sum, pair_within(bounded_need, pair, most - sum, depth + 1));
        if (!bounded_need->ok || bounded_need->dull)
            return most;
    }
    struct why_edge *edge = why_edge(why, entry);
    edge->steps = sum;
    edge->known = sum < most;
    edge->asked = why->changes;
    return sum;
}

bool why_need_edge(struct why *why, uint32_t entry, uint64_t work, uint64_t most, struct err *err)
{
    struct bounded_need bounded_need = {
        .why = why, .limit = why->work + work, .err = err, .ok = true};
    struct why_edge *edge = why_edge(why, entry);
    if (edge->refusals >= EGRAPH_WHY_REFUSALS)
        most = UINT64_MAX;
    edge_within(&bounded_need, entry, most, 0);
    edge = why_edge(why, entry);
    edge->dull = bounded_need.dull;
    if (!edge->known && edge->refusals < EGRAPH_WHY_REFUSALS)
        edge->refusals++;
    return bounded_need.ok;
}
