// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "cli/terminal.h"

#include "api/kernel/record.h"
#include "api/rules/json.h"
#include "base/memory/vec.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)
#define MAX_TEXT_BYTES ((size_t)1 << 30)

struct job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_database *database;
    struct rw_rules *assumed;
    struct rw_prove_options prove;
    struct rw_check_options options;
    struct rw_expected input, output;
    struct buf record, input_text, output_text;
    struct err absent; // why there is no database
};

static bool prepare(struct job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct rw_check_options *options = &job->options;
    const struct rw_expected *input = options->input, *output = options->output;
    if (!load_set(job->context, command->value[OPTION_assume], &job->assumed, err) ||
        !proving_options(command, job->context, &job->prove, err))
        return false;
    *options = (struct rw_check_options){.size = sizeof *options,
                                         .input = input,
                                         .output = output,
                                         .assumed = job->assumed,
                                         .reprove = command->value[OPTION_reprove] != NULL,
                                         .prove = &job->prove};
    if (open_database(command, job->context, RW_READ, &job->database, &job->absent)) {
        options->database = job->database;
        return true;
    }
    // A database that the user named must exist, unless no verdicts are read.
    if (command->value[OPTION_db] && !options->reprove) {
        *err = job->absent;
        return false;
    }
    err_name_file(&job->absent);
    options->no_database = job->absent.msg;
    return true;
}

// The expected text of the record, if a file is given.
static bool read_expected(const char *path, struct buf *text, struct rw_expected *out,
                          const struct rw_expected **to, struct err *err)
{
    if (path == NULL)
        return true;
    if (!file_read(path, MAX_TEXT_BYTES, text, err))
        return false;
    *out = (struct rw_expected){buf_text(text), path, text->len};
    *to = out;
    return true;
}

static bool read_texts(struct job *job, struct err *err)
{
    struct command_line *command = job->command;
    return file_read(command->words.at[0], MAX_RECORD_BYTES, &job->record, err) &&
           read_expected(command->value[OPTION_input], &job->input_text, &job->input,
                         &job->options.input, err) &&
           read_expected(command->value[OPTION_program], &job->output_text, &job->output,
                         &job->options.output, err);
}

static void print_functions(const struct rw_check *check, struct buf *out)
{
    static const char *const why[] = {
        [RW_OTHER] = "the database defines it otherwise",
        [RW_NONE] = "the database does not define it",
        [RW_NOT_KNOWN] = "there is no database to compare with",
    };
    for (size_t i = 0; i < check->n_functions; i++)
        if (check->functions[i].database != RW_SAME)
            buf_printf(out, "%s is as the record defines it: %s\n", check->functions[i].name,
                       why[check->functions[i].database]);
}

static void print_renamed(const struct rw_check *check, struct buf *out)
{
    for (size_t i = 0; i < check->n_renamed; i++)
        buf_printf(out, "rule %.12s is called %s by the record alone: the database calls it %s\n",
                   check->renamed[i].hash, check->renamed[i].record, check->renamed[i].database);
}

static const char *remedy_text(const char *remedy)
{
    return strcmp(remedy, "reprove") == 0   ? " (--reprove proves it again)"
           : strcmp(remedy, "assumed") == 0 ? " (--assume FILE accepts the rules of a file)"
                                            : "";
}

// What a valid record says of floats.
static const char *sense_of(const char *domain)
{
    return strcmp(domain, "real") == 0         ? "over the reals"
           : strcmp(domain, "float-sums") == 0 ? "for floats, if a sum depends on its terms alone"
                                               : "for floats";
}

static void report(const struct job *job, const struct rw_check *check, struct buf *out)
{
    if (job->command->value[OPTION_json]) {
        put_line(rw_check_json(check), out);
    } else if (check->valid) {
        put_styled(STYLE_YES, "valid", out);
        buf_printf(out, " %s: %u lines, %u uses of %u rules\n", sense_of(check->domain),
                   check->lines, check->rule_uses, check->rules);
        print_functions(check, out);
    } else {
        put_styled(STYLE_NO, "rejected", out);
        buf_printf(out, ": %s%s\n", check->reason, remedy_text(check->remedy));
    }
    if (!job->command->value[OPTION_json])
        print_renamed(check, out);
}

// Of the record of a lifted kernel, rules are for the records of formulas inside.
static int check_kernel(struct job *job)
{
    struct err err = {0};
    struct buf lines = {0}, out = {0};
    struct kernel_record_check check = {job->options.input ? job->options.input->text : NULL,
                                        job->context, &job->options};
    job->options.input = job->options.output = NULL;
    bool valid, ok = prepare(job, &err) &&
                     kernel_check_record(buf_text(&job->record), job->record.len,
                                         job->command->words.at[0], &check, &lines, &valid, &err);
    if (ok && job->command->value[OPTION_json] != NULL) {
        json_line(json_pack("{s:b, s:s}", "valid", (int)valid, "text", buf_text(&lines)), &out);
    } else if (ok) {
        put_styled(valid ? STYLE_YES : STYLE_NO, valid ? "valid" : "rejected", &out);
        buf_printf(&out, "\n%s", buf_text(&lines));
    }
    ok = ok && print_all(&out, &err);
    buf_release(&lines);
    buf_release(&out);
    return !ok ? report_error(&err) : valid ? EXIT_YES : EXIT_NO;
}

static int check(struct job *job)
{
    struct err err = {0};
    struct rw_error error;
    struct buf out = {0};
    if (!read_texts(job, &err))
        return report_error(&err);
    if (is_kernel_record(buf_text(&job->record), job->record.len))
        return check_kernel(job);
    if (!prepare(job, &err))
        return report_error(&err);
    struct rw_check *answer = rw_check_record(job->context, buf_text(&job->record), job->record.len,
                                              job->command->words.at[0], &job->options, &error);
    if (answer == NULL)
        return report_library_error(&error);
    int status = answer->valid ? EXIT_YES : EXIT_NO;
    report(job, answer, &out);
    if (!print_all(&out, &err))
        status = report_error(&err);
    rw_check_free(answer);
    buf_release(&out);
    return status;
}

int cmd_check(struct command_line *command)
{
    struct err err = {0};
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "check: expected one proof record");
        return report_error(&err);
    }
    struct job job = {.command = command, .context = door_open()};
    int status = check(&job);
    rw_rules_free(job.assumed);
    rw_database_close(job.database);
    rw_context_free(job.context);
    buf_release(&job.record);
    buf_release(&job.input_text);
    buf_release(&job.output_text);
    return status;
}
