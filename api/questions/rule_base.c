// SPDX-License-Identifier: Apache-2.0
#include "api/questions/rule_base.h"

#include "api/rules/statuses.h"

void rule_base_init(struct rule_base *base, const struct rw_report *report, struct arena *mem)
{
    *base = (struct rule_base){.report = report, .mem = mem};
    ruleset_init(&base->set);
}

bool rule_base_load(struct rule_base *base, struct err *err)
{
    const struct rw_report *report = base->report;
    for (uint32_t i = 0; i < report->rules.len; i++) {
        const struct rw_rule *view = report->rules.at[i];
        struct rule_status status = status_of_view(view);
        struct err why = {0};
        if (!status.proved)
            continue;
        const struct rule *rule =
            ruleset_add_canonical(&base->set, view->canonical, NULL, view->name, &why);
        if (rule == NULL)
            return err_set(err, ERR_DB, "rule %s of the database does not parse: %s", view->name,
                           why.msg);
        if (rule_defines(rule))
            continue;
        vec_push(&base->rules, rule);
        vec_push(&base->status, status);
        vec_push(&base->views, view);
    }
    return true;
}

void rule_base_release(struct rule_base *base)
{
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (base->in[d] != NULL)
            derive_base_free(base->in[d]);
    vec_release(&base->rules);
    vec_release(&base->status);
    vec_release(&base->views);
    ruleset_release(&base->set);
}

struct derive_base *rule_base_in(struct rule_base *base, enum domain domain)
{
    if (base->in[domain] == NULL) {
        base->in[domain] = derive_base_new(domain, base->mem);
        for (uint32_t i = 0; i < base->rules.len; i++)
            derive_add(base->in[domain], base->rules.at[i], base->status.at[i]);
    }
    return base->in[domain];
}
