// SPDX-License-Identifier: Apache-2.0
#include "simplify/engine/core.h"
#include "simplify/limits.h"

#include <math.h>
#include <stdlib.h>

static bool conflict(void *ctx)
{
    const struct reals *reals = ctx;
    return reals->conflict;
}

static bool has_value(void *ctx, uint32_t cls)
{
    return reals_has_value(ctx, cls);
}

// The node of a term.
static uint32_t add_term(struct engine *engine, fterm root)
{
    struct u32_vec order = {0}, args = {0};
    fterms_reach(engine->terms, 1, &root, &order);
    while (engine->node_of.len < engine->terms->node.len)
        vec_push(&engine->node_of, 0);
    for (uint32_t i = 0; i < order.len; i++) {
        fterm term = order.at[i];
        if (engine->node_of.at[term] != 0)
            continue;
        uint32_t n = fterm_n(engine->terms, term);
        const char *name = fterm_name(engine->terms, term);
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = engine->node_of.at[fterm_args(engine->terms, term)[k]] - 1;
            vec_push(&args, cc_class(&engine->graph, a));
        }
        uint32_t op = plain_op(&engine->rules, &engine->graph, name, (uint32_t)strlen(name), n);
        engine->node_of.at[term] = cc_add(&engine->graph, op, args.at) + 1;
    }
    uint32_t node = engine->node_of.at[root] - 1;
    vec_release(&order);
    vec_release(&args);
    return node;
}

// Makes the givens equal to `true` when all terms are in the graph: a term that is
// made later would have `true` in place of a condition in it, and be another term.
// The two sides of a given equation become equal as well.
static void give(struct engine *engine, const struct engine_rules *rules)
{
    uint32_t yes = add_term(engine, fterm_make(engine->terms, "true", 0, NULL));
    for (uint32_t i = 0; i < rules->n_givens; i++)
        (void)add_term(engine, rules->given[i]);
    for (uint32_t i = 0; i < rules->n_givens; i++) {
        fterm cond = rules->given[i];
        (void)cc_union_given(&engine->graph, JOURNAL_GIVEN, add_term(engine, cond), yes, i);
        if (!fterm_is(engine->terms, cond, "eq", 2))
            continue;
        const fterm *side = fterm_args(engine->terms, cond);
        uint32_t left = add_term(engine, side[0]), right = add_term(engine, side[1]);
        (void)cc_union_given(&engine->graph, JOURNAL_GIVEN, left, right, i);
    }
}

void engine_kept_release(struct engine_kept *kept)
{
    if (kept->full)
        plain_release(&kept->rules);
    plain_ops_release(&kept->ops);
    buf_release(&kept->text);
    *kept = (struct engine_kept){0};
}

// The rules of the text, out of those that were kept or read.
static bool read_rules(struct engine *engine, const struct engine_rules *rules, struct err *err)
{
    struct engine_kept *kept = rules->kept;
    if (kept != NULL && kept->full && strcmp(buf_text(&kept->text), rules->text) == 0) {
        engine->rules = kept->rules;
        engine->keeper = kept;
        kept->full = false;
        plain_ops_renew(&kept->ops, &engine->rules, &engine->graph);
        return true;
    }
    plain_init(&engine->rules);
    if (!plain_read(&engine->rules, &engine->graph, "rules", rules->text, reals_guards, err))
        return false;
    // Order and brackets make other rules of these.
    if (kept != NULL && engine->rules.ac.len == 0) {
        engine_kept_release(kept);
        buf_puts(&kept->text, rules->text);
        plain_ops_note(&kept->ops, &engine->graph);
        engine->keeper = kept;
    }
    return true;
}

