// SPDX-License-Identifier: Apache-2.0
// Notes from the database on a rule that a record uses, for formats of records
// (proof/emit/emit.h).
#ifndef API_CHECK_NOTES_H
#define API_CHECK_NOTES_H

#include "base/memory/arena.h"
#include "proof/emit/emitter.h"

// `db` is a struct db.  A rule that the database does not have gets no notes.
bool notes_of_rule(void *db, const char *hash, struct arena *mem, struct rule_notes *out,
                   struct err *err);

#endif
