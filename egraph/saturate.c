// SPDX-License-Identifier: Apache-2.0
#include "egraph/saturate.h"
#include "egraph/limits.h"
#include "base/clock.h"

struct saturate_options saturate_defaults(void)
{
    return (struct saturate_options){
        .scheduler = SCHEDULE_BACKOFF,
        .reading = READ_FLOAT,
        .max_rounds = EGRAPH_ROUNDS,
        .match_limit = EGRAPH_MATCHES,
        .step_limit = EGRAPH_MATCH_STEPS,
        .pause = EGRAPH_PAUSE,
        .bounded = true,
        .slack = EGRAPH_SLACK,
    };
}

static uint32_t at_least(uint64_t value, uint32_t least)
{
    return value > least ? (uint32_t)value : least;
}

void saturate_scale(struct saturate_options *options, struct egraph_options *graph_options,
                    uint32_t operations)
{
    uint64_t n = operations < UINT32_MAX / 64 ? operations : UINT32_MAX / 64;
    graph_options->max_nodes = at_least(EGRAPH_NODES_PER_OPERATION * n, EGRAPH_NODES);
    options->max_steps = EGRAPH_STEPS + EGRAPH_STEPS_PER_OPERATION * n;
    options->step_limit = options->max_steps / EGRAPH_STEPS_SHARE;
    options->match_limit = at_least(EGRAPH_MATCHES_PER_OPERATION * n, EGRAPH_MATCHES);
}

const char *stop_text(enum stop_reason reason)
{
    static const char *const text[] = {
        [STOP_SATURATED] = "saturated", [STOP_ROUNDS] = "rounds", [STOP_NODES] = "nodes",
        [STOP_BYTES] = "bytes",         [STOP_TIME] = "time",     [STOP_EFFORT] = "effort",
    };
    return text[reason];
}

void saturation_init(struct saturation *saturation, struct egraph *graph,
                     struct saturate_options options)
{
    *saturation = (struct saturation){.graph = graph, .opt = options, .misfit = NONE};
}

// Refuses a rule that loses a guard against overflow, or finds nothing.
static void guard(const struct saturation *saturation, struct running_rule *running)
{
    struct pattern *pattern = &running->pattern;
    const char *why = NULL;
    if (saturation->opt.guarded && pattern->n_variants > 0)
        why = pattern_guard(pattern);
    if (why == NULL)
        return;
    pattern->refused = why;
    pattern->n_variants = 0;
    pattern->simplifies = false;
}

void saturation_add(struct saturation *saturation, struct rule_use use)
{
    struct running_rule running = {.use = use};
    pattern_compile(&running.pattern, use.rule, use.backward, &saturation->mem);
    guard(saturation, &running);
    vec_push(&saturation->rules, running);
}

void saturation_add_outline(struct saturation *saturation, struct pattern_outline outline)
{
    struct running_rule running = {.outline = outline};
    vec_push(&saturation->rules, running);
}

void saturation_root(struct saturation *saturation, term_id term)
{
    vec_push(&saturation->index.roots, term.v);
}

void saturation_unfold(struct saturation *saturation, term_id term)
{
    vec_push(&saturation->index.unfolded, term.v);
}

void saturation_release(struct saturation *saturation)
{
    for (uint32_t i = 0; i < saturation->rules.len; i++)
        match_set_release(&saturation->rules.at[i].seen);
    vec_release(&saturation->rules);
    vec_release(&saturation->instances);
    match_index_release(&saturation->index);
    shares_release(&saturation->shares);
    finite_release(&saturation->finite);
    arena_release(&saturation->mem);
}

