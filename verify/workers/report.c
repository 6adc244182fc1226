// SPDX-License-Identifier: Apache-2.0
#include "verify/workers/report.h"
#include <jansson.h>

static const char *const rung_names[] = {"none", "uninterpreted", "commutative",
                                         "arithmetic"};
static const char *const kind_names[] = {"nonempty", "valid", "shape",
                                         "elements"};

static json_t *text_json(const char *s)
{
    if (s == NULL)
        return json_null();
    json_t *j = json_string(s);
    return j != NULL ? j : json_string("(not UTF-8)");
}

static json_t *obligation_json(const struct obligation *o)
{
    json_t *j = json_object();
    json_object_set_new(j, "kind", json_string(kind_names[o->kind]));
    json_object_set_new(j, "ranks", text_json(o->ranks));
    json_object_set_new(j, "detail", text_json(o->detail));
    json_object_set_new(j, "verdict", json_string(verdict_text(o->verdict)));
    json_object_set_new(j, "reason", text_json(o->reason));
    json_object_set_new(j, "seconds", json_real(o->seconds));
    json_object_set_new(j, "effort", json_integer((json_int_t)o->effort));
    return j;
}

static json_t *domain_json(const struct domain_report *d)
{
    json_t *j = json_object(), *list = json_array();
    json_object_set_new(j, "domain", json_string(domain_text(d->domain)));
    json_object_set_new(j, "claimed", json_boolean(d->claimed));
    json_object_set_new(j, "verdict", json_string(verdict_text(d->verdict)));
    json_object_set_new(j, "rung", json_string(rung_names[d->rung]));
    json_object_set_new(j, "grade", json_string(grade_name(d->grade)));
    json_object_set_new(j, "reason", text_json(d->reason));
    json_object_set_new(j, "method", text_json(d->method));
    json_object_set_new(j, "bound", text_json(d->bound));
    json_object_set_new(j, "bound_why", text_json(d->bound_why));
    json_object_set_new(j, "instances", json_integer(d->instances));
    for (uint32_t i = 0; i < d->obligations.len; i++)
        json_array_append_new(list, obligation_json(&d->obligations.at[i]));
    json_object_set_new(j, "obligations", list);
    json_object_set_new(j, "solver", text_json(d->solver));
    json_object_set_new(j, "seconds", json_real(d->seconds));
    json_object_set_new(j, "counterexample", text_json(d->counterexample));
    return j;
}

void report_encode(const struct rule *r, const struct report *rep,
                   struct buf *out)
{
    json_t *root = json_object(), *list = json_array();
    json_t *remarks = json_array();
    for (uint32_t i = 0; i < rep->domains.len; i++)
        json_array_append_new(list, domain_json(&rep->domains.at[i]));
    for (uint32_t i = 0; i < rep->remarks.len; i++)
        json_array_append_new(remarks, text_json(rep->remarks.at[i]));
    json_object_set_new(root, "hash", json_string(r->hash));
    json_object_set_new(root, "domains", list);
    json_object_set_new(root, "remarks", remarks);
    json_object_set_new(root, "peak_kib",
                        json_integer((json_int_t)rep->peak_kib));
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    buf_puts(out, text != NULL ? text : "");
    free(text);
    json_decref(root);
}

struct report_decoder {
    const struct rule *r;
    struct report *rep;
    unsigned seen; // domains
    bool ok;
};

static const char *get_text(struct report_decoder *w, const json_t *j, const char *key,
                            bool required)
{
    const json_t *v = json_object_get(j, key);
    if (json_is_string(v))
        return arena_strdup(&w->rep->mem, json_string_value(v));
    if (!json_is_null(v) || required)
        w->ok = false;
    return NULL;
}

static double get_number(struct report_decoder *w, const json_t *j, const char *key)
{
    const json_t *v = json_object_get(j, key);
    if (!json_is_number(v))
        w->ok = false;
    return json_number_value(v);
}

static uint64_t get_count(struct report_decoder *w, const json_t *j, const char *key)
{
    const json_t *v = json_object_get(j, key);
    if (!json_is_integer(v))
        w->ok = false;
    return (uint64_t)json_integer_value(v);
}

