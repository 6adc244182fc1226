// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/prove_worker.h"

#include "api/proving/candidates.h"
#include "api/rules/rules.h"
#include <unistd.h>

static int status_of(enum gravity worst)
{
    static const int status[] = {[GRAVITY_PROVED] = EXIT_YES,
                                 [GRAVITY_UNKNOWN] = EXIT_UNKNOWN,
                                 [GRAVITY_REFUTED] = EXIT_NO,
                                 [GRAVITY_NO_RULE] = EXIT_BAD_INPUT,
                                 [GRAVITY_BUG] = EXIT_BUG};
    return status[worst];
}

static bool prove_lines(struct candidate_prover *prover, struct err *err)
{
    struct input_line line = {.number = 0};
    struct buf out = {0};
    bool ok = true;
    while (ok && line_next(stdin, &line, err)) {
        if (line_is_empty(buf_text(&line.text), line.text.len))
            continue;
        ok = candidate_prove(prover, &line, &out, err) && print_all(&out, err);
        buf_clear(&out);
    }
    buf_release(&line.text);
    buf_release(&out);
    return ok && err->kind == ERR_NONE;
}

int prove_worker(struct command_line *command, struct rw_context *context,
                 const struct rw_prove_options *options)
{
    struct err err = {0};
    struct rw_database *database = NULL;
    struct candidate_prover prover = {.times = command->value[OPTION_no_times] == NULL};
    bool ok =
        (command->words.len == 0 || err_set(&err, ERR_USAGE,
                                            "--worker reads rules on standard input, not "
                                            "from files; --list makes lines of files")) &&
        proving_of(context, options, &prover.proving, &err) &&
        (!command->value[OPTION_db] || open_database(command, context, RW_WRITE, &database, &err));
    prover.db = database ? database->db : NULL;
    ok = ok && prove_lines(&prover, &err) && candidates_finish(&prover, &err);
    rw_database_close(database);
    if (!ok)
        return report_error(&err);
    if (command->value[OPTION_stats])
        tell("%u rules, %u lines without a rule", prover.rules, prover.bad);
    return status_of(prover.worst);
}

// A database that does not exist yet is empty.
static bool open_if_there(const struct command_line *command, struct rw_context *context,
                          struct rw_database **out, struct err *err)
{
    *out = NULL;
    if (!command->value[OPTION_db] || command->value[OPTION_again] ||
        (command->value[OPTION_db][0] && access(command->value[OPTION_db], F_OK) != 0))
        return true;
    return open_database(command, context, RW_READ, out, err);
}

bool list_candidates(const struct command_line *command, struct rw_context *context,
                     const struct rw_rules *rules, const struct rw_prove_options *options,
                     struct err *err)
{
    struct rw_database *database;
    struct buf out = {0};
    bool ok = open_if_there(command, context, &database, err) &&
              candidates_write(database ? database->db : NULL, &rules->set, options->domains, &out,
                               err) &&
              print_all(&out, err);
    rw_database_close(database);
    buf_release(&out);
    return ok;
}