// One match of a round, with its matched side once that is built.
struct applied_match {
    uint32_t rule;
    uint32_t part; // of the program (egraph/program/shares.h)
    struct match match;
    term_id source;
};
struct saturation_round {
    struct saturation *saturation;
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
static uint64_t steps_left(const struct saturation *saturation)
{
    uint64_t most = saturation->opt.max_steps, limit = saturation->opt.step_limit;
    uint64_t left = most > saturation->steps ? most - saturation->steps : 1;
    return most > 0 && left < limit ? left : limit;
}

static uint32_t part_of(const struct saturation *saturation, const struct match *match)
{
    return shares_part(&saturation->shares, match->place);
}

static void match_rule(struct saturation_round *saturation_round, uint32_t index)
{
    struct saturation *saturation = saturation_round->saturation;
    struct running_rule *running = &saturation->rules.at[index];
    bool backoff = saturation->opt.scheduler == SCHEDULE_BACKOFF;
    uint32_t limit = backoff ? shifted(saturation->opt.match_limit, running->times_paused)
                             : saturation->opt.match_limit;
    struct match_request request = {
        .pattern = &running->pattern,
        .status = running->use.status,
        .finite = &saturation->finite,
        .reading = saturation->opt.reading,
        .max_matches = limit + backoff,
        .max_steps = steps_left(saturation),
        .deadline = saturation->graph->opt.deadline,
        .seen = &running->seen,
        .cursor = &running->cursor,
        .index = &saturation->index,
        .shares = &saturation->shares,
        .bounded = saturation->opt.bounded && !pattern_gives_tensor(&running->pattern),
        .slack = saturation->opt.slack,
        .since = running->since,
    };
    struct match_result found = {0};
    struct arena_mark mark = arena_mark(&saturation_round->mem);
    double start = clock_wall();
    match_all(saturation->graph, &request, &saturation_round->mem, &found);
    running->stats.seconds += clock_wall() - start;
    running->stats.steps += found.steps;
    saturation->steps += found.steps;
    saturation_round->complete = saturation_round->complete && found.complete;
    if (found.complete)
        running->since = saturation->graph->round;
    if (backoff && found.found.len > limit) {
        running->paused_until =
            saturation->rounds + shifted(saturation->opt.pause, running->times_paused);
        running->times_paused++;
        running->cursor = (struct match_cursor){0};
        arena_reset(&saturation_round->mem, mark);
    } else {
        running->stats.matches += found.found.len;
        for (uint32_t i = 0; i < found.found.len; i++) {
            const struct match *match = &found.found.at[i];
            struct applied_match item = {index, part_of(saturation, match), *match, NO_TERM};
            vec_push(&saturation_round->work, item);
        }
    }
    match_result_release(&found);
}

static bool spent(const struct saturation *saturation)
{
    return saturation->opt.max_steps > 0 && saturation->steps >= saturation->opt.max_steps;
}

// Loads the rules that this pass would match for the first time.
static bool load_rules(struct saturation *saturation, bool simplify)
{
    struct u32_vec number = {0};
    for (uint32_t i = 0; i < saturation->rules.len; i++) {
        const struct running_rule *running = &saturation->rules.at[i];
        if (running->use.rule == NULL && (!simplify || running->outline.makes != MAKES_OTHERS) &&
            outline_possible(&running->outline, &saturation->index, saturation->opt.bounded,
                             saturation->opt.slack))
            vec_push(&number, i);
    }
    struct rule_use *use = mem_alloc(sizeof *use * (number.len + 1U));
    bool ok = number.len == 0 ||
              saturation->loader.load(saturation->loader.user, number.len, number.at, use);
    for (uint32_t i = 0; ok && i < number.len; i++) {
        struct running_rule *running = &saturation->rules.at[number.at[i]];
        struct pattern_outline told = running->outline, own;
        running->use = use[i];
        running->outline = (struct pattern_outline){0};
        if (use[i].rule == NULL)
            continue;
        pattern_compile(&running->pattern, use[i].rule, use[i].backward, &saturation->mem);
        own = pattern_outline(&running->pattern);
        if (!outline_equal(&own, &told))
            saturation->misfit = number.at[i];
        guard(saturation, running);
    }
    ok = ok && saturation->misfit == NONE;
    mem_free(use);
    vec_release(&number);
    return ok;
}

// A rule that runs, or that would run once it is loaded.
static bool takes_part(const struct running_rule *running, bool simplify)
{
    bool loaded = running->use.rule != NULL;
    bool runs = loaded ? running->pattern.n_variants > 0 : running->outline.roots != 0;
    return runs && (!simplify || (loaded ? running->pattern.simplifies
                                         : running->outline.makes != MAKES_OTHERS));
}

static bool match_rules(struct saturation_round *saturation_round)
{
    struct saturation *saturation = saturation_round->saturation;
    if (!load_rules(saturation, saturation_round->simplify))
        return false;
    for (uint32_t i = 0; i < saturation->rules.len; i++) {
        struct running_rule *running = &saturation->rules.at[i];
        if (!takes_part(running, saturation_round->simplify))
            continue;
        if (running->paused_until > saturation->rounds) {
            saturation_round->complete = false;
            continue;
        }
        if (running->use.rule == NULL ||
            !match_possible(&running->pattern, &saturation->index, running->since)) {
            running->cursor = (struct match_cursor){0};
            running->since = saturation->graph->round;
            continue;
        }
        match_rule(saturation_round, i);
        if (egraph_full(saturation->graph))
            return false;
        if (spent(saturation)) { // matches found so far are still applied
            saturation_round->complete = false;
            break;
        }
    }
    return true;
}

static bool build_sources(struct saturation_round *saturation_round)
{
    struct saturation *saturation = saturation_round->saturation;
    for (uint32_t i = 0; i < saturation_round->work.len; i++) {
        struct applied_match *item = &saturation_round->work.at[i];
        struct running_rule *running = &saturation->rules.at[item->rule];
        struct err err = {0};
        if (egraph_full(saturation->graph))
            return false;
        if (!apply_source(saturation->graph, &running->pattern, &item->match, &item->source,
                          &err)) {
            item->source = NO_TERM;
            running->stats.failed++;
            match_set_add(&running->seen, item->match.key);
        }
        shares_own(&saturation->shares, saturation->graph, item->part);
    }
    return true;
}

static bool merge_targets(struct saturation_round *saturation_round)
{
    struct saturation *saturation = saturation_round->saturation;
    for (uint32_t i = 0; i < saturation_round->work.len; i++) {
        struct applied_match *item = &saturation_round->work.at[i];
        struct running_rule *running = &saturation->rules.at[item->rule];
        struct err err = {0};
        if (egraph_full(saturation->graph))
            return false;
        if (shares_closed(&saturation->shares, item->part))
            continue;
        match_set_add(&running->seen, item->match.form);
        if (item->source.v == NO_TERM.v || !match_set_add(&running->seen, item->match.key))
            continue;
        struct reason why = {REASON_RULE, item->rule, saturation->instances.len};
        switch (apply_target(saturation->graph, &running->pattern, &item->match, item->source, why,
                             &err)) {
        case APPLIED_NEW: {
            struct used_instance used = {item->rule,
                                         instance_copy(item->match.in, &saturation->mem)};
            vec_push(&saturation->instances, used);
            running->stats.applied++;
            break;
        }
        case APPLIED_KNOWN:
            running->stats.known++;
            break;
        case APPLIED_MISSED:
            running->stats.missed++;
            break;
        case APPLIED_FAILED:
            running->stats.failed++;
            break;
        }
        shares_own(&saturation->shares, saturation->graph, item->part);
    }
    return true;
}

static enum stop_reason limit_reached(const struct saturation *saturation)
{
    const struct egraph *graph = saturation->graph;
    if (graph->opt.max_nodes > 0 && egraph_nodes(graph) >= graph->opt.max_nodes)
        return STOP_NODES;
    if (graph->opt.max_bytes > 0 && egraph_bytes(graph) >= graph->opt.max_bytes)
        return STOP_BYTES;
    return spent(saturation) ? STOP_EFFORT : STOP_TIME;
}

// Nothing happened and rules pause: the first of them comes back now.  False if none pauses.
static bool end_pause(struct saturation *saturation)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < saturation->rules.len; i++)
        if (saturation->rules.at[i].paused_until > saturation->rounds &&
            saturation->rules.at[i].paused_until < first)
            first = saturation->rules.at[i].paused_until;
    for (uint32_t i = 0; i < saturation->rules.len; i++)
        if (saturation->rules.at[i].paused_until == first)
            saturation->rules.at[i].paused_until = saturation->rounds;
    return first != UINT32_MAX;
}

