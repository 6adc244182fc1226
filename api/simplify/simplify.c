// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/result.h"

#include "api/simplify/slices.h"
#include "base/clock.h"
#include "egraph/limits.h"
#include "egraph/program/constants.h"
#include "egraph/program/orbit.h"
#include "io/program/program.h"
#include "proof/program/check.h"

const char *const *rw_cost_models(void)
{
    return cost_names;
}

bool rw_cost_is_file(const char *name)
{
    return cost_is_file(name);
}

static bool read_cost(struct simplification *run, const char *name, struct err *err)
{
    if (cost_by_name(name, &run->cost))
        return true;
    if (!cost_is_file(name))
        return err_set(err, ERR_USAGE, "no such cost model: %s", name);
    if (!cost_file_read(name, &run->cost_file, err))
        return false;
    run->cost_name = text_copy(name);
    run->cost = cost_of_file(&run->cost_file, run->cost_name);
    return true;
}

static bool read_options(struct simplification *run, const struct rw_simplify_options *options,
                         struct err *err)
{
    static const enum extract_method methods[] = {[RW_EXTRACT_DAG] = EXTRACT_DAG,
                                                  [RW_EXTRACT_TREE] = EXTRACT_TREE,
                                                  [RW_EXTRACT_EXACT] = EXTRACT_EXACT};
    static const enum scheduler schedulers[] = {
        [RW_SCHEDULER_BACKOFF] = SCHEDULE_BACKOFF, [RW_SCHEDULER_SIMPLE] = SCHEDULE_SIMPLE};
    if ((unsigned)options->reading > RW_READ_REAL)
        return err_set(err, ERR_USAGE, "no such reading of floats");
    if ((unsigned)options->extract > RW_EXTRACT_EXACT ||
        (unsigned)options->scheduler > RW_SCHEDULER_SIMPLE)
        return err_set(err, ERR_USAGE, "no such extraction or scheduler");
    if (!read_cost(run, options->cost ? options->cost : "time", err))
        return false;
    run->keep_attributes = text_copy(options->keep_attributes ? options->keep_attributes : "");
    run->verify = options->verify;
    run->reading = (enum float_reading)options->reading;
    run->method = methods[options->extract];
    run->egraph = egraph_defaults();
    run->egraph.fold = true;
    run->egraph.reading = run->reading;
    run->saturate = saturate_defaults();
    run->saturate.scheduler = schedulers[options->scheduler];
    run->saturate.reading = run->reading;
    run->saturate.guarded = true;
    run->saturate.max_rounds = (uint32_t)context_limit(run->context, LIMIT_rounds, 30);
    return true;
}

// Limits that are not given follow from the program's size.  They count, and do
// not measure time, so that equal input gives equal output.  If the caller
// limits seconds alone, then the limit of effort is lifted; otherwise the limit
// of seconds is a safety net.
static void set_limits(struct simplification *run)
{
    const struct rw_context *context = run->context;
    uint64_t largest = constants_largest(&run->in->at.terms);
    run->egraph.constant_bytes = largest > EGRAPH_CONSTANT_BYTES ? largest : EGRAPH_CONSTANT_BYTES;
    saturate_scale(&run->saturate, &run->egraph, run->in->at.terms.term.len);
    if (context->given[LIMIT_nodes])
        run->egraph.max_nodes = (uint32_t)context->limit[LIMIT_nodes];
    if (context->given[LIMIT_seconds]) {
        run->egraph.deadline = clock_wall() + context->limit[LIMIT_seconds];
        run->saturate.max_steps = 0;
    }
}

// True if the result is complete.  A limit from the program's size is part of
// the method.  A limit that the caller set, or the safety net, may have cut the
// search short.
static bool ran_to_end(const struct simplification *run)
{
    const struct rw_context *context = run->context;
    if (run->unproved)
        return false;
    switch (run->saturation.stop) {
    case STOP_SATURATED:
    case STOP_EFFORT:
        return true;
    case STOP_ROUNDS: // no rules wanted, no rules run
        return !context->given[LIMIT_rounds] || run->saturate.max_rounds == 0;
    case STOP_NODES:
        return !context->given[LIMIT_nodes];
    case STOP_BYTES:
    case STOP_TIME:
        break;
    }
    return false;
}

