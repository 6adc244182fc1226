// SPDX-License-Identifier: Apache-2.0
// The values that each filter of a query may have.
#include "api/database/filters.h"

#include <stdlib.h>

#define SHORT_LIST 16 // values that a message lists

const char *operator_value(uint32_t i)
{
    static const char *const others[] = {"relabel",    "value",           "define",
                                         "any monoid", "any elementwise", "any monotone"};
    if (i < N_OPS)
        return op_name((enum op)i);
    return i - N_OPS < sizeof others / sizeof *others ? others[i - N_OPS] : NULL;
}

const char *role_value(uint32_t i)
{
    static const char *const roles[] = {"size", "window",   "start",    "limit",  "stride", "low",
                                        "high", "interior", "dilation", "groups", "element"};
    return i < sizeof roles / sizeof *roles ? roles[i] : NULL;
}

static const char *domain_value(uint32_t i)
{
    return i < N_DOMAINS ? domain_text((enum domain)i) : NULL;
}

static const char *verdict_value(uint32_t i)
{
    static const enum verdict order[] = {VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNKNOWN};
    return i < 3 ? verdict_text(order[i]) : NULL;
}

static const char *rung_value(uint32_t i)
{
    return i <= RUNG_ARITHMETIC ? rung_text((enum rung)i) : NULL;
}

static const char *layer_value(uint32_t i)
{
    static const char *const layers[] = {"library", "user"};
    return i < 2 ? layers[i] : NULL;
}

static const char *grade_value(uint32_t i)
{
    return i <= GRADE_FINITE_ZERO_SIGN ? grade_name((enum grade)i) : NULL;
}

typedef VEC(const char *) text_list;

static void push_new(text_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (strcmp(list->at[i], text) == 0)
            return;
    vec_push(list, text);
}

// The values that one rule has, each once.
static void of_operators(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->operators.len; i++)
        push_new(out, rule->operators.at[i]);
}

static void of_origins(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->origins.len; i++)
        push_new(out, rule->origins.at[i]);
}

static void of_family(const struct stored_rule *rule, text_list *out)
{
    push_new(out, rule->family);
}

static void of_layer(const struct stored_rule *rule, text_list *out)
{
    push_new(out, rule->layer);
}

static void of_claims(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (rule->claims >> d & 1)
            push_new(out, domain_text((enum domain)d));
}

static void of_domains(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->verdicts.len; i++)
        push_new(out, domain_text(rule->verdicts.at[i].domain));
}

static void of_verdicts(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->verdicts.len; i++)
        push_new(out, verdict_text(rule->verdicts.at[i].verdict));
}

static void of_rungs(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->verdicts.len; i++)
        push_new(out, rule->verdicts.at[i].rung);
}

static void of_grades(const struct stored_rule *rule, text_list *out)
{
    for (uint32_t i = 0; i < rule->verdicts.len; i++)
        push_new(out, rule->verdicts.at[i].grade);
}

struct value_source {
    const char *filter;
    const char *(*known)(uint32_t i); // NULL: the rules alone say
    void (*of)(const struct stored_rule *rule, text_list *out);
};
static const struct value_source sources[] = {
    {"op", operator_value, of_operators},
    {"domain", domain_value, of_domains},
    {"verdict", verdict_value, of_verdicts},
    {"rung", rung_value, of_rungs},
    {"grade", grade_value, of_grades},
    {"claims", domain_value, of_claims},
    {"layer", layer_value, of_layer},
    {"family", NULL, of_family},
    {"origin", NULL, of_origins},
    {"precondition", role_value, NULL}, // the database says
};

static const struct value_source *source_of(const char *name)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].filter, name) == 0)
            return &sources[i];
    return NULL;
}

const char *query_filter(uint32_t i, bool *valued)
{
    static const char *const more[] = {"record", "claimed", "stale", "superseded"};
    const size_t n = sizeof sources / sizeof *sources;
    *valued = i <= n; // record, too
    return i < n ? sources[i].filter : i - n < sizeof more / sizeof *more ? more[i - n] : NULL;
}