// Nothing happened but in closed parts: they get what the others left.
static void divide(struct saturation *saturation)
{
    shares_divide(&saturation->shares, saturation->graph);
    saturation->index.n_nodes = 0; // nodes became news
}

// Matches of this round that were not applied, or only in part, must be found again.
static void forget(const struct saturation_round *saturation_round)
{
    for (uint32_t i = 0; i < saturation_round->work.len; i++)
        saturation_round->saturation->rules.at[saturation_round->work.at[i].rule].since = 0;
}

static void rebuild(struct saturation *saturation)
{
    egraph_rebuild(saturation->graph);
    shares_count(&saturation->shares, saturation->graph);
}

// *quiet: nothing changed.  A limit on nodes or bytes that was reached in the
// middle stops the run only if it holds when the graph is closed.
static enum stop_reason run_rules(struct saturation *saturation, bool simplify, bool *quiet,
                                  bool *complete)
{
    struct saturation_round saturation_round = {
        .saturation = saturation, .simplify = simplify, .complete = true};
    uint32_t merges = egraph_merges(saturation->graph), nodes = egraph_nodes(saturation->graph);
    enum stop_reason why = STOP_ROUNDS;
    saturation->index.hot_since = saturation->last_round[simplify];
    saturation->last_round[simplify] = saturation->graph->round;
    match_index_build(saturation->graph, &saturation->index);
    bool ok = match_rules(&saturation_round) && build_sources(&saturation_round);
    why = ok ? why : limit_reached(saturation);
    rebuild(saturation);
    if (ok && !merge_targets(&saturation_round))
        why = limit_reached(saturation);
    if (why != STOP_ROUNDS)
        forget(&saturation_round);
    rebuild(saturation);
    *quiet = egraph_merges(saturation->graph) == merges && egraph_nodes(saturation->graph) == nodes;
    *complete = saturation_round.complete && !saturation->shares.due;
    vec_release(&saturation_round.work);
    arena_release(&saturation_round.mem);
    if (egraph_full(saturation->graph) || spent(saturation))
        return limit_reached(saturation);
    return why == STOP_TIME || *quiet ? why : STOP_ROUNDS;
}

