// SPDX-License-Identifier: Apache-2.0
// Questions about the rules of a database.
#include "api/database/database.h"
#include "api/records/records.h"
#include "api/rules/report.h"

// "key=value" with this key: the value, else NULL.
static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

struct query {
    struct rw_context *context;
    struct db_filter filter;
    bool superseded;    // only these
    bool by_record;     // only rules of this record:
    VEC(char *) hashes; // copies
};

static void query_release(struct query *query)
{
    for (uint32_t i = 0; i < query->hashes.len; i++)
        mem_free(query->hashes.at[i]);
    vec_release(&query->hashes);
    db_filter_release(&query->filter);
}

// The rules of a program's record.
static bool read_hashes(struct query *query, const char *path, struct err *err)
{
    struct rw_record *record = record_of_program(query->context, path, err);
    if (record == NULL)
        return false;
    for (uint32_t i = 0; i < record->program.rules.len; i++)
        vec_push(&query->hashes, text_copy(record->program.rules.at[i].hash));
    rw_record_free(record);
    query->by_record = true;
    return true;
}

static bool in_record(const struct query *query, const char *hash)
{
    for (uint32_t i = 0; i < query->hashes.len; i++)
        if (strcmp(query->hashes.at[i], hash) == 0)
            return true;
    return false;
}

static bool choose(const char *word, const char *what, bool known, struct err *err)
{
    return known || err_set(err, ERR_USAGE, "query: %s: no such %s", word, what);
}

// Names as rule_operators returns them.
static bool known_operator(const char *name)
{
    static const char *const others[] = {"relabel",    "value",           "define",
                                         "any monoid", "any elementwise", "any monotone"};
    enum op op;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return op_by_name(name, &op);
}

static bool known_rung(const char *name)
{
    for (int r = RUNG_NONE; r <= RUNG_ARITHMETIC; r++)
        if (strcmp(name, rung_text((enum rung)r)) == 0)
            return true;
    return false;
}

static bool add_filter(const char *word, struct query *query, struct err *err)
{
    struct db_filter *filter = &query->filter;
    const char *text;
    enum domain domain;
    enum verdict verdict;
    enum grade grade;
    if ((text = value_of(word, "op"))) {
        if (!choose(word, "operator", known_operator(text), err))
            return false;
        vec_push(&filter->ops, text);
    } else if ((text = value_of(word, "domain"))) {
        if (!choose(word, "domain", domain_by_text(text, &domain), err))
            return false;
        filter->domain = (int)domain;
    } else if ((text = value_of(word, "verdict"))) {
        if (!choose(word, "verdict", verdict_by_text(text, &verdict), err))
            return false;
        filter->verdict = (int)verdict;
    } else if ((text = value_of(word, "rung"))) {
        if (!choose(word, "rung", known_rung(text), err))
            return false;
        filter->rung = text;
    } else if ((text = value_of(word, "grade"))) {
        if (!choose(word, "grade", grade_by_name(text, &grade), err))
            return false;
        filter->grade = text;
    } else if ((text = value_of(word, "family"))) {
        filter->family = text;
    } else if ((text = value_of(word, "record"))) {
        if (!read_hashes(query, text, err))
            return false;
        filter->superseded = true;
    } else if ((text = value_of(word, "precondition"))) {
        filter->precondition = text;
    } else if (strcmp(word, "precondition") == 0) {
        filter->any_precondition = true;
    } else if (strcmp(word, "stale") == 0) {
        filter->stale = true;
    } else if (strcmp(word, "superseded") == 0) {
        query->superseded = filter->superseded = true;
    } else if (strchr(word, '=') &&
               strspn(word, "abcdefghijklmnopqrstuvwxyz") == strcspn(word, "=")) {
        return err_set(err, ERR_USAGE, "query: %s: no such filter", word);
    } else {
        vec_push(&filter->texts, word);
    }
    return true;
}

// Filters that the database cannot apply by itself.
static bool is_asked_for(const struct query *query, const struct rw_rule *rule)
{
    return (!query->by_record || in_record(query, rule->hash)) &&
           (!query->superseded || !rule->current);
}

static void keep_asked_for(const struct query *query, struct rw_report *report)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < report->rules.len; i++)
        if (is_asked_for(query, report->rules.at[i]))
            report->rules.at[kept++] = report->rules.at[i];
    report->rules.len = kept;
}

