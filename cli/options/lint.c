// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    OPTION(domain, 0, "D,..", "the domains", "all", DOMAINS),
    OPTION(nodes, 0, "N", "most terms to look at from one start", "{LINT_STATES}", NULL),
    OPTION(seconds, 0, "S", "most seconds", "no limit", NULL),
    JSON_ROW,
    SEED_ROW("seed of the instances", "0"),
    OPTION(instances, 0, "N", "ground instances of a rule", "{LINT_INSTANCES}", NULL),
    COMMON_ROWS,
};

const struct command_table lint_table = {
    .name = "lint",
    .run = cmd_lint,
    .usage = "FILE...",
    .summary = "Finds faults of a set of true rules.",
    .description =
        "Finds faults of a set of rules, even if every rule is true: rules stated twice, rules "
        "that undo each other, loop or never fire, idle preconditions.",
    .example = "rankwright lint tests/derive/base.rw",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
