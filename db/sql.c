// SPDX-License-Identifier: Apache-2.0
#include "db/sql.h"

#include "base/hash.h"
#include "db/layers.h"
#include <jansson.h>

bool db_fail(struct db *db, struct err *err, const char *what)
{
    return err_at(err, ERR_DB, db->path, 0, 0, "%s: %s", what, sqlite3_errmsg(db->handle));
}

bool db_exec(struct db *db, const char *sql, struct err *err)
{
    if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return db_fail(db, err, "the database refused a statement");
    return true;
}

bool db_begin(struct db *db, struct err *err)
{
    return db_exec(db, "BEGIN IMMEDIATE", err);
}

bool db_commit(struct db *db, struct err *err)
{
    bool ok = db_exec(db, "COMMIT", err);
    db->pending = db->pending && !ok;
    return ok;
}

void db_rollback(struct db *db)
{
    // An error may already have ended the transaction.
    if (!sqlite3_get_autocommit(db->handle))
        (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

void db_end(struct db *db)
{
    struct err none = {0};
    // Not a rollback, which would take views away that were made meanwhile.
    if (sqlite3_get_autocommit(db->handle) || !db_commit(db, &none))
        db_rollback(db);
}

static void failed(struct stmt *stmt, const char *what)
{
    if (!stmt->failed)
        (void)db_fail(stmt->db, stmt->err, what);
    stmt->failed = true;
}

struct stmt stmt_open_layer(struct db *db, const char *sql, struct err *err)
{
    struct stmt stmt = {.db = db, .err = err};
    if (sqlite3_prepare_v2(db->handle, sql, -1, &stmt.at, NULL) != SQLITE_OK)
        failed(&stmt, "cannot prepare a statement");
    return stmt;
}

struct stmt stmt_open(struct db *db, const char *sql, struct err *err)
{
    if (!layers_have_views(db, err))
        return (struct stmt){.db = db, .err = err, .failed = true};
    return stmt_open_layer(db, sql, err);
}

struct stmt stmt_cached_layer(struct db *db, const char *sql, struct err *err)
{
    for (int i = 0; i < DB_STATEMENTS; i++) {
        if (!db->cache[i].sql) {
            struct stmt stmt = stmt_open_layer(db, sql, err);
            if (stmt.failed)
                return stmt;
            db->cache[i].sql = sql;
            db->cache[i].at = stmt.at;
        }
        if (db->cache[i].sql == sql)
            return (struct stmt){.db = db, .at = db->cache[i].at, .err = err, .cached = true};
    }
    return stmt_open_layer(db, sql, err);
}

struct stmt stmt_cached(struct db *db, const char *sql, struct err *err)
{
    if (!layers_have_views(db, err))
        return (struct stmt){.db = db, .err = err, .failed = true};
    return stmt_cached_layer(db, sql, err);
}

void stmt_text(struct stmt *stmt, int at, const char *text)
{
    if (!stmt->failed && sqlite3_bind_text(stmt->at, at, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        failed(stmt, "cannot bind a text");
}

void stmt_int(struct stmt *stmt, int at, int64_t v)
{
    if (!stmt->failed && sqlite3_bind_int64(stmt->at, at, v) != SQLITE_OK)
        failed(stmt, "cannot bind a number");
}

void stmt_real(struct stmt *stmt, int at, double v)
{
    if (!stmt->failed && sqlite3_bind_double(stmt->at, at, v) != SQLITE_OK)
        failed(stmt, "cannot bind a number");
}

bool stmt_row(struct stmt *stmt)
{
    if (stmt->failed)
        return false;
    int rc = sqlite3_step(stmt->at);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        failed(stmt, "the database cannot be read or written");
    return false;
}

const char *stmt_column(struct stmt *stmt, int at)
{
    const unsigned char *text = sqlite3_column_text(stmt->at, at);
    return text ? (const char *)text : "";
}

void stmt_run(struct stmt *stmt)
{
    (void)stmt_row(stmt);
    if (stmt->at)
        (void)sqlite3_reset(stmt->at);
}

bool stmt_close(struct stmt *stmt)
{
    if (stmt->at && stmt->cached)
        (void)sqlite3_reset(stmt->at);
    else if (stmt->at)
        (void)sqlite3_finalize(stmt->at);
    stmt->at = NULL;
    return !stmt->failed;
}

bool stmt_damaged(struct stmt *stmt, const char *what, const char *hash)
{
    if (!stmt->failed)
        err_at(stmt->err, ERR_DB, stmt->db->path, 0, 0, "%s of rule %.64s is damaged", what, hash);
    stmt->failed = true;
    return false;
}

bool stmt_is_intact(struct stmt *stmt, const char *hash, const char *canonical)
{
    char found[65];
    sha256_hex(canonical, strlen(canonical), found);
    return strcmp(found, hash) == 0 || stmt_damaged(stmt, "the text", hash);
}

bool stmt_is_founded(struct stmt *stmt, int at, const char *hash, const char *domain)
{
    const char *why = stmt_column(stmt, at);
    if (*why == '\0')
        return true;
    if (!stmt->failed)
        err_at(stmt->err, ERR_DB, stmt->db->path, 0, 0,
               "the verdict on rule %.64s in %s is damaged: proved, but %s (prove proves the "
               "rule again)",
               hash, domain, why);
    stmt->failed = true;
    return false;
}

bool is_counterexample(const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    bool yes = json_string_length(json_object_get(json, "text")) > 0;
    json_decref(json);
    return yes;
}

bool stmt_is_refuted(struct stmt *stmt, int at, const char *hash, const char *domain)
{
    if (is_counterexample(stmt_column(stmt, at)))
        return true;
    if (!stmt->failed)
        err_at(stmt->err, ERR_DB, stmt->db->path, 0, 0,
               "the verdict on rule %.64s in %s is damaged: refuted, but its counterexample cannot "
               "be read (prove proves the rule again)",
               hash, domain);
    stmt->failed = true;
    return false;
}
