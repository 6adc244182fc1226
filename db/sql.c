// SPDX-License-Identifier: Apache-2.0
#include "db/sql.h"

bool db_fail(struct db *db, struct err *e, const char *what)
{
    return err_set(e, ERR_DB, "%s: %s: %s", db->path, what,
                   sqlite3_errmsg(db->handle));
}

bool db_exec(struct db *db, const char *sql, struct err *e)
{
    if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return db_fail(db, e, "the database refused a statement");
    return true;
}

bool db_begin(struct db *db, struct err *e)
{
    return db_exec(db, "BEGIN IMMEDIATE", e);
}

bool db_commit(struct db *db, struct err *e)
{
    return db_exec(db, "COMMIT", e);
}

void db_rollback(struct db *db)
{
    // An error may already have ended the transaction.
    if (!sqlite3_get_autocommit(db->handle))
        (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

static void failed(struct stmt *s, const char *what)
{
    if (!s->failed)
        (void)db_fail(s->db, s->e, what);
    s->failed = true;
}

struct stmt stmt_open(struct db *db, const char *sql, struct err *e)
{
    struct stmt s = {.db = db, .e = e};
    if (sqlite3_prepare_v2(db->handle, sql, -1, &s.at, NULL) != SQLITE_OK)
        failed(&s, "cannot prepare a statement");
    return s;
}

struct stmt stmt_cached(struct db *db, const char *sql, struct err *e)
{
    for (int i = 0; i < DB_CACHE; i++) {
        if (!db->cache[i].sql) {
            struct stmt s = stmt_open(db, sql, e);
            if (s.failed)
                return s;
            db->cache[i].sql = sql;
            db->cache[i].at = s.at;
        }
        if (db->cache[i].sql == sql)
            return (struct stmt){
                .db = db, .at = db->cache[i].at, .e = e, .cached = true};
    }
    return stmt_open(db, sql, e);
}

void stmt_text(struct stmt *s, int at, const char *text)
{
    if (!s->failed &&
        sqlite3_bind_text(s->at, at, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        failed(s, "cannot bind a text");
}

void stmt_int(struct stmt *s, int at, int64_t v)
{
    if (!s->failed && sqlite3_bind_int64(s->at, at, v) != SQLITE_OK)
        failed(s, "cannot bind a number");
}

void stmt_real(struct stmt *s, int at, double v)
{
    if (!s->failed && sqlite3_bind_double(s->at, at, v) != SQLITE_OK)
        failed(s, "cannot bind a number");
}

bool stmt_row(struct stmt *s)
{
    if (s->failed)
        return false;
    int rc = sqlite3_step(s->at);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        failed(s, "the database cannot be read or written");
    return false;
}

const char *stmt_column(struct stmt *s, int at)
{
    const unsigned char *text = sqlite3_column_text(s->at, at);
    return text ? (const char *)text : "";
}

void stmt_run(struct stmt *s)
{
    (void)stmt_row(s);
    if (s->at)
        (void)sqlite3_reset(s->at);
}

bool stmt_close(struct stmt *s)
{
    if (s->at && s->cached)
        (void)sqlite3_reset(s->at);
    else if (s->at)
        (void)sqlite3_finalize(s->at);
    s->at = NULL;
    return !s->failed;
}
