// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    JOBS_ROW,
    OPTION(domain, 0, "D,..", "with --reprove: prove in these domains", "all", DOMAINS),
    TIMEOUT_ROW,
    SOLVER_ROW,
    SOLVER_PROGRAM_ROW,
    MEMORY_ROW,
    JSON_ROW,
    FLAG(reprove, "prove the rules again, and trust no source"),
    SEED_ROW("seed of the search for counterexamples", "0"),
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
};
