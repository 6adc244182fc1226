// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/rule_json.h"

#include <stdlib.h>

void json_line(json_t *object, struct buf *out)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
    buf_puts(out, text ? text : "{}");
    buf_putc(out, '\n');
    free(text);
    json_decref(object);
}

const char *counterexample_text(const json_t *counterexample)
{
    const char *text =
        json_string_value(json_object_get(counterexample, "text"));
    return text ? text : "";
}

static json_t *parsed(const char *text)
{
    json_t *j = text ? json_loads(text, 0, NULL) : NULL;
    return j ? j : json_null();
}

json_t *verdict_object(const char *rule, const char *hash,
                       const struct stored_verdict *v)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:o, s:I, s:I, "
        "s:s, s:f, s:o}",
        "rule", rule, "hash", hash, "domain", domain_text(v->domain), "verdict",
        verdict_text(v->verdict), "reason", v->reason, "rung", v->rung, "grade",
        v->grade, "method", v->method, "claimed", v->claimed, "stale", v->stale,
        "bound", parsed(v->bound), "instances", (json_int_t)v->instances,
        "obligations", (json_int_t)v->obligations, "solver", v->solver,
        "seconds", v->seconds, "counterexample", parsed(v->counterexample));
}

json_t *rule_object(const struct stored_rule *r)
{
    json_t *origins = json_array(), *verdicts = json_object();
    for (uint32_t i = 0; i < r->origins.len; i++)
        json_array_append_new(origins, json_string(r->origins.at[i]));
    for (uint32_t i = 0; i < r->verdicts.len; i++)
        json_object_set_new(
            verdicts, domain_text(r->verdicts.at[i].domain),
            json_string(verdict_text(r->verdicts.at[i].verdict)));
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:I}", "rule", r->name, "hash",
                     r->hash, "origin", origins, "family", r->family,
                     "verdicts", verdicts, "uses", (json_int_t)r->uses);
}

void verdict_words(const struct stored_rule *r, struct buf *out)
{
    const char *sep = "";
    for (int claimed = 1; claimed >= 0; claimed--)
        for (uint32_t i = 0; i < r->verdicts.len; i++) {
            const struct stored_verdict *v = &r->verdicts.at[i];
            if (v->claimed != (claimed == 1))
                continue;
            buf_printf(out, "%s%s %s%s", sep, domain_text(v->domain),
                       verdict_text(v->verdict), v->stale ? "*" : "");
            sep = ", ";
        }
    if (!*sep)
        buf_puts(out, "never proved");
}
