// SPDX-License-Identifier: Apache-2.0
// A round whose matches are all found before the first is applied.  Then the
// order of the rules is free, and the graph may be closed in between: what is
// merged early saves the nodes that would be made above both classes, and die
// later.  So rules that build least go first, and the graph is closed under
// congruence behind each of them and within those that build much.  A round
// ends with the same graph whatever the order.
#include "egraph/plain/saturate/core.h"

#include "base/clock.h"

// Nodes of matches that are held: 16 MiB, beyond which writing them down and
// reading them again takes longer than what is saved (of 31 million nodes made,
// 30 % of the time).  And for each node that there may be, where that is
// limited.
enum { HELD_MOST = 1 << 22, HELD_LIMITED = 8 };
// Within a rule the graph is closed when so many nodes are new, and a quarter
// of the others.
enum { PART_LEAST = 4096 };

struct held_part {
    uint32_t rule, from, n; // place in r->match, matches
    uint64_t builds;
};

struct held_round {
    struct run *r;
    uint64_t most;
    bool full;
};

static bool hold_match(void *ctx, const struct plain_search *s)
{
    struct held_round *h = ctx;
    struct u32_vec *m = &h->r->match;
    uint32_t n = s->rule->n_atoms;
    vec_reserve(m, m->len + n);
    for (uint32_t i = 0; i < n; i++)
        m->at[m->len++] = s->node[i];
    h->full = m->len > h->most;
    return !h->full;
}

static bool tick(void *ctx)
{
    struct held_round *h = ctx;
    return run_in_time(h->r);
}

// How many nodes of matches may be held; 0: the rules are to be applied as they
// are searched.
static uint64_t most_held(const struct run *r)
{
    const struct run_options *o = &r->opt;
    uint64_t most = HELD_MOST;
    if (o->whole_rules || o->max_matches > 0 || o->ac != NULL)
        return 0;
    // Searching must not take the time for applying.
    if (o->deadline > 0 && 16 * r->round_seconds > o->deadline - run_now(r))
        return 0;
    for (uint32_t i = 0; i < r->rule.len; i++)
        if (r->rule.at[i].open)
            return 0;
    if (o->max_nodes > 0 && most / HELD_LIMITED > o->max_nodes)
        most = (uint64_t)o->max_nodes * HELD_LIMITED;
    if (o->max_bytes > 0) {
        uint64_t held = cc_bytes(r->g);
        uint64_t free = held < o->max_bytes ? o->max_bytes - held : 0;
        if (most > free / 32)
            most = free / 32;
    }
    return most;
}

// Conditions are asked on the graph as the round found it.
static uint32_t ask(struct run *r, uint32_t rule, uint32_t from, uint32_t n)
{
    uint32_t each = r->rule.at[rule].rule->n_atoms, to = from;
    for (uint32_t i = 0; i < n; i += RUN_CHUNK) {
        uint32_t some = n - i < RUN_CHUNK ? n - i : RUN_CHUNK;
        uint32_t *at = r->match.at + from + i * each;
        uint32_t left = run_ask(r, rule, some, at);
        memmove(r->match.at + to, at, (size_t)left * each * sizeof *at);
        to += left * each;
    }
    r->match.len = to;
    return (to - from) / each;
}

static bool search_held(struct held_round *h, uint32_t index, struct held_part *p)
{
    struct run *r = h->r;
    struct run_rule *x = &r->rule.at[index];
    uint32_t from = r->match.len;
    seen_mark_set(&x->until, r->g, x->rule);
    struct plain_search s = {.g = r->g,
                       .rule = x->rule,
                       .since = &x->mark,
                       .n_frozen = r->g->n_entered,
                       .tick = tick,
                       .found = hold_match,
                       .ctx = h};
    if (!search_rule(&s)) {
        r->match.len = from;
        return false;
    }
    uint32_t n = (r->match.len - from) / x->rule->n_atoms;
    r->n_matches += n;
    x->matches += n;
    p->rule = index;
    p->from = from;
    p->n = x->rule->n_guards > 0 ? ask(r, index, from, n) : n;
    p->builds = (uint64_t)p->n * x->rule->n_builds;
    return true;
}

static void close_part(struct run *r)
{
    double begin = clock_cpu(), start = run_now(r);
    r->closed_waiting += run_pending(r->g);
    cc_rebuild_part(r->g);
    r->closed_seconds += run_now(r) - start;
    r->rebuild_seconds += clock_cpu() - begin;
}

static void apply_held(struct run *r, const struct held_part *p, bool close)
{
    struct cc *g = r->g;
    struct run_rule *x = &r->rule.at[p->rule];
    const struct plain_rule *q = x->rule;
    for (uint32_t i = 0; i < p->n && r->hit == RUN_SATURATED;) {
        uint32_t n = p->n - i < RUN_CHUNK ? p->n - i : RUN_CHUNK;
        n = run_room(r, q, n);
        if (n > 0)
            run_apply(r, p->rule, n, r->match.at + p->from + i * q->n_atoms,
                      true);
        i += n;
        if (close && g->dirty.len > 0 &&
            g->node.len - g->n_entered >= PART_LEAST + g->n_entered / 4)
            close_part(r);
        if (r->hit == RUN_SATURATED)
            (void)run_in_time(r);
    }
    if (r->hit == RUN_SATURATED)
        x->mark = x->until;
    if (close && g->dirty.len > 0)
        close_part(r);
}

// Those that build least first, else as they stand in the file.
static void sort_parts(struct held_part *p, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct held_part x = p[i];
        uint32_t k = i;
        for (; k > 0 && p[k - 1].builds > x.builds; k--)
            p[k] = p[k - 1];
        p[k] = x;
    }
}

uint32_t run_held(struct run *r, uint32_t n)
{
    struct held_round h = {.r = r, .most = most_held(r)};
    if (h.most == 0)
        return 0;
    struct held_part *p = mem_alloc((size_t)n * sizeof *p);
    uint32_t done = 0;
    vec_clear(&r->match);
    while (done < n && search_held(&h, done, &p[done]))
        done++;
    sort_parts(p, done);
    // While rules are to be searched the lists stand still.
    for (uint32_t i = 0; i < done && r->hit == RUN_SATURATED; i++)
        apply_held(r, &p[i], done == n);
    vec_clear(&r->match);
    mem_free(p);
    return done;
}
