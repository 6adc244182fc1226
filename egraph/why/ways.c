// SPDX-License-Identifier: Apache-2.0
// Ways between nodes and what they rest on.
#include "base/hash.h"
#include "egraph/why/core.h"

static uint32_t *pair_slot(struct why *w, uint32_t x, uint32_t y)
{
    uint32_t mask = w->pair_slot.len - 1;
    uint32_t i = (uint32_t)hash_u64((uint64_t)x << 32 | y, 1) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t p = w->pair_slot.at[i];
        if (p == 0 || (w->pair.at[p - 1].x == x && w->pair.at[p - 1].y == y))
            return &w->pair_slot.at[i];
    }
}

uint32_t why_pair(struct why *w, uint32_t x, uint32_t y)
{
    if (x > y) {
        uint32_t z = x;
        x = y;
        y = z;
    }
    if (2 * (w->pair.len + 1) > w->pair_slot.len) {
        uint32_t n = w->pair_slot.len == 0 ? 128 : 2 * w->pair_slot.len;
        vec_release(&w->pair_slot);
        vec_reserve(&w->pair_slot, n);
        memset(w->pair_slot.at, 0, n * sizeof *w->pair_slot.at);
        w->pair_slot.len = n;
        for (uint32_t i = 0; i < w->pair.len; i++)
            *pair_slot(w, w->pair.at[i].x, w->pair.at[i].y) = i + 1;
    }
    uint32_t *slot = pair_slot(w, x, y);
    if (*slot == 0) {
        struct why_pair p = {.x = x, .y = y, .line = {.line = CC_NONE}};
        vec_push(&w->pair, p);
        *slot = w->pair.len;
    }
    return *slot - 1;
}

static bool way_push(struct why *w, uint32_t half, uint64_t limit)
{
    vec_push(&w->way, half);
    return ++w->work <= limit;
}

// The way through the forest: the youngest entry on it splits it in two.  No
// way is noted where that takes more than the limit.
static bool forest_way(struct why *w, uint32_t pair, uint64_t limit,
                       struct err *e)
{
    struct why_pair p = w->pair.at[pair];
    uint32_t base = w->waiting.len;
    p.at = w->way.len;
    vec_push(&w->waiting, p.x);
    vec_push(&w->waiting, p.y);
    while (w->waiting.len > base) {
        uint32_t y = vec_pop(&w->waiting), x = vec_pop(&w->waiting);
        if (x == CC_NONE) {
            if (way_push(w, y, limit))
                continue;
            w->waiting.len = base;
            return true;
        }
        if (x == y)
            continue;
        uint32_t entry = why_joined(w, x, y);
        if (entry == CC_NONE) {
            w->waiting.len = base;
            return err_set(e, ERR_CHECK,
                           "the journal does not make nodes %u and %u equal",
                           p.x, p.y);
        }
        uint32_t l = w->entry.at[entry].l, r = w->entry.at[entry].r;
        uint32_t other = x == l ? CC_NONE : why_joined(w, x, l);
        bool back = x != l && (other == CC_NONE || other >= entry);
        uint32_t from = back ? r : l, to = back ? l : r;
        if (to != y) {
            vec_push(&w->waiting, to);
            vec_push(&w->waiting, y);
        }
        if (x != from) {
            vec_push(&w->waiting, CC_NONE);
            vec_push(&w->waiting, 2 * entry + back);
            vec_push(&w->waiting, x);
            vec_push(&w->waiting, from);
        } else if (!way_push(w, 2 * entry + back, limit)) {
            w->waiting.len = base;
            return true;
        }
    }
    p.n = w->way.len - p.at;
    p.found = true;
    w->pair.at[pair] = p;
    return true;
}

void why_premise(struct why *w, uint32_t x, uint32_t y)
{
    if (x != y)
        vec_push(&w->prem, why_pair(w, x, y));
}

static void rule_premises(struct why *w, uint32_t entry)
{
    uint32_t rule = w->entry.at[entry].kind - JOURNAL_RULE;
    const struct plain_rule *q = &w->rules->rule.at[rule];
    const struct why_place *p = w->place.at + w->place_at.at[rule];
    const uint32_t *list = why_list(w, entry);
    for (uint32_t i = w->twice_at.at[rule]; i < w->twice_at.at[rule + 1]; i++)
        why_premise(w, why_at(w, list, w->twice.at[i].a),
                    why_at(w, list, w->twice.at[i].b));
    for (uint32_t i = 0; i < q->n_guards; i++) {
        const struct plain_guard *x = &q->guard[i];
        uint32_t node[sizeof x->arg / sizeof *x->arg], witness;
        for (uint32_t k = 0; k < x->n; k++)
            node[k] = p[x->arg[k]].place == CC_NONE
                          ? CC_NONE
                          : why_at(w, list, p[x->arg[k]]);
        for (uint32_t k = 0; k < x->n; k++)
            if (why_guard(w, entry, x, k, node, &witness))
                why_premise(w, node[k], witness);
    }
}

