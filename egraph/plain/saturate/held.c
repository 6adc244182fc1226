// SPDX-License-Identifier: Apache-2.0
// A round whose matches are all found before the first is applied.  Then the
// order of the rules is free, and the graph may be closed in between.  An early
// merge saves the nodes that would be made above both classes and die later.  So the
// rules that build least go first, and the graph is closed under congruence after
// each rule and within rules that build much.  A round ends with the same graph,
// whatever the order.
#include "egraph/plain/saturate/core.h"

#include "base/clock.h"

// Two limits on held matches, in nodes: EGRAPH_HELD_NODES, and a multiple of the
// limit on nodes of the graph.  At 31 million nodes made, holding all matches
// took 30 % of the time.
//
// Within a rule the graph is closed when EGRAPH_HELD_PART nodes and a quarter of
// the older nodes are new.

struct held_part {
    uint32_t rule, from, n; // place in run->match, matches
    uint64_t builds;
};

struct held_round {
    struct run *run;
    uint64_t most;
};

static bool tick(void *ctx)
{
    struct held_round *held_round = ctx;
    return run_in_time(held_round->run);
}

// How many nodes of matches may be held.  0: rules must be applied while they are
// searched.
static uint64_t most_held(const struct run *run)
{
    const struct run_options *options = &run->opt;
    uint64_t most = EGRAPH_HELD_NODES;
    if (options->whole_rules || options->max_matches > 0 || options->ac != NULL)
        return 0;
    // Searching must not take the time for applying.
    if (options->deadline > 0 && 16 * run->round_seconds > options->deadline - run_now(run))
        return 0;
    for (uint32_t i = 0; i < run->rule.len; i++)
        if (run->rule.at[i].open)
            return 0;
    if (options->max_nodes > 0 && most / EGRAPH_HELD_PER_NODE > options->max_nodes)
        most = (uint64_t)options->max_nodes * EGRAPH_HELD_PER_NODE;
    if (options->max_bytes > 0) {
        uint64_t held = cc_bytes(run->graph);
        uint64_t free = held < options->max_bytes ? options->max_bytes - held : 0;
        if (most > free / 32)
            most = free / 32;
    }
    return most;
}

// Conditions are asked on the graph as the round found it.
static uint32_t ask(struct run *run, uint32_t rule, uint32_t from, uint32_t n)
{
    uint32_t each = run->rule.at[rule].rule->n_atoms, to = from;
    for (uint32_t i = 0; i < n; i += RUN_CHUNK) {
        uint32_t some = n - i < RUN_CHUNK ? n - i : RUN_CHUNK;
        uint32_t *at = run->match.at + from + i * each;
        uint32_t left = run_ask(run, rule, some, at);
        memmove(run->match.at + to, at, (size_t)left * each * sizeof *at);
        to += left * each;
    }
    run->match.len = to;
    return (to - from) / each;
}

static bool search_held(struct held_round *held_round, uint32_t index, struct held_part *part)
{
    struct run *run = held_round->run;
    struct run_rule *use = &run->rule.at[index];
    uint32_t from = run->match.len;
    seen_mark_set(use->until, run->graph, use->rule);
    if (search_lacks(run->graph, use->rule)) {
        *part = (struct held_part){.rule = index, .from = from};
        return true;
    }
    struct plain_search search = {.graph = run->graph,
                                  .rule = use->rule,
                                  .since = use->mark,
                                  .n_frozen = run->graph->n_entered,
                                  .rings = &run->rings,
                                  .tick = tick,
                                  .steps = &run->steps,
                                  .ctx = held_round,
                                  .list = &run->match,
                                  .most = held_round->most};
    if (!search_rule(&search)) {
        run->match.len = from;
        return false;
    }
    uint32_t n = (run->match.len - from) / use->rule->n_atoms;
    run->n_matches += n;
    use->matches += n;
    part->rule = index;
    part->from = from;
    part->n = use->rule->n_guards > 0 ? ask(run, index, from, n) : n;
    part->builds = (uint64_t)part->n * use->rule->n_builds;
    return true;
}

// What is done sooner than the clocks are read counts as applying.
static void close_part(struct run *run)
{
    enum { FEW = 256 };
    uint64_t waiting = run_pending(run->graph);
    if (waiting < FEW) {
        cc_rebuild_part(run->graph);
        return;
    }
    double begin = clock_cpu(), start = run_now(run);
    run->closed_waiting += waiting;
    cc_rebuild_part(run->graph);
    run->closed_seconds += run_now(run) - start;
    run->rebuild_seconds += clock_cpu() - begin;
}

static void apply_held(struct run *run, const struct held_part *part, bool close)
{
    struct cc *graph = run->graph;
    struct run_rule *use = &run->rule.at[part->rule];
    const struct plain_rule *rule = use->rule;
    for (uint32_t i = 0; i < part->n && run->hit == RUN_SATURATED;) {
        uint32_t n = part->n - i < RUN_CHUNK ? part->n - i : RUN_CHUNK;
        n = run_room(run, rule, n);
        if (n > 0)
            run_apply(run, part->rule, n, run->match.at + part->from + i * rule->n_atoms, true);
        i += n;
        if (close && graph->dirty.len > 0 &&
            graph->node.len - graph->n_entered >= EGRAPH_HELD_PART + graph->n_entered / 4)
            close_part(run);
        if (run->hit == RUN_SATURATED)
            (void)run_in_time(run);
    }
    if (run->hit == RUN_SATURATED)
        run_seen(use);
    if (close && graph->dirty.len > 0)
        close_part(run);
}

// Those that build least first, else as they stand in the file.
static void sort_parts(struct held_part *part, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct held_part x = part[i];
        uint32_t k = i;
        for (; k > 0 && part[k - 1].builds > x.builds; k--)
            part[k] = part[k - 1];
        part[k] = x;
    }
}

uint32_t run_held(struct run *run, uint32_t n)
{
    struct held_round held_round = {.run = run, .most = most_held(run)};
    if (held_round.most == 0)
        return 0;
    struct held_part *part = mem_alloc((size_t)n * sizeof *part);
    uint32_t done = 0;
    vec_clear(&run->match);
    while (done < n && search_held(&held_round, done, &part[done]))
        done++;
    sort_parts(part, done);
    // While rules are to be searched the lists stand still.
    for (uint32_t i = 0; i < done && run->hit == RUN_SATURATED; i++)
        apply_held(run, &part[i], done == n);
    // The matches of the other rules are applied as they are found.
    if (done < n)
        vec_release(&run->match);
    vec_clear(&run->match);
    mem_free(part);
    return done;
}
