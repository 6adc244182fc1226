// SPDX-License-Identifier: Apache-2.0
// The rules that may run on formulas: the proved rules of the database, and the
// assumed rules.
#ifndef API_SIMPLIFY_FORMULA_RULES_H
#define API_SIMPLIFY_FORMULA_RULES_H

#include "api/rules/statuses.h"
#include "db/named.h"
#include "formula/rules/define.h"
#include "simplify/simplify.h"

struct formula_rules {
    struct named_rows stored;
    struct proved_rules texts;       // of the rules that had to be read
    struct ruleset set;              // the rules that had to be parsed
    VEC(struct simplify_rule) rules; // borrow from the above
    struct fdefines defs;
};

void formula_rules_init(struct formula_rules *rules);
void formula_rules_release(struct formula_rules *rules);
// Loads the wanted rules of the database, and the assumed rules (may be NULL),
// which the caller must keep. Of rules that define nothing the texts are not read.
bool formula_rules_load(struct formula_rules *rules, struct wanted *wanted,
                        const struct ruleset *assumed, struct db *db, struct err *err);
// Fills in the texts of the rules that a record uses (simplify_rule.canonical), of the rules that
// are still proved: fails if the text, the plain rule or the proof of one of them is damaged.
bool formula_rules_texts(struct formula_rules *rules, struct db *db, struct formula_record *record,
                         struct err *err);

#endif
