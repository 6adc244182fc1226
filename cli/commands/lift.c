// SPDX-License-Identifier: Apache-2.0
// lift and compare: kernels to formulas.
#include "cli/door.h"
#include "cli/terminal.h"

#include "api/kernel/kernel.h"

#define MAX_KERNEL_BYTES ((size_t)1 << 26)
enum { LIFT_RUNS = 3 };

struct lift_command {
    struct command_line *command;
    struct rw_context *context;
    struct rw_database *database;
    struct rw_rewriter *rewriter;
    struct buf text;
    struct kernel_source source;
    struct kernel_job job;
    bool read;
};

static bool read_source(struct command_line *command, const char *path, struct buf *text,
                        struct kernel_source *out, struct err *err)
{
    double seed = 0;
    if (!option_count(command, OPTION_seed, 0, 1e15, &seed, err) ||
        !file_read_text(path, MAX_KERNEL_BYTES, text, err))
        return false;
    *out = (struct kernel_source){.text = buf_text(text),
                                  .n = text->len,
                                  .file = path,
                                  .kernel = command->value[OPTION_function],
                                  .grid = command->value[OPTION_grid],
                                  .assume = command->value[OPTION_assume],
                                  .seed = (uint64_t)seed,
                                  .runs = LIFT_RUNS};
    return true;
}

// The library gives the names of arguments as files of their errors.
static bool of_option(struct err *err)
{
    if (strcmp(err->file, "grid") == 0)
        err_in(err, "--grid");
    if (strcmp(err->file, "assume") == 0)
        err_in(err, "--assume");
    return false;
}

static bool open_rules(struct lift_command *lift, struct err *err)
{
    bool formulas = false;
    for (uint32_t i = 0; i < lift->job.answer.len; i++)
        formulas = formulas || lift->job.answer.at[i].word != KERNEL_REFUSED;
    if (!formulas || lift->command->value[OPTION_as_written] != NULL)
        return true;
    if (!open_proved_library(lift->command, lift->context, &lift->database, err))
        return false;
    lift->rewriter = rw_rewriter_new(lift->database, NULL, NULL);
    return true;
}

// The formula that is easier to read; NULL: none was looked for, or none was found.
static struct rw_result *simplified(struct lift_command *lift, const struct kernel_answer *answer)
{
    struct rw_simplify_options options = {.size = sizeof options};
    struct rw_error error;
    const char *formula = kernel_formula(&lift->job, answer);
    if (lift->rewriter == NULL || formula == NULL)
        return NULL;
    struct rw_result *result =
        rw_simplify_formula(lift->rewriter, formula, "formula", &options, &error);
    if (result == NULL)
        note("%s: not simplified: %s", kernel_output_name(&lift->job, answer), error.message);
    return result;
}

static void put_word(enum kernel_word word, struct buf *out)
{
    static const enum style styles[] = {[KERNEL_PROVED] = STYLE_YES,
                                        [KERNEL_DERIVED] = STYLE_UNKNOWN,
                                        [KERNEL_REFUSED] = STYLE_UNKNOWN,
                                        [KERNEL_REFUTED] = STYLE_NO};
    put_styled(styles[word], kernel_word_text(word), out);
}

static void put_answer(struct lift_command *lift, const struct kernel_answer *answer,
                       struct buf *out)
{
    struct rw_result *result = simplified(lift, answer);
    const char *formula = kernel_formula(&lift->job, answer);
    if (lift->command->value[OPTION_json] != NULL) {
        kernel_put_json(&lift->job, answer, result ? rw_result_text(result, NULL) : NULL, out);
        buf_putc(out, '\n');
    } else {
        put_word(answer->word, out);
        buf_putc(out, ' ');
        kernel_put_head(&lift->job, answer, out);
        buf_putc(out, '\n');
        if (formula != NULL)
            buf_printf(out, "  %s\n", formula);
        if (result != NULL)
            buf_printf(out, "  = %s\n", rw_result_text(result, NULL));
        kernel_put_rest(&lift->job, answer, out);
    }
    rw_result_free(result);
}

static bool put_answers(struct lift_command *lift, struct buf *out, struct err *err)
{
    const char *name = lift->command->value[OPTION_output];
    bool found = false;
    for (uint32_t i = 0; i < lift->job.answer.len; i++) {
        const struct kernel_answer *answer = &lift->job.answer.at[i];
        if (name != NULL && strcmp(name, kernel_output_name(&lift->job, answer)) != 0)
            continue;
        found = true;
        put_answer(lift, answer, out);
    }
    if (found || name == NULL)
        return true;
    return err_set(err, ERR_USAGE, "--output: the kernel writes no array %s", name);
}

static bool write_kernel_record(struct lift_command *lift, struct err *err)
{
    const char *path = lift->command->value[OPTION_proof];
    struct buf record = {0};
    if (path == NULL)
        return true;
    kernel_record(&lift->job, &lift->source, &record);
    bool ok = file_write(path, buf_text(&record), record.len, err);
    buf_release(&record);
    return ok;
}

static bool lift_kernel(struct lift_command *lift, struct buf *out, struct err *err)
{
    if (!read_source(lift->command, lift->command->words.at[0], &lift->text, &lift->source, err))
        return false;
    lift->read = true;
    if (!kernel_read(&lift->job, &lift->source, err))
        return of_option(err);
    if (lift->command->value[OPTION_program] != NULL) {
        kernel_put_program(&lift->job, out);
        return true;
    }
    return kernel_lift_proposing(&lift->job, &lift->source, err) &&
           write_kernel_record(lift, err) && open_rules(lift, err) && put_answers(lift, out, err);
}

// 0 if everything that was asked for is proved.
static int status_of(const struct lift_command *lift)
{
    const char *name = lift->command->value[OPTION_output];
    bool asked = lift->command->value[OPTION_program] == NULL;
    int status = asked && lift->job.answer.len == 0 ? EXIT_UNKNOWN : EXIT_YES;
    for (uint32_t i = 0; i < lift->job.answer.len; i++) {
        const struct kernel_answer *answer = &lift->job.answer.at[i];
        if (name != NULL && strcmp(name, kernel_output_name(&lift->job, answer)) != 0)
            continue;
        if (answer->word == KERNEL_REFUTED)
            return EXIT_NO;
        if (answer->word != KERNEL_PROVED)
            status = EXIT_UNKNOWN;
    }
    return status;
}

int cmd_lift(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct lift_command lift = {.command = command};
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "lift: expected one kernel");
        return report_error(&err);
    }
    lift.context = door_open();
    bool ok = lift_kernel(&lift, &out, &err) && print_all(&out, &err);
    int status = ok ? status_of(&lift) : report_error(&err);
    rw_rewriter_free(lift.rewriter);
    rw_database_close(lift.database);
    if (lift.read)
        kernel_release(&lift.job);
    rw_context_free(lift.context);
    buf_release(&lift.text);
    buf_release(&out);
    return status;
}
