// SPDX-License-Identifier: Apache-2.0
#include "api/proving/lines.h"

#include "api/rules/json.h"
#include "api/rules/view.h"
#include "base/text/utf8.h"
#include "verify/workers/report.h"
#include <errno.h>
#include <stdlib.h>

#define HASH_IN_NAME 12 // digits

bool line_next(FILE *in, struct input_line *line, struct err *err)
{
    int c;
    buf_clear(&line->text);
    line->number++;
    line->ended = false;
    line->fits = true;
    errno = 0;
    while ((c = getc_unlocked(in)) != EOF) {
        if (c == '\n') {
            line->ended = true;
            return true;
        }
        if (line->text.len < LIMIT_LINE)
            buf_putc(&line->text, (char)c);
        else
            line->fits = false;
    }
    if (ferror(in))
        return err_set(err, ERR_IO, "the lines cannot be read: %s", strerror(errno));
    return line->text.len > 0;
}

bool line_too_long(struct err *err)
{
    return err_set(err, ERR_INPUT, "the line is longer than %zu bytes", LIMIT_LINE);
}

static size_t blanks(const char *line, size_t n)
{
    size_t i = 0;
    while (i < n && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r'))
        i++;
    return i;
}

bool line_is_empty(const char *line, size_t n)
{
    size_t i = blanks(line, n);
    return i == n || line[i] == '#';
}

static json_t *object_of(const char *line, size_t n, struct err *err)
{
    json_error_t why;
    json_t *j = json_loadb(line, n, JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(j))
        return j;
    if (j == NULL)
        err_set(err, ERR_INPUT, "column %d: expected a JSON object: %s", why.column, why.text);
    else
        err_set(err, ERR_INPUT, "expected a JSON object, found another value");
    json_decref(j);
    return NULL;
}

// A text of the object; `fallback` if the key is absent.  NULL: *err says why.
static const char *text_of(const json_t *object, const char *key, const char *fallback,
                           struct err *err)
{
    const json_t *json = json_object_get(object, key);
    if (json_is_string(json))
        return json_string_value(json);
    if (json == NULL && fallback != NULL)
        return fallback;
    err_set(err, ERR_INPUT, "expected a text as \"%s\", found %s", key,
            json == NULL ? "nothing" : "another value");
    return NULL;
}

static bool is_name(const char *text)
{
    bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
    return letter && text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_")] == '\0';
}

static bool named(struct ruleset *set, struct rule *rule, const char *name, struct err *err)
{
    struct buf own = {0};
    if (*name && !is_name(name))
        return err_set(err, ERR_INPUT, "expected a name as \"name\", found %.80s", name);
    if (*name)
        rule->name = arena_strdup(&set->mem, name);
    if (strcmp(rule->name, "_") == 0) {
        buf_printf(&own, "rule_%.*s", HASH_IN_NAME, rule->hash);
        rule->name = arena_strdup(&set->mem, buf_text(&own));
    }
    buf_release(&own);
    return true;
}

struct rule *rule_of_text(const char *text, size_t n, const char *family, struct ruleset *set,
                          struct err *err)
{
    struct err_list errs = {0};
    struct buf file = {0};
    buf_printf(&file, "%s.rw", family);
    bool ok = ruleset_parse(set, text, n, buf_text(&file), &errs);
    if (!ok) {
        *err = errs.at.at[0];
        err->file[0] = '\0'; // there is none
    } else if (set->rules.len != 1) {
        ok = err_set(err, ERR_INPUT, "expected one rule, found %u", set->rules.len);
    }
    buf_release(&file);
    vec_release(&errs.at);
    return ok ? set->rules.at[0] : NULL;
}

static const struct rule *candidate_object(const json_t *json, struct ruleset *set, struct err *err)
{
    const char *text = text_of(json, "rule", NULL, err);
    const char *name = text ? text_of(json, "name", "", err) : NULL;
    const char *family = name ? text_of(json, "family", "candidates", err) : NULL;
    if (!family)
        return NULL;
    struct rule *rule = rule_of_text(text, strlen(text), family, set, err);
    return rule && named(set, rule, name, err) ? rule : NULL;
}

const struct rule *candidate_read(const char *line, size_t n, struct ruleset *set, struct err *err)
{
    size_t at = blanks(line, n);
    if (at == n || line[at] != '{') {
        struct rule *rule = rule_of_text(line, n, "candidates", set, err);
        return rule && named(set, rule, "", err) ? rule : NULL;
    }
    json_t *j = object_of(line, n, err);
    const struct rule *r = j ? candidate_object(j, set, err) : NULL;
    json_decref(j);
    return r;
}

// The rule as written, with its name; the text parses to the same rule.
static json_t *rule_text(const struct rule *rule)
{
    struct buf text = {0};
    rule_print(rule, &text);
    json_t *j = json_string(buf_text(&text));
    buf_release(&text);
    return j;
}

void candidate_write(const struct rule *rule, struct buf *out)
{
    json_t *j = json_object();
    json_object_set_new(j, "name", json_string(rule->name));
    json_object_set_new(j, "family", json_string(rule->family));
    json_object_set_new(j, "rule", rule_text(rule));
    json_line(j, out);
}

static void no_times(struct domain_report *report)
{
    report->seconds = 0;
    for (uint32_t i = 0; i < report->obligations.len; i++)
        report->obligations.at[i].seconds = 0;
}

// The report of one domain alone; borrows.
static json_t *report_object(const struct rule *rule, const struct report *rep, uint32_t domain)
{
    struct report one = {.domains = {&rep->domains.at[domain], 1, 1},
                         .remarks = {rep->remarks.at, rep->remarks.len, rep->remarks.cap}};
    struct buf text = {0};
    report_encode(rule, &one, &text);
    json_t *j = json_loads(buf_text(&text), 0, NULL);
    buf_release(&text);
    return j ? j : json_null();
}

static void verdict_write(const struct rule *rule, json_t *json, json_t *report, struct buf *out)
{
    json_object_set_new(json, "family", json_string(rule->family));
    json_object_set_new(json, "text", rule_text(rule));
    json_object_set_new(json, "verifier", json_string(VERIFIER_VERSION));
    json_object_set_new(json, "semantics", json_string(SEMANTICS_VERSION));
    json_object_set_new(json, "report", report);
    json_line(json, out);
}

void verdicts_write(const struct rule *rule, struct report *rep, bool times, struct buf *out)
{
    struct arena mem = {0};
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        if (!times)
            no_times(&rep->domains.at[i]);
        struct rw_verdict verdict = view_of_domain(&rep->domains.at[i], &mem);
        verdict_write(rule, verdict_object(rule->name, rule->hash, &verdict),
                      report_object(rule, rep, i), out);
    }
    arena_release(&mem);
    if (rep->domains.len == 0)
        verdict_write(
            rule, json_pack("{s:s, s:s, s:n}", "rule", rule->name, "hash", rule->hash, "domain"),
            json_null(), out);
}

