// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/saturate/core.h"

#include "base/clock.h"

bool run_scheduler_named(const char *name, enum run_scheduler *out)
{
    static const char *const names[] = {"simple", "backoff", "ration"};
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (enum run_scheduler)i;
            return true;
        }
    return false;
}

void run_init(struct run *r, struct cc *g, const struct plain_rules *p,
              struct run_options o)
{
    *r = (struct run){.g = g, .opt = o};
    for (uint32_t i = 0; i < p->rule.len; i++) {
        struct run_rule x = {.rule = &p->rule.at[i]};
        vec_push(&r->rule, x);
    }
}

void run_release(struct run *r)
{
    vec_release(&r->rule);
    vec_release(&r->match);
    mem_free(r->batch);
}

// Limits

// What the next rebuild is going to need for the nodes and merges that wait.
enum { BYTES_PENDING = 32, BYTES_MATCH = 24 };

uint64_t run_pending(const struct cc *g)
{
    return (uint64_t)(g->node.len - g->n_entered) + g->dirty.len;
}

uint64_t run_made(const struct cc *g)
{
    return g->node.len + g->n_rehashed;
}

uint32_t run_room(struct run *r, const struct plain_rule *q, uint32_t n)
{
    const struct run_options *o = &r->opt;
    const struct cc *g = r->g;
    uint32_t each = q->n_builds + q->n_guards, left = n;
    if (cc_full(g, (uint64_t)n * each, (uint64_t)n * each * PLAIN_MAX_ARGS)) {
        r->hit = RUN_NODES;
        return 0;
    }
    if (o->max_made > 0 && !o->whole_rules) {
        uint64_t made = run_made(g);
        uint64_t free = made < o->max_made ? o->max_made - made : 0;
        if (free / (each > 0 ? each : 1) < left)
            left = (uint32_t)(free / (each > 0 ? each : 1));
        if (left == 0) {
            r->hit = RUN_MADE;
            return 0;
        }
    }
    if (o->max_nodes > 0 && each > 0) {
        uint32_t free = g->n_live < o->max_nodes ? o->max_nodes - g->n_live : 0;
        left = free / each < left ? free / each : left;
        if (left == 0)
            r->hit = RUN_NODES;
    }
    if (o->max_bytes > 0 && left > 0) {
        uint64_t need = cc_bytes_with(g, left * each) +
                        run_pending(g) * BYTES_PENDING +
                        (uint64_t)left * BYTES_MATCH +
                        vec_held(r->match.len, r->match.cap, 4);
        if (need > o->max_bytes) {
            r->hit = RUN_BYTES;
            left = 0;
        }
    }
    return left;
}

double run_now(const struct run *r)
{
    return r->opt.clock != NULL ? r->opt.clock() : clock_wall();
}

// The time that the rebuild takes is known from the last ones, on smaller
// graphs.
bool run_in_time(struct run *r)
{
    if (r->opt.deadline <= 0)
        return true;
    double rebuild = 1.5 * (double)run_pending(r->g) * r->rebuild_each;
    if (run_now(r) + rebuild < r->opt.deadline)
        return true;
    r->hit = RUN_TIME;
    return false;
}

// A rule

struct match_chunk {
    struct run *r;
    uint32_t rule, n, limit, all;
    uint32_t quota, before; // new nodes it may make; ids before
    bool stream;            // apply when a chunk is full
    bool over;              // more matches than the limit
    bool pause;             // the quota is used up
};

static bool flush(struct match_chunk *c)
{
    struct run *r = c->r;
    const struct plain_rule *q = r->rule.at[c->rule].rule;
    for (uint32_t i = 0; i < c->n && r->hit == RUN_SATURATED;) {
        uint32_t n = c->n - i < RUN_CHUNK ? c->n - i : RUN_CHUNK;
        n = run_room(r, q, n);
        if (n > 0)
            run_apply(r, c->rule, n, r->match.at + i * q->n_atoms, false);
        i += n;
    }
    c->n = 0;
    vec_clear(&r->match);
    c->pause = r->g->node.len - c->before >= c->quota;
    return r->hit == RUN_SATURATED && run_in_time(r);
}

