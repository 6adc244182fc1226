// SPDX-License-Identifier: Apache-2.0
// How many instances of one rule another one covers.
//
//   covers COUNT REFERENCES.rw NAME LEARNED.rw DOMAIN,..
//
// COUNT instances of the reference NAME are sampled, in the domains that it claims, half of them
// edge cases.  The learned rule covers one if the engine, which has only that rule, makes both
// sides equal.  It may be used in the domains that stand last.  An instance at which the engine
// does not use the reference itself, or whose sides are one term, is not counted.  Preconditions
// on elements are taken for granted in both rules: the engine knows them of constants only.
// Prints: INSTANCES COVERED SAME, the last those whose sides are one term, and on a second line
// the first instance that is not covered.
#include "base/rng.h"
#include "discover/examples/cover.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT 12000
#define TRIES 4 // for each instance that is wanted

struct question {
    const struct rule *reference, *learned;
    unsigned proved; // domains of the learned rule
};

struct count {
    uint32_t instances, covered, same;
    struct buf first; // that is not covered
};

static void ask(const struct question *question, const struct sampler *sampler, enum domain domain,
                uint32_t number, struct rng *rng, struct count *count)
{
    struct pool pool;
    struct terms terms;
    struct arena mem = {0};
    struct sample sample;
    struct err err = {0};
    pool_init(&pool);
    terms_init(&terms, &pool);
    struct sample_request request = {domain, number, &terms, rng, &mem};
    bool made = sample_make(sampler, &request, &sample, &err) && sample.status == GROUND_OK;
    count->same += made && sample.lhs.v == sample.rhs.v;
    if (made && sample.lhs.v != sample.rhs.v) {
        bool covered = rule_fires(question->learned, question->proved, domain, &terms, &sample);
        if (covered ||
            rule_fires(question->reference, question->reference->claims, domain, &terms, &sample)) {
            count->instances++;
            count->covered += covered;
        }
        if (!covered && count->first.len == 0 && count->instances > count->covered) {
            buf_printf(&count->first, "%s: ", domain_text(domain));
            sample_print(sample.in, &count->first);
        }
    }
    terms_release(&terms);
    pool_release(&pool);
    arena_release(&mem);
}

static void measure(const struct question *question, uint32_t wanted)
{
    struct count count = {0};
    struct arena mem = {0};
    unsigned domains = question->reference->claims, n = 0;
    struct rng rng;
    rng_seed(&rng, 1);
    const struct sampler *sampler = sampler_new(question->reference, EFFORT, &rng, &mem);
    for (int d = 0; d < N_DOMAINS; d++)
        n += domains >> d & 1;
    for (int d = 0, done = 0; d < N_DOMAINS; d++) {
        if ((domains >> d & 1) == 0)
            continue;
        uint32_t until = (uint32_t)(++done) * wanted / n, share = until - count.instances;
        for (uint32_t k = 0; k < TRIES * share && count.instances < until; k++)
            ask(question, sampler, (enum domain)d, k % 2 == 0 ? k / 2 : SAMPLE_EDGES + k / 2, &rng,
                &count);
    }
    printf("%u %u %u\n%s\n", count.instances, count.covered, count.same, buf_text(&count.first));
    buf_release(&count.first);
    arena_release(&mem);
}

static const struct rule *find(const struct ruleset *set, const char *name)
{
    for (uint32_t i = 0; i < set->rules.len; i++)
        if (name == NULL || strcmp(set->rules.at[i]->name, name) == 0)
            return set->rules.at[i];
    fprintf(stderr, "covers: no rule %s\n", name == NULL ? "" : name);
    exit(65);
}

static unsigned domains_of(char *text)
{
    unsigned mask = 0;
    for (char *word = strtok_r(text, ",", &text); word != NULL; word = strtok_r(NULL, ",", &text)) {
        enum domain domain;
        if (!domain_by_text(word, &domain)) {
            fprintf(stderr, "covers: no domain %s\n", word);
            exit(64);
        }
        mask |= 1u << domain;
    }
    return mask;
}

int main(int argc, char **argv)
{
    struct ruleset references, learned;
    struct err_list errs = {{0}};
    struct arena mem = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: covers COUNT REFERENCES.rw NAME LEARNED.rw DOMAIN,..\n");
        return 64;
    }
    ruleset_init(&references);
    ruleset_init(&learned);
    if (!ruleset_load(&references, argv[2], &errs) || !ruleset_load(&learned, argv[4], &errs)) {
        fprintf(stderr, "covers: %s: %s\n", argv[4],
                errs.at.len > 0 ? errs.at.at[0].msg : "unreadable");
        return 65;
    }
    struct question question = {rule_assumed(find(&references, argv[3]), &mem),
                                rule_assumed(find(&learned, NULL), &mem), domains_of(argv[5])};
    measure(&question, (uint32_t)strtoul(argv[1], NULL, 10));
    vec_release(&errs.at);
    arena_release(&mem);
    ruleset_release(&references);
    ruleset_release(&learned);
    return 0;
}
