// SPDX-License-Identifier: Apache-2.0
// The rules that may run on formulas: those of the database that are proved,
// and those that are to be used without proof.
#ifndef CLI_FORMULA_RULES_H
#define CLI_FORMULA_RULES_H

#include "cli/cli.h"
#include "db/named.h"
#include "formula/rules/define.h"
#include "simplify/simplify.h"

struct formula_rules {
    struct named_rows stored;
    struct ruleset set, assumed;     // what had to be parsed
    VEC(struct simplify_rule) rules; // borrow from the above
    struct fdefines defs;
};

void formula_rules_init(struct formula_rules *rules);
void formula_rules_release(struct formula_rules *rules);
// Those of --rules, or all; and those of --assume.
bool formula_rules_load(struct formula_rules *rules, const struct command_line *command,
                        struct db *db, struct err *err);

#endif
