// SPDX-License-Identifier: Apache-2.0
#include "verify/decide.h"
#include "base/clock.h"
#include "verify/sums/coefficients.h"
#include "verify/obligations/confirm.h"
#include "verify/methods.h"
#include "verify/same_sides.h"

#define GRADE_SECONDS 4.0
#define GRADE_RLIMIT 2000000 // steps: what is proved at all takes far fewer

// Domains in which no elements meet the element conditions are given up; the
// others are returned.
static unsigned check_conditions(struct session *s, struct report *rep,
                                 unsigned mask, struct method_outcome *out)
{
    const char *why = "vacuous: no elements that meet the element conditions "
                      "were found";
    struct buf where = {0};
    unsigned left = mask;
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0 || conditions_have_model(s, (enum domain)d))
            continue;
        buf_printf(&where, "%s%s", where.len == 0 ? "" : ", ",
                   domain_text((enum domain)d));
        left &= ~(1U << d);
    }
    method_settle(out, mask & ~left, false, RUNG_NONE, why);
    if (left != mask) {
        const char *text = session_text(s, "%s (%s)", why, buf_text(&where));
        vec_push(&rep->remarks, text);
    }
    buf_release(&where);
    return left;
}

static const char *solver_version(struct session *s)
{
    unsigned v[4];
    Z3_get_version(&v[0], &v[1], &v[2], &v[3]);
    return session_text(s, "z3 %u.%u.%u", v[0], v[1], v[2]);
}

// How the ranks were covered, by the method that the verdict rests on.
static void fill_method(struct session *s, const struct methods *l,
                        const char *method, struct domain_report *q)
{
    const struct rank_bound *b = &l->bound;
    const char *why = b->why == NULL ? "" : b->why;
    q->method = method == NULL ? METHOD_RANK : method;
    q->bound = b->json == NULL ? "{}" : b->json;
    q->bound_why = why;
    q->instances =
        b->instances > UINT32_MAX ? UINT32_MAX : (uint32_t)b->instances;
    if (strcmp(q->method, METHOD_COEFF) == 0) {
        q->bound = "{}";
        q->bound_why = coeff_bound();
        q->instances = 1;
    } else if (strcmp(q->method, METHOD_CLOSURE) == 0) {
        q->bound = "{}";
        q->bound_why = l->closure.why;
        q->instances = l->closure.all.len - l->closure.first;
    } else if (strcmp(q->method, METHOD_BOTH) == 0) {
        q->bound_why =
            session_text(s, "%s; and-closure: %s", why, l->closure.why);
    }
}

static void fill(struct session *s, struct report *rep, unsigned mask,
                 const struct methods *l, const struct method_outcome *out,
                 double seconds)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        struct domain_report q = {
            .domain = (enum domain)d,
            .claimed = (s->r->claims >> d & 1) != 0,
            .verdict = out->proved[d] ? VERDICT_PROVED : VERDICT_UNKNOWN,
            .rung = out->rung[d],
            .grade =
                out->proved[d] && d == DOMAIN_FLOAT ? GRADE_EXACT : GRADE_NONE,
            .reason = out->reason[d] == NULL ? "" : out->reason[d],
            .solver = solver_version(s),
            .seconds = seconds,
        };
        if (q.rung == RUNG_ARITHMETIC && q.reason[0] == '\0' &&
            (s->rounds_right >> d & 1) != 0)
            q.reason = REASON_ROUNDED;
        fill_method(s, l, out->method[d], &q);
        for (uint32_t i = 0; i < s->done.len; i++)
            vec_push(&q.obligations, s->done.at[i]);
        vec_push(&rep->domains, q);
    }
}

// Weakest first: what fails there need not be asked for more.
static enum grade best_grade(struct session *s, struct methods *l)
{
    static const enum grade order[] = {GRADE_FINITE_ZERO_SIGN, GRADE_ZERO_SIGN,
                                       GRADE_FINITE};
    enum grade best = GRADE_NONE;
    for (int i = 0; i < 3; i++) {
        s->goal = order[i];
        s->reassociated = false;
        s->pairs.len = 0;
        bool certain = false;
        if (methods_prove_instances(s, l, RUNG_ARITHMETIC, DOMAIN_FLOAT,
                                    1U << DOMAIN_FLOAT, &certain))
            best = order[i];
        if (best == GRADE_NONE || best == GRADE_ZERO_SIGN)
            return best;
    }
    return best;
}

