// SPDX-License-Identifier: Apache-2.0
// Meanings of named functions.  A record of a formula brings the definitions of
// its functions.  Readers know the definitions of the database, so differences
// are reported.
#ifndef API_CHECK_MEANINGS_H
#define API_CHECK_MEANINGS_H

#include "db/db.h"
#include "proof/formula/record.h"

enum meaning {
    MEANING_SAME,
    MEANING_OTHER,   // the database has another definition, perhaps besides this one
    MEANING_NONE,    // the database has no definition
    MEANING_UNKNOWN, // there is no database
};
struct function_meaning {
    const char *name;
    enum meaning meaning;
};
struct meanings {
    struct arena mem;
    VEC(struct function_meaning) at; // the functions that input and output call
};

// Adds the proved functions of the database.
bool stored_definitions(struct db *db, struct ruleset *set, struct err *err);
// The record must be valid; db may be NULL.
bool meanings_find(struct meanings *meanings, const struct formula_record *record, struct db *db,
                   struct err *err);
void meanings_release(struct meanings *meanings);

#endif
