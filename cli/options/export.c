// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { EGGLOG = 1 };
static const char *const forms[] = {"with --format egglog"};

static unsigned forms_of(const struct command_line *command)
{
    const char *format = command->value[OPTION_format];
    return format && strcmp(format, "egglog") == 0 ? EGGLOG : 0u;
}

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    OPTION(format, 0, "NAME", "the format", "(must be given)", "egglog json latex smt2"),
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the text to this file", "standard output"),
    OPTION_IN(EGGLOG, rank, 0, "N", "the rank of every axis class that is no single axis", "1",
              NULL),
    OPTION_IN(EGGLOG, domain, 0, "D", "read floats as real or as float", "float", "real float"),
    COMMON_ROWS,
};

const struct command_table export_table = {
    .name = "export",
    .run = cmd_export,
    .usage = "[FILTER...]",
    .summary = "Writes rules as text for other programs.",
    .description =
        "Writes the rules of the database that pass all filters, which are those of `query`:\n"
        "\n"
        "  egglog  rules at fixed ranks, for the element types that their verdicts allow\n"
        "  json    lines that `merge` reads: text, verdicts, obligations\n"
        "  latex   statement, preconditions, the element at every index\n"
        "  smt2    the obligations, as the prover asks them\n"
        "\n"
        "Rules for which the format has no text are named on standard error with the reason. "
        "Exit status 0: none is left out; 2: some are.",
    .example = "rankwright export op=subtract --format egglog --db rules.db",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
