// SPDX-License-Identifier: Apache-2.0
// Which rules match a program.
#include "cli/query/query.h"

#include "api/rules/json.h"

#define MAX_PROGRAM_BYTES ((size_t)1 << 32)
#define USUAL_LINES 20

struct rw_query_options query_options(const struct command_line *command)
{
    return (struct rw_query_options){.size = sizeof(struct rw_query_options),
                                     .filters = command->words.at,
                                     .n_filters = command->words.len,
                                     .domain = command->value[OPTION_domain],
                                     .sort = command->value[OPTION_sort],
                                     .reverse = command->value[OPTION_reverse] != NULL,
                                     .since = command->value[OPTION_since],
                                     .used = command->value[OPTION_used] != NULL};
}

static json_t *miss_object(const struct rw_near_miss *miss)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "kind", miss->kind, "condition", miss->condition,
                     "found", miss->found, "place", miss->place, "count", (json_int_t)miss->count);
}

static void put_json(const struct rw_match *match, size_t *left, struct buf *out)
{
    json_t *misses = json_array();
    for (size_t i = 0; i<match->n_misses && * left> 0; i++, (*left)--)
        json_array_append_new(misses, miss_object(&match->misses[i]));
    if (match->matches == 0 && json_array_size(misses) == 0) {
        json_decref(misses);
        return;
    }
    json_line(json_pack("{s:s, s:s, s:s, s:I, s:b, s:o}", "rule", match->rule->name, "hash",
                        match->rule->hash, "family", match->rule->family, "matches",
                        (json_int_t)match->matches, "complete", match->complete, "misses", misses),
              out);
}

// The misses of one condition on one line, with one of them as the example.
static size_t put_misses(const struct rw_match *match, size_t from, struct buf *out)
{
    const struct rw_near_miss *miss = &match->misses[from];
    uint64_t places = 0;
    size_t to = from;
    while (to < match->n_misses && strcmp(match->misses[to].kind, miss->kind) == 0 &&
           strcmp(match->misses[to].condition, miss->condition) == 0)
        places += match->misses[to++].count;
    buf_printf(out, "  %s/%s: %s: %s", match->rule->family, match->rule->name, miss->kind,
               miss->condition);
    if (miss->found[0])
        buf_printf(out, "; found %s", miss->found);
    buf_printf(out, "; at %s", miss->place);
    if (places > 1)
        buf_printf(out, " and %llu more", (unsigned long long)places - 1);
    buf_putc(out, '\n');
    return to;
}

static void put_matches(const struct rw_matches *matches, struct buf *out)
{
    buf_puts(out, "matches\n");
    for (size_t i = 0; i < rw_matches_count(matches); i++) {
        const struct rw_match *match = rw_matches_at(matches, i);
        if (match->matches > 0)
            buf_printf(out, "  %s/%s: %llu%s\n", match->rule->family, match->rule->name,
                       (unsigned long long)match->matches,
                       match->complete ? "" : " at least: a limit of steps was reached");
    }
}

// Rules that match nowhere come first.
static size_t put_near(const struct rw_matches *matches, size_t left, struct buf *out)
{
    size_t all = 0;
    buf_puts(out, "near misses\n");
    for (int matching = 0; matching < 2; matching++)
        for (size_t i = 0; i < rw_matches_count(matches); i++) {
            const struct rw_match *match = rw_matches_at(matches, i);
            struct buf rest = {0};
            for (size_t k = 0; k < match->n_misses && (match->matches > 0) == (matching == 1);
                 all++)
                k = put_misses(match, k, all < left ? out : &rest);
            buf_release(&rest);
        }
    return all;
}

void put_fires(const struct rw_matches *matches, bool json, size_t limit, struct buf *out)
{
    if (json) {
        for (size_t i = 0, left = limit; i < rw_matches_count(matches); i++)
            put_json(rw_matches_at(matches, i), &left, out);
        return;
    }
    put_matches(matches, out);
    size_t all = put_near(matches, limit, out);
    if (all > limit)
        note("%zu more near misses (--limit N)", all - limit);
}

static struct rw_program *read_program(struct command_line *command, struct rw_context *context,
                                       struct err *err)
{
    struct rw_error error;
    struct buf text = {0};
    struct rw_program *program = NULL;
    const char *path = command->value[OPTION_fires];
    if (file_read(path, MAX_PROGRAM_BYTES, &text, err)) {
        program = rw_program_read(context, buf_text(&text), text.len, path, &error);
        if (program == NULL)
            door_failed(&error, err);
    }
    buf_release(&text);
    return program;
}

// As in the help; by the numbers of `names` below.
static const enum rw_reading readings[] = {RW_READ_FLOAT, RW_READ_FLOAT_SUMS, RW_READ_REAL};
enum { AS_FLOAT };

bool query_fires(struct command_line *command, struct rw_database *database, struct buf *out,
                 struct err *err)
{
    static const char *const names[] = {"float", "float-sums", "real"};
    struct rw_error error;
    double limit = USUAL_LINES;
    uint32_t reading = AS_FLOAT;
    struct rw_query_options options = query_options(command);
    if (!option_choice(command, OPTION_domain, 3, names, &reading, err) ||
        !option_count(command, OPTION_limit, 0, 1e9, &limit, err))
        return false;
    if (reading != AS_FLOAT)
        options.domain = NULL;
    struct rw_context *context = door_open();
    struct rw_program *program = read_program(command, context, err);
    struct rw_matches *matches =
        program ? rw_query_fires(database, &options, program, readings[reading], &error) : NULL;
    bool ok = matches != NULL || (program != NULL && door_failed(&error, err));
    if (ok)
        put_fires(matches, command->value[OPTION_json] != NULL, (size_t)limit, out);
    rw_matches_free(matches);
    rw_program_free(program);
    rw_context_free(context);
    return ok;
}
