// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/formula_program.h"
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { FORMULA = 1, COMPARE = 2, RUNS = 4, ONE_RUN = 8 };
static const char *const forms[] = {"for formulas", "with --compare", "with --runs",
                                    "with --compare and without --runs"};

static unsigned forms_of(const struct command_line *command)
{
    const char *other = command->value[OPTION_compare];
    bool formula = (command->words.len > 0 && is_formula_file(command->words.at[0])) ||
                   (other && is_formula_file(other));
    return (formula ? FORMULA : 0u) | (other ? COMPARE : 0u) |
           (command->value[OPTION_runs] ? RUNS
            : other                     ? ONE_RUN
                                        : 0u);
}

static const struct option_row rows[] = {
    FILE_OPTION_IN(FORMULA, READ, rules, 0, "FILE", "the definitions of functions",
                   "the rule library"),
    OPTION(function, 0, "NAME", "the function to evaluate", "main", NULL),
    SEED_ROW("seed of the arguments", "0"),
    FILE_OPTION(READ, compare, 0, "FILE", "evaluate this program too, and compare the results",
                NULL),
    OPTION_IN(ONE_RUN, tolerance, 0, "R", "relative difference up to which results count as equal",
              "0", NULL),
    OPTION_IN(COMPARE, runs, 0, "N", "look for arguments on which the programs differ, in N runs",
              "1 run", NULL),
    FLAG_IN(RUNS, json, "write one JSON object"),
    FILE_OPTION_IN(RUNS, WRITTEN, output, 'o', "FILE",
                   "write a program that calls both on arguments on which they differ", NULL),
    OPTION_IN(FORMULA, sizes, 0, "i=2,..", "the sizes of axes", "3 each", NULL),
    COMMON_ROWS,
};

const struct command_table eval_table = {
    .name = "eval",
    .run = cmd_eval,
    .usage = "PROGRAM",
    .summary = "Evaluates a program on random arguments.",
    .description =
        "Evaluates a function of a program in StableHLO or HLO, or a formula (PROGRAM ends with "
        ".expr), in the interpreter, on random arguments.\n"
        "\n"
        "With --compare and --runs: small integers, positives, negatives, values near the "
        "constants "
        "of the programs, all magnitudes, NaN, infinities, zeros of both signs, extremes and their "
        "neighbours, starts inside and outside of their bounds. A difference is shown with its "
        "arguments and with its sense: in the value, in the rounding of floats, where numbers "
        "overflow. Programs with large tensors run at smaller sizes that have the same relations.",
    .example = "rankwright eval tests/programs/mlp.mlir --seed 7",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
    FORMS(forms, forms_of),
};
