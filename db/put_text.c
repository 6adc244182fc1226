// SPDX-License-Identifier: Apache-2.0
// A rule's text, the rows that follow from it, and its name.
#include "db/put.h"

#include "db/sql.h"
#include "rules/describe/describe.h"

bool put_clear(struct db *db, const char *sql, const char *hash, struct err *err)
{
    struct stmt stmt = stmt_cached(db, sql, err);
    stmt_text(&stmt, 1, hash);
    stmt_run(&stmt);
    return stmt_close(&stmt);
}

static bool put_list(struct db *db, const char *sql, const char *hash, uint32_t n,
                     const char *const *text, struct err *err)
{
    struct stmt stmt = stmt_cached(db, sql, err);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&stmt, 1, hash);
        stmt_text(&stmt, 2, text[i]);
        stmt_run(&stmt);
    }
    return stmt_close(&stmt);
}

static bool put_operators(struct db *db, const struct rule *rule, struct err *err)
{
    struct name_list ops = {0};
    rule_operators(rule, &ops);
    bool ok = put_clear(db, "DELETE FROM main.operator WHERE rule = ?", rule->hash, err) &&
              put_list(db, "INSERT OR IGNORE INTO main.operator VALUES (?, ?)", rule->hash,
                       ops.at.len, ops.at.at, err);
    vec_release(&ops.at);
    return ok;
}

static bool put_preconditions(struct db *db, const struct rule *rule, struct err *err)
{
    if (!put_clear(db, "DELETE FROM main.precondition WHERE rule = ?", rule->hash, err))
        return false;
    struct stmt stmt = stmt_cached(db, "INSERT INTO main.precondition VALUES (?, ?, ?, ?)", err);
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        struct buf text = {0}, roles = {0};
        where_print(rule, w, &text);
        where_roles(rule, w, &roles);
        stmt_text(&stmt, 1, rule->hash);
        stmt_int(&stmt, 2, w);
        stmt_text(&stmt, 3, buf_text(&text));
        stmt_text(&stmt, 4, buf_text(&roles));
        stmt_run(&stmt);
        buf_release(&text);
        buf_release(&roles);
    }
    return stmt_close(&stmt);
}

static bool put_rule_row(struct db *db, const struct rule *rule, struct err *err)
{
    struct stmt stmt = stmt_cached(db,
                                   "INSERT INTO main.rule VALUES (?, ?, ?, ?, ?, ?, ?, "
                                   "strftime('%Y-%m-%dT%H:%M:%SZ','now')) "
                                   "ON CONFLICT(hash) DO UPDATE SET name = excluded.name, "
                                   "family = excluded.family, source = excluded.source, "
                                   "doc = excluded.doc, claims = excluded.claims",
                                   err);
    struct buf source = {0};
    rule_print(rule, &source);
    stmt_text(&stmt, 1, rule->hash);
    stmt_text(&stmt, 2, rule->name);
    stmt_text(&stmt, 3, rule->family);
    stmt_text(&stmt, 4, buf_text(&source));
    stmt_text(&stmt, 5, rule->canonical);
    stmt_text(&stmt, 6, rule->doc);
    stmt_int(&stmt, 7, rule->claims);
    stmt_run(&stmt);
    buf_release(&source);
    return stmt_close(&stmt);
}

bool put_name(struct db *db, const struct rule *rule, struct err *err)
{
    struct stmt stmt = stmt_cached(db,
                                   "INSERT INTO main.current VALUES (?, ?, ?) "
                                   "ON CONFLICT(family, name) DO UPDATE SET hash = excluded.hash",
                                   err);
    stmt_text(&stmt, 1, rule->family);
    stmt_text(&stmt, 2, rule->name);
    stmt_text(&stmt, 3, rule->hash);
    stmt_run(&stmt);
    return stmt_close(&stmt);
}

// Where a rule comes from, as long as no other name stands for the same text: those of
// the other names stay.
static bool clear_origins(struct db *db, const struct rule *rule, struct err *err)
{
    struct stmt stmt =
        stmt_cached(db,
                    "DELETE FROM main.origin WHERE rule = ?1 AND NOT EXISTS (SELECT 1 "
                    "FROM main.current WHERE hash = ?1 AND (family, name) <> (?2, ?3))",
                    err);
    stmt_text(&stmt, 1, rule->hash);
    stmt_text(&stmt, 2, rule->family);
    stmt_text(&stmt, 3, rule->name);
    stmt_run(&stmt);
    return stmt_close(&stmt);
}

bool put_text(struct db *db, const struct rule *rule, struct err *err)
{
    return db_exec(db, "DELETE FROM main.complete", err) && put_rule_row(db, rule, err) &&
           clear_origins(db, rule, err) &&
           put_list(db, "INSERT OR IGNORE INTO main.origin VALUES (?, ?)", rule->hash,
                    rule->n_origins, rule->origins, err) &&
           put_operators(db, rule, err) && put_preconditions(db, rule, err);
}

bool put_missing_text(struct db *db, const struct rule *rule, struct err *err)
{
    struct stmt stmt = stmt_cached(db, "SELECT 1 FROM main.rule WHERE hash = ?", err);
    stmt_text(&stmt, 1, rule->hash);
    bool there = stmt_row(&stmt);
    return stmt_close(&stmt) && (there || put_text(db, rule, err));
}
