// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/simplify_formula.h"

#include "api/simplify/formula.h"
#include "base/clock.h"
#include "base/memory/vec.h"

struct formula_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_simplify_options options;
    double start;
    struct buf text;
    const char *name; // of the text, in messages
    struct rw_database *database;
    struct rw_rules *only, *assumed;
    struct rw_rewriter *rewriter;
    struct rw_result *result;
};

static bool read_options(struct formula_job *job, struct err *err)
{
    static const char *const notations[] = {"text", "latex", "mathml"};
    struct command_line *command = job->command;
    uint32_t notation = 0;
    if (command->words.len + (command->value[OPTION_formula] != NULL) != 1)
        return err_set(err, ERR_USAGE, "simplify: expected one formula");
    if (!option_choice(command, OPTION_notation, 3, notations, &notation, err) ||
        !limit_count(command, OPTION_nodes, job->context, "nodes", (struct option_range){60, 1e8},
                     err) ||
        !limit_number(command, OPTION_seconds, job->context, "seconds",
                      (struct option_range){0, 1e6}, err) ||
        !limit_count(command, OPTION_iterations, job->context, "rounds",
                     (struct option_range){1, 1e6}, err))
        return false;
    job->options.size = sizeof job->options;
    job->options.notation = (enum rw_notation)notation;
    job->options.given = command->value[OPTION_given];
    job->options.expand = command->value[OPTION_expand] != NULL;
    job->options.keep_constants = command->value[OPTION_keep_constants] != NULL;
    return true;
}

static bool read_text(struct formula_job *job, struct err *err)
{
    const char *text = job->command->value[OPTION_formula];
    job->name = "formula";
    if (text != NULL && strcmp(text, "-") != 0) {
        buf_puts(&job->text, text);
        return true;
    }
    job->name = text ? "-" : job->command->words.at[0];
    return file_read_text(job->name, (size_t)1 << 20, &job->text, err);
}

static bool of_given(struct err *err)
{
    if (strcmp(err->file, "given") == 0) // the option, not a file
        err_in(err, "--given");
    return false;
}

// Before the database, since proving the library takes minutes.
static bool read_files(struct formula_job *job, struct err *err)
{
    return read_text(job, err) &&
           load_set(job->context, job->command->value[OPTION_rules], &job->only, err) &&
           load_set(job->context, job->command->value[OPTION_assume], &job->assumed, err) &&
           (formula_is_written(buf_text(&job->text), job->options.given, job->name, err) ||
            of_given(err));
}

static bool simplify(struct formula_job *job, struct err *err)
{
    struct rw_error error;
    job->rewriter = rw_rewriter_new(job->database, job->only, job->assumed);
    job->result =
        rw_simplify_formula(job->rewriter, buf_text(&job->text), job->name, &job->options, &error);
    if (job->result != NULL)
        return true;
    door_failed(&error, err);
    return of_given(err);
}

static void print_stats(const struct formula_job *job)
{
    const struct rw_summary *summary = rw_result_summary(job->result);
    double all = clock_wall() - job->start;
    tell("cost %g -> %g, %u rule uses, %llu nodes, %u rounds, stopped: %s, "
         "%.1f ms, and %.1f ms to load %u rules, %.1f MB",
         summary->cost_before, summary->cost_after, summary->steps,
         (unsigned long long)summary->nodes, summary->rounds, summary->stop, summary->seconds * 1e3,
         (all - summary->seconds) * 1e3, summary->rules, (double)memory_peak() / 1e6);
}

// -o gets a complete text of the formula language, stdout the lines for people.
static bool write_output(struct formula_job *job, struct err *err)
{
    const char *path = job->command->value[OPTION_output];
    struct buf out = {0};
    bool ok = true;
    if (rw_result_summary(job->result)->no_value)
        note("the formula has no value: its conditions contradict each other "
             "or the given ones");
    if (path != NULL) {
        struct buf file = {0};
        buf_puts(&file, rw_result_text(job->result, NULL));
        buf_puts(&file, "\n");
        ok = file_write(path, buf_text(&file), file.len, err);
        buf_release(&file);
    }
    if (job->command->value[OPTION_json]) {
        put_line(rw_result_json(job->result), &out);
    } else if (path == NULL) {
        char *text = rw_result_describe(job->result);
        buf_puts(&out, text);
        rw_free(text);
    }
    ok = ok && print_all(&out, err);
    buf_release(&out);
    if (ok && job->command->value[OPTION_stats])
        print_stats(job);
    return ok;
}

int formula_simplify(struct command_line *command)
{
    struct err err = {0};
    struct formula_job job = {.command = command, .context = door_open(), .start = clock_wall()};
    bool ok = read_options(&job, &err) && read_files(&job, &err) &&
              open_proved_library(command, job.context, &job.database, &err) &&
              simplify(&job, &err) && write_record(command, job.result, job.database, &err) &&
              write_page(command, job.context, job.result, job.database, &err) &&
              write_output(&job, &err);
    int status = !ok                                       ? report_error(&err)
                 : rw_result_summary(job.result)->complete ? EXIT_YES
                                                           : EXIT_UNKNOWN;
    rw_result_free(job.result);
    rw_rewriter_free(job.rewriter);
    rw_rules_free(job.only);
    rw_rules_free(job.assumed);
    rw_database_close(job.database);
    buf_release(&job.text);
    rw_context_free(job.context);
    return status;
}
