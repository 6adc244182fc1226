// SPDX-License-Identifier: Apache-2.0
#include "cli/statuses.h"

struct rule_status status_of_stored(const struct stored_rule *r)
{
    struct rule_status s = {0};
    for (uint32_t i = 0; i < r->verdicts.len; i++) {
        const struct stored_verdict *v = &r->verdicts.at[i];
        if (v->stale || v->verdict != VERDICT_PROVED)
            continue;
        s.proved |= 1u << v->domain;
        if (strcmp(v->rung, rung_text(RUNG_UNINTERPRETED)) == 0)
            s.uninterpreted |= 1u << v->domain;
    }
    return s;
}

bool status_by_hash(struct db *db, const char *hash, struct rule_status *out,
                    bool *known, struct err *e)
{
    *out = (struct rule_status){0};
    return db_proved(db, hash, &out->proved, &out->uninterpreted, known, e);
}
