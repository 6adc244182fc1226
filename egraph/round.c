// SPDX-License-Identifier: Apache-2.0
#include "egraph/round.h"
#include "base/clock.h"
#include "egraph/limits.h"

void round_guard(const struct saturation *saturation, struct running_rule *running)
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

static void release_arena(struct arena *arena)
{
    if (arena != NULL)
        arena_release(arena);
    mem_free(arena);
}

static uint32_t shifted(uint32_t x, uint32_t by)
{
    uint64_t y = (uint64_t)x << (by < 20 ? by : 20);
    return y > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)y;
}

static uint32_t part_of(const struct saturation *saturation, const struct match *match)
{
    return shares_part(&saturation->shares, match->place);
}

static uint64_t steps_left(const struct saturation *saturation)
{
    uint64_t most = saturation->opt.max_steps;
    if (most == 0)
        return UINT64_MAX / 2;
    return most > saturation->steps ? most - saturation->steps : 0;
}

bool round_spent(const struct saturation *saturation)
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
        own = running->outline = pattern_outline(&running->pattern);
        if (!outline_equal(&own, &told))
            saturation->misfit = number.at[i];
        round_guard(saturation, running);
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

// New matches of the rule in this round; more make it pause, with back-off.
static uint32_t match_limit(const struct saturation *saturation, const struct running_rule *running)
{
    uint32_t most = saturation->opt.match_limit;
    return saturation->opt.scheduler == SCHEDULE_BACKOFF ? shifted(most, running->times_paused)
                                                         : most;
}

// The search of one rule in a round, and what it found.
struct rule_search {
    uint32_t rule;
    struct match_search *search;
    struct match_result result;
    struct arena *mem; // of instances, which refer to it
    bool ended;
    bool cut; // before its end, for others take what is left of the effort
};

static void begin_search(struct saturation *saturation, uint64_t left, struct rule_search *search)
{
    struct running_rule *running = &saturation->rules.at[search->rule];
    uint64_t limit = saturation->opt.step_limit;
    struct match_request request = {
        .pattern = &running->pattern,
        .status = running->use.status,
        .finite = &saturation->finite,
        .reading = saturation->opt.reading,
        .max_matches =
            match_limit(saturation, running) + (saturation->opt.scheduler == SCHEDULE_BACKOFF),
        .max_steps = left < limit ? left : limit,
        .deadline = saturation->graph->opt.deadline,
        .seen = &running->seen,
        .cursor = &running->cursor,
        .index = &saturation->index,
        .shares = &saturation->shares,
        .bounded = saturation->opt.bounded && !pattern_gives_tensor(&running->pattern),
        .slack = saturation->opt.slack,
        .since = running->since,
    };
    search->mem = mem_alloc(sizeof *search->mem);
    search->search = match_begin(saturation->graph, &request, search->mem, &search->result);
}

// Ends the searches from this one on that still run: with them the rules take more steps than are
// left.
static void cut(struct rule_search *search, uint32_t from, uint32_t n)
{
    for (uint32_t i = from; i < n; i++)
        if (!search[i].ended)
            search[i].ended = search[i].cut = true;
}

// Searches all windows, the rules in step.
static void search_together(struct saturation *saturation, uint64_t left, uint32_t n,
                            struct rule_search *search)
{
    double start = clock_wall();
    for (bool on = true; on;) {
        uint64_t sum = 0;
        on = false;
        for (uint32_t i = 0; i < n; i++) {
            struct rule_search *one = &search[i];
            one->ended = one->ended || !match_on(one->search);
            double now = clock_wall();
            saturation->rules.at[one->rule].stats.seconds += now - start;
            start = now;
            sum += one->cut ? 0 : one->result.steps;
            if (sum >= left)
                cut(search, i + (sum == left), n);
            on = on || !one->ended;
        }
    }
}

