// SPDX-License-Identifier: Apache-2.0
// Two layers of rules in one connection: the user's database, and under it a library that
// nobody writes.
//
// layer    `user` (the schema `main` of SQLite) or `library` (the schema `library`).
// view     A temporary view for each table, under the table's name, with a column `layer`. Views are
//          made for the first statement that may name one. Without them the same name would be that
//          of the user's table.
//
// L1  A statement that reads names the views, except where a join of the views would be slow
//     (db/outline.c, db/named.c), and where the library alone has the rule (L5). A statement that
//     writes names `main.TABLE`. Statements of which every table has its layer may be opened
//     without the views (stmt_open_layer).
// L2  Texts, origins, operators, preconditions and remarks of a rule of the library are those
//     of the library, whatever the user's layer has.
// L3  A verdict of the library stands, except beside these verdicts of the user's layer and of
//     the same versions: an answer where the library has none, and an unknown that says that
//     earlier verdicts must not stand.
// L4  Both layers have their own names (table current).
// L5  A layer has rows about those rules only of which it has the text (the foreign keys of the
//     schema). So the tables of one layer have all that the views have of a rule, if the other
//     layer does not speak of the rule. A damaged layer may have lost the text and still have a
//     verdict or a counterexample, which could stand against a proof: they speak of the rule too.
#ifndef DB_LAYERS_H
#define DB_LAYERS_H

#include "db/db.h"

// Makes the views of an open database, for one or for both layers, unless it has them: most
// commands on programs never name one.
bool layers_have_views(struct db *db, struct err *err);
// Views that were made in a transaction are gone when it is rolled back.
void layers_rolled_back(void *db);

// Condition: the layer `of`, "main." or "library.", speaks of the rule with this hash (L5).
#define SPEAKS_OF(of, hash)                                                                        \
    "(EXISTS (SELECT 1 FROM " of "rule s WHERE s.hash = " hash ") OR "                             \
    "EXISTS (SELECT 1 FROM " of "verdict s WHERE s.rule = " hash ") OR "                           \
    "EXISTS (SELECT 1 FROM " of "counterexample s WHERE s.rule = " hash "))"

// The name last written, if it still stands for this text. `of` is "" or a layer, and
// `same_layer` a condition on rule r and name k of the views.
#define RULE_NAME_IN(of, same_layer)                                                               \
    "coalesce((SELECT k.name FROM " of "current k WHERE k.hash = r.hash AND k.name = r.name AND "  \
    "k.family = r.family" same_layer "), (SELECT min(k.name) FROM " of                             \
    "current k WHERE k.hash = r.hash" same_layer "), r.name)"

// *yes: the schema of this name, which is the file `path`, has this program's version. Fails if
// the file is another program's, or no rule database in shape.
bool schema_is_newest(struct db *db, const char *schema, const char *path, bool *yes,
                      struct err *err);

// Fails if the file is there and can hold no database: a folder, a device.
bool database_is_regular(const char *path, struct err *err);

// *yes: the library has the rule. False without a library.
bool layers_library_has(struct db *db, const char *hash, bool *yes, struct err *err);
// *yes: there is a library, and the user's layer does not speak of the rule (L5). Statements that
// run once per rule name the tables of the library then: the views cost several times as much.
bool layers_library_alone(struct db *db, const char *hash, bool *yes, struct err *err);
// The library's verdict of the current versions. *there is false if the library has none.
bool layers_library_verdict(struct db *db, const char *hash, enum domain domain, bool *there,
                            enum verdict *verdict, struct err *err);

#endif
