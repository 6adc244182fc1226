// SPDX-License-Identifier: Apache-2.0
#include "discover/derive/derive.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "discover/derive/core.h"
#include "verify/counterexample/search.h"

#include <jansson.h>

const char *derive_status_text(enum derive_status status)
{
    static const char *const text[] = {[DERIVE_YES] = "derived",
                                       [DERIVE_NO] = "not derived",
                                       [DERIVE_LIMIT] = "limit",
                                       [DERIVE_UNKNOWN] = "unknown"};
    return text[status];
}

const char *derive_method_text(enum derive_method method)
{
    static const char *const text[] = {
        [DERIVE_AUTO] = "none", [DERIVE_TERMS] = "terms", [DERIVE_INSTANCES] = "instances"};
    return text[method];
}

struct derive_options derive_defaults(void)
{
    return (struct derive_options){.max_nodes = DERIVE_NODES,
                                   .max_rounds = DERIVE_ROUNDS,
                                   .max_steps = DERIVE_STEPS * UINT64_C(1000000),
                                   .instances = DERIVE_MIN_INSTANCES};
}

struct derive_base *derive_base_new(enum domain domain, struct arena *mem)
{
    struct derive_base *base = ARENA_NEW(mem, struct derive_base, 1);
    base->domain = domain;
    base->mem = mem;
    return base;
}

void derive_base_free(struct derive_base *base)
{
    vec_release(&base->rule);
}

uint32_t derive_add(struct derive_base *base, const struct rule *rule, struct rule_status status)
{
    struct base_rule one = {.rule = rule, .status = status};
    plain_compile(&one, base->rule.len, base->domain, base->mem);
    vec_push(&base->rule, one);
    return base->rule.len - 1;
}

uint32_t derive_count(const struct derive_base *base)
{
    return base->rule.len;
}

const struct rule *derive_rule(const struct derive_base *base, uint32_t i)
{
    return base->rule.at[i].rule;
}

bool derive_is_plain(const struct derive_base *base, uint32_t i)
{
    return base->rule.at[i].plain != NULL;
}

static void list_used(const struct derive_run *run)
{
    uint32_t *list = ARENA_NEW(run->mem, uint32_t, run->base->rule.len + 1);
    run->out->used = list;
    for (uint32_t i = 0; i < run->base->rule.len; i++)
        if (run->used[i])
            list[run->out->n_used++] = i;
}

static void forget_used(struct derive_run *run)
{
    memset(run->used, 0, run->base->rule.len + 1u);
}

// Derived instances do not prove the goal: other instances may differ.
static void try_goal(struct derive_run *run)
{
    struct cex_budget budget = cex_budget_deep();
    struct rng rng;
    const char *json;
    rng_seed(&rng, run->options->seed);
    if (!cex_search(&(struct cex_request){run->goal, run->base->domain, NULL, 0, &budget, &rng,
                                          run->mem, false},
                    &json))
        return;
    json_t *j = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(j, "text"));
    run->out->status = DERIVE_UNKNOWN;
    run->out->reason = "the goal is false";
    run->out->at = arena_strdup(run->mem, text != NULL ? text : "an instance");
    json_decref(j);
}

// Equal texts do not suffice: the base rule may be proved in other domains
// only.
static bool says_it(const struct base_rule *rule, const struct rule *goal, enum domain domain)
{
    return strcmp(rule->rule->hash, goal->hash) == 0 && (rule->status.proved >> domain & 1);
}

void derive_goal(const struct derive_base *base, const struct rule *goal,
                 const struct derive_options *options, struct arena *mem, struct derive_answer *out)
{
    double start = clock_wall();
    struct derive_run run = {
        .base = base, .goal = goal, .options = options, .mem = mem, .out = out};
    *out = (struct derive_answer){.status = DERIVE_UNKNOWN};
    run.deadline = options->seconds > 0 ? start + options->seconds : 0;
    run.used = ARENA_NEW(mem, bool, base->rule.len + 1);
    for (uint32_t i = 0; i < base->rule.len; i++)
        out->same = out->same || says_it(&base->rule.at[i], goal, base->domain);
    bool domain = rule_domains(goal) >> base->domain & 1;
    if (!domain)
        out->reason = "the goal says nothing in this domain";
    bool asked = domain && options->method != DERIVE_INSTANCES && derive_terms(&run);
    // Constant folding may settle a goal that the terms alone do not.
    if (domain && options->method != DERIVE_TERMS && (!asked || out->status != DERIVE_YES)) {
        struct derive_answer terms = *out;
        forget_used(&run);
        out->status = DERIVE_UNKNOWN;
        derive_instances(&run);
        if (options->try_goal && out->status == DERIVE_YES)
            try_goal(&run);
        if (asked && out->status != DERIVE_YES)
            *out = terms;
    }
    list_used(&run);
    out->seconds = clock_wall() - start;
}

// Is an equal rule in the base and proved wherever this rule is?
static bool has_twin(const struct derive_base *base, uint32_t i, const bool *without)
{
    const struct base_rule *rule = &base->rule.at[i];
    for (uint32_t k = 0; k < base->rule.len; k++) {
        const struct base_rule *s = &base->rule.at[k];
        if (k != i && !without[k] && strcmp(s->rule->hash, rule->rule->hash) == 0 &&
            (rule->status.proved & ~s->status.proved) == 0)
            return true;
    }
    return false;
}

// Do the remaining rules derive this one?
static bool follows(const struct derive_base *base, uint32_t i,
                    const struct derive_options *options, struct arena *mem)
{
    struct arena_mark mark = arena_mark(mem);
    struct derive_answer answer;
    if (has_twin(base, i, options->without))
        return true;
    derive_goal(base, base->rule.at[i].rule, options, mem, &answer);
    arena_reset(mem, mark);
    return answer.status == DERIVE_YES;
}

void derive_minimal(const struct derive_base *base, const struct derive_options *options,
                    bool *needed)
{
    uint32_t n = base->rule.len;
    struct arena mem = {0};
    bool *without = ARENA_NEW(&mem, bool, n + 1);
    struct derive_options one = *options;
    one.without = without;
    one.no_used = true;
    one.try_goal = false;
    one.proved = NULL;
    memset(without, 0, n + 1u);
    for (uint32_t i = n; i-- > 0;) {
        without[i] = true;
        without[i] = follows(base, i, &one, &mem);
    }
    // A rule that was derived by a rule dropped later may now be out of reach of
    // the limits.
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = n; i-- > 0;)
            if (without[i] && !follows(base, i, &one, &mem)) {
                without[i] = false;
                changed = true;
            }
    }
    for (uint32_t i = 0; i < n; i++)
        needed[i] = !without[i];
    arena_release(&mem);
}
