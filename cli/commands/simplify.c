// SPDX-License-Identifier: Apache-2.0
// A program in, a cheaper one out, by proved rules only:
//   read; load the rules and their verdicts; saturate; extract; explain every
//   result; check the record; write.
#include "cli/cli.h"
#include "cli/egraph/files.h"
#include "cli/formula/formula.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"
#include "cli/records/simplify.h"
#include "cli/proving/statuses.h"

#include "base/clock.h"
#include "base/hash.h"
#include "egraph/extract/extract.h"
#include "egraph/saturate.h"
#include "io/stablehlo/stablehlo.h"
#include "proof/program/check.h"

struct simplify_job {
    struct command_line *command;
    enum domain float_mode;
    struct cost cost;
    enum extract_method method;
    struct saturate_options saturate;
    struct egraph_options egraph;
    double start, seconds;
    double max_nodes; // 0: as the program's size asks
    double picture_nodes;

    struct pool pool;
    struct buf input_text, output_text;
    struct program in, out;
    bool has_in, has_out;
    struct stored_rules stored;
    struct ruleset rules; // what the engine runs
    struct ruleset assumed;
    VEC(struct used_rule) used; // by the engine's rule numbers
    VEC(struct rule_status) status;
    struct egraph graph;
    struct saturation saturation;
    struct record record;
    double cost_before, cost_after;
    bool unproved;        // by --extract exact, in the time it has
    struct u32_vec picks; // nodes chosen for results, for --dump-egraph
};

static bool read_options(struct simplify_job *job, struct err *err)
{
    static const char *const domains[] = {"real", "float"};
    static const char *const methods[] = {"tree", "dag", "exact"};
    static const char *const schedulers[] = {"simple", "backoff"};
    struct command_line *command = job->command;
    uint32_t domain = 1, method = EXTRACT_DAG, scheduler = SCHEDULE_BACKOFF;
    double rounds = 30;
    const char *cost = command->value[OPTION_cost] ? command->value[OPTION_cost] : "nodes";
    const char *output = command->value[OPTION_output], *proof = command->value[OPTION_proof];
    if (command->words.len != 1)
        return err_set(err, ERR_USAGE, "simplify: expected one program");
    if (proof && strcmp(proof, output ? output : "-") == 0)
        return err_set(err, ERR_USAGE,
                       "simplify: the program and the record cannot both go "
                       "to %s",
                       proof);
    if (!option_choice(command, OPTION_domain, 2, domains, &domain, err) ||
        !option_choice(command, OPTION_extract, 3, methods, &method, err) ||
        !option_choice(command, OPTION_scheduler, 2, schedulers, &scheduler, err) ||
        !option_count(command, OPTION_nodes, 1, 4e9, &job->max_nodes, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &job->seconds, err) ||
        !option_count(command, OPTION_iterations, 0, 1e9, &rounds, err) ||
        !option_count(command, OPTION_picture_nodes, 1, 1e6, &job->picture_nodes, err))
        return false;
    if (!cost_by_name(cost, &job->cost))
        return err_set(err, ERR_USAGE, "--cost: no such model: %s", cost);
    job->float_mode = domain == 0 ? DOMAIN_REAL : DOMAIN_FLOAT;
    job->method = (enum extract_method)method;
    job->egraph = egraph_defaults();
    job->egraph.fold = true;
    job->egraph.fold_exact = job->float_mode == DOMAIN_REAL;
    job->saturate = saturate_defaults();
    job->saturate.scheduler = (enum scheduler)scheduler;
    job->saturate.float_mode = job->float_mode;
    job->saturate.max_rounds = (uint32_t)rounds;
    return true;
}

static bool read_input(struct simplify_job *job, struct err *err)
{
    const char *path = job->command->words.at[0];
    if (!file_read(path, (size_t)1 << 30, &job->input_text, err))
        return false;
    program_init(&job->in, &job->pool);
    job->has_in = true;
    return stablehlo_read(buf_text(&job->input_text), job->input_text.len,
                          strcmp(path, "-") == 0 ? "<stdin>" : path, &job->in, err);
}

// The engine runs the canonical text of a rule, as the database has it.
static bool add_rule(struct simplify_job *job, const char *name, const char *canonical,
                     struct rule_status status, bool assumed, struct err *err)
{
    struct err why = {0};
    if (!ruleset_add_canonical(&job->rules, canonical, name, &why))
        return err_set(err, ERR_DB, "rule %s of the database does not parse: %s", name, why.msg);
    struct used_rule used = {name, canonical, assumed, false};
    vec_push(&job->used, used);
    vec_push(&job->status, status);
    return true;
}

