// SPDX-License-Identifier: Apache-2.0
// Internal to db/: the parts of writing a rule, within a transaction of the
// caller's.
#ifndef DB_PUT_H
#define DB_PUT_H

#include "db/db.h"

// The rule's row and what follows from its text; no name is made to stand for
// it.
bool put_text(struct db *db, const struct rule *rule, struct err *err);
// A verdict with its obligations and its counterexample, in place of any other.
bool put_verdict(struct db *db, const char *hash, const struct domain_report *report, int64_t run,
                 struct err *err);
bool put_remarks(struct db *db, const char *hash, const struct report *rep, struct err *err);
// Ends the transaction one way or the other.
bool put_finish(struct db *db, bool ok, struct err *err);

#endif
