// SPDX-License-Identifier: Apache-2.0
// Rules as text for other programs.
#include "cli/query/query.h"

static bool read_options(const struct command_line *command, struct rw_export_options *out,
                         struct err *err)
{
    double rank = 1;
    const char *domain = command->value[OPTION_domain];
    *out = (struct rw_export_options){.size = sizeof *out,
                                      .format = command->value[OPTION_format],
                                      .real = domain && strcmp(domain, "real") == 0};
    if (domain && !out->real && strcmp(domain, "float") != 0)
        return option_refuse(OPTION_domain, "is real or float", err);
    if (!option_count(command, OPTION_rank, 0, 8, &rank, err))
        return false;
    out->rank = (uint32_t)rank;
    return true;
}

static bool write_text(const struct command_line *command, const char *text, struct err *err)
{
    const char *path = command->value[OPTION_output];
    struct buf out = {0};
    if (path)
        return file_write(path, text, strlen(text), err);
    buf_puts(&out, text);
    bool ok = print_all(&out, err);
    buf_release(&out);
    return ok;
}

int cmd_export(struct command_line *command)
{
    struct err err = {0};
    struct rw_error error;
    struct rw_export_options options;
    struct rw_database *database = NULL;
    struct rw_context *context = door_open();
    struct rw_query_options rules = query_options(command);
    size_t left_out = 0;
    rules.domain = NULL;
    char *text = NULL;
    bool ok = read_options(command, &options, &err) &&
              open_database(command, context, RW_READ, &database, &err);
    if (ok) {
        text = rw_export(database, &rules, &options, &left_out, &error);
        ok = (text != NULL || door_failed(&error, &err)) && write_text(command, text, &err);
    }
    if (ok)
        query_note_filters(command, database, true);
    if (ok && left_out > 0)
        note("%zu rules are left out: the format has no text for them", left_out);
    rw_free(text);
    rw_database_close(database);
    rw_context_free(context);
    return !ok ? report_error(&err) : left_out > 0 ? EXIT_UNKNOWN : EXIT_YES;
}
