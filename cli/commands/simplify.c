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
    struct command_line *c;
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
    struct egraph g;
    struct saturation s;
    struct record record;
    double cost_before, cost_after;
    bool unproved;        // by --extract exact, in the time it has
    struct u32_vec picks; // nodes chosen for results, for --dump-egraph
};

static bool read_options(struct simplify_job *j, struct err *e)
{
    static const char *const domains[] = {"real", "float"};
    static const char *const methods[] = {"tree", "dag", "exact"};
    static const char *const schedulers[] = {"simple", "backoff"};
    struct command_line *c = j->c;
    uint32_t domain = 1, method = EXTRACT_DAG, scheduler = SCHEDULE_BACKOFF;
    double rounds = 30;
    const char *cost = c->value[OPTION_cost] ? c->value[OPTION_cost] : "nodes";
    const char *output = c->value[OPTION_output],
               *proof = c->value[OPTION_proof];
    if (c->words.len != 1)
        return err_set(e, ERR_USAGE, "simplify: expected one program");
    if (proof && strcmp(proof, output ? output : "-") == 0)
        return err_set(e, ERR_USAGE,
                       "simplify: the program and the record cannot both go "
                       "to %s",
                       proof);
    if (!option_choice(c, OPTION_domain, 2, domains, &domain, e) ||
        !option_choice(c, OPTION_extract, 3, methods, &method, e) ||
        !option_choice(c, OPTION_scheduler, 2, schedulers, &scheduler, e) ||
        !option_count(c, OPTION_nodes, 1, 4e9, &j->max_nodes, e) ||
        !option_number(c, OPTION_seconds, 0, 1e6, &j->seconds, e) ||
        !option_count(c, OPTION_iterations, 0, 1e9, &rounds, e) ||
        !option_count(c, OPTION_picture_nodes, 1, 1e6, &j->picture_nodes, e))
        return false;
    if (!cost_by_name(cost, &j->cost))
        return err_set(e, ERR_USAGE, "--cost: no such model: %s", cost);
    j->float_mode = domain == 0 ? DOMAIN_REAL : DOMAIN_FLOAT;
    j->method = (enum extract_method)method;
    j->egraph = egraph_defaults();
    j->egraph.fold = true;
    j->egraph.fold_exact = j->float_mode == DOMAIN_REAL;
    j->saturate = saturate_defaults();
    j->saturate.scheduler = (enum scheduler)scheduler;
    j->saturate.float_mode = j->float_mode;
    j->saturate.max_rounds = (uint32_t)rounds;
    return true;
}

static bool read_input(struct simplify_job *j, struct err *e)
{
    const char *path = j->c->words.at[0];
    if (!file_read(path, (size_t)1 << 30, &j->input_text, e))
        return false;
    program_init(&j->in, &j->pool);
    j->has_in = true;
    return stablehlo_read(buf_text(&j->input_text), j->input_text.len,
                          strcmp(path, "-") == 0 ? "<stdin>" : path, &j->in, e);
}

// The engine runs the canonical text of a rule, as the database has it.
static bool add_rule(struct simplify_job *j, const char *name, const char *canonical,
                     struct rule_status status, bool assumed, struct err *e)
{
    struct err why = {0};
    if (!ruleset_add_canonical(&j->rules, canonical, name, &why))
        return err_set(e, ERR_DB, "rule %s of the database does not parse: %s",
                       name, why.msg);
    struct used_rule u = {name, canonical, assumed, false};
    vec_push(&j->used, u);
    vec_push(&j->status, status);
    return true;
}

// Proved rules of the database: all, or those of --rules.
static bool load_proved(struct simplify_job *j, struct db *db, struct wanted_rules *w,
                        struct err *e)
{
    struct db_filter f;
    db_filter_init(&f);
    f.verdict = VERDICT_PROVED;
    f.brief = true;
    bool ok = db_find(db, &f, &j->stored, e);
    for (uint32_t i = 0; ok && i < j->stored.rules.len; i++) {
        const struct stored_rule *r = &j->stored.rules.at[i];
        struct rule_status s = status_of_stored(r);
        if (s.proved && is_wanted(w, r->hash))
            ok = add_rule(j, r->name, r->canonical, s, false, e);
    }
    db_filter_release(&f);
    return ok;
}

