// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "api/kernel/record.h"
#include "api/rules/json.h"
#include "base/memory/vec.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

struct explain_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_database *database; // NULL: there is none
    struct rw_rules *assumed;
    struct buf text;
    struct rw_check *check;
    bool kernel; // the record is that of a kernel; `page` and `valid` are about it
    bool valid;
    struct buf page;
};

static bool explain_kernel(struct explain_job *job, const struct rw_check_options *options,
                           struct err *err)
{
    struct kernel_record_check check = {.context = job->context, .options = options};
    job->kernel = true;
    return kernel_explain_record(buf_text(&job->text), job->text.len, job->command->words.at[0],
                                 &check, job->command->value[OPTION_html] != NULL, &job->page,
                                 &job->valid, err);
}

static bool check_record(struct explain_job *job, struct err *err)
{
    const char *path = job->command->words.at[0];
    struct rw_check_options options = {.size = sizeof options};
    struct err absent = {0};
    struct rw_error error;
    if (!load_set(job->context, job->command->value[OPTION_assume], &job->assumed, err) ||
        !file_read(path, MAX_RECORD_BYTES, &job->text, err))
        return false;
    if (!open_database(job->command, job->context, RW_READ, &job->database, &absent) &&
        job->command->value[OPTION_db]) {
        *err = absent;
        return false;
    }
    err_name_file(&absent);
    options.database = job->database;
    options.no_database = absent.msg;
    options.assumed = job->assumed;
    if (is_kernel_record(buf_text(&job->text), job->text.len))
        return explain_kernel(job, &options, err);
    job->check =
        rw_check_record(job->context, buf_text(&job->text), job->text.len, path, &options, &error);
    return job->check != NULL || door_failed(&error, err);
}

// The record is read again: a check adds terms to what it reads.  A record that is
// not valid may be one that cannot be read, or whose steps cannot be shown.
static char *explanation(const struct explain_job *job, const char *format, struct err *err)
{
    struct rw_error error;
    const char *title = job->check->formula ? "A simplified formula" : "A simplified program";
    char *text = NULL;
    struct rw_record *record = rw_record_read(job->context, buf_text(&job->text), job->text.len,
                                              job->command->words.at[0], &error);
    if (record != NULL) {
        rw_record_mark(record, job->check);
        text = rw_record_format(record, format, job->database, title, "", &error);
    }
    if (text == NULL)
        door_failed(&error, err);
    rw_record_free(record);
    return text;
}

// Writes the page in place of the text.
static bool write_html(const struct explain_job *job, struct err *err)
{
    char *page = explanation(job, "html", err);
    bool ok = page && file_write(job->command->value[OPTION_html], page, strlen(page), err);
    if (!job->check->valid)
        note("%s is not valid: %s", job->command->words.at[0], job->check->reason);
    rw_free(page);
    return ok;
}

static bool print_text(const struct explain_job *job, struct err *err)
{
    struct buf out = {0};
    char *text = explanation(job, "text", err);
    buf_puts(&out, text ? text : "");
    if (text == NULL && !job->check->valid)
        buf_printf(&out, "not valid: %s\n", job->check->reason);
    bool ok = print_all(&out, err) && text != NULL;
    rw_free(text);
    buf_release(&out);
    return ok;
}

static bool print_json(const struct explain_job *job, struct err *err)
{
    struct buf out = {0};
    char *text = explanation(job, "text", err);
    json_line(json_pack("{s:b, s:s, s:s?}", "valid", job->check->valid, "reason",
                        job->check->reason, "text", text),
              &out);
    bool ok = print_all(&out, err) && text != NULL;
    rw_free(text);
    buf_release(&out);
    return ok;
}

static bool print_kernel(const struct explain_job *job, struct err *err)
{
    const char *path = job->command->value[OPTION_html];
    struct buf out = {0};
    if (path != NULL)
        return file_write(path, buf_text(&job->page), job->page.len, err);
    if (job->command->value[OPTION_json] != NULL)
        json_line(json_pack("{s:b, s:s}", "valid", (int)job->valid, "text", buf_text(&job->page)),
                  &out);
    else
        buf_puts(&out, buf_text(&job->page));
    bool ok = print_all(&out, err);
    buf_release(&out);
    return ok;
}

static bool explain(const struct explain_job *job, struct err *err)
{
    if (job->kernel)
        return print_kernel(job, err);
    if (job->command->value[OPTION_html])
        return write_html(job, err);
    return job->command->value[OPTION_json] ? print_json(job, err) : print_text(job, err);
}

int cmd_explain(struct command_line *command)
{
    struct err err = {0};
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "explain: expected one proof record");
        return report_error(&err);
    }
    struct explain_job job = {.command = command, .context = door_open()};
    int status = EXIT_YES;
    if (!check_record(&job, &err))
        status = report_error(&err);
    else if (!explain(&job, &err))
        status =
            job.kernel || job.check->valid || err.kind == ERR_IO ? report_error(&err) : EXIT_NO;
    else if (!(job.kernel ? job.valid : job.check->valid))
        status = EXIT_NO;
    rw_check_free(job.check);
    rw_rules_free(job.assumed);
    rw_database_close(job.database);
    buf_release(&job.text);
    buf_release(&job.page);
    rw_context_free(job.context);
    return status;
}
