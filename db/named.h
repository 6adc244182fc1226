// SPDX-License-Identifier: Apache-2.0
// Rules as plain rules on named terms, kept with the rules they were made from.
// The database does not read these texts. Callers give a version, and see only
// texts that the same version wrote.
#ifndef DB_NAMED_H
#define DB_NAMED_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "db/db.h"

struct named_row {
    const char *hash, *name;
    bool known;   // the members below are from the kept row
    bool defines; // a function
    const char *domain;
    const char *forward, *backward;
};
struct named_rows {
    struct arena mem;
    VEC(struct named_row) at; // by family, name, hash
};

// Every rule that some name stands for and that the current verifier proved
// over the reals or the truth values. If the domain of the plain rule is known,
// then the rule must be proved in that domain. Rules whose row says that they are
// no plain rules come only if callers want all.
//
// The verdicts are those of the tables: neither the texts of the rules are read, nor what the
// proofs stand on. Callers must ask db_read_proved about the rules that they use in an answer.
bool db_named_rules(struct db *db, const char *version, bool all, struct named_rows *out,
                    struct err *err);
void named_rows_release(struct named_rows *rows);
// Keeps the new contents of some of the rows, in one transaction.
bool db_keep_named(struct db *db, const char *version, uint32_t n, const struct named_row *rows,
                   struct err *err);

#endif