// The premises of an entry, once.
static bool premises(struct why *w, uint32_t entry, struct err *e)
{
    if (why_edge(w, entry)->listed)
        return true;
    bool ok = true;
    const struct why_entry x = w->entry.at[entry];
    uint32_t at = w->prem.len;
    if (x.kind >= JOURNAL_RULE) {
        rule_premises(w, entry);
    } else if (x.kind == JOURNAL_AC) {
        ok = why_ac_premises(w, entry);
    } else if (x.kind == JOURNAL_CONGRUENCE || x.kind == JOURNAL_FOLD) {
        for (uint32_t k = 0; k < cc_arity(w->g, x.l); k++) {
            uint32_t to = x.kind == JOURNAL_FOLD ? why_list(w, entry)[2 + k]
                                                 : why_kid(w, x.r, k);
            uint32_t from = why_kid(w, x.l, k);
            why_premise(w, from, to == CC_NONE ? from : to);
        }
    }
    struct why_edge *g = why_edge(w, entry);
    g->at = at;
    g->n = w->prem.len - at;
    g->listed = ok;
    for (uint32_t i = at; i < w->prem.len; i++) {
        struct why_pair *p = &w->pair.at[w->prem.at[i]];
        vec_push(&w->user, ((struct why_link){entry, p->users}));
        p->users = w->user.len;
    }
    return ok ||
           err_set(e, ERR_BUG, "entry %u of the journal is broken", entry);
}

static uint64_t own_steps(const struct why *w, uint32_t entry)
{
    return w->entry.at[entry].kind != JOURNAL_CONGRUENCE;
}

static uint64_t pair_steps(struct why *w, uint32_t pair)
{
    struct why_pair *p = &w->pair.at[pair];
    if (p->steps == UINT64_MAX) {
        p->steps = 0;
        for (uint32_t i = 0; i < p->n; i++)
            p->steps = why_plus(p->steps,
                                why_edge(w, w->way.at[p->at + i] >> 1)->steps);
    }
    return p->steps;
}

static bool know(struct why *w, uint32_t entry, struct err *e)
{
    if (why_edge(w, entry)->known)
        return true;
    if (!premises(w, entry, e))
        return false;
    vec_push(&w->fresh, entry);
    struct why_edge *g = why_edge(w, entry);
    g->known = true;
    for (uint32_t k = 0; k < g->n; k++)
        vec_push(&w->waiting, w->prem.at[g->at + k]);
    return true;
}

static void forget_fresh(struct why *w)
{
    for (uint32_t i = 0; i < w->fresh.len; i++)
        why_edge(w, (uint32_t)w->fresh.at[i])->known = false;
    for (uint32_t i = 0; i < w->fresh_pair.len; i++)
        w->pair.at[w->fresh_pair.at[i]].known = false;
}

// Ways for the pairs in `waiting` from `base` on, and what they rest on, as
// long as the work stays below a limit (*dull: it does not).
static bool need_all(struct why *w, uint32_t base, uint64_t limit, bool *dull,
                     struct err *e)
{
    vec_clear(&w->fresh_pair);
    *dull = false;
    while (w->waiting.len > base) {
        uint32_t p = vec_pop(&w->waiting);
        if (w->pair.at[p].known)
            continue;
        bool ok = w->pair.at[p].found || forest_way(w, p, limit, e);
        w->pair.at[p].steps = UINT64_MAX;
        w->pair.at[p].asked = 0;
        w->pair.at[p].known = w->pair.at[p].found;
        vec_push(&w->fresh_pair, p);
        w->work++;
        *dull = w->work > limit;
        for (uint32_t i = 0; ok && !*dull && i < w->pair.at[p].n; i++)
            ok = know(w, w->way.at[w->pair.at[p].at + i] >> 1, e);
        if (!ok || *dull) {
            w->waiting.len = base;
            forget_fresh(w);
            vec_clear(&w->fresh);
            return ok;
        }
    }
    // What an entry rests on is older.
    why_sort(w->fresh.at, w->fresh.len);
    for (uint32_t i = 0; i < w->fresh.len; i++) {
        uint32_t entry = (uint32_t)w->fresh.at[i];
        struct why_edge *g = why_edge(w, entry);
        g->steps = own_steps(w, entry);
        for (uint32_t k = 0; k < g->n; k++)
            g->steps = why_plus(g->steps, pair_steps(w, w->prem.at[g->at + k]));
    }
    vec_clear(&w->fresh);
    return true;
}

