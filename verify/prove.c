// SPDX-License-Identifier: Apache-2.0
#include "verify/prove.h"
#include "base/clock.h"
#include "verify/counterexample/search.h"
#include "verify/decide.h"

#define MAX_HINTS 24 // models that are looked at

struct rule_proof {
    const struct rule *r;
    const struct prove_options *o;
    struct report *rep;
    unsigned domains;
    const char *found[N_DOMAINS]; // replayed counterexamples
    double search[N_DOMAINS];     // seconds
    struct hints hints;
    struct arena mem; // of `found`, until the report is complete
};

static uint32_t take_hints(const struct rule_proof *w, bool exact, uint32_t n,
                           struct cex_hint *hint)
{
    for (uint32_t i = 0; i < w->hints.at.len && n < MAX_HINTS; i++) {
        const struct hint *h = &w->hints.at.at[i];
        if (h->exact == exact)
            hint[n++] = (struct cex_hint){h->rank, h->map};
    }
    return n;
}

// Where the rule was broken in other domains.
static uint32_t take_points(const struct rule_proof *w, uint32_t n,
                            struct cex_hint *hint, struct arena *mem)
{
    for (unsigned d = 0; d < N_DOMAINS && n < MAX_HINTS; d++)
        if (w->found[d] != NULL &&
            cex_hint_of(w->r, w->found[d], mem, &hint[n]))
            n++;
    return n;
}

// One search over the domains of `mask` that have no counterexample yet.
// Where elements only move, a domain is as good as another: after one search
// in vain the others get a small part of the budget.
static void search(struct rule_proof *w, unsigned mask, const struct cex_budget *b,
                   uint64_t salt)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_WORD, DOMAIN_REAL,
                                        DOMAIN_FLOAT, DOMAIN_BOOL};
    struct arena mem = {0};
    struct rng rng;
    struct cex_hint hint[MAX_HINTS];
    struct cex_budget budget = *b;
    uint32_t n = take_points(w, 0, hint, &mem);
    n = take_hints(w, true, n, hint);
    n = take_hints(w, false, n, hint);
    double before = clock_wall();
    rng_seed(&rng, w->o->seed ^ salt);
    struct cex_space *space = cex_space_new(w->r, hint, n, b, &rng, &mem);
    for (unsigned i = 0; i < N_DOMAINS; i++) {
        enum domain d = order[i];
        const char *json = NULL;
        if (!(mask >> d & 1) || w->found[d] != NULL)
            continue;
        rng_seed(&rng, w->o->seed ^ (salt + d + 1));
        if (cex_space_search(space, d, &budget, &rng, &mem, &json))
            w->found[d] = arena_strdup(&w->mem, json);
        else if (rule_only_moves(w->r))
            budget.candidates = b->candidates / 8;
        w->search[d] += clock_wall() - before;
        before = clock_wall();
    }
    arena_release(&mem);
}

static struct domain_report *report_of(struct report *rep, enum domain d)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].domain == d)
            return &rep->domains.at[i];
    return NULL;
}

// The prover runs for the domains without a counterexample; with none left
// only its remarks are of use, and they are not worth its time.
static void decide(struct rule_proof *w, unsigned mask)
{
    struct decide_options o = {
        .lifting = w->o->lifting,
        .solver = w->o->solver,
        .solver_program = w->o->solver_program,
        .domains = mask,
        .rlimit = w->o->rlimit,
        .timeout_ms = w->o->timeout_ms,
        .seconds_per_rule = w->o->seconds_per_rule,
        .hints = &w->hints,
        .smt2 = w->o->smt2,
    };
    if (mask != 0)
        decide_rule(w->r, &o, w->rep);
}

static unsigned with_verdict(const struct rule_proof *w, enum verdict v)
{
    unsigned mask = 0;
    for (uint32_t i = 0; i < w->rep->domains.len; i++)
        if (w->rep->domains.at[i].verdict == v)
            mask |= 1u << w->rep->domains.at[i].domain;
    return mask & w->domains;
}

static void put_refuted(struct domain_report *d, const char *json)
{
    d->verdict = VERDICT_REFUTED;
    d->rung = RUNG_NONE;
    d->grade = GRADE_NONE;
    d->reason = "";
    d->method = "counterexample";
    d->counterexample = json;
    if (d->solver == NULL)
        d->solver = "";
}