static bool tell_round(void *user, const struct saturation *saturation)
{
    struct simplification *run = user;
    struct rw_progress at = {.stage = "simplify", .done = saturation->rounds};
    return context_progress(run->context, &at);
}

static bool load_rules(void *user, uint32_t n, const uint32_t *number, struct rule_use *use)
{
    struct simplification *run = user;
    if (!rewriter_read(run->rewriter, n, number, &run->loading))
        return false;
    for (uint32_t i = 0; i < n; i++)
        use[i] = run->rewriter->rules.at[number[i]].use;
    return true;
}

static void run_engine(struct simplification *run)
{
    struct u32_vec roots = {0};
    struct slicing slicing;
    struct rw_rewriter *rewriter = run->rewriter;
    simplify_roots(run, &roots);
    egraph_init(&run->graph, &run->in->at.terms, run->egraph);
    saturation_init(&run->saturation, &run->graph, run->saturate);
    run->has_graph = true;
    run->saturation.loader = (struct rule_loader){load_rules, run};
    for (uint32_t i = 0; i < rewriter->rules.len; i++) {
        const struct program_rule *rule = &rewriter->rules.at[i];
        if (rule->use.rule != NULL)
            saturation_add(&run->saturation, rule->use);
        else
            saturation_add_outline(&run->saturation, rule->outline);
    }
    for (uint32_t i = 0; i < roots.len; i++) {
        egraph_add_term(&run->graph, (term_id){roots.at[i]});
        saturation_root(&run->saturation, (term_id){roots.at[i]});
    }
    finite_program(&run->saturation.finite, &run->in->at, &run->in->at.terms);
    for (uint32_t i = 0; i < run->copied.len; i++) {
        egraph_add_term(&run->graph, run->copied.at[i]);
        saturation_root(&run->saturation, run->copied.at[i]);
    }
    while (simplify_state_structure(run))
        ;
    slicing_begin(&slicing, run);
    for (uint32_t i = 0; i < run->calls.len; i++)
        if (egraph_known(&run->graph, run->calls.at[i].call)) // a result of it is used
            saturation_unfold(&run->saturation, run->calls.at[i].call);
    saturate(&run->saturation, tell_round, run);
    // What the rules found may decide a branch.
    if (run->saturation.stop == STOP_SATURATED && simplify_state_structure(run))
        saturate(&run->saturation, tell_round, run);
    slicing_end(&slicing);
    slicing_release(&slicing);
    orbit_complete(&run->graph);
    run->context->cancelled = false;
    vec_release(&roots);
}

static const struct instance *instance_at(void *user, uint32_t number)
{
    struct simplification *run = user;
    return run->saturation.instances.at[number].in;
}

// The output's terms are in the input's store, which the output borrows for
// printing.
static void print_output(struct simplification *run)
{
    struct terms own = run->out.terms;
    run->out.terms = run->in->at.terms;
    run->out.source = run->in->at.source;
    simplify_source(run);
    program_text_print_regions(&run->out, &run->output, &run->record.regions);
    run->out.terms = own;
    run->out.source = NULL;
}

static bool trusted(void *user, const struct record_rule *rule, struct rule_status *out,
                    struct err *err)
{
    const struct rw_rewriter *rewriter = user;
    for (uint32_t i = 0; i < rewriter->rules.len; i++)
        if (rewriter->rules.at[i].use.rule != NULL &&
            strcmp(rewriter->rules.at[i].hash, rule->hash) == 0) {
            *out = rewriter->rules.at[i].use.status;
            return true;
        }
    return err_set(err, ERR_CHECK, "rule %s was not loaded", rule->name);
}

// Only results that the checker accepts are returned: the printed text is read
// back, and the record is replayed on the program read.
static bool check_result(struct simplification *run, struct err *err)
{
    struct program again;
    struct err why = {0};
    struct check_options options = {trusted, run->rewriter, true};
    struct output_of output_of = {&run->in->at, &run->record.regions};
    program_init(&again, &run->in->pool);
    again.pinned = run->in->at.pinned;
    bool ok = program_text_read_output(buf_text(&run->output), run->output.len, "output",
                                       &output_of, &again, &why) &&
              record_check(&run->record, &run->in->at, &again, &options, &why);
    bool same = !ok || run->verify == 0 || simplify_verify(run, &again, err);
    program_release(&again);
    if (!ok && (why.kind == ERR_DB || why.kind == ERR_IO)) { // nothing was rejected
        *err = why;
        return false;
    }
    if (!ok)
        return err_set(err, ERR_NONE, // a bug
                       "a bug in rankwright: its own result is "
                       "rejected: %.600s",
                       why.msg);
    return same;
}

