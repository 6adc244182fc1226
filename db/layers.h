// SPDX-License-Identifier: Apache-2.0
// Two layers of rules in one connection: the user's database, and under it a library that
// nobody writes.
//
// layer    `user` (the schema `main` of SQLite) or `library` (the schema `library`).
// view     A temporary view for each table, under the table's name, with a column `layer`.
//
// L1  A statement that reads names the views, except where a join of the views would be slow
//     (db/outline.c). A statement that writes names `main.TABLE`.
// L2  Texts, origins, operators, preconditions and remarks of a rule of the library are those
//     of the library, whatever the user's layer has.
// L3  A verdict of the library stands, except beside these verdicts of the user's layer and of
//     the same versions: an answer where the library has none, and an unknown that says that
//     earlier verdicts must not stand.
// L4  Both layers have their own names (table current).
#ifndef DB_LAYERS_H
#define DB_LAYERS_H

#include "db/db.h"

// Makes the views of an open database, for one or for both layers.
bool layers_make_views(struct db *db, struct err *err);
// *yes: the schema of this name, which is the file `path`, has this program's version. Fails if
// the file is another program's, or no rule database in shape.
bool schema_is_newest(struct db *db, const char *schema, const char *path, bool *yes,
                      struct err *err);

// *yes: the library has the rule. False without a library.
bool layers_library_has(struct db *db, const char *hash, bool *yes, struct err *err);
// The library's verdict of the current versions. *there is false if the library has none.
bool layers_library_verdict(struct db *db, const char *hash, enum domain domain, bool *there,
                            enum verdict *verdict, struct err *err);

#endif
