// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"
#include "verify/methods.h"
#include "verify/sums/coefficients.h"
#include "verify/decide.h"
#include "verify/elements/same.h"
#include "verify/limits.h"

// Is the obligation proved on one rung, in one domain or (-1) in all?
typedef bool (*prove_on_rung)(struct session *s, struct methods *l, enum rung rung, int domain,
                              unsigned mask, bool *certain);

// The next combination of ranks between least and most; families share ranks.
static bool next_ranks(const struct rule *rule, const struct rank_bound *bound, uint32_t *rank)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (denote_family(rule, c) != c)
            continue;
        bool carry = rank[c] == bound->most[c];
        uint32_t to = carry ? bound->least[c] : rank[c] + 1;
        for (uint32_t k = 0; k < rule->n_classes; k++)
            if (denote_family(rule, k) == c)
                rank[k] = to;
        if (!carry)
            return true;
    }
    return false;
}

// Proves one instance in one domain, or (-1) in all.
static bool prove_instance(struct session *session, const uint32_t *rank, enum rung rung,
                           int domain, unsigned mask, bool *certain)
{
    struct denote denote;
    struct clauses clauses = {{0}};
    struct u32_vec hyps = {0};
    struct linear_model model = {.genuine = false};
    struct stopwatch watch = session_start(session);
    if (!denote_init(&denote, &session->exprs, session->rule, rank))
        return false;
    denote.float_sums = domain == DOMAIN_FLOAT || domain == DOMAIN_WORD;
    denote.domain = domain;
    denote.ideal = domain == DOMAIN_INT || domain == DOMAIN_REAL;
    expr_id *index = denote_new_index(&denote);
    denote_out_index(&denote, session->rule->lhs, index);
    hypotheses(&denote, &clauses);
    denote_valid(&denote, session->rule->rhs, &clauses);
    denote_in_range(&denote, session->rule->lhs, index, &clauses);
    clauses_append(&clauses, NONE, &hyps);
    expr_id a = denote_element(&denote, session->rule->lhs, index);
    expr_id b = denote_element(&denote, session->rule->rhs, index);
    const struct element_query element_query = {
        .session = session, .denote = &denote, .rung = rung, .domain = domain};
    const char *ranks = session_ranks(session, rank);
    bool proved = denote.failure == NULL && element_same(&element_query, &hyps, a, b, &model);
    if (denote.failure != NULL)
        session->reason = denote.failure;
    session->reassociated |= denote.rounds && !denote.float_sums;
    *certain = !proved && denote.failure == NULL && model.genuine;
    struct buf what = {0};
    buf_puts(&what, rung_text(rung));
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(session, watch,
                   (struct obligation_outcome){OBLIGATION_ELEMENTS, ranks, buf_text(&what), proved,
                                               session->reason});
    if (!proved && model.value.len == 0) // any output element will do
        (void)linear_refute(&session->linear, hyps.len, hyps.at, &model);
    smt_forget(&session->smt, watch.mark);
    if (!proved)
        session_hint(session, OBLIGATION_ELEMENTS, mask, &denote,
                     model.value.len > 0 ? &model : NULL);
    buf_release(&what);
    linear_model_release(&model);
    mem_free(index);
    vec_release(&hyps);
    vec_release(&clauses.at);
    denote_release(&denote);
    return proved;
}

bool methods_each_instance(struct session *session, const struct rank_bound *bound,
                           prove_at_rank prove, void *ctx)
{
    uint32_t rank[64];
    session->pairs_closed = false;
    if (session->exprs.keep_picks) {
        memcpy(rank, bound->most, sizeof rank);
        if (!prove(session, rank, ctx))
            return false;
        session->pairs_closed = true;
    }
    memcpy(rank, bound->least, sizeof rank);
    do {
        bool done = session->exprs.keep_picks &&
                    memcmp(rank, bound->most, session->rule->n_classes * sizeof *rank) == 0;
        if (!done && !prove(session, rank, ctx))
            return false;
    } while (next_ranks(session->rule, bound, rank));
    return true;
}

// One rung in one domain, or (-1) in all of the mask.
struct rung_proof {
    enum rung rung;
    int domain;
    unsigned mask;
    bool *certain;
};

static bool prove_on_ranks(struct session *session, const uint32_t *rank, void *ctx)
{
    const struct rung_proof *proof = ctx;
    return prove_instance(session, rank, proof->rung, proof->domain, proof->mask, proof->certain);
}

bool methods_prove_instances(struct session *session, struct methods *methods, enum rung rung,
                             int domain, unsigned mask, bool *certain)
{
    uint32_t mark = script_mark(session);
    struct rung_proof proof = {rung, domain, mask, certain};
    session->asked = domain + 1;
    bool proved = methods_each_instance(session, &methods->bound, prove_on_ranks, &proof);
    session->asked = 0;
    if (!proved)
        script_drop(session, mark);
    return proved;
}

