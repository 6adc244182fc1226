// SPDX-License-Identifier: Apache-2.0
#include "egraph/saturate.h"
#include "egraph/limits.h"
#include "egraph/round.h"

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
    // The same for every operation, so that a program takes the time of its parts.
    uint64_t steps = EGRAPH_STEPS_PER_OPERATION * n;
    options->max_steps = steps > EGRAPH_STEPS ? steps : EGRAPH_STEPS;
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

void saturation_add(struct saturation *saturation, struct rule_use use)
{
    struct running_rule running = {.use = use};
    pattern_compile(&running.pattern, use.rule, use.backward, &saturation->mem);
    round_guard(saturation, &running);
    running.outline = pattern_outline(&running.pattern);
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
    return round_spent(saturation) ? STOP_EFFORT : STOP_TIME;
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
    bool ok = round_match(&saturation_round) && build_sources(&saturation_round);
    why = ok ? why : limit_reached(saturation);
    rebuild(saturation);
    if (ok && !merge_targets(&saturation_round))
        why = limit_reached(saturation);
    if (why != STOP_ROUNDS)
        forget(&saturation_round);
    rebuild(saturation);
    *quiet = egraph_merges(saturation->graph) == merges && egraph_nodes(saturation->graph) == nodes;
    *complete = saturation_round.complete && !saturation->shares.due;
    round_release(&saturation_round);
    if (egraph_full(saturation->graph) || round_spent(saturation))
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
        if (quiet && complete && !match_index_ease(saturation->graph, &saturation->index)) {
            saturation->stop = STOP_SATURATED;
            break;
        }
        if (quiet && !complete && !end_pause(saturation) && saturation->shares.due)
            divide(saturation);
    }
    return saturation->stop;
}