// Proved rules of the database: all, or those of --rules.
static bool load_proved(struct simplify_job *job, struct db *db, struct wanted_rules *wanted_rules,
                        struct err *err)
{
    struct db_filter filter;
    db_filter_init(&filter);
    filter.verdict = VERDICT_PROVED;
    filter.brief = true;
    bool ok = db_find(db, &filter, &job->stored, err);
    for (uint32_t i = 0; ok && i < job->stored.rules.len; i++) {
        const struct stored_rule *stored = &job->stored.rules.at[i];
        struct rule_status status = status_of_stored(stored);
        if (status.proved && is_wanted(wanted_rules, stored->hash))
            ok = add_rule(job, stored->name, stored->canonical, status, false, err);
    }
    db_filter_release(&filter);
    return ok;
}

// A rule that the database has, too, is assumed wherever it is used.
static bool assume_loaded(struct simplify_job *job, const char *hash, struct rule_status status)
{
    for (uint32_t i = 0; i < job->rules.rules.len; i++) {
        if (strcmp(job->rules.rules.at[i]->hash, hash) != 0)
            continue;
        job->status.at[i] = status;
        job->used.at[i].assumed = true;
        return true;
    }
    return false;
}

static bool load_assumed(struct simplify_job *job, struct err *err)
{
    const char *files = job->command->value[OPTION_assume];
    if (!files)
        return true;
    if (!load_rules(&job->assumed, files, err))
        return false;
    struct rule_status all = {.proved = (1u << N_DOMAINS) - 1,
                              .uninterpreted = (1u << N_DOMAINS) - 1};
    for (uint32_t i = 0; i < job->assumed.rules.len; i++) {
        const struct rule *rule = job->assumed.rules.at[i];
        if (!assume_loaded(job, rule->hash, all) &&
            !add_rule(job, rule->name, rule->canonical, all, true, err))
            return false;
    }
    return true;
}

static bool load_all(struct simplify_job *job, struct db *db, struct err *err)
{
    struct wanted_rules wanted_rules;
    bool ok = wanted_load(&wanted_rules, job->command->value[OPTION_rules], err) &&
              load_proved(job, db, &wanted_rules, err) && load_assumed(job, err);
    if (ok)
        wanted_remark(&wanted_rules, (1U << N_DOMAINS) - 1, "", &job->assumed);
    wanted_release(&wanted_rules);
    return ok;
}

static bool all_roots(struct simplify_job *job, struct u32_vec *roots)
{
    struct u32_vec one = {0};
    for (uint32_t f = 0; f < job->in.functions.len; f++) {
        function_roots(&job->in.functions.at[f], &one);
        for (uint32_t i = 0; i < one.len; i++)
            vec_push(roots, one.at[i]);
    }
    vec_release(&one);
    return roots->len > 0;
}

// Limits that are not given follow from the program's size: they are counted,
// not timed, so that equal input gives equal output.  --seconds alone lifts the
// limit on effort; time is a net otherwise.
static void set_limits(struct simplify_job *job)
{
    job->egraph.deadline = clock_wall() + job->seconds;
    saturate_scale(&job->saturate, &job->egraph, job->in.terms.term.len);
    if (job->max_nodes > 0)
        job->egraph.max_nodes = (uint32_t)job->max_nodes;
    if (job->command->value[OPTION_seconds])
        job->saturate.max_steps = 0;
}

// Is the result all that was asked for?  A limit that the program's size set is
// part of the method; one that the user set, or the net, may have cut it short.
static bool ran_to_end(const struct simplify_job *job)
{
    if (job->unproved)
        return false;
    switch (job->saturation.stop) {
    case STOP_SATURATED:
    case STOP_EFFORT:
        return true;
    case STOP_ROUNDS: // none wanted, none run
        return !job->command->value[OPTION_iterations] || job->saturate.max_rounds == 0;
    case STOP_NODES:
        return !job->command->value[OPTION_nodes];
    case STOP_BYTES:
    case STOP_TIME:
        break;
    }
    return false;
}

static void run_engine(struct simplify_job *job, const struct u32_vec *roots)
{
    egraph_init(&job->graph, &job->in.terms, job->egraph);
    saturation_init(&job->saturation, &job->graph, job->saturate);
    for (uint32_t i = 0; i < job->rules.rules.len; i++)
        saturation_add(&job->saturation, (struct rule_use){.rule = job->rules.rules.at[i],
                                                           .status = job->status.at[i]});
    for (uint32_t i = 0; i < roots->len; i++) {
        egraph_add_term(&job->graph, (term_id){roots->at[i]});
        saturation_root(&job->saturation, (term_id){roots->at[i]});
    }
    egraph_rebuild(&job->graph);
    saturate(&job->saturation, NULL, NULL);
}

