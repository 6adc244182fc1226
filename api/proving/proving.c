// SPDX-License-Identifier: Apache-2.0
#include "api/proving/proving.h"

#include "base/clock.h"
#include "verify/obligations/confirm.h"
#include "verify/limits.h"
#include "verify/solvers/second_solver.h"
#include "verify/workers/pool.h"
#include <unistd.h>

_Static_assert((int)RW_SOLVER_Z3 == SOLVER_Z3 && (int)RW_SOLVER_CVC5 == SOLVER_CVC5 &&
                   (int)RW_SOLVER_BOTH == SOLVER_BOTH,
               "solvers have one order");
_Static_assert((int)RW_RANK_METHOD_AUTO == RANK_METHOD_AUTO &&
                   (int)RW_RANK_METHOD_BOUNDED == RANK_METHOD_BOUNDED &&
                   (int)RW_RANK_METHOD_CLOSURE == RANK_METHOD_CLOSURE &&
                   (int)RW_RANK_METHOD_BOTH == RANK_METHOD_BOTH &&
                   (int)RW_RANK_METHOD_COEFFICIENTS == RANK_METHOD_COEFFICIENTS,
               "methods have one order");

static double processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (double)n;
}

static const char *solver_program(const struct proving *proving)
{
    return proving->solver_program ? proving->solver_program : "cvc5";
}

// Where the verdict is Z3's, nothing else says that nobody confirms it.
static void note_unheard(const struct proving *proving, const char *why)
{
    context_note(proving->context,
                 "the solver %s confirms nothing: %s; every verdict is z3's alone",
                 solver_program(proving), why);
}

// A solver that cannot be started has no opinion: nothing is asked, and nothing stored. A program
// that does not even answer test queries is named.
static bool has_solver(struct proving *proving, struct err *err)
{
    struct second_solver_options options = {.program = proving->solver_program,
                                            .seconds = VERIFY_CONFIRM_LEAST_SECONDS,
                                            .query_steps = VERIFY_CONFIRM_QUERY_STEPS};
    struct second_solver solver;
    if (proving->solver == SOLVER_Z3)
        return true;
    second_solver_ask(NULL, 0, &options, &solver);
    bool absent = solver.absent;
    proving->unheard =
        !absent && proving->solver == SOLVER_BOTH && (solver.error != NULL || solver.timeout);
    if (proving->unheard)
        note_unheard(proving, solver.error ? solver.error : "the program gave no answer in time");
    second_solver_release(&solver);
    return !absent ||
           err_set(err, ERR_USAGE, "the solver %s cannot be started", solver_program(proving));
}

bool proving_of(struct rw_context *context, const struct rw_prove_options *options,
                struct proving *out, struct err *err)
{
    struct rw_prove_options chosen;
    unsigned all = (1u << N_DOMAINS) - 1;
    if (!options_copy(options, &chosen, sizeof chosen, err))
        return false;
    if (chosen.domains & ~all)
        return err_set(err, ERR_USAGE, "no such domain in the mask %#x", chosen.domains);
    if ((unsigned)chosen.solver > SOLVER_BOTH ||
        (unsigned)chosen.rank_method > RANK_METHOD_COEFFICIENTS)
        return err_set(err, ERR_USAGE, "no such solver or method");
    *out = (struct proving){
        .context = context,
        .domains = chosen.domains ? chosen.domains : all,
        .jobs = (unsigned)context_limit(context, LIMIT_workers, processors()),
        .timeout = context_limit(context, LIMIT_rule_seconds, 0),
        .memory = (uint64_t)context_limit(context, LIMIT_worker_memory, 0),
        .no_search = chosen.no_search,
        .seed = chosen.seed,
        .rank_method = (enum rank_method)chosen.rank_method,
        .solver = (enum solver)chosen.solver,
        .solver_program = chosen.solver_program,
        // A second opinion is one about verdicts that may be stored.
        .again = chosen.again || chosen.solver != RW_SOLVER_Z3 ||
                 chosen.rank_method != RW_RANK_METHOD_AUTO,
    };
    return has_solver(out, err);
}

// A run of proofs: where reports go, and what to tell of them.
struct proving_run {
    const struct proving *proving;
    struct db *db; // NULL: reports go to `take`
    void (*take)(void *user, uint32_t rule, struct report *report);
    void *user;
    const struct rule *const *rules;
    unsigned *open; // by rule: domains without an answer; NULL: nobody asks
    uint32_t n, done;
    uint32_t obligations; // of a rule that is being proved
    uint32_t claims[3];   // by verdict
    uint64_t peak_kib;
    int64_t number; // of the run in the database
    double start;
    bool second;       // an unknown verdict is no confirmation
    bool asked, heard; // the second solver was asked, and has answered
    struct err *err;
    bool failed;
};

