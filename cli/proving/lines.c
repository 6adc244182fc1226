// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/lines.h"

#include "cli/proving/rule_json.h"
#include "base/text/utf8.h"
#include "verify/workers/report.h"
#include <errno.h>
#include <stdlib.h>

#define HASH_IN_NAME 12 // digits

bool line_next(FILE *in, struct buf *line, bool *ended, bool *fits,
               struct err *e)
{
    int c;
    buf_clear(line);
    *ended = false;
    *fits = true;
    errno = 0;
    while ((c = getc_unlocked(in)) != EOF) {
        if (c == '\n') {
            *ended = true;
            return true;
        }
        if (line->len < LIMIT_LINE)
            buf_putc(line, (char)c);
        else
            *fits = false;
    }
    if (ferror(in))
        return err_set(e, ERR_IO, "the lines cannot be read: %s",
                       strerror(errno));
    return line->len > 0;
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

static json_t *object_of(const char *line, size_t n, struct err *e)
{
    json_error_t why;
    json_t *j = json_loadb(line, n, JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(j))
        return j;
    if (j == NULL)
        err_set(e, ERR_INPUT, "column %d: expected a JSON object: %s",
                why.column, why.text);
    else
        err_set(e, ERR_INPUT, "expected a JSON object, found another value");
    json_decref(j);
    return NULL;
}

// A text of the object; `fallback` where it is absent.  NULL: *e says why.
static const char *text_of(const json_t *object, const char *key,
                           const char *fallback, struct err *e)
{
    const json_t *v = json_object_get(object, key);
    if (json_is_string(v))
        return json_string_value(v);
    if (v == NULL && fallback != NULL)
        return fallback;
    err_set(e, ERR_INPUT, "expected a text as \"%s\", found %s", key,
            v == NULL ? "nothing" : "another value");
    return NULL;
}

static bool is_name(const char *s)
{
    bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
    return letter && s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_")] == '\0';
}

static bool named(struct ruleset *set, struct rule *r, const char *name,
                  struct err *e)
{
    struct buf own = {0};
    if (*name && !is_name(name))
        return err_set(e, ERR_INPUT, "expected a name as \"name\", found %.80s",
                       name);
    if (*name)
        r->name = arena_strdup(&set->mem, name);
    if (strcmp(r->name, "_") == 0) {
        buf_printf(&own, "rule_%.*s", HASH_IN_NAME, r->hash);
        r->name = arena_strdup(&set->mem, buf_text(&own));
    }
    buf_release(&own);
    return true;
}

struct rule *rule_of_text(const char *text, size_t n, const char *family,
                          struct ruleset *set, struct err *e)
{
    struct err_list errs = {0};
    struct buf file = {0};
    buf_printf(&file, "%s.rw", family);
    bool ok = ruleset_parse(set, text, n, buf_text(&file), &errs);
    if (!ok) {
        *e = errs.at.at[0];
        e->file[0] = '\0'; // there is none
    } else if (set->rules.len != 1) {
        ok = err_set(e, ERR_INPUT, "expected one rule, found %u",
                     set->rules.len);
    }
    buf_release(&file);
    vec_release(&errs.at);
    return ok ? set->rules.at[0] : NULL;
}

static const struct rule *candidate_object(const json_t *j, struct ruleset *set,
                                           struct err *e)
{
    const char *text = text_of(j, "rule", NULL, e);
    const char *name = text ? text_of(j, "name", "", e) : NULL;
    const char *family = name ? text_of(j, "family", "candidates", e) : NULL;
    if (!family)
        return NULL;
    struct rule *r = rule_of_text(text, strlen(text), family, set, e);
    return r && named(set, r, name, e) ? r : NULL;
}

const struct rule *candidate_read(const char *line, size_t n,
                                  struct ruleset *set, struct err *e)
{
    size_t at = blanks(line, n);
    if (at == n || line[at] != '{') {
        struct rule *r = rule_of_text(line, n, "candidates", set, e);
        return r && named(set, r, "", e) ? r : NULL;
    }
    json_t *j = object_of(line, n, e);
    const struct rule *r = j ? candidate_object(j, set, e) : NULL;
    json_decref(j);
    return r;
}

// As written, with its name: parses to the same rule.
static json_t *rule_text(const struct rule *r)
{
    struct buf text = {0};
    rule_print(r, &text);
    json_t *j = json_string(buf_text(&text));
    buf_release(&text);
    return j;
}

void candidate_write(const struct rule *r, struct buf *out)
{
    json_t *j = json_object();
    json_object_set_new(j, "name", json_string(r->name));
    json_object_set_new(j, "family", json_string(r->family));
    json_object_set_new(j, "rule", rule_text(r));
    json_line(j, out);
}

static struct stored_verdict as_stored(const struct domain_report *d)
{
    return (struct stored_verdict){
        .domain = d->domain,
        .verdict = d->verdict,
        .grade = grade_name(d->grade),
        .rung = rung_text(d->rung),
        .reason = d->reason ? d->reason : "",
        .method = d->method ? d->method : "",
        .bound = d->bound ? d->bound : "{}",
        .solver = d->solver ? d->solver : "",
        .claimed = d->claimed,
        .instances = d->instances,
        .obligations = d->obligations.len,
        .seconds = d->seconds,
        .counterexample = d->counterexample,
    };
}

static void no_times(struct domain_report *d)
{
    d->seconds = 0;
    for (uint32_t i = 0; i < d->obligations.len; i++)
        d->obligations.at[i].seconds = 0;
}

// The report of one domain alone; borrows.
static json_t *report_object(const struct rule *r, const struct report *rep,
                             uint32_t domain)
{
    struct report one = {
        .domains = {&rep->domains.at[domain], 1, 1},
        .remarks = {rep->remarks.at, rep->remarks.len, rep->remarks.cap}};
    struct buf text = {0};
    report_encode(r, &one, &text);
    json_t *j = json_loads(buf_text(&text), 0, NULL);
    buf_release(&text);
    return j ? j : json_null();
}

static void verdict_write(const struct rule *r, json_t *j, json_t *report,
                          struct buf *out)
{
    json_object_set_new(j, "family", json_string(r->family));
    json_object_set_new(j, "text", rule_text(r));
    json_object_set_new(j, "verifier", json_string(VERIFIER_VERSION));
    json_object_set_new(j, "semantics", json_string(SEMANTICS_VERSION));
    json_object_set_new(j, "report", report);
    json_line(j, out);
}

void verdicts_write(const struct rule *r, struct report *rep, bool times,
                    struct buf *out)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        if (!times)
            no_times(&rep->domains.at[i]);
        struct stored_verdict v = as_stored(&rep->domains.at[i]);
        verdict_write(r, verdict_object(r->name, r->hash, &v),
                      report_object(r, rep, i), out);
    }
    if (rep->domains.len == 0)
        verdict_write(r,
                      json_pack("{s:s, s:s, s:n}", "rule", r->name, "hash",
                                r->hash, "domain"),
                      json_null(), out);
}

