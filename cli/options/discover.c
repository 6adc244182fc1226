// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

static const struct option_row rows[] = {
    FILE_OPTION(DATABASE, db, 0, "FILE", "store the rules that were found in this database", NULL),
    WAIT_ROW,
    JOBS_ROW,
    OPTION(domain, 0, "D,..", "the domains; for operators on elements, one domain", NULL, DOMAINS),
    JSON_ROW,
    FILE_OPTION(WRITTEN, output, 'o', "FILE", "write the rules to this file", "standard output"),
    OPTION(seconds, 0, "S", "most seconds", "no limit", NULL),
    SEED_ROW("seed of the samples", "0"),
    FILE_OPTION(READ, from, 0, "BASE", "for tensors: the known rules (files, folders)", NULL),
    OPTION(ops, 0, "NAME,..", "the operators of the rules", NULL, NULL),
    OPTION(size, 0, "N", "most operators of a side", "2; for tensors 3", NULL),
    OPTION(depth, 0, "N", "most levels of operators of a side", "any number", NULL),
    OPTION(vars, 0, "N", "variables of a rule", "{SCALAR_DEFAULT_VARS}", NULL),
    OPTION(constants, 0, "K,..", "numbers that may stand in rules", "none", NULL),
    OPTION(width, 0, "BITS", "words of this many bits only, so that all inputs are tried", NULL,
           "2 4"),
    OPTION(tensors, 0, "N", "tensors of a rule", "3", NULL),
    OPTION(classes, 0, "N", "classes of axes that operators act on", "2", NULL),
    OPTION(resume, 0, "FOLDER", "keep the judgements in this folder, and go on from them", NULL,
           NULL),
    FILE_OPTION(READ, candidates, 0, "FILE", "judge these rules in place of enumerated ones", NULL),
    FILE_OPTION(READ, try, 0, "FILE", "only run these rules on random ground instances", NULL),
    OPTION(samples, 0, "N", "inputs tried of each element type", NULL, NULL),
    OPTION(instances, 0, "N", "ground instances of a rule for --try", "10000", NULL),
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
};
