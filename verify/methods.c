// SPDX-License-Identifier: Apache-2.0
#include "verify/methods.h"
#include "verify/sums/coefficients.h"
#include "verify/decide.h"
#include "verify/elements/same.h"

#define MAX_UNCLAIMED 12 // where all that is claimed is proved
#define FEW_INSTANCES 16 // cost less than the closure

// Is the obligation proved on one rung, in one domain or (-1) in all?
typedef bool (*prove_on_rung)(struct session *s, struct methods *l,
                              enum rung rung, int domain, unsigned mask,
                              bool *certain);

// The next combination of ranks between least and most; families share ranks.
static bool next_ranks(const struct rule *r, const struct rank_bound *b,
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
    const struct element_query k = {.s = s, .d = &d, .rung = rung, .domain = domain};
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
static bool try_instances(struct session *s, const struct rank_bound *b,
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

bool methods_prove_instances(struct session *s, struct methods *l,
                             enum rung rung, int domain, unsigned mask,
                             bool *certain)
{
    uint32_t mark = script_mark(s);
    s->asked = domain + 1;
    bool proved = try_instances(s, &l->bound, rung, domain, mask, certain);
    s->asked = 0;
    if (!proved)
        script_drop(s, mark);
    return proved;
}

static bool prove_vectors(struct session *s, struct methods *l, enum rung rung,
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

void method_settle(struct method_outcome *out, unsigned mask, bool proved,
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

static void note_certain(struct method_outcome *out, unsigned mask,
                         enum rung rung, bool certain)
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
static unsigned climb_floats(struct session *s, struct methods *l,
                             prove_on_rung prove, enum rung r, unsigned mask,
                             struct method_outcome *out)
{
    for (int d = 0; d < N_DOMAINS; d++) {
        unsigned one = mask & 1U << d;
        bool certain = false;
        if (one == 0 || !prove(s, l, r, d, one, &certain))
            continue;
        method_settle(out, one, true, r, "");
        mask &= ~one;
    }
    return mask;
}

// The ladder: what holds of uninterpreted or commutative operators holds in
// every domain; the rest is asked domain by domain.
static void climb(struct session *s, struct methods *l, prove_on_rung prove,
                  unsigned mask, struct method_outcome *out)
{
    unsigned floats = with_floats(s->r);
    bool certain = false;
    for (enum rung r = RUNG_UNINTERPRETED; r <= RUNG_COMMUTATIVE; r++) {
        if (mask == 0)
            return;
        s->reassociated = false;
        uint32_t mark = script_mark(s);
        if (!prove(s, l, r, -1, mask, &certain)) {
            method_settle(out, mask, false, r, s->reason);
            note_certain(out, mask, r, certain);
            continue;
        }
        unsigned moved = s->reassociated ? mask & floats : 0;
        method_settle(out, mask & ~moved, true, r, "");
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
        method_settle(out, one, proved, RUNG_ARITHMETIC, s->reason);
    }
}

static void settle_method(struct method_outcome *out, unsigned mask,
                          const char *name)
{
    for (int d = 0; d < N_DOMAINS; d++)
        if ((mask >> d & 1) != 0)
            out->method[d] = name;
}

// Sums of floats at the largest ranks, in vain as a proof: where it fails the
// counterexample search has somewhere to start.
static void look_for_hint(struct session *s, struct methods *l, unsigned mask)
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

static void by_rank(struct session *s, struct methods *l, unsigned mask,
                    struct method_outcome *out)
{
    const struct rank_bound *b = &l->bound;
    uint64_t most = l->done != 0 && (mask & s->r->claims) == 0 ? MAX_UNCLAIMED
                                                               : MAX_INSTANCES;
    settle_method(out, mask, METHOD_RANK);
    if (b->failure != NULL)
        method_settle(out, mask, false, RUNG_NONE, b->failure);
    else if (b->instances <= most)
        climb(s, l, methods_prove_instances, mask, out);
    else {
        look_for_hint(s, l, mask);
        method_settle(out, mask, false, RUNG_NONE,
                      session_text(s, "too many instances (%llu)",
                                   (unsigned long long)b->instances));
    }
}

static unsigned proved_in(const struct method_outcome *out)
{
    unsigned mask = 0;
    for (int d = 0; d < N_DOMAINS; d++)
        mask |= (unsigned)out->proved[d] << d;
    return mask;
}

static void by_closure(struct session *s, struct methods *l, unsigned mask,
                       struct method_outcome *out)
{
    uint32_t mark = script_mark(s);
    settle_method(out, mask, METHOD_CLOSURE);
    closure_init(&l->closure, s); // once a rule
    l->begun = true;
    if (l->bound.failure != NULL)
        method_settle(out, mask, false, RUNG_NONE, l->bound.failure);
    else if (l->closure.failure != NULL)
        method_settle(out, mask, false, RUNG_NONE,
                      session_text(s, "and-closure: %s", l->closure.failure));
    else
        climb(s, l, prove_vectors, mask, out);
    if (proved_in(out) == 0)
        script_drop(s, mark);
}

// Does one method prove on some rung what the other has a countermodel of on
// that rung or a higher one, where less holds?
static bool disagree(const struct method_outcome *a,
                     const struct method_outcome *b, int d)
{
    return (a->proved[d] && b->certain[d] >> a->rung[d] != 0) ||
           (b->proved[d] && a->certain[d] >> b->rung[d] != 0);
}

static void take(struct method_outcome *out, const struct method_outcome *from,
                 unsigned mask)
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
static void by_both(struct session *s, struct methods *l, unsigned mask,
                    struct method_outcome *out)
{
    struct method_outcome other = {.proved = {false}};
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

// The cheaper method first, the other where it fails.
static void by_either(struct session *s, struct methods *l, unsigned mask,
                      struct method_outcome *out)
{
    bool few = l->bound.failure == NULL && l->bound.instances <= FEW_INSTANCES;
    for (int i = 0; i < 2; i++) {
        unsigned left = mask & ~proved_in(out);
        struct method_outcome one = {.proved = {false}};
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
static void by_coefficients(struct session *s, struct methods *l, unsigned mask,
                            struct method_outcome *out)
{
    settle_method(out, mask, METHOD_COEFF);
    if (l->bound.failure != NULL) { // conditions that nothing may meet
        method_settle(out, mask, false, RUNG_NONE, l->bound.failure);
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
        method_settle(out, open, proved,
                      d < 0 ? RUNG_COMMUTATIVE : RUNG_ARITHMETIC, s->reason);
        if (proved)
            l->done |= open;
        else
            script_drop(s, mark);
    }
}

// Coefficient functions where there are reductions, then what else there is.
static void by_any(struct session *s, struct methods *l, unsigned mask,
                   struct method_outcome *out)
{
    struct method_outcome rest = {.proved = {false}};
    if (s->x.keep_picks) // there are reductions
        by_coefficients(s, l, mask, out);
    by_either(s, l, mask & ~l->done, &rest);
    take(out, &rest, mask & ~l->done);
}

void methods_prove(struct session *s, struct methods *l, unsigned mask,
                   struct method_outcome *out)
{
    static void (*const method[])(struct session *, struct methods *, unsigned,
                                  struct method_outcome *) = {
        [RANK_METHOD_AUTO] = by_any,           [RANK_METHOD_BOUNDED] = by_rank,
        [RANK_METHOD_CLOSURE] = by_closure,    [RANK_METHOD_BOTH] = by_both,
        [RANK_METHOD_COEFFICIENTS] = by_coefficients,
    };
    method[s->o.lifting](s, l, mask, out);
}
