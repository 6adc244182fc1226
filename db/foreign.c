// SPDX-License-Identifier: Apache-2.0
#include "db/foreign.h"

#include "base/hash.h"
#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "base/text/buf.h"
#include <stdio.h>

// Objects that are neither tables nor indexes.
static bool has_only_tables(struct db *db, const char *schema, const char *path, struct err *err)
{
    struct buf sql = {0};
    buf_printf(&sql,
               "SELECT CASE WHEN sql LIKE 'CREATE VIRTUAL%%' THEN 'virtual table' ELSE type END, "
               "name FROM %s.sqlite_schema WHERE type NOT IN ('table', 'index') OR "
               "sql LIKE 'CREATE VIRTUAL%%' ORDER BY name LIMIT 1",
               schema);
    struct stmt stmt = stmt_open_layer(db, buf_text(&sql), err);
    buf_release(&sql);
    if (stmt_row(&stmt)) {
        stmt.failed = true;
        err_at(err, ERR_DB, path, 0, 0,
               "expected a rule database, of tables and indexes only, found the "
               "%.20s %.60s",
               stmt_column(&stmt, 0), stmt_column(&stmt, 1));
    }
    return stmt_close(&stmt);
}

// A line for each table: its name, and of each column name, type, place in the key, and whether
// it is computed.
struct shapes {
    struct arena mem;
    VEC(const char *) table, columns;
};

static void shapes_release(struct shapes *shapes)
{
    vec_release(&shapes->table);
    vec_release(&shapes->columns);
    arena_release(&shapes->mem);
}

static bool read_shapes(struct db *db, const char *schema, struct shapes *out, struct err *err)
{
    struct buf sql = {0}, columns = {0};
    buf_printf(&sql,
               "SELECT m.name, c.name, c.type, c.pk, c.hidden FROM %s.sqlite_schema m, "
               "pragma_table_xinfo(m.name, '%s') c WHERE m.type = 'table' AND "
               "m.name NOT LIKE 'sqlite_%%' ORDER BY m.name, c.cid",
               schema, schema);
    struct stmt stmt = stmt_open_layer(db, buf_text(&sql), err);
    while (stmt_row(&stmt)) {
        const char *name = stmt_column(&stmt, 0);
        if (out->table.len == 0 || strcmp(vec_last(&out->table), name) != 0) {
            vec_push(&out->table, arena_strdup(&out->mem, name));
            vec_push(&out->columns, "");
            buf_clear(&columns);
        }
        buf_printf(&columns, " %s %s %lld %lld,", stmt_column(&stmt, 1), stmt_column(&stmt, 2),
                   (long long)sqlite3_column_int64(stmt.at, 3),
                   (long long)sqlite3_column_int64(stmt.at, 4));
        vec_last(&out->columns) = arena_strdup(&out->mem, buf_text(&columns));
    }
    buf_release(&sql);
    buf_release(&columns);
    return stmt_close(&stmt);
}

static const char *columns_of(const struct shapes *shapes, const char *table)
{
    for (uint32_t i = 0; i < shapes->table.len; i++)
        if (strcmp(shapes->table.at[i], table) == 0)
            return shapes->columns.at[i];
    return NULL;
}

// The tables of a new database of this version.
static bool expected_shapes(uint32_t version,
                            bool (*make)(struct db *db, uint32_t version, struct err *err),
                            struct shapes *out, struct err *err)
{
    struct db new = {.path = ":memory:"};
    bool ok = sqlite3_open(":memory:", &new.handle) == SQLITE_OK ||
              err_set(err, ERR_DB, "the database library cannot be used");
    for (uint32_t v = 1; ok && v <= version; v++)
        ok = make(&new, v, err);
    ok = ok && read_shapes(&new, "main", out, err);
    (void)sqlite3_close(new.handle);
    return ok;
}

bool schema_digest(struct db *db, const char *schema, uint32_t version, char hex[65],
                   struct err *err)
{
    struct buf sql = {0}, text = {0};
    buf_printf(&sql, "SELECT type, name, tbl_name, sql FROM %s.sqlite_schema ORDER BY 1, 2",
               schema);
    struct stmt stmt = stmt_open_layer(db, buf_text(&sql), err);
    buf_printf(&text, "%u\n", version);
    while (stmt_row(&stmt))
        for (int i = 0; i < 4; i++) {
            const char *column = stmt_column(&stmt, i);
            buf_write(&text, column, strlen(column) + 1);
        }
    sha256_hex(buf_text(&text), text.len, hex);
    buf_release(&sql);
    buf_release(&text);
    return stmt_close(&stmt);
}

bool schema_is_plain(struct db *db, const char *schema, const char *path, uint32_t version,
                     bool (*make)(struct db *db, uint32_t version, struct err *err),
                     struct err *err)
{
    struct shapes expected = {0}, found = {0};
    char digest[65];
    if (!schema_digest(db, schema, version, digest, err))
        return false;
    if (strcmp(digest, NEWEST_SCHEMA) == 0)
        return true;
    bool ok = has_only_tables(db, schema, path, err) &&
              expected_shapes(version, make, &expected, err) &&
              read_shapes(db, schema, &found, err);
    for (uint32_t i = 0; ok && i < expected.table.len; i++) {
        const char *name = expected.table.at[i], *columns = columns_of(&found, name);
        if (columns == NULL || strcmp(columns, expected.columns.at[i]) != 0)
            ok = err_at(err, ERR_DB, path, 0, 0,
                        "expected a rule database, found one whose table %s %s", name,
                        columns == NULL ? "is missing" : "has other columns");
    }
    shapes_release(&expected);
    shapes_release(&found);
    return ok;
}
