// SPDX-License-Identifier: Apache-2.0
#include "verify/decide.h"
#include "base/clock.h"
#include "verify/bound.h"
#include "verify/closure.h"
#include "verify/coeff.h"
#include "verify/confirm.h"
#include "verify/element.h"

#define MAX_INSTANCES 200
#define MAX_UNCLAIMED 12 // where all that is claimed is proved
#define FEW_INSTANCES 16 // cost less than the closure
#define METHOD_RANK "rank-bounded"
#define METHOD_CLOSURE "and-closure"
#define METHOD_BOTH "rank-bounded, and-closure"
#define METHOD_COEFF "coefficients"
#define GRADE_SECONDS 4.0
#define GRADE_RLIMIT 2000000 // steps: what is proved at all takes far fewer

// The state of the elements obligation over all domains.
struct outcome {
    bool proved[N_DOMAINS];
    enum rung rung[N_DOMAINS];
    const char *reason[N_DOMAINS];
    const char *method[N_DOMAINS];
    unsigned certain[N_DOMAINS]; // mask of rungs: an exact countermodel exists
};

// What the methods of lifting the elements obligation to all ranks go by.
struct lifts {
    struct bound bound;
    struct closure closure;
    bool begun;    // the closure
    unsigned done; // domains proved by coefficient functions
};
// Is the obligation proved on one rung, in one domain or (-1) in all?
typedef bool (*prove_on_rung)(struct session *s, struct lifts *l,
                              enum rung rung, int domain, unsigned mask,
                              bool *certain);

// The next combination of ranks between least and most; families share ranks.
static bool next_ranks(const struct rule *r, const struct bound *b,
                       uint32_t *rank)
{
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (denote_family(r, c) != c)
            continue;
        bool carry = rank[c] == b->most[c];
        uint32_t to = carry ? b->least[c] : rank[c] + 1;
        for (uint32_t k = 0; k < r->n_classes; k++)
            if (denote_family(r, k) == c)
                rank[k] = to;
        if (!carry)
            return true;
    }
    return false;
}

// One instance in one context.
static bool prove_instance(struct session *s, const uint32_t *rank,
                           enum rung rung, int domain, unsigned mask,
                           bool *certain)
{
    struct denote d;
    struct clauses h = {{0}};
    struct u32_vec hyps = {0};
    struct linear_model m = {.genuine = false};
    struct stopwatch t = session_start(s);
    if (!denote_init(&d, &s->x, s->r, rank))
        return false;
    d.float_sums = domain == DOMAIN_FLOAT || domain == DOMAIN_WORD;
    d.domain = domain;
    d.ideal = domain == DOMAIN_INT || domain == DOMAIN_REAL;
    expr_id *index = denote_new_index(&d);
    denote_out_index(&d, s->r->lhs, index);
    hypotheses(&d, &h);
    denote_valid(&d, s->r->rhs, &h);
    denote_in_range(&d, s->r->lhs, index, &h);
    clauses_append(&h, NONE, &hyps);
    expr_id a = denote_element(&d, s->r->lhs, index);
    expr_id b = denote_element(&d, s->r->rhs, index);
    const struct ask k = {.s = s, .d = &d, .rung = rung, .domain = domain};
    const char *ranks = session_ranks(s, rank);
    bool proved = d.failure == NULL && element_same(&k, &hyps, a, b, &m);
    if (d.failure != NULL)
        s->reason = d.failure;
    s->reassociated |= d.rounds && !d.float_sums;
    *certain = !proved && d.failure == NULL && m.genuine;
    struct buf what = {0};
    buf_puts(&what, rung_text(rung));
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(s, t, OBLIGATION_ELEMENTS, ranks, buf_text(&what), proved,
                   s->reason);
    if (!proved && m.value.len == 0) // any output element will do
        (void)linear_refute(&s->l, hyps.len, hyps.at, &m);
    smt_forget(&s->smt, t.mark);
    if (!proved)
        session_hint(s, OBLIGATION_ELEMENTS, mask, &d,
                     m.value.len > 0 ? &m : NULL);
    buf_release(&what);
    linear_model_release(&m);
    mem_free(index);
    vec_release(&hyps);
    vec_release(&h.at);
    denote_release(&d);
    return proved;
}

