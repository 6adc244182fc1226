// SPDX-License-Identifier: Apache-2.0
#include "verify/workers/report.h"
#include <jansson.h>

static const char *const rung_names[] = {"none", "uninterpreted", "commutative", "arithmetic"};

static json_t *text_json(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *j = json_string(text);
    return j != NULL ? j : json_string("(not UTF-8)");
}

static json_t *obligation_json(const struct obligation *obligation)
{
    json_t *j = json_object();
    json_object_set_new(j, "kind", json_string(obligation_kind_text(obligation->kind)));
    json_object_set_new(j, "ranks", text_json(obligation->ranks));
    json_object_set_new(j, "detail", text_json(obligation->detail));
    json_object_set_new(j, "verdict", json_string(verdict_text(obligation->verdict)));
    json_object_set_new(j, "reason", text_json(obligation->reason));
    json_object_set_new(j, "seconds", json_real(obligation->seconds));
    json_object_set_new(j, "effort", json_integer((json_int_t)obligation->effort));
    return j;
}

static json_t *domain_json(const struct domain_report *report)
{
    json_t *j = json_object(), *list = json_array();
    json_object_set_new(j, "domain", json_string(domain_text(report->domain)));
    json_object_set_new(j, "claimed", json_boolean(report->claimed));
    json_object_set_new(j, "verdict", json_string(verdict_text(report->verdict)));
    json_object_set_new(j, "rung", json_string(rung_names[report->rung]));
    json_object_set_new(j, "grade", json_string(grade_name(report->grade)));
    json_object_set_new(j, "reason", text_json(report->reason));
    json_object_set_new(j, "method", text_json(report->method));
    json_object_set_new(j, "bound", text_json(report->bound));
    json_object_set_new(j, "bound_why", text_json(report->bound_why));
    json_object_set_new(j, "instances", json_integer(report->instances));
    for (uint32_t i = 0; i < report->obligations.len; i++)
        json_array_append_new(list, obligation_json(&report->obligations.at[i]));
    json_object_set_new(j, "obligations", list);
    json_object_set_new(j, "solver", text_json(report->solver));
    json_object_set_new(j, "seconds", json_real(report->seconds));
    json_object_set_new(j, "counterexample", text_json(report->counterexample));
    return j;
}

void report_encode(const struct rule *rule, const struct report *rep, struct buf *out)
{
    json_t *root = json_object(), *list = json_array();
    json_t *remarks = json_array();
    for (uint32_t i = 0; i < rep->domains.len; i++)
        json_array_append_new(list, domain_json(&rep->domains.at[i]));
    for (uint32_t i = 0; i < rep->remarks.len; i++)
        json_array_append_new(remarks, text_json(rep->remarks.at[i]));
    json_object_set_new(root, "hash", json_string(rule->hash));
    json_object_set_new(root, "domains", list);
    json_object_set_new(root, "remarks", remarks);
    json_object_set_new(root, "peak_kib", json_integer((json_int_t)rep->peak_kib));
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    buf_puts(out, text != NULL ? text : "");
    free(text);
    json_decref(root);
}

struct report_decoder {
    const struct rule *rule;
    struct report *rep;
    unsigned seen; // domains
    bool ok;
};

static const char *get_text(struct report_decoder *report_decoder, const json_t *json,
                            const char *key, bool required)
{
    const json_t *v = json_object_get(json, key);
    if (json_is_string(v))
        return arena_strdup(&report_decoder->rep->mem, json_string_value(v));
    if (!json_is_null(v) || required)
        report_decoder->ok = false;
    return NULL;
}

static double get_number(struct report_decoder *report_decoder, const json_t *json, const char *key)
{
    const json_t *v = json_object_get(json, key);
    if (!json_is_number(v))
        report_decoder->ok = false;
    return json_number_value(v);
}

static uint64_t get_count(struct report_decoder *report_decoder, const json_t *json,
                          const char *key)
{
    const json_t *v = json_object_get(json, key);
    if (!json_is_integer(v))
        report_decoder->ok = false;
    return (uint64_t)json_integer_value(v);
}

static uint32_t get_name(struct report_decoder *report_decoder, const json_t *json, const char *key,
                         const char *const *names, uint32_t n)
{
    const char *text = json_string_value(json_object_get(json, key));
    for (uint32_t i = 0; text != NULL && i < n; i++)
        if (!strcmp(text, names[i]))
            return i;
    report_decoder->ok = false;
    return 0;
}

