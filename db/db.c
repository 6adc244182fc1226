// SPDX-License-Identifier: Apache-2.0
#include "db/db.h"

#include "base/memory/vec.h"
#include "db/foreign.h"
#include "db/layers.h"
#include "db/schema.h"
#include "db/sql.h"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x52574b31 // "RWK1", marks the file as ours

static const char marker[] = "-- version ";

// The text of section `version` of the schema; NULL after the last.
static const char *section(uint32_t version, size_t *len)
{
    char head[32];
    snprintf(head, sizeof head, "%s%u:", marker, version);
    const char *at = strstr(schema_sql, head);
    if (!at)
        return NULL;
    const char *end = strstr(at + sizeof marker, marker);
    *len = end ? (size_t)(end - at) : strlen(at);
    return at;
}

static uint32_t newest_version(void)
{
    uint32_t v = 0;
    size_t len;
    while (section(v + 1, &len))
        v++;
    return v;
}

static bool pragma_int(struct db *db, const char *sql, int64_t *out, struct err *err)
{
    struct stmt stmt = stmt_open_layer(db, sql, err);
    if (stmt_row(&stmt))
        *out = sqlite3_column_int64(stmt.at, 0);
    return stmt_close(&stmt);
}

static bool apply_section(struct db *db, uint32_t version, struct err *err)
{
    size_t len;
    const char *at = section(version, &len);
    char *sql = mem_alloc(len + 1);
    memcpy(sql, at, len);
    char tail[96];
    snprintf(tail, sizeof tail, "PRAGMA application_id = %d; PRAGMA user_version = %u;",
             APPLICATION_ID, version);
    bool ok = db_exec(db, sql, err) && db_exec(db, tail, err);
    mem_free(sql);
    return ok;
}

// The application id and the schema version of the file.
struct schema_state {
    int64_t version, application, tables;
};

// Reads both from one state of the file: callers must have begun a transaction.
// Another process may write the schema between two transactions.
static bool read_state(struct db *db, const char *schema, struct schema_state *out, struct err *err)
{
    char version[64], application[64], tables[64];
    *out = (struct schema_state){0};
    snprintf(version, sizeof version, "PRAGMA %s.user_version", schema);
    snprintf(application, sizeof application, "PRAGMA %s.application_id", schema);
    snprintf(tables, sizeof tables, "SELECT count(*) FROM %s.sqlite_schema", schema);
    return pragma_int(db, version, &out->version, err) &&
           pragma_int(db, application, &out->application, err) &&
           pragma_int(db, tables, &out->tables, err);
}

static bool is_ours(const char *path, const struct schema_state *schema_state, struct err *err)
{
    return (schema_state->tables == 0 && schema_state->application == 0) ||
           schema_state->application == APPLICATION_ID ||
           err_at(err, ERR_DB, path, 0, 0,
                  "expected a rule database, found an "
                  "SQLite database of another program");
}

static bool check_state(struct db *db, const struct schema_state *schema_state, struct err *err)
{
    if (!is_ours(db->path, schema_state, err))
        return false;
    if (schema_state->version > newest_version())
        return err_at(err, ERR_DB, db->path, 0, 0,
                      "the database has schema version %lld, "
                      "newer than this program's %u",
                      (long long)schema_state->version, newest_version());
    if (schema_state->version < 0)
        return err_at(err, ERR_DB, db->path, 0, 0, "bad schema version %lld",
                      (long long)schema_state->version);
    return schema_is_plain(db, "main", db->path, (uint32_t)schema_state->version, apply_section,
                           err);
}

// Applies the missing sections of the schema.  The file is read and checked
// again under the write lock, since another process may have written meanwhile.
static bool migrate(struct db *db, struct err *err)
{
    struct schema_state schema_state;
    if (!db_begin(db, err))
        return false;
    bool ok = read_state(db, "main", &schema_state, err) && check_state(db, &schema_state, err);
    for (int64_t v = schema_state.version + 1; ok && v <= newest_version(); v++)
        ok = apply_section(db, (uint32_t)v, err);
    if (ok && db_commit(db, err))
        return true;
    db_rollback(db);
    return false;
}

