// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "api/evaluate/evaluate.h"

static bool evaluate(struct command_line *command, struct rw_context *context, struct buf *out,
                     enum compared *comparison, struct err *err)
{
    struct buf library = {0}, module = {0};
    struct given_sizes sizes;
    double seed = 0, tolerance = 0, runs = 0;
    const char *function = command->value[OPTION_function];
    struct evaluation eval = {.setting = {context, command->value[OPTION_rules], &sizes},
                              .path = command->words.at[0],
                              .other = command->value[OPTION_compare],
                              .function = function ? function : "main"};
    if (eval.setting.rules == NULL && library_path(&library))
        eval.setting.rules = buf_text(&library);
    bool ok = given_sizes_read(&sizes, command->value[OPTION_sizes], err) &&
              option_count(command, OPTION_seed, 0, 1e15, &seed, err) &&
              option_number(command, OPTION_tolerance, 0, 1, &tolerance, err) &&
              option_count(command, OPTION_runs, 1, 1e6, &runs, err);
    eval.seed = (uint64_t)seed;
    eval.tolerance = tolerance;
    eval.runs = (uint32_t)runs;
    eval.json = command->value[OPTION_json] != NULL;
    eval.module = command->value[OPTION_output] != NULL ? &module : NULL;
    ok = ok && evaluate_program(&eval, out, comparison, err) &&
         (module.len == 0 ||
          file_write(command->value[OPTION_output], buf_text(&module), module.len, err));
    given_sizes_release(&sizes);
    buf_release(&library);
    buf_release(&module);
    return ok;
}

int cmd_eval(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    enum compared comparison = COMPARED_SAME;
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "eval: expected one program");
        return report_error(&err);
    }
    struct rw_context *context = door_open();
    bool ok = evaluate(command, context, &out, &comparison, &err) && print_all(&out, &err);
    rw_context_free(context);
    buf_release(&out);
    static const int status[] = {[COMPARED_SAME] = EXIT_YES,
                                 [COMPARED_DIFFERENT] = EXIT_NO,
                                 [COMPARED_UNKNOWN] = EXIT_UNKNOWN};
    return ok ? status[comparison] : report_error(&err);
}
