// SPDX-License-Identifier: Apache-2.0
#include "egraph/saturate.h"
#include "base/clock.h"

struct saturate_options saturate_defaults(void)
{
    return (struct saturate_options){
        .scheduler = SCHEDULE_BACKOFF,
        .float_mode = DOMAIN_FLOAT,
        .max_rounds = 30,
        .match_limit = 1000,
        .step_limit = UINT64_C(1) << 22,
        .pause = 4,
        .bounded = true,
        .slack = 2,
    };
}

void saturate_scale(struct saturate_options *o, struct egraph_options *g,
                    uint32_t operations)
{
    uint64_t n = operations < UINT32_MAX / 64 ? operations : UINT32_MAX / 64;
    g->max_nodes = n > 250 ? (uint32_t)n * 20 : 5000;
    o->max_steps = 450000 + 300 * n;
    o->step_limit = o->max_steps / 16;
    o->match_limit = n > 500 ? (uint32_t)n * 2 : 1000;
}

const char *stop_text(enum stop_reason s)
{
    static const char *const text[] = {
        [STOP_SATURATED] = "saturated", [STOP_ROUNDS] = "rounds",
        [STOP_NODES] = "nodes",         [STOP_BYTES] = "bytes",
        [STOP_TIME] = "time",           [STOP_EFFORT] = "effort",
    };
    return text[s];
}

void saturation_init(struct saturation *s, struct egraph *g,
                     struct saturate_options o)
{
    *s = (struct saturation){.g = g, .opt = o};
}

void saturation_add(struct saturation *s, struct rule_use use)
{
    struct running_rule r = {.use = use};
    pattern_compile(&r.pattern, use.rule, use.backward, &s->mem);
    vec_push(&s->rules, r);
}

void saturation_root(struct saturation *s, term_id t)
{
    vec_push(&s->index.roots, t.v);
}

void saturation_release(struct saturation *s)
{
    for (uint32_t i = 0; i < s->rules.len; i++)
        match_set_release(&s->rules.at[i].seen);
    vec_release(&s->rules);
    vec_release(&s->instances);
    match_index_release(&s->index);
    finite_release(&s->finite);
    arena_release(&s->mem);
}

// One match of a round, with its matched side once that is built.
struct applied_match {
    uint32_t rule;
    struct match match;
    term_id source;
};
struct saturation_round {
    struct saturation *s;
    bool simplify;    // only rules that make fewer operators
    struct arena mem; // instances of this round
    VEC(struct applied_match) work;
    bool complete; // no rule was cut short or pauses
};

static uint32_t shifted(uint32_t x, uint32_t by)
{
    uint64_t y = (uint64_t)x << (by < 20 ? by : 20);
    return y > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)y;
}

// For one rule.
static uint64_t steps_left(const struct saturation *s)
{
    uint64_t most = s->opt.max_steps, limit = s->opt.step_limit;
    uint64_t left = most > s->steps ? most - s->steps : 1;
    return most > 0 && left < limit ? left : limit;
}

static void match_rule(struct saturation_round *w, uint32_t index)
{
    struct saturation *s = w->s;
    struct running_rule *r = &s->rules.at[index];
    bool backoff = s->opt.scheduler == SCHEDULE_BACKOFF;
    uint32_t limit = backoff ? shifted(s->opt.match_limit, r->times_paused)
                             : s->opt.match_limit;
    struct match_request q = {
        .pattern = &r->pattern,
        .status = r->use.status,
        .finite = &s->finite,
        .float_mode = s->opt.float_mode,
        .max_matches = limit + backoff,
        .max_steps = steps_left(s),
        .deadline = s->g->opt.deadline,
        .seen = &r->seen,
        .cursor = &r->cursor,
        .index = &s->index,
        .bounded = s->opt.bounded,
        .slack = s->opt.slack,
        .since = r->since,
    };
    struct match_result found = {0};
    struct arena_mark mark = arena_mark(&w->mem);
    double start = clock_wall();
    match_all(s->g, &q, &w->mem, &found);
    r->stats.seconds += clock_wall() - start;
    r->stats.steps += found.steps;
    s->steps += found.steps;
    w->complete = w->complete && found.complete;
    if (found.complete)
        r->since = s->g->round;
    if (backoff && found.found.len > limit) {
        r->paused_until = s->rounds + shifted(s->opt.pause, r->times_paused);
        r->times_paused++;
        r->cursor = (struct match_cursor){0};
        arena_reset(&w->mem, mark);
    } else {
        r->stats.matches += found.found.len;
        for (uint32_t i = 0; i < found.found.len; i++) {
            struct applied_match item = {index, found.found.at[i], NO_TERM};
            vec_push(&w->work, item);
        }
    }
    match_result_release(&found);
}

