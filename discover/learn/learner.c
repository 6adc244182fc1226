// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/learner.h"
#include "base/clock.h"
#include "verify/prove.h"
#include <string.h>

void learner_init(struct learner *l, uint64_t seed)
{
    *l = (struct learner){.seed = seed};
    ruleset_init(&l->set);
}

void learner_release(struct learner *l)
{
    vec_release(&l->memo);
    ruleset_release(&l->set);
}

static struct learn_memo *memo_of(struct learner *l, const struct rule *r)
{
    for (uint32_t i = 0; i < l->memo.len; i++)
        if (strcmp(l->memo.at[i].hash, r->hash) == 0)
            return &l->memo.at[i];
    struct learn_memo m = {.hash = r->hash};
    vec_push(&l->memo, m);
    return &l->memo.at[l->memo.len - 1];
}

// The line of a counterexample in words.
static const char *words_of(struct learner *l, const char *json)
{
    const char *key = "\"text\":", *s = json ? strstr(json, key) : NULL;
    struct buf b = {0};
    if (s == NULL)
        return NULL;
    s += strlen(key);
    s += strspn(s, " \"");
    for (; *s && *s != '"'; s++) {
        if (*s == '\\' && s[1])
            s++;
        buf_putc(&b, *s);
    }
    const char *text = arena_strdup(&l->set.mem, buf_text(&b));
    buf_release(&b);
    return text;
}

static void note(struct learner *l, struct learn_memo *m,
                 const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *d = &rep->domains.at[i];
        m->asked |= 1u << d->domain;
        if (d->verdict == VERDICT_PROVED)
            m->proved |= 1u << d->domain;
        if (d->verdict != VERDICT_REFUTED)
            continue;
        m->refuted |= 1u << d->domain;
        if (m->json == NULL) {
            m->json = arena_strdup(&l->set.mem, d->counterexample);
            m->counterexample = words_of(l, m->json);
        }
    }
}

static bool vacuous(const struct report *rep)
{
    for (uint32_t i = 0; i < rep->remarks.len; i++)
        if (strstr(rep->remarks.at[i], "vacuous") != NULL)
            return true;
    return false;
}

static void prove_some(struct learner *l, const struct rule *r,
                       unsigned domains, struct learn_memo *m)
{
    struct prove_options o = {
        .domains = domains,
        .seed = l->seed,
        .seconds_per_rule = l->seconds_per_rule > 0 ? l->seconds_per_rule : 8,
        .timeout_ms = 3000,
        .search_seconds = 1,
    };
    struct report rep = {0};
    l->n_proofs++;
    double start = clock_wall();
    bool sound = prove_rule(r, &o, &rep);
    l->proof_seconds += clock_wall() - start;
    if (sound && vacuous(&rep))
        m->vacuous = true;
    else if (sound)
        note(l, m, &rep);
    m->asked |= domains;
    report_release(&rep);
}

unsigned learner_prove(struct learner *l, const struct rule *r,
                       unsigned domains, bool all,
                       const struct learn_memo **memo)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL,
                                        DOMAIN_WORD, DOMAIN_FLOAT};
    struct learn_memo *m = memo_of(l, r);
    domains &= rule_domains(r);
    for (size_t i = 0; i < N_DOMAINS; i++) {
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        if (!(m->asked & one))
            prove_some(l, r, one, m);
        if (!(m->proved & one) && all)
            break;
    }
    bool ok = all ? (m->proved & domains) == domains : m->proved & domains;
    if (ok)
        l->n_proved++;
    else if (m->refuted)
        l->n_refuted++;
    else
        l->n_unknown++;
    *memo = m;
    return m->proved & domains;
}

const char *learner_case(struct learner *l, const struct experiment *lab)
{
    struct buf b = {0};
    experiment_print(lab, &b);
    const char *s = arena_strdup(&l->set.mem, buf_text(&b));
    buf_release(&b);
    return s;
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

const char *learner_attack(struct learner *l, const struct rule *r,
                           unsigned domains, uint32_t tries)
{
    struct experiment *lab = experiment_new(r, domains, l->seed + 17);
    const char *found = NULL;
    bool good = false;
    for (uint32_t i = 0; i < tries && found == NULL; i++)
        if (learner_next(lab, NONE, &good) && experiment_run(lab, 5) == EXPERIMENT_DIFFER)
            found = learner_case(l, lab);
    l->n_instances += experiment_count(lab);
    experiment_free(lab);
    return found;
}
