// SPDX-License-Identifier: Apache-2.0
// What the engine knows of the rules of a database before it reads them.
//
// outline  Facts about a rule, from which follows that the rule cannot match a program. The
//          database does not know their meaning. Callers give a version, and see only outlines
//          that the same version wrote.
// seal     A checksum of an outline with its version and the hash of its rule.
//
// O1  An outline that does not have its seal is unknown, like one that is missing. It tells
//     damage and outlines of other rules, not a forger (docs/trust.md).
// O2  An outline says nothing about the text or the verdicts of its rule: callers must read those
//     (db_read_proved) before they use the rule.
#ifndef DB_OUTLINE_H
#define DB_OUTLINE_H

#include "base/memory/intern.h"
#include "base/memory/vec.h"
#include "db/db.h"

struct outline_row {
    const char *hash;
    bool known; // the members below are from the database
    uint64_t roots, needs;
    uint32_t depth;
    // What the rule makes, as api/simplify/rewriter.c counts it; the column `simplifies`.
    uint32_t makes;
};
struct outline_rows {
    struct intern hashes;
    VEC(struct outline_row) at; // by family, name, hash
};

// At least the rules that db_read_proved would read, and of the user's layer no others.
bool db_outlines(struct db *db, const char *version, struct outline_rows *out, struct err *err);
void outline_rows_release(struct outline_rows *rows);
// Keeps outlines of rules of the user's layer, in one transaction.
bool db_keep_outlines(struct db *db, const char *version, uint32_t n,
                      const struct outline_row *rows, struct err *err);
// Deletes the outlines of the user's layer.
bool db_forget_outlines(struct db *db, struct err *err);

#endif