// A rule that the database has, too, is assumed wherever it is used.
static bool assume_loaded(struct simplify_job *j, const char *hash,
                          struct rule_status status)
{
    for (uint32_t i = 0; i < j->rules.rules.len; i++) {
        if (strcmp(j->rules.rules.at[i]->hash, hash) != 0)
            continue;
        j->status.at[i] = status;
        j->used.at[i].assumed = true;
        return true;
    }
    return false;
}

static bool load_assumed(struct simplify_job *j, struct err *e)
{
    const char *files = j->c->value[OPTION_assume];
    if (!files)
        return true;
    if (!load_rules(&j->assumed, files, e))
        return false;
    struct rule_status all = {.proved = (1u << N_DOMAINS) - 1,
                              .uninterpreted = (1u << N_DOMAINS) - 1};
    for (uint32_t i = 0; i < j->assumed.rules.len; i++) {
        const struct rule *r = j->assumed.rules.at[i];
        if (!assume_loaded(j, r->hash, all) &&
            !add_rule(j, r->name, r->canonical, all, true, e))
            return false;
    }
    return true;
}

static bool load_all(struct simplify_job *j, struct db *db, struct err *e)
{
    struct wanted_rules w;
    bool ok = wanted_load(&w, j->c->value[OPTION_rules], e) &&
              load_proved(j, db, &w, e) && load_assumed(j, e);
    if (ok)
        wanted_remark(&w, (1U << N_DOMAINS) - 1, "", &j->assumed);
    wanted_release(&w);
    return ok;
}

static bool all_roots(struct simplify_job *j, struct u32_vec *roots)
{
    struct u32_vec one = {0};
    for (uint32_t f = 0; f < j->in.functions.len; f++) {
        function_roots(&j->in.functions.at[f], &one);
        for (uint32_t i = 0; i < one.len; i++)
            vec_push(roots, one.at[i]);
    }
    vec_release(&one);
    return roots->len > 0;
}

// Limits that are not given follow from the program's size: they are counted,
// not timed, so that equal input gives equal output.  --seconds alone lifts the
// limit on effort; time is a net otherwise.
static void set_limits(struct simplify_job *j)
{
    j->egraph.deadline = clock_wall() + j->seconds;
    saturate_scale(&j->saturate, &j->egraph, j->in.terms.term.len);
    if (j->max_nodes > 0)
        j->egraph.max_nodes = (uint32_t)j->max_nodes;
    if (j->c->value[OPTION_seconds])
        j->saturate.max_steps = 0;
}

// Is the result all that was asked for?  A limit that the program's size set is
// part of the method; one that the user set, or the net, may have cut it short.
static bool ran_to_end(const struct simplify_job *j)
{
    if (j->unproved)
        return false;
    switch (j->s.stop) {
    case STOP_SATURATED:
    case STOP_EFFORT:
        return true;
    case STOP_ROUNDS: // none wanted, none run
        return !j->c->value[OPTION_iterations] || j->saturate.max_rounds == 0;
    case STOP_NODES:
        return !j->c->value[OPTION_nodes];
    case STOP_BYTES:
    case STOP_TIME:
        break;
    }
    return false;
}

static void run_engine(struct simplify_job *j, const struct u32_vec *roots)
{
    egraph_init(&j->g, &j->in.terms, j->egraph);
    saturation_init(&j->s, &j->g, j->saturate);
    for (uint32_t i = 0; i < j->rules.rules.len; i++)
        saturation_add(&j->s, (struct rule_use){.rule = j->rules.rules.at[i],
                                                .status = j->status.at[i]});
    for (uint32_t i = 0; i < roots->len; i++) {
        egraph_add_term(&j->g, (term_id){roots->at[i]});
        saturation_root(&j->s, (term_id){roots->at[i]});
    }
    egraph_rebuild(&j->g);
    saturate(&j->s, NULL, NULL);
}

static double cost_of(const struct simplify_job *j, const term_id *roots, uint32_t n)
{
    return j->method == EXTRACT_TREE
               ? terms_cost_tree(&j->in.terms, &j->cost, n, roots)
               : terms_cost_dag(&j->in.terms, &j->cost, n, roots);
}