void error_write(uint64_t line, const struct err *why, struct buf *out)
{
    struct buf text = {0}, safe = {0};
    if (why->line)
        buf_printf(&text, "%u:%u: ", why->line, why->col);
    buf_puts(&text, why->msg);
    utf8_printable(buf_text(&text), &safe);
    json_line(json_pack("{s:I, s:s}", "line", (json_int_t)line, "error",
                        buf_text(&safe)),
              out);
    buf_release(&text);
    buf_release(&safe);
}

// ---- back again ----

static bool same_text(const json_t *j, const char *key, const char *want)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s != NULL && strcmp(s, want) == 0;
}

static bool domain_of(const json_t *j, enum domain *d, struct err *e)
{
    const char *s = json_string_value(json_object_get(j, "domain"));
    return (s != NULL && domain_by_text(s, d)) ||
           err_set(e, ERR_INPUT, "expected a domain as \"domain\"");
}

static bool read_report(const json_t *j, struct verdict_line *out,
                        struct err *e)
{
    enum domain d;
    if (!domain_of(j, &d, e))
        return false;
    char *text = json_dumps(json_object_get(j, "report"),
                            JSON_COMPACT | JSON_REAL_PRECISION(17));
    bool ok = text != NULL ||
              err_set(e, ERR_INPUT, "expected an object as \"report\"");
    ok = ok &&
         report_decode(out->rule, 1u << d, text, strlen(text), &out->report, e);
    free(text);
    if (!ok)
        return false;
    if (same_text(j, "verdict",
                  verdict_text(out->report.domains.at[0].verdict)))
        return true;
    report_release(&out->report);
    return err_set(e, ERR_INPUT, "\"verdict\" is not that of \"report\"");
}

static bool read_verdict(const json_t *j, struct ruleset *set,
                         struct verdict_line *out, struct err *e)
{
    const char *text = text_of(j, "text", NULL, e);
    const char *family = text ? text_of(j, "family", NULL, e) : NULL;
    if (!family)
        return false;
    out->rule = rule_of_text(text, strlen(text), family, set, e);
    if (!out->rule)
        return false;
    if (!same_text(j, "hash", out->rule->hash))
        return err_set(e, ERR_INPUT, "the text's hash is %.12s, not \"hash\"",
                       out->rule->hash);
    out->stale = !same_text(j, "verifier", VERIFIER_VERSION) ||
                 !same_text(j, "semantics", SEMANTICS_VERSION);
    return out->stale || json_is_null(json_object_get(j, "domain")) ||
           read_report(j, out, e);
}

bool verdict_line_read(const char *line, size_t n, struct ruleset *set,
                       struct verdict_line *out, bool *other, struct err *e)
{
    memset(out, 0, sizeof *out);
    *other = false;
    json_t *j = object_of(line, n, e);
    if (!j)
        return false;
    *other = json_object_get(j, "error") != NULL;
    bool ok = *other || read_verdict(j, set, out, e);
    json_decref(j);
    return ok;
}
