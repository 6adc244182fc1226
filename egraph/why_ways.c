// SPDX-License-Identifier: Apache-2.0
// Ways between nodes and what they rest on.
#include "base/hash.h"
#include "egraph/why_core.h"

#include <stdlib.h>

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
        uint32_t n = w->pair_slot.len == 0 ? 64 : 2 * w->pair_slot.len;
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
    p.known = true;
    p.steps = UINT64_MAX;
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
    struct why_use u;
    why_use(w, entry, &u);
    const struct plain_rule *q = u.q;
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        why_premise(w, u.list[i], u.node[q->atom[i].cls]);
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            why_premise(w, why_kid(w, u.list[i], k), u.node[q->atom[i].arg[k]]);
    }
    for (uint32_t i = 0; i < q->n_builds; i++)
        for (uint32_t k = 0; k < q->build[i].n; k++)
            why_premise(w, why_kid(w, u.list[q->n_atoms + i], k),
                        u.node[q->build[i].arg[k]]);
    for (uint32_t i = 0; i < q->n_guards; i++)
        for (uint32_t k = 0; k < q->guard[i].n; k++) {
            uint32_t witness;
            if (why_guard(w, entry, &u, i, k, &witness))
                why_premise(w, u.node[q->guard[i].arg[k]], witness);
        }
}

static bool premises(struct why *w, uint32_t entry)
{
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
    g->known = true;
    return ok;
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

static int by_age(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool know(struct why *w, uint32_t entry, struct err *e)
{
    if (why_edge(w, entry)->known)
        return true;
    if (!premises(w, entry))
        return err_set(e, ERR_BUG, "entry %u of the journal is broken", entry);
    vec_push(&w->fresh, entry);
    const struct why_edge *g = why_edge(w, entry);
    for (uint32_t k = 0; k < g->n; k++)
        vec_push(&w->waiting, w->prem.at[g->at + k]);
    return true;
}

static void forget_fresh(struct why *w)
{
    for (uint32_t i = 0; i < w->fresh.len; i++)
        why_edge(w, w->fresh.at[i])->known = false;
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
        bool ok = forest_way(w, p, limit, e);
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
    if (w->fresh.len > 1)
        qsort(w->fresh.at, w->fresh.len, sizeof *w->fresh.at, by_age);
    for (uint32_t i = 0; i < w->fresh.len; i++) {
        struct why_edge *g = why_edge(w, w->fresh.at[i]);
        g->steps = w->entry.at[w->fresh.at[i]].kind != JOURNAL_CONGRUENCE;
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

bool why_need_edge(struct why *w, uint32_t entry, uint64_t work, struct err *e)
{
    bool dull = false;
    uint32_t base = w->waiting.len;
    bool ok = know(w, entry, e) && need_all(w, base, w->work + work, &dull, e);
    why_edge(w, entry)->dull = dull;
    return ok;
}