bool why_need(struct why *w, uint32_t pair, struct err *e)
{
    bool dull;
    uint32_t base = w->waiting.len;
    vec_push(&w->waiting, pair);
    bool ok = need_all(w, base, UINT64_MAX, &dull, e);
    if (ok)
        pair_steps(w, pair);
    return ok;
}

// Few of the entries between two nodes are shorter than what is known already,
// and most are found not to be before all that they rest on is looked at.
struct bounded_need {
    struct why *w;
    uint64_t limit;
    struct err *e;
    bool ok, dull; // while these hold: ok and not dull
};

// After so many refusals the steps are found out once and for all.
enum { DEEP = 200, REFUSALS = 4 };

// At least so many, by what is known without looking further.
static uint64_t pair_least(const struct why *w, uint32_t pair)
{
    const struct why_pair *p = &w->pair.at[pair];
    return p->known || p->asked == w->changes ? p->steps : p->found ? p->n : 1;
}

static uint64_t edge_least(const struct why *w, uint32_t entry)
{
    if (w->edge_of.at[entry] == 0)
        return 1;
    const struct why_edge *g = &w->edge.at[w->edge_of.at[entry] - 1];
    return g->known || g->asked == w->changes ? g->steps
           : g->listed                        ? own_steps(w, entry) + g->n
                                              : 1;
}

static uint64_t edge_within(struct bounded_need *x, uint32_t entry, uint64_t most,
                            uint32_t depth);

static uint64_t pair_within(struct bounded_need *x, uint32_t pair, uint64_t most,
                            uint32_t depth)
{
    struct why *w = x->w;
    uint64_t sum = pair_least(w, pair);
    if (w->pair.at[pair].known || sum >= most)
        return sum;
    if (depth > DEEP) {
        uint32_t base = w->waiting.len;
        vec_push(&w->waiting, pair);
        x->ok = need_all(w, base, x->limit, &x->dull, x->e);
        return x->ok && !x->dull ? pair_steps(w, pair) : most;
    }
    if (!w->pair.at[pair].found) {
        x->ok = forest_way(w, pair, x->limit, x->e);
        x->dull = ++w->work > x->limit;
        if (!x->ok || x->dull)
            return most;
    }
    uint32_t at = w->pair.at[pair].at, n = w->pair.at[pair].n;
    sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum = why_plus(sum, edge_least(w, w->way.at[at + i] >> 1));
    for (uint32_t i = 0; i < n && sum < most; i++) {
        uint32_t entry = w->way.at[at + i] >> 1;
        sum -= edge_least(w, entry);
        sum = why_plus(sum, edge_within(x, entry, most - sum, depth + 1));
        if (!x->ok || x->dull)
            return most;
    }
    struct why_pair *p = &w->pair.at[pair];
    p->steps = sum;
    p->known = sum < most;
    p->asked = w->changes;
    return sum;
}

static uint64_t edge_within(struct bounded_need *x, uint32_t entry, uint64_t most,
                            uint32_t depth)
{
    struct why *w = x->w;
    uint64_t sum = edge_least(w, entry);
    if (why_edge(w, entry)->known || sum >= most)
        return sum;
    x->ok = premises(w, entry, x->e);
    x->dull = ++w->work > x->limit;
    if (!x->ok || x->dull)
        return most;
    uint32_t at = why_edge(w, entry)->at, n = why_edge(w, entry)->n;
    sum = own_steps(w, entry);
    for (uint32_t i = 0; i < n; i++)
        sum = why_plus(sum, pair_least(w, w->prem.at[at + i]));
    for (uint32_t i = 0; i < n && sum < most; i++) {
        uint32_t pair = w->prem.at[at + i];
        sum -= pair_least(w, pair);
        sum = why_plus(sum, pair_within(x, pair, most - sum, depth + 1));
        if (!x->ok || x->dull)
            return most;
    }
    struct why_edge *g = why_edge(w, entry);
    g->steps = sum;
    g->known = sum < most;
    g->asked = w->changes;
    return sum;
}

bool why_need_edge(struct why *w, uint32_t entry, uint64_t work, uint64_t most,
                   struct err *e)
{
    struct bounded_need x = {.w = w, .limit = w->work + work, .e = e, .ok = true};
    struct why_edge *g = why_edge(w, entry);
    if (g->refusals >= REFUSALS)
        most = UINT64_MAX;
    edge_within(&x, entry, most, 0);
    g = why_edge(w, entry);
    g->dull = x.dull;
    if (!g->known && g->refusals < REFUSALS)
        g->refusals++;
    return x.ok;
}
