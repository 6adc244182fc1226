// SPDX-License-Identifier: Apache-2.0
// lift and compare: kernels to formulas.
#include "cli/door.h"
#include "cli/terminal.h"

#include "api/database/database.h"
#include "api/kernel/record.h"
#include "api/rules/json.h"

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
    struct kernel_expected expected;
    struct buf expectation; // the text; empty: none
    struct buf steps;       // parts of the record: how formulas were simplified
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

// Keeps the record of a simplification for the record of the kernel.
static bool keep_record(struct lift_command *lift, struct rw_result *result, struct err *err)
{
    struct rw_error error;
    size_t n = 0;
    if (result == NULL ||
        (lift->command->value[OPTION_proof] == NULL && lift->command->value[OPTION_html] == NULL))
        return true;
    const char *record = rw_result_record(result, &n, &error);
    if (record == NULL)
        return err_set(err, ERR_LIMIT, "%s", error.message);
    kernel_record_simplify(record, n, &lift->steps);
    return true;
}

static bool put_answer(struct lift_command *lift, const struct kernel_answer *answer,
                       struct buf *out, struct err *err)
{
    struct rw_result *result = simplified(lift, answer);
    bool kept = keep_record(lift, result, err);
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
            kernel_put_simplified(rw_result_text(result, NULL), out);
        kernel_put_rest(&lift->job, answer, out);
    }
    rw_result_free(result);
    return kept;
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
        if (!put_answer(lift, answer, out, err))
            return false;
    }
    if (found || name == NULL)
        return true;
    return err_set(err, ERR_USAGE, "--output: the kernel writes no array %s", name);
}

static bool put_expectations(struct lift_command *lift, struct buf *out)
{
    for (uint32_t i = 0; i < lift->job.answer.len; i++)
        if (lift->job.answer.at[i].word != KERNEL_REFUSED)
            kernel_put_expectation(&lift->job, &lift->job.answer.at[i], out);
    return true;
}

// @FILE is the text of the file.
static bool read_expectation(struct lift_command *lift, struct err *err)
{
    const char *text = lift->command->value[OPTION_expect];
    if (strcmp(text, "@") == 0)
        return option_refuse(OPTION_expect, "@: expected a file, found nothing", err);
    if (text[0] == '@')
        return file_read_text(text + 1, MAX_KERNEL_BYTES, &lift->expectation, err);
    buf_puts(&lift->expectation, text);
    return true;
}

// Named functions are written out by the definitions of the library.
static bool write_out_names(struct lift_command *lift, struct err *err)
{
    const char *array = lift->command->value[OPTION_output];
    struct buf text = {0};
    bool named, ok = kernel_write_out(&lift->job, buf_text(&lift->expectation), array, NULL, &named,
                                      &text, err);
    if (ok && named) {
        buf_clear(&text);
        ok = (lift->database != NULL ||
              open_proved_library(lift->command, lift->context, &lift->database, err)) &&
             kernel_write_out(&lift->job, buf_text(&lift->expectation), array, lift->database->db,
                              &named, &text, err);
    }
    buf_release(&lift->expectation);
    lift->expectation = text;
    return ok;
}

static bool compare_expected(struct lift_command *lift, struct buf *out, struct err *err)
{
    const char *path = lift->command->value[OPTION_expect];
    if (path == NULL)
        return true;
    if (!read_expectation(lift, err))
        return false;
    if (!write_out_names(lift, err) ||
        !kernel_expect(&lift->job, &lift->source, buf_text(&lift->expectation),
                       lift->command->value[OPTION_output], &lift->expected, err)) {
        if (strcmp(err->file, "expect") == 0)
            err_in(err, path[0] == '@' ? path + 1 : "--expect");
        return false;
    }
    if (lift->command->value[OPTION_json] != NULL)
        put_line(kernel_expected_json(&lift->job, &lift->expected), out);
    else
        kernel_put_expected(&lift->job, &lift->expected, out);
    return true;
}

// The page is that of the record, so it says only what the check says.
static bool write_page(struct lift_command *lift, const struct buf *record, struct err *err)
{
    const char *path = lift->command->value[OPTION_html];
    struct rw_check_options options = {.size = sizeof options, .database = lift->database};
    struct kernel_record_check check = {.context = lift->context, .options = &options};
    struct buf page = {0};
    bool valid, ok = kernel_explain_record(buf_text(record), record->len, "record", &check, true,
                                           &page, &valid, err) &&
                     file_write(path, buf_text(&page), page.len, err);
    buf_release(&page);
    return ok;
}

static bool write_kernel_record(struct lift_command *lift, struct err *err)
{
    const char *path = lift->command->value[OPTION_proof];
    struct buf record = {0};
    bool page = lift->command->value[OPTION_html] != NULL;
    if (path == NULL && !page)
        return true;
    kernel_record(&lift->job, &lift->source, &record);
    if (lift->expected.word == EXPECTED_PROVED && lift->expectation.len > 0)
        kernel_record_expect(buf_text(&lift->expectation), lift->command->value[OPTION_output],
                             &record);
    buf_write(&record, buf_text(&lift->steps), lift->steps.len);
    bool ok = path == NULL || file_write(path, buf_text(&record), record.len, err);
    // Without a formula there is nothing to show.
    if (ok && page && lift->job.claim.outputs.len > 0)
        ok = write_page(lift, &record, err);
    else if (ok && page)
        ok = err_set(err, ERR_LIMIT, "--html: no output of the kernel has a formula");
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
    if (!kernel_lift_proposing(&lift->job, &lift->source, err))
        return false;
    if (lift->command->value[OPTION_expectation] != NULL)
        return put_expectations(lift, out);
    return open_rules(lift, err) && put_answers(lift, out, err) &&
           compare_expected(lift, out, err) && write_kernel_record(lift, err);
}

// 0 if everything that was asked for is proved.
static int status_of(const struct lift_command *lift)
{
    if (lift->command->value[OPTION_expect] != NULL)
        return lift->expected.word == EXPECTED_PROVED    ? EXIT_YES
               : lift->expected.word == EXPECTED_REFUTED ? EXIT_NO
                                                         : EXIT_UNKNOWN;
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
    kernel_expected_release(&lift.expected);
    buf_release(&lift.expectation);
    buf_release(&lift.steps);
    if (lift.read)
        kernel_release(&lift.job);
    rw_context_free(lift.context);
    buf_release(&lift.text);
    buf_release(&out);
    return status;
}