static bool spent(const struct saturation *s)
{
    return s->opt.max_steps > 0 && s->steps >= s->opt.max_steps;
}

static bool match_rules(struct saturation_round *w)
{
    struct saturation *s = w->s;
    for (uint32_t i = 0; i < s->rules.len; i++) {
        struct running_rule *r = &s->rules.at[i];
        if (r->pattern.n_variants == 0 ||
            (w->simplify && !r->pattern.simplifies))
            continue;
        if (r->paused_until > s->rounds) {
            w->complete = false;
            continue;
        }
        if (!match_possible(&r->pattern, &s->index, r->since)) {
            r->cursor = (struct match_cursor){0};
            r->since = s->g->round;
            continue;
        }
        match_rule(w, i);
        if (egraph_full(s->g))
            return false;
        if (spent(s)) { // what was found is applied still
            w->complete = false;
            break;
        }
    }
    return true;
}

static bool build_sources(struct saturation_round *w)
{
    struct saturation *s = w->s;
    for (uint32_t i = 0; i < w->work.len; i++) {
        struct applied_match *item = &w->work.at[i];
        struct running_rule *r = &s->rules.at[item->rule];
        struct err e = {0};
        if (egraph_full(s->g))
            return false;
        if (!apply_source(s->g, &r->pattern, &item->match, &item->source, &e)) {
            item->source = NO_TERM;
            r->stats.failed++;
            match_set_add(&r->seen, item->match.key);
        }
    }
    return true;
}

static bool merge_targets(struct saturation_round *w)
{
    struct saturation *s = w->s;
    for (uint32_t i = 0; i < w->work.len; i++) {
        struct applied_match *item = &w->work.at[i];
        struct running_rule *r = &s->rules.at[item->rule];
        struct err e = {0};
        if (egraph_full(s->g))
            return false;
        match_set_add(&r->seen, item->match.form);
        if (item->source.v == NO_TERM.v ||
            !match_set_add(&r->seen, item->match.key))
            continue;
        struct reason why = {REASON_RULE, item->rule, s->instances.len};
        switch (apply_target(s->g, &r->pattern, &item->match, item->source, why,
                             &e)) {
        case APPLIED_NEW: {
            struct used_instance used = {
                item->rule, instance_copy(item->match.in, &s->mem)};
            vec_push(&s->instances, used);
            r->stats.applied++;
            break;
        }
        case APPLIED_KNOWN:
            r->stats.known++;
            break;
        case APPLIED_MISSED:
            r->stats.missed++;
            break;
        case APPLIED_FAILED:
            r->stats.failed++;
            break;
        }
    }
    return true;
}

static enum stop_reason limit_reached(const struct saturation *s)
{
    const struct egraph *g = s->g;
    if (g->opt.max_nodes > 0 && egraph_nodes(g) >= g->opt.max_nodes)
        return STOP_NODES;
    if (g->opt.max_bytes > 0 && egraph_bytes(g) >= g->opt.max_bytes)
        return STOP_BYTES;
    return spent(s) ? STOP_EFFORT : STOP_TIME;
}

// Nothing happened and rules pause: the first of them comes back now.
static void end_pause(struct saturation *s)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < s->rules.len; i++)
        if (s->rules.at[i].paused_until > s->rounds &&
            s->rules.at[i].paused_until < first)
            first = s->rules.at[i].paused_until;
    for (uint32_t i = 0; i < s->rules.len; i++)
        if (s->rules.at[i].paused_until == first)
            s->rules.at[i].paused_until = s->rounds;
}

// What the rules of a round found and what is not applied yet, or in part, is
// to be found again.
static void forget(const struct saturation_round *w)
{
    for (uint32_t i = 0; i < w->work.len; i++)
        w->s->rules.at[w->work.at[i].rule].since = 0;
}

