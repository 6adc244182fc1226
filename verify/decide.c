// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"
#include "verify/decide.h"
#include "base/clock.h"
#include "verify/sums/coefficients.h"
#include "verify/obligations/confirm.h"
#include "verify/obligations/element_types.h"
#include "verify/methods.h"
#include "verify/defined.h"
#include "verify/limits.h"

// Gives up the domains in which the left side has no instance: in which `exists` is false.
// Returns the others.
static unsigned check_domains(struct session *session, struct report *rep, unsigned mask,
                              bool (*exists)(struct session *, enum domain), const char *why,
                              struct method_outcome *out)
{
    struct buf where = {0};
    unsigned left = mask;
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0 || exists(session, (enum domain)d))
            continue;
        buf_printf(&where, "%s%s", where.len == 0 ? "" : ", ", domain_text((enum domain)d));
        left &= ~(1U << d);
    }
    method_settle(out, mask & ~left, false, RUNG_NONE, why);
    if (left != mask) {
        const char *text = session_text(session, "%s (%s)", why, buf_text(&where));
        vec_push(&rep->remarks, text);
    }
    buf_release(&where);
    return left;
}

static const char *solver_version(struct session *session)
{
    unsigned v[4];
    Z3_get_version(&v[0], &v[1], &v[2], &v[3]);
    return session_text(session, "z3 %u.%u.%u", v[0], v[1], v[2]);
}

// Fills in how the ranks were covered, by the method on which the verdict rests.
static void fill_method(struct session *session, const struct methods *methods, const char *method,
                        struct domain_report *report)
{
    const struct rank_bound *bound = &methods->bound;
    const char *why = bound->why == NULL ? "" : bound->why;
    report->method = method == NULL ? METHOD_RANK : method;
    report->bound = bound->json == NULL ? "{}" : bound->json;
    report->bound_why = why;
    report->instances = bound->instances > UINT32_MAX ? UINT32_MAX : (uint32_t)bound->instances;
    if (strcmp(report->method, METHOD_COEFF) == 0) {
        report->bound = "{}";
        report->bound_why = coeff_bound();
        report->instances = 1;
    } else if (strcmp(report->method, METHOD_CLOSURE) == 0) {
        report->bound = "{}";
        report->bound_why = methods->closure.why;
        report->instances = methods->closure.all.len - methods->closure.first;
    } else if (strcmp(report->method, METHOD_BOTH) == 0) {
        report->bound_why = session_text(session, "%s; and-closure: %s", why, methods->closure.why);
    }
}

static void fill(struct session *session, struct report *rep, unsigned mask,
                 const struct methods *methods, const struct method_outcome *out, double seconds)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        struct domain_report report = {
            .domain = (enum domain)d,
            .claimed = (session->rule->claims >> d & 1) != 0,
            .verdict = out->proved[d] ? VERDICT_PROVED : VERDICT_UNKNOWN,
            .rung = out->rung[d],
            .grade = out->proved[d] && d == DOMAIN_FLOAT ? GRADE_EXACT : GRADE_NONE,
            .reason = out->reason[d] == NULL ? "" : out->reason[d],
            .solver = solver_version(session),
            .seconds = seconds,
        };
        if (report.rung == RUNG_ARITHMETIC && report.reason[0] == '\0' &&
            (session->rounds_right >> d & 1) != 0)
            report.reason = REASON_ROUNDED;
        fill_method(session, methods, out->method[d], &report);
        for (uint32_t i = 0; i < session->done.len; i++)
            vec_push(&report.obligations, session->done.at[i]);
        vec_push(&rep->domains, report);
    }
}

// Weakest grade first: a rule that fails a weak grade fails the stronger ones.
static enum grade best_grade(struct session *session, struct methods *methods)
{
    static const enum grade order[] = {GRADE_FINITE_ZERO_SIGN, GRADE_ZERO_SIGN, GRADE_FINITE};
    enum grade best = GRADE_NONE;
    for (int i = 0; i < 3; i++) {
        session->goal = order[i];
        session->reassociated = false;
        session->pairs.len = 0;
        bool certain = false;
        if (methods_prove_instances(session, methods, RUNG_ARITHMETIC, DOMAIN_FLOAT,
                                    1U << DOMAIN_FLOAT, &certain))
            best = order[i];
        if (best == GRADE_NONE || best == GRADE_ZERO_SIGN)
            return best;
    }
    return best;
}