// Every instance in one context.  With reduces the largest comes first: it
// fixes which reduces are matched, and the others must follow.
static bool try_instances(struct session *s, const struct bound *b,
                          enum rung rung, int domain, unsigned mask,
                          bool *certain)
{
    uint32_t rank[64];
    s->pairs_closed = false;
    if (s->x.keep_picks) {
        memcpy(rank, b->most, sizeof rank);
        if (!prove_instance(s, rank, rung, domain, mask, certain))
            return false;
        s->pairs_closed = true;
    }
    memcpy(rank, b->least, sizeof rank);
    do {
        bool done = s->x.keep_picks &&
                    memcmp(rank, b->most, s->r->n_classes * sizeof *rank) == 0;
        if (!done && !prove_instance(s, rank, rung, domain, mask, certain))
            return false;
    } while (next_ranks(s->r, b, rank));
    return true;
}

static bool prove_instances(struct session *s, struct lifts *l, enum rung rung,
                            int domain, unsigned mask, bool *certain)
{
    uint32_t mark = script_mark(s);
    s->asked = domain + 1;
    bool proved = try_instances(s, &l->bound, rung, domain, mask, certain);
    s->asked = 0;
    if (!proved)
        script_drop(s, mark);
    return proved;
}

static bool prove_vectors(struct session *s, struct lifts *l, enum rung rung,
                          int domain, unsigned mask, bool *certain)
{
    uint32_t mark = script_mark(s);
    s->asked = domain + 1;
    bool proved = closure_prove(&l->closure, rung, domain, mask, certain);
    s->asked = 0;
    if (!proved)
        script_drop(s, mark);
    return proved;
}

static void settle(struct outcome *out, unsigned mask, bool proved,
                   enum rung rung, const char *reason)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        out->proved[d] = proved;
        out->rung[d] = proved ? rung : RUNG_NONE;
        out->reason[d] = proved ? "" : reason;
    }
}

static void note_certain(struct outcome *out, unsigned mask, enum rung rung,
                         bool certain)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if (certain && (mask >> d & 1) != 0)
            out->certain[d] |= 1U << rung;
}

// The domains in which some elements are floats bit for bit.
static unsigned with_floats(const struct rule *r)
{
    unsigned mask = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        for (uint32_t t = 0; t < r->n_types; t++)
            mask |= (unsigned)denote_is_float(r, t, d) << d;
    return mask;
}

// One rung in each of the domains of the mask; those where it failed.
static unsigned climb_floats(struct session *s, struct lifts *l,
                             prove_on_rung prove, enum rung r, unsigned mask,
                             struct outcome *out)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        unsigned one = mask & 1U << d;
        bool certain = false;
        if (one == 0 || !prove(s, l, r, d, one, &certain))
            continue;
        settle(out, one, true, r, "");
        mask &= ~one;
    }
    return mask;
}

// The ladder: what holds of uninterpreted or commutative operators holds in
// every domain; the rest is asked domain by domain.
static void climb(struct session *s, struct lifts *l, prove_on_rung prove,
                  unsigned mask, struct outcome *out)
{
    unsigned floats = with_floats(s->r);
    bool certain = false;
    for (enum rung r = RUNG_UNINTERPRETED; r <= RUNG_COMMUTATIVE; r++) {
        if (mask == 0)
            return;
        s->reassociated = false;
        uint32_t mark = script_mark(s);
        if (!prove(s, l, r, -1, mask, &certain)) {
            settle(out, mask, false, r, s->reason);
            note_certain(out, mask, r, certain);
            continue;
        }
        unsigned moved = s->reassociated ? mask & floats : 0;
        settle(out, mask & ~moved, true, r, "");
        // Sums in another order: floats get a proof of their own.
        if (mask == moved)
            script_drop(s, mark);
        mask = climb_floats(s, l, prove, r, moved, out);
        break;
    }
    for (int d = 0; d < N_DOMAINS; d++) {
        unsigned one = 1U << d;
        if ((mask & one) == 0)
            continue;
        bool proved = prove(s, l, RUNG_ARITHMETIC, d, one, &certain);
        settle(out, one, proved, RUNG_ARITHMETIC, s->reason);
    }
}

