// SPDX-License-Identifier: Apache-2.0
// Rules of a database as text for other programs.
#include "api/database/database.h"
#include "api/proving/lines.h"
#include "api/rules/report.h"
#include "api/rules/statuses.h"
#include "base/text/suggest.h"
#include "db/merge.h"
#include "rules/export/export.h"

struct exporting {
    struct rw_database *database;
    const struct rw_export_options *options;
    struct egglog egglog;
    struct buf out;
    size_t added;
};

// Appends one rule.  Fails with ERR_CHECK if the format has no text for the rule.
typedef bool add_rule(struct exporting *to, const struct rw_rule *view, const struct rule *rule,
                      struct err *err);

// The lines that `merge` reads.
static bool add_json(struct exporting *to, const struct rw_rule *view, const struct rule *rule,
                     struct err *err)
{
    struct report report = {0};
    bool ok = db_report(to->database->db, view->hash, &report, NULL, err);
    if (ok)
        verdicts_write(rule, &report, true, &to->out);
    report_release(&report);
    return ok;
}

static bool add_egglog(struct exporting *to, const struct rw_rule *view, const struct rule *rule,
                       struct err *err)
{
    return egglog_add(&to->egglog, rule, status_of_view(view), err);
}

static bool add_latex(struct exporting *to, const struct rw_rule *view, const struct rule *rule,
                      struct err *err)
{
    struct buf verdicts = {0};
    (void)err;
    for (size_t i = 0; i < view->n_verdicts; i++)
        buf_printf(&verdicts, "%s%s %s", i ? ", " : "", rw_domain_name(view->verdicts[i]->domain),
                   rw_decision_name(view->verdicts[i]->decision));
    latex_add(rule, verdicts.len ? buf_text(&verdicts) : "never proved", &to->out);
    buf_release(&verdicts);
    return true;
}

static bool add_smt2(struct exporting *to, const struct rw_rule *view, const struct rule *rule,
                     struct err *err)
{
    struct rw_error error;
    char *text = rw_rule_smt2(view, &error);
    (void)rule;
    if (text == NULL)
        return error_take(&error, err);
    if (to->added > 0)
        buf_puts(&to->out, "\n(reset)\n");
    buf_puts(&to->out, text);
    rw_free(text);
    return true;
}

static void begin(struct exporting *to, const char *format)
{
    to->egglog.rank = to->options->rank;
    to->egglog.float_mode = to->options->real ? DOMAIN_REAL : DOMAIN_FLOAT;
    if (strcmp(format, "latex") == 0)
        latex_begin(&to->out);
}

static void end(struct exporting *to, const char *format)
{
    if (strcmp(format, "latex") == 0)
        latex_end(&to->out);
    else if (strcmp(format, "egglog") == 0)
        egglog_put(&to->egglog, &to->out);
}

// The order is that of rw_export_formats.
static add_rule *const adders[] = {add_egglog, add_json, add_latex, add_smt2};

const char *const *rw_export_formats(void)
{
    static const char *const names[] = {"egglog", "json", "latex", "smt2", NULL};
    return names;
}

static add_rule *adder_of(const char *format, struct err *err)
{
    const char *const *names = rw_export_formats();
    for (size_t i = 0; names[i]; i++)
        if (format && strcmp(names[i], format) == 0)
            return adders[i];
    struct buf all = {0};
    struct nearest nearest = nearest_to(format ? format : "", format ? strlen(format) : 0);
    for (size_t i = 0; names[i]; i++) {
        buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
        nearest_consider(&nearest, names[i], strlen(names[i]));
    }
    err_set(err, ERR_USAGE, "export: expected a format, one of %s, found %s", buf_text(&all),
            format ? format : "none");
    nearest_hint(&nearest, err);
    buf_release(&all);
    return NULL;
}

static bool add_one(struct exporting *to, const struct rw_rule *view, add_rule *add,
                    size_t *left_out, struct err *err)
{
    struct err why = {0};
    struct ruleset set;
    ruleset_init(&set);
    const struct rule *rule =
        rule_of_text(view->source, strlen(view->source), view->family, &set, &why);
    bool ok = rule != NULL && add(to, view, rule, &why);
    ruleset_release(&set);
    to->added += ok;
    if (!ok && why.kind == ERR_CHECK) {
        context_note(to->database->context, "%s/%s is left out: %s", view->family, view->name,
                     why.msg);
        ++*left_out;
        return true;
    }
    if (!ok)
        *err = why;
    return ok;
}

char *rw_export(struct rw_database *database, const struct rw_query_options *rules,
                const struct rw_export_options *options, size_t *left_out, struct rw_error *error)
{
    struct err err = {0};
    struct rw_export_options own;
    struct exporting to = {.database = database, .options = &own};
    size_t left = 0;
    bool ok = options_copy(options, &own, sizeof own, &err);
    add_rule *add = ok ? adder_of(own.format, &err) : NULL;
    struct rw_report *report = add ? rw_query(database, rules, error) : NULL;
    if (add == NULL)
        error_give(&err, error);
    ok = report != NULL;
    if (ok)
        begin(&to, own.format);
    for (uint32_t i = 0; ok && i < report->rules.len; i++)
        ok = add_one(&to, report->rules.at[i], add, &left, &err) || error_give(&err, error);
    if (ok)
        end(&to, own.format);
    rw_report_free(report);
    egglog_release(&to.egglog);
    if (left_out)
        *left_out = left;
    if (ok)
        return text_give(&to.out);
    buf_release(&to.out);
    return NULL;
}
