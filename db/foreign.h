// SPDX-License-Identifier: Apache-2.0
// Whether a file is a rule database in shape: before anything else is read, since a view, a
// virtual table or a computed column in the place of a table could run for ever, or say something
// else at each reading.
#ifndef DB_FOREIGN_H
#define DB_FOREIGN_H

#include "db/sql.h"

// The digest of a new database of the newest version. A database with this digest is in shape,
// and nothing else has to be compared. A test compares the constant with schema.sql.
#define NEWEST_SCHEMA "7577dbc15a135c3eee21dbf397224e23df5f0a33c6d851a4291d7e4d3689196f"
// SHA-256 of the version and of all texts from which SQLite makes the schema.
bool schema_digest(struct db *db, const char *schema, uint32_t version, char hex[65],
                   struct err *err);

// Fails unless the schema (main or library) of the file `path` has tables and indexes only, and
// each table of this version of the rule database with its columns. Tables of other names may
// be there: nobody reads them. `make` writes the tables of that version into a new database.
bool schema_is_plain(struct db *db, const char *schema, const char *path, uint32_t version,
                     bool (*make)(struct db *db, uint32_t version, struct err *err),
                     struct err *err);

#endif
