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

bool proving_options(const struct command_line *c, struct proving *p,
                     struct err *e)
{
    // in the order of enum solver
    static const char *const solvers[] = {"z3", "cvc5", "both"};
    double jobs = processors(), timeout = 30, memory = 0, seed = 0;
    // in the order of enum rank_method
    static const char *const methods[] = {"auto", "rank", "closure", "both",
                                          "coefficients"};
    uint32_t solver = 0, method = RANK_METHOD_AUTO;
    if (!option_domains(c, &p->domains, e) ||
        !option_count(c, OPTION_jobs, 1, 256, &jobs, e) ||
        !option_number(c, OPTION_timeout, 0.001, 1e6, &timeout, e) ||
        !option_count(c, OPTION_memory, 1, 1e6, &memory, e) ||
        !option_count(c, OPTION_seed, 0, 1e15, &seed, e) ||
        !option_choice(c, OPTION_solver, 3, solvers, &solver, e) ||
        !option_choice(c, OPTION_method, 5, methods, &method, e))
        return false;
    p->lifting = (enum rank_method)method;
    p->solver = (enum solver)solver;
    p->solver_program = c->value[OPTION_solver_program];
    p->jobs = (unsigned)jobs;
    p->timeout = timeout;
    p->no_search = c->value[OPTION_no_search] != NULL;
    p->memory = (uint64_t)memory << 20;
    p->seed = (uint64_t)seed;
    // A second opinion is one about verdicts that may be stored.
    p->again = c->value[OPTION_again] != NULL || solver != SOLVER_Z3 ||
               p->lifting != RANK_METHOD_AUTO;
    return true;
}

bool load_rules(struct ruleset *s, const char *paths, struct err *e)
{
    struct err_list errs = {0};
    bool ok = true;
    while (*paths) {
        struct buf path = {0};
        size_t n = strcspn(paths, ",");
        buf_write(&path, paths, n);
        ok = ruleset_load(s, buf_text(&path), &errs) && ok;
        buf_release(&path);
        paths += n + (paths[n] == ',');
    }
    for (uint32_t i = 0; i + 1 < errs.at.len; i++)
        report_error(&errs.at.at[i]);
    if (errs.at.len)
        *e = vec_last(&errs.at);
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
    struct err *e;
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
static void show_progress(const struct proving_progress *p)
{
    struct buf line = {0};
    if (!p->terminal)
        return;
    double spent = clock_wall() - p->start;
    buf_printf(&line,
               "%u of %u rules; claims: %u proved, %u refuted, %u unknown; ",
               p->done, p->n, p->claims[VERDICT_PROVED],
               p->claims[VERDICT_REFUTED], p->claims[VERDICT_UNKNOWN]);
    put_duration(spent, &line);
    buf_puts(&line, ", about ");
    put_duration(spent / p->done * (p->n - p->done), &line);
    buf_puts(&line, " left");
    fprintf(stderr, "\r%-*s", TERMINAL_WIDTH, buf_text(&line));
    if (p->done == p->n)
        fprintf(stderr, "\r%*s\r", TERMINAL_WIDTH, "");
    buf_release(&line);
}

static void count(struct proving_progress *p, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].claimed)
            p->claims[rep->domains.at[i].verdict]++;
    if (rep->peak_kib > p->peak_kib)
        p->peak_kib = rep->peak_kib;
    p->done++;
}

// What a second opinion does not confirm, for whatever reason, must not be left
// to an earlier verdict.
static void mark_unconfirmed(struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        struct domain_report *d = &rep->domains.at[i];
        struct buf text = {0};
        if (d->verdict != VERDICT_UNKNOWN || verdict_is_internal(d->reason))
            continue;
        buf_printf(&text, REASON_UNCONFIRMED "%s", d->reason);
        d->reason = arena_strdup(&rep->mem, buf_text(&text));
        buf_release(&text);
    }
}

// Each report is in the database before the next one is waited for.
static bool store(void *ctx, uint32_t rule, struct report *rep)
{
    struct proving_progress *p = ctx;
    if (p->second)
        mark_unconfirmed(rep);
    count(p, rep);
    bool ok = db_put_report(p->db, p->rules[rule], rep, p->run, p->e);
    report_release(rep);
    p->failed = !ok;
    show_progress(p);
    return ok;
}