static bool prove_vectors(struct session *session, struct methods *methods, enum rung rung,
                          int domain, unsigned mask, bool *certain)
{
    uint32_t mark = script_mark(session);
    session->asked = domain + 1;
    bool proved = closure_prove(&methods->closure, rung, domain, mask, certain);
    session->asked = 0;
    if (!proved)
        script_drop(session, mark);
    return proved;
}

void method_settle(struct method_outcome *out, unsigned mask, bool proved, enum rung rung,
                   const char *reason)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        out->proved[d] = proved;
        out->rung[d] = proved ? rung : RUNG_NONE;
        out->reason[d] = proved ? "" : reason;
    }
}

static void note_certain(struct method_outcome *out, unsigned mask, enum rung rung, bool certain)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if (certain && (mask >> d & 1) != 0)
            out->certain[d] |= 1U << rung;
}

// The domains in which some elements are floats that are compared bit for bit.
static unsigned with_floats(const struct rule *rule)
{
    unsigned mask = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        for (uint32_t t = 0; t < rule->n_types; t++)
            mask |= (unsigned)denote_is_float(rule, t, d) << d;
    return mask;
}

// One rung in each of the domains of the mask.  Returns those where it failed.
static unsigned climb_floats(struct session *session, struct methods *methods, prove_on_rung prove,
                             enum rung rung, unsigned mask, struct method_outcome *out)
{
    mask = decide_narrow(&session->options, mask);
    for (int d = 0; d < N_DOMAINS; d++) {
        unsigned one = mask & 1U << d;
        bool certain = false;
        if (one == 0 || !prove(session, methods, rung, d, one, &certain))
            continue;
        method_settle(out, one, true, rung, "");
        mask &= ~one;
    }
    return mask;
}

// The ladder.  A proof with uninterpreted or commutative operators holds in every domain;
// the last rung is climbed domain by domain.
static void climb(struct session *session, struct methods *methods, prove_on_rung prove,
                  unsigned mask, struct method_outcome *out)
{
    unsigned floats = with_floats(session->rule);
    bool certain = false;
    for (enum rung rung = RUNG_UNINTERPRETED; rung <= RUNG_COMMUTATIVE; rung++) {
        if (mask == 0)
            return;
        session->reassociated = false;
        uint32_t mark = script_mark(session);
        if (!prove(session, methods, rung, -1, mask, &certain)) {
            method_settle(out, mask, false, rung, session->reason);
            note_certain(out, mask, rung, certain);
            continue;
        }
        unsigned moved = session->reassociated ? mask & floats : 0;
        method_settle(out, mask & ~moved, true, rung, "");
        // Sums in another order: floats get a proof of their own.
        if (mask == moved)
            script_drop(session, mark);
        mask = climb_floats(session, methods, prove, rung, moved, out);
        break;
    }
    mask = decide_narrow(&session->options, mask);
    for (int d = 0; d < N_DOMAINS; d++) {
        unsigned one = 1U << d;
        if ((mask & one) == 0)
            continue;
        bool proved = prove(session, methods, RUNG_ARITHMETIC, d, one, &certain);
        method_settle(out, one, proved, RUNG_ARITHMETIC, session->reason);
    }
}

static void settle_method(struct method_outcome *out, unsigned mask, const char *name)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0)
            out->method[d] = name;
}

// Tries sums of floats at the largest ranks.  The result is not a proof; a failure gives the
// counterexample search a place to start.
static void look_for_hint(struct session *session, struct methods *methods, unsigned mask)
{
    unsigned one = mask & 1U << DOMAIN_FLOAT;
    uint32_t mark = script_mark(session);
    bool certain;
    if (one == 0 || !session->exprs.keep_picks)
        return;
    session->pairs_closed = false;
    session->asked = DOMAIN_FLOAT + 1;
    (void)prove_instance(session, methods->bound.most, RUNG_ARITHMETIC, DOMAIN_FLOAT, one,
                         &certain);
    session->asked = 0;
    script_drop(session, mark);
}

const char *too_many_instances(struct session *session, const struct methods *methods)
{
    return session_text(session, "%s (%llu)", reason_RANKS,
                        (unsigned long long)methods->bound.instances);
}

static void by_rank(struct session *session, struct methods *methods, unsigned mask,
                    struct method_outcome *out)
{
    const struct rank_bound *bound = &methods->bound;
    uint64_t most = methods->done != 0 && (mask & session->rule->claims) == 0
                        ? VERIFY_INSTANCES_UNCLAIMED
                        : VERIFY_INSTANCES;
    settle_method(out, mask, METHOD_RANK);
    if (bound->failure != NULL)
        method_settle(out, mask, false, RUNG_NONE, bound->failure);
    else if (bound->instances <= most)
        climb(session, methods, methods_prove_instances, mask, out);
    else {
        look_for_hint(session, methods, mask);
        method_settle(out, mask, false, RUNG_NONE, too_many_instances(session, methods));
    }
}

static unsigned proved_in(const struct method_outcome *out)
{
    unsigned mask = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        mask |= (unsigned)out->proved[d] << d;
    return mask;
}

