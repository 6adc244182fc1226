// SPDX-License-Identifier: Apache-2.0
// The rules that may run on formulas: those of the database that are proved,
// and those that are to be used without proof.
#ifndef API_SIMPLIFY_FORMULA_RULES_H
#define API_SIMPLIFY_FORMULA_RULES_H

#include "api/rules/statuses.h"
#include "db/named.h"
#include "formula/rules/define.h"
#include "simplify/simplify.h"

struct formula_rules {
    struct named_rows stored;
    struct ruleset set;              // what had to be parsed
    VEC(struct simplify_rule) rules; // borrow from the above
    struct fdefines defs;
};

void formula_rules_init(struct formula_rules *rules);
void formula_rules_release(struct formula_rules *rules);
// Those of the database that are wanted, and those that are assumed (may be
// NULL), which must stay.
bool formula_rules_load(struct formula_rules *rules, struct wanted *wanted,
                        const struct ruleset *assumed, struct db *db, struct err *err);

#endif
