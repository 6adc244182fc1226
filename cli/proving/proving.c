// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/proving.h"

#include "cli/proving/rule_json.h"
#include "base/clock.h"
#include "base/hash.h"
#include "verify/workers/pool.h"
#include <unistd.h>

#define TERMINAL_WIDTH 79

static double processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (double)n;
}

bool proving_options(const struct command_line *command, struct proving *proving, struct err *err)
{
    // in the order of enum solver
    static const char *const solvers[] = {"z3", "cvc5", "both"};
    double jobs = processors(), timeout = 30, memory = 0, seed = 0;
    // in the order of enum rank_method
    static const char *const methods[] = {"auto", "rank", "closure", "both", "coefficients"};
    uint32_t solver = 0, method = RANK_METHOD_AUTO;
    if (!option_domains(command, &proving->domains, err) ||
        !option_count(command, OPTION_jobs, 1, 256, &jobs, err) ||
        !option_number(command, OPTION_timeout, 0.001, 1e6, &timeout, err) ||
        !option_count(command, OPTION_memory, 1, 1e6, &memory, err) ||
        !option_count(command, OPTION_seed, 0, 1e15, &seed, err) ||
        !option_choice(command, OPTION_solver, 3, solvers, &solver, err) ||
        !option_choice(command, OPTION_method, 5, methods, &method, err))
        return false;
    proving->lifting = (enum rank_method)method;
    proving->solver = (enum solver)solver;
    proving->solver_program = command->value[OPTION_solver_program];
    proving->jobs = (unsigned)jobs;
    proving->timeout = timeout;
    proving->no_search = command->value[OPTION_no_search] != NULL;
    proving->memory = (uint64_t)memory << 20;
    proving->seed = (uint64_t)seed;
    // A second opinion is one about verdicts that may be stored.
    proving->again = command->value[OPTION_again] != NULL || solver != SOLVER_Z3 ||
                     proving->lifting != RANK_METHOD_AUTO;
    return true;
}

bool load_rules(struct ruleset *set, const char *paths, struct err *err)
{
    struct err_list errs = {0};
    bool ok = true;
    while (*paths) {
        struct buf path = {0};
        size_t n = strcspn(paths, ",");
        buf_write(&path, paths, n);
        ok = ruleset_load(set, buf_text(&path), &errs) && ok;
        buf_release(&path);
        paths += n + (paths[n] == ',');
    }
    for (uint32_t i = 0; i + 1 < errs.at.len; i++)
        report_error(&errs.at.at[i]);
    if (errs.at.len)
        *err = vec_last(&errs.at);
    vec_release(&errs.at);
    return ok;
}

struct proving_progress {
    struct db *db;
    const struct rule *const *rules;
    uint32_t n, done;
    uint32_t claims[3]; // by verdict
    uint64_t peak_kib;
    int64_t run;
    double start;
    bool terminal;
    bool second; // an unknown verdict is no confirmation
    struct err *err;
    bool failed;
};

// Seconds as "1 h 02 min", "3 min", "12 s".
static void put_duration(double seconds, struct buf *out)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        buf_printf(out, "%lu h %02lu min", s / 3600, s / 60 % 60);
    else if (s >= 100)
        buf_printf(out, "%lu min", (s + 30) / 60);
    else
        buf_printf(out, "%lu s", s);
}

// One line that is written over again and again; only on a terminal.
static void show_progress(const struct proving_progress *proving_progress)
{
    struct buf line = {0};
    if (!proving_progress->terminal)
        return;
    double spent = clock_wall() - proving_progress->start;
    buf_printf(&line, "%u of %u rules; claims: %u proved, %u refuted, %u unknown; ",
               proving_progress->done, proving_progress->n,
               proving_progress->claims[VERDICT_PROVED], proving_progress->claims[VERDICT_REFUTED],
               proving_progress->claims[VERDICT_UNKNOWN]);
    put_duration(spent, &line);
    buf_puts(&line, ", about ");
    put_duration(spent / proving_progress->done * (proving_progress->n - proving_progress->done),
                 &line);
    buf_puts(&line, " left");
    fprintf(stderr, "\r%-*s", TERMINAL_WIDTH, buf_text(&line));
    if (proving_progress->done == proving_progress->n)
        fprintf(stderr, "\r%*s\r", TERMINAL_WIDTH, "");
    buf_release(&line);
}

static void count(struct proving_progress *proving_progress, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].claimed)
            proving_progress->claims[rep->domains.at[i].verdict]++;
    if (rep->peak_kib > proving_progress->peak_kib)
        proving_progress->peak_kib = rep->peak_kib;
    proving_progress->done++;
}

// What a second opinion does not confirm, for whatever reason, must not be left
// to an earlier verdict.
static void mark_unconfirmed(struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        struct domain_report *report = &rep->domains.at[i];
        struct buf text = {0};
        if (report->verdict != VERDICT_UNKNOWN || verdict_is_internal(report->reason))
            continue;
        buf_printf(&text, REASON_UNCONFIRMED "%s", report->reason);
        report->reason = arena_strdup(&rep->mem, buf_text(&text));
        buf_release(&text);
    }
}

