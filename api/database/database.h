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

#endif
