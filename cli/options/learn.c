// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    DATABASE_ROW,
    WAIT_ROW,
    JSON_ROW,
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the rule to this file", NULL),
    OPTION(functions, 0, "NAME,NAME", "the functions before and after",
           "the only one of each file, or the two of one file", NULL),
    FILE_OPTION(READ, also, 0, "FILE [FILE]",
                "a second pair, of which the rule must be true as well; stands last", NULL),
    OPTION(
        counterexamples, 0, "DIR",
        "write programs that differ into this folder: the pair, or the rule without what it needs",
        NULL, NULL),
    SEED_ROW("seed of the searches", "1"),
    COMMON_ROWS,
};

const struct command_table learn_table = {
    .name = "learn",
    .run = cmd_learn,
    .usage = "BEFORE [AFTER]",
    .summary = "Makes a proved rule from one example of it.",
    .description =
        "Reads two programs, before and after a rewrite (or the two functions of one file), and "
        "says which rule they are an example of: the most general one that was proved for all "
        "ranks and sizes, what it needs, and where it fails without that. Arguments are paired "
        "by their order. Both run on chosen arguments first: if they differ, the answer is an "
        "element and its two values. Where only floats round, or only NaN, infinities or "
        "overflows differ, the answer says so, and the rule is one over numbers.\n"
        "\n"
        "Says also whether a database has the rule, if there is one. Exit status 0: a rule was "
        "proved, also of programs that differ only where floats round or are NaN, infinities or "
        "zeros of another sign, or none is needed; 1: the programs are not equal, also where the "
        "nearest true rule is printed; 2: no rule was proved.",
    .example = "rankwright learn tests/examples/slice_of_pad.mlir",
    .option = rows,
    .n_options = N_ROWS(rows),
    .reads_words = true,
};
