// SPDX-License-Identifier: Apache-2.0
// The method `instances`: a goal is decided at ground instances.
#include "base/clock.h"
#include "discover/limits.h"
#include "discover/derive/core.h"
#include "discover/derive/sample.h"

// One instance: terms, an e-graph, and the rules that may fire.
struct derive_instance {
    struct derive_run *run;
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct saturation saturation;
    struct u32_vec rule_of;
    struct sample at;
    bool open; // the e-graph exists
};

static bool equal_now(struct derive_instance *attempt)
{
    return egraph_known(&attempt->graph, attempt->at.lhs) &&
           egraph_known(&attempt->graph, attempt->at.rhs) &&
           egraph_same(&attempt->graph, attempt->at.lhs, attempt->at.rhs);
}

static bool go_on(void *ctx, const struct saturation *saturation)
{
    struct derive_instance *attempt = ctx;
    (void)saturation;
    return !equal_now(attempt) && !stop_asked(&attempt->run->options->stop);
}

// Runs the rules of the base, or only the goal itself.
static void open_graph(struct derive_instance *attempt, bool own)
{
    const struct derive_run *run = attempt->run;
    bool real = run->base->domain != DOMAIN_FLOAT;
    struct egraph_options options = egraph_defaults();
    struct saturate_options so = saturate_defaults();
    options.fold = true;
    options.reading = so.reading;
    options.max_nodes = run->options->max_nodes;
    options.deadline = run->deadline;
    so.reading = real ? READ_REAL : READ_FLOAT_SUMS;
    so.max_rounds = run->options->max_rounds;
    so.bounded = false;
    so.max_steps = run->options->max_steps;
    egraph_init(&attempt->graph, &attempt->terms, options);
    saturation_init(&attempt->saturation, &attempt->graph, so);
    if (own)
        saturation_add(&attempt->saturation,
                       (struct rule_use){.rule = run->goal,
                                         .status = {.proved = run->goal->claims,
                                                    .uninterpreted = run->goal->claims}});
    for (uint32_t i = 0; !own && i < run->base->rule.len; i++) {
        const struct base_rule *rule = &run->base->rule.at[i];
        if (derive_left_out(run, i))
            continue;
        for (int back = 0; back <= (int)run->options->backward; back++) {
            saturation_add(&attempt->saturation, (struct rule_use){.rule = rule->rule,
                                                                   .backward = back != 0,
                                                                   .status = rule->status});
            vec_push(&attempt->rule_of, i);
        }
    }
    attempt->open = true;
}

// Marks the rules whose lines appear in the proof.
static bool find_used(struct derive_instance *attempt, struct err *err)
{
    struct explanation proof = {0};
    struct proof_part part;
    bool ok = explain(&attempt->graph, attempt->at.lhs, attempt->at.rhs, &proof, &part, err);
    bool *seen = mem_alloc(proof.line.len + 1u);
    if (ok && part.line != UINT32_MAX)
        seen[part.line] = true;
    for (uint32_t i = proof.line.len; ok && i-- > 0;) {
        const struct proof_line *l = &proof.line.at[i];
        if (!seen[i])
            continue;
        for (uint32_t k = 0; k < l->n; k++)
            seen[proof.part.at[l->at + k].line] = true;
        if (l->kind == PROOF_RULE)
            attempt->run->used[attempt->rule_of.at[l->x]] = true;
    }
    mem_free(seen);
    explanation_release(&proof);
    return ok;
}

static void fails(struct derive_instance *attempt, enum derive_status status, const char *why)
{
    struct buf at = {0};
    struct derive_answer *out = attempt->run->out;
    out->status = status;
    out->reason = why;
    sample_print(attempt->at.in, &at);
    out->at = arena_strdup(attempt->run->mem, buf_text(&at));
    buf_release(&at);
}

static void report(struct derive_instance *attempt, uint32_t number)
{
    const struct derive_run *run = attempt->run;
    struct derive_proof proof = {.goal = run->goal,
                                 .instance = number,
                                 .graph = &attempt->graph,
                                 .saturation = &attempt->saturation,
                                 .rule_of = attempt->rule_of.at,
                                 .in = attempt->at.in,
                                 .lhs = attempt->at.lhs,
                                 .rhs = attempt->at.rhs};
    if (run->options->proved != NULL)
        run->options->proved(run->options->ctx, &proof);
}

static bool derive_at(struct derive_instance *attempt, uint32_t number)
{
    const struct derive_run *run = attempt->run;
    struct err err = {0};
    open_graph(attempt, false);
    egraph_add_term(&attempt->graph, attempt->at.lhs);
    if (!run->options->lhs_only)
        egraph_add_term(&attempt->graph, attempt->at.rhs);
    egraph_rebuild(&attempt->graph);
    enum stop_reason stop = STOP_SATURATED;
    if (!equal_now(attempt))
        stop = saturate(&attempt->saturation, go_on, attempt);
    egraph_add_term(&attempt->graph, attempt->at.rhs);
    egraph_rebuild(&attempt->graph);
    run->out->nodes = egraph_nodes(&attempt->graph);
    run->out->rounds = attempt->saturation.rounds;
    if (!equal_now(attempt)) {
        fails(attempt, stop == STOP_SATURATED ? DERIVE_NO : DERIVE_LIMIT,
              stop == STOP_SATURATED
                  ? "nothing more follows"
                  : arena_strdup(run->mem, stop == STOP_NODES    ? "limit on nodes"
                                           : stop == STOP_ROUNDS ? "limit on rounds"
                                           : stop == STOP_TIME   ? "limit on time"
                                                                 : "limit on effort"));
        return false;
    }
    if (!run->options->no_used && !find_used(attempt, &err)) {
        fails(attempt, DERIVE_UNKNOWN, arena_strdup(run->mem, err.msg));
        return false;
    }
    report(attempt, number);
    return true;
}