static void by_closure(struct session *session, struct methods *methods, unsigned mask,
                       struct method_outcome *out)
{
    uint32_t mark = script_mark(session);
    settle_method(out, mask, METHOD_CLOSURE);
    closure_init(&methods->closure, session); // once a rule
    methods->begun = true;
    if (methods->bound.failure != NULL)
        method_settle(out, mask, false, RUNG_NONE, methods->bound.failure);
    else if (methods->closure.failure != NULL)
        method_settle(out, mask, false, RUNG_NONE,
                      session_text(session, "and-closure: %s", methods->closure.failure));
    else
        climb(session, methods, prove_vectors, mask, out);
    if (proved_in(out) == 0)
        script_drop(session, mark);
}

// Does one method prove a claim on some rung although the other has a countermodel on that
// rung or a higher one, where fewer claims hold?
static bool disagree(const struct method_outcome *a, const struct method_outcome *b, int d)
{
    return (a->proved[d] && b->certain[d] >> a->rung[d] != 0) ||
           (b->proved[d] && a->certain[d] >> b->rung[d] != 0);
}

static void take(struct method_outcome *out, const struct method_outcome *from, unsigned mask)
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

// Runs both methods.  A claim that either proves is proved, unless they contradict each
// other.
static void by_both(struct session *session, struct methods *methods, unsigned mask,
                    struct method_outcome *out)
{
    struct method_outcome other = {.proved = {false}};
    bool conditions = false;
    for (uint32_t w = 0; w < session->rule->n_wheres; w++)
        conditions |= session->rule->wheres[w].cond == NULL;
    by_rank(session, methods, mask, out);
    by_closure(session, methods, mask, &other);
    for (int d = 0; d < N_DOMAINS; d++) {
        if ((mask >> d & 1) == 0)
            continue;
        bool first = out->proved[d];
        if (!conditions && disagree(out, &other, d)) {
            method_settle(out, 1U << d, false, RUNG_NONE, REASON_METHODS);
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

// Runs the cheaper method, then the other one for the claims that are left.
static void by_either(struct session *session, struct methods *methods, unsigned mask,
                      struct method_outcome *out)
{
    bool few = methods->bound.failure == NULL && methods->bound.instances <= VERIFY_INSTANCES_FEW;
    for (int i = 0; i < 2; i++) {
        unsigned left = mask & ~proved_in(out);
        struct method_outcome one = {.proved = {false}};
        if (i > 0 || !few)
            left = decide_narrow(&session->options, left);
        if (left == 0 || smt_spent(&session->smt))
            return;
        if ((i == 0) == few)
            by_rank(session, methods, left, &one);
        else
            by_closure(session, methods, left, &one);
        // The reasons of the rank-bounded method are easier to understand.
        take(out, &one, i == 0 || !few ? left : left & proved_in(&one));
    }
}

// Coefficient functions: once for every domain, then domain by domain.
static void by_coefficients(struct session *session, struct methods *methods, unsigned mask,
                            struct method_outcome *out)
{
    settle_method(out, mask, METHOD_COEFF);
    if (methods->bound.failure != NULL) { // conditions that nothing may meet
        method_settle(out, mask, false, RUNG_NONE, methods->bound.failure);
        return;
    }
    for (int d = -1; d < N_DOMAINS; d++) {
        unsigned open = (d < 0 ? mask : mask & 1U << d) & ~methods->done;
        if (d >= 0)
            open = decide_narrow(&session->options, open);
        if (open == 0)
            continue;
        uint32_t mark = script_mark(session);
        session->asked = d + 1;
        bool proved = coeff_prove(session, d);
        session->asked = 0;
        method_settle(out, open, proved, d < 0 ? RUNG_COMMUTATIVE : RUNG_ARITHMETIC,
                      session->reason);
        if (proved)
            methods->done |= open;
        else
            script_drop(session, mark);
    }
}

// Coefficient functions if there are reductions, then the other methods.
static void by_any(struct session *session, struct methods *methods, unsigned mask,
                   struct method_outcome *out)
{
    struct method_outcome rest = {.proved = {false}};
    if (session->exprs.keep_picks) { // there are reductions
        by_coefficients(session, methods, mask, out);
        mask = decide_narrow(&session->options, mask & ~methods->done);
    }
    by_either(session, methods, mask, &rest);
    take(out, &rest, mask);
}

void methods_prove(struct session *session, struct methods *methods, unsigned mask,
                   struct method_outcome *out)
{
    static void (*const method[])(struct session *, struct methods *, unsigned,
                                  struct method_outcome *) = {
        [RANK_METHOD_AUTO] = by_any,
        [RANK_METHOD_BOUNDED] = by_rank,
        [RANK_METHOD_CLOSURE] = by_closure,
        [RANK_METHOD_BOTH] = by_both,
        [RANK_METHOD_COEFFICIENTS] = by_coefficients,
    };
    method[session->options.lifting](session, methods, mask, out);
}