bool engine_prepare(struct engine *engine, const struct engine_rules *rules, uint32_t n,
                    const fterm *terms, struct err *err)
{
    cc_init(&engine->graph, true);
    reals_init(&engine->reals, &engine->graph, &engine->rules);
    ac_init(&engine->ac, &engine->graph, AC_LIMITS);
    if (!read_rules(engine, rules, err))
        return false;
    struct run_options options = {.scheduler = engine->options->scheduler,
                                  .max_rounds = engine->options->max_rounds,
                                  .max_nodes = engine->options->max_nodes,
                                  .max_steps = engine->options->max_steps,
                                  .deadline = engine->options->deadline,
                                  .match_limit = EGRAPH_PLAIN_MATCHES,
                                  .pause = EGRAPH_PLAIN_PAUSE,
                                  .guard = reals_guard,
                                  .conflict = conflict,
                                  .ctx = &engine->reals};
    if (engine->rules.ac.len > 0) {
        engine->ac.limit.nodes = engine->options->max_nodes;
        engine->ac.has_value = has_value;
        engine->ac.ctx = &engine->reals;
        for (uint32_t i = 0; i < engine->rules.ac.len; i++)
            ac_declare(&engine->ac, engine->rules.ac.at[i]);
        ac_rules(&engine->ac, &engine->rules);
        options.ac = &engine->ac;
    }
    run_init(&engine->run, &engine->graph, &engine->rules, options);
    for (uint32_t i = 0; i < n; i++)
        (void)add_term(engine, terms[i]);
    give(engine, rules);
    return true;
}

// The same as terms of `why`.
static void say(struct engine *engine, const struct solution *solution, const struct u32_vec *order)
{
    struct u32_vec said = {0};
    vec_zero(&engine->said, engine->problem.n_classes);
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t c = order->at[i], n = solution->node[c];
        uint32_t op = engine->graph.node.at[engine->problem_node.at[n]].op & CC_OP;
        vec_clear(&said);
        for (uint32_t k = engine->problem.child_at.at[n]; k < engine->problem.child_at.at[n + 1];
             k++)
            vec_push(&said, engine->said.at[engine->problem.child.at[k]] - 1);
        engine->said.at[c] = why_term(&engine->why, op, said.at) + 1;
    }
    vec_release(&said);
}

static uint32_t root_class(const struct cc *graph, uint32_t node)
{
    uint32_t c = graph->node.at[node].cls;
    while (graph->up.at[c] != c)
        c = graph->up.at[c];
    return c;
}

static uint32_t witness(void *ctx, const struct cc *graph, const struct plain_guard *plain_guard,
                        const uint32_t *node, uint32_t arg, uint32_t nth)
{
    uint32_t cls[sizeof plain_guard->arg / sizeof *plain_guard->arg];
    for (uint32_t i = 0; i < plain_guard->n; i++)
        cls[i] = root_class(graph, node[i]);
    return reals_witness(ctx, plain_guard->kind, cls, arg, nth);
}

static bool begin_why(struct engine *engine, struct err *err)
{
    why_init(&engine->why, &engine->graph, &engine->rules);
    engine->why.witness = witness;
    engine->why.ctx = &engine->reals;
    return why_read(&engine->why, err);
}

static bool explain(struct engine *engine, uint32_t from, uint32_t to, struct buf *proof,
                    bool *flipped, struct err *err)
{
    struct why_part line;
    if (!why_explain(&engine->why, from, to, &line, err))
        return false;
    if (line.line != CC_NONE) {
        why_print(&engine->why, line.line, proof);
        *flipped = line.flip;
    }
    return true;
}

// Hands those of the conditions to `know` that are true in the graph.  Returns whether there
// are any.
static bool find_facts(struct engine *engine, const struct u32_vec *conditions,
                       struct engine_result *out)
{
    const struct engine_options *options = engine->options;
    uint32_t yes = add_term(engine, fterm_make(engine->terms, "true", 0, NULL));
    bool any = false;
    for (uint32_t i = 0; i < conditions->len; i++) {
        struct engine_fact fact = {.condition = conditions->at[i]};
        uint32_t node = add_term(engine, fact.condition);
        if (cc_class(&engine->graph, node) != cc_class(&engine->graph, yes))
            continue;
        any = true;
        vec_push(&out->facts, fact);
        options->know(options->judge, fact.condition);
    }
    return any;
}