static void settle_method(struct outcome *out, unsigned mask, const char *name)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0)
            out->method[d] = name;
}

// Sums of floats at the largest ranks, in vain as a proof: where it fails the
// counterexample search has somewhere to start.
static void look_for_hint(struct session *s, struct lifts *l, unsigned mask)
{
    unsigned one = mask & 1U << DOMAIN_FLOAT;
    uint32_t mark = script_mark(s);
    bool certain;
    if (one == 0 || !s->x.keep_picks)
        return;
    s->pairs_closed = false;
    s->asked = DOMAIN_FLOAT + 1;
    (void)prove_instance(s, l->bound.most, RUNG_ARITHMETIC, DOMAIN_FLOAT, one,
                         &certain);
    s->asked = 0;
    script_drop(s, mark);
}

static void by_rank(struct session *s, struct lifts *l, unsigned mask,
                    struct outcome *out)
{
    const struct bound *b = &l->bound;
    uint64_t most = l->done != 0 && (mask & s->r->claims) == 0 ? MAX_UNCLAIMED
                                                               : MAX_INSTANCES;
    settle_method(out, mask, METHOD_RANK);
    if (b->failure != NULL)
        settle(out, mask, false, RUNG_NONE, b->failure);
    else if (b->instances <= most)
        climb(s, l, prove_instances, mask, out);
    else {
        look_for_hint(s, l, mask);
        settle(out, mask, false, RUNG_NONE,
               session_text(s, "too many instances (%llu)",
                            (unsigned long long)b->instances));
    }
}

static unsigned proved_in(const struct outcome *out)
{
    unsigned mask = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        mask |= (unsigned)out->proved[d] << d;
    return mask;
}

static void by_closure(struct session *s, struct lifts *l, unsigned mask,
                       struct outcome *out)
{
    uint32_t mark = script_mark(s);
    settle_method(out, mask, METHOD_CLOSURE);
    closure_init(&l->closure, s); // once a rule
    l->begun = true;
    if (l->bound.failure != NULL)
        settle(out, mask, false, RUNG_NONE, l->bound.failure);
    else if (l->closure.failure != NULL)
        settle(out, mask, false, RUNG_NONE,
               session_text(s, "and-closure: %s", l->closure.failure));
    else
        climb(s, l, prove_vectors, mask, out);
    if (proved_in(out) == 0)
        script_drop(s, mark);
}

// Does one method prove on some rung what the other has a countermodel of on
// that rung or a higher one, where less holds?
static bool disagree(const struct outcome *a, const struct outcome *b, int d)
{
    return (a->proved[d] && b->certain[d] >> a->rung[d] != 0) ||
           (b->proved[d] && a->certain[d] >> b->rung[d] != 0);
}

static void take(struct outcome *out, const struct outcome *from, unsigned mask)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        out->proved[d] = from->proved[d];
        out->rung[d] = from->rung[d];
        out->reason[d] = from->reason[d];
        out->method[d] = from->method[d];
    }
}

// Both methods; what either proves is proved, unless they contradict each
// other.
static void by_both(struct session *s, struct lifts *l, unsigned mask,
                    struct outcome *out)
{
    struct outcome other = {.proved = {false}};
    bool conditions = false;
    for (uint32_t w = 0; w < s->r->n_wheres; w++)
        conditions |= s->r->wheres[w].cond == NULL;
    by_rank(s, l, mask, out);
    by_closure(s, l, mask, &other);
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        bool first = out->proved[d];
        if (!conditions && disagree(out, &other, d)) {
            settle(out, 1U << d, false, RUNG_NONE, REASON_METHODS);
            out->method[d] = METHOD_BOTH;
        } else if (!first && other.proved[d]) {
            take(out, &other, 1U << d);
        } else if (first && other.proved[d]) {
            if (other.rung[d] < out->rung[d])
                out->rung[d] = other.rung[d];
            out->method[d] = METHOD_BOTH;
        }
    }
}

