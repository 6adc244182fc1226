// SPDX-License-Identifier: Apache-2.0
#include "db/outline.h"

#include "base/hash.h"
#include "db/sql.h"

// One layer's rules and outlines. The statements name the layers, not the views of both (L1 of
// db/layers.h): SQLite would write out the views of a join for every query. Here an index gives
// the order of the rules, and another one says which rules are proved.
#define OF_LAYER(layer, others, proved)                                                            \
    "SELECT r.hash, r.family, r.name, o.rule IS NOT NULL, o.version, o.roots, o.needs, o.depth, "  \
    "o.simplifies, o.seal FROM " layer ".rule r LEFT JOIN " layer                                  \
    ".outline o ON o.rule = r.hash WHERE " others "(" proved ") "
#define PROVED_IN(layer)                                                                           \
    "EXISTS (SELECT 1 FROM " layer ".verdict v WHERE v.rule = r.hash AND v.verdict = 'proved' "    \
    "AND v.verifier = '" VERIFIER_VERSION "' AND v.semantics = '" SEMANTICS_VERSION "')"
#define IN_ORDER "ORDER BY 2, 3, 1"

#define NOT_OF_LIBRARY "NOT EXISTS (SELECT 1 FROM library.rule l WHERE l.hash = r.hash) AND "
#define OF_LIBRARY OF_LAYER("library", "", PROVED_IN("library") " OR " PROVED_IN("main"))

static const char *const of_both =
    OF_LIBRARY "UNION ALL " OF_LAYER("main", NOT_OF_LIBRARY, PROVED_IN("main")) IN_ORDER;
static const char *const of_one = OF_LAYER("main", "", PROVED_IN("main")) IN_ORDER;

// A number that another rule, another version or other facts would not have.
static int64_t seal_of(const struct outline_row *row, const char *version)
{
    uint64_t seal = hash_bytes(row->hash, strlen(row->hash), 1);
    seal = hash_bytes(version, strlen(version), seal);
    seal = hash_u64(row->roots, seal);
    seal = hash_u64(row->needs, seal);
    return (int64_t)hash_u64((uint64_t)row->depth << 1 | row->simplifies, seal);
}

static void read_outline(struct stmt *stmt, const char *version, struct outline_row *row)
{
    if (sqlite3_column_int(stmt->at, 3) == 0 || strcmp(stmt_column(stmt, 4), version) != 0)
        return;
    struct outline_row read = {.hash = row->hash, .known = true};
    read.roots = (uint64_t)sqlite3_column_int64(stmt->at, 5);
    read.needs = (uint64_t)sqlite3_column_int64(stmt->at, 6);
    read.depth = (uint32_t)sqlite3_column_int64(stmt->at, 7);
    read.simplifies = sqlite3_column_int64(stmt->at, 8) != 0;
    if (seal_of(&read, version) == sqlite3_column_int64(stmt->at, 9))
        *row = read;
}

bool db_outlines(struct db *db, const char *version, struct outline_rows *out, struct err *err)
{
    *out = (struct outline_rows){0};
    struct stmt stmt = stmt_open(db, db->has_library ? of_both : of_one, err);
    while (stmt_row(&stmt)) {
        struct outline_row row = {.hash = arena_strdup(&out->mem, stmt_column(&stmt, 0))};
        read_outline(&stmt, version, &row);
        vec_push(&out->at, row);
    }
    if (stmt_close(&stmt))
        return true;
    outline_rows_release(out);
    return false;
}

void outline_rows_release(struct outline_rows *rows)
{
    vec_release(&rows->at);
    arena_release(&rows->mem);
    *rows = (struct outline_rows){0};
}

bool db_keep_outlines(struct db *db, const char *version, uint32_t n,
                      const struct outline_row *rows, struct err *err)
{
    if (!db_begin(db, err))
        return false;
    struct stmt stmt =
        stmt_open(db,
                  "INSERT OR REPLACE INTO main.outline SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
                  "WHERE EXISTS (SELECT 1 FROM main.rule WHERE hash = ?1)",
                  err);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&stmt, 1, rows[i].hash);
        stmt_text(&stmt, 2, version);
        stmt_int(&stmt, 3, (int64_t)rows[i].roots);
        stmt_int(&stmt, 4, (int64_t)rows[i].needs);
        stmt_int(&stmt, 5, rows[i].depth);
        stmt_int(&stmt, 6, rows[i].simplifies);
        stmt_int(&stmt, 7, seal_of(&rows[i], version));
        stmt_run(&stmt);
    }
    if (stmt_close(&stmt) && db_commit(db, err))
        return true;
    db_rollback(db);
    return false;
}

bool db_forget_outlines(struct db *db, struct err *err)
{
    return db_exec(db, "DELETE FROM main.outline", err);
}
