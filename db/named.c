// SPDX-License-Identifier: Apache-2.0
#include "db/named.h"

#include "db/sql.h"

static const char *keep(struct named_rows *rows, struct stmt *stmt, int column)
{
    return arena_strdup(&rows->mem, stmt_column(stmt, column));
}

// Statements for each rule, not one join: SQLite would write out the views of a join, and look at
// the ground of every verdict.
static const char *const rules =
    "SELECT r.hash, (SELECT min(c.name) FROM current c WHERE c.hash = r.hash AND "
    "c.layer = r.layer) AS name, r.canonical FROM rule r ORDER BY r.family, 2, r.hash";
static const char *const kept =
    "SELECT defines, domain, forward, backward FROM named WHERE rule = ? AND version = ?";
static const char *const proofs =
    "SELECT v.domain, " UNFOUNDED("v") " FROM verdict v WHERE v.rule = ? AND v.domain = ? AND "
                                       "v.verdict = 'proved' AND "
                                       "v.verifier = '" VERIFIER_VERSION "' AND "
                                       "v.semantics = '" SEMANTICS_VERSION "'";

static bool read_kept(struct db *db, const char *version, struct named_rows *rows,
                      struct named_row *row, struct err *err)
{
    struct stmt stmt = stmt_cached(db, kept, err);
    row->domain = row->forward = row->backward = "";
    stmt_text(&stmt, 1, row->hash);
    stmt_text(&stmt, 2, version);
    row->known = stmt_row(&stmt);
    if (row->known) {
        row->defines = sqlite3_column_int(stmt.at, 0) != 0;
        row->domain = keep(rows, &stmt, 1);
        row->forward = keep(rows, &stmt, 2);
        row->backward = keep(rows, &stmt, 3);
    }
    return stmt_close(&stmt);
}

static bool is_proved(struct db *db, const char *hash, enum domain domain, bool *yes,
                      struct err *err)
{
    struct stmt stmt = stmt_cached(db, proofs, err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(domain));
    *yes = stmt_row(&stmt) && stmt_is_founded(&stmt, 1, hash, stmt_column(&stmt, 0));
    return stmt_close(&stmt);
}

// *yes: the rule is proved where its row needs it, or could be if there is no row.
static bool may_be_used(struct db *db, const struct named_row *row, bool *yes, struct err *err)
{
    const enum domain domain[] = {DOMAIN_REAL, DOMAIN_BOOL};
    bool any = true, ok = true;
    for (int i = 0; i < 2; i++)
        any = any && strcmp(row->domain, domain_text(domain[i])) != 0;
    *yes = false;
    for (int i = 0; ok && !*yes && i < 2; i++)
        if (any || strcmp(row->domain, domain_text(domain[i])) == 0)
            ok = is_proved(db, row->hash, domain[i], yes, err);
    return ok;
}

static bool read_rows(struct db *db, const char *version, struct named_rows *out, struct err *err)
{
    bool ok = true;
    struct stmt stmt = stmt_open(db, rules, err);
    while (ok && stmt_row(&stmt)) {
        bool yes = false;
        struct named_row row = {.hash = keep(out, &stmt, 0)};
        if (sqlite3_column_type(stmt.at, 1) == SQLITE_NULL)
            continue;
        ok = read_kept(db, version, out, &row, err) && may_be_used(db, &row, &yes, err);
        if (!ok || !yes)
            continue;
        row.name = keep(out, &stmt, 1);
        row.canonical = keep(out, &stmt, 2);
        if (!stmt_is_intact(&stmt, row.hash, row.canonical))
            break;
        vec_push(&out->at, row);
    }
    return stmt_close(&stmt) && ok;
}

bool db_named_rules(struct db *db, const char *version, struct named_rows *out, struct err *err)
{
    memset(out, 0, sizeof *out);
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && read_rows(db, version, out, err);
    db_rollback(db); // nothing was written
    if (!ok)
        named_rows_release(out);
    return ok;
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
