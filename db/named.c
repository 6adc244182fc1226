// SPDX-License-Identifier: Apache-2.0
#include "db/named.h"

#include "db/layers.h"
#include "db/sql.h"

static const char *keep(struct named_rows *rows, struct stmt *stmt, int column)
{
    return arena_strdup(&rows->mem, stmt_column(stmt, column));
}

#define OF_VERSION                                                                                 \
    "v.verdict = 'proved' AND v.verifier = '" VERIFIER_VERSION "' AND "                            \
    "v.semantics = '" SEMANTICS_VERSION "'"
// UNFOUNDED of the proof in a domain; NULL without a proof, or if the plain rule needs the other
// domain.
#define PROOF_IN(of, in, other)                                                                    \
    "CASE WHEN n.domain = '" other "' THEN NULL ELSE (SELECT " UNFOUNDED_IN(                       \
        of, "v") " FROM " of "verdict v WHERE v.rule = r.hash AND v.domain = '" in                 \
                 "' AND " OF_VERSION ") END"
// The rules of one layer with what its tables say of them. That is all unless the other layer
// speaks of the rule (L5 of db/layers.h).
#define RULES_IN(of, other)                                                                        \
    "SELECT r.family, (SELECT min(c.name) FROM " of "current c WHERE c.hash = r.hash) AS name, "   \
    "r.hash, r.canonical, " other ", n.rule IS NOT NULL, n.defines, n.domain, n.forward, "         \
    "n.backward, " PROOF_IN(of, "real", "bool") ", " PROOF_IN(                                     \
        of, "bool", "real") " FROM " of "rule r LEFT JOIN " of                                     \
                            "named n ON n.rule = r.hash AND n.version = ?1 "
#define IN_ORDER "ORDER BY 1, 2, 3"
#define NOT_OF_LIBRARY "WHERE NOT EXISTS (SELECT 1 FROM library.rule l WHERE l.hash = r.hash) "

// Rules that may have a plain rule; ?2: and the others too.
#define MAY_BE_PLAIN "(?2 OR n.rule IS NULL OR n.domain <> '') "

static const char *const of_both =
    RULES_IN("library.", SPEAKS_OF("main.", "r.hash")) "WHERE " MAY_BE_PLAIN "UNION ALL " RULES_IN(
        "main.", SPEAKS_OF("library.", "r.hash")) NOT_OF_LIBRARY "AND " MAY_BE_PLAIN IN_ORDER;
static const char *const of_one = RULES_IN("main.", "0") "WHERE " MAY_BE_PLAIN IN_ORDER;

// Of a rule of which both layers speak, from the views.
static const char *const kept =
    "SELECT 1, defines, domain, forward, backward FROM named WHERE rule = ? AND version = ?";
static const char *const proofs = "SELECT v.domain, " UNFOUNDED(
    "v") " FROM verdict v WHERE v.rule = ? AND v.domain = ? AND " OF_VERSION;

// The columns from `at` on: is there a row, and the row.
static void read_plain(struct named_rows *rows, struct stmt *stmt, int at, struct named_row *row)
{
    row->domain = row->forward = row->backward = "";
    row->known = sqlite3_column_int(stmt->at, at) != 0;
    if (!row->known)
        return;
    row->defines = sqlite3_column_int(stmt->at, at + 1) != 0;
    row->domain = keep(rows, stmt, at + 2);
    row->forward = keep(rows, stmt, at + 3);
    row->backward = keep(rows, stmt, at + 4);
}

static bool read_kept(struct db *db, const char *version, struct named_rows *rows,
                      struct named_row *row, struct err *err)
{
    struct stmt stmt = stmt_cached(db, kept, err);
    stmt_text(&stmt, 1, row->hash);
    stmt_text(&stmt, 2, version);
    if (stmt_row(&stmt))
        read_plain(rows, &stmt, 0, row);
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

static const enum domain domains[] = {DOMAIN_REAL, DOMAIN_BOOL};

// *yes: the rule is proved where its row needs it, or could be if there is no row.
static bool may_be_used(struct db *db, const struct named_row *row, bool *yes, struct err *err)
{
    bool any = true, ok = true;
    for (int i = 0; i < 2; i++)
        any = any && strcmp(row->domain, domain_text(domains[i])) != 0;
    *yes = false;
    for (int i = 0; ok && !*yes && i < 2; i++)
        if (any || strcmp(row->domain, domain_text(domains[i])) == 0)
            ok = is_proved(db, row->hash, domains[i], yes, err);
    return ok;
}

// The same from the columns of PROOF_IN.
static bool has_proof(struct stmt *stmt, const struct named_row *row, bool *yes)
{
    *yes = false;
    for (int i = 0; !*yes && i < 2; i++)
        if (sqlite3_column_type(stmt->at, 10 + i) != SQLITE_NULL) {
            *yes = stmt_is_founded(stmt, 10 + i, row->hash, domain_text(domains[i]));
            if (!*yes)
                return false;
        }
    return true;
}

static bool read_row(struct db *db, struct stmt *stmt, const char *version, struct named_rows *out,
                     struct err *err)
{
    bool yes = false, ok;
    struct named_row row = {
        .hash = keep(out, stmt, 2), .domain = "", .forward = "", .backward = ""};
    if (sqlite3_column_type(stmt->at, 1) == SQLITE_NULL)
        return true;
    if (sqlite3_column_int(stmt->at, 4) != 0) {
        ok = read_kept(db, version, out, &row, err) && may_be_used(db, &row, &yes, err);
    } else {
        read_plain(out, stmt, 5, &row);
        ok = has_proof(stmt, &row, &yes);
    }
    if (!ok || !yes)
        return ok;
    row.name = keep(out, stmt, 1);
    row.canonical = keep(out, stmt, 3);
    if (!stmt_is_intact(stmt, row.hash, row.canonical))
        return false;
    vec_push(&out->at, row);
    return true;
}

static bool read_rows(struct db *db, const char *version, bool all, struct named_rows *out,
                      struct err *err)
{
    bool ok = true;
    struct stmt stmt = stmt_open(db, db->has_library ? of_both : of_one, err);
    stmt_text(&stmt, 1, version);
    stmt_int(&stmt, 2, all);
    while (ok && stmt_row(&stmt))
        ok = read_row(db, &stmt, version, out, err);
    return stmt_close(&stmt) && ok;
}

bool db_named_rules(struct db *db, const char *version, bool all, struct named_rows *out,
                    struct err *err)
{
    memset(out, 0, sizeof *out);
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && read_rows(db, version, all, out, err);
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
