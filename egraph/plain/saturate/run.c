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

void run_init(struct run *run, struct cc *graph, const struct plain_rules *rules,
              struct run_options options)
{
    *run = (struct run){.graph = graph, .opt = options};
    for (uint32_t i = 0; i < rules->rule.len; i++)
        run_add(run, &rules->rule.at[i]);
}

void run_add(struct run *run, const struct plain_rule *rule)
{
    struct run_rule use = {.rule = rule,
                           .mark = seen_mark_new(&run->mem, rule),
                           .until = seen_mark_new(&run->mem, rule)};
    vec_push(&run->rule, use);
}

void run_release(struct run *run)
{
    vec_release(&run->rule);
    vec_release(&run->match);
    mem_free(run->batch);
    rings_release(&run->rings);
    arena_release(&run->mem);
}

void run_seen(struct run_rule *use)
{
    struct seen_mark *mark = use->mark;
    use->mark = use->until;
    use->until = mark;
}

// Limits

// Bytes that the next rebuild will need for the nodes and merges that wait.
enum { BYTES_PENDING = 32, BYTES_MATCH = 24 };

uint64_t run_pending(const struct cc *graph)
{
    return (uint64_t)(graph->node.len - graph->n_entered) + graph->dirty.len;
}

uint64_t run_made(const struct cc *graph)
{
    return graph->node.len + graph->n_rehashed;
}

uint32_t run_room(struct run *run, const struct plain_rule *rule, uint32_t n)
{
    const struct run_options *options = &run->opt;
    const struct cc *graph = run->graph;
    uint32_t each = rule->n_builds + rule->n_guards, left = n;
    if (cc_full(graph, (uint64_t)n * each, (uint64_t)n * each * EGRAPH_PLAIN_ARGUMENTS)) {
        run->hit = RUN_NODES;
        return 0;
    }
    if (options->max_made > 0 && !options->whole_rules) {
        uint64_t made = run_made(graph);
        uint64_t free = made < options->max_made ? options->max_made - made : 0;
        if (free / (each > 0 ? each : 1) < left)
            left = (uint32_t)(free / (each > 0 ? each : 1));
        if (left == 0) {
            run->hit = RUN_MADE;
            return 0;
        }
    }
    if (options->max_nodes > 0 && each > 0) {
        uint32_t free = graph->n_live < options->max_nodes ? options->max_nodes - graph->n_live : 0;
        left = free / each < left ? free / each : left;
        if (left == 0)
            run->hit = RUN_NODES;
    }
    if (options->max_bytes > 0 && left > 0) {
        uint64_t need = cc_bytes_with(graph, left * each) + run_pending(graph) * BYTES_PENDING +
                        (uint64_t)left * BYTES_MATCH + vec_held(run->match.len, run->match.cap, 4) +
                        rings_bytes(&run->rings);
        if (need > options->max_bytes) {
            run->hit = RUN_BYTES;
            left = 0;
        }
    }
    return left;
}

double run_now(const struct run *run)
{
    return run->opt.clock != NULL ? run->opt.clock() : clock_wall();
}

uint64_t run_steps(const struct run *run)
{
    return run->steps + EGRAPH_PLAIN_MATCH_STEPS * run->n_matches +
           EGRAPH_PLAIN_NODE_STEPS * (uint64_t)run->graph->node.len;
}

// The time that the rebuild takes is known from the last ones, on smaller
// graphs.
bool run_in_time(struct run *run)
{
    if (run->opt.max_steps > 0 && run_steps(run) > run->opt.max_steps) {
        run->hit = RUN_STEPS;
        return false;
    }
    if (run->opt.deadline <= 0)
        return true;
    double rebuild = 1.5 * (double)run_pending(run->graph) * run->rebuild_each;
    if (run_now(run) + rebuild < run->opt.deadline)
        return true;
    run->hit = RUN_TIME;
    return false;
}

// A rule

struct match_chunk {
    struct run *run;
    uint32_t rule, n, limit, all;
    uint32_t quota, before; // new nodes it may make; ids before
    bool stream;            // apply when a chunk is full
    bool over;              // more matches than the limit
    bool pause;             // the quota is used up
};

static bool flush(struct match_chunk *chunk)
{
    struct run *run = chunk->run;
    const struct plain_rule *rule = run->rule.at[chunk->rule].rule;
    for (uint32_t i = 0; i < chunk->n && run->hit == RUN_SATURATED;) {
        uint32_t n = chunk->n - i < RUN_CHUNK ? chunk->n - i : RUN_CHUNK;
        n = run_room(run, rule, n);
        if (n > 0)
            run_apply(run, chunk->rule, n, run->match.at + i * rule->n_atoms, false);
        i += n;
    }
    chunk->n = 0;
    vec_clear(&run->match);
    chunk->pause = run->graph->node.len - chunk->before >= chunk->quota;
    return run->hit == RUN_SATURATED && run_in_time(run);
}

