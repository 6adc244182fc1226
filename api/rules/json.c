// SPDX-License-Identifier: Apache-2.0
#include "api/rules/json.h"

#include "base/text/utf8.h"
#include "rules/domain.h"
#include <stdlib.h>

#define LINE_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(6))

void json_line(json_t *object, struct buf *out)
{
    char *text = json_dumps(object, LINE_FLAGS);
    utf8_json(text ? text : "{}", out);
    buf_putc(out, '\n');
    free(text);
    json_decref(object);
}

char *json_give(json_t *object)
{
    struct buf line = {0};
    json_line(object, &line);
    line.at[--line.len] = '\0';
    return text_give(&line);
}

static json_t *parsed(const char *text)
{
    json_t *value = text ? json_loads(text, 0, NULL) : NULL;
    return value ? value : json_null();
}

json_t *verdict_object(const char *rule, const char *hash, const struct rw_verdict *verdict)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:o, s:I, s:I, "
                     "s:s, s:f, s:o}",
                     "rule", rule, "hash", hash, "domain", rw_domain_name(verdict->domain),
                     "verdict", rw_decision_name(verdict->decision), "reason", verdict->reason,
                     "rung", verdict->rung, "grade", verdict->grade, "method", verdict->method,
                     "claimed", verdict->claimed, "stale", verdict->stale, "bound",
                     parsed(verdict->bound), "instances", (json_int_t)verdict->instances,
                     "obligations", (json_int_t)verdict->obligation_count, "solver",
                     verdict->solver, "seconds", verdict->seconds, "counterexample",
                     parsed(verdict->counterexample));
}

static json_t *texts(size_t n, const char *const *from)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(from[i]));
    return list;
}

static json_t *claims(const struct rw_rule *rule)
{
    json_t *list = json_array();
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (rule->claims >> d & 1)
            json_array_append_new(list, json_string(rw_domain_name((enum rw_domain)d)));
    return list;
}

json_t *rule_object(const struct rw_rule *rule)
{
    json_t *verdicts = json_object(), *reasons = json_object(), *counterexamples = json_object();
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        const char *domain = rw_domain_name(verdict->domain);
        json_object_set_new(verdicts, domain, json_string(rw_decision_name(verdict->decision)));
        if (verdict->decision == RW_UNKNOWN)
            json_object_set_new(reasons, domain, json_string(verdict->reason));
        if (verdict->counterexample)
            json_object_set_new(counterexamples, domain, json_string(verdict->counterexample_text));
    }
    return json_pack(
        "{s:s, s:s, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:b, s:s}", "rule", rule->name, "hash",
        rule->hash, "origin", texts(rule->n_origins, rule->origins), "family", rule->family,
        "verdicts", verdicts, "uses", (json_int_t)rule->uses, "claims", claims(rule),
        "preconditions", texts(rule->n_preconditions, rule->preconditions), "reasons", reasons,
        "counterexamples", counterexamples, "current", rule->current, "layer", rule->layer);
}

char *rw_verdict_json(const struct rw_rule *rule, const struct rw_verdict *verdict)
{
    json_t *object = verdict_object(rule->name, rule->hash, verdict);
    if (*rule->same_as)
        json_object_set_new(object, "same_as", json_string(rule->same_as));
    if (verdict->earlier)
        json_object_set_new(object, "earlier", json_true());
    return json_give(object);
}

char *rw_rule_json(const struct rw_rule *rule, bool details)
{
    json_t *object = rule_object(rule), *verdicts = NULL;
    if (!details)
        return json_give(object);
    verdicts = json_array();
    for (size_t i = 0; i < rule->n_verdicts; i++)
        json_array_append_new(verdicts, verdict_object(rule->name, rule->hash, rule->verdicts[i]));
    json_object_set_new(object, "source", json_string(rule->source));
    json_object_set_new(object, "canonical", json_string(rule->canonical));
    json_object_set_new(object, "details", verdicts);
    return json_give(object);
}