// *newest: the file has the schema of this program.
static bool is_newest(struct db *db, bool *newest, struct err *err)
{
    struct schema_state schema_state;
    bool ok = db_exec(db, "BEGIN", err) && read_state(db, "main", &schema_state, err) &&
              check_state(db, &schema_state, err);
    db_end(db);
    *newest = ok && schema_state.version == newest_version();
    if (ok && !*newest && !db->writable && schema_state.tables == 0)
        return err_at(err, ERR_DB, db->path, 0, 0,
                      "expected a rule database, found an empty file; any command that writes "
                      "(prove) makes a database of it");
    return ok && (*newest || db->writable ||
                  err_at(err, ERR_DB, db->path, 0, 0,
                         "the database has schema version %lld, older "
                         "than this program's %u; any command that writes (prove) "
                         "updates it",
                         (long long)schema_state.version, newest_version()));
}

static bool check_version(struct db *db, struct err *err)
{
    bool newest;
    return is_newest(db, &newest, err) &&
           (newest || (migrate(db, err) && is_newest(db, &newest, err)));
}

bool schema_is_newest(struct db *db, const char *schema, const char *path, bool *yes,
                      struct err *err)
{
    struct schema_state schema_state;
    bool ok = db_exec(db, "BEGIN", err) && read_state(db, schema, &schema_state, err) &&
              is_ours(path, &schema_state, err);
    *yes = ok && schema_state.version == newest_version();
    ok = ok && (!*yes || schema_is_plain(db, schema, path, newest_version(), apply_section, err));
    db_end(db);
    return ok;
}

// Names that begin as a URI does are files all the same.
static const char *file_name(const char *path, struct buf *out)
{
    buf_printf(out, "%s%s", strncmp(path, "file:", 5) == 0 ? "./" : "", path);
    return buf_text(out);
}

bool db_copy(struct db *db, const char *path, struct err *err)
{
    sqlite3 *copy = NULL;
    struct buf file = {0};
    bool ok = sqlite3_open(file_name(path, &file), &copy) == SQLITE_OK;
    buf_release(&file);
    sqlite3_backup *pages = ok ? sqlite3_backup_init(copy, "main", db->handle, "main") : NULL;
    ok = pages != NULL && sqlite3_backup_step(pages, -1) == SQLITE_DONE;
    ok = sqlite3_backup_finish(pages) == SQLITE_OK && ok;
    if (!ok)
        err_at(err, ERR_DB, path, 0, 0, "cannot copy the database: %s",
               copy ? sqlite3_errmsg(copy) : "out of memory");
    sqlite3_close(copy);
    return ok;
}

// A folder, a device or a pipe can hold no database; SQLite would say that its disk fails.
bool database_is_regular(const char *path, struct err *err)
{
    struct stat st;
    struct buf file = {0};
    bool other = strcmp(path, ":memory:") != 0 && stat(file_name(path, &file), &st) == 0 &&
                 !S_ISREG(st.st_mode);
    buf_release(&file);
    return !other || err_at(err, ERR_DB, path, 0, 0, "expected a database, found %s",
                            S_ISDIR(st.st_mode) ? "a folder" : "a device, a pipe or a socket");
}

