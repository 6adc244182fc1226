// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const char *const forms[] = {"without --worker"};
enum { PAGES = 1 };

static unsigned forms_of(const struct command_line *command)
{
    return command->value[OPTION_worker] ? 0 : PAGES;
}

static const struct option_row rows[] = {
    OPTION_IN(PAGES, port, 'p', "N", "the port at 127.0.0.1", "a free one", NULL),
    FLAG_IN(PAGES, open, "open the address in a browser (xdg-open)"),
    DATABASE_ROW,
    JOBS_ROW_IN(PAGES),
    FLAG(worker, "do one job: a form on standard input, messages on standard output"),
    WAIT_ROW,
    COMMON_ROWS,
};

const struct command_table serve_table = {
    .name = "serve",
    .run = cmd_serve,
    .summary = "Shows the explorer in a browser.",
    .description =
        "Serves the explorer to browsers on this machine: all rules with their verdicts, and "
        "playgrounds for rules, programs, formulas, kernels and records. Prints the address, which "
        "has a random token, and serves until Ctrl-C. Each job runs in a process of its own, with "
        "limits of memory and time.",
    .example = "rankwright serve",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