// Were all rules read that the engine asked for?
static bool engine_loaded(struct simplification *run, struct err *err)
{
    if (run->saturation.misfit != NONE)
        return rewriter_misfit(run->rewriter, run->saturation.misfit, err);
    if (run->loading.kind != ERR_NONE)
        *err = run->loading;
    return run->loading.kind == ERR_NONE;
}

static bool simplify(struct simplification *run, struct err *err)
{
    run->in = program_take(run->program, run->keep_attributes, err);
    if (run->in == NULL || !rewriter_load_programs(run->rewriter, err) ||
        !context_continues(run->context, err))
        return false;
    simplify_copy_calls(run);
    run->n_terms = run->in->at.terms.term.len;
    set_limits(run);
    run->has_sizes = simplify_has_sizes(&run->in->at);
    record_init(&run->record, &run->in->pool);
    run->record.reading = run->reading;
    run_engine(run);
    if (!engine_loaded(run, err))
        return false;
    struct recorder recorder = {.graph = &run->graph,
                                .record = &run->record,
                                .rules = run->rewriter->used.at,
                                .instance = instance_at,
                                .ctx = run};
    bool ok = simplify_rebuild(run, &recorder, err);
    recorder_release(&recorder);
    if (!ok)
        return false;
    print_output(run);
    run->record.input = buf_text(&run->program->text);
    run->record.output = buf_text(&run->output);
    run->record.input_name = run->program->file;
    run->record.keep_attributes = run->keep_attributes;
    return check_result(run, err);
}

void simplification_free(struct simplification *run)
{
    if (run == NULL)
        return;
    if (run->has_graph) {
        saturation_release(&run->saturation);
        egraph_release(&run->graph);
        record_release(&run->record);
    }
    if (run->has_out)
        program_release(&run->out);
    parsed_program_free(run->in);
    vec_release(&run->picks);
    vec_release(&run->calls);
    vec_release(&run->copied);
    vec_release(&run->copied_plain);
    vec_release(&run->function_cost);
    vec_release(&run->n_calls);
    vec_release(&run->function_size);
    buf_release(&run->output);
    buf_release(&run->verified);
    mem_free(run->keep_attributes);
    mem_free(run->cost_name);
    mem_free(run);
}

static uint32_t rule_uses(const struct record *record)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < record->lines.len; i++)
        n += record->lines.at[i].kind == LINE_RULE;
    return n;
}

static struct rw_result *result_of(struct simplification *run, double start)
{
    struct rw_result *result = mem_alloc(sizeof *result);
    result->context = run->context;
    result->program = run;
    buf_puts(&result->cost, run->cost.name);
    result->summary =
        (struct rw_summary){.cost = buf_text(&result->cost),
                            .cost_before = run->cost_before,
                            .cost_after = run->cost_after,
                            .nodes = egraph_nodes(&run->graph),
                            .classes = run->graph.cc.n_classes,
                            .rounds = run->saturation.rounds,
                            .steps = rule_uses(&run->record),
                            .stop = stop_text(run->saturation.stop),
                            .complete = ran_to_end(run),
                            .rules = run->rewriter->rules.len,
                            .seconds = clock_wall() - start,
                            .verified = run->verified.len > 0 ? buf_text(&run->verified) : NULL};
    return result;
}

struct rw_result *rw_simplify_program(struct rw_rewriter *rewriter, struct rw_program *program,
                                      const struct rw_simplify_options *options,
                                      struct rw_error *error)
{
    struct err err = {0};
    struct rw_simplify_options own;
    double start = clock_wall();
    struct simplification *run = mem_alloc(sizeof *run);
    run->rewriter = rewriter;
    run->program = program;
    if (rewriter_context(rewriter, &run->context, &err) &&
        options_copy(options, &own, sizeof own, &err) && read_options(run, &own, &err) &&
        simplify(run, &err))
        return result_of(run, start);
    simplification_free(run);
    error_give(&err, error);
    return NULL;
}
