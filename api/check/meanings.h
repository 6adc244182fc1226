// SPDX-License-Identifier: Apache-2.0
// Named functions mean what a record of a formula says, by definitions that the
// record brings.  Readers know those of the database: where these differ, they
// are told.
#ifndef API_CHECK_MEANINGS_H
#define API_CHECK_MEANINGS_H

#include "db/db.h"
#include "proof/formula/record.h"

enum meaning {
    MEANING_SAME,
    MEANING_OTHER,   // the database defines it otherwise, be it besides
    MEANING_NONE,    // not at all
    MEANING_UNKNOWN, // there is no database
};
struct function_meaning {
    const char *name;
    enum meaning meaning;
};
struct meanings {
    struct arena mem;
    VEC(struct function_meaning) at; // of what input and output call
};

// Of a record that is valid; db may be NULL.
bool meanings_find(struct meanings *meanings, const struct formula_record *record, struct db *db,
                   struct err *err);
void meanings_release(struct meanings *meanings);

#endif
