// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    FILE_OPTION(WRITTEN, html, 0, "FILE", "write a page with the steps and the rules", NULL),
    COMMON_ROWS,
};

const struct command_table explain_table = {
    .name = "explain",
    .run = cmd_explain,
    .usage = "RECORD",
    .summary = "Prints a proof record as readable steps.",
    .description =
        "Prints the steps of a proof record: after each line the rule, the place and the values.",
    .example = "rankwright explain record.json --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
