// SPDX-License-Identifier: Apache-2.0
// Internal to db/: the parts of writing a rule. Callers must have begun a
// transaction.
#ifndef DB_PUT_H
#define DB_PUT_H

#include "db/db.h"

// db/put_text.c
//
// Rows that follow from the rule are written again: `sql`, a literal, deletes those of a table.
bool put_clear(struct db *db, const char *sql, const char *hash, struct err *err);
// Writes the rule's row and the rows that follow from its text. No name is made
// to stand for the rule.
bool put_text(struct db *db, const struct rule *rule, struct err *err);
// The same, unless the user's layer has a text of the rule.
bool put_missing_text(struct db *db, const struct rule *rule, struct err *err);
// Makes the rule's name stand for it.
bool put_name(struct db *db, const struct rule *rule, struct err *err);

// db/put.c
//
// Writes a verdict with its obligations and its counterexample, in place of any
// other verdict.
bool put_verdict(struct db *db, const char *hash, const struct domain_report *report, int64_t run,
                 struct err *err);
bool put_remarks(struct db *db, const char *hash, const struct report *rep, struct err *err);
// Commits if `ok`, else rolls back.
bool put_finish(struct db *db, bool ok, struct err *err);

#endif