// *quiet: nothing changed.  A limit on nodes or bytes that was reached in the
// middle stops the run only if it holds when the graph is closed.
static enum stop_reason run_rules(struct saturation *s, bool simplify,
                                  bool *quiet, bool *complete)
{
    struct saturation_round w = {.s = s, .simplify = simplify, .complete = true};
    uint32_t merges = egraph_merges(s->g), nodes = egraph_nodes(s->g);
    enum stop_reason why = STOP_ROUNDS;
    s->index.hot_since = s->last_round[simplify];
    s->last_round[simplify] = s->g->round;
    match_index_build(s->g, &s->index);
    bool ok = match_rules(&w) && build_sources(&w);
    why = ok ? why : limit_reached(s);
    egraph_rebuild(s->g);
    if (ok && !merge_targets(&w))
        why = limit_reached(s);
    if (why != STOP_ROUNDS)
        forget(&w);
    egraph_rebuild(s->g);
    *quiet = egraph_merges(s->g) == merges && egraph_nodes(s->g) == nodes;
    *complete = w.complete;
    vec_release(&w.work);
    arena_release(&w.mem);
    if (egraph_full(s->g) || spent(s))
        return limit_reached(s);
    return why == STOP_TIME || *quiet ? why : STOP_ROUNDS;
}

// Rules that simplify run until they find nothing more, then all rules once.
static enum stop_reason run_round(struct saturation *s, bool *quiet,
                                  bool *complete)
{
    uint32_t merges = egraph_merges(s->g), nodes = egraph_nodes(s->g);
    enum stop_reason why = STOP_ROUNDS;
    *quiet = false;
    for (uint32_t i = 0; i < s->opt.max_rounds && !*quiet; i++) {
        why = run_rules(s, true, quiet, complete);
        if (why != STOP_ROUNDS)
            return why;
    }
    why = run_rules(s, false, quiet, complete);
    *quiet = egraph_merges(s->g) == merges && egraph_nodes(s->g) == nodes;
    return why;
}

static uint32_t depth_of(const struct saturation *s)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < s->rules.len; i++)
        if (s->rules.at[i].pattern.depth > depth)
            depth = s->rules.at[i].pattern.depth;
    return depth < INDEX_MAX_DEPTH ? depth : INDEX_MAX_DEPTH;
}

// The terms below the roots that have several users.
static void find_shared(struct saturation *s)
{
    const struct terms *t = s->g->terms;
    const struct u32_vec *roots = &s->index.roots;
    uint32_t n = t->term.len;
    uint32_t *uses = mem_alloc((n + 1) * sizeof *uses);
    for (uint32_t i = 0; i < roots->len; i++)
        uses[roots->at[i]] = 2;
    vec_clear(&s->index.shared);
    for (uint32_t i = roots->len > 0 ? n : 0; i-- > 0;) {
        if (uses[i] > 1)
            vec_push(&s->index.shared, i);
        if (uses[i] == 0)
            continue;
        const term_id *args = term_args(t, (term_id){i});
        for (uint32_t k = term_at(t, (term_id){i})->n_args; k-- > 0;)
            uses[args[k].v]++;
    }
    mem_free(uses);
}

static void search_all(struct saturation *s)
{
    for (uint32_t i = 0; i < s->rules.len; i++)
        s->rules.at[i].since = 0;
}

enum stop_reason
saturate(struct saturation *s,
         bool (*progress)(void *ctx, const struct saturation *s), void *ctx)
{
    uint32_t end = s->rounds + s->opt.max_rounds;
    bool all = true; // every rule searches every place
    s->index.depth = depth_of(s);
    s->index.n_nodes = 0; // roots and depth may be others than last time
    find_shared(s);
    if (!s->g->closed)
        egraph_rebuild(s->g);
    search_all(s);
    for (s->stop = STOP_ROUNDS; s->rounds < end;) {
        bool quiet, complete;
        enum stop_reason why = run_round(s, &quiet, &complete);
        s->rounds++;
        if (progress != NULL && !progress(ctx, s)) {
            s->stop = STOP_TIME;
            break;
        }
        if (why != STOP_ROUNDS) {
            s->stop = why;
            break;
        }
        if (quiet && complete && all) {
            s->stop = STOP_SATURATED;
            break;
        }
        if (quiet && !complete)
            end_pause(s);
        // The sizes that bound the matches change without news where a match
        // is: only a search of every place that finds nothing is the end.
        all = quiet && complete;
        if (all)
            search_all(s);
    }
    return s->stop;
}
