// SPDX-License-Identifier: Apache-2.0
#include "db/named.h"

#include "db/sql.h"

// Of the current verifier.
#define PROVED_AS(v)                                                                               \
    " AND " v ".verdict = 'proved' AND " v ".verifier = '" VERIFIER_VERSION "' AND " v             \
    ".semantics = '" SEMANTICS_VERSION "' "

static const char *keep(struct named_rows *rows, struct stmt *stmt, int column)
{
    return arena_strdup(&rows->mem, stmt_column(stmt, column));
}

bool db_named_rules(struct db *db, const char *version, struct named_rows *out, struct err *err)
{
    memset(out, 0, sizeof *out);
    static const char *const sql =
        "SELECT r.hash, c.name, r.canonical, n.rule IS NOT NULL, coalesce(n.defines, 0), "
        "coalesce(n.domain, ''), coalesce(n.forward, ''), coalesce(n.backward, ''), "
        "CASE WHEN v.rule IS NULL THEN '' ELSE " UNFOUNDED(
            "v") " END, "
                 "CASE WHEN w.rule IS NULL THEN '' ELSE " UNFOUNDED(
                     "w") " END FROM rule r "
                          "JOIN (SELECT hash, layer, min(name) AS name FROM current GROUP BY hash, "
                          "layer) c "
                          "ON c.hash = r.hash AND c.layer = r.layer "
                          "LEFT JOIN verdict v ON v.rule = r.hash AND v.domain = 'real'" PROVED_AS(
                              "v") "LEFT JOIN verdict w ON w.rule = r.hash AND w.domain = "
                                   "'bool'" PROVED_AS("w") "LEFT JOIN named n ON n.rule = r.hash "
                                                           "AND n.version = ? "
                                                           "WHERE CASE n.domain WHEN 'real' THEN "
                                                           "v.rule IS NOT NULL "
                                                           "WHEN 'bool' THEN w.rule IS NOT NULL "
                                                           "ELSE coalesce(v.rule, w.rule) IS NOT "
                                                           "NULL END "
                                                           "ORDER BY r.family, c.name, r.hash";
    struct stmt stmt = stmt_open(db, sql, err);
    stmt_text(&stmt, 1, version);
    while (stmt_row(&stmt)) {
        const char *hash = stmt_column(&stmt, 0);
        if (!stmt_is_founded(&stmt, 8, hash, "real") || !stmt_is_founded(&stmt, 9, hash, "bool"))
            break;
        struct named_row row = {
            .hash = keep(out, &stmt, 0),
            .name = keep(out, &stmt, 1),
            .canonical = keep(out, &stmt, 2),
            .known = sqlite3_column_int(stmt.at, 3) != 0,
            .defines = sqlite3_column_int(stmt.at, 4) != 0,
            .domain = keep(out, &stmt, 5),
            .forward = keep(out, &stmt, 6),
            .backward = keep(out, &stmt, 7),
        };
        vec_push(&out->at, row);
    }
    if (stmt_close(&stmt))
        return true;
    named_rows_release(out);
    return false;
}

void named_rows_release(struct named_rows *rows)
{
    vec_release(&rows->at);
    arena_release(&rows->mem);
}

bool db_keep_named(struct db *db, const char *version, uint32_t n, const struct named_row *rows,
                   struct err *err)
{
    if (!db_begin(db, err))
        return false;
    struct stmt stmt = stmt_open(db,
                                 "INSERT OR REPLACE INTO main.named SELECT ?1, ?2, ?3, ?4, ?5, ?6 "
                                 "WHERE EXISTS (SELECT 1 FROM main.rule WHERE hash = ?1)",
                                 err);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&stmt, 1, rows[i].hash);
        stmt_text(&stmt, 2, version);
        stmt_text(&stmt, 3, rows[i].domain);
        stmt_int(&stmt, 4, rows[i].defines);
        stmt_text(&stmt, 5, rows[i].forward);
        stmt_text(&stmt, 6, rows[i].backward);
        stmt_run(&stmt);
    }
    if (stmt_close(&stmt) && db_commit(db, err))
        return true;
    db_rollback(db);
    return false;
}