// Each report is in the database before the next one is waited for.
static bool store(void *ctx, uint32_t rule, struct report *rep)
{
    struct proving_progress *proving_progress = ctx;
    if (proving_progress->second)
        mark_unconfirmed(rep);
    count(proving_progress, rep);
    bool ok = db_put_report(proving_progress->db, proving_progress->rules[rule], rep,
                            proving_progress->run, proving_progress->err);
    report_release(rep);
    proving_progress->failed = !ok;
    show_progress(proving_progress);
    return ok;
}

// The rules that some wanted domain has no current verdict for; the texts of
// the others are brought up to date.  `n_other`: rules that none of the wanted
// domains applies to.
static bool to_prove(struct db *db, const struct ruleset *set, const struct proving *proving,
                     const struct rule **wanted, uint32_t *n, uint32_t *n_other, struct err *err)
{
    *n = *n_other = 0;
    for (uint32_t i = 0; i < set->rules.len; i++) {
        const struct rule *rule = set->rules.at[i];
        unsigned done;
        bool current;
        if (!db_rule_state(db, rule, &done, &current, err))
            return false;
        *n_other += (proving->domains & rule_domains(rule)) == 0;
        if (proving->domains & rule_domains(rule) & ~(proving->again ? 0 : done))
            wanted[(*n)++] = rule;
        else if (!current && !db_put_rule(db, rule, err))
            return false;
    }
    return true;
}

static struct worker_options worker_options(const struct proving *proving)
{
    return (struct worker_options){.jobs = proving->jobs,
                                   .seconds_per_rule = proving->timeout,
                                   .memory = proving->memory,
                                   .prove = {.domains = proving->domains,
                                             .seed = proving->seed,
                                             .lifting = proving->lifting,
                                             .no_search = proving->no_search,
                                             .solver = proving->solver,
                                             .solver_program = proving->solver_program}};
}

bool prove_into(struct db *db, const struct ruleset *set, const struct proving *proving, bool quiet,
                bool *interrupted, struct proving_stats *stats, struct err *err)
{
    struct arena mem = {0};
    const struct rule **wanted = ARENA_NEW(&mem, const struct rule *, set->rules.len + 1);
    struct proving_progress progress = {.db = db,
                                        .rules = wanted,
                                        .start = clock_wall(),
                                        .terminal = isatty(STDERR_FILENO) == 1,
                                        .second =
                                            proving->confirm || proving->solver == SOLVER_CVC5,
                                        .err = err};
    struct worker_options options = worker_options(proving);
    struct workers_result res = {0};
    *interrupted = false;
    uint32_t other = 0;
    bool ok = to_prove(db, set, proving, wanted, &progress.n, &other, err);
    if (ok && quiet && progress.n)
        note("proving %u rules of the library first", progress.n);
    if (ok && !quiet && progress.n + other < set->rules.len)
        note("%u of %u rules have stored verdicts already", set->rules.len - progress.n - other,
             set->rules.len);
    if (ok && !quiet && other)
        note("%u of %u rules are about none of these domains", other, set->rules.len);
    if (ok && progress.n) {
        ok = db_run_begin(db, "prove", "z3", &progress.run, err) &&
             workers_run(wanted, progress.n, &options, (struct report_sink){store, &progress}, &res,
                         err) &&
             !progress.failed && db_run_finish(db, progress.run, err);
        *interrupted = res.interrupted;
    }
    if (stats != NULL)
        *stats = (struct proving_stats){progress.done, res.died, progress.peak_kib,
                                        clock_wall() - progress.start};
    arena_release(&mem);
    return ok;
}

static bool take_report(void *ctx, uint32_t rule, struct report *rep)
{
    (void)rule;
    *(struct report *)ctx = *rep;
    return true;
}

bool prove_report(const struct proving *proving, const struct rule *rule, struct report *out,
                  struct err *err)
{
    struct worker_options options = worker_options(proving);
    struct workers_result res = {0};
    memset(out, 0, sizeof *out);
    if (!workers_run(&rule, 1, &options, (struct report_sink){take_report, out}, &res, err))
        return false;
    if (res.interrupted) {
        report_release(out);
        return err_set(err, ERR_LIMIT, "interrupted");
    }
    if (proving->solver == SOLVER_CVC5)
        mark_unconfirmed(out);
    return true;
}

