// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "cli/verdict_text.h"

// "key=value" with this key: the value, else NULL.
static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

// The verdicts whose counterexamples are printed.
struct refuted {
    bool asked;
    const char *domain; // NULL: any
};

static struct refuted asked_refuted(const struct command_line *command)
{
    struct refuted asked = {false, NULL};
    for (uint32_t i = 0; i < command->words.len; i++) {
        const char *verdict = value_of(command->words.at[i], "verdict");
        const char *domain = value_of(command->words.at[i], "domain");
        if (verdict)
            asked.asked = strcmp(verdict, "refuted") == 0;
        if (domain)
            asked.domain = domain;
    }
    if (command->value[OPTION_domain])
        asked.domain = command->value[OPTION_domain];
    return asked;
}

static void print_rule(const struct refuted *asked, const struct rw_rule *rule, struct buf *out)
{
    buf_printf(out, "%.12s %s/%s: ", rule->hash, rule->family, rule->name);
    verdict_words(rule, out);
    if (strcmp(rule->layer, "library") == 0)
        buf_puts(out, "; library");
    if (!rule->current)
        buf_puts(out, "; superseded");
    for (size_t i = 0; i < rule->n_preconditions; i++)
        buf_printf(out, "%s%s", i ? ", " : "; where ", rule->preconditions[i]);
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        const char *domain = rw_domain_name(verdict->domain);
        if (verdict->counterexample && asked->asked &&
            (!asked->domain || strcmp(asked->domain, domain) == 0))
            buf_printf(out, "; %s: %s", domain, verdict->counterexample_text);
    }
    buf_putc(out, '\n');
}

static void print_row(void *user, int n, const char *const *names, const char *const *texts)
{
    struct buf *out = ((void **)user)[0];
    bool json = ((void **)user)[1] != NULL;
    if (json) {
        put_line(rw_row_json(n, names, texts), out);
        return;
    }
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "\t" : "", texts[i] ? texts[i] : "");
    buf_putc(out, '\n');
}

static bool run_sql(struct command_line *command, struct rw_database *database, struct buf *out,
                    struct err *err)
{
    struct rw_error error;
    void *user[2] = {out, command->value[OPTION_json] ? out : NULL};
    if (command->words.len)
        return err_set(err, ERR_USAGE, "query: --sql takes no filters");
    return rw_query_sql(database, command->value[OPTION_sql], print_row, user, &error) ||
           door_failed(&error, err);
}

static bool run_filters(struct command_line *command, struct rw_database *database, struct buf *out,
                        struct err *err)
{
    struct rw_error error;
    struct rw_query_options options = {.size = sizeof options,
                                       .filters = command->words.at,
                                       .n_filters = command->words.len,
                                       .domain = command->value[OPTION_domain]};
    struct refuted asked = asked_refuted(command);
    struct rw_report *report = rw_query(database, &options, &error);
    if (report == NULL)
        return door_failed(&error, err);
    for (size_t i = 0; i < rw_report_count(report); i++) {
        const struct rw_rule *rule = rw_report_rule(report, i);
        if (command->value[OPTION_json])
            put_line(rw_rule_json(rule, false), out);
        else
            print_rule(&asked, rule, out);
    }
    rw_report_free(report);
    return true;
}

int cmd_query(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct rw_database *database = NULL;
    struct rw_context *context = door_open();
    bool ok = open_database(command, context, RW_READ, &database, &err) &&
              (command->value[OPTION_sql] ? run_sql(command, database, &out, &err)
                                          : run_filters(command, database, &out, &err)) &&
              print_all(&out, &err);
    rw_database_close(database);
    rw_context_free(context);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