static double cost_of(const struct simplify_job *job, const term_id *roots, uint32_t n)
{
    return job->method == EXTRACT_TREE ? terms_cost_tree(&job->in.terms, &job->cost, n, roots)
                                       : terms_cost_dag(&job->in.terms, &job->cost, n, roots);
}

static term_id with_args(struct simplify_job *job, term_id effect, const term_id *args)
{
    struct term node = *term_at(&job->in.terms, effect);
    return term_make(&job->in.terms, (enum op)node.op, node.attr, node.type, node.n_args, args);
}

// Extracts the results and the arguments of the side effects (roots from
// n_results on); a side effect itself stays the operation that it is, even
// where its result is known to equal something cheaper.
static bool extract_roots(struct simplify_job *job, const term_id *roots, uint32_t n,
                          uint32_t n_results, term_id *out, struct err *err)
{
    struct extraction extraction = {0};
    VEC(term_id) from = {0};
    for (uint32_t i = 0; i < n_results; i++)
        vec_push(&from, roots[i]);
    for (uint32_t i = n_results; i < n; i++)
        for (uint32_t k = 0; k < term_at(&job->in.terms, roots[i])->n_args; k++)
            vec_push(&from, term_args(&job->in.terms, roots[i])[k]);
    term_id *to = mem_alloc(sizeof *to * (from.len + 1u));
    bool ok = from.len == 0 || extract(&job->graph, &job->cost, job->method, from.len, from.at, to,
                                       &extraction, err);
    job->unproved |= ok && from.len && job->method == EXTRACT_EXACT && !extraction.proved;
    for (uint32_t i = 0; i < extraction.at.len; i++)
        vec_push(&job->picks, extraction.at.at[i].node.v);
    uint32_t at = n_results;
    for (uint32_t i = 0; ok && i < n_results; i++)
        out[i] = to[i];
    for (uint32_t i = n_results; ok && i < n; i++) {
        out[i] = with_args(job, roots[i], to + at);
        vec_push(&job->picks, roots[i].v);
        at += term_at(&job->in.terms, roots[i])->n_args;
    }
    mem_free(to);
    vec_release(&from);
    extraction_release(&extraction);
    return ok;
}

// The cheapest roots of one function, or its own where nothing is cheaper.
static bool extract_function(struct simplify_job *job, const term_id *roots, uint32_t n,
                             uint32_t n_results, term_id *out, struct err *err)
{
    double before = cost_of(job, roots, n);
    if (!extract_roots(job, roots, n, n_results, out, err))
        return false;
    double after = cost_of(job, out, n);
    if (after >= before)
        memcpy(out, roots, n * sizeof *out);
    job->cost_before += before;
    job->cost_after += after < before ? after : before;
    return true;
}

static void copy_function(const struct function *from, struct function *to)
{
    *to = *from;
    memset(&to->params, 0, sizeof to->params);
    memset(&to->results, 0, sizeof to->results);
    memset(&to->effects, 0, sizeof to->effects);
    for (uint32_t i = 0; i < from->params.len; i++)
        vec_push(&to->params, from->params.at[i]);
    for (uint32_t i = 0; i < from->results.len; i++)
        vec_push(&to->results, from->results.at[i]);
    for (uint32_t i = 0; i < from->effects.len; i++)
        vec_push(&to->effects, from->effects.at[i]);
}

static const struct instance *instance_at(void *ctx, uint32_t number)
{
    return ((struct simplify_job *)ctx)->saturation.instances.at[number].in;
}

// Extracts every function, states its goals, and fills job->out.
static bool rebuild_program(struct simplify_job *job, struct recorder *recorder, struct err *err)
{
    struct program *out = &job->out;
    program_init(out, &job->pool);
    job->has_out = true;
    out->module_name = job->in.module_name;
    out->module_attrs = job->in.module_attrs;
    out->has_module = job->in.has_module;
    for (uint32_t i = 0; i < job->in.extras.len; i++)
        vec_push(&out->extras, job->in.extras.at[i]);
    bool ok = true;
    struct arena mem = {0};
    for (uint32_t f = 0; ok && f < job->in.functions.len; f++) {
        const struct function *from = &job->in.functions.at[f];
        struct function to;
        struct u32_vec ids = {0};
        function_roots(from, &ids);
        term_id *roots = ARENA_NEW(&mem, term_id, ids.len + 1);
        term_id *best = ARENA_NEW(&mem, term_id, ids.len + 1);
        for (uint32_t i = 0; i < ids.len; i++)
            roots[i].v = ids.at[i];
        copy_function(from, &to);
        ok = from->declaration || ids.len == 0 ||
             extract_function(job, roots, ids.len, from->results.len, best, err);
        for (uint32_t i = 0; ok && !from->declaration && i < ids.len; i++) {
            if (i < to.results.len)
                to.results.at[i].term = best[i];
            else
                to.effects.at[i - to.results.len] = best[i];
            ok = i < to.results.len ? recorder_goal(recorder, f, i, roots[i], best[i], err)
                                    : recorder_effect(recorder, f, i, roots[i], best[i], err);
        }
        vec_push(&out->functions, to);
        vec_release(&ids);
    }
    arena_release(&mem);
    return ok;
}

