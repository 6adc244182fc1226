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

bool query_diff(struct command_line *command, struct rw_database *database, struct buf *out,
                struct err *err)
{
    struct rw_error error;
    double seconds = 60;
    struct rw_query_options options = query_options(command);
    if (!option_number(command, OPTION_wait, 0, 1e6, &seconds, err))
        return false;
    struct rw_context *context = door_open();
    struct rw_database *before =
        rw_database_open(context, command->value[OPTION_diff], RW_READ, seconds, &error);
    struct rw_changes *changes = before ? rw_query_diff(database, before, &options, &error) : NULL;
    bool ok = changes != NULL || door_failed(&error, err);
    if (ok)
        put_changes(command, changes, out);
    rw_changes_free(changes);
    rw_database_close(before);
    rw_context_free(context);
    return ok;
}