static enum verdict get_verdict(struct report_decoder *report_decoder, const json_t *json)
{
    enum verdict verdict = VERDICT_UNKNOWN;
    const char *text = json_string_value(json_object_get(json, "verdict"));
    if (text == NULL || !verdict_by_text(text, &verdict))
        report_decoder->ok = false;
    return verdict;
}

static enum obligation_kind get_kind(struct report_decoder *report_decoder, const json_t *json)
{
    enum obligation_kind kind = OBLIGATION_NONEMPTY;
    const char *text = json_string_value(json_object_get(json, "kind"));
    if (text == NULL || !obligation_kind_by_text(text, &kind))
        report_decoder->ok = false;
    return kind;
}

static void get_domain(struct report_decoder *report_decoder, const json_t *json)
{
    struct domain_report report = {0};
    const char *name = json_string_value(json_object_get(json, "domain"));
    const json_t *list = json_object_get(json, "obligations");
    if (name == NULL || !domain_by_text(name, &report.domain) ||
        !(rule_domains(report_decoder->rule) >> report.domain & 1) ||
        (report_decoder->seen >> report.domain & 1) || !json_is_array(list)) {
        report_decoder->ok = false;
        return;
    }
    report_decoder->seen |= 1u << report.domain;
    report.claimed = json_is_true(json_object_get(json, "claimed"));
    report.verdict = get_verdict(report_decoder, json);
    report.rung = (enum rung)get_name(report_decoder, json, "rung", rung_names, 4);
    const char *grade = get_text(report_decoder, json, "grade", true);
    report_decoder->ok = report_decoder->ok && grade_by_name(grade, &report.grade);
    report.reason = get_text(report_decoder, json, "reason", false);
    report.method = get_text(report_decoder, json, "method", false);
    report.bound = get_text(report_decoder, json, "bound", false);
    report.bound_why = get_text(report_decoder, json, "bound_why", false);
    report.instances = (uint32_t)get_count(report_decoder, json, "instances");
    report.solver = get_text(report_decoder, json, "solver", false);
    report.seconds = get_number(report_decoder, json, "seconds");
    report.counterexample =
        get_text(report_decoder, json, "counterexample", report.verdict == VERDICT_REFUTED);
    for (size_t i = 0; report_decoder->ok && i < json_array_size(list); i++) {
        const json_t *v = json_array_get(list, i);
        struct obligation obligation = {
            .kind = get_kind(report_decoder, v),
            .ranks = get_text(report_decoder, v, "ranks", false),
            .detail = get_text(report_decoder, v, "detail", false),
            .verdict = get_verdict(report_decoder, v),
            .reason = get_text(report_decoder, v, "reason", false),
            .seconds = get_number(report_decoder, v, "seconds"),
            .effort = get_count(report_decoder, v, "effort"),
        };
        vec_push(&report.obligations, obligation);
    }
    vec_push(&report_decoder->rep->domains, report);
}

bool report_decode(const struct rule *rule, unsigned domains_wanted, const char *line, size_t n,
                   struct report *rep, struct err *err)
{
    unsigned wanted = rule_domains(rule);
    if (domains_wanted != 0)
        wanted &= domains_wanted;
    json_error_t error;
    struct report_decoder report_decoder = {.rule = rule, .rep = rep, .ok = true};
    json_t *root = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    const char *hash = json_string_value(json_object_get(root, "hash"));
    const json_t *domains = json_object_get(root, "domains");
    const json_t *remarks = json_object_get(root, "remarks");
    rep->peak_kib = get_count(&report_decoder, root, "peak_kib");
    report_decoder.ok = hash != NULL && !strcmp(hash, rule->hash) && json_is_array(domains) &&
                        json_is_array(remarks);
    for (size_t i = 0; report_decoder.ok && i < json_array_size(domains); i++)
        get_domain(&report_decoder, json_array_get(domains, i));
    for (size_t i = 0; report_decoder.ok && i < json_array_size(remarks); i++) {
        const char *text = json_string_value(json_array_get(remarks, i));
        report_decoder.ok = text != NULL;
        if (report_decoder.ok)
            vec_push(&rep->remarks, arena_strdup(&rep->mem, text));
    }
    json_decref(root);
    if (report_decoder.ok && report_decoder.seen == wanted)
        return true;
    report_release(rep);
    return err_set(err, ERR_INPUT, "a report that cannot be read");
}
