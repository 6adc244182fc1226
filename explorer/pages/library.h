// SPDX-License-Identifier: Apache-2.0
// All rules of the database, as lists and pages need them: read once, kept until another
// process writes to the database.
#ifndef EXPLORER_PAGES_LIBRARY_H
#define EXPLORER_PAGES_LIBRARY_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "base/text/buf.h"
#include "include/rankwright.h"

enum { LIBRARY_DOMAINS = RW_FLOAT + 1 };

typedef VEC(const char *) text_list;

struct library_rule {
    const struct rw_rule *rule; // without obligations
    const char *path;           // of its page, encoded: "rule/slice/slice_of_slice"
    const char *file;           // the same, not encoded
    const char *statement;      // "left => right" in one line; "" if the source has none
    const char *words;          // all that a search looks at, in small letters
    const struct rw_verdict *in[LIBRARY_DOMAINS]; // NULL: none
    text_list operators, roles;                   // roles of the maps in preconditions
};
struct library {
    struct rw_database *database; // borrowed
    struct rw_report *report;
    struct arena mem;
    VEC(struct library_rule) rules; // by family, name
    struct u32_vec by_hash;         // rules by hash, ascending
    char *stamp;                    // of the database when it was read; NULL: not read yet
    struct buf index;               // what a browser searches; empty: not made yet
};

void library_release(struct library *library);
// Reads the rules if that was not done yet, or if the database has changed since.
bool library_refresh(struct library *library, struct rw_error *error);
// NULL: no such rule.
const struct library_rule *library_by_hash(const struct library *library, const char *hash);
const struct library_rule *library_by_name(const struct library *library, const char *family,
                                           const char *name);

// The unknown verdict's reason without places and element types: a text of rules/reasons.h where
// it is one.
void library_reason(const struct rw_verdict *verdict, struct buf *out);

#endif