static term_id with_args(struct simplify_job *j, term_id effect, const term_id *args)
{
    struct term t = *term_at(&j->in.terms, effect);
    return term_make(&j->in.terms, (enum op)t.op, t.attr, t.type, t.n_args,
                     args);
}

// Extracts the results and the arguments of the side effects (roots from
// n_results on); a side effect itself stays the operation that it is, even
// where its result is known to equal something cheaper.
static bool extract_roots(struct simplify_job *j, const term_id *roots, uint32_t n,
                          uint32_t n_results, term_id *out, struct err *e)
{
    struct extraction x = {0};
    VEC(term_id) from = {0};
    for (uint32_t i = 0; i < n_results; i++)
        vec_push(&from, roots[i]);
    for (uint32_t i = n_results; i < n; i++)
        for (uint32_t k = 0; k < term_at(&j->in.terms, roots[i])->n_args; k++)
            vec_push(&from, term_args(&j->in.terms, roots[i])[k]);
    term_id *to = mem_alloc(sizeof *to * (from.len + 1u));
    bool ok = from.len == 0 ||
              extract(&j->g, &j->cost, j->method, from.len, from.at, to, &x, e);
    j->unproved |= ok && from.len && j->method == EXTRACT_EXACT && !x.proved;
    for (uint32_t i = 0; i < x.at.len; i++)
        vec_push(&j->picks, x.at.at[i].node.v);
    uint32_t at = n_results;
    for (uint32_t i = 0; ok && i < n_results; i++)
        out[i] = to[i];
    for (uint32_t i = n_results; ok && i < n; i++) {
        out[i] = with_args(j, roots[i], to + at);
        vec_push(&j->picks, roots[i].v);
        at += term_at(&j->in.terms, roots[i])->n_args;
    }
    mem_free(to);
    vec_release(&from);
    extraction_release(&x);
    return ok;
}

// The cheapest roots of one function, or its own where nothing is cheaper.
static bool extract_function(struct simplify_job *j, const term_id *roots, uint32_t n,
                             uint32_t n_results, term_id *out, struct err *e)
{
    double before = cost_of(j, roots, n);
    if (!extract_roots(j, roots, n, n_results, out, e))
        return false;
    double after = cost_of(j, out, n);
    if (after >= before)
        memcpy(out, roots, n * sizeof *out);
    j->cost_before += before;
    j->cost_after += after < before ? after : before;
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
    return ((struct simplify_job *)ctx)->s.instances.at[number].in;
}

// Extracts every function, states its goals, and fills j->out.
static bool rebuild_program(struct simplify_job *j, struct recorder *w, struct err *e)
{
    struct program *out = &j->out;
    program_init(out, &j->pool);
    j->has_out = true;
    out->module_name = j->in.module_name;
    out->module_attrs = j->in.module_attrs;
    out->has_module = j->in.has_module;
    for (uint32_t i = 0; i < j->in.extras.len; i++)
        vec_push(&out->extras, j->in.extras.at[i]);
    bool ok = true;
    struct arena mem = {0};
    for (uint32_t f = 0; ok && f < j->in.functions.len; f++) {
        const struct function *from = &j->in.functions.at[f];
        struct function to;
        struct u32_vec ids = {0};
        function_roots(from, &ids);
        term_id *roots = ARENA_NEW(&mem, term_id, ids.len + 1);
        term_id *best = ARENA_NEW(&mem, term_id, ids.len + 1);
        for (uint32_t i = 0; i < ids.len; i++)
            roots[i].v = ids.at[i];
        copy_function(from, &to);
        ok = from->declaration || ids.len == 0 ||
             extract_function(j, roots, ids.len, from->results.len, best, e);
        for (uint32_t i = 0; ok && !from->declaration && i < ids.len; i++) {
            if (i < to.results.len)
                to.results.at[i].term = best[i];
            else
                to.effects.at[i - to.results.len] = best[i];
            ok = i < to.results.len
                     ? recorder_goal(w, f, i, roots[i], best[i], e)
                     : recorder_effect(w, f, i, roots[i], best[i], e);
        }
        vec_push(&out->functions, to);
        vec_release(&ids);
    }
    arena_release(&mem);
    return ok;
}

