// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { SEARCHES = 1, DRAWING = 2, REPORTS = 4 };
static const char *const forms[] = {"with --method dag or exact", "with --picture",
                                    "without --output -"};

static unsigned forms_of(const struct command_line *command)
{
    const char *method = command->value[OPTION_method], *output = command->value[OPTION_output];
    return (method && strcmp(method, "tree") == 0 ? 0u : SEARCHES) |
           (command->value[OPTION_picture] ? DRAWING : 0u) |
           (output && strcmp(output, "-") == 0 ? 0u : REPORTS);
}

static const struct option_row rows[] = {
    OPTION(method, 0, "NAME", "how the terms are chosen", "dag", "tree dag exact"),
    FLAG_IN(REPORTS, json, "write one JSON object a line"),
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the chosen e-graph to this file", NULL),
    OPTION_IN(SEARCHES, seconds, 0, "S", "most seconds", "by counted effort", NULL),
    FILE_OPTION(WRITTEN, picture, 0, "FILE", "draw the e-graph, as .dot or .svg", NULL),
    OPTION_IN(DRAWING, picture_nodes, 0, "N", "most nodes of the drawing", "200", NULL),
    COMMON_ROWS,
};

const struct command_table extract_table = {
    .name = "extract",
    .run = cmd_extract,
    .usage = "EGRAPH...",
    .summary = "Chooses the cheapest terms of e-graphs.",
    .description =
        "Chooses the cheapest terms of e-graphs in egraph-serialize JSON.\n"
        "\n"
        "Methods: tree (each use is paid; the least cost), dag (a shared term is paid once; by "
        "search) and exact (a shared term is paid once; with a proof, or status 2).",
    .example = "rankwright extract tests/egraphs/shared.json --method exact",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
    FORMS(forms, forms_of),
};
