// SPDX-License-Identifier: Apache-2.0
// Questions about the rules of a database.
#include "api/database/filters.h"
#include "api/database/order.h"
#include "api/rules/report.h"
#include "base/text/suggest.h"
#include "db/merge.h"

// The rules that pass, with their verdicts; *keep says which of the rows do.
static bool find_rules(struct rw_database *database, const struct query *query,
                       struct stored_rules *rows, bool **keep, struct err *err)
{
    if (!db_find(database->db, &query->filter, rows, err))
        return false;
    *keep = mem_alloc(rows->rules.len + 1);
    for (uint32_t i = 0; i < rows->rules.len; i++)
        (*keep)[i] = query_accepts(query, &rows->rules.at[i]);
    return true;
}

// Views of the rules that pass.
static void add_rules(const struct query *query, struct stored_rules *rows, const bool *keep,
                      const char *domains, struct rw_report *report)
{
    uint32_t kept = 0;
    report_add_stored(report, rows);
    const struct stored_rules *own = &vec_last(&report->stored);
    for (uint32_t i = 0; i < own->rules.len; i++) {
        unsigned shown = domains ? query->domains : ~0u;
        unsigned asked = query->verdict >= 0 ? query_verdicts(query, &own->rules.at[i]) : 0;
        if (!keep[i])
            continue;
        if (domains || asked)
            view_choose(report->rules.at[i], shown, asked, &report->mem);
        report->rules.at[kept++] = report->rules.at[i];
    }
    report->rules.len = kept;
}

// Rules with uses, the most used first.
static void keep_used(const struct query *query, struct rw_report *report)
{
    struct err err = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < report->rules.len; i++) {
        struct rw_rule *rule = report->rules.at[i];
        if (query->by_record)
            rule->uses = (int64_t)query_uses(query, rule->hash);
        if (rule->uses > 0)
            report->rules.at[kept++] = rule;
    }
    report->rules.len = kept;
    // Equal numbers stay in the order of names.
    (void)report_sort(report, NULL, true, &err);
    (void)report_sort(report, "uses", true, &err);
}

static bool run_query(struct rw_database *database, const struct rw_query_options *options,
                      struct rw_report *report, struct err *err)
{
    struct query query;
    struct stored_rules rows = {0};
    bool *keep = NULL;
    bool ok = query_init(&query, database->context, options->filters, options->n_filters,
                         options->domain, err) &&
              (!options->since || query_since(&query, options->since, err)) &&
              find_rules(database, &query, &rows, &keep, err);
    if (ok) {
        add_rules(&query, &rows, keep, options->domain, report);
        if (options->used)
            keep_used(&query, report);
        ok = report_sort(report, options->sort, options->reverse, err);
    }
    if (ok && query.by_record && options->n_filters == 1 && report->rules.len < query.uses.at.len)
        context_note(database->context, "%u of the %u rules of the record are not in the database",
                     query.uses.at.len - report->rules.len, query.uses.at.len);
    mem_free(keep);
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

bool rw_query_values(struct rw_database *database, const struct rw_query_options *options,
                     const char *filter,
                     void (*value)(void *user, const char *text, uint64_t rules), void *user,
                     struct rw_error *error)
{
    struct err err = {0};
    struct rw_query_options own;
    struct query query = {0};
    struct stored_rules rows = {0};
    struct filter_values values = {0};
    bool *keep = NULL;
    bool ok = options_copy(options, &own, sizeof own, &err) &&
              query_init(&query, database->context, own.filters, own.n_filters, own.domain, &err) &&
              (!own.since || query_since(&query, own.since, &err)) &&
              find_rules(database, &query, &rows, &keep, &err) &&
              query_values(database->db, filter, &rows, keep, &values, &err);
    for (uint32_t i = 0; ok && i < values.at.len; i++)
        value(user, values.at.at[i].text, values.at.at[i].rules);
    vec_release(&values.at);
    stored_rules_release(&rows);
    mem_free(keep);
    query_release(&query);
    return ok || error_give(&err, error);
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

// A rule that was renamed within its file was once called so: it gives way to one that bears the
// name, in a file of the same name.
static bool gives_way(const struct stored_rule *row, const char *name,
                      const struct stored_rules *rows)
{
    if (strcmp(row->name, name) == 0)
        return false;
    for (uint32_t i = 0; i < rows->rules.len; i++)
        if (strcmp(rows->rules.at[i].name, name) == 0 &&
            strcmp(rows->rules.at[i].family, row->family) == 0)
            return true;
    return false;
}

static void drop_former_names(const char *name, struct stored_rules *rows)
{
    for (uint32_t i = rows->rules.len; i-- > 0;)
        if (gives_way(&rows->rules.at[i], name, rows))
            stored_rules_drop(rows, i);
}

// The name that was probably meant.
static bool hint_name(struct db *db, const char *name, struct err *err)
{
    struct db_names names;
    struct err ignored = {0};
    struct nearest nearest = nearest_to(name, strlen(name));
    if (!db_names(db, &names, &ignored))
        return false;
    for (uint32_t i = 0; i < names.at.len; i++)
        nearest_consider(&nearest, names.at.at[i].name.name, strlen(names.at.at[i].name.name));
    nearest_hint(&nearest, err);
    db_names_release(&names);
    return false;
}

// FAMILY/ without a name, or nothing at all.
static bool fail_without_name(const char *name, struct err *err)
{
    size_t family = strcspn(name, "/");
    err_set(err, ERR_USAGE, "expected the name of a rule, its hash, or FAMILY/NAME, found %s",
            name[0] ? name : "nothing");
    return family > 0 && err_hint(err, "rankwright query family=%.*s lists the rules of the family",
                                  (int)family, name);
}

static bool find_one(struct db *db, const char *name, struct stored_rules *rows, struct err *err)
{
    struct db_filter filter;
    const char *slash = strrchr(name, '/'); // family/name
    struct buf family = {0};
    if (*(slash ? slash + 1 : name) == '\0')
        return fail_without_name(name, err);
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
    if (ok)
        drop_former_names(filter.name, rows);
    ok = ok &&
         (is_one(name, rows, err) || (rows->rules.len == 0 && hint_name(db, filter.name, err)));
    buf_release(&family);
    db_filter_release(&filter);
    return ok;
}

struct rw_report *rw_query_rule(struct rw_database *database, const char *name,
                                struct rw_error *error)
{
    struct err err = {0};
    struct stored_rules rows = {0};
    struct report obligations = {0};
    struct rw_report *report = report_new();
    bool ok = find_one(database->db, name, &rows, &err) &&
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