static struct domain_report blank_report(void)
{
    return (struct domain_report){.reason = "",
                                  .method = "",
                                  .bound = "{}",
                                  .bound_why = "",
                                  .solver = ""};
}

// A rule that is not exact in float may hold with exceptions, of which a
// difference without any is quicker found than proofs fail.
static void grade(const struct rule_proof *w, struct domain_report *d)
{
    struct decide_options o = {.rlimit = w->o->rlimit,
                               .timeout_ms = w->o->timeout_ms,
                               .seconds_per_rule = w->o->seconds_per_rule};
    if (d->domain != DOMAIN_FLOAT || d->verdict == VERDICT_PROVED)
        return;
    struct cex_budget few = cex_budget_quick();
    struct rng rng;
    rng_seed(&rng, w->o->seed ^ UINT64_C(0x9a));
    if (w->o->no_search || !cex_plain_difference(w->r, &few, &rng))
        d->grade = decide_grade(w->r, &o);
}

// One entry a domain, ascending; false if some proof is contradicted.
static bool assemble(struct rule_proof *w)
{
    struct report sorted = {0};
    bool sound = true;
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        if (!(w->domains >> d & 1))
            continue;
        struct domain_report *old = report_of(w->rep, (enum domain)d);
        struct domain_report one = old != NULL ? *old : blank_report();
        one.domain = (enum domain)d;
        one.claimed = w->r->claims >> d & 1;
        one.seconds += w->search[d];
        if (w->found[d] != NULL && one.verdict == VERDICT_PROVED) {
            one.verdict = VERDICT_UNKNOWN;
            one.rung = RUNG_NONE;
            one.grade = GRADE_NONE;
            one.reason = REASON_DISAGREE;
            // Kept so that the bug can be found.
            one.counterexample = arena_strdup(&w->rep->mem, w->found[d]);
            sound = false;
        } else if (w->found[d] != NULL) {
            put_refuted(&one, arena_strdup(&w->rep->mem, w->found[d]));
        } else if (old == NULL || (one.verdict == VERDICT_UNKNOWN &&
                                   (one.reason == NULL || !*one.reason))) {
            one.verdict = VERDICT_UNKNOWN;
            one.reason = "the prover gave no reason";
        }
        grade(w, &one);
        vec_push(&sorted.domains, one);
    }
    for (uint32_t i = 0; i < w->rep->domains.len; i++) // domains not asked for
        if (!(w->domains >> w->rep->domains.at[i].domain & 1))
            vec_release(&w->rep->domains.at[i].obligations);
    vec_release(&w->rep->domains);
    for (uint32_t i = 0; i < sorted.domains.len; i++)
        vec_push(&w->rep->domains, sorted.domains.at[i]);
    vec_release(&sorted.domains);
    return sound;
}

static unsigned still_open(const struct rule_proof *w)
{
    unsigned open = w->domains;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (w->found[d] != NULL)
            open &= ~(1u << d);
    return open;
}

// And once more, quickly, at the places found, in domains that are left.
static void search_twice(struct rule_proof *w, unsigned mask,
                         const struct cex_budget *b, uint64_t salt)
{
    struct cex_budget quick = cex_budget_quick();
    unsigned before = still_open(w);
    search(w, mask, b, salt);
    unsigned open = mask & still_open(w);
    if (open != 0 && still_open(w) != before)
        search(w, open, &quick, salt + 0x100);
}

bool prove_rule(const struct rule *r, const struct prove_options *o,
                struct report *rep)
{
    struct rule_proof w = {.r = r, .o = o, .rep = rep};
    struct cex_budget quick = cex_budget_quick(), deep = cex_budget_deep();
    w.domains = rule_domains(r);
    if (o->domains != 0)
        w.domains &= o->domains;
    if (o->search_seconds > 0)
        deep.seconds = o->search_seconds;
    bool searches = !o->no_search && !rule_defines(r);
    if (searches)
        search_twice(&w, w.domains, &quick, UINT64_C(0x51));
    unsigned open = still_open(&w);
    decide(&w, o->cross_check ? w.domains : open);
    unsigned left = open & with_verdict(&w, VERDICT_UNKNOWN);
    if (o->cross_check)
        left |= open & with_verdict(&w, VERDICT_PROVED);
    if (searches && left != 0)
        search_twice(&w, left, &deep, UINT64_C(0xdee9));
    hints_release(&w.hints);
    bool sound = assemble(&w);
    arena_release(&w.mem);
    return sound;
}