static void keep(struct run *r, const struct plain_search *s)
{
    uint32_t n = s->rule->n_atoms;
    vec_reserve(&r->match, r->match.len + n);
    uint32_t *to = r->match.at + r->match.len;
    r->match.len += n;
    to[0] = s->node[0];
    for (uint32_t i = 1; i < n; i++)
        to[i] = s->node[i];
}

static bool found(void *ctx, const struct plain_search *s)
{
    struct match_chunk *c = ctx;
    struct run *r = c->r;
    if (r->opt.max_matches > 0 && r->n_matches >= r->opt.max_matches) {
        r->hit = RUN_MATCHES;
        return false;
    }
    keep(r, s);
    c->n++;
    r->n_matches++;
    r->rule.at[c->rule].matches++;
    if (c->stream && c->n == RUN_CHUNK)
        return flush(c);
    c->over = !c->stream && c->n > c->limit;
    return !c->over;
}

static bool tick(void *ctx)
{
    struct match_chunk *c = ctx;
    return run_in_time(c->r);
}

// The rule's search is begun or goes on, until the quota is used up.  True: it
// came to its end.
static bool stream_search(struct run *r, uint32_t index, uint32_t quota)
{
    struct run_rule *x = &r->rule.at[index];
    if (!x->open) {
        seen_mark_set(&x->until, r->g, x->rule);
        x->cursor = (struct search_cursor){0};
        x->open = true;
    }
    struct match_chunk c = {.r = r,
                      .rule = index,
                      .stream = true,
                      .quota = quota,
                      .before = r->g->node.len};
    struct plain_search s = {.g = r->g,
                       .rule = x->rule,
                       .since = &x->mark,
                       .n_frozen = r->g->n_entered,
                       .until = &x->until,
                       .cursor = &x->cursor,
                       .pause = quota < UINT32_MAX ? &c.pause : NULL,
                       .tick = tick,
                       .found = found,
                       .ctx = &c};
    struct search_cursor before = x->cursor;
    bool done = search_rule(&s);
    flush(&c);
    // Matches that were not applied are found again.
    if (r->hit != RUN_SATURATED) {
        x->cursor = before;
    } else if (done) {
        x->mark = x->until;
        x->open = false;
    }
    return !x->open;
}

// What was new when a search was begun in an earlier round is not all that is
// new now.
static void stream_rule(struct run *r, uint32_t index, uint32_t quota)
{
    uint32_t before = r->g->node.len;
    bool resumed = r->rule.at[index].open;
    if (!stream_search(r, index, quota) || !resumed)
        return;
    uint32_t used = r->g->node.len - before;
    if (used < quota)
        stream_search(r, index, quota - used);
}

static uint32_t shifted(uint32_t x, uint32_t by)
{
    uint64_t y = (uint64_t)x << (by < 20 ? by : 20);
    return y > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)y;
}

static bool count(void *ctx, const struct plain_search *s)
{
    struct match_chunk *c = ctx;
    (void)s;
    return ++c->n <= c->limit;
}

// Has the whole graph more matches than the limit?  A search costs at most so
// many, and is needed only when those found so far are more.
static bool too_many(struct run *r, struct run_rule *x, uint32_t limit,
                     uint32_t found_now)
{
    static const struct seen_mark never = {0};
    if (x->bound + found_now <= limit) {
        x->bound += found_now;
        return false;
    }
    struct match_chunk c = {.r = r, .limit = limit};
    struct plain_search s = {.g = r->g,
                       .rule = x->rule,
                       .since = &never,
                       .n_frozen = r->g->n_entered,
                       .tick = tick,
                       .found = count,
                       .ctx = &c};
    if (!search_rule(&s))
        return true;
    x->bound = c.n;
    return false;
}

// Old matches are counted, new ones kept.
static bool found_any(void *ctx, const struct plain_search *s)
{
    struct match_chunk *c = ctx;
    if (c->all == c->limit) {
        c->over = true;
        return false;
    }
    c->all++;
    return !search_new(s) || found(ctx, s);
}

