// SPDX-License-Identifier: Apache-2.0
// What changed since another database.
#include "cli/query/query.h"

#include "api/rules/json.h"

static void put_json(const struct rw_change *change, struct buf *out)
{
    bool verdict = change->kind == RW_VERDICT_CHANGED;
    json_line(json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s?}", "change",
                        rw_change_name(change->kind), "rule", change->name, "family",
                        change->family, "hash", change->hash, "domain",
                        verdict ? rw_domain_name(change->domain) : NULL, "before",
                        change->before[0] ? change->before : NULL, "after",
                        change->after[0] ? change->after : NULL),
              out);
}

static void put_text(const struct rw_change *change, struct buf *out)
{
    buf_printf(out, "%-8s %.12s %s/%s", rw_change_name(change->kind), change->hash, change->family,
               change->name);
    if (change->kind == RW_RULE_CHANGED)
        buf_printf(out, ": was %.12s", change->before);
    else if (change->kind == RW_RULE_RENAMED)
        buf_printf(out, ": was called %s", change->before);
    else if (change->kind == RW_VERDICT_CHANGED)
        buf_printf(out, ": %s %s, was %s", rw_domain_name(change->domain), change->after,
                   change->before);
    buf_putc(out, '\n');
}

static void put_changes(const struct command_line *command, const struct rw_changes *changes,
                        struct buf *out)
{
    size_t n = rw_changes_count(changes);
    if (command->value[OPTION_count]) {
        if (command->value[OPTION_json])
            json_line(json_pack("{s:I}", "changes", (json_int_t)n), out);
        else
            buf_printf(out, "%zu\n", n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        (command->value[OPTION_json] ? put_json : put_text)(rw_changes_at(changes, i), out);
}

bool query_diff(struct command_line *command, struct rw_context *context, struct buf *out,
                struct err *err)
{
    struct rw_error error;
    struct rw_database *now, *before;
    struct rw_query_options options = query_options(command);
    bool ok = open_two_alone(command, context, command->value[OPTION_diff], &now, &before, err);
    struct rw_changes *changes = ok ? rw_query_diff(now, before, &options, &error) : NULL;
    if (changes != NULL)
        put_changes(command, changes, out);
    else if (ok)
        ok = door_failed(&error, err);
    rw_changes_free(changes);
    rw_database_close(before);
    rw_database_close(now);
    return ok;
}
