// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { REPROVE = 1, CVC5 = 2 };
static const char *const forms[] = {"with --reprove", "with --reprove and --solver cvc5 or both"};

static unsigned forms_of(const struct command_line *command)
{
    bool reprove = command->value[OPTION_reprove];
    return (reprove ? REPROVE : 0u) | (reprove && second_solver(command) ? CVC5 : 0u);
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    JOBS_ROW_IN(REPROVE),
    OPTION_IN(REPROVE, domain, 0, "D,..", "prove in these domains", "all", DOMAINS),
    TIMEOUT_ROW_IN(REPROVE),
    SOLVER_ROW_IN(REPROVE),
    SOLVER_PROGRAM_ROW_IN(CVC5),
    MEMORY_ROW_IN(REPROVE),
    JSON_ROW,
    FLAG(reprove, "prove the rules again, and trust no source"),
    SEED_ROW_IN(REPROVE, "seed of the search for counterexamples", "0"),
    COMMON_ROWS,
};

const struct command_table merge_table = {
    .name = "merge",
    .run = cmd_merge,
    .usage = "SOURCE...",
    .summary = "Merges databases and worker lines into one.",
    .description =
        "Takes the rules and verdicts of databases, and of the lines that prove --worker writes, "
        "into the database. The order and the number of merges make no difference. Counterexamples "
        "are run again. "
        "Proofs are taken on trust, unless --reprove proves them again.",
    .example = "rankwright merge rules.db --db merged.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
