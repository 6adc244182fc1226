// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum {
    FILES = 1,
    WORKER = 2,
    PROVES = 4,
    LISTED = 8,
    STORED = 16,
    SEARCHES = 32,
    CVC5 = 64,
    TEXT = 128,
    VERDICTS = 256
};
static const char *const forms[] = {"without --worker and --list",
                                    "with --worker",
                                    "without --list",
                                    "with --list and --db",
                                    "with --db",
                                    "without --list and --no-search",
                                    "with --solver cvc5 or both",
                                    "without --worker, --list and --json",
                                    "with --json or --worker"};

static unsigned forms_of(const struct command_line *command)
{
    bool worker = command->value[OPTION_worker], list = command->value[OPTION_list];
    bool database = command->value[OPTION_db];
    return (!worker && !list ? FILES | STORED : 0u) |
           (!worker && !list && !command->value[OPTION_json] ? TEXT : 0u) | (worker ? WORKER : 0u) |
           (worker || (!list && command->value[OPTION_json]) ? VERDICTS : 0u) |
           (!list ? PROVES : 0u) | (list && database ? LISTED : 0u) | (database ? STORED : 0u) |
           (!list && !command->value[OPTION_no_search] ? SEARCHES : 0u) |
           (second_solver(command) ? CVC5 : 0u);
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW_IN(STORED),
    JOBS_ROW_IN(FILES),
    OPTION_IN(PROVES | LISTED, domain, 0, "D,..", "prove in these domains", "all", DOMAINS),
    TIMEOUT_ROW_IN(PROVES),
    SOLVER_ROW_IN(PROVES),
    SOLVER_PROGRAM_ROW_IN(CVC5),
    RANK_METHOD_ROW_IN(PROVES),
    FLAG_IN(PROVES, no_search, "look for proofs only, not for counterexamples"),
    MEMORY_ROW_IN(PROVES),
    FLAG_IN(FILES | LISTED, again, "prove also the rules that are proved already"),
    FLAG(worker, "prove rules of standard input, one a line"),
    FLAG_IN(VERDICTS, no_times, "write 0 for seconds, so that runs repeat"),
    FLAG(list, "prove nothing; print the rules as lines for --worker; with --db those without a "
               "verdict there"),
    JSON_ROW,
    FLAG_IN(TEXT, verbose, "print also the domains in which a rule is not judged, and why"),
    FLAG_IN(PROVES, stats, "print counts and times on standard error"),
    SEED_ROW_IN(SEARCHES, "seed of the search for counterexamples", "0"),
    COMMON_ROWS,
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
    .reads_words = true,
    FORMS(forms, forms_of),
};