static uint32_t get_name(struct report_decoder *w, const json_t *j, const char *key,
                         const char *const *names, uint32_t n)
{
    const char *s = json_string_value(json_object_get(j, key));
    for (uint32_t i = 0; s != NULL && i < n; i++)
        if (!strcmp(s, names[i]))
            return i;
    w->ok = false;
    return 0;
}

static enum verdict get_verdict(struct report_decoder *w, const json_t *j)
{
    enum verdict v = VERDICT_UNKNOWN;
    const char *s = json_string_value(json_object_get(j, "verdict"));
    if (s == NULL || !verdict_by_text(s, &v))
        w->ok = false;
    return v;
}

static void get_domain(struct report_decoder *w, const json_t *j)
{
    struct domain_report d = {0};
    const char *name = json_string_value(json_object_get(j, "domain"));
    const json_t *list = json_object_get(j, "obligations");
    if (name == NULL || !domain_by_text(name, &d.domain) ||
        !(rule_domains(w->r) >> d.domain & 1) || (w->seen >> d.domain & 1) ||
        !json_is_array(list)) {
        w->ok = false;
        return;
    }
    w->seen |= 1u << d.domain;
    d.claimed = json_is_true(json_object_get(j, "claimed"));
    d.verdict = get_verdict(w, j);
    d.rung = (enum rung)get_name(w, j, "rung", rung_names, 4);
    const char *grade = get_text(w, j, "grade", true);
    w->ok = w->ok && grade_by_name(grade, &d.grade);
    d.reason = get_text(w, j, "reason", false);
    d.method = get_text(w, j, "method", false);
    d.bound = get_text(w, j, "bound", false);
    d.bound_why = get_text(w, j, "bound_why", false);
    d.instances = (uint32_t)get_count(w, j, "instances");
    d.solver = get_text(w, j, "solver", false);
    d.seconds = get_number(w, j, "seconds");
    d.counterexample =
        get_text(w, j, "counterexample", d.verdict == VERDICT_REFUTED);
    for (size_t i = 0; w->ok && i < json_array_size(list); i++) {
        const json_t *v = json_array_get(list, i);
        struct obligation o = {
            .kind = (enum obligation_kind)get_name(w, v, "kind", kind_names, 4),
            .ranks = get_text(w, v, "ranks", false),
            .detail = get_text(w, v, "detail", false),
            .verdict = get_verdict(w, v),
            .reason = get_text(w, v, "reason", false),
            .seconds = get_number(w, v, "seconds"),
            .effort = get_count(w, v, "effort"),
        };
        vec_push(&d.obligations, o);
    }
    vec_push(&w->rep->domains, d);
}

bool report_decode(const struct rule *r, unsigned domains_wanted,
                   const char *line, size_t n, struct report *rep,
                   struct err *e)
{
    unsigned wanted = rule_domains(r);
    if (domains_wanted != 0)
        wanted &= domains_wanted;
    json_error_t error;
    struct report_decoder w = {.r = r, .rep = rep, .ok = true};
    json_t *root = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    const char *hash = json_string_value(json_object_get(root, "hash"));
    const json_t *domains = json_object_get(root, "domains");
    const json_t *remarks = json_object_get(root, "remarks");
    rep->peak_kib = get_count(&w, root, "peak_kib");
    w.ok = hash != NULL && !strcmp(hash, r->hash) && json_is_array(domains) &&
           json_is_array(remarks);
    for (size_t i = 0; w.ok && i < json_array_size(domains); i++)
        get_domain(&w, json_array_get(domains, i));
    for (size_t i = 0; w.ok && i < json_array_size(remarks); i++) {
        const char *s = json_string_value(json_array_get(remarks, i));
        w.ok = s != NULL;
        if (w.ok)
            vec_push(&rep->remarks, arena_strdup(&rep->mem, s));
    }
    json_decref(root);
    if (w.ok && w.seen == wanted)
        return true;
    report_release(rep);
    return err_set(e, ERR_INPUT, "a report that cannot be read");
}