enum grade decide_grade(const struct rule *r, const struct decide_options *o)
{
    struct session s;
    struct arena mem = {0};
    struct methods l = {.begun = false};
    struct decide_options own = *o;
    enum grade best = GRADE_NONE;
    bool vacuous = true;
    own.hints = NULL;
    own.smt2 = NULL;
    own.solver = SOLVER_Z3;
    if (own.rlimit == 0)
        own.rlimit = GRADE_RLIMIT;
    if (own.seconds_per_rule <= 0 || own.seconds_per_rule > GRADE_SECONDS)
        own.seconds_per_rule = GRADE_SECONDS;
    session_init(&s, r, &own, &mem);
    if (prove_valid_and_shape(&s))
        check_nonempty(&s, &vacuous);
    if (!vacuous)
        rank_bound_of(&s, &l.bound);
    if (!vacuous && l.bound.failure == NULL &&
        l.bound.instances <= MAX_INSTANCES &&
        conditions_have_model(&s, DOMAIN_FLOAT))
        best = best_grade(&s, &l);
    session_release(&s);
    arena_release(&mem);
    return best;
}

// The second solver's opinion of what is proved.
static void confirm_all(struct session *s, unsigned mask, struct report *rep)
{
    struct confirm c;
    bool any = false;
    for (uint32_t i = 0; i < rep->domains.len; i++)
        any |= rep->domains.at[i].verdict == VERDICT_PROVED;
    if (!any || s->o.solver == SOLVER_Z3 || mask == 0)
        return;
    confirm_init(&c, s);
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        struct domain_report *q = &rep->domains.at[i];
        const char *why = NULL;
        if (q->verdict != VERDICT_PROVED)
            continue;
        enum confirmed is = confirm_domain(&c, q->domain, &why);
        const char *second = confirm_text(&c, q->domain);
        q->solver = s->o.solver == SOLVER_CVC5
                        ? second
                        : session_text(s, "%s; %s", q->solver, second);
        if (is == CONFIRMED ||
            (is == UNCONFIRMED && s->o.solver == SOLVER_BOTH))
            continue;
        q->verdict = VERDICT_UNKNOWN;
        q->rung = RUNG_NONE;
        q->reason = is == CONTRADICTED ? REASON_SOLVERS : why;
    }
    confirm_release(&c);
}

// What the script does not show.
static void name_unproved(struct session *s, unsigned mask,
                          const struct method_outcome *out)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0 && !out->proved[d])
            script_end(s, smt_mark(&s->smt),
                       session_text(
                           s, "%s: not proved: %s", domain_text((enum domain)d),
                           out->reason[d] == NULL ? "" : out->reason[d]),
                       "");
}

// A rule that says what a name means: R7 of rules/rule.h is all there is to
// check, and the parser has.
static void decide_definition(const struct rule *r, unsigned mask,
                              struct report *rep)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        struct domain_report q = {
            .domain = (enum domain)d,
            .claimed = (r->claims >> d & 1) != 0,
            .verdict = VERDICT_PROVED,
            .rung = RUNG_ARITHMETIC,
            .reason = "",
            .method = "definition",
            .bound = "{}",
            .bound_why = "The right side is a name for the left side.",
            .solver = "",
        };
        if (mask >> d & 1)
            vec_push(&rep->domains, q);
    }
}

void decide_rule(const struct rule *r, const struct decide_options *o,
                 struct report *rep)
{
    struct session s;
    struct methods l = {.begun = false};
    struct method_outcome out = {.proved = {false}};
    double start = clock_wall();
    unsigned mask = rule_domains(r);
    if (o->domains != 0)
        mask &= o->domains;
    if (rule_defines(r)) {
        decide_definition(r, mask, rep);
        return;
    }
    session_init(&s, r, o, &rep->mem);
    bool vacuous = false;
    if (!prove_valid_and_shape(&s)) {
        method_settle(&out, mask, false, RUNG_NONE, s.reason);
    } else {
        check_nonempty(&s, &vacuous);
        uint32_t mark = smt_mark(&s.smt);
        rank_bound_of(&s, &l.bound);
        script_end(&s, mark, "rank bound: paths that cannot be, equal reads",
                   l.bound.why == NULL ? "" : l.bound.why);
        if (vacuous) {
            const char *why = "vacuous: no model of the preconditions in "
                              "which the left side has an element was found";
            vec_push(&rep->remarks, arena_strdup(&rep->mem, why));
            method_settle(&out, mask, false, RUNG_NONE, why);
        } else {
            unsigned left = mask;
            if (l.bound.failure == NULL) // else they may not be pointwise
                left = check_conditions(&s, rep, mask, &out);
            methods_prove(&s, &l, left, &out);
        }
    }
    if (same_pattern(r, r->lhs, r->rhs))
        vec_push(&rep->remarks,
                 arena_strdup(&rep->mem, "both sides are the same"));
    fill(&s, rep, mask, &l, &out, clock_wall() - start);
    confirm_all(&s, mask, rep);
    name_unproved(&s, mask, &out);
    script_write(&s);
    if (l.begun)
        closure_release(&l.closure);
    session_release(&s);
}
