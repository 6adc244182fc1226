// SPDX-License-Identifier: Apache-2.0
// Candidates of a repair: made, judged, kept.
#include "base/clock.h"
#include "discover/repair/core.h"
#include "verify/counterexample/search.h"
#include "verify/decide.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RLIMIT 2000000 // steps of a query
#define NOTHING 1e9
#define ELSEWHERE 5.0 // only domains that were not claimed
#define LOST 0.5      // a domain that was
#define ONE_TYPE 4.0  // two element types became one

const char *repair_words(struct repair_run *s, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&s->l->set.mem, line);
}

bool repair_over(const struct repair_run *s)
{
    return clock_wall() > s->end || s->out->n_proofs >= s->max_proofs;
}

// ---- the judge

static void search(struct repair_run *s, const struct rule *r, unsigned domains,
                   const struct cex_budget *b, struct judged_domains *j,
                   struct witnesses *seen)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL,
                                        DOMAIN_WORD, DOMAIN_FLOAT};
    struct arena mem = {0};
    struct rng rng;
    rng_seed(&rng, s->l->seed ^ UINT64_C(0x7e9));
    struct cex_space *space = cex_space_new(r, NULL, 0, b, &rng, &mem);
    s->out->n_searched++;
    for (size_t i = 0; i < N_DOMAINS; i++) {
        const char *json;
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        rng_seed(&rng, s->l->seed ^ (UINT64_C(0x51) + order[i]));
        if (!cex_space_search(space, order[i], b, &rng, &mem, &json))
            continue;
        j->refuted |= one;
        if (seen != NULL) {
            struct witness w = {order[i], arena_strdup(&s->l->set.mem, json)};
            vec_push(&seen->at, w);
        }
    }
    arena_release(&mem);
}

struct judged_domains repair_judge(struct repair_run *s, const struct rule *r, unsigned domains,
                         bool deep, struct witnesses *seen)
{
    struct judged_domains j = {0};
    domains &= rule_domains(r);
    struct cex_budget quick = cex_budget_quick(), long_one = cex_budget_deep();
    search(s, r, domains, &quick, &j, seen);
    if ((domains & ~j.refuted) == 0)
        return j;
    struct decide_options o = {.domains = domains & ~j.refuted,
                               .rlimit = RLIMIT,
                               .timeout_ms = QUERY_MS,
                               .seconds_per_rule = 60};
    struct report rep = {0};
    s->out->n_proofs++;
    decide_rule(r, &o, &rep);
    for (uint32_t i = 0; i < rep.domains.len; i++)
        if (rep.domains.at[i].verdict == VERDICT_PROVED)
            j.proved |= 1u << rep.domains.at[i].domain & o.domains;
    report_release(&rep);
    if (deep && (domains & ~j.refuted & ~j.proved))
        search(s, r, domains & ~j.refuted & ~j.proved, &long_one, &j, seen);
    return j;
}

// ---- candidates

const struct rule *repair_build(struct repair_run *s, const struct draft *d)
{
    struct err e = {0};
    const struct rule *r = draft_rule(d, &s->l->set, &e);
    s->l->n_rules++;
    s->out->n_candidates++;
    if (r == NULL)
        return NULL;
    for (uint32_t i = 0; i < s->tried.len; i++)
        if (strcmp(s->tried.at[i], r->hash) == 0)
            return NULL;
    vec_push(&s->tried, r->hash);
    return r;
}

double repair_best(const struct repair_run *s)
{
    double best = NOTHING;
    for (uint32_t i = 0; i < s->found.len; i++)
        if (s->found.at[i].cost < best)
            best = s->found.at[i].cost;
    return best;
}

double repair_lost_bits(const struct repair_run *s, unsigned proved)
{
    double bits = 0;
    if (!(proved & s->claims))
        return ELSEWHERE;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if ((s->claims & ~proved) >> d & 1)
            bits += LOST;
    return bits;
}

static uint32_t n_nodes(const struct rule *r, uint32_t pat)
{
    uint32_t n = r->pats[pat].kind != PAT_SPLAT;
    for (uint32_t i = 0; i < r->pats[pat].n_args; i++)
        n += n_nodes(r, r->pats[pat].args[i]);
    return n;
}

// Do the sides differ by more than spelling, and is the right side more than
// the left side with something around it?
static bool says_something(struct repair_run *s, const struct rule *r)
{
    struct buf lhs = {0}, rhs = {0}, old = {0}, left = {0}, right = {0};
    pat_print(r, r->lhs, &left);
    pat_print(r, r->rhs, &right);
    repair_normal(r, r->lhs, &lhs);
    repair_normal(r, r->rhs, &rhs);
    repair_normal(s->rule, s->rule->rhs, &old);
    bool inside = strcmp(buf_text(&right), buf_text(&left)) == 0 ||
                  (n_nodes(r, r->rhs) >= n_nodes(r, r->lhs) &&
                   strstr(buf_text(&rhs), buf_text(&lhs)) != NULL &&
                   strstr(buf_text(&old), s->lhs_norm) == NULL);
    buf_release(&lhs);
    buf_release(&rhs);
    buf_release(&old);
    buf_release(&left);
    buf_release(&right);
    return !inside && (!repair_cancels(r, r->rhs) ||
                       repair_cancels(s->rule, s->rule->rhs));
}

void repair_keep(struct repair_run *s, const struct rule *r, struct judged_domains is,
               double cost, const char *what)
{
    if (is.proved == 0 || !says_something(s, r))
        return;
    if (r->n_types < s->rule->n_types)
        cost += ONE_TYPE;
    struct repair_candidate c = {r, s->kind, what, cost + repair_lost_bits(s, is.proved),
                          is};
    vec_push(&s->found, c);
}

static struct judged_domains judge_claims(struct repair_run *s, const struct rule *r,
                                  bool deep, struct witnesses *seen)
{
    struct judged_domains j = repair_judge(s, r, s->claims, deep, seen);
    if (j.proved == 0) {
        struct judged_domains k =
            repair_judge(s, r, rule_domains(r) & ~s->claims, deep, seen);
        j.proved |= k.proved;
        j.refuted |= k.refuted;
    }
    return j;
}

struct judged_domains repair_offer(struct repair_run *s, const struct draft *d, double cost,
                         const char *what)
{
    struct judged_domains j = {0};
    if (repair_over(s))
        return j;
    const struct rule *r = repair_build(s, d);
    if (r == NULL || !says_something(s, r))
        return j;
    j = judge_claims(s, r, false, NULL);
    struct near_rule near = {r, what, cost, 0};
    if (j.proved & ~s->was.proved)
        repair_keep(s, r, j, cost, what);
    else if (r->n_tensors + r->n_scalars > 0)
        vec_push(&s->near, near);
    return j;
}
