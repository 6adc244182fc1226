// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/search.h"
#include "verify/partial.h"
#include "verify/prove.h"

const char *search_advice(struct search *search, const struct rule *rule)
{
    static const char mark[] = "add `where ";
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
        for (uint32_t i = 0; i < report.domains.len; i++) {
            const char *reason = report.domains.at[i].reason;
            const char *at = reason ? strstr(reason, mark) : NULL;
            const char *end = at ? strchr(at + strlen(mark), '`') : NULL;
            if (end == NULL)
                continue;
            at += strlen(mark);
            elements = pair_text(search->pair, "%.*s", (int)(end - at), at);
        }
    report_release(&report);
    return elements;
}
