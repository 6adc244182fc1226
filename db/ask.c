// SPDX-License-Identifier: Apache-2.0
// One SQL query of a user.
#include "db/db.h"
#include "db/layers.h"
#include "db/sql.h"

#include "base/memory/vec.h"

// Lets a statement read and nothing else: no ATTACH, no transaction, no setting.
static int only_reads(void *ctx, int action, const char *name, const char *value,
                      const char *database, const char *trigger)
{
    (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        if (strncmp(name, "table_", 6) == 0 || strncmp(name, "index_", 6) == 0 || value == NULL)
            return SQLITE_OK;
        break;
    default:
        break;
    }
    *(bool *)ctx = true;
    return SQLITE_DENY;
}

// Blanks, semicolons and comments alone.
static bool says_nothing(struct db *db, const char *sql)
{
    sqlite3_stmt *next = NULL;
    for (const char *tail = sql; *sql != 0; sql = tail) {
        bool none = sqlite3_prepare_v2(db->handle, sql, -1, &next, &tail) == SQLITE_OK && !next;
        sqlite3_finalize(next);
        if (!none || tail == sql)
            return none;
    }
    return true;
}

// A statement that cannot be understood is the user's fault, all else that of
// the database.
static bool refused(struct stmt *stmt)
{
    sqlite3 *handle = stmt->db->handle;
    if (!stmt->failed)
        return false;
    if (sqlite3_errcode(handle) == SQLITE_ERROR) {
        err_clear(stmt->err);
        err_set(stmt->err, ERR_USAGE, "SQL: %s", sqlite3_errmsg(handle));
    }
    return true;
}

static bool prepare(struct db *db, const char *sql, struct stmt *stmt, struct err *err)
{
    bool denied = false;
    const char *tail = sql;
    if (!layers_have_views(db, err))
        return false;
    sqlite3_set_authorizer(db->handle, only_reads, &denied);
    stmt->failed = sqlite3_prepare_v2(db->handle, sql, -1, &stmt->at, &tail) != SQLITE_OK;
    if (stmt->failed)
        db_fail(db, err, "cannot prepare a statement");
    bool ok = !refused(stmt);
    bool more = ok && !says_nothing(db, tail);
    sqlite3_set_authorizer(db->handle, NULL, NULL);
    if (denied || (ok && stmt->at && !sqlite3_stmt_readonly(stmt->at))) {
        err_clear(err);
        return err_set(err, ERR_USAGE, "SQL: only statements that read are allowed");
    }
    if (ok && !stmt->at)
        return err_set(err, ERR_USAGE, "SQL: expected a statement, found none");
    if (more)
        return err_set(err, ERR_USAGE, "SQL: expected one statement, found more behind it: %.60s",
                       tail + strspn(tail, " \t\r\n"));
    return ok;
}

static enum sql_kind kind_of(sqlite3_stmt *stmt, int column)
{
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_NULL:
        return SQL_NULL;
    case SQLITE_INTEGER:
        return SQL_INTEGER;
    case SQLITE_FLOAT:
        return SQL_REAL;
    case SQLITE_BLOB:
        return SQL_BLOB;
    default:
        return SQL_TEXT;
    }
}

bool db_sql(struct db *db, const char *sql, void (*row)(void *ctx, const struct sql_row *row),
            void *ctx, struct err *err)
{
    struct stmt stmt = {.db = db, .err = err};
    if (!prepare(db, sql, &stmt, err)) {
        sqlite3_finalize(stmt.at);
        return false;
    }
    int n = sqlite3_column_count(stmt.at);
    struct sql_value *value = mem_alloc(sizeof *value * (size_t)(n + 1));
    while (stmt_row(&stmt)) {
        for (int i = 0; i < n; i++) {
            enum sql_kind kind = kind_of(stmt.at, i);
            value[i] = (struct sql_value){sqlite3_column_name(stmt.at, i),
                                          kind == SQL_NULL ? NULL : stmt_column(&stmt, i),
                                          (size_t)sqlite3_column_bytes(stmt.at, i), kind};
        }
        row(ctx, &(struct sql_row){n, value});
    }
    mem_free(value);
    (void)refused(&stmt);
    return stmt_close(&stmt);
}
