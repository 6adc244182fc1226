// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "base/memory/vec.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

static bool read_record(const char *path, struct rw_context *context, struct rw_record **out,
                        struct err *err)
{
    struct buf text = {0};
    struct rw_error error;
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, err);
    if (ok) {
        *out = rw_record_read(context, buf_text(&text), text.len, path, &error);
        ok = *out != NULL || door_failed(&error, err);
    }
    buf_release(&text);
    return ok;
}

// Writes the page in place of the text.
static bool write_html(const struct command_line *command, struct rw_context *context,
                       const struct rw_record *record, struct err *err)
{
    struct rw_database *database = NULL;
    struct rw_error error;
    const char *title =
        rw_record_is_formula(record) ? "A simplified formula" : "A simplified program";
    bool ok = open_database(command, context, RW_READ, &database, err);
    if (ok) {
        char *page = rw_record_html(record, database, title, "", &error);
        ok = page ? file_write(command->value[OPTION_html], page, strlen(page), err)
                  : door_failed(&error, err);
        rw_free(page);
    }
    rw_database_close(database);
    return ok;
}

static bool print_text(const struct rw_record *record, struct err *err)
{
    struct buf out = {0};
    struct rw_error error;
    char *text = rw_record_explain(record, &error);
    if (text == NULL)
        return door_failed(&error, err);
    buf_puts(&out, text);
    bool ok = print_all(&out, err);
    rw_free(text);
    buf_release(&out);
    return ok;
}

int cmd_explain(struct command_line *command)
{
    struct err err = {0};
    struct rw_record *record = NULL;
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "explain: expected one proof record");
        return report_error(&err);
    }
    struct rw_context *context = door_open();
    bool ok = read_record(command->words.at[0], context, &record, &err) &&
              (command->value[OPTION_html] ? write_html(command, context, record, &err)
                                           : print_text(record, &err));
    rw_record_free(record);
    rw_context_free(context);
    return ok ? EXIT_YES : report_error(&err);
}
