// SPDX-License-Identifier: Apache-2.0
#include "api/rules/statuses.h"

static void add_verdict(struct rule_status *status, bool counts, unsigned domain, const char *rung)
{
    if (!counts)
        return;
    status->proved |= 1u << domain;
    if (strcmp(rung, rung_text(RUNG_UNINTERPRETED)) == 0)
        status->uninterpreted |= 1u << domain;
}

struct rule_status status_of_stored(const struct stored_rule *stored)
{
    struct rule_status status = {0};
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        add_verdict(&status, !verdict->stale && verdict->verdict == VERDICT_PROVED, verdict->domain,
                    verdict->rung);
    }
    return status;
}

struct rule_status status_of_view(const struct rw_rule *rule)
{
    struct rule_status status = {0};
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        add_verdict(&status, !verdict->stale && verdict->decision == RW_PROVED,
                    (unsigned)verdict->domain, verdict->rung);
    }
    return status;
}

bool status_by_hash(struct db *db, const char *hash, struct rule_status *out, bool *known,
                    struct err *err)
{
    *out = (struct rule_status){0};
    return db_proved(db, hash, &out->proved, &out->uninterpreted, known, err);
}

struct rule_status status_assumed(void)
{
    unsigned all = (1u << N_DOMAINS) - 1;
    return (struct rule_status){.proved = all, .uninterpreted = all};
}

bool has_rule(const struct ruleset *set, const char *hash)
{
    for (uint32_t i = 0; i < set->rules.len; i++)
        if (strcmp(set->rules.at[i]->hash, hash) == 0)
            return true;
    return false;
}

void wanted_init(struct wanted *wanted, const struct ruleset *only)
{
    *wanted = (struct wanted){.only = only};
    vec_zero(&wanted->met, only ? only->rules.len : 0);
}

void wanted_release(struct wanted *wanted)
{
    vec_release(&wanted->met);
}

bool is_wanted(struct wanted *wanted, const char *hash)
{
    bool yes = wanted->only == NULL;
    for (uint32_t i = 0; wanted->only && i < wanted->only->rules.len; i++)
        if (strcmp(wanted->only->rules.at[i]->hash, hash) == 0) {
            wanted->met.at[i] = 1;
            yes = true;
        }
    return yes;
}

void wanted_remark(const struct wanted *wanted, unsigned domains, const char *where,
                   const struct ruleset *assumed, const struct rw_context *context)
{
    enum { NAMED = 5 };
    struct buf names = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; wanted->only && i < wanted->only->rules.len; i++) {
        const struct rule *rule = wanted->only->rules.at[i];
        if (wanted->met.at[i] || !(rule->claims & domains) ||
            (assumed && has_rule(assumed, rule->hash)))
            continue;
        if (n++ < NAMED)
            buf_printf(&names, "%s%s", n > 1 ? ", " : "", rule->name);
    }
    if (n > NAMED)
        buf_printf(&names, " and %u more", n - NAMED);
    if (n > 0)
        context_note(context, "not proved%s, so not used: %s", where, buf_text(&names));
    buf_release(&names);
}
