// SPDX-License-Identifier: Apache-2.0
#include "db/outline.h"

#include "base/hash.h"
#include "db/sql.h"

// The statements name the layers, not the views of both (L1 of db/layers.h): SQLite would write out
// the views of a join for every query. Each table is read once, from its beginning to its end: to
// look up every rule of a library in its verdicts and outlines takes longer. So the library's rules
// are listed whether they are proved or not.
#define RULES_OF(layer) "SELECT hash, family, name FROM " layer ".rule r "
#define PROVED                                                                                     \
    "EXISTS (SELECT 1 FROM main.verdict v WHERE v.rule = r.hash AND v.verdict = 'proved' "         \
    "AND v.verifier = '" VERIFIER_VERSION "' AND v.semantics = '" SEMANTICS_VERSION "') "
#define NOT_OF_LIBRARY "NOT EXISTS (SELECT 1 FROM library.rule l WHERE l.hash = r.hash) AND "
// An index gives the order.
#define IN_ORDER "ORDER BY 2, 3, 1"
static const char *const of_both =
    RULES_OF("library") "UNION ALL " RULES_OF("main") "WHERE " NOT_OF_LIBRARY PROVED IN_ORDER;
static const char *const of_one = RULES_OF("main") "WHERE " PROVED IN_ORDER;

#define OUTLINES_OF(layer)                                                                         \
    "SELECT rule, version, roots, needs, depth, simplifies, seal FROM " layer ".outline"
static const char *const outlines[] = {OUTLINES_OF("main"), OUTLINES_OF("library")};

// A number that another rule, another version or other facts would not have.
static int64_t seal_of(const struct outline_row *row, const char *version)
{
    uint64_t seal = hash_bytes(row->hash, strlen(row->hash), 1);
    seal = hash_bytes(version, strlen(version), seal);
    seal = hash_u64(row->roots, seal);
    seal = hash_u64(row->needs, seal);
    return (int64_t)hash_u64((uint64_t)row->depth << 32 | row->makes, seal);
}

static void read_outline(struct stmt *stmt, const char *version, struct outline_row *row)
{
    if (row->known || strcmp(stmt_column(stmt, 1), version) != 0)
        return;
    struct outline_row read = {.hash = row->hash, .known = true};
    read.roots = (uint64_t)sqlite3_column_int64(stmt->at, 2);
    read.needs = (uint64_t)sqlite3_column_int64(stmt->at, 3);
    read.depth = (uint32_t)sqlite3_column_int64(stmt->at, 4);
    read.makes = (uint32_t)sqlite3_column_int64(stmt->at, 5);
    if (seal_of(&read, version) == sqlite3_column_int64(stmt->at, 6))
        *row = read;
}

// The number of the rule in the list; the list's length or more: it is not there.
static uint32_t number_of(struct outline_rows *out, struct stmt *stmt)
{
    return intern_str(&out->hashes, stmt_column(stmt, 0)) - 1; // 0 is the empty string
}

static bool read_rules(struct db *db, struct outline_rows *out, struct err *err)
{
    struct stmt stmt = stmt_open_layer(db, db->has_library ? of_both : of_one, err);
    while (stmt_row(&stmt)) {
        uint32_t number = number_of(out, &stmt);
        struct outline_row row = {.hash = intern_text(&out->hashes, number + 1)};
        if (number == out->at.len)
            vec_push(&out->at, row);
    }
    return stmt_close(&stmt);
}

// An outline that has its seal is that of its rule, whichever layer it is from.
static bool read_outlines(struct db *db, const char *version, bool of_library,
                          struct outline_rows *out, struct err *err)
{
    struct stmt stmt = stmt_open_layer(db, outlines[of_library], err);
    while (stmt_row(&stmt)) {
        uint32_t number = number_of(out, &stmt);
        if (number < out->at.len)
            read_outline(&stmt, version, &out->at.at[number]);
    }
    return stmt_close(&stmt);
}

bool db_outlines(struct db *db, const char *version, struct outline_rows *out, struct err *err)
{
    *out = (struct outline_rows){0};
    intern_init(&out->hashes);
    if (read_rules(db, out, err) &&
        (!db->has_library || read_outlines(db, version, true, out, err)) &&
        read_outlines(db, version, false, out, err))
        return true;
    outline_rows_release(out);
    return false;
}

void outline_rows_release(struct outline_rows *rows)
{
    vec_release(&rows->at);
    intern_release(&rows->hashes);
    *rows = (struct outline_rows){0};
}

bool db_keep_outlines(struct db *db, const char *version, uint32_t n,
                      const struct outline_row *rows, struct err *err)
{
    if (!db_begin(db, err))
        return false;
    struct stmt stmt =
        stmt_open_layer(db,
                        "INSERT OR REPLACE INTO main.outline SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
                        "WHERE EXISTS (SELECT 1 FROM main.rule WHERE hash = ?1)",
                        err);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&stmt, 1, rows[i].hash);
        stmt_text(&stmt, 2, version);
        stmt_int(&stmt, 3, (int64_t)rows[i].roots);
        stmt_int(&stmt, 4, (int64_t)rows[i].needs);
        stmt_int(&stmt, 5, rows[i].depth);
        stmt_int(&stmt, 6, rows[i].makes);
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