// The cheaper method first, the other where it fails.
static void by_either(struct session *s, struct lifts *l, unsigned mask,
                      struct outcome *out)
{
    bool few = l->bound.failure == NULL && l->bound.instances <= FEW_INSTANCES;
    for (int i = 0; i < 2; i++) {
        unsigned left = mask & ~proved_in(out);
        struct outcome one = {.proved = {false}};
        if (left == 0 || smt_out_of_time(&s->smt))
            return;
        if ((i == 0) == few)
            by_rank(s, l, left, &one);
        else
            by_closure(s, l, left, &one);
        // The reasons of the rank-bounded method are the plainer ones.
        take(out, &one, i == 0 || !few ? left : left & proved_in(&one));
    }
}

// Coefficient functions: once for every domain, then domain by domain.
static void by_coefficients(struct session *s, struct lifts *l, unsigned mask,
                            struct outcome *out)
{
    settle_method(out, mask, METHOD_COEFF);
    if (l->bound.failure != NULL) { // conditions that nothing may meet
        settle(out, mask, false, RUNG_NONE, l->bound.failure);
        return;
    }
    for (int d = -1; d < N_DOMAINS; d++) {
        unsigned open = (d < 0 ? mask : mask & 1U << d) & ~l->done;
        if (open == 0)
            continue;
        uint32_t mark = script_mark(s);
        s->asked = d + 1;
        bool proved = coeff_prove(s, d);
        s->asked = 0;
        settle(out, open, proved, d < 0 ? RUNG_COMMUTATIVE : RUNG_ARITHMETIC,
               s->reason);
        if (proved)
            l->done |= open;
        else
            script_drop(s, mark);
    }
}

// Coefficient functions where there are reductions, then what else there is.
static void by_any(struct session *s, struct lifts *l, unsigned mask,
                   struct outcome *out)
{
    struct outcome rest = {.proved = {false}};
    if (s->x.keep_picks) // there are reductions
        by_coefficients(s, l, mask, out);
    by_either(s, l, mask & ~l->done, &rest);
    take(out, &rest, mask & ~l->done);
}

static void prove_elements(struct session *s, struct lifts *l, unsigned mask,
                           struct outcome *out)
{
    static void (*const method[])(struct session *, struct lifts *, unsigned,
                                  struct outcome *) = {
        [LIFT_AUTO] = by_any,           [LIFT_RANK] = by_rank,
        [LIFT_CLOSURE] = by_closure,    [LIFT_BOTH] = by_both,
        [LIFT_COEFF] = by_coefficients,
    };
    method[s->o.lifting](s, l, mask, out);
}

static bool same_iexp(const struct iexp *a, const struct iexp *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->op == b->op && a->k == b->k && a->map == b->map &&
           same_iexp(a->a, b->a) && same_iexp(a->b, b->b);
}

static bool same_attrs(const struct pat *p, const struct pat *q)
{
    bool same = p->n_attrs == q->n_attrs && p->n_relabels == q->n_relabels;
    for (uint32_t i = 0; same && i < p->n_attrs; i++) {
        same = p->attrs[i].cls == q->attrs[i].cls;
        for (int k = 0; k < N_ATTRS && same; k++)
            same = same_iexp(p->attrs[i].v[k], q->attrs[i].v[k]);
    }
    for (uint32_t i = 0; same && i < p->n_relabels; i++)
        same = p->relabels[i].from == q->relabels[i].from &&
               p->relabels[i].to == q->relabels[i].to;
    return same;
}

