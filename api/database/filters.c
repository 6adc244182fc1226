// SPDX-License-Identifier: Apache-2.0
#include "api/database/filters.h"

#include <stdlib.h>

// "key=value" with this key: the value, else NULL.
static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

void query_release(struct query *query)
{
    record_uses_release(&query->uses);
    vec_release(&query->origins);
    db_filter_release(&query->filter);
}

static bool read_hashes(struct query *query, const char *path, struct err *err)
{
    struct rw_record *record = record_of_file(query->context, path, err);
    if (record == NULL)
        return false;
    record_uses_add(record, &query->uses);
    query->by_record = query->filter.superseded = true;
    rw_record_free(record);
    return true;
}

// For the first name in "int,flaot" that is none of a domain.
static bool hint_domain(const char *text, struct err *err)
{
    struct buf ignored = {0};
    while (*text) {
        size_t n = strcspn(text, ",");
        struct nearest nearest = nearest_to(text, n);
        query_expected("domain", &nearest, &ignored);
        text += n + (text[n] == ',');
        if (nearest.word == NULL || nearest.edits > 0) {
            nearest_hint(&nearest, err);
            break;
        }
    }
    buf_release(&ignored);
    return false;
}

static bool wrong_value(const char *word, struct err *err)
{
    size_t n = strcspn(word, "=");
    const char *value = word + n + (word[n] == '=');
    struct nearest nearest = nearest_to(value, strlen(value));
    struct buf name = {0}, expected = {0};
    buf_write(&name, word, n);
    query_expected(buf_text(&name), &nearest, &expected);
    err_at(err, ERR_USAGE, word, 0, 0, "%s", buf_text(&expected));
    if (strchr(value, ',') != NULL)
        hint_domain(value, err);
    else
        nearest_hint(&nearest, err);
    buf_release(&name);
    buf_release(&expected);
    return false;
}

// Names as rule_operators returns them.
static bool known_operator(const char *name)
{
    for (uint32_t i = 0; operator_value(i); i++)
        if (strcmp(name, operator_value(i)) == 0)
            return true;
    return false;
}

static bool known_rung(const char *name)
{
    for (int r = RUNG_NONE; r <= RUNG_ARITHMETIC; r++)
        if (strcmp(name, rung_text((enum rung)r)) == 0)
            return true;
    return false;
}

// "int,real" as a mask.
static bool read_domains(const char *text, unsigned *mask)
{
    *mask = 0;
    do {
        char name[16] = "";
        size_t n = strcspn(text, ",");
        enum domain domain;
        if (n < sizeof name)
            memcpy(name, text, n);
        if (!domain_by_text(name, &domain))
            return false;
        *mask |= 1u << domain;
        text += n;
    } while (*text++ == ',');
    return true;
}

static bool add_verdict_filter(const char *word, struct query *query, bool *known)
{
    const char *text;
    enum verdict verdict;
    enum grade grade;
    unsigned domains = 0;
    *known = true;
    if ((text = value_of(word, "domain"))) {
        bool ok = read_domains(text, &domains);
        query->domains &= domains;
        return ok;
    }
    if ((text = value_of(word, "verdict"))) {
        bool ok = verdict_by_text(text, &verdict);
        query->verdict = ok ? (int)verdict : -1;
        return ok;
    }
    if ((text = value_of(word, "rung"))) {
        query->rung = text;
        return known_rung(text);
    }
    if ((text = value_of(word, "grade"))) {
        query->grade = text;
        return grade_by_name(text, &grade);
    }
    *known = strcmp(word, "claimed") == 0;
    query->claimed = query->claimed || *known;
    return true;
}

// The two digits there as a number.
static int two_digits(const char *at)
{
    return (at[0] - '0') * 10 + at[1] - '0';
}

// The days of a month of the Gregorian calendar.
static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

static bool is_day(const char *text)
{
    int year = two_digits(text) * 100 + two_digits(text + 2), month = two_digits(text + 5);
    int day = two_digits(text + 8);
    return month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}

// The day, the hour, the minute, the second, and the letter of UTC end there.
static bool is_whole(size_t length)
{
    return length == 10 || length == 13 || length == 16 || length == 19 || length == 20;
}

// "2026-11-23T10:00:00Z", or the start of one, as far as the day at least.
static bool is_time(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if (i + 1 >= sizeof form ||
            (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]))
            return false;
    return is_whole(n) && is_day(text) && (n < 13 || two_digits(text + 11) < 24) &&
           (n < 16 || two_digits(text + 14) < 60) && (n < 19 || two_digits(text + 17) < 60);
}

bool query_since(struct query *query, const char *text, struct err *err)
{
    bool version = *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 6;
    if (version)
        query->filter.since_version = text;
    else if (is_time(text))
        query->filter.since = text;
    else
        return err_at(err, ERR_USAGE, "since", 0, 0,
                      "expected a UTC time such as 2026-11-23T10:00:00Z, its day, or the version "
                      "of the verifier (now " VERIFIER_VERSION ") after which to look, such as "
                      "%ld, found %s",
                      strtol(VERIFIER_VERSION, NULL, 10) - 1, text);
    if (version && strtol(text, NULL, 10) > strtol(VERIFIER_VERSION, NULL, 10)) {
        err_at(err, ERR_USAGE, "since", 0, 0,
               "there is no version %s of the verifier: now it is " VERIFIER_VERSION, text);
        return strlen(text) == 4 &&
               err_hint(err, "a year starts with its first day: %s-01-01", text);
    }
    return true;
}