// Would the rule have too many matches if they grew as the lists of nodes have?
static bool may_be_many(const struct run *r, const struct run_rule *x,
                        uint32_t limit)
{
    const struct plain_rule *q = x->rule;
    double most = (double)x->bound;
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        const struct cc_op *o = &r->g->op.at[q->atom[i].op];
        if (o->arity > 0 && x->mark.all[i] > 0)
            most *= (double)o->all.len / x->mark.all[i];
    }
    return most > limit;
}

static void backoff_rule(struct run *r, uint32_t index)
{
    struct run_rule *x = &r->rule.at[index];
    struct seen_mark mark;
    seen_mark_set(&mark, r->g, x->rule);
    struct match_chunk c = {.r = r,
                      .rule = index,
                      .limit = shifted(r->opt.match_limit, x->times_paused),
                      .quota = UINT32_MAX};
    struct plain_search s = {.g = r->g,
                       .rule = x->rule,
                       .since = &x->mark,
                       .n_frozen = r->g->n_entered,
                       .tick = tick,
                       .found = found,
                       .ctx = &c};
    // To go through all matches at once takes less than to find the new ones
    // first and then to count.
    if (search_can_be_whole(&s) && may_be_many(r, x, c.limit)) {
        s.whole = true;
        s.found = found_any;
    }
    bool done = search_rule(&s);
    if (done && s.whole)
        x->bound = c.all;
    if (c.over || (done && !s.whole && too_many(r, x, c.limit, c.n))) {
        uint32_t pause = shifted(r->opt.pause, x->times_paused);
        x->paused_until = r->rounds + (pause > 0 ? pause : 1);
        x->times_paused++;
        vec_clear(&r->match);
        return;
    }
    if (flush(&c) && done)
        x->mark = mark;
}

// Rules that the last round left out, or began to leave out: all pauses get
// shorter, so that the first ends now.  False: there were none.
static bool end_pause(struct run *r)
{
    uint32_t first = UINT32_MAX, now = r->rounds - 1;
    for (uint32_t i = 0; i < r->rule.len; i++)
        if (r->rule.at[i].paused_until > now &&
            r->rule.at[i].paused_until < first)
            first = r->rule.at[i].paused_until;
    for (uint32_t i = 0; i < r->rule.len; i++)
        if (r->rule.at[i].paused_until > now)
            r->rule.at[i].paused_until -= first - now;
    return first != UINT32_MAX;
}

// Rationing: a round may double the graph, and each rule has an equal part of
// that; a rule that comes to its part's end goes on in the next round.

enum { RATION_LEAST = 2048 };

static void ration_round(struct run *r)
{
    uint32_t n = r->rule.len, begin = r->g->node.len, builders = 0;
    uint32_t live = r->g->n_live;
    uint32_t least = r->opt.ration > 0 ? r->opt.ration : RATION_LEAST;
    uint32_t budget = live < least ? least : live;
    for (uint32_t i = 0; i < n; i++)
        builders += r->rule.at[i].rule->n_builds > 0;
    for (uint32_t i = 0; i < n && r->hit == RUN_SATURATED; i++)
        if (r->rule.at[i].rule->n_builds == 0)
            stream_rule(r, i, UINT32_MAX);
    for (uint32_t i = 0; i < n && r->hit == RUN_SATURATED; i++)
        if (r->rule.at[i].rule->n_builds > 0)
            stream_rule(r, i, budget / builders + 1);
    // What some left, to those that have more to do.
    for (uint32_t i = 0; i < n && r->hit == RUN_SATURATED; i++) {
        uint32_t used = r->g->node.len - begin;
        if (used >= budget)
            break;
        if (r->rule.at[i].open)
            stream_rule(r, i, (budget - used) / 2 + 1);
    }
}

// Rounds

static void close_graph(struct run *r)
{
    if (r->opt.ac != NULL && r->hit == RUN_SATURATED)
        ac_round(r->opt.ac);
    else if (r->opt.ac != NULL)
        ac_close(r->opt.ac);
    else
        cc_rebuild(r->g);
}

static bool made_enough(const struct run *r)
{
    return r->opt.max_made > 0 && run_made(r->g) > r->opt.max_made;
}

