// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/statuses.h"

#include "cli/proving/proving.h"

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

bool wanted_load(struct wanted_rules *w, const char *files, struct err *e)
{
    *w = (struct wanted_rules){.all = files == NULL};
    ruleset_init(&w->only);
    if (files != NULL && !load_rules(&w->only, files, e))
        return false;
    vec_zero(&w->met, w->only.rules.len);
    return true;
}

void wanted_release(struct wanted_rules *w)
{
    ruleset_release(&w->only);
    vec_release(&w->met);
}

bool is_wanted(struct wanted_rules *w, const char *hash)
{
    bool yes = w->all;
    for (uint32_t i = 0; i < w->only.rules.len; i++)
        if (strcmp(w->only.rules.at[i]->hash, hash) == 0) {
            w->met.at[i] = 1;
            yes = true;
        }
    return yes;
}

static bool has_rule(const struct ruleset *s, const char *hash)
{
    for (uint32_t i = 0; i < s->rules.len; i++)
        if (strcmp(s->rules.at[i]->hash, hash) == 0)
            return true;
    return false;
}

void wanted_remark(const struct wanted_rules *w, unsigned domains, const char *where,
                   const struct ruleset *assumed)
{
    enum { NAMED = 5 };
    struct buf names = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->only.rules.len; i++) {
        const struct rule *r = w->only.rules.at[i];
        if (w->met.at[i] || !(r->claims & domains) ||
            has_rule(assumed, r->hash))
            continue;
        if (n++ < NAMED)
            buf_printf(&names, "%s%s", n > 1 ? ", " : "", r->name);
    }
    if (n > NAMED)
        buf_printf(&names, " and %u more", n - NAMED);
    if (n > 0)
        note("not proved%s, so not used: %s", where, buf_text(&names));
    buf_release(&names);
}