// The output's terms stand in the input's store; for printing they are lent.
static void print_output(struct simplify_job *j)
{
    struct terms own = j->out.terms;
    j->out.terms = j->in.terms;
    stablehlo_print(&j->out, &j->output_text);
    j->out.terms = own;
}

struct used_statuses {
    const struct simplify_job *j;
};

static bool trusted(void *ctx, const struct record_rule *r,
                    struct rule_status *out, struct err *e)
{
    const struct simplify_job *j = ((struct used_statuses *)ctx)->j;
    for (uint32_t i = 0; i < j->rules.rules.len; i++)
        if (strcmp(j->rules.rules.at[i]->hash, r->hash) == 0) {
            *out = j->status.at[i];
            return true;
        }
    return err_set(e, ERR_CHECK, "rule %s was not loaded", r->name);
}

// Nothing leaves that the checker does not accept: the printed text is read
// back and the record replayed on it.
static bool check_result(struct simplify_job *j, struct err *e)
{
    struct program again;
    struct err why = {0};
    struct used_statuses s = {j};
    struct check_options o = {trusted, &s, true};
    program_init(&again, &j->pool);
    bool ok = stablehlo_read(buf_text(&j->output_text), j->output_text.len,
                             "output", &again, &why) &&
              record_check(&j->record, &j->in, &again, &o, &why);
    program_release(&again);
    if (!ok) // ERR_NONE is a bug's exit status
        return err_set(e, ERR_NONE,
                       "a bug in rankwright: its own result is "
                       "rejected: %.600s",
                       why.msg);
    return true;
}

static bool store_uses(struct simplify_job *j, struct db *db, struct err *e)
{
    struct buf text = {0};
    char id[65];
    VEC(const char *) hashes = {0};
    record_write(&j->record, &text);
    sha256_hex(buf_text(&text), text.len, id);
    for (uint32_t i = 0; i < j->record.lines.len; i++)
        if (j->record.lines.at[i].kind == LINE_RULE)
            vec_push(&hashes,
                     j->record.rules.at[j->record.lines.at[i].rule].hash);
    bool ok =
        file_write(j->c->value[OPTION_proof], buf_text(&text), text.len, e) &&
        (!db_writable(db) || db_put_record(db, id, domain_text(j->float_mode),
                                           hashes.len, hashes.at, e));
    vec_release(&hashes);
    buf_release(&text);
    return ok;
}

static uint32_t rule_uses(const struct record *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->lines.len; i++)
        n += r->lines.at[i].kind == LINE_RULE;
    return n;
}

static bool summary(struct simplify_job *j, struct err *e)
{
    double seconds = clock_wall() - j->start;
    if (!j->c->value[OPTION_json]) {
        note("%s: cost (%s) %g -> %g, %u rule uses, %u nodes, %u rounds, "
             "stopped: %s, %.2f s",
             j->c->words.at[0], j->cost.name, j->cost_before, j->cost_after,
             rule_uses(&j->record), egraph_nodes(&j->g), j->s.rounds,
             stop_text(j->s.stop), seconds);
        return true;
    }
    struct buf out = {0};
    json_line(json_pack("{s:I, s:I, s:I, s:f, s:f, s:s, s:I, s:f}", "nodes",
                        (json_int_t)egraph_nodes(&j->g), "classes",
                        (json_int_t)j->g.cc.n_classes, "iterations",
                        (json_int_t)j->s.rounds, "cost_before", j->cost_before,
                        "cost_after", j->cost_after, "stop",
                        stop_text(j->s.stop), "steps",
                        (json_int_t)rule_uses(&j->record), "seconds", seconds),
              &out);
    bool ok = print_all(&out, e);
    buf_release(&out);
    return ok;
}

