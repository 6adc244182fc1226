// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { STORED = 1 };
static const char *const forms[] = {"with --db"};

static unsigned forms_of(const struct command_line *command)
{
    return command->value[OPTION_db] ? STORED : 0u;
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW_IN(STORED),
    JOBS_ROW_IN(STORED),
    TIMEOUT_ROW_IN(STORED),
    JSON_ROW,
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the rules to this file", NULL),
    OPTION(seconds, 0, "S", "most seconds for a rule", "no limit", NULL),
    FLAG(stats, "print the time on standard error"),
    SEED_ROW("seed of the searches", "1"),
    OPTION(rule, 0, "NAME", "only this rule of the files", "all", NULL),
    FLAG(repair, "make true rules from the false ones of the files"),
    COMMON_ROWS,
};

const struct command_table generalize_table = {
    .name = "generalize",
    .run = cmd_generalize,
    .usage = "RULE...",
    .summary = "Makes proved rules wider, or repairs false ones.",
    .description =
        "Makes proved rules wider (names of library rules, or .rw files): drops and weakens "
        "preconditions, makes constants maps, operators variables and axes classes, and solves "
        "for the changes of the right side.\n"
        "\n"
        "With --repair: finds preconditions or right sides that make false rules true.",
    .example =
        "rankwright generalize tests/generalize/slices.rw --rule slice_of_slice_unit --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
    FORMS(forms, forms_of),
};