void query_hint_filter(const char *name, size_t n, struct err *err)
{
    struct nearest nearest = nearest_to(name, n);
    const char *filter;
    bool valued;
    for (uint32_t i = 0; (filter = query_filter(i, &valued)) != NULL; i++)
        if (valued)
            nearest_consider(&nearest, filter, strlen(filter));
    nearest_hint(&nearest, err);
}

void query_expected(const char *name, struct nearest *nearest, struct buf *out)
{
    const struct value_source *source = source_of(name);
    uint32_t n = 0;
    for (; source && source->known && source->known(n); n++)
        nearest_consider(nearest, source->known(n), strlen(source->known(n)));
    if (n == 0 || n > SHORT_LIST) {
        buf_puts(out, "no rule can have this value");
        return;
    }
    buf_puts(out, "expected one of");
    for (uint32_t i = 0; i < n; i++)
        buf_printf(out, "%s %s", i ? "," : "", source->known(i));
}

static void count_value(struct filter_values *out, const char *text, uint32_t rules)
{
    for (uint32_t i = 0; i < out->at.len; i++)
        if (strcmp(out->at.at[i].text, text) == 0) {
            out->at.at[i].rules += rules;
            return;
        }
    vec_push(&out->at, ((struct filter_value){text, rules}));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct filter_value *)a)->text, ((const struct filter_value *)b)->text);
}

static void count_rules(const struct value_source *source, const struct stored_rules *rules,
                        const bool *keep, struct filter_values *out)
{
    text_list own = {0};
    for (uint32_t i = 0; i < rules->rules.len; i++) {
        vec_clear(&own);
        if (keep[i])
            source->of(&rules->rules.at[i], &own);
        for (uint32_t k = 0; k < own.len; k++)
            count_value(out, own.at[k], 1);
    }
    vec_release(&own);
}

static uint32_t in_both(const struct stored_rules *some, const struct stored_rules *rules,
                        const bool *keep)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rules->rules.len; i++)
        for (uint32_t k = 0; keep[i] && k < some->rules.len; k++)
            n += strcmp(some->rules.at[k].hash, rules->rules.at[i].hash) == 0;
    return n;
}

// The database keeps the roles of preconditions to itself.
static bool count_roles(struct db *db, const struct stored_rules *rules, const bool *keep,
                        struct filter_values *out, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && role_value(i); i++) {
        struct stored_rules some = {0};
        struct db_filter filter;
        db_filter_init(&filter);
        filter.precondition = role_value(i);
        filter.brief = filter.superseded = true;
        ok = db_find(db, &filter, &some, err);
        if (ok)
            count_value(out, role_value(i), in_both(&some, rules, keep));
        stored_rules_release(&some);
        db_filter_release(&filter);
    }
    return ok;
}

bool query_values(struct db *db, const char *name, const struct stored_rules *rules,
                  const bool *keep, struct filter_values *out, struct err *err)
{
    const struct value_source *source = source_of(name);
    if (source == NULL) {
        struct buf names = {0};
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
            buf_printf(&names, "%s %s", i ? "," : "", sources[i].filter);
        err_at(err, ERR_USAGE, "filter", 0, 0, "expected one of%s, found %s", buf_text(&names),
               name);
        buf_release(&names);
        query_hint_filter(name, strlen(name), err);
        return false;
    }
    if (source->of == NULL)
        return count_roles(db, rules, keep, out, err);
    for (uint32_t i = 0; source->known && source->known(i); i++)
        count_value(out, source->known(i), 0);
    count_rules(source, rules, keep, out);
    if (source->known == NULL && out->at.len > 0)
        qsort(out->at.at, out->at.len, sizeof *out->at.at, by_text);
    return true;
}
