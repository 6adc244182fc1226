// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    OPTION(assume, 0, "FACTS", "what the caller of both guarantees", "what the comments say", NULL),
    SEED_ROW("seed of the sizes of runs", "0"),
    COMMON_ROWS,
};

const struct command_table compare_table = {
    .name = "compare",
    .run = cmd_compare,
    .usage = "A.ttir B.ttir",
    .summary = "Says whether two GPU kernels compute the same.",
    .description =
        "Lifts both kernels, whose arguments are paired by their order. The kernels are the same "
        "if both are proved to compute equal formulas at equal places, different if a run at some "
        "sizes differs, and otherwise the answer is unknown.",
    .example =
        "rankwright compare tests/kernels/softmax_row.ttir tests/kernels/softmax_online.ttir",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
