// SPDX-License-Identifier: Apache-2.0
// Rules as plain rules on named terms, kept with the rules they were made from.
// The database does not read these texts: who writes them gives a version, and
// sees only what the same version wrote.
#ifndef DB_NAMED_H
#define DB_NAMED_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "db/db.h"

struct named_row {
    const char *hash, *name, *canonical;
    bool known;   // the rest is what was kept
    bool defines; // a function
    const char *domain;
    const char *forward, *backward;
};
struct named_rows {
    struct arena mem;
    VEC(struct named_row) at; // by family, name, hash
};

// Every rule that some name stands for and that is proved, by the current
// verifier, over the reals or the truth values; if it is known, in its domain.
bool db_named_rules(struct db *db, const char *version, struct named_rows *out, struct err *err);
void named_rows_release(struct named_rows *rows);
// Keeps what is now known of some of the rows, in one transaction.
bool db_keep_named(struct db *db, const char *version, uint32_t n, const struct named_row *rows,
                   struct err *err);

#endif
