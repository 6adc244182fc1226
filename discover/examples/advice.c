// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/search.h"
#include "verify/partial.h"
#include "verify/prove.h"

const char *search_advice(struct search *search, const struct rule *rule)
{
    struct prove_options options = {.domains = 1u << DOMAIN_REAL,
                                    .seed = search->learner->seed,
                                    .rlimit = LEARN_QUERY_STEPS,
                                    .no_search = true,
                                    .advise = true};
    struct report report = {0};
    const char *elements = NULL;
    if (!partial_below(rule, rule->lhs, DOMAIN_REAL) &&
        !partial_below(rule, rule->rhs, DOMAIN_REAL))
        return NULL;
    if (prove_rule(rule, &options, &report))
        for (uint32_t i = 0; i < report.domains.len; i++)
            if (report.domains.at[i].advice != NULL)
                elements = arena_strdup(&search->pair->mem, report.domains.at[i].advice);
    report_release(&report);
    return elements;
}