// The output's terms stand in the input's store; for printing they are lent.
static void print_output(struct simplify_job *job)
{
    struct terms own = job->out.terms;
    job->out.terms = job->in.terms;
    stablehlo_print(&job->out, &job->output_text);
    job->out.terms = own;
}

struct used_statuses {
    const struct simplify_job *job;
};

static bool trusted(void *ctx, const struct record_rule *rule, struct rule_status *out,
                    struct err *err)
{
    const struct simplify_job *job = ((struct used_statuses *)ctx)->job;
    for (uint32_t i = 0; i < job->rules.rules.len; i++)
        if (strcmp(job->rules.rules.at[i]->hash, rule->hash) == 0) {
            *out = job->status.at[i];
            return true;
        }
    return err_set(err, ERR_CHECK, "rule %s was not loaded", rule->name);
}

// Nothing leaves that the checker does not accept: the printed text is read
// back and the record replayed on it.
static bool check_result(struct simplify_job *job, struct err *err)
{
    struct program again;
    struct err why = {0};
    struct used_statuses used_statuses = {job};
    struct check_options options = {trusted, &used_statuses, true};
    program_init(&again, &job->pool);
    bool ok =
        stablehlo_read(buf_text(&job->output_text), job->output_text.len, "output", &again, &why) &&
        record_check(&job->record, &job->in, &again, &options, &why);
    program_release(&again);
    if (!ok) // ERR_NONE is a bug's exit status
        return err_set(err, ERR_NONE,
                       "a bug in rankwright: its own result is "
                       "rejected: %.600s",
                       why.msg);
    return true;
}

static bool store_uses(struct simplify_job *job, struct db *db, struct err *err)
{
    struct buf text = {0};
    char id[65];
    VEC(const char *) hashes = {0};
    record_write(&job->record, &text);
    sha256_hex(buf_text(&text), text.len, id);
    for (uint32_t i = 0; i < job->record.lines.len; i++)
        if (job->record.lines.at[i].kind == LINE_RULE)
            vec_push(&hashes, job->record.rules.at[job->record.lines.at[i].rule].hash);
    bool ok = file_write(job->command->value[OPTION_proof], buf_text(&text), text.len, err) &&
              (!db_writable(db) ||
               db_put_record(db, id, domain_text(job->float_mode), hashes.len, hashes.at, err));
    vec_release(&hashes);
    buf_release(&text);
    return ok;
}

static uint32_t rule_uses(const struct record *record)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < record->lines.len; i++)
        n += record->lines.at[i].kind == LINE_RULE;
    return n;
}

static bool summary(struct simplify_job *job, struct err *err)
{
    double seconds = clock_wall() - job->start;
    if (!job->command->value[OPTION_json]) {
        note("%s: cost (%s) %g -> %g, %u rule uses, %u nodes, %u rounds, "
             "stopped: %s, %.2f s",
             job->command->words.at[0], job->cost.name, job->cost_before, job->cost_after,
             rule_uses(&job->record), egraph_nodes(&job->graph), job->saturation.rounds,
             stop_text(job->saturation.stop), seconds);
        return true;
    }
    struct buf out = {0};
    json_line(json_pack("{s:I, s:I, s:I, s:f, s:f, s:s, s:I, s:f}", "nodes",
                        (json_int_t)egraph_nodes(&job->graph), "classes",
                        (json_int_t)job->graph.cc.n_classes, "iterations",
                        (json_int_t)job->saturation.rounds, "cost_before", job->cost_before,
                        "cost_after", job->cost_after, "stop", stop_text(job->saturation.stop),
                        "steps", (json_int_t)rule_uses(&job->record), "seconds", seconds),
              &out);
    bool ok = print_all(&out, err);
    buf_release(&out);
    return ok;
}