bool prove_status(const struct proving *proving, const struct rule *rule, struct rule_status *out,
                  struct err *err)
{
    struct report rep;
    bool internal = false;
    memset(out, 0, sizeof *out);
    bool ok = prove_report(proving, rule, &rep, err);
    for (uint32_t i = 0; ok && i < rep.domains.len; i++) {
        const struct domain_report *report = &rep.domains.at[i];
        internal |= verdict_is_internal(report->reason);
        if (report->verdict == VERDICT_UNKNOWN)
            out->unknown |= 1u << report->domain;
        if (report->verdict != VERDICT_PROVED)
            continue;
        out->proved |= 1u << report->domain;
        if (report->rung == RUNG_UNINTERPRETED)
            out->uninterpreted |= 1u << report->domain;
    }
    report_release(&rep);
    return ok && (!internal ||
                  err_set(err, ERR_BUG, "rule %s: verdicts contradict each other", rule->name));
}

// What stands for the library's files, for what verdicts depend on besides, and
// for what is known of them.
static bool library_digest(const char *path, const char *known, char digest[65])
{
    struct buf text = {0};
    char files[65];
    bool ok = ruleset_digest(path, files);
    buf_printf(&text, "%s %s %s %s", known, VERIFIER_VERSION, SEMANTICS_VERSION, files);
    sha256_hex(buf_text(&text), text.len, digest);
    buf_release(&text);
    return ok;
}

// How many rules lack a verdict, if nobody else writes after *stamp.
static bool count_lacking(struct db *db, const struct ruleset *set, uint32_t *n, int64_t *stamp,
                          struct err *err)
{
    bool ok = db_stamp(db, stamp, err);
    *n = 0;
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        unsigned done;
        bool current;
        ok = db_rule_state(db, set->rules.at[i], &done, &current, err);
        *n += (rule_domains(set->rules.at[i]) & ~done) != 0;
    }
    return ok;
}

// Only spares the next run the work: that it cannot be written is no failure.
static void note_complete(struct db *db, const char *digest, int64_t stamp)
{
    struct err why = {0};
    (void)db_put_complete(db, digest, stamp, &why);
}

static bool prove_all(const struct command_line *command, struct db *db, const char *path,
                      uint32_t *lacking, int64_t *stamp, struct err *err)
{
    struct ruleset set;
    struct proving proving = {0};
    bool interrupted = false;
    ruleset_init(&set);
    bool ok = load_rules(&set, path, err) &&
              proving_options(&(struct command_line){.command = command->command}, &proving, err) &&
              prove_into(db, &set, &proving, true, &interrupted, NULL, err);
    if (ok && interrupted)
        ok = err_set(err, ERR_LIMIT, "interrupted");
    ok = ok && count_lacking(db, &set, lacking, stamp, err);
    ruleset_release(&set);
    return ok;
}

static bool prove_library(const struct command_line *command, struct db *db, struct err *err)
{
    struct buf path = {0};
    char digest[65];
    bool complete = false;
    uint32_t lacking = 0;
    int64_t stamp = 0;
    bool ok = library_path(&path) || err_set(err, ERR_IO, "the rule library was not found");
    bool digested = ok && library_digest(buf_text(&path), "named", digest);
    ok = ok && (!digested || db_is_complete(db, digest, &complete, err));
    if (ok && !complete)
        ok = prove_all(command, db, buf_text(&path), &lacking, &stamp, err);
    if (ok && digested && !complete && lacking == 0)
        note_complete(db, digest, stamp);
    buf_release(&path);
    return ok;
}

// Says so where a database has a part of the library only, or stale verdicts.
static bool note_incomplete(const struct command_line *command, struct db *db, struct err *err)
{
    struct buf path = {0};
    struct ruleset set;
    uint32_t lacking = 0;
    int64_t stamp = 0;
    char digest[65];
    bool complete = false, found = library_path(&path);
    bool digested = found && library_digest(buf_text(&path), "proved", digest);
    bool ok = !digested || db_is_complete(db, digest, &complete, err);
    ruleset_init(&set);
    if (ok && found && !complete)
        ok = load_rules(&set, buf_text(&path), err) &&
             count_lacking(db, &set, &lacking, &stamp, err);
    // None at all: the database holds other rules by choice.
    if (ok && lacking && lacking < set.rules.len)
        note("%u of %u rules of the library have no current verdict in %s; "
             "rankwright prove --db %s gives them",
             lacking, set.rules.len, command->value[OPTION_db], command->value[OPTION_db]);
    if (ok && digested && !complete && lacking == 0)
        note_complete(db, digest, stamp);
    ruleset_release(&set);
    buf_release(&path);
    return ok;
}

bool open_proved_library(const struct command_line *command, struct db **out, struct err *err)
{
    bool some = false;
    struct err why = {0};
    if (!open_database(command, DB_WRITE, out, &why)) {
        // Nothing has to be written if all is proved.
        struct err again = {0};
        if (open_database(command, DB_READ, out, &again) && db_has_proved(*out, &some, &again) &&
            some)
            return true;
        *err = why;
        return false;
    }
    // A database of the user's own choice is left as it is, unless it is empty.
    if (command->value[OPTION_db] && !db_has_proved(*out, &some, err))
        return false;
    return some ? note_incomplete(command, *out, err) : prove_library(command, *out, err);
}
