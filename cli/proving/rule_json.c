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
    const char *text = json_string_value(json_object_get(counterexample, "text"));
    return text ? text : "";
}

static json_t *parsed(const char *text)
{
    json_t *j = text ? json_loads(text, 0, NULL) : NULL;
    return j ? j : json_null();
}

json_t *verdict_object(const char *rule, const char *hash, const struct stored_verdict *verdict)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:o, s:I, s:I, "
                     "s:s, s:f, s:o}",
                     "rule", rule, "hash", hash, "domain", domain_text(verdict->domain), "verdict",
                     verdict_text(verdict->verdict), "reason", verdict->reason, "rung",
                     verdict->rung, "grade", verdict->grade, "method", verdict->method, "claimed",
                     verdict->claimed, "stale", verdict->stale, "bound", parsed(verdict->bound),
                     "instances", (json_int_t)verdict->instances, "obligations",
                     (json_int_t)verdict->obligations, "solver", verdict->solver, "seconds",
                     verdict->seconds, "counterexample", parsed(verdict->counterexample));
}

json_t *rule_object(const struct stored_rule *stored)
{
    json_t *origins = json_array(), *verdicts = json_object();
    for (uint32_t i = 0; i < stored->origins.len; i++)
        json_array_append_new(origins, json_string(stored->origins.at[i]));
    for (uint32_t i = 0; i < stored->verdicts.len; i++)
        json_object_set_new(verdicts, domain_text(stored->verdicts.at[i].domain),
                            json_string(verdict_text(stored->verdicts.at[i].verdict)));
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:I}", "rule", stored->name, "hash", stored->hash,
                     "origin", origins, "family", stored->family, "verdicts", verdicts, "uses",
                     (json_int_t)stored->uses);
}

void verdict_words(const struct stored_rule *stored, struct buf *out)
{
    const char *sep = "";
    for (int claimed = 1; claimed >= 0; claimed--)
        for (uint32_t i = 0; i < stored->verdicts.len; i++) {
            const struct stored_verdict *verdict = &stored->verdicts.at[i];
            if (verdict->claimed != (claimed == 1))
                continue;
            buf_printf(out, "%s%s %s%s", sep, domain_text(verdict->domain),
                       verdict_text(verdict->verdict), verdict->stale ? "*" : "");
            sep = ", ";
        }
    if (!*sep)
        buf_puts(out, "never proved");
}
