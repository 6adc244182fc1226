// SPDX-License-Identifier: Apache-2.0
// The pages of the explorer that read and compute nothing new: start, rules, operators,
// coverage, about, and the files of explorer/static/.
//
// The rules of the database are read once, and again when another process has written
// to it.  As in all of api/, one thread at a time may call these functions.
#ifndef EXPLORER_PAGES_PAGES_H
#define EXPLORER_PAGES_PAGES_H

#include "explorer/pages/frame.h"
#include "include/rankwright.h"

struct explorer_pages;

// The database is borrowed and must stay open.
struct explorer_pages *explorer_pages_new(struct rw_database *database, enum explorer_mode mode);
void explorer_pages_free(struct explorer_pages *pages);

// An answer.  All zero is a valid empty one; explorer_body_clear makes it empty again and
// keeps the memory.
struct explorer_body {
    int status;               // of HTTP: 200, 303, 400, 404, 500
    const char *content_type; // a constant
    struct buf bytes;
    bool constant; // the bytes do not change while the program runs: a browser may keep them
    bool download; // to be saved, not shown
};
void explorer_body_clear(struct explorer_body *body);
void explorer_body_release(struct explorer_body *body);

// The page at a path ("rules", "rule/slice/slice_of_slice", "static/explorer.css"), which
// is decoded and has no slash in front.  `query` is the text behind "?", as it came, or
// NULL.  A path without a page gives a page with the status 404, a failure of the
// database one with 500.  A filter that no rule passes gives an empty list.
void explorer_page(struct explorer_pages *pages, const char *path, const char *query,
                   struct explorer_body *out);
// The hash of the rule whose obligations stand at the path ("smt2/slice/slice_of_slice.smt2"); NULL:
// none do.  To write them the rule is proved again, which is a job.
const char *explorer_smt2_rule(struct explorer_pages *pages, const char *path);
// A page with this status, heading and text (plain), in the frame of the others.
void explorer_message(enum explorer_mode mode, const char *path, int status, const char *heading,
                      const char *text, struct explorer_body *out);

// Calls `page` with every path of the site, in a steady order.  Fails if the database does.
bool explorer_paths(struct explorer_pages *pages, void (*page)(void *user, const char *path),
                    void *user, struct rw_error *error);

#endif
