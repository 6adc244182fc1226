// SPDX-License-Identifier: Apache-2.0
// include/rankwright/kernels.h.
#include "api/database/database.h"
#include "api/kernel/record.h"
#include "base/memory/vec.h"

enum { DOOR_RUNS = 3 };

struct rw_lifted {
    struct kernel_job job;
    struct kernel_expected expected;
    VEC(struct rw_kernel_output) output;
    struct buf lines, record;
    struct arena mem;
};

static bool source_of(const char *text, size_t size, const char *file,
                      const struct rw_kernel_options *options, struct kernel_source *out,
                      struct rw_kernel_options *own, struct err *err)
{
    if (!options_copy(options, own, sizeof *own, err))
        return false;
    *out = (struct kernel_source){.text = text,
                                  .n = size,
                                  .file = file,
                                  .kernel = own->function,
                                  .grid = own->grid,
                                  .assume = own->assume,
                                  .seed = own->seed,
                                  .runs = own->runs ? own->runs : DOOR_RUNS};
    return true;
}

static void add_output(struct rw_lifted *lifted, const struct kernel_answer *answer)
{
    static const enum rw_lift_word words[] = {[KERNEL_PROVED] = RW_LIFT_PROVED,
                                              [KERNEL_DERIVED] = RW_LIFT_DERIVED,
                                              [KERNEL_REFUSED] = RW_LIFT_REFUSED,
                                              [KERNEL_REFUTED] = RW_LIFT_REFUTED};
    struct buf json = {0};
    kernel_put_json(&lifted->job, answer, NULL, &json);
    struct rw_kernel_output made = {.array = kernel_output_name(&lifted->job, answer),
                                    .word = words[answer->word],
                                    .formula = kernel_formula(&lifted->job, answer),
                                    .json = arena_strdup(&lifted->mem, buf_text(&json))};
    vec_push(&lifted->output, made);
    buf_release(&json);
}

static bool expect(struct rw_lifted *lifted, const struct kernel_source *source,
                   const struct rw_kernel_options *options, struct err *err)
{
    struct buf text = {0};
    bool named;
    struct db *db = options->database != NULL ? options->database->db : NULL;
    bool ok =
        kernel_write_out(&lifted->job, options->expect, options->output, db, &named, &text, err) &&
        kernel_expect(&lifted->job, source, buf_text(&text), options->output, &lifted->expected,
                      err);
    if (ok)
        kernel_put_expected(&lifted->job, &lifted->expected, &lifted->lines);
    if (ok && lifted->expected.word == EXPECTED_PROVED)
        kernel_record_expect(buf_text(&text), options->output, &lifted->record);
    buf_release(&text);
    return ok;
}

static bool lift(struct rw_lifted *lifted, const struct kernel_source *source,
                 const struct rw_kernel_options *options, struct err *err)
{
    if (!kernel_read(&lifted->job, source, err) ||
        !kernel_lift_proposing(&lifted->job, source, err))
        return false;
    for (uint32_t i = 0; i < lifted->job.answer.len; i++)
        add_output(lifted, &lifted->job.answer.at[i]);
    kernel_record(&lifted->job, source, &lifted->record);
    return options->expect == NULL || expect(lifted, source, options, err);
}

struct rw_lifted *rw_lift(struct rw_context *context, const char *text, size_t size,
                          const char *file, const struct rw_kernel_options *options,
                          struct rw_error *error)
{
    struct err err = {0};
    struct kernel_source source;
    struct rw_kernel_options own;
    struct rw_lifted *lifted = mem_alloc(sizeof *lifted);
    (void)context;
    lifted->expected.word = EXPECTED_UNKNOWN;
    if (source_of(text, size, file, options, &source, &own, &err) &&
        lift(lifted, &source, &own, &err))
        return lifted;
    rw_lifted_free(lifted);
    error_give(&err, error);
    return NULL;
}

void rw_lifted_free(struct rw_lifted *lifted)
{
    if (lifted == NULL)
        return;
    kernel_expected_release(&lifted->expected);
    kernel_release(&lifted->job);
    vec_release(&lifted->output);
    buf_release(&lifted->lines);
    buf_release(&lifted->record);
    arena_release(&lifted->mem);
    mem_free(lifted);
}

size_t rw_lifted_count(const struct rw_lifted *lifted)
{
    return lifted->output.len;
}

const struct rw_kernel_output *rw_lifted_output(const struct rw_lifted *lifted, size_t index)
{
    return &lifted->output.at[index];
}

enum rw_decision rw_lifted_expected(const struct rw_lifted *lifted, const char **text)
{
    if (text != NULL)
        *text = lifted->lines.len > 0 ? lifted->lines.at : "";
    return lifted->expected.word == EXPECTED_PROVED    ? RW_PROVED
           : lifted->expected.word == EXPECTED_REFUTED ? RW_REFUTED
                                                       : RW_UNKNOWN;
}

char *rw_lifted_record(const struct rw_lifted *lifted)
{
    return text_copy(lifted->record.at);
}

// The lines go to the caller, or nowhere.
static bool answer(bool ok, struct buf *lines, char **text, const struct err *err,
                   struct rw_error *error)
{
    if (ok && text != NULL)
        *text = text_give(lines);
    else
        buf_release(lines);
    if (!ok)
        error_give(err, error);
    return ok;
}

bool rw_compare_kernels(struct rw_context *context, const struct rw_expected *first,
                        const struct rw_expected *second, const struct rw_kernel_options *options,
                        enum rw_decision *same, char **text, struct rw_error *error)
{
    static const enum rw_decision decisions[] = {[KERNELS_SAME] = RW_PROVED,
                                                 [KERNELS_DIFFERENT] = RW_REFUTED,
                                                 [KERNELS_UNKNOWN] = RW_UNKNOWN};
    struct err err = {0};
    struct buf lines = {0};
    struct kernel_source a, b;
    struct rw_kernel_options own;
    enum kernel_comparison comparison = KERNELS_UNKNOWN;
    (void)context;
    bool ok = source_of(first->text, first->size, first->file, options, &a, &own, &err) &&
              source_of(second->text, second->size, second->file, options, &b, &own, &err) &&
              kernels_compare(&a, &b, &comparison, &lines, &err);
    *same = decisions[comparison];
    return answer(ok, &lines, text, &err, error);
}

bool rw_check_kernel(struct rw_context *context, const char *text, size_t size, const char *file,
                     const struct rw_check_options *options, bool *valid, char **text_of,
                     struct rw_error *error)
{
    struct err err = {0};
    struct buf lines = {0};
    struct rw_check_options own;
    struct kernel_record_check check = {.context = context, .options = &own};
    *valid = false;
    bool ok = options_copy(options, &own, sizeof own, &err);
    if (ok && own.input != NULL) {
        check.kernel = own.input->text;
        own.input = NULL;
    }
    ok = ok && kernel_check_record(text, size, file, &check, &lines, valid, &err);
    return answer(ok, &lines, text_of, &err, error);
}
