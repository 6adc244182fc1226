// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/cover.h"
#include "discover/limits.h"
#include "egraph/saturate.h"

bool rule_fires(const struct rule *rule, unsigned domains, enum domain domain, struct terms *terms,
                const struct sample *sample)
{
    struct egraph graph;
    struct saturation saturation;
    struct egraph_options options = egraph_defaults();
    struct saturate_options how = saturate_defaults();
    options.fold = true;
    options.max_nodes = EXAMPLE_MATCH_NODES;
    how.reading = options.reading = domain == DOMAIN_FLOAT ? READ_FLOAT_SUMS : READ_REAL;
    how.max_rounds = EXAMPLE_MATCH_ROUNDS;
    how.bounded = false;
    egraph_init(&graph, terms, options);
    saturation_init(&saturation, &graph, how);
    saturation_add(
        &saturation,
        (struct rule_use){.rule = rule, .status = {.proved = domains, .uninterpreted = domains}});
    egraph_add_term(&graph, sample->lhs);
    egraph_add_term(&graph, sample->rhs);
    egraph_rebuild(&graph);
    saturate(&saturation, NULL, NULL);
    bool equal = egraph_same(&graph, sample->lhs, sample->rhs);
    saturation_release(&saturation);
    egraph_release(&graph);
    return equal;
}

const struct rule *rule_assumed(const struct rule *rule, struct arena *mem)
{
    struct rule *copy = ARENA_NEW(mem, struct rule, 1);
    struct where *wheres = ARENA_NEW(mem, struct where, rule->n_wheres + 1u);
    *copy = *rule;
    copy->n_wheres = 0;
    for (uint32_t i = 0; i < rule->n_wheres; i++)
        if (rule->wheres[i].cond != NULL)
            wheres[copy->n_wheres++] = rule->wheres[i];
    copy->wheres = wheres;
    return copy;
}

struct covering {
    const struct rule *wide, *narrow;
    const struct sampler *sampler;
    struct rng rng;
    enum domain domain;
    unsigned proved;
};
enum covered { COVERED, MISSED, SAYS_NOTHING };

// An instance at which the engine does not use the narrow rule itself says nothing.
static enum covered ask(struct covering *covering, uint32_t number)
{
    struct pool pool;
    struct terms terms;
    struct arena mem = {0};
    struct sample sample;
    struct err err = {0};
    enum covered answer = SAYS_NOTHING;
    pool_init(&pool);
    terms_init(&terms, &pool);
    struct sample_request request = {covering->domain, number, &terms, &covering->rng, &mem};
    if (sample_make(covering->sampler, &request, &sample, &err) && sample.status == GROUND_OK &&
        sample.lhs.v != sample.rhs.v) {
        if (rule_fires(covering->wide, covering->proved, covering->domain, &terms, &sample))
            answer = COVERED;
        else if (rule_fires(covering->narrow, covering->proved, covering->domain, &terms, &sample))
            answer = MISSED;
    }
    terms_release(&terms);
    pool_release(&pool);
    arena_release(&mem);
    return answer;
}

struct coverage rule_coverage(const struct rule *wide, const struct rule *narrow, unsigned proved,
                              uint64_t seed)
{
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_INT, DOMAIN_WORD, DOMAIN_FLOAT,
                                        DOMAIN_BOOL};
    struct arena mem = {0};
    struct coverage out = {0};
    struct covering covering = {
        .wide = rule_assumed(wide, &mem), .narrow = rule_assumed(narrow, &mem), .proved = proved};
    bool found = false;
    for (size_t i = 0; i < N_DOMAINS && !found; i++) {
        covering.domain = order[i];
        found = (proved & rule_domains(narrow)) >> order[i] & 1;
    }
    rng_seed(&covering.rng, seed);
    if (found)
        covering.sampler = sampler_new(covering.narrow, EXAMPLE_COVER_EFFORT, &covering.rng, &mem);
    for (uint32_t i = 0; found && i < EXAMPLE_COVERED; i++) {
        enum covered answer = ask(&covering, i);
        out.asked += answer != SAYS_NOTHING;
        out.covered += answer == COVERED;
    }
    for (uint32_t i = 0; found && i < 2 * EXAMPLE_COVERED; i++) {
        enum covered answer = ask(&covering, SAMPLE_EDGES + i);
        out.edges += answer != SAYS_NOTHING;
        out.covered_edges += answer == COVERED;
    }
    arena_release(&mem);
    return out;
}
