// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    OPTION(grid, 0, "(E,..)", "the sizes of the grid, or any", "what the comments say", NULL),
    OPTION(assume, 0, "FACTS", "what the caller guarantees, as in 'n <= 1024, n >= 1'",
           "what the comments say", NULL),
    OPTION(function, 0, "NAME", "the kernel", "the only one of the file", NULL),
    OPTION(output, 'o', "NAME", "show this output only: the name of its array", "all", NULL),
    OPTION(expect, 0, "F",
           "say whether the kernel computes this formula; @FILE: the text of a file", NULL, NULL),
    FLAG(expectation, "print places and formula of each output as --expect reads them, and end"),
    FLAG(as_written, "do not simplify the formulas"),
    FLAG(program, "print the kernel as loops over arrays, and end"),
    FILE_OPTION(WRITTEN, proof, 0, "FILE", "write a record that check replays", NULL),
    FILE_OPTION(WRITTEN, html, 0, "FILE", "write a page: the kernel beside its formulas", NULL),
    SEED_ROW("seed of the sizes of runs", "0"),
    JSON_ROW,
    DATABASE_ROW,
    WAIT_ROW,
    COMMON_ROWS,
};

const struct command_table lift_table = {
    .name = "lift",
    .run = cmd_lift,
    .usage = "KERNEL.ttir",
    .summary = "Finds the formulas of a GPU kernel, for all sizes.",
    .description =
        "Reads a kernel in Triton's tile IR, derives the formula of each output for every size "
        "and number of iterations, proves that the whole grid computes it, and simplifies it. "
        "The comments of the file may name the grid and facts that the caller guarantees.\n\n"
        "Values are real numbers. That integers do not overflow is stated as needs. An output is "
        "proved, derived (an obligation is open), refused (with the line that "
        "stopped it) or refuted (by a run). A formula that is proved was also compared with runs "
        "at random sizes.\n\n"
        "With --expect the answer is about one formula, or several with their places: proved "
        "equal, "
        "refuted by a run, or unknown.",
    .example = "rankwright lift tests/kernels/softmax_online.ttir",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