static bool tell(struct proving_run *run)
{
    struct rw_progress at = {.stage = "prove",
                             .done = run->done,
                             .total = run->n,
                             .proved = run->claims[VERDICT_PROVED],
                             .refuted = run->claims[VERDICT_REFUTED],
                             .unknown = run->claims[VERDICT_UNKNOWN],
                             .seconds = clock_wall() - run->start,
                             .obligations = run->obligations};
    return context_progress(run->proving->context, &at);
}

static bool tell_step(void *user, uint32_t obligations)
{
    struct proving_run *run = user;
    run->obligations = obligations;
    return tell(run);
}

static void count(struct proving_run *run, const struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++)
        if (report->domains.at[i].claimed)
            run->claims[report->domains.at[i].verdict]++;
    if (report->peak_kib > run->peak_kib)
        run->peak_kib = report->peak_kib;
    run->done++;
    run->obligations = 0;
}

// What a second opinion does not confirm, for whatever reason, must not be left
// to an earlier verdict.
static void mark_unconfirmed(struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++) {
        struct domain_report *domain = &report->domains.at[i];
        struct buf text = {0};
        if (domain->verdict != VERDICT_UNKNOWN || verdict_is_internal(domain->reason))
            continue;
        buf_printf(&text, REASON_UNCONFIRMED "%s", domain->reason);
        domain->reason = arena_strdup(&report->mem, buf_text(&text));
        buf_release(&text);
    }
}

static void close_answered(unsigned *open, const struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++)
        if (report->domains.at[i].verdict != VERDICT_UNKNOWN)
            *open &= ~(1u << report->domains.at[i].domain);
}

// Contradictions are answers, too.
static void hear_second(struct proving_run *run, const struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++) {
        const struct domain_report *domain = &report->domains.at[i];
        bool asked;
        bool agrees = confirm_text_agrees(domain->solver ? domain->solver : "", &asked);
        run->heard |= agrees || verdict_is_internal(domain->reason);
        run->asked |= asked;
    }
}

// Each report is kept before the next one is waited for.
static bool keep_report(void *user, uint32_t rule, struct report *report)
{
    struct proving_run *run = user;
    bool ok = true;
    if (run->second)
        mark_unconfirmed(report);
    count(run, report);
    if (run->proving->solver == SOLVER_BOTH)
        hear_second(run, report);
    if (run->open != NULL)
        close_answered(&run->open[rule], report);
    if (run->db != NULL) {
        ok = db_put_report(run->db, run->rules[rule], report, run->number, run->err);
        report_release(report);
    } else {
        run->take(run->user, rule, report);
    }
    run->failed = !ok;
    return tell(run) && ok;
}

// Rules of a set that a run is about.
struct wanted_rules {
    const struct rule **at; // has room for the whole set
    uint32_t *place;        // of each in the set; room for all too
    uint32_t n;
    uint32_t n_other; // rules of the set that none of the wanted domains applies to
};

// The rules that some wanted domain has no current verdict for; the texts of
// the others are brought up to date.
static bool to_prove(struct db *db, const struct ruleset *set, const struct proving *proving,
                     struct wanted_rules *wanted, struct err *err)
{
    for (uint32_t i = 0; i < set->rules.len; i++) {
        const struct rule *rule = set->rules.at[i];
        unsigned done;
        bool current;
        if (!db_rule_state(db, rule, &done, &current, err))
            return false;
        wanted->n_other += (proving->domains & rule_domains(rule)) == 0;
        if (proving->domains & rule_domains(rule) & ~(proving->again ? 0 : done)) {
            wanted->place[wanted->n] = i;
            wanted->at[wanted->n++] = rule;
        } else if (!current && !db_put_rule(db, rule, err))
            return false;
    }
    return true;
}

static bool is_cancelled(void *user)
{
    const struct rw_context *context = user;
    return context->cancelled;
}

static struct worker_options worker_options(const struct proving *proving)
{
    return (struct worker_options){.jobs = proving->jobs,
                                   .seconds_per_rule = proving->timeout,
                                   .memory = proving->memory,
                                   .stop = is_cancelled,
                                   .stop_ctx = proving->context,
                                   .prove = {.domains = proving->domains,
                                             .seed = proving->seed,
                                             .lifting = proving->rank_method,
                                             .no_search = proving->no_search,
                                             .advise = true,
                                             .solver = proving->solver,
                                             .solver_program = proving->solver_program}};
}

int proving_signal(void)
{
    return workers_signal();
}

int rw_stopping_signal(void)
{
    return workers_take_signal();
}

