// SPDX-License-Identifier: Apache-2.0
#include "api/discover/tensors.h"
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum {
    ELEMENTS = 1,
    TENSORS = 2,
    MOVES = 4,
    ENUMERATES = 8,
    FINDS = 16,
    TRIES = 32,
    STORED = 64,
    WORKERS = 128
};
static const char *const forms[] = {
    "for operators that work on elements alone",
    "for operators that move elements or reduce, without --candidates and --try",
    "for operators that move elements or reduce, without --try",
    "without --candidates and --try",
    "without --try",
    "with --try",
    "with --db",
    "for operators that move elements or reduce, and with --db"};

static unsigned forms_of(const struct command_line *command)
{
    bool tries = command->value[OPTION_try], given = command->value[OPTION_candidates];
    bool moves = tries || given || discovery_moves(command->value[OPTION_ops]);
    bool database = command->value[OPTION_db];
    return (moves ? 0u : ELEMENTS) | (moves && !tries && !given ? TENSORS : 0u) |
           (moves && !tries ? MOVES : 0u) | (tries || given ? 0u : ENUMERATES) |
           (tries ? TRIES : FINDS) | (database ? STORED : 0u) | (moves || database ? WORKERS : 0u);
}

static const struct option_row rows[] = {
    FILE_OPTION_IN(FINDS, DATABASE, db, 0, "FILE",
                   "store the rules that were found in this database", NULL),
    WAIT_ROW_IN(STORED),
    JOBS_ROW_IN(WORKERS),
    OPTION(domain, 0, "D,..", "the domains; for operators on elements, one domain", NULL, DOMAINS),
    FLAG_IN(FINDS, json, "write one JSON object a line"),
    FILE_OPTION_IN(FINDS, WRITTEN, output, 'o', "FILE", "write the rules to this file",
                   "standard output"),
    OPTION_IN(FINDS, seconds, 0, "S", "most seconds", "no limit", NULL),
    SEED_ROW("seed of the samples", "0"),
    FILE_OPTION_IN(MOVES, READ, from, 0, "BASE", "the known rules (files, folders)", NULL),
    OPTION_IN(ENUMERATES, ops, 0, "NAME,..", "the operators of the rules", NULL, NULL),
    OPTION_IN(ENUMERATES, size, 0, "N", "most operators of a side", "2; for tensors 3", NULL),
    OPTION_IN(ELEMENTS, depth, 0, "N", "most levels of operators of a side", "any number", NULL),
    OPTION_IN(ELEMENTS, vars, 0, "N", "variables of a rule", "{SCALAR_DEFAULT_VARS}", NULL),
    OPTION_IN(ELEMENTS, constants, 0, "K,..", "numbers that may stand in rules", "none", NULL),
    OPTION_IN(ELEMENTS, width, 0, "BITS",
              "words of this many bits only, so that all inputs are tried", NULL, "2 4"),
    OPTION_IN(TENSORS, tensors, 0, "N", "tensors of a rule", "3", NULL),
    OPTION_IN(TENSORS, classes, 0, "N", "classes of axes that operators act on", "2", NULL),
    OPTION_IN(MOVES, resume, 0, "FOLDER", "keep the judgements in this folder, and go on from them",
              NULL, NULL),
    FILE_OPTION(READ, candidates, 0, "FILE", "judge these rules in place of enumerated ones", NULL),
    FILE_OPTION(READ, try, 0, "FILE", "only run these rules on random ground instances", NULL),
    OPTION_IN(ELEMENTS, samples, 0, "N", "inputs tried of each element type", NULL, NULL),
    OPTION_IN(TRIES, instances, 0, "N", "ground instances of a rule", "10000", NULL),
    COMMON_ROWS,
};

const struct command_table discover_table = {
    .name = "discover",
    .run = cmd_discover,
    .usage = "--ops NAME,..",
    .summary = "Finds rules about operators.",
    .description =
        "Finds rules about these operators, proves them and writes them. For operators on "
        "elements: finds all true rules up to a size, except rules that follow from the others "
        "(docs/discovery.md).",
    .example = "rankwright discover --ops and,or,not --domain bool --size 2 --vars 2",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