bool db_open(struct db **out, const char *path, enum db_mode mode, double seconds, struct err *err)
{
    struct db *db = mem_alloc(sizeof *db);
    *out = NULL;
    if (!database_is_regular(path, err)) {
        mem_free(db);
        return false;
    }
    snprintf(db->path, sizeof db->path, "%s", path);
    db->writable = mode == DB_WRITE;
    if (!db->writable && access(path, F_OK) != 0) {
        err_at(err, ERR_IO, path, 0, 0, "no such database (rankwright prove makes it)");
        mem_free(db);
        return false;
    }
    // A reader too must be able to roll back the changes of a killed writer. If
    // the reader may not write, SQLite opens the file for reading by itself. One thread at a time
    // is inside a connection (include/rankwright.h): SQLite need not lock it at every call.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI |
                (db->writable ? SQLITE_OPEN_CREATE : 0);
    struct buf file = {0};
    bool ok = sqlite3_open_v2(file_name(path, &file), &db->handle, flags, NULL) == SQLITE_OK;
    buf_release(&file);
    if (!ok)
        err_at(err, ERR_DB, path, 0, 0, "cannot open the database: %s",
               db->handle ? sqlite3_errmsg(db->handle) : "out of memory");
    if (ok)
        (void)sqlite3_rollback_hook(db->handle, layers_rolled_back, db);
    // A file cannot make the library run code of its own, or hold values without end.
    ok = ok && sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
         sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, DB_VALUE_BYTES) > 0 &&
         sqlite3_busy_timeout(db->handle, (int)(seconds * 1000)) == SQLITE_OK &&
         db_exec(db,
                 "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; "
                 "PRAGMA temp_store = MEMORY;",
                 err) &&
         check_version(db, err) &&
         (db->writable || db_exec(db, "PRAGMA query_only = ON; " KEEP_FEW_PAGES("main"), err));
    if (ok && db->writable && sqlite3_db_readonly(db->handle, "main") == 1)
        ok = err_at(err, ERR_DB, path, 0, 0, "the database cannot be written");
    if (!ok) {
        db_close(db);
        return false;
    }
    *out = db;
    return true;
}

bool db_writable(const struct db *db)
{
    return db->writable;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    for (int i = 0; i < DB_STATEMENTS; i++)
        (void)sqlite3_finalize(db->cache[i].at);
    (void)sqlite3_close(db->handle);
    mem_free(db);
}

bool db_check(struct db *db, struct err *err)
{
    struct stmt stmt = stmt_open(db, "PRAGMA integrity_check(1)", err);
    bool ok = stmt_row(&stmt) && strcmp(stmt_column(&stmt, 0), "ok") == 0;
    if (!ok && !stmt.failed)
        err_at(err, ERR_DB, db->path, 0, 0, "damaged: %s", stmt_column(&stmt, 0));
    if (!stmt_close(&stmt) || !ok)
        return false;
    stmt = stmt_open(db, "PRAGMA foreign_key_check", err);
    if (stmt_row(&stmt))
        ok = err_at(err, ERR_DB, db->path, 0, 0, "a row of table %s refers to a missing row",
                    stmt_column(&stmt, 0));
    return stmt_close(&stmt) && ok;
}

bool db_stamp(struct db *db, int64_t *stamp, struct err *err)
{
    *stamp = 0;
    return pragma_int(db, "PRAGMA data_version", stamp, err);
}

bool db_run_begin(struct db *db, const char *command, const char *solver, int64_t *run,
                  struct err *err)
{
    struct stmt stmt =
        stmt_open(db,
                  "INSERT INTO main.run(started, command, verifier, semantics, solver) "
                  "VALUES (strftime('%Y-%m-%dT%H:%M:%SZ','now'), ?, ?, ?, ?)",
                  err);
    stmt_text(&stmt, 1, command);
    stmt_text(&stmt, 2, VERIFIER_VERSION);
    stmt_text(&stmt, 3, SEMANTICS_VERSION);
    stmt_text(&stmt, 4, solver);
    stmt_run(&stmt);
    *run = sqlite3_last_insert_rowid(db->handle);
    return stmt_close(&stmt);
}

bool db_run_finish(struct db *db, int64_t run, struct err *err)
{
    struct stmt stmt =
        stmt_open(db,
                  "UPDATE main.run SET finished = strftime('%Y-%m-%dT%H:%M:%SZ','now') "
                  "WHERE id = ?",
                  err);
    stmt_int(&stmt, 1, run);
    stmt_run(&stmt);
    return stmt_close(&stmt);
}
