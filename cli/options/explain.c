// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    FILE_OPTION(READ, assume, 0, "FILE", "accept the rules of these files without proof", NULL),
    JSON_ROW,
    FILE_OPTION(WRITTEN, html, 0, "FILE", "write a page with the steps and the rules", NULL),
    COMMON_ROWS,
};

const struct command_table explain_table = {
    .name = "explain",
    .run = cmd_explain,
    .usage = "RECORD",
    .summary = "Prints a proof record as readable steps.",
    .description =
        "Checks a proof record, and prints its steps: after each line the rule, the place and the "
        "values. A record that is not valid is shown as such, with the reason and status 1. Rules "
        "have the names that the database gives them.",
    .example = "rankwright explain record.json --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
