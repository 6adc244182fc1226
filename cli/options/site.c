// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    COMMON_ROWS,
};

const struct command_table site_table = {
    .name = "site",
    .run = cmd_site,
    .usage = "DIR",
    .summary = "Writes the rules and verdicts as web pages.",
    .description =
        "Writes a page for each rule of the database, a list with a search, the operators and the "
        "coverage of published lists into a folder. The pages need no server: open "
        "DIR/index.html. The folder must be empty, or one that `site` has written.",
    .example = "rankwright site pages --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
};