static void print_stats(const struct simplify_job *job)
{
    if (!job->command->value[OPTION_stats])
        return;
    for (uint32_t i = 0; i < job->saturation.rules.len; i++) {
        const struct running_rule *running = &job->saturation.rules.at[i];
        if (running->pattern.refused)
            note("%-40s does not run: %s", job->used.at[i].name, running->pattern.refused);
        else if (running->stats.matches || running->stats.seconds > 1e-3)
            note("%-40s %6llu new %6llu applied %6llu missed %6llu failed "
                 "%8llu steps %8.1f ms",
                 job->used.at[i].name, (unsigned long long)running->stats.matches,
                 (unsigned long long)running->stats.applied,
                 (unsigned long long)running->stats.missed,
                 (unsigned long long)running->stats.failed,
                 (unsigned long long)running->stats.steps, running->stats.seconds * 1e3);
    }
    note("%llu match steps, peak memory %.1f MB", (unsigned long long)job->saturation.steps,
         (double)memory_peak() / 1e6);
}

static bool write_output(struct simplify_job *job, struct db *db, struct err *err)
{
    const char *path = job->command->value[OPTION_output];
    bool quiet = job->command->value[OPTION_json] && !path;
    if (job->command->value[OPTION_proof] && !store_uses(job, db, err))
        return false;
    if (!quiet &&
        !file_write(path ? path : "-", buf_text(&job->output_text), job->output_text.len, err))
        return false;
    print_stats(job);
    return summary(job, err);
}

// What the engine found, with all results as roots.
static bool dump_egraph(struct simplify_job *job, struct err *err)
{
    const char *path = job->command->value[OPTION_dump_egraph];
    struct egraph_file file;
    struct u32_vec ids = {0};
    uint32_t *chosen;
    if (!path)
        return true;
    all_roots(job, &ids);
    term_id *roots = mem_alloc(sizeof *roots * ((size_t)ids.len + 1));
    for (uint32_t i = 0; i < ids.len; i++)
        roots[i].v = ids.at[i];
    egraph_file_of(&job->graph, &job->cost, ids.len, roots, &job->picks, &file, &chosen);
    bool ok = write_egraph(path, &file, chosen, (uint32_t)job->picture_nodes, err);
    mem_free(chosen);
    egraph_file_release(&file);
    mem_free(roots);
    vec_release(&ids);
    return ok;
}

static bool simplify(struct simplify_job *job, struct db *db, struct err *err)
{
    struct u32_vec roots = {0};
    if (!read_input(job, err) || !load_all(job, db, err))
        return false;
    all_roots(job, &roots);
    set_limits(job);
    run_engine(job, &roots);
    vec_release(&roots);
    record_init(&job->record, &job->pool);
    job->record.float_mode = job->float_mode;
    job->record.fold_exact = job->egraph.fold_exact;
    struct recorder recorder = {.graph = &job->graph,
                                .record = &job->record,
                                .rules = job->used.at,
                                .instance = instance_at,
                                .ctx = job};
    bool ok = rebuild_program(job, &recorder, err);
    recorder_release(&recorder);
    if (!ok)
        return false;
    print_output(job);
    job->record.input = buf_text(&job->input_text);
    job->record.output = buf_text(&job->output_text);
    job->record.input_name = job->command->words.at[0];
    return check_result(job, err) && dump_egraph(job, err) && write_output(job, db, err);
}

static void job_release(struct simplify_job *job)
{
    saturation_release(&job->saturation);
    egraph_release(&job->graph);
    record_release(&job->record);
    if (job->has_in)
        program_release(&job->in);
    if (job->has_out)
        program_release(&job->out);
    vec_release(&job->used);
    vec_release(&job->picks);
    vec_release(&job->status);
    stored_rules_release(&job->stored);
    ruleset_release(&job->rules);
    ruleset_release(&job->assumed);
    buf_release(&job->input_text);
    buf_release(&job->output_text);
    pool_release(&job->pool);
}

int cmd_simplify(struct command_line *command)
{
    if (formula_wanted(command))
        return formula_simplify(command);
    struct err err = {0};
    struct simplify_job job = {
        .command = command, .start = clock_wall(), .seconds = 60, .picture_nodes = 200};
    struct db *db = NULL;
    pool_init(&job.pool);
    ruleset_init(&job.rules);
    ruleset_init(&job.assumed);
    bool ok = read_options(&job, &err) && open_proved_library(command, &db, &err) &&
              simplify(&job, db, &err);
    int status = !ok ? report_error(&err) : ran_to_end(&job) ? EXIT_YES : EXIT_UNKNOWN;
    db_close(db);
    job_release(&job);
    return status;
}
