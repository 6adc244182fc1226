// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

enum { STORED = 1, FROM = 2, GOAL = 4, INSTANCES = 8 };
static const char *const forms[] = {"with --db", "with --from", "with --goal",
                                    "without --method terms"};

static unsigned forms_of(const struct command_line *command)
{
    const char *method = command->value[OPTION_method];
    return (command->value[OPTION_db] ? STORED : 0u) | (command->value[OPTION_from] ? FROM : 0u) |
           (command->value[OPTION_goal] ? GOAL : 0u) |
           (method && strcmp(method, "terms") == 0 ? 0u : INSTANCES);
}

static const struct option_row rows[] = {
    FILE_OPTION_IN(FROM, DATABASE, db, 0, "FILE",
                   "the rule database; the base rules must be proved there", NULL),
    WAIT_ROW_IN(STORED),
    OPTION(domain, 0, "D,..", "derive in these domains", "one for each goal", DOMAINS),
    OPTION(method, 0, "NAME", "derive the rules themselves, or their ground instances", "auto",
           "auto terms instances"),
    JSON_ROW,
    OPTION_IN(GOAL, proof, 0, "FOLDER", "write the proof records into this folder", NULL, NULL),
    ASSUME_ROW,
    OPTION(nodes, 0, "N", "most nodes of the e-graph of a goal", "{DERIVE_NODES}", NULL),
    OPTION(seconds, 0, "S", "most seconds for a goal", "no limit", NULL),
    SEED_ROW_IN(INSTANCES, "seed of the instances", "0"),
    FILE_OPTION(READ, from, 0, "BASE", "rules to derive from (files, folders)", NULL),
    FILE_OPTION(READ, goal, 0, "RULES", "rules to derive (files, folders)", NULL),
    FLAG(minimal, "tell which rules of the base derive the others"),
    FLAG(lhs, "put only left sides into the start graph"),
    FLAG(both, "put both sides into the start graph, which is the default"),
    FLAG(backward, "use base rules also from right to left"),
    OPTION(rounds, 0, "N", "most rounds", "{DERIVE_ROUNDS}", NULL),
    OPTION_IN(INSTANCES, instances, 0, "N", "ground instances of a rule", "{DERIVE_MIN_INSTANCES}",
              NULL),
    COMMON_ROWS,
};

const struct command_table derive_table = {
    .name = "derive",
    .run = cmd_derive,
    .usage = "--from BASE --goal RULES",
    .summary = "Tells which rules follow from others.",
    .description = "Tells which rules follow from others, within limits. Exit status 0: all do.\n"
                   "\n"
                   "With --minimal in place of --goal: tells which base rules derive the others.",
    .example = "rankwright derive --assume tests/derive/base.rw --goal tests/derive/goal.rw",
    .option = rows,
    .n_options = N_ROWS(rows),
    FORMS(forms, forms_of),
};