// Why the proof was cut short by the clock, a lack of memory or the size of a normal form; NULL
// if it was not.
static const char *cut_short(struct session *session)
{
    struct smt *smt = &session->smt;
    bool late = smt_spent(smt) && smt->spent == smt->limits.late;
    return smt->no_memory         ? REASON_MEMORY
           : late                 ? session_text(session, "%s", smt->spent)
           : session->polys.large ? reason_LARGE
                                  : NULL;
}

// Is there something to grade?
static bool can_be_graded(struct session *session, struct methods *methods)
{
    static const struct established nothing = {.shape = false};
    const struct established *known = session->options.established;
    bool vacuous = false;
    if (known == NULL)
        known = &nothing;
    if (!known->shape && !prove_valid_and_shape(session))
        return false;
    if (!known->nonempty)
        check_nonempty(session, &vacuous);
    if (vacuous)
        return false;
    rank_bound_of(session, &methods->bound);
    if (methods->bound.failure != NULL)
        session->reason = methods->bound.failure;
    else if (methods->bound.instances > VERIFY_INSTANCES)
        session->reason = too_many_instances(session, methods);
    else
        return known->model >> DOMAIN_FLOAT & 1 || (element_types_exist(session, DOMAIN_FLOAT) &&
                                                    conditions_have_model(session, DOMAIN_FLOAT));
    return false;
}

enum grade decide_grade(const struct rule *rule, const struct decide_options *options,
                        struct arena *mem, const char **why)
{
    struct session session;
    struct methods methods = {.begun = false};
    struct decide_options own = *options;
    enum grade best = GRADE_NONE;
    own.hints = NULL;
    own.smt2 = NULL;
    own.solver = SOLVER_Z3;
    if (own.rlimit == 0)
        own.rlimit = VERIFY_GRADE_STEPS;
    if (own.steps == 0)
        own.steps = (uint64_t)VERIFY_GRADE_RULE_STEPS * 1000000;
    session_init(&session, rule, &own, mem);
    if (can_be_graded(&session, &methods))
        best = best_grade(&session, &methods);
    const char *cut = cut_short(&session);
    if (why != NULL)
        *why = cut != NULL ? cut : session.reason;
    session_release(&session);
    return best;
}

// Asks the second solver about everything that is proved.
static void confirm_all(struct session *session, unsigned mask, struct report *rep)
{
    struct confirm confirm;
    bool any = false;
    for (uint32_t i = 0; i < rep->domains.len; i++)
        any |= rep->domains.at[i].verdict == VERDICT_PROVED;
    if (!any || session->options.solver == SOLVER_Z3 || mask == 0)
        return;
    confirm_init(&confirm, session);
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        struct domain_report *report = &rep->domains.at[i];
        const char *why = NULL;
        if (report->verdict != VERDICT_PROVED)
            continue;
        enum confirmed is = confirm_domain(&confirm, report->domain, &why);
        const char *second = confirm_text(&confirm, report->domain);
        report->solver = session->options.solver == SOLVER_CVC5
                             ? second
                             : session_text(session, "%s; %s", report->solver, second);
        if (is == CONFIRMED || (is == UNCONFIRMED && session->options.solver == SOLVER_BOTH))
            continue;
        report->verdict = VERDICT_UNKNOWN;
        report->rung = RUNG_NONE;
        report->reason = is == CONTRADICTED ? REASON_SOLVERS : why;
    }
    confirm_release(&confirm);
}

// Names in the script the obligations that it does not show.
static void name_unproved(struct session *session, unsigned mask, const struct method_outcome *out)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0 && !out->proved[d])
            script_end(session, smt_mark(&session->smt),
                       session_text(session, "%s: not proved: %s", domain_text((enum domain)d),
                                    out->reason[d] == NULL ? "" : out->reason[d]),
                       "");
}