static bool read_filters(const struct rw_query_options *options, struct query *query,
                         struct err *err)
{
    enum domain domain;
    for (size_t i = 0; i < options->n_filters; i++)
        if (!add_filter(options->filters[i], query, err))
            return false;
    if (options->domain == NULL)
        return true;
    if (!choose(options->domain, "domain", domain_by_text(options->domain, &domain), err))
        return false;
    query->filter.domain = (int)domain;
    return true;
}

static bool run_query(struct rw_database *database, const struct rw_query_options *options,
                      struct rw_report *report, struct err *err)
{
    struct query query = {.context = database->context};
    struct stored_rules rows = {0};
    db_filter_init(&query.filter);
    bool ok =
        read_filters(options, &query, err) && db_find(database->db, &query.filter, &rows, err);
    if (ok) {
        report_add_stored(report, &rows);
        keep_asked_for(&query, report);
    }
    if (ok && query.by_record && options->n_filters == 1 && report->rules.len < query.hashes.len)
        context_note(database->context, "%u of the %u rules of the record are not in the database",
                     query.hashes.len - report->rules.len, query.hashes.len);
    query_release(&query);
    return ok;
}

struct rw_report *rw_query(struct rw_database *database, const struct rw_query_options *options,
                           struct rw_error *error)
{
    struct err err = {0};
    struct rw_query_options own;
    struct rw_report *report = report_new();
    if (options_copy(options, &own, sizeof own, &err) && run_query(database, &own, report, &err))
        return report;
    rw_report_free(report);
    error_give(&err, error);
    return NULL;
}

// ---- one rule

// A rule as a message tells it from others.
static void put_one(const struct stored_rule *row, struct buf *out)
{
    buf_printf(out, "%s/%s %.12s (%s)", row->family, row->name, row->hash, row->layer);
}

static bool is_one(const char *name, const struct stored_rules *rows, struct err *err)
{
    struct buf list = {0};
    if (rows->rules.len == 0)
        return err_set(err, ERR_INPUT,
                       "no rule has the name %s, or a hash that starts "
                       "so (6 digits at least)",
                       name);
    for (uint32_t i = 0; i < 2 && i < rows->rules.len; i++) {
        buf_puts(&list, i ? " and " : "");
        put_one(&rows->rules.at[i], &list);
    }
    bool ok =
        rows->rules.len == 1 ||
        err_set(err, ERR_INPUT, "%s is ambiguous: %s; expected a hash", name, buf_text(&list));
    buf_release(&list);
    return ok;
}

static bool find_one(struct db *db, const char *name, struct stored_rules *rows, struct err *err)
{
    struct db_filter filter;
    const char *slash = strrchr(name, '/'); // family/name
    struct buf family = {0};
    db_filter_init(&filter);
    filter.name = slash ? slash + 1 : name;
    if (slash) {
        buf_write(&family, name, (size_t)(slash - name));
        filter.of_family = buf_text(&family);
    }
    bool ok = db_find(db, &filter, rows, err);
    if (ok && rows->rules.len == 0) { // an older text, by its hash
        stored_rules_release(rows);
        *rows = (struct stored_rules){0};
        filter.superseded = true;
        ok = db_find(db, &filter, rows, err);
    }
    ok = ok && is_one(filter.name, rows, err);
    buf_release(&family);
    db_filter_release(&filter);
    return ok;
}

// True if the database's text of the rule parses.
static bool parses(const struct stored_rule *row, const char *name, struct err *err)
{
    struct ruleset set;
    ruleset_init(&set);
    bool ok = ruleset_add(&set, row->source, name, err) != NULL;
    ruleset_release(&set);
    return ok;
}

struct rw_report *rw_query_rule(struct rw_database *database, const char *name,
                                struct rw_error *error)
{
    struct err err = {0};
    struct stored_rules rows = {0};
    struct report obligations = {0};
    struct rw_report *report = report_new();
    const char *slash = strrchr(name, '/');
    bool ok = find_one(database->db, name, &rows, &err) &&
              parses(&rows.rules.at[0], slash ? slash + 1 : name, &err) &&
              db_obligations(database->db, rows.rules.at[0].hash, &obligations, &err);
    if (ok) {
        report_add_stored(report, &rows);
        view_add_obligations(report->rules.at[0], &obligations, &report->mem);
    }
    report_release(&obligations);
    stored_rules_release(&rows);
    if (ok)
        return report;
    rw_report_free(report);
    error_give(&err, error);
    return NULL;
}