static void close_graph(struct derive_instance *attempt)
{
    if (attempt->open) {
        saturation_release(&attempt->saturation);
        egraph_release(&attempt->graph);
    }
    attempt->open = false;
}

// Does the engine match the goal itself at the instance?  If not, a failure
// says nothing about the base.
static bool goal_fires(struct derive_instance *attempt)
{
    open_graph(attempt, true);
    attempt->saturation.opt.max_rounds = 1;
    egraph_add_term(&attempt->graph, attempt->at.lhs);
    egraph_add_term(&attempt->graph, attempt->at.rhs);
    egraph_rebuild(&attempt->graph);
    saturate(&attempt->saturation, go_on, attempt);
    bool fires = equal_now(attempt);
    close_graph(attempt);
    return fires;
}

static void site_release(struct derive_instance *attempt)
{
    close_graph(attempt);
    vec_release(&attempt->rule_of);
    terms_release(&attempt->terms);
    pool_release(&attempt->pool);
}

// SAME: both sides are one term, so no rule was needed.  IDLE: nothing was
// asked.
enum outcome { FAILED, DERIVED, SAME, IDLE };

static enum outcome one_instance(struct derive_run *run, const struct sampler *sampler,
                                 uint32_t number, struct rng *rng)
{
    struct derive_instance attempt = {.run = run};
    struct arena mem = {0};
    struct err err = {0};
    enum outcome out = FAILED;
    bool edge = number >= SAMPLE_EDGES;
    pool_init(&attempt.pool);
    terms_init(&attempt.terms, &attempt.pool);
    struct sample_request request = {run->base->domain, number, &attempt.terms, rng, &mem};
    bool made = sample_make(sampler, &request, &attempt.at, &err);
    if (!made && edge) {
        out = IDLE;
    } else if (!made) {
        run->out->status = DERIVE_UNKNOWN;
        run->out->reason = arena_strdup(run->mem, err.msg);
    } else if (attempt.at.status != GROUND_OK && err.kind == ERR_LIMIT) {
        out = IDLE; // a literal that is no value of its type
    } else if (attempt.at.status != GROUND_OK) {
        fails(&attempt, DERIVE_UNKNOWN,
              "the goal is false: its sides have different shapes, or the "
              "right side is not well-defined");
    } else if (edge && (attempt.at.lhs.v == attempt.at.rhs.v || !goal_fires(&attempt))) {
        out = IDLE;
    } else if (derive_at(&attempt, number)) {
        out = attempt.at.lhs.v == attempt.at.rhs.v ? SAME : DERIVED;
        for (uint32_t c = 0; c < run->goal->n_classes; c++)
            run->met[c] = run->met[c] || attempt.at.in->rank[c] > 0;
    }
    site_release(&attempt);
    arena_release(&mem);
    return out;
}

// Without an axis many rules become trivial.  So a class that never had an axis
// was not tested.  `n`: the instances at which a question was asked.
static void conclude(struct derive_run *run, uint32_t n)
{
    const struct rule *rule = run->goal;
    run->out->instances = n;
    run->out->status = n > 0 ? DERIVE_YES : DERIVE_UNKNOWN;
    run->out->reason = n > 0 ? NULL : "no instance was found";
    for (uint32_t c = 0; c < rule->n_classes && n > 0; c++)
        if (!run->met[c]) {
            struct buf why = {0};
            buf_printf(&why, "no instance with an axis of %s was found", rule->classes[c].name);
            run->out->status = DERIVE_UNKNOWN;
            run->out->reason = arena_strdup(run->mem, buf_text(&why));
            buf_release(&why);
            return;
        }
}

static void ask_instances(struct derive_run *run, const struct sampler *sampler, struct rng *rng)
{
    uint32_t wanted = run->options->instances, derived = 0, edges = 0, same = 0;
    // Instances with one term on both sides test nothing, so a few more are made.
    for (uint32_t k = 0; derived < wanted && k < 2 * wanted; k++)
        switch (one_instance(run, sampler, k, rng)) {
        case FAILED:
            run->out->instances = derived;
            return;
        case DERIVED:
            derived++;
            break;
        case SAME:
            same++;
            break;
        case IDLE:
            break;
        }
    if (wanted < DERIVE_PER_FAMILY * sampler_families(sampler))
        wanted = DERIVE_PER_FAMILY * sampler_families(sampler);
    for (uint32_t k = 0; edges < wanted && k < 2 * wanted; k++)
        switch (one_instance(run, sampler, SAMPLE_EDGES + k, rng)) {
        case FAILED:
            run->out->instances = derived + edges;
            return;
        case DERIVED:
            edges++;
            break;
        case SAME:
        case IDLE:
            break;
        }
    // Both sides are one term at every instance: no rule is needed.
    conclude(run, derived == 0 ? same : derived + edges);
}

void derive_instances(struct derive_run *run)
{
    struct rng rng;
    struct arena mem = {0};
    run->out->method = DERIVE_INSTANCES;
    run->out->instances = 0;
    run->met = ARENA_NEW(run->mem, bool, run->goal->n_classes + 1);
    memset(run->met, 0, run->goal->n_classes + 1u);
    for (uint32_t i = 0; i < run->goal->n_wheres; i++)
        if (run->goal->wheres[i].cond == NULL) {
            run->out->status = DERIVE_UNKNOWN;
            run->out->reason = "a precondition on elements cannot be assumed at "
                               "instances";
            return;
        }
    rng_seed(&rng, run->options->seed);
    const struct sampler *sampler = sampler_new(run->goal, DERIVE_EFFORT, &rng, &mem);
    ask_instances(run, sampler, &rng);
    arena_release(&mem);
}