// The rules that some wanted domain has no current verdict for; the texts of
// the others are brought up to date.  `n_other`: rules that none of the wanted
// domains applies to.
static bool to_prove(struct db *db, const struct ruleset *s,
                     const struct proving *p, const struct rule **wanted,
                     uint32_t *n, uint32_t *n_other, struct err *e)
{
    *n = *n_other = 0;
    for (uint32_t i = 0; i < s->rules.len; i++) {
        const struct rule *r = s->rules.at[i];
        unsigned done;
        bool current;
        if (!db_rule_state(db, r, &done, &current, e))
            return false;
        *n_other += (p->domains & rule_domains(r)) == 0;
        if (p->domains & rule_domains(r) & ~(p->again ? 0 : done))
            wanted[(*n)++] = r;
        else if (!current && !db_put_rule(db, r, e))
            return false;
    }
    return true;
}

static struct worker_options worker_options(const struct proving *p)
{
    return (struct worker_options){
        .jobs = p->jobs,
        .seconds_per_rule = p->timeout,
        .memory = p->memory,
        .prove = {.domains = p->domains,
                  .seed = p->seed,
                  .lifting = p->lifting,
                  .no_search = p->no_search,
                  .solver = p->solver,
                  .solver_program = p->solver_program}};
}

bool prove_into(struct db *db, const struct ruleset *s, const struct proving *p,
                bool quiet, bool *interrupted, struct proving_stats *stats,
                struct err *e)
{
    struct arena mem = {0};
    const struct rule **wanted =
        ARENA_NEW(&mem, const struct rule *, s->rules.len + 1);
    struct proving_progress progress = {.db = db,
                                .rules = wanted,
                                .start = clock_wall(),
                                .terminal = isatty(STDERR_FILENO) == 1,
                                .second =
                                    p->confirm || p->solver == SOLVER_CVC5,
                                .e = e};
    struct worker_options o = worker_options(p);
    struct workers_result res = {0};
    *interrupted = false;
    uint32_t other = 0;
    bool ok = to_prove(db, s, p, wanted, &progress.n, &other, e);
    if (ok && quiet && progress.n)
        note("proving %u rules of the library first", progress.n);
    if (ok && !quiet && progress.n + other < s->rules.len)
        note("%u of %u rules have stored verdicts already",
             s->rules.len - progress.n - other, s->rules.len);
    if (ok && !quiet && other)
        note("%u of %u rules are about none of these domains", other,
             s->rules.len);
    if (ok && progress.n) {
        ok = db_run_begin(db, "prove", "z3", &progress.run, e) &&
             workers_run(wanted, progress.n, &o, store, &progress, &res, e) &&
             !progress.failed && db_run_finish(db, progress.run, e);
        *interrupted = res.interrupted;
    }
    if (stats != NULL)
        *stats =
            (struct proving_stats){progress.done, res.died, progress.peak_kib,
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

bool prove_report(const struct proving *p, const struct rule *r,
                  struct report *out, struct err *e)
{
    struct worker_options o = worker_options(p);
    struct workers_result res = {0};
    memset(out, 0, sizeof *out);
    if (!workers_run(&r, 1, &o, take_report, out, &res, e))
        return false;
    if (res.interrupted) {
        report_release(out);
        return err_set(e, ERR_LIMIT, "interrupted");
    }
    if (p->solver == SOLVER_CVC5)
        mark_unconfirmed(out);
    return true;
}

bool prove_status(const struct proving *p, const struct rule *r,
                  struct rule_status *out, struct err *e)
{
    struct report rep;
    bool internal = false;
    memset(out, 0, sizeof *out);
    bool ok = prove_report(p, r, &rep, e);
    for (uint32_t i = 0; ok && i < rep.domains.len; i++) {
        const struct domain_report *d = &rep.domains.at[i];
        internal |= verdict_is_internal(d->reason);
        if (d->verdict == VERDICT_UNKNOWN)
            out->unknown |= 1u << d->domain;
        if (d->verdict != VERDICT_PROVED)
            continue;
        out->proved |= 1u << d->domain;
        if (d->rung == RUNG_UNINTERPRETED)
            out->uninterpreted |= 1u << d->domain;
    }
    report_release(&rep);
    return ok && (!internal ||
                  err_set(e, ERR_BUG, "rule %s: verdicts contradict each other",
                          r->name));
}

// What stands for the library's files, for what verdicts depend on besides, and
// for what is known of them.
static bool library_digest(const char *path, const char *known, char digest[65])
{
    struct buf text = {0};
    char files[65];
    bool ok = ruleset_digest(path, files);
    buf_printf(&text, "%s %s %s %s", known, VERIFIER_VERSION, SEMANTICS_VERSION,
               files);
    sha256_hex(buf_text(&text), text.len, digest);
    buf_release(&text);
    return ok;
}

// How many rules lack a verdict, if nobody else writes after *stamp.
static bool count_lacking(struct db *db, const struct ruleset *s, uint32_t *n,
                          int64_t *stamp, struct err *e)
{
    bool ok = db_stamp(db, stamp, e);
    *n = 0;
    for (uint32_t i = 0; ok && i < s->rules.len; i++) {
        unsigned done;
        bool current;
        ok = db_rule_state(db, s->rules.at[i], &done, &current, e);
        *n += (rule_domains(s->rules.at[i]) & ~done) != 0;
    }
    return ok;
}

// Only spares the next run the work: that it cannot be written is no failure.
static void note_complete(struct db *db, const char *digest, int64_t stamp)
{
    struct err why = {0};
    (void)db_put_complete(db, digest, stamp, &why);
}

static bool prove_all(const struct command_line *c, struct db *db,
                      const char *path, uint32_t *lacking, int64_t *stamp,
                      struct err *e)
{
    struct ruleset s;
    struct proving p = {0};
    bool interrupted = false;
    ruleset_init(&s);
    bool ok =
        load_rules(&s, path, e) &&
        proving_options(&(struct command_line){.command = c->command}, &p, e) &&
        prove_into(db, &s, &p, true, &interrupted, NULL, e);
    if (ok && interrupted)
        ok = err_set(e, ERR_LIMIT, "interrupted");
    ok = ok && count_lacking(db, &s, lacking, stamp, e);
    ruleset_release(&s);
    return ok;
}

static bool prove_library(const struct command_line *c, struct db *db,
                          struct err *e)
{
    struct buf path = {0};
    char digest[65];
    bool complete = false;
    uint32_t lacking = 0;
    int64_t stamp = 0;
    bool ok = library_path(&path) ||
              err_set(e, ERR_IO, "the rule library was not found");
    bool digested = ok && library_digest(buf_text(&path), "named", digest);
    ok = ok && (!digested || db_is_complete(db, digest, &complete, e));
    if (ok && !complete)
        ok = prove_all(c, db, buf_text(&path), &lacking, &stamp, e);
    if (ok && digested && !complete && lacking == 0)
        note_complete(db, digest, stamp);
    buf_release(&path);
    return ok;
}

// Says so where a database has a part of the library only, or stale verdicts.
static bool note_incomplete(const struct command_line *c, struct db *db,
                            struct err *e)
{
    struct buf path = {0};
    struct ruleset s;
    uint32_t lacking = 0;
    int64_t stamp = 0;
    char digest[65];
    bool complete = false, found = library_path(&path);
    bool digested = found && library_digest(buf_text(&path), "proved", digest);
    bool ok = !digested || db_is_complete(db, digest, &complete, e);
    ruleset_init(&s);
    if (ok && found && !complete)
        ok = load_rules(&s, buf_text(&path), e) &&
             count_lacking(db, &s, &lacking, &stamp, e);
    // None at all: the database holds other rules by choice.
    if (ok && lacking && lacking < s.rules.len)
        note("%u of %u rules of the library have no current verdict in %s; "
             "rankwright prove --db %s gives them",
             lacking, s.rules.len, c->value[OPTION_db], c->value[OPTION_db]);
    if (ok && digested && !complete && lacking == 0)
        note_complete(db, digest, stamp);
    ruleset_release(&s);
    buf_release(&path);
    return ok;
}

bool open_proved_library(const struct command_line *c, struct db **out,
                         struct err *e)
{
    bool some = false;
    struct err why = {0};
    if (!open_database(c, DB_WRITE, out, &why)) {
        // Nothing has to be written if all is proved.
        struct err again = {0};
        if (open_database(c, DB_READ, out, &again) &&
            db_has_proved(*out, &some, &again) && some)
            return true;
        *e = why;
        return false;
    }
    // A database of the user's own choice is left as it is, unless it is empty.
    if (c->value[OPTION_db] && !db_has_proved(*out, &some, e))
        return false;
    return some ? note_incomplete(c, *out, e) : prove_library(c, *out, e);
}
