// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { REPROVE = 1, CVC5 = 2 };
static const char *const forms[] = {"with --reprove", "with --reprove and --solver cvc5 or both"};

static unsigned forms_of(const struct command_line *command)
{
    bool reprove = command->value[OPTION_reprove];
    return (reprove ? REPROVE : 0u) | (reprove && second_solver(command) ? CVC5 : 0u);
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    JOBS_ROW_IN(REPROVE),
    TIMEOUT_ROW_IN(REPROVE),
    SOLVER_ROW_IN(REPROVE),
    SOLVER_PROGRAM_ROW_IN(CVC5),
    RANK_METHOD_ROW_IN(REPROVE),
    JSON_ROW,
    FILE_OPTION(READ, assume, 0, "FILE", "accept the rules of these files without proof", NULL),
    FLAG(reprove, "prove the rules of the record again"),
    FILE_OPTION(READ, input, 0, "FILE", "the input program or formula must be this one", NULL),
    FILE_OPTION(READ, program, 0, "FILE", "the output program or formula must be this one", NULL),
    COMMON_ROWS,
};

const struct command_table check_table = {
    .name = "check",
    .run = cmd_check,
    .usage = "RECORD",
    .summary = "Checks a proof record.",
    .description =
        "Replays a proof record without the e-graph. Each rule that the record uses must be "
        "proved in the database, unless --reprove proves the rule again.",
    .example = "rankwright check record.json --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
    FORMS(forms, forms_of),
};