void error_write(uint64_t line, const struct err *why, struct buf *out)
{
    struct buf text = {0};
    if (why->line)
        buf_printf(&text, "%u:%u: ", why->line, why->col);
    buf_puts(&text, why->msg);
    json_line(json_pack("{s:I, s:s}", "line", (json_int_t)line, "error", buf_text(&text)), out);
    buf_release(&text);
}

// ---- reading ----

static bool same_text(const json_t *json, const char *key, const char *want)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL && strcmp(text, want) == 0;
}

static bool domain_of(const json_t *json, enum domain *domain, struct err *err)
{
    const char *text = json_string_value(json_object_get(json, "domain"));
    return (text != NULL && domain_by_text(text, domain)) ||
           err_set(err, ERR_INPUT, "expected a domain as \"domain\"");
}

static bool read_report(const json_t *json, struct verdict_line *out, struct err *err)
{
    enum domain domain;
    if (!domain_of(json, &domain, err))
        return false;
    char *text =
        json_dumps(json_object_get(json, "report"), JSON_COMPACT | JSON_REAL_PRECISION(17));
    bool ok = text != NULL || err_set(err, ERR_INPUT, "expected an object as \"report\"");
    ok = ok && report_decode(out->rule, 1u << domain, text, strlen(text), &out->report, err);
    free(text);
    if (!ok)
        return false;
    if (same_text(json, "verdict", verdict_text(out->report.domains.at[0].verdict)))
        return true;
    report_release(&out->report);
    return err_set(err, ERR_INPUT, "\"verdict\" is not that of \"report\"");
}

static bool read_verdict(const json_t *json, struct ruleset *set, struct verdict_line *out,
                         struct err *err)
{
    const char *text = text_of(json, "text", NULL, err);
    const char *family = text ? text_of(json, "family", NULL, err) : NULL;
    if (!family)
        return false;
    out->rule = rule_of_text(text, strlen(text), family, set, err);
    if (!out->rule)
        return false;
    if (!same_text(json, "hash", out->rule->hash))
        return err_set(err, ERR_INPUT, "expected \"hash\" to be %.12s, the hash of the text",
                       out->rule->hash);
    out->stale = !same_text(json, "verifier", VERIFIER_VERSION) ||
                 !same_text(json, "semantics", SEMANTICS_VERSION);
    return out->stale || json_is_null(json_object_get(json, "domain")) ||
           read_report(json, out, err);
}

bool verdict_line_read(const char *line, size_t n, struct ruleset *set, struct verdict_line *out,
                       bool *other, struct err *err)
{
    memset(out, 0, sizeof *out);
    *other = false;
    json_t *j = object_of(line, n, err);
    if (!j)
        return false;
    *other = json_object_get(j, "error") != NULL;
    bool ok = *other || read_verdict(j, set, out, err);
    json_decref(j);
    return ok;
}