static void print_stats(const struct simplify_job *j)
{
    if (!j->c->value[OPTION_stats])
        return;
    for (uint32_t i = 0; i < j->s.rules.len; i++) {
        const struct running_rule *r = &j->s.rules.at[i];
        if (r->pattern.refused)
            note("%-40s does not run: %s", j->used.at[i].name,
                 r->pattern.refused);
        else if (r->stats.matches || r->stats.seconds > 1e-3)
            note("%-40s %6llu new %6llu applied %6llu missed %6llu failed "
                 "%8llu steps %8.1f ms",
                 j->used.at[i].name, (unsigned long long)r->stats.matches,
                 (unsigned long long)r->stats.applied,
                 (unsigned long long)r->stats.missed,
                 (unsigned long long)r->stats.failed,
                 (unsigned long long)r->stats.steps, r->stats.seconds * 1e3);
    }
    note("%llu match steps, peak memory %.1f MB",
         (unsigned long long)j->s.steps, (double)memory_peak() / 1e6);
}

static bool write_output(struct simplify_job *j, struct db *db, struct err *e)
{
    const char *path = j->c->value[OPTION_output];
    bool quiet = j->c->value[OPTION_json] && !path;
    if (j->c->value[OPTION_proof] && !store_uses(j, db, e))
        return false;
    if (!quiet && !file_write(path ? path : "-", buf_text(&j->output_text),
                              j->output_text.len, e))
        return false;
    print_stats(j);
    return summary(j, e);
}

// What the engine found, with all results as roots.
static bool dump_egraph(struct simplify_job *j, struct err *e)
{
    const char *path = j->c->value[OPTION_dump_egraph];
    struct egraph_file f;
    struct u32_vec ids = {0};
    uint32_t *chosen;
    if (!path)
        return true;
    all_roots(j, &ids);
    term_id *roots = mem_alloc(sizeof *roots * ((size_t)ids.len + 1));
    for (uint32_t i = 0; i < ids.len; i++)
        roots[i].v = ids.at[i];
    egraph_file_of(&j->g, &j->cost, ids.len, roots, &j->picks, &f, &chosen);
    bool ok = write_egraph(path, &f, chosen, (uint32_t)j->picture_nodes, e);
    mem_free(chosen);
    egraph_file_release(&f);
    mem_free(roots);
    vec_release(&ids);
    return ok;
}

static bool simplify(struct simplify_job *j, struct db *db, struct err *e)
{
    struct u32_vec roots = {0};
    if (!read_input(j, e) || !load_all(j, db, e))
        return false;
    all_roots(j, &roots);
    set_limits(j);
    run_engine(j, &roots);
    vec_release(&roots);
    record_init(&j->record, &j->pool);
    j->record.float_mode = j->float_mode;
    j->record.fold_exact = j->egraph.fold_exact;
    struct recorder w = {.g = &j->g,
                         .r = &j->record,
                         .rules = j->used.at,
                         .instance = instance_at,
                         .ctx = j};
    bool ok = rebuild_program(j, &w, e);
    recorder_release(&w);
    if (!ok)
        return false;
    print_output(j);
    j->record.input = buf_text(&j->input_text);
    j->record.output = buf_text(&j->output_text);
    j->record.input_name = j->c->words.at[0];
    return check_result(j, e) && dump_egraph(j, e) && write_output(j, db, e);
}

static void job_release(struct simplify_job *j)
{
    saturation_release(&j->s);
    egraph_release(&j->g);
    record_release(&j->record);
    if (j->has_in)
        program_release(&j->in);
    if (j->has_out)
        program_release(&j->out);
    vec_release(&j->used);
    vec_release(&j->picks);
    vec_release(&j->status);
    stored_rules_release(&j->stored);
    ruleset_release(&j->rules);
    ruleset_release(&j->assumed);
    buf_release(&j->input_text);
    buf_release(&j->output_text);
    pool_release(&j->pool);
}

int cmd_simplify(struct command_line *c)
{
    if (formula_wanted(c))
        return formula_simplify(c);
    struct err e = {0};
    struct simplify_job j = {
        .c = c, .start = clock_wall(), .seconds = 60, .picture_nodes = 200};
    struct db *db = NULL;
    pool_init(&j.pool);
    ruleset_init(&j.rules);
    ruleset_init(&j.assumed);
    bool ok = read_options(&j, &e) && open_proved_library(c, &db, &e) &&
              simplify(&j, db, &e);
    int status = !ok              ? report_error(&e)
                 : ran_to_end(&j) ? EXIT_YES
                                  : EXIT_UNKNOWN;
    db_close(db);
    job_release(&j);
    return status;
}