static bool same_contraction(const struct pat *p, const struct pat *q)
{
    return p->batch == q->batch && p->out == q->out &&
           p->spatial == q->spatial && p->flipped == q->flipped &&
           same_iexp(p->feature_groups, q->feature_groups) &&
           same_iexp(p->batch_groups, q->batch_groups);
}

static bool same_groups(const struct pat *p, const struct pat *q)
{
    bool same = p->n_groups == q->n_groups;
    for (uint32_t i = 0; same && i < p->n_groups; i++) {
        const struct reshape_group *g = &p->groups[i], *h = &q->groups[i];
        same = g->n_from == h->n_from && g->n_to == h->n_to;
        for (uint32_t k = 0; same && k < g->n_from; k++)
            same = g->from[k] == h->from[k];
        for (uint32_t k = 0; same && k < g->n_to; k++)
            same = g->to[k].cls == h->to[k].cls &&
                   same_iexp(g->to[k].size, h->to[k].size);
    }
    return same;
}

static bool same_literal(const struct pat *p, const struct pat *q)
{
    return p->lit == q->lit && p->k == q->k && same_iexp(p->value, q->value) &&
           (p->text == q->text || (p->text != NULL && q->text != NULL &&
                                   strcmp(p->text, q->text) == 0));
}

// Are the two sides one term?
static bool same_pattern(const struct rule *r, uint32_t a, uint32_t b)
{
    const struct pat *p = &r->pats[a], *q = &r->pats[b];
    bool same = p->kind == q->kind && p->op == q->op && p->var == q->var &&
                p->n_args == q->n_args && p->type == q->type &&
                p->reducer == q->reducer && p->opvar == q->opvar &&
                p->dir == q->dir && p->classes == q->classes &&
                same_attrs(p, q) && same_literal(p, q) &&
                same_contraction(p, q) && same_groups(p, q);
    for (uint32_t i = 0; same && i < p->n_args; i++)
        same = same_pattern(r, p->args[i], q->args[i]);
    return same;
}

// Domains in which no elements meet the element conditions are given up; the
// others are returned.
static unsigned check_conditions(struct session *s, struct report *rep,
                                 unsigned mask, struct outcome *out)
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
    settle(out, mask & ~left, false, RUNG_NONE, why);
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
static void fill_method(struct session *s, const struct lifts *l,
                        const char *method, struct domain_report *q)
{
    const struct bound *b = &l->bound;
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
                 const struct lifts *l, const struct outcome *out,
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
static enum grade best_grade(struct session *s, struct lifts *l)
{
    static const enum grade order[] = {GRADE_FINITE_ZERO_SIGN, GRADE_ZERO_SIGN,
                                       GRADE_FINITE};
    enum grade best = GRADE_NONE;
    for (int i = 0; i < 3; i++) {
        s->goal = order[i];
        s->reassociated = false;
        s->pairs.len = 0;
        bool certain = false;
        if (prove_instances(s, l, RUNG_ARITHMETIC, DOMAIN_FLOAT,
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
    struct lifts l = {.begun = false};
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
        bound_of(&s, &l.bound);
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
                          const struct outcome *out)
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
    struct lifts l = {.begun = false};
    struct outcome out = {.proved = {false}};
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
        settle(&out, mask, false, RUNG_NONE, s.reason);
    } else {
        check_nonempty(&s, &vacuous);
        uint32_t mark = smt_mark(&s.smt);
        bound_of(&s, &l.bound);
        script_end(&s, mark, "rank bound: paths that cannot be, equal reads",
                   l.bound.why == NULL ? "" : l.bound.why);
        if (vacuous) {
            const char *why = "vacuous: no model of the preconditions in "
                              "which the left side has an element was found";
            vec_push(&rep->remarks, arena_strdup(&rep->mem, why));
            settle(&out, mask, false, RUNG_NONE, why);
        } else {
            unsigned left = mask;
            if (l.bound.failure == NULL) // else they may not be pointwise
                left = check_conditions(&s, rep, mask, &out);
            prove_elements(&s, &l, left, &out);
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