static bool run_workers(struct proving_run *run, struct rw_proving *stats)
{
    struct worker_options options = worker_options(run->proving);
    struct workers_result result = {0};
    options.step = run->proving->context->progress != NULL ? tell_step : NULL;
    options.step_ctx = run;
    bool ok =
        run->n == 0 || (workers_run(run->rules, run->n, &options,
                                    (struct report_sink){keep_report, run}, &result, run->err) &&
                        !run->failed);
    if (result.interrupted)
        run->proving->context->cancelled = false;
    if (run->asked && !run->heard && !run->proving->unheard)
        note_unheard(run->proving, "no answer of the program agrees");
    *stats = (struct rw_proving){.proved = run->done,
                                 .workers = run->proving->jobs,
                                 .replaced = result.died,
                                 .peak_kib = run->peak_kib,
                                 .seconds = clock_wall() - run->start,
                                 .interrupted = result.interrupted};
    return ok;
}

static void note_known(const struct proving_run *run, uint32_t all, uint32_t other,
                       const char *which)
{
    const struct rw_context *context = run->proving->context;
    if (which && run->n)
        context_note(context, "proving %u rules %s", run->n, which);
    if (!which && run->n + other < all)
        context_note(context, "%u of %u rules have stored verdicts already", all - run->n - other,
                     all);
    if (!which && other && other == all)
        context_note(context, "no rule is about these domains: nothing was judged");
    else if (!which && other)
        context_note(context, "%u of %u rules are about none of these domains", other, all);
}

// The masks of the rules of a run as those of all rules.
static void spread_open(const struct wanted_rules *wanted, const unsigned *from, unsigned *to)
{
    for (uint32_t i = 0; i < wanted->n; i++)
        to[wanted->place[i]] = from[i];
}

bool prove_into(struct db *db, const struct ruleset *set, const struct proving *proving,
                const char *which, unsigned *open, struct rw_proving *stats, struct err *err)
{
    struct arena mem = {0};
    uint32_t most = set->rules.len + 1;
    struct wanted_rules wanted = {ARENA_NEW(&mem, const struct rule *, most),
                                  ARENA_NEW(&mem, uint32_t, most), 0, 0};
    struct proving_run run = {.proving = proving,
                              .db = db,
                              .rules = wanted.at,
                              .open = ARENA_NEW(&mem, unsigned, most),
                              .start = clock_wall(),
                              .second = proving->confirm || proving->solver == SOLVER_CVC5,
                              .err = err};
    *stats = (struct rw_proving){.workers = proving->jobs};
    bool ok = to_prove(db, set, proving, &wanted, err);
    run.n = wanted.n;
    for (uint32_t i = 0; i < run.n; i++)
        run.open[i] = proving->domains & rule_domains(wanted.at[i]);
    if (ok)
        note_known(&run, set->rules.len, wanted.n_other, which);
    if (ok && run.n)
        ok = db_run_begin(db, "prove", "z3", &run.number, err);
    ok = ok && run_workers(&run, stats);
    if (ok && run.n)
        ok = db_run_finish(db, run.number, err);
    if (open != NULL)
        spread_open(&wanted, run.open, open);
    arena_release(&mem);
    return ok;
}

bool prove_all(const struct proving *proving, const struct ruleset *set,
               void (*take)(void *user, uint32_t rule, struct report *report), void *user,
               struct rw_proving *stats, struct err *err)
{
    struct proving_run run = {.proving = proving,
                              .take = take,
                              .user = user,
                              .rules = (const struct rule *const *)set->rules.at,
                              .n = set->rules.len,
                              .start = clock_wall(),
                              .second = proving->solver == SOLVER_CVC5,
                              .err = err};
    return run_workers(&run, stats);
}

static bool take_report(void *user, uint32_t rule, struct report *report)
{
    (void)rule;
    *(struct report *)user = *report;
    return true;
}

bool prove_report(const struct proving *proving, const struct rule *rule, struct report *out,
                  struct err *err)
{
    struct worker_options options = worker_options(proving);
    struct workers_result result = {0};
    memset(out, 0, sizeof *out);
    if (!workers_run(&rule, 1, &options, (struct report_sink){take_report, out}, &result, err))
        return false;
    if (result.interrupted) {
        proving->context->cancelled = false;
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
    struct report report;
    bool internal = false;
    memset(out, 0, sizeof *out);
    bool ok = prove_report(proving, rule, &report, err);
    for (uint32_t i = 0; ok && i < report.domains.len; i++) {
        const struct domain_report *domain = &report.domains.at[i];
        internal |= verdict_is_internal(domain->reason);
        if (domain->verdict == VERDICT_UNKNOWN)
            out->unknown |= 1u << domain->domain;
        if (domain->verdict != VERDICT_PROVED)
            continue;
        out->proved |= 1u << domain->domain;
        if (domain->rung == RUNG_UNINTERPRETED)
            out->uninterpreted |= 1u << domain->domain;
    }
    report_release(&report);
    return ok && (!internal ||
                  err_set(err, ERR_BUG, "rule %s: verdicts contradict each other", rule->name));
}
