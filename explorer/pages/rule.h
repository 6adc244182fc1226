// SPDX-License-Identifier: Apache-2.0
// Sections of a rule's page.  Each writes nothing if it has nothing to say.
#ifndef EXPLORER_PAGES_RULE_H
#define EXPLORER_PAGES_RULE_H

#include "explorer/pages/parts.h"
#include "rules/rule.h"

struct rule_page {
    struct explorer_pages *pages;
    const struct frame *frame;
    const struct library_rule *entry;
    const struct rw_rule *rule; // with obligations
    const struct rule *parsed;  // the same, parsed
    struct ruleset *set;        // that the parsed rule belongs to
    struct buf *out;
};

void put_statement(const struct rule_page *page);
// A picture on small arrays, which a script draws (picture.c).
void put_picture(const struct rule_page *page);
void picture_section(const struct rule *rule, struct buf *out);
// Its data; NULL: the rule has no picture.  The caller frees the text.
char *picture_json(const struct rule *rule);
void put_verdicts(const struct rule_page *page);
void put_counterexamples(const struct rule_page *page);
void put_proofs(const struct rule_page *page);
void put_neighbours(const struct rule_page *page);
// False: the database failed.
bool put_history(const struct rule_page *page, struct rw_error *error);

#endif
