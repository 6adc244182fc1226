// SPDX-License-Identifier: Apache-2.0
// Candidates of a repair: making, judging and keeping them.
#include "base/clock.h"
#include "discover/limits.h"
#include "discover/repair/core.h"
#include "verify/counterexample/search.h"
#include "verify/decide.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTHING 1e9
#define ELSEWHERE 5.0 // true only in domains that were not claimed
#define LOST 0.5      // false in a domain that was claimed
#define ONE_TYPE 4.0  // two element types became one

const char *repair_words(struct repair_run *repair_run, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&repair_run->learner->set.mem, line);
}

bool repair_over(const struct repair_run *repair_run)
{
    return repair_run->out->n_proofs >= repair_run->max_proofs ||
           (repair_run->end < INFINITY && clock_wall() > repair_run->end) ||
           stop_asked(&repair_run->learner->stop);
}

// ---- the judge

static void search(struct repair_run *repair_run, const struct rule *rule, unsigned domains,
                   const struct cex_budget *budget, struct judged_domains *judged,
                   struct witnesses *seen)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL, DOMAIN_WORD,
                                        DOMAIN_FLOAT};
    struct arena mem = {0};
    struct rng rng;
    rng_seed(&rng, repair_run->learner->seed ^ UINT64_C(0x7e9));
    struct cex_space *space = cex_space_new(rule, NULL, 0, budget, &rng, &mem);
    repair_run->out->n_searched++;
    for (size_t i = 0; i < N_DOMAINS; i++) {
        const char *json;
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        rng_seed(&rng, repair_run->learner->seed ^ (UINT64_C(0x51) + order[i]));
        if (!cex_space_search(space, order[i], budget, &rng, &mem, &json))
            continue;
        judged->refuted |= one;
        if (seen != NULL) {
            struct witness witness = {order[i], arena_strdup(&repair_run->learner->set.mem, json)};
            vec_push(&seen->at, witness);
        }
    }
    arena_release(&mem);
}

struct judged_domains repair_judge(struct repair_run *repair_run, const struct rule *rule,
                                   unsigned domains, bool deep, struct witnesses *seen)
{
    struct judged_domains judged = {0};
    domains &= rule_domains(rule);
    struct cex_budget quick = cex_budget_quick(), long_one = cex_budget_deep();
    search(repair_run, rule, domains, &quick, &judged, seen);
    if ((domains & ~judged.refuted) == 0)
        return judged;
    struct decide_options options = {.domains = domains & ~judged.refuted, .rlimit = REPAIR_RLIMIT};
    struct report rep = {0};
    repair_run->out->n_proofs++;
    decide_rule(rule, &options, &rep);
    for (uint32_t i = 0; i < rep.domains.len; i++)
        if (rep.domains.at[i].verdict == VERDICT_PROVED)
            judged.proved |= 1u << rep.domains.at[i].domain & options.domains;
    report_release(&rep);
    if (deep && (domains & ~judged.refuted & ~judged.proved))
        search(repair_run, rule, domains & ~judged.refuted & ~judged.proved, &long_one, &judged,
               seen);
    return judged;
}

// ---- candidates

const struct rule *repair_build(struct repair_run *repair_run, const struct draft *draft)
{
    struct err err = {0};
    const struct rule *rule = draft_rule(draft, &repair_run->learner->set, &err);
    repair_run->learner->n_rules++;
    repair_run->out->n_candidates++;
    if (rule == NULL)
        return NULL;
    for (uint32_t i = 0; i < repair_run->tried.len; i++)
        if (strcmp(repair_run->tried.at[i], rule->hash) == 0)
            return NULL;
    vec_push(&repair_run->tried, rule->hash);
    return rule;
}

double repair_best(const struct repair_run *repair_run)
{
    double best = NOTHING;
    for (uint32_t i = 0; i < repair_run->found.len; i++)
        if (repair_run->found.at[i].cost < best)
            best = repair_run->found.at[i].cost;
    return best;
}

double repair_lost_bits(const struct repair_run *repair_run, unsigned proved)
{
    double bits = 0;
    if (!(proved & repair_run->claims))
        return ELSEWHERE;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if ((repair_run->claims & ~proved) >> d & 1)
            bits += LOST;
    return bits;
}

static uint32_t n_nodes(const struct rule *rule, uint32_t pat)
{
    uint32_t n = rule->pats[pat].kind != PAT_SPLAT;
    for (uint32_t i = 0; i < rule->pats[pat].n_args; i++)
        n += n_nodes(rule, rule->pats[pat].args[i]);
    return n;
}

// Do the sides differ by more than spelling, and is the right side more than
// the left side with operators around it?
static bool says_something(struct repair_run *repair_run, const struct rule *rule)
{
    struct buf lhs = {0}, rhs = {0}, old = {0}, left = {0}, right = {0};
    pat_print(rule, rule->lhs, &left);
    pat_print(rule, rule->rhs, &right);
    repair_normal(rule, rule->lhs, &lhs);
    repair_normal(rule, rule->rhs, &rhs);
    repair_normal(repair_run->rule, repair_run->rule->rhs, &old);
    bool inside = strcmp(buf_text(&right), buf_text(&left)) == 0 ||
                  (n_nodes(rule, rule->rhs) >= n_nodes(rule, rule->lhs) &&
                   strstr(buf_text(&rhs), buf_text(&lhs)) != NULL &&
                   strstr(buf_text(&old), repair_run->lhs_norm) == NULL);
    buf_release(&lhs);
    buf_release(&rhs);
    buf_release(&old);
    buf_release(&left);
    buf_release(&right);
    return !inside && (!repair_cancels(rule, rule->rhs) ||
                       repair_cancels(repair_run->rule, repair_run->rule->rhs));
}

void repair_keep(struct repair_run *repair_run, const struct rule *rule, struct judged_domains is,
                 double cost, const char *what)
{
    if (is.proved == 0 || !says_something(repair_run, rule))
        return;
    if (rule->n_types < repair_run->rule->n_types)
        cost += ONE_TYPE;
    struct repair_candidate candidate = {rule, repair_run->kind, what,
                                         cost + repair_lost_bits(repair_run, is.proved), is};
    vec_push(&repair_run->found, candidate);
}

static struct judged_domains judge_claims(struct repair_run *repair_run, const struct rule *rule,
                                          bool deep, struct witnesses *seen)
{
    struct judged_domains judged = repair_judge(repair_run, rule, repair_run->claims, deep, seen);
    if (judged.proved == 0) {
        struct judged_domains k =
            repair_judge(repair_run, rule, rule_domains(rule) & ~repair_run->claims, deep, seen);
        judged.proved |= k.proved;
        judged.refuted |= k.refuted;
    }
    return judged;
}

struct judged_domains repair_offer(struct repair_run *repair_run, const struct draft *draft,
                                   double cost, const char *what)
{
    struct judged_domains judged = {0};
    if (repair_over(repair_run))
        return judged;
    const struct rule *rule = repair_build(repair_run, draft);
    if (rule == NULL || !says_something(repair_run, rule))
        return judged;
    judged = judge_claims(repair_run, rule, false, NULL);
    struct near_rule near = {rule, what, cost, 0};
    if (judged.proved & ~repair_run->was.proved)
        repair_keep(repair_run, rule, judged, cost, what);
    else if (rule->n_tensors + rule->n_scalars > 0)
        vec_push(&repair_run->near, near);
    return judged;
}
