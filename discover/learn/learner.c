// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/learner.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "verify/prove.h"
#include <string.h>

void learner_init(struct learner *learner, uint64_t seed)
{
    *learner = (struct learner){.seed = seed};
    ruleset_init(&learner->set);
}

void learner_release(struct learner *learner)
{
    vec_release(&learner->memo);
    ruleset_release(&learner->set);
}

bool learner_over(const struct learner *learner)
{
    return (learner->end > 0 && clock_wall() > learner->end) || stop_asked(&learner->stop);
}

static struct learn_memo *memo_of(struct learner *learner, const struct rule *rule)
{
    for (uint32_t i = 0; i < learner->memo.len; i++)
        if (strcmp(learner->memo.at[i].hash, rule->hash) == 0)
            return &learner->memo.at[i];
    struct learn_memo memo = {.hash = rule->hash};
    vec_push(&learner->memo, memo);
    return &learner->memo.at[learner->memo.len - 1];
}

// The text of a counterexample record, in words.
static const char *words_of(struct learner *learner, const char *json)
{
    const char *key = "\"text\":", *string = json ? strstr(json, key) : NULL;
    struct buf buf = {0};
    if (string == NULL)
        return NULL;
    string += strlen(key);
    string += strspn(string, " \"");
    for (; *string && *string != '"'; string++) {
        if (*string == '\\' && string[1])
            string++;
        buf_putc(&buf, *string);
    }
    const char *text = arena_strdup(&learner->set.mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

static void note(struct learner *learner, struct learn_memo *memo, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *report = &rep->domains.at[i];
        memo->asked |= 1u << report->domain;
        if (report->verdict == VERDICT_PROVED)
            memo->proved |= 1u << report->domain;
        if (report->verdict == VERDICT_PROVED && report->rung == RUNG_UNINTERPRETED)
            memo->uninterpreted |= 1u << report->domain;
        if (report->verdict != VERDICT_REFUTED)
            continue;
        memo->refuted |= 1u << report->domain;
        if (memo->json == NULL) {
            memo->json = arena_strdup(&learner->set.mem, report->counterexample);
            memo->counterexample = words_of(learner, memo->json);
        }
    }
}

// Of no tensors, or of empty ones only: nothing to learn.
static bool vacuous(const struct learner *learner, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->remarks.len; i++)
        if (strstr(rep->remarks.at[i], "vacuous") != NULL ||
            (!learner->empty && strcmp(rep->remarks.at[i], REMARK_EMPTY) == 0))
            return true;
    return false;
}

static void prove_some(struct learner *learner, const struct rule *rule, unsigned domains,
                       struct learn_memo *memo)
{
    struct prove_options options = {
        .domains = domains,
        .seed = learner->seed,
        .rlimit = LEARN_QUERY_STEPS,
    };
    struct report rep = {0};
    learner->n_proofs++;
    double start = clock_wall();
    if (learner->end > 0)
        options.seconds_per_rule = learner->end - start;
    bool sound = prove_rule(rule, &options, &rep);
    learner->proof_seconds += clock_wall() - start;
    if (sound && vacuous(learner, &rep))
        memo->vacuous = true;
    else if (sound)
        note(learner, memo, &rep);
    memo->asked |= domains;
    if (learner_over(learner)) // another run may have the time
        memo->asked &= ~domains | memo->proved | memo->refuted;
    report_release(&rep);
}

unsigned learner_prove(struct learner *learner, const struct rule *rule, unsigned domains, bool all,
                       const struct learn_memo **memo)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL, DOMAIN_WORD,
                                        DOMAIN_FLOAT};
    struct learn_memo *m = memo_of(learner, rule);
    domains &= rule_domains(rule);
    for (size_t i = 0; i < N_DOMAINS; i++) {
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        if (!(m->asked & one) && !learner_over(learner))
            prove_some(learner, rule, one, m);
        if (!(m->proved & one) && all)
            break;
    }
    bool ok = all ? (m->proved & domains) == domains : m->proved & domains;
    if (ok)
        learner->n_proved++;
    else if (m->refuted)
        learner->n_refuted++;
    else
        learner->n_unknown++;
    *memo = m;
    return m->proved & domains;
}

struct rule_status learner_status(const struct learner *learner, const struct rule *rule,
                                  unsigned proved)
{
    struct rule_status status = {.proved = proved};
    for (uint32_t i = 0; rule != NULL && i < learner->memo.len; i++)
        if (strcmp(learner->memo.at[i].hash, rule->hash) == 0)
            status.uninterpreted = learner->memo.at[i].uninterpreted & proved;
    return status;
}

const char *learner_case(struct learner *learner, const struct experiment *lab)
{
    struct buf buf = {0};
    experiment_print(lab, &buf);
    const char *text = arena_strdup(&learner->set.mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

bool learner_next(struct experiment *lab, uint32_t root, bool *good)
{
    if (!*good || rng_below(experiment_rng(lab), 3) == 0)
        experiment_random(lab, root);
    else
        experiment_mutate(lab, root);
    *good = experiment_left(lab);
    return *good;
}

const char *learner_attack(struct learner *learner, const struct rule *rule, unsigned domains,
                           uint32_t tries)
{
    struct experiment *lab = experiment_new(rule, domains, learner->seed + 17);
    const char *found = NULL;
    bool good = false;
    for (uint32_t i = 0; i < tries && found == NULL && !learner_over(learner); i++)
        if (learner_next(lab, NONE, &good) && experiment_run(lab, 5) == EXPERIMENT_DIFFER)
            found = learner_case(learner, lab);
    learner->n_instances += experiment_count(lab);
    experiment_free(lab);
    return found;
}