// Rules that simplify run until they find nothing more, then all rules once.
static enum stop_reason run_round(struct saturation *saturation, bool *quiet, bool *complete)
{
    uint32_t merges = egraph_merges(saturation->graph), nodes = egraph_nodes(saturation->graph);
    enum stop_reason why = STOP_ROUNDS;
    *quiet = false;
    for (uint32_t i = 0; i < saturation->opt.max_rounds && !*quiet; i++) {
        why = run_rules(saturation, true, quiet, complete);
        if (why != STOP_ROUNDS)
            return why;
    }
    why = run_rules(saturation, false, quiet, complete);
    *quiet = egraph_merges(saturation->graph) == merges && egraph_nodes(saturation->graph) == nodes;
    return why;
}

static uint32_t depth_of(const struct saturation *saturation)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < saturation->rules.len; i++) {
        const struct running_rule *running = &saturation->rules.at[i];
        uint32_t own = running->use.rule ? running->pattern.depth : running->outline.depth;
        depth = own > depth ? own : depth;
    }
    return depth < EGRAPH_INDEX_DEPTH ? depth : EGRAPH_INDEX_DEPTH;
}

// Of the shared terms, those whose trees are too large to be counted for each user.
static void find_cuts(struct saturation *saturation, const uint32_t *uses, uint32_t n)
{
    const struct terms *terms = saturation->graph->terms;
    uint32_t *size = mem_alloc((n + 1) * sizeof *size);
    vec_clear(&saturation->index.cut);
    for (uint32_t i = 0; i < n; i++) {
        const struct term *term = term_at(terms, (term_id){i});
        const term_id *args = term_args(terms, (term_id){i});
        if (uses[i] == 0)
            continue;
        size[i] = index_weight(terms, term);
        for (uint32_t k = 0; k < term->n_args; k++)
            size[i] = add_over(size[i], size[args[k].v]);
        if (uses[i] > 1 && size[i] > EGRAPH_TREE) {
            vec_push(&saturation->index.cut, i);
            size[i] = 0;
        }
    }
    mem_free(size);
}

// The terms below the roots that have several users.
static void find_shared(struct saturation *saturation)
{
    const struct terms *terms = saturation->graph->terms;
    const struct u32_vec *roots = &saturation->index.roots;
    uint32_t n = terms->term.len;
    uint32_t *uses = mem_alloc((n + 1) * sizeof *uses);
    for (uint32_t i = 0; i < roots->len; i++)
        uses[roots->at[i]] = 2;
    vec_clear(&saturation->index.shared);
    for (uint32_t i = roots->len > 0 ? n : 0; i-- > 0;) {
        if (uses[i] > 1)
            vec_push(&saturation->index.shared, i);
        if (uses[i] == 0)
            continue;
        const term_id *args = term_args(terms, (term_id){i});
        for (uint32_t k = term_at(terms, (term_id){i})->n_args; k-- > 0;)
            uses[args[k].v]++;
    }
    find_cuts(saturation, uses, roots->len > 0 ? n : 0);
    mem_free(uses);
}

static void search_all(struct saturation *saturation)
{
    for (uint32_t i = 0; i < saturation->rules.len; i++)
        saturation->rules.at[i].since = 0;
}

enum stop_reason saturate(struct saturation *saturation,
                          bool (*progress)(void *ctx, const struct saturation *saturation),
                          void *ctx)
{
    uint32_t end = saturation->rounds + saturation->opt.max_rounds;
    bool all = true; // every rule searches every place
    saturation->index.depth = depth_of(saturation);
    saturation->index.n_nodes = 0; // roots and depth may be others than last time
    find_shared(saturation);
    if (!saturation->graph->closed)
        egraph_rebuild(saturation->graph);
    shares_start(&saturation->shares, saturation->graph);
    search_all(saturation);
    for (saturation->stop = STOP_ROUNDS; saturation->rounds < end;) {
        bool quiet, complete;
        enum stop_reason why = run_round(saturation, &quiet, &complete);
        saturation->rounds++;
        if (progress != NULL && !progress(ctx, saturation)) {
            saturation->stop = STOP_TIME;
            break;
        }
        if (why != STOP_ROUNDS) {
            saturation->stop = why;
            break;
        }
        if (quiet && complete && all) {
            saturation->stop = STOP_SATURATED;
            break;
        }
        if (quiet && !complete && !end_pause(saturation) && saturation->shares.due)
            divide(saturation);
        // The sizes that bound the matches change without news where a match
        // is: only a search of every place that finds nothing is the end.
        all = quiet && complete;
        if (all)
            search_all(saturation);
    }
    return saturation->stop;
}
