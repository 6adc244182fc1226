// SPDX-License-Identifier: Apache-2.0
#include "api/database/database.h"

#define MAX_WAIT 1e6 // seconds

struct rw_database *rw_database_open(struct rw_context *context, const char *path,
                                     enum rw_mode mode, double wait, struct rw_error *error)
{
    struct err err = {0};
    struct db *db = NULL;
    bool ok =
        path != NULL || err_set(&err, ERR_USAGE, "expected the path of a database, found none");
    ok = ok && (mode == RW_READ || mode == RW_WRITE ||
                err_set(&err, ERR_USAGE, "%s: no such mode: %d", path, (int)mode));
    ok = ok && ((wait >= 0 && wait <= MAX_WAIT) ||
                err_set(&err, ERR_USAGE, "%s: expected to wait 0 to %g seconds, found %g", path,
                        MAX_WAIT, wait));
    if (!ok || !db_open(&db, path, mode == RW_WRITE ? DB_WRITE : DB_READ, wait, &err)) {
        error_give(&err, error);
        return NULL;
    }
    struct rw_database *database = mem_alloc(sizeof *database);
    database->context = context;
    database->db = db;
    database->path = text_copy(path);
    return database;
}

void rw_database_close(struct rw_database *database)
{
    if (database == NULL)
        return;
    db_close(database->db);
    mem_free(database->path);
    mem_free(database);
}

bool rw_database_lay_over(struct rw_database *database, const char *library, struct rw_error *error)
{
    struct err err = {0};
    bool fits;
    if (library == NULL)
        err_set(&err, ERR_USAGE, "expected the path of a database, found none");
    else if (db_lay_over(database->db, library, NULL, &fits, &err) && !fits)
        err_set(&err, ERR_DB, "%s: expected a database of this version, found an older one",
                library);
    return err.kind == ERR_NONE || error_give(&err, error);
}

bool rw_query_sql(struct rw_database *database, const char *sql,
                  void (*row)(void *user, int n, const char *const *names,
                              const char *const *texts),
                  void *user, struct rw_error *error)
{
    struct err err = {0};
    if (sql == NULL || row == NULL) {
        err_set(&err, ERR_USAGE, "expected a statement and a function for its rows, found none");
        return error_give(&err, error);
    }
    return db_sql(database->db, sql, row, user, &err) || error_give(&err, error);
}