static void rules_round(struct run *r)
{
    if (r->opt.scheduler == RUN_RATION) {
        ration_round(r);
        return;
    }
    uint32_t n = r->rule.len;
    if (r->opt.last_rules > 0 && r->rounds + 1 == r->last_round &&
        r->opt.last_rules < n)
        n = r->opt.last_rules;
    uint32_t first = r->opt.scheduler == RUN_SIMPLE ? run_held(r, n) : 0;
    for (uint32_t i = first; i < n && r->hit == RUN_SATURATED; i++) {
        if (r->opt.scheduler == RUN_SIMPLE)
            stream_rule(r, i, UINT32_MAX);
        else if (r->rule.at[i].paused_until <= r->rounds)
            backoff_rule(r, i);
        if (r->hit == RUN_SATURATED && r->opt.whole_rules && made_enough(r))
            r->hit = RUN_MADE;
    }
}

// A rebuild that takes half of the nodes away makes room to go on.
static bool goes_on(const struct run *r)
{
    return r->hit == RUN_NODES && r->g->n_live <= r->opt.max_nodes / 2 &&
           r->g->node.len / 8 < r->opt.max_nodes;
}

static bool any_open(const struct run *r)
{
    for (uint32_t i = 0; i < r->rule.len; i++)
        if (r->rule.at[i].open)
            return true;
    return false;
}

// What closing modulo order and brackets takes is bounded too.
static bool late(void *ctx, uint64_t bytes)
{
    struct run *r = ctx;
    uint64_t most = r->opt.max_bytes;
    if (!run_in_time(r))
        return true;
    if (most > 0 && cc_bytes_with(r->g, 0) + bytes > most)
        r->hit = RUN_BYTES;
    return r->hit == RUN_BYTES;
}

static void one_round(struct run *r)
{
    double begin = clock_cpu(), start = run_now(r),
           parts = r->rebuild_seconds;
    rules_round(r);
    double rebuild = run_now(r), rebuild_cpu = clock_cpu();
    uint64_t waiting = run_pending(r->g) + r->closed_waiting;
    parts = r->rebuild_seconds - parts;
    close_graph(r);
    double end = run_now(r);
    if (waiting > 0)
        r->rebuild_each = (end - rebuild + r->closed_seconds) / (double)waiting;
    r->closed_waiting = 0;
    r->closed_seconds = 0;
    r->round_seconds = end - start;
    r->search_seconds += rebuild_cpu - begin - parts;
    r->rebuild_seconds += clock_cpu() - rebuild_cpu;
    r->rounds++;
}

static bool count_one(void *ctx, const struct plain_search *s)
{
    uint64_t *n = ctx;
    (void)s;
    ++*n;
    return true;
}

uint64_t run_count(struct run *r, bool only_new)
{
    static const struct seen_mark never = {0};
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->rule.len; i++) {
        struct plain_search s = {.g = r->g,
                           .rule = r->rule.at[i].rule,
                           .since = only_new ? &r->rule.at[i].mark : &never,
                           .n_frozen = r->g->n_entered,
                           .found = count_one,
                           .ctx = &n};
        search_rule(&s);
    }
    return n;
}

enum run_stop run_rounds(struct run *r)
{
    struct cc *g = r->g;
    if (r->opt.ac != NULL) {
        r->opt.ac->late = late;
        r->opt.ac->late_ctx = r;
    }
    if (!g->closed)
        close_graph(r);
    r->last_round = r->rounds + r->opt.max_rounds;
    while (r->rounds < r->last_round) {
        if (r->opt.goal != NULL && r->opt.goal(r->opt.goal_ctx, g))
            return r->stop = RUN_GOAL;
        if (made_enough(r))
            return r->stop = RUN_MADE;
        uint32_t nodes = g->node.len, merges = g->n_merges;
        r->hit = RUN_SATURATED;
        one_round(r);
        if (r->opt.conflict != NULL && r->opt.conflict(r->opt.ctx))
            return r->stop = RUN_CONFLICT;
        if (r->hit != RUN_SATURATED && !goes_on(r))
            return r->stop = r->hit;
        if (r->hit == RUN_SATURATED && g->node.len == nodes &&
            g->n_merges == merges && !any_open(r) && !end_pause(r))
            return r->stop = RUN_SATURATED;
    }
    return r->stop = RUN_ROUNDS;
}