static bool accepted(struct engine *engine, fterm term, fterm *refused, struct engine_result *out)
{
    const struct engine_options *options = engine->options;
    struct u32_vec conditions = {0};
    bool ok =
        options->accept == NULL || options->accept(options->judge, term, refused, &conditions);
    if (!ok && find_facts(engine, &conditions, out)) {
        vec_clear(&conditions);
        ok = options->accept(options->judge, term, refused, &conditions);
    }
    vec_release(&conditions);
    return ok;
}

// Above every sum of costs.
static const double REFUSED = 1e12;

// The classes whose chosen term is the refused one must choose another node.
static bool avoid(struct engine *engine, const struct solution *solution, fterm refused)
{
    bool any = false;
    for (uint32_t c = 0; c < engine->problem.n_classes; c++)
        if (engine->made.at[c] == refused + 1) {
            engine->problem.cost.at[solution->node[c]] = REFUSED;
            any = true;
        }
    return any;
}

// The cheapest solution whose term is accepted.  False: none was.
static bool find_best(struct engine *engine, struct solution *solution, struct u32_vec *order,
                      struct engine_result *out, bool *found, struct err *err)
{
    *found = false;
    for (uint32_t tries = 0; !*found && tries < SIMPLIFY_TRIES; tries++) {
        fterm refused = 0;
        if (tries > 0)
            solution_release(solution);
        if (!engine_solve(engine, solution, order, err))
            return false;
        fterm term = engine->made.at[engine->problem.root.at[0]] - 1;
        *found = accepted(engine, term, &refused, out);
        if (!*found && !avoid(engine, solution, refused))
            break;
    }
    return true;
}

// The term of `why` that reads like this one.  A node reads like the term that it was made for.
static uint32_t say_term(struct engine *engine, fterm root)
{
    struct u32_vec order = {0}, said = {0}, args = {0};
    fterms_reach(engine->terms, 1, &root, &order);
    vec_zero(&said, root + 1u);
    for (uint32_t i = 0; i < order.len; i++) {
        fterm term = order.at[i];
        const char *name = fterm_name(engine->terms, term);
        uint32_t n = fterm_n(engine->terms, term);
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&args, said.at[fterm_args(engine->terms, term)[k]]);
        uint32_t op = plain_op(&engine->rules, &engine->graph, name, (uint32_t)strlen(name), n);
        said.at[term] = why_term(&engine->why, op, args.at);
    }
    uint32_t out = said.at[root];
    vec_release(&order);
    vec_release(&said);
    vec_release(&args);
    return out;
}

static bool is_wanted(const struct engine *engine, fterm term)
{
    const struct engine_options *options = engine->options;
    return options->wanted == NULL || options->wanted(options->judge, term);
}

static bool take_best(struct engine *engine, uint32_t root, struct engine_result *out,
                      struct err *err)
{
    struct solution solution;
    struct u32_vec order = {0};
    bool found;
    engine_fill_problem(engine, root);
    bool ok = find_best(engine, &solution, &order, out, &found, err);
    uint32_t c = engine->problem.root.at[0];
    found = ok && found && is_wanted(engine, engine->made.at[c] - 1);
    if (found || out->facts.len > 0)
        ok = ok && begin_why(engine, err);
    if (ok && found) {
        say(engine, &solution, &order);
        out->term = engine->made.at[c] - 1;
        ok = explain(engine, why_term_of(&engine->why, root), engine->said.at[c] - 1, &out->proof,
                     &out->flipped, err);
    }
    uint32_t yes = engine->node_of.at[fterm_make(engine->terms, "true", 0, NULL)] - 1;
    for (uint32_t i = 0; ok && i < out->facts.len; i++) {
        struct engine_fact *fact = &out->facts.at[i];
        ok = explain(engine, say_term(engine, fact->condition), why_term_of(&engine->why, yes),
                     &fact->proof, &fact->flipped, err);
    }
    vec_release(&order);
    solution_release(&solution);
    return ok;
}