static void keep(struct run *run, const struct plain_search *search)
{
    uint32_t n = search->rule->n_atoms;
    vec_reserve(&run->match, run->match.len + n);
    uint32_t *to = run->match.at + run->match.len;
    run->match.len += n;
    to[0] = search->node[0];
    for (uint32_t i = 1; i < n; i++)
        to[i] = search->node[i];
}

static bool found(void *ctx, const struct plain_search *search)
{
    struct match_chunk *chunk = ctx;
    struct run *run = chunk->run;
    if (run->opt.max_matches > 0 && run->n_matches >= run->opt.max_matches) {
        run->hit = RUN_MATCHES;
        return false;
    }
    keep(run, search);
    chunk->n++;
    run->n_matches++;
    run->rule.at[chunk->rule].matches++;
    if (chunk->stream && chunk->n == RUN_CHUNK)
        return flush(chunk);
    chunk->over = !chunk->stream && chunk->n > chunk->limit;
    return !chunk->over;
}

static bool tick(void *ctx)
{
    struct match_chunk *chunk = ctx;
    return run_in_time(chunk->run);
}

// A rule that has no match, as search_rule and flush leave it.
static bool pass_over(struct run *run, struct run_rule *use)
{
    if (use->open || !search_lacks(run->graph, use->rule) || !run_in_time(run))
        return false;
    seen_mark_set(use->mark, run->graph, use->rule);
    return true;
}

// The rule's search is begun or goes on, until the quota is used up.  True: it
// came to its end.
static bool stream_search(struct run *run, uint32_t index, uint32_t quota)
{
    struct run_rule *use = &run->rule.at[index];
    if (pass_over(run, use))
        return true;
    if (!use->open) {
        seen_mark_set(use->until, run->graph, use->rule);
        use->cursor = (struct search_cursor){0};
        use->open = true;
    }
    struct match_chunk chunk = {
        .run = run, .rule = index, .stream = true, .quota = quota, .before = run->graph->node.len};
    struct plain_search search = {.graph = run->graph,
                                  .rule = use->rule,
                                  .since = use->mark,
                                  .n_frozen = run->graph->n_entered,
                                  .rings = &run->rings,
                                  .until = use->until,
                                  .cursor = &use->cursor,
                                  .pause = quota < UINT32_MAX ? &chunk.pause : NULL,
                                  .tick = tick,
                                  .steps = &run->steps,
                                  .found = found,
                                  .ctx = &chunk};
    struct search_cursor before = use->cursor;
    bool done = search_rule(&search);
    flush(&chunk);
    // Matches that were not applied are found again.
    if (run->hit != RUN_SATURATED) {
        use->cursor = before;
    } else if (done) {
        run_seen(use);
        use->open = false;
    }
    return !use->open;
}

// The news at the start of a search in an earlier round are not all news of now.
static void stream_rule(struct run *run, uint32_t index, uint32_t quota)
{
    uint32_t before = run->graph->node.len;
    bool resumed = run->rule.at[index].open;
    if (!stream_search(run, index, quota) || !resumed)
        return;
    uint32_t used = run->graph->node.len - before;
    if (used < quota)
        stream_search(run, index, quota - used);
}

static uint32_t shifted(uint32_t x, uint32_t by)
{
    uint64_t y = (uint64_t)x << (by < 20 ? by : 20);
    return y > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)y;
}

static bool count(void *ctx, const struct plain_search *search)
{
    struct match_chunk *chunk = ctx;
    (void)search;
    return ++chunk->n <= chunk->limit;
}

// Has the whole graph more matches than the limit?  A search costs at most so
// many, and is needed only when those found so far are more.
static bool too_many(struct run *run, struct run_rule *use, uint32_t limit, uint32_t found_now)
{
    static const struct seen_mark never = {0};
    if (use->bound + found_now <= limit) {
        use->bound += found_now;
        return false;
    }
    struct match_chunk chunk = {.run = run, .limit = limit};
    struct plain_search search = {.graph = run->graph,
                                  .rule = use->rule,
                                  .since = &never,
                                  .n_frozen = run->graph->n_entered,
                                  .rings = &run->rings,
                                  .tick = tick,
                                  .steps = &run->steps,
                                  .found = count,
                                  .ctx = &chunk};
    if (!search_rule(&search))
        return true;
    use->bound = chunk.n;
    return false;
}

