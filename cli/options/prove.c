// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    JOBS_ROW,
    OPTION(domain, 0, "D,..", "prove in these domains", "all", DOMAINS),
    TIMEOUT_ROW,
    SOLVER_ROW,
    SOLVER_PROGRAM_ROW,
    RANK_METHOD_ROW,
    FLAG(no_search, "look for proofs only, not for counterexamples"),
    MEMORY_ROW,
    FLAG(again, "prove also the rules that are proved already"),
    FLAG(worker, "prove rules of standard input, one a line"),
    FLAG(no_times, "with --json or --worker: write 0 for seconds, so that runs repeat"),
    FLAG(list, "prove nothing; print the rules as lines for --worker; with --db those without a "
               "verdict there"),
    JSON_ROW,
    FLAG(stats, "print counts and times on standard error"),
    SEED_ROW("seed of the search for counterexamples", "0"),
};

const struct command_table prove_table = {
    .name = "prove",
    .run = cmd_prove,
    .usage = "[FILE...]",
    .summary = "Proves rules and stores the verdicts.",
    .description =
        "Proves the rules of .rw files or folders and stores the verdicts. Without files: the "
        "rule library. A rule that is proved already is not proved again.\n"
        "\n"
        "With --worker: reads rules from standard input, one a line (a text or JSON, as --list "
        "prints them), and writes the verdicts of each rule as JSON lines before the next rule is "
        "read.",
    .example = "rankwright prove rules/library/elementwise/sub.rw --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
};