void engine_end(struct engine *engine)
{
    why_release(&engine->why);
    problem_release(&engine->problem);
    run_release(&engine->run);
    ac_release(&engine->ac);
    reals_release(&engine->reals);
    if (engine->keeper != NULL) {
        engine->keeper->rules = engine->rules;
        engine->keeper->full = true;
    } else {
        plain_release(&engine->rules);
    }
    cc_release(&engine->graph);
    vec_release(&engine->node_of);
    vec_release(&engine->problem_node);
    vec_release(&engine->besides);
    vec_release(&engine->problem_class);
    vec_release(&engine->made);
    vec_release(&engine->said);
}

bool engine_run(struct fterms *terms, fterm term, const struct engine_rules *rules,
                const struct engine_options *options, struct engine_result *out, struct err *err)
{
    struct engine engine = {.terms = terms, .options = options};
    memset(out, 0, sizeof *out);
    out->term = term;
    bool ok = engine_prepare(&engine, rules, 1, &term, err);
    if (ok) {
        uint32_t root = add_term(&engine, term);
        out->stop = run_rounds(&engine.run);
        out->nodes = engine.graph.n_live;
        out->rounds = engine.run.rounds;
        out->steps = run_steps(&engine.run);
        ok = out->stop == RUN_CONFLICT || take_best(&engine, root, out, err);
    }
    engine_end(&engine);
    return ok;
}

bool engine_facts(struct fterms *terms, uint32_t n, struct engine_fact *facts,
                  const struct engine_rules *rules, const struct engine_options *options,
                  struct err *err)
{
    struct engine engine = {.terms = terms, .options = options};
    struct u32_vec conditions = {0}, node = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&conditions, facts[i].condition);
    bool ok = engine_prepare(&engine, rules, n, conditions.at, err);
    if (ok) {
        for (uint32_t i = 0; i < n; i++)
            vec_push(&node, add_term(&engine, conditions.at[i]));
        // Of what contradicts itself nothing is said.
        uint32_t yes = engine.node_of.at[fterm_make(terms, "true", 0, NULL)] - 1;
        bool sound = run_rounds(&engine.run) != RUN_CONFLICT;
        ok = !sound || begin_why(&engine, err);
        for (uint32_t i = 0; ok && sound && i < n; i++)
            if (facts[i].proof.len == 0 &&
                cc_class(&engine.graph, node.at[i]) == cc_class(&engine.graph, yes))
                ok =
                    explain(&engine, why_term_of(&engine.why, node.at[i]),
                            why_term_of(&engine.why, yes), &facts[i].proof, &facts[i].flipped, err);
    }
    vec_release(&conditions);
    vec_release(&node);
    engine_end(&engine);
    return ok;
}

const char *engine_stop_text(enum run_stop stop)
{
    switch (stop) {
    case RUN_SATURATED:
        return "saturated";
    case RUN_ROUNDS:
        return "rounds";
    case RUN_NODES:
    case RUN_MADE:
        return "nodes";
    case RUN_STEPS:
        return "effort";
    case RUN_TIME:
        return "seconds";
    case RUN_BYTES:
        return "bytes";
    case RUN_MATCHES:
        return "matches";
    case RUN_GOAL:
    case RUN_CONFLICT:
        break;
    }
    return "conflict";
}

void engine_release(struct engine_result *result)
{
    buf_release(&result->proof);
    for (uint32_t i = 0; i < result->facts.len; i++)
        buf_release(&result->facts.at[i].proof);
    vec_release(&result->facts);
}
