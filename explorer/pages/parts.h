// SPDX-License-Identifier: Apache-2.0
// Pieces that several pages share.
#ifndef EXPLORER_PAGES_PARTS_H
#define EXPLORER_PAGES_PARTS_H

#include "explorer/pages/library.h"
#include "explorer/pages/frame.h"
#include "explorer/pages/pages.h"

struct explorer_pages {
    struct rw_database *database;
    enum explorer_mode mode;
    struct library library;
};

// The decision in a domain, with a sign beside the colour; `text` is shown: "float".
void put_badge(const char *text, const char *decision, struct buf *out);
// A badge for each domain that has a verdict.
void put_badges(const struct library_rule *rule, struct buf *out);
// An item of a list of rules: name, family, comment; verdicts and statement too, except in a
// site, which is to be small.
void put_rule_item(const struct frame *frame, const struct library_rule *rule, struct buf *out);
// <a href="rules?key=value">text</a>
void put_filter_link(const struct frame *frame, const char *key, const char *value,
                     const char *text, struct buf *out);

// Each page appends to an empty body, whose status and type are those of a page of HTML that is
// there.  False: the database failed.
typedef bool page_of(struct explorer_pages *pages, const char *path, const char *query,
                     struct explorer_body *out, struct rw_error *error);
page_of page_start, page_rules, page_rules_index, page_rule, page_operators, page_operator,
    page_coverage, page_discovered, page_about;
// Turns the answer into the page that nothing is there; true.
bool page_absent(struct explorer_pages *pages, const char *path, struct explorer_body *out);

#endif