// A rule that defines a name: R7 of rules/rule.h is its only condition, and the parser has
// checked R7.
static void decide_definition(const struct rule *rule, unsigned mask, struct report *rep)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        struct domain_report report = {
            .domain = (enum domain)d,
            .claimed = (rule->claims >> d & 1) != 0,
            .verdict = VERDICT_PROVED,
            .rung = RUNG_ARITHMETIC,
            .reason = "",
            .method = "definition",
            .bound = "{}",
            .bound_why = "The right side is a name for the left side.",
            .solver = "",
        };
        if (mask >> d & 1)
            vec_push(&rep->domains, report);
    }
}

static enum proved_how proved_how(const struct method_outcome *out, int domain)
{
    if (strcmp(out->method[domain], METHOD_COEFF) == 0)
        return PROVED_AS_SUMS;
    return out->rung[domain] < RUNG_ARITHMETIC ? PROVED_AS_TERMS : PROVED_BY_ARITHMETIC;
}

// Gives up proved domains in which the right side may lack a value that the left side has.
static void check_values(struct session *session, const struct methods *methods, unsigned mask,
                         struct method_outcome *out)
{
    unsigned left = decide_narrow(&session->options, defined_domains(session->rule, mask));
    for (int d = 0; d < N_DOMAINS; d++)
        if ((left >> d & 1) != 0 && out->proved[d] &&
            !defined_prove(session, methods, (enum domain)d, proved_how(out, d)))
            method_settle(out, 1U << d, false, RUNG_NONE, session->reason);
}

void decide_rule(const struct rule *rule, const struct decide_options *options, struct report *rep)
{
    struct session session;
    struct methods methods = {.begun = false};
    struct method_outcome out = {.proved = {false}};
    double start = clock_wall();
    unsigned mask = rule_domains(rule);
    if (options->domains != 0)
        mask &= options->domains;
    if (rule_defines(rule)) {
        decide_definition(rule, mask, rep);
        return;
    }
    session_init(&session, defined_rule(rule, &rep->mem), options, &rep->mem);
    bool vacuous = false;
    struct established known = {.shape = prove_valid_and_shape(&session)};
    if (!known.shape) {
        method_settle(&out, mask, false, RUNG_NONE, session.reason);
    } else {
        check_nonempty(&session, &vacuous);
        known.nonempty = !vacuous;
        uint32_t mark = smt_mark(&session.smt);
        rank_bound_of(&session, &methods.bound);
        script_end(&session, mark, "rank bound: paths that cannot be, equal reads",
                   methods.bound.why == NULL ? "" : methods.bound.why);
        if (vacuous) {
            vec_push(&rep->remarks, arena_strdup(&rep->mem, reason_NO_SIZES));
            method_settle(&out, mask, false, RUNG_NONE, reason_NO_SIZES);
        } else {
            unsigned left =
                check_domains(&session, rep, mask, element_types_exist, reason_NO_TYPES, &out);
            if (methods.bound.failure == NULL) // else they may not be pointwise
                known.model = left = check_domains(&session, rep, left, conditions_have_model,
                                                   reason_NO_ELEMENTS, &out);
            methods_prove(&session, &methods, left, &out);
            check_values(&session, &methods, left, &out);
        }
    }
    if (options->established != NULL)
        *options->established = known;
    if (session.empty)
        vec_push(&rep->remarks, arena_strdup(&rep->mem, REMARK_EMPTY));
    if (pat_same(rule, rule->lhs, rule->rhs))
        vec_push(&rep->remarks, arena_strdup(&rep->mem, "both sides are the same"));
    const char *cut = cut_short(&session);
    for (int d = 0; d < N_DOMAINS && cut != NULL; d++)
        if (!out.proved[d])
            out.reason[d] = cut;
    fill(&session, rep, mask, &methods, &out, clock_wall() - start);
    confirm_all(&session, mask, rep);
    name_unproved(&session, mask, &out);
    script_write(&session);
    if (methods.begun)
        closure_release(&methods.closure);
    session_release(&session);
}
