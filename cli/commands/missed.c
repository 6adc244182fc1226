// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/missed.h"

#include "api/rules/json.h"
#include "cli/query/query.h"

static void put_object(const struct rw_missed_shape *shape, struct buf *out)
{
    json_t *nearest = json_null();
    if (shape->rule != NULL)
        nearest = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "rule", shape->rule->name, "hash",
                            shape->rule->hash, "family", shape->rule->family, "kind", shape->kind,
                            "condition", shape->condition, "found", shape->found);
    json_line(json_pack("{s:s, s:i, s:I, s:I, s:s, s:o}", "missed", shape->shape, "operators",
                        (int)shape->operators, "count", (json_int_t)shape->count, "moved",
                        (json_int_t)shape->moved, "place", shape->place, "nearest", nearest),
              out);
}

static void put_shape(const struct rw_missed_shape *shape, struct buf *out)
{
    buf_printf(out, "  %5llu  %s", (unsigned long long)shape->count, shape->shape);
    if (shape->moved > 0)
        buf_printf(out, ", %llu only moved", (unsigned long long)shape->moved);
    buf_puts(out, ": ");
    if (shape->rule == NULL) {
        buf_puts(out, "no rule has all its operators here");
    } else {
        buf_printf(out, "%s/%s: %s: %s", shape->rule->family, shape->rule->name, shape->kind,
                   shape->condition);
        if (shape->found[0])
            buf_printf(out, "; found %s", shape->found);
    }
    buf_printf(out, "; at %s\n", shape->place);
}

static void put_shapes(const struct missed_question *question, const struct rw_missed *missed,
                       struct buf *out)
{
    bool json = question->command->value[OPTION_json] != NULL;
    size_t n = rw_missed_count(missed);
    if (!json)
        buf_puts(out, "no rule makes these fewer\n");
    for (size_t i = 0; i < n && i < question->limit; i++)
        if (json)
            put_object(rw_missed_at(missed, i), out);
        else
            put_shape(rw_missed_at(missed, i), out);
    if (n > question->limit)
        note("%zu more shapes that no rule makes fewer (--limit N)", n - question->limit);
}

// The result as a program of its own: it is read anew for each question.
static struct rw_program *read_result(const struct missed_question *question, struct err *err)
{
    struct rw_error error;
    size_t size;
    const char *text = rw_result_text(question->result, &size);
    struct rw_program *program =
        rw_program_read(question->context, text, size, "the result", &error);
    if (program == NULL)
        door_failed(&error, err);
    return program;
}

static bool answer_missed(const struct missed_question *question, struct buf *out, struct err *err)
{
    struct rw_error error;
    struct rw_query_options options = {.size = sizeof options};
    struct rw_program *program = read_result(question, err);
    struct rw_missed *missed =
        program ? rw_query_missed(question->database, &options, program, question->reading, &error)
                : NULL;
    bool ok = missed != NULL || (program != NULL && door_failed(&error, err));
    if (ok)
        put_shapes(question, missed, out);
    rw_missed_free(missed);
    rw_program_free(program);
    return ok;
}

static bool answer_explain(const struct missed_question *question, struct buf *out, struct err *err)
{
    struct rw_error error;
    struct rw_query_options options = {.size = sizeof options,
                                       .value = question->command->value[OPTION_explain_missed]};
    struct rw_program *program = read_result(question, err);
    struct rw_matches *matches =
        program ? rw_query_fires(question->database, &options, program, question->reading, &error)
                : NULL;
    bool ok = matches != NULL || (program != NULL && door_failed(&error, err));
    if (ok)
        put_fires(matches, question->command->value[OPTION_json] != NULL, question->limit, out);
    rw_matches_free(matches);
    rw_program_free(program);
    return ok;
}

bool missed_answer(const struct missed_question *question, struct buf *out, struct err *err)
{
    return (question->command->value[OPTION_missed] == NULL || answer_missed(question, out, err)) &&
           (question->command->value[OPTION_explain_missed] == NULL ||
            answer_explain(question, out, err));
}

bool missed_print(const struct command_line *command, const struct buf *lines, struct err *err)
{
    const char *output = command->value[OPTION_output];
    if (output != NULL && strcmp(output, "-") != 0)
        return print_all(lines, err);
    for (const char *line = buf_text(lines), *end; (end = strchr(line, '\n')); line = end + 1)
        tell("%.*s", (int)(end - line), line);
    return true;
}
