// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "api/rules/json.h"
#include "cli/query/query.h"
#include "cli/verdict_text.h"

// Why a verdict is not `proved`: for a verdict that was asked for, or with --why.
static void print_reason(const struct rw_verdict *verdict, bool why, struct buf *out)
{
    if (!why && !verdict->asked)
        return;
    if (verdict->counterexample)
        buf_printf(out, "; %s: %s", rw_domain_name(verdict->domain), verdict->counterexample_text);
    else if (verdict->decision == RW_UNKNOWN)
        buf_printf(out, "; %s: %s", rw_domain_name(verdict->domain), verdict->reason);
}

static void print_rule(const struct rw_rule *rule, bool why, struct buf *out)
{
    buf_printf(out, "%.12s %s/%s: ", rule->hash, rule->family, rule->name);
    verdict_words(rule, out);
    if (strcmp(rule->layer, "library") == 0)
        buf_puts(out, "; library");
    if (!rule->current)
        buf_puts(out, "; superseded");
    for (size_t i = 0; i < rule->n_preconditions; i++)
        buf_printf(out, "%s%s", i ? ", " : "; where ", rule->preconditions[i]);
    for (size_t i = 0; i < rule->n_verdicts; i++)
        print_reason(rule->verdicts[i], why, out);
    buf_putc(out, '\n');
}

struct printing {
    struct buf *out;
    bool json;
    const char *filter; // of --values
};

static void print_row(void *user, int n, const char *const *names, const char *const *texts)
{
    const struct printing *to = user;
    (void)names;
    for (int i = 0; i < n; i++)
        buf_printf(to->out, "%s%s", i ? "\t" : "", texts[i] ? texts[i] : "");
    buf_putc(to->out, '\n');
}

static void print_json(void *user, const char *json)
{
    const struct printing *to = user;
    buf_printf(to->out, "%s\n", json);
}

static bool run_sql(struct command_line *command, struct rw_database *database, struct buf *out,
                    struct err *err)
{
    struct rw_error error;
    struct printing to = {out, command->value[OPTION_json] != NULL, NULL};
    if (command->words.len)
        return err_set(err, ERR_USAGE, "query: --sql takes no filters");
    const char *sql = command->value[OPTION_sql];
    bool ok = to.json ? rw_query_sql_json(database, sql, print_json, &to, &error)
                      : rw_query_sql(database, sql, print_row, &to, &error);
    return ok || door_failed(&error, err);
}

static void print_value(void *user, const char *text, uint64_t rules)
{
    const struct printing *to = user;
    if (to->json)
        json_line(json_pack("{s:s, s:s, s:I}", "filter", to->filter, "value", text, "rules",
                            (json_int_t)rules),
                  to->out);
    else
        buf_printf(to->out, "%6llu  %s\n", (unsigned long long)rules, text);
}

static bool run_values(struct command_line *command, struct rw_database *database, struct buf *out,
                       struct err *err)
{
    struct rw_error error;
    const char *filter = command->value[OPTION_values];
    struct rw_query_options options = query_options(command);
    struct printing to = {out, command->value[OPTION_json] != NULL, filter};
    return rw_query_values(database, &options, filter, print_value, &to, &error) ||
           door_failed(&error, err);
}

static bool run_filters(struct command_line *command, struct rw_database *database, struct buf *out,
                        struct err *err)
{
    struct rw_error error;
    struct rw_query_options options = query_options(command);
    bool json = command->value[OPTION_json] != NULL;
    struct rw_report *report = rw_query(database, &options, &error);
    if (report == NULL)
        return door_failed(&error, err);
    size_t n = rw_report_count(report);
    if (n == 0)
        query_note_filters(command, database, false);
    if (command->value[OPTION_count] && json)
        json_line(json_pack("{s:I}", "rules", (json_int_t)n), out);
    else if (command->value[OPTION_count])
        buf_printf(out, "%zu\n", n);
    for (size_t i = 0; i < n && !command->value[OPTION_count]; i++) {
        const struct rw_rule *rule = rw_report_rule(report, i);
        if (json)
            put_line(rw_rule_json(rule, false), out);
        else if (command->value[OPTION_used])
            buf_printf(out, "%6lld  %s/%s\n", (long long)rule->uses, rule->family, rule->name);
        else
            print_rule(rule, command->value[OPTION_why] != NULL, out);
    }
    rw_report_free(report);
    return true;
}

static bool answer(struct command_line *command, struct rw_database *database, struct buf *out,
                   struct err *err)
{
    if (command->value[OPTION_sql])
        return run_sql(command, database, out, err);
    if (command->value[OPTION_fires])
        return query_fires(command, database, out, err);
    if (command->value[OPTION_new])
        return query_new(command, database, out, err);
    if (command->value[OPTION_values])
        return run_values(command, database, out, err);
    return run_filters(command, database, out, err);
}

int cmd_query(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct rw_database *database = NULL;
    struct rw_context *context = door_open();
    bool ok = command->value[OPTION_diff]
                  ? query_diff(command, context, &out, &err)
                  : open_database(command, context, RW_READ, &database, &err) &&
                        answer(command, database, &out, &err);
    ok = ok && print_all(&out, &err);
    rw_database_close(database);
    rw_context_free(context);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
