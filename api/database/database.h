// SPDX-License-Identifier: Apache-2.0
#ifndef API_DATABASE_DATABASE_H
#define API_DATABASE_DATABASE_H

#include "api/context.h"
#include "db/db.h"

struct rw_database {
    struct rw_context *context;
    struct db *db;
    char *path;
};

// As rw_database_open, but bare (db_open_bare).
struct rw_database *database_open_bare(struct rw_context *context, const char *path,
                                       enum rw_mode mode, double wait, struct rw_error *error);
// db_lay_alone of the database.
bool database_lay_alone(struct rw_database *database, struct err *err);

#endif