// Takes what the search found into the round, unless the rule pauses.
static void take_matches(struct saturation_round *saturation_round, struct rule_search *search)
{
    struct saturation *saturation = saturation_round->saturation;
    struct running_rule *running = &saturation->rules.at[search->rule];
    const struct match_result *result = &search->result;
    saturation->steps += result->steps;
    saturation_round->complete = saturation_round->complete && result->complete;
    if (result->complete)
        running->since = saturation->graph->round;
    if (saturation->opt.scheduler == SCHEDULE_BACKOFF &&
        result->found.len > match_limit(saturation, running)) {
        running->paused_until =
            saturation->rounds + shifted(saturation->opt.pause, running->times_paused);
        running->times_paused++;
        running->cursor = (struct match_cursor){0};
        return;
    }
    running->stats.matches += result->found.len;
    for (uint32_t i = 0; i < result->found.len; i++) {
        const struct match *match = &result->found.at[i];
        struct applied_match item = {search->rule, part_of(saturation, match), *match, NO_TERM};
        vec_push(&saturation_round->work, item);
    }
    if (result->found.len > 0) {
        vec_push(&saturation_round->mem, search->mem);
        search->mem = NULL;
    }
}

// Rules that do not get what they need of the effort that is left find nothing: what they found
// would be of the first places alone.
static void match_group(struct saturation_round *saturation_round, const struct u32_vec *group)
{
    struct saturation *saturation = saturation_round->saturation;
    struct rule_search *search = mem_alloc((group->len + 1U) * sizeof *search);
    uint64_t left = steps_left(saturation), used = 0;
    bool all = true;
    for (uint32_t i = 0; i < group->len; i++) {
        search[i].rule = group->at[i];
        begin_search(saturation, left, &search[i]);
    }
    search_together(saturation, left, group->len, search);
    for (uint32_t i = 0; i < group->len; i++) {
        struct running_rule *running = &saturation->rules.at[search[i].rule];
        const struct match_result *result = &search[i].result;
        bool fits = !search[i].cut && used + result->steps <= left &&
                    (used + result->steps < left || result->complete);
        running->stats.steps += result->steps;
        match_end(search[i].search);
        if (fits) {
            used += result->steps;
            take_matches(saturation_round, &search[i]);
        } else {
            running->cursor = (struct match_cursor){0};
        }
        all = all && fits;
        match_result_release(&search[i].result);
        release_arena(search[i].mem);
    }
    if (!all) {
        saturation_round->complete = false;
        saturation->steps = saturation->opt.max_steps;
    }
    mem_free(search);
}

// The rules from *next on that may match, until the group is full.
static void next_group(struct saturation_round *saturation_round, uint32_t *next,
                       struct u32_vec *group)
{
    struct saturation *saturation = saturation_round->saturation;
    vec_clear(group);
    for (; *next < saturation->rules.len && group->len < EGRAPH_TOGETHER; ++*next) {
        struct running_rule *running = &saturation->rules.at[*next];
        if (!takes_part(running, saturation_round->simplify))
            continue;
        if (running->paused_until > saturation->rounds) {
            saturation_round->complete = false;
            continue;
        }
        // A rule that would take no step is in no group, so that groups are the same whether it
        // is loaded or not.
        if (running->use.rule != NULL &&
            outline_possible(&running->outline, &saturation->index, saturation->opt.bounded,
                             saturation->opt.slack) &&
            match_possible(&running->pattern, &saturation->index, running->since)) {
            vec_push(group, *next);
            continue;
        }
        running->cursor = (struct match_cursor){0};
        running->since = saturation->graph->round;
    }
}

bool round_match(struct saturation_round *saturation_round)
{
    struct saturation *saturation = saturation_round->saturation;
    struct u32_vec group = {0};
    bool ok = load_rules(saturation, saturation_round->simplify);
    for (uint32_t next = 0; ok && next < saturation->rules.len;) {
        next_group(saturation_round, &next, &group);
        match_group(saturation_round, &group);
        ok = !egraph_full(saturation->graph);
        if (round_spent(saturation)) { // matches found so far are still applied
            saturation_round->complete = false;
            break;
        }
    }
    vec_release(&group);
    return ok;
}

void round_release(struct saturation_round *saturation_round)
{
    vec_release(&saturation_round->work);
    for (uint32_t i = 0; i < saturation_round->mem.len; i++)
        release_arena(saturation_round->mem.at[i]);
    vec_release(&saturation_round->mem);
}