// Old matches are counted, new ones kept.
static bool found_any(void *ctx, const struct plain_search *search)
{
    struct match_chunk *chunk = ctx;
    if (chunk->all == chunk->limit) {
        chunk->over = true;
        return false;
    }
    chunk->all++;
    return !search_new(search) || found(ctx, search);
}

// Would the rule have too many matches if they grew as the lists of nodes have?
static bool may_be_many(const struct run *run, const struct run_rule *use, uint32_t limit)
{
    const struct plain_rule *rule = use->rule;
    double most = (double)use->bound;
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        const struct cc_op *op_info = &run->graph->op.at[rule->atom[i].op];
        if (op_info->arity > 0 && use->mark->atom[i].all > 0)
            most *= (double)op_info->all.len / use->mark->atom[i].all;
    }
    return most > limit;
}

static void backoff_rule(struct run *run, uint32_t index)
{
    struct run_rule *use = &run->rule.at[index];
    seen_mark_set(use->until, run->graph, use->rule);
    struct match_chunk chunk = {.run = run,
                                .rule = index,
                                .limit = shifted(run->opt.match_limit, use->times_paused),
                                .quota = UINT32_MAX};
    struct plain_search search = {.graph = run->graph,
                                  .rule = use->rule,
                                  .since = use->mark,
                                  .n_frozen = run->graph->n_entered,
                                  .rings = &run->rings,
                                  .tick = tick,
                                  .steps = &run->steps,
                                  .found = found,
                                  .ctx = &chunk};
    // To go through all matches at once takes less than to find the new ones
    // first and then to count.
    if (search_can_be_whole(&search) && may_be_many(run, use, chunk.limit)) {
        search.whole = true;
        search.found = found_any;
    }
    bool done = search_rule(&search);
    if (done && search.whole)
        use->bound = chunk.all;
    if (chunk.over || (done && !search.whole && too_many(run, use, chunk.limit, chunk.n))) {
        uint32_t pause = shifted(run->opt.pause, use->times_paused);
        use->paused_until = run->rounds + (pause > 0 ? pause : 1);
        use->times_paused++;
        vec_clear(&run->match);
        return;
    }
    if (flush(&chunk) && done)
        run_seen(use);
}

// Rules that the last round left out, or began to leave out: all pauses get
// shorter, so that the first ends now.  False: there were none.
static bool end_pause(struct run *run)
{
    uint32_t first = UINT32_MAX, now = run->rounds - 1;
    for (uint32_t i = 0; i < run->rule.len; i++)
        if (run->rule.at[i].paused_until > now && run->rule.at[i].paused_until < first)
            first = run->rule.at[i].paused_until;
    for (uint32_t i = 0; i < run->rule.len; i++)
        if (run->rule.at[i].paused_until > now)
            run->rule.at[i].paused_until -= first - now;
    return first != UINT32_MAX;
}

// Rationing: a round may double the graph, and each rule has an equal part of
// that; a rule that comes to its part's end goes on in the next round.

static void ration_round(struct run *run)
{
    uint32_t n = run->rule.len, begin = run->graph->node.len, builders = 0;
    uint32_t live = run->graph->n_live;
    uint32_t least = run->opt.ration > 0 ? run->opt.ration : EGRAPH_PLAIN_RATION;
    uint32_t budget = live < least ? least : live;
    for (uint32_t i = 0; i < n; i++)
        builders += run->rule.at[i].rule->n_builds > 0;
    for (uint32_t i = 0; i < n && run->hit == RUN_SATURATED; i++)
        if (run->rule.at[i].rule->n_builds == 0)
            stream_rule(run, i, UINT32_MAX);
    for (uint32_t i = 0; i < n && run->hit == RUN_SATURATED; i++)
        if (run->rule.at[i].rule->n_builds > 0)
            stream_rule(run, i, budget / builders + 1);
    // Rations that some rules left go to rules that have more to do.
    for (uint32_t i = 0; i < n && run->hit == RUN_SATURATED; i++) {
        uint32_t used = run->graph->node.len - begin;
        if (used >= budget)
            break;
        if (run->rule.at[i].open)
            stream_rule(run, i, (budget - used) / 2 + 1);
    }
}

// Rounds

static void close_graph(struct run *run)
{
    if (run->opt.ac != NULL && run->hit == RUN_SATURATED)
        ac_round(run->opt.ac);
    else if (run->opt.ac != NULL)
        ac_close(run->opt.ac);
    else
        cc_rebuild(run->graph);
}

static bool made_enough(const struct run *run)
{
    return run->opt.max_made > 0 && run_made(run->graph) > run->opt.max_made;
}

