// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/statuses.h"

#include "cli/proving/proving.h"

struct rule_status status_of_stored(const struct stored_rule *stored)
{
    struct rule_status status = {0};
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        if (verdict->stale || verdict->verdict != VERDICT_PROVED)
            continue;
        status.proved |= 1u << verdict->domain;
        if (strcmp(verdict->rung, rung_text(RUNG_UNINTERPRETED)) == 0)
            status.uninterpreted |= 1u << verdict->domain;
    }
    return status;
}

bool status_by_hash(struct db *db, const char *hash, struct rule_status *out, bool *known,
                    struct err *err)
{
    *out = (struct rule_status){0};
    return db_proved(db, hash, &out->proved, &out->uninterpreted, known, err);
}

bool wanted_load(struct wanted_rules *wanted_rules, const char *files, struct err *err)
{
    *wanted_rules = (struct wanted_rules){.all = files == NULL};
    ruleset_init(&wanted_rules->only);
    if (files != NULL && !load_rules(&wanted_rules->only, files, err))
        return false;
    vec_zero(&wanted_rules->met, wanted_rules->only.rules.len);
    return true;
}

void wanted_release(struct wanted_rules *wanted_rules)
{
    ruleset_release(&wanted_rules->only);
    vec_release(&wanted_rules->met);
}

bool is_wanted(struct wanted_rules *wanted_rules, const char *hash)
{
    bool yes = wanted_rules->all;
    for (uint32_t i = 0; i < wanted_rules->only.rules.len; i++)
        if (strcmp(wanted_rules->only.rules.at[i]->hash, hash) == 0) {
            wanted_rules->met.at[i] = 1;
            yes = true;
        }
    return yes;
}

static bool has_rule(const struct ruleset *set, const char *hash)
{
    for (uint32_t i = 0; i < set->rules.len; i++)
        if (strcmp(set->rules.at[i]->hash, hash) == 0)
            return true;
    return false;
}

void wanted_remark(const struct wanted_rules *wanted_rules, unsigned domains, const char *where,
                   const struct ruleset *assumed)
{
    enum { NAMED = 5 };
    struct buf names = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < wanted_rules->only.rules.len; i++) {
        const struct rule *rule = wanted_rules->only.rules.at[i];
        if (wanted_rules->met.at[i] || !(rule->claims & domains) || has_rule(assumed, rule->hash))
            continue;
        if (n++ < NAMED)
            buf_printf(&names, "%s%s", n > 1 ? ", " : "", rule->name);
    }
    if (n > NAMED)
        buf_printf(&names, " and %u more", n - NAMED);
    if (n > 0)
        note("not proved%s, so not used: %s", where, buf_text(&names));
    buf_release(&names);
}
