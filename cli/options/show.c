// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW, WAIT_ROW, JSON_ROW, FLAG(smt2, "write the obligations as SMT-LIB2 text"),
    COMMON_ROWS,
};

const struct command_table show_table = {
    .name = "show",
    .run = cmd_show,
    .usage = "RULE",
    .summary = "Prints a rule, its verdicts and its proofs.",
    .description =
        "Prints a rule (a name, or the start of a hash): statement, meaning, verdicts, bound, "
        "obligations, counterexample, uses.",
    .example = "rankwright show sub_of_sum_right --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
};
