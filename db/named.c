// SPDX-License-Identifier: Apache-2.0
#include "db/named.h"

#include "db/sql.h"

// Of the current verifier.
#define PROVED_AS(v)                                                           \
    " AND " v ".verdict = 'proved' AND " v ".verifier = '" VERIFIER_VERSION    \
    "' AND " v ".semantics = '" SEMANTICS_VERSION "' "

static const char *keep(struct named_rows *r, struct stmt *s, int column)
{
    return arena_strdup(&r->mem, stmt_column(s, column));
}

bool db_named_rules(struct db *db, const char *version, struct named_rows *out,
                    struct err *e)
{
    memset(out, 0, sizeof *out);
    struct stmt s = stmt_open(
        db,
        "SELECT r.hash, c.name, r.canonical, n.rule IS NOT NULL, "
        "coalesce(n.defines, 0), coalesce(n.domain, ''), "
        "coalesce(n.forward, ''), coalesce(n.backward, '') FROM rule r "
        "JOIN (SELECT hash, min(name) AS name FROM current GROUP BY hash) c "
        "ON c.hash = r.hash "
        "LEFT JOIN verdict v ON v.rule = r.hash AND v.domain = "
        "'real'" PROVED_AS("v") "LEFT JOIN verdict w ON w.rule = r.hash AND "
                                "w.domain = 'bool'" PROVED_AS(
                                    "w") "LEFT JOIN named n ON n.rule = r.hash "
                                         "AND n.version = ? "
                                         "WHERE CASE n.domain WHEN 'real' THEN "
                                         "v.rule IS NOT NULL "
                                         "WHEN 'bool' THEN w.rule IS NOT NULL "
                                         "ELSE coalesce(v.rule, w.rule) IS NOT "
                                         "NULL END "
                                         "ORDER BY r.family, c.name, r.hash",
        e);
    stmt_text(&s, 1, version);
    while (stmt_row(&s)) {
        struct named_row r = {
            .hash = keep(out, &s, 0),
            .name = keep(out, &s, 1),
            .canonical = keep(out, &s, 2),
            .known = sqlite3_column_int(s.at, 3) != 0,
            .defines = sqlite3_column_int(s.at, 4) != 0,
            .domain = keep(out, &s, 5),
            .forward = keep(out, &s, 6),
            .backward = keep(out, &s, 7),
        };
        vec_push(&out->at, r);
    }
    if (stmt_close(&s))
        return true;
    named_rows_release(out);
    return false;
}

void named_rows_release(struct named_rows *r)
{
    vec_release(&r->at);
    arena_release(&r->mem);
}

bool db_keep_named(struct db *db, const char *version, uint32_t n,
                   const struct named_row *rows, struct err *e)
{
    if (!db_begin(db, e))
        return false;
    struct stmt s = stmt_open(
        db, "INSERT OR REPLACE INTO named VALUES (?, ?, ?, ?, ?, ?)", e);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&s, 1, rows[i].hash);
        stmt_text(&s, 2, version);
        stmt_text(&s, 3, rows[i].domain);
        stmt_int(&s, 4, rows[i].defines);
        stmt_text(&s, 5, rows[i].forward);
        stmt_text(&s, 6, rows[i].backward);
        stmt_run(&s);
    }
    if (stmt_close(&s) && db_commit(db, e))
        return true;
    db_rollback(db);
    return false;
}
