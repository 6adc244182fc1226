// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "api/evaluate/formula_program.h"

enum { MAX_FORMULA_BYTES = 1 << 20, MAX_PROGRAM_BYTES = 1 << 30 };

struct eval_job {
    struct command_line *command;
    struct rw_context *context;
    struct rw_evaluate_options options;
    struct rw_rules *definitions;
    struct buf program, other;
    char *module; // the arguments of a difference, as a program
    char *remark;
};

static bool read_options(struct eval_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct rw_evaluate_options *options = &job->options;
    double seed = 0, runs = 0;
    if (command->words.len != 1)
        return err_set(err, ERR_USAGE, "eval: expected one program");
    if (!option_count(command, OPTION_seed, 0, 1e15, &seed, err) ||
        !option_number(command, OPTION_tolerance, 0, 1, &options->tolerance, err) ||
        !option_count(command, OPTION_runs, 1, 1e6, &runs, err))
        return false;
    options->size = sizeof *options;
    options->function = command->value[OPTION_function];
    options->sizes = command->value[OPTION_sizes];
    options->seed = (uint64_t)seed;
    options->runs = (uint32_t)runs;
    options->remark = &job->remark;
    options->json = command->value[OPTION_json] != NULL;
    options->module = command->value[OPTION_output] != NULL ? &job->module : NULL;
    return true;
}

static bool read_text(const char *path, struct buf *text, bool *formula, struct err *err)
{
    *formula = is_formula_file(path);
    return *formula ? file_read_text(path, MAX_FORMULA_BYTES, text, err)
                    : file_read(path, MAX_PROGRAM_BYTES, text, err);
}

static bool load(struct eval_job *job, struct err *err)
{
    struct command_line *command = job->command;
    struct rw_evaluate_options *options = &job->options;
    struct buf library = {0};
    const char *rules = command->value[OPTION_rules], *other = command->value[OPTION_compare];
    bool ok = read_text(command->words.at[0], &job->program, &options->formula, err) &&
              (!other || read_text(other, &job->other, &options->other_formula, err));
    bool formula = options->formula || options->other_formula;
    if (ok && formula && rules == NULL && library_path(&library))
        rules = buf_text(&library);
    ok = ok && (!formula || load_set(job->context, rules, &job->definitions, err));
    options->definitions = job->definitions;
    buf_release(&library);
    return ok;
}

static struct rw_expected text_of(const struct buf *text, const char *path)
{
    return (struct rw_expected){buf_text(text), strcmp(path, "-") == 0 ? "<stdin>" : path,
                                text->len};
}

static bool evaluate(struct eval_job *job, enum rw_decision *same, struct err *err)
{
    struct rw_error error;
    struct buf out = {0};
    char *text = NULL;
    const char *other = job->command->value[OPTION_compare];
    struct rw_expected program = text_of(&job->program, job->command->words.at[0]);
    bool ok;
    if (other != NULL) {
        struct rw_expected second = text_of(&job->other, other);
        ok = rw_evaluate_both(job->context, &program, &second, &job->options, same, &text, &error);
    } else {
        text = rw_evaluate(job->context, &program, &job->options, &error);
        ok = text != NULL;
    }
    buf_puts(&out, ok ? text : "");
    ok = ok || door_failed(&error, err);
    if (ok && job->module != NULL && *job->module)
        ok = file_write(job->command->value[OPTION_output], job->module, strlen(job->module), err);
    ok = ok && print_all(&out, err);
    if (job->remark != NULL)
        note("%s: %s", job->command->words.at[0], job->remark);
    rw_free(text);
    buf_release(&out);
    return ok;
}

int cmd_eval(struct command_line *command)
{
    static const int status[] = {
        [RW_PROVED] = EXIT_YES, [RW_REFUTED] = EXIT_NO, [RW_UNKNOWN] = EXIT_UNKNOWN};
    struct err err = {0};
    struct eval_job job = {.command = command, .context = door_open()};
    enum rw_decision same = RW_PROVED;
    bool ok = read_options(&job, &err) && load(&job, &err) && evaluate(&job, &same, &err);
    rw_rules_free(job.definitions);
    rw_context_free(job.context);
    buf_release(&job.program);
    buf_release(&job.other);
    rw_free(job.module);
    rw_free(job.remark);
    return ok ? status[same] : report_error(&err);
}