static bool add_text_filter(const char *word, struct query *query)
{
    struct db_filter *filter = &query->filter;
    const char *text;
    if ((text = value_of(word, "family")))
        filter->family = text;
    else if ((text = value_of(word, "origin")))
        vec_push(&query->origins, text);
    else if ((text = value_of(word, "layer")))
        query->layer = text;
    else if ((text = value_of(word, "precondition")))
        filter->precondition = text;
    else if (strcmp(word, "precondition") == 0)
        filter->any_precondition = true;
    else if (strcmp(word, "stale") == 0)
        filter->stale = true;
    else if (strcmp(word, "superseded") == 0)
        query->superseded = filter->superseded = true;
    else
        return false;
    return true;
}

static bool known_layer(const char *layer)
{
    return layer == NULL || strcmp(layer, "library") == 0 || strcmp(layer, "user") == 0;
}

// "origin=" would find every rule.
static bool is_empty(const char *word, const char *key)
{
    const char *text = value_of(word, key);
    return text != NULL && *text == '\0';
}

static bool add_filter(const char *word, struct query *query, struct err *err)
{
    const char *text;
    bool known;
    if (!add_verdict_filter(word, query, &known))
        return wrong_value(word, err);
    if (known)
        return true;
    if (add_text_filter(word, query))
        return (known_layer(query->layer) && !is_empty(word, "origin") &&
                !is_empty(word, "precondition")) ||
               wrong_value(word, err);
    if ((text = value_of(word, "op"))) {
        vec_push(&query->filter.ops, text);
        return known_operator(text) || wrong_value(word, err);
    }
    if ((text = value_of(word, "claims")))
        return read_domains(text, &query->claims) || wrong_value(word, err);
    if ((text = value_of(word, "record")))
        return read_hashes(query, text, err);
    if (strchr(word, '=') && strspn(word, "abcdefghijklmnopqrstuvwxyz") == strcspn(word, "=")) {
        err_set(err, ERR_USAGE,
                "%s: no such filter; expected op=, domain=, verdict=, rung=, grade=, "
                "claims=, family=, origin=, layer=, precondition= or record=",
                word);
        query_hint_filter(word, strcspn(word, "="), err);
        return false;
    }
    vec_push(&query->filter.texts, word);
    return true;
}

// Refuses a second value of a filter that has one; op=, origin= and record= combine.
static bool check_once(const char *const *words, size_t n_words, struct err *err)
{
    static const char *const keys[] = {"domain", "verdict", "rung",  "grade",
                                       "claims", "family",  "layer", "precondition"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        size_t found = 0;
        for (size_t i = 0; i < n_words; i++)
            found += value_of(words[i], keys[k]) != NULL;
        if (found > 1)
            return err_set(err, ERR_USAGE, "%s is given twice", keys[k]);
    }
    return true;
}

bool query_init(struct query *query, struct rw_context *context, const char *const *words,
                size_t n_words, const char *domains, struct err *err)
{
    unsigned mask = 0;
    *query = (struct query){.context = context, .domains = (1u << N_DOMAINS) - 1, .verdict = -1};
    db_filter_init(&query->filter);
    if (!check_once(words, n_words, err))
        return false;
    for (size_t i = 0; i < n_words; i++)
        if (!add_filter(words[i], query, err))
            return false;
    if (domains && !read_domains(domains, &mask)) {
        err_at(err, ERR_USAGE, "domain", 0, 0,
               "expected domains out of bool, int, word, real and float, found %s", domains);
        return hint_domain(domains, err);
    }
    query->domains &= domains ? mask : ~0u;
    return true;
}

static bool asks_verdicts(const struct query *query)
{
    return query->domains != (1u << N_DOMAINS) - 1 || query->verdict >= 0 || query->rung ||
           query->grade || query->claimed;
}

unsigned query_verdicts(const struct query *query, const struct stored_rule *rule)
{
    unsigned passed = 0;
    for (uint32_t i = 0; i < rule->verdicts.len; i++) {
        const struct stored_verdict *verdict = &rule->verdicts.at[i];
        if ((query->domains >> verdict->domain & 1) &&
            (query->verdict < 0 || (int)verdict->verdict == query->verdict) &&
            (!query->rung || strcmp(verdict->rung, query->rung) == 0) &&
            (!query->grade || strcmp(verdict->grade, query->grade) == 0) &&
            (!query->claimed || verdict->claimed))
            passed |= 1u << verdict->domain;
    }
    return passed;
}

static const struct record_use *use_of(const struct query *query, const char *hash)
{
    for (uint32_t i = 0; i < query->uses.at.len; i++)
        if (strcmp(query->uses.at.at[i].hash, hash) == 0)
            return &query->uses.at.at[i];
    return NULL;
}

uint64_t query_uses(const struct query *query, const char *hash)
{
    const struct record_use *use = use_of(query, hash);
    return use ? use->count : 0;
}

static bool has_origin(const struct stored_rule *rule, const char *text)
{
    for (uint32_t i = 0; i < rule->origins.len; i++)
        if (strstr(rule->origins.at[i], text))
            return true;
    return false;
}

bool query_accepts(const struct query *query, const struct stored_rule *rule)
{
    for (uint32_t i = 0; i < query->origins.len; i++)
        if (!has_origin(rule, query->origins.at[i]))
            return false;
    return (!query->by_record || use_of(query, rule->hash)) &&
           (!query->superseded || !rule->current) &&
           (!query->layer || strcmp(rule->layer, query->layer) == 0) &&
           (query->claims == 0 || (query->claims & rule->claims)) &&
           (!asks_verdicts(query) || query_verdicts(query, rule) != 0);
}
