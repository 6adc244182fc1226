// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "api/database/database.h"
#include "api/proving/merge.h"
#include <unistd.h>

static bool check_sources(const struct command_line *command, struct err *err)
{
    struct buf path = {0};
    uint32_t inputs = 0;
    if (command->words.len == 0)
        return err_set(err, ERR_USAGE,
                       "merge: expected databases, or files with "
                       "the lines of prove --worker");
    bool ok = database_path(command, false, &path, err);
    for (uint32_t i = 0; ok && i < command->words.len; i++) {
        inputs += strcmp(command->words.at[i], "-") == 0;
        ok = merge_source_usable(command->words.at[i], buf_text(&path),
                                 command->value[OPTION_reprove] != NULL, err);
    }
    if (ok && inputs > 1)
        ok = err_set(err, ERR_USAGE, "merge: - is named twice");
    buf_release(&path);
    return ok;
}

struct target {
    const struct command_line *command;
    struct rw_context *context;
    struct rw_database *database;
};

static bool open_target(void *user, struct db **out, struct err *err)
{
    struct target *target = user;
    bool ok = open_database(target->command, target->context, RW_WRITE, &target->database, err);
    *out = ok ? target->database->db : NULL;
    return ok;
}

// A database that exists is opened before the sources are read.
static bool open_existing(struct target *target, struct db **out, struct err *err)
{
    struct buf path = {0};
    bool ok = database_path(target->command, false, &path, err) &&
              (access(buf_text(&path), F_OK) != 0 || open_target(target, out, err));
    buf_release(&path);
    return ok;
}

static void report(struct merge_command *merge_command)
{
    const struct merge_counts *merge_counts = &merge_command->merge_counts;
    if (merge_command->json)
        merge_put_json(merge_command);
    note("%u rules, %u of them new; %u verdicts added, %u kept", merge_counts->rules,
         merge_counts->fresh, merge_counts->verdicts, merge_counts->kept);
    if (merge_counts->stale)
        note("%u verdicts of other versions were left out", merge_counts->stale);
    if (merge_counts->cut)
        note("%u last lines without an end were left out", merge_counts->cut);
    if (merge_counts->failed)
        note("%u lines are of candidates that were no rules", merge_counts->failed);
    if (merge_counts->bad)
        note("%u rules or verdicts were refused", merge_counts->bad);
    if (merge_counts->unconfirmed)
        note("%u verdicts are proved in the sources and unknown here", merge_counts->unconfirmed);
    if (merge_counts->contradictions)
        note("%u verdicts contradict each other: a bug, a solver's error, or a "
             "source that was tampered with",
             merge_counts->contradictions);
}

static bool merge(struct command_line *command, struct merge_command *merge_command,
                  const struct rw_prove_options *options, struct err *err)
{
    merge_command->n_sources = command->words.len;
    merge_command->sources = command->words.at;
    merge_command->json = command->value[OPTION_json] != NULL;
    return command->value[OPTION_reprove] ? merge_reprove(merge_command, options, err)
                                          : merge_all(merge_command, err);
}

int cmd_merge(struct command_line *command)
{
    struct err err = {0};
    struct rw_prove_options options = {.size = sizeof options};
    struct rw_context *context = door_open();
    struct target target = {.command = command, .context = context};
    struct merge_command merge_command = {
        .context = context, .wait = 60, .open = open_target, .user = &target};
    bool ok =
        check_sources(command, &err) &&
        option_number(command, OPTION_wait, 0, 1e6, &merge_command.wait, &err) &&
        (!command->value[OPTION_reprove] || proving_options(command, context, &options, &err)) &&
        open_existing(&target, &merge_command.db, &err) &&
        merge(command, &merge_command, &options, &err);
    if (ok)
        report(&merge_command);
    ok = print_all(&merge_command.out, &err) && ok;
    int status = !ok                                         ? report_error(&err)
                 : merge_command.merge_counts.contradictions ? EXIT_BUG
                 : merge_command.merge_counts.bad            ? EXIT_BAD_INPUT
                 : merge_command.merge_counts.unconfirmed    ? EXIT_UNKNOWN
                                                             : EXIT_YES;
    merge_release(&merge_command);
    rw_database_close(target.database);
    rw_context_free(context);
    return status;
}