static void rules_round(struct run *run)
{
    rings_clear(&run->rings);
    if (run->opt.scheduler == RUN_RATION) {
        ration_round(run);
        return;
    }
    uint32_t n = run->rule.len;
    if (run->opt.last_rules > 0 && run->rounds + 1 == run->last_round && run->opt.last_rules < n)
        n = run->opt.last_rules;
    uint32_t first = run->opt.scheduler == RUN_SIMPLE ? run_held(run, n) : 0;
    for (uint32_t i = first; i < n && run->hit == RUN_SATURATED; i++) {
        if (run->opt.scheduler == RUN_SIMPLE)
            stream_rule(run, i, UINT32_MAX);
        else if (run->rule.at[i].paused_until <= run->rounds)
            backoff_rule(run, i);
        if (run->hit == RUN_SATURATED && run->opt.whole_rules && made_enough(run))
            run->hit = RUN_MADE;
    }
}

// A rebuild that takes half of the nodes away makes room to go on.
static bool goes_on(const struct run *run)
{
    return run->hit == RUN_NODES && run->graph->n_live <= run->opt.max_nodes / 2 &&
           run->graph->node.len / 8 < run->opt.max_nodes;
}

static bool any_open(const struct run *run)
{
    for (uint32_t i = 0; i < run->rule.len; i++)
        if (run->rule.at[i].open)
            return true;
    return false;
}

// Time and memory for closing modulo order and brackets are bounded, too.
static bool late(void *ctx, uint64_t bytes)
{
    struct run *run = ctx;
    uint64_t most = run->opt.max_bytes;
    run->steps += EGRAPH_PLAIN_CLOSE_STEPS;
    if (!run_in_time(run))
        return true;
    if (most > 0 && cc_bytes_with(run->graph, 0) + bytes > most)
        run->hit = RUN_BYTES;
    return run->hit == RUN_BYTES;
}

static void one_round(struct run *run)
{
    double begin = clock_cpu(), start = run_now(run), parts = run->rebuild_seconds;
    rules_round(run);
    double rebuild = run_now(run), rebuild_cpu = clock_cpu();
    uint64_t waiting = run_pending(run->graph) + run->closed_waiting;
    parts = run->rebuild_seconds - parts;
    close_graph(run);
    double end = run_now(run);
    if (waiting > 0)
        run->rebuild_each = (end - rebuild + run->closed_seconds) / (double)waiting;
    run->closed_waiting = 0;
    run->closed_seconds = 0;
    run->round_seconds = end - start;
    run->search_seconds += rebuild_cpu - begin - parts;
    run->rebuild_seconds += clock_cpu() - rebuild_cpu;
    run->rounds++;
}

static bool count_one(void *ctx, const struct plain_search *search)
{
    uint64_t *n = ctx;
    (void)search;
    ++*n;
    return true;
}

uint64_t run_count(struct run *run, bool only_new)
{
    static const struct seen_mark never = {0};
    uint64_t n = 0;
    rings_clear(&run->rings);
    for (uint32_t i = 0; i < run->rule.len; i++) {
        struct plain_search search = {.graph = run->graph,
                                      .rule = run->rule.at[i].rule,
                                      .since = only_new ? run->rule.at[i].mark : &never,
                                      .n_frozen = run->graph->n_entered,
                                      .rings = &run->rings,
                                      .found = count_one,
                                      .ctx = &n};
        search_rule(&search);
    }
    return n;
}

enum run_stop run_rounds(struct run *run)
{
    struct cc *graph = run->graph;
    if (run->opt.ac != NULL) {
        run->opt.ac->late = late;
        run->opt.ac->late_ctx = run;
    }
    if (!graph->closed)
        close_graph(run);
    run->last_round = run->rounds + run->opt.max_rounds;
    while (run->rounds < run->last_round) {
        if (run->opt.goal != NULL && run->opt.goal(run->opt.goal_ctx, graph))
            return run->stop = RUN_GOAL;
        if (made_enough(run))
            return run->stop = RUN_MADE;
        uint32_t nodes = graph->node.len, merges = graph->n_merges;
        run->hit = RUN_SATURATED;
        one_round(run);
        if (run->opt.conflict != NULL && run->opt.conflict(run->opt.ctx))
            return run->stop = RUN_CONFLICT;
        if (run->hit != RUN_SATURATED && !goes_on(run))
            return run->stop = run->hit;
        if (run->hit == RUN_SATURATED && graph->node.len == nodes && graph->n_merges == merges &&
            !any_open(run) && !end_pause(run))
            return run->stop = RUN_SATURATED;
    }
    return run->stop = RUN_ROUNDS;
}
