// SPDX-License-Identifier: Apache-2.0
#include "db/db.h"

#include "db/put.h"
#include "db/sql.h"
#include "rules/describe/describe.h"
#include <stdio.h>

// Rows that follow from the rule's text are written afresh.
static bool clear_rows(struct db *db, const char *table, const char *hash,
                       struct err *e)
{
    char sql[96];
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE rule = ?", table);
    struct stmt s = stmt_open(db, sql, e);
    stmt_text(&s, 1, hash);
    stmt_run(&s);
    return stmt_close(&s);
}

static bool put_list(struct db *db, const char *sql, const char *hash,
                     uint32_t n, const char *const *text, struct err *e)
{
    struct stmt s = stmt_open(db, sql, e);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&s, 1, hash);
        stmt_text(&s, 2, text[i]);
        stmt_run(&s);
    }
    return stmt_close(&s);
}

static bool put_operators(struct db *db, const struct rule *r, struct err *e)
{
    struct name_list ops = {0};
    rule_operators(r, &ops);
    bool ok = clear_rows(db, "operator", r->hash, e) &&
              put_list(db, "INSERT OR IGNORE INTO operator VALUES (?, ?)",
                       r->hash, ops.at.len, ops.at.at, e);
    vec_release(&ops.at);
    return ok;
}

static bool put_preconditions(struct db *db, const struct rule *r,
                              struct err *e)
{
    if (!clear_rows(db, "precondition", r->hash, e))
        return false;
    struct stmt s =
        stmt_open(db, "INSERT INTO precondition VALUES (?, ?, ?, ?)", e);
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        struct buf text = {0}, roles = {0};
        where_print(r, w, &text);
        where_roles(r, w, &roles);
        stmt_text(&s, 1, r->hash);
        stmt_int(&s, 2, w);
        stmt_text(&s, 3, buf_text(&text));
        stmt_text(&s, 4, buf_text(&roles));
        stmt_run(&s);
        buf_release(&text);
        buf_release(&roles);
    }
    return stmt_close(&s);
}

static bool put_rule_row(struct db *db, const struct rule *r, struct err *e)
{
    struct stmt s =
        stmt_open(db,
                  "INSERT INTO rule VALUES (?, ?, ?, ?, ?, ?, ?, "
                  "strftime('%Y-%m-%dT%H:%M:%SZ','now')) "
                  "ON CONFLICT(hash) DO UPDATE SET name = excluded.name, "
                  "family = excluded.family, source = excluded.source, "
                  "doc = excluded.doc, claims = excluded.claims",
                  e);
    struct buf source = {0};
    rule_print(r, &source);
    stmt_text(&s, 1, r->hash);
    stmt_text(&s, 2, r->name);
    stmt_text(&s, 3, r->family);
    stmt_text(&s, 4, buf_text(&source));
    stmt_text(&s, 5, r->canonical);
    stmt_text(&s, 6, r->doc);
    stmt_int(&s, 7, r->claims);
    stmt_run(&s);
    buf_release(&source);
    return stmt_close(&s);
}

static bool put_name(struct db *db, const struct rule *r, struct err *e)
{
    struct stmt s =
        stmt_open(db,
                  "INSERT INTO current VALUES (?, ?) "
                  "ON CONFLICT(name) DO UPDATE SET hash = excluded.hash",
                  e);
    stmt_text(&s, 1, r->name);
    stmt_text(&s, 2, r->hash);
    stmt_run(&s);
    return stmt_close(&s);
}

bool put_text(struct db *db, const struct rule *r, struct err *e)
{
    return db_exec(db, "DELETE FROM complete", e) && put_rule_row(db, r, e) &&
           clear_rows(db, "origin", r->hash, e) &&
           put_list(db, "INSERT OR IGNORE INTO origin VALUES (?, ?)", r->hash,
                    r->n_origins, r->origins, e) &&
           put_operators(db, r, e) && put_preconditions(db, r, e);
}

static bool put_obligations(struct db *db, const char *hash,
                            const struct domain_report *d, struct err *e)
{
    struct stmt s = stmt_open(
        db, "DELETE FROM obligation WHERE rule = ? AND domain = ?", e);
    stmt_text(&s, 1, hash);
    stmt_text(&s, 2, domain_text(d->domain));
    stmt_run(&s);
    if (!stmt_close(&s))
        return false;
    s = stmt_open(
        db, "INSERT INTO obligation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", e);
    for (uint32_t i = 0; i < d->obligations.len; i++) {
        const struct obligation *o = &d->obligations.at[i];
        stmt_text(&s, 1, hash);
        stmt_text(&s, 2, domain_text(d->domain));
        stmt_int(&s, 3, i);
        stmt_text(&s, 4, obligation_kind_text(o->kind));
        stmt_text(&s, 5, o->ranks ? o->ranks : "");
        stmt_text(&s, 6, o->detail ? o->detail : "");
        stmt_text(&s, 7, verdict_text(o->verdict));
        stmt_text(&s, 8, o->reason ? o->reason : "");
        stmt_real(&s, 9, o->seconds);
        stmt_int(&s, 10, (int64_t)o->effort);
        stmt_run(&s);
    }
    return stmt_close(&s);
}

static bool put_counterexample(struct db *db, const char *hash,
                               const struct domain_report *d, struct err *e)
{
    struct stmt s = stmt_open(
        db,
        d->counterexample
            ? "INSERT OR REPLACE INTO counterexample VALUES (?, ?, ?)"
            : "DELETE FROM counterexample WHERE rule = ? AND domain = ?",
        e);
    stmt_text(&s, 1, hash);
    stmt_text(&s, 2, domain_text(d->domain));
    if (d->counterexample)
        stmt_text(&s, 3, d->counterexample);
    stmt_run(&s);
    return stmt_close(&s);
}

// D3: an answer of the same versions outlives a later "unknown".
static bool answered(struct db *db, const char *hash, enum domain d, bool *yes,
                     struct err *e)
{
    struct stmt s =
        stmt_open(db,
                  "SELECT 1 FROM verdict WHERE rule = ? AND domain = ? AND "
                  "verdict <> 'unknown' AND verifier = ? AND semantics = ?",
                  e);
    stmt_text(&s, 1, hash);
    stmt_text(&s, 2, domain_text(d));
    stmt_text(&s, 3, VERIFIER_VERSION);
    stmt_text(&s, 4, SEMANTICS_VERSION);
    *yes = stmt_row(&s);
    return stmt_close(&s);
}

static bool put_verdict_row(struct db *db, const char *hash,
                            const struct domain_report *d, int64_t run,
                            struct err *e)
{
    struct stmt s =
        stmt_open(db,
                  "INSERT OR REPLACE INTO verdict VALUES "
                  "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  e);
    stmt_text(&s, 1, hash);
    stmt_text(&s, 2, domain_text(d->domain));
    stmt_text(&s, 3, verdict_text(d->verdict));
    stmt_text(&s, 4, rung_text(d->rung));
    stmt_text(&s, 5, d->reason ? d->reason : "");
    stmt_text(&s, 6, d->method ? d->method : "");
    stmt_text(&s, 7, d->bound ? d->bound : "{}");
    stmt_text(&s, 8, d->bound_why ? d->bound_why : "");
    stmt_int(&s, 9, d->instances);
    stmt_int(&s, 10, d->obligations.len);
    stmt_text(&s, 11, d->solver ? d->solver : "");
    stmt_real(&s, 12, d->seconds);
    stmt_text(&s, 13, VERIFIER_VERSION);
    stmt_text(&s, 14, SEMANTICS_VERSION);
    stmt_int(&s, 15, run);
    stmt_text(&s, 16, grade_name(d->grade));
    stmt_run(&s);
    return stmt_close(&s);
}

bool put_verdict(struct db *db, const char *hash, const struct domain_report *d,
                 int64_t run, struct err *e)
{
    return put_verdict_row(db, hash, d, run, e) &&
           put_obligations(db, hash, d, e) &&
           put_counterexample(db, hash, d, e);
}

static bool put_newer(struct db *db, const char *hash,
                      const struct domain_report *d, int64_t run, struct err *e)
{
    if (d->verdict == VERDICT_UNKNOWN && !verdict_overrides(d->reason)) {
        bool yes = false;
        if (!answered(db, hash, d->domain, &yes, e))
            return false;
        if (yes)
            return true;
    }
    return put_verdict(db, hash, d, run, e);
}

bool put_remarks(struct db *db, const char *hash, const struct report *rep,
                 struct err *e)
{
    if (!clear_rows(db, "remark", hash, e))
        return false;
    struct stmt s = stmt_open(db, "INSERT INTO remark VALUES (?, ?, ?)", e);
    for (uint32_t i = 0; i < rep->remarks.len; i++) {
        stmt_text(&s, 1, hash);
        stmt_int(&s, 2, i);
        stmt_text(&s, 3, rep->remarks.at[i]);
        stmt_run(&s);
    }
    return stmt_close(&s);
}

bool put_finish(struct db *db, bool ok, struct err *e)
{
    if (ok && db_commit(db, e))
        return true;
    db_rollback(db);
    return false;
}

bool db_put_rule(struct db *db, const struct rule *r, struct err *e)
{
    return db_begin(db, e) &&
           put_finish(db, put_text(db, r, e) && put_name(db, r, e), e);
}

bool db_put_report(struct db *db, const struct rule *r,
                   const struct report *rep, int64_t run, struct err *e)
{
    if (!db_begin(db, e))
        return false;
    bool ok = put_text(db, r, e) && put_name(db, r, e) &&
              put_remarks(db, r->hash, rep, e);
    for (uint32_t i = 0; ok && i < rep->domains.len; i++)
        ok = put_newer(db, r->hash, &rep->domains.at[i], run, e);
    return put_finish(db, ok, e);
}

bool db_put_record(struct db *db, const char *id, const char *domain,
                   uint32_t n_steps, const char *const *hashes, struct err *e)
{
    if (!db_begin(db, e))
        return false;
    struct stmt s = stmt_open(db,
                              "INSERT OR IGNORE INTO record VALUES "
                              "(?, strftime('%Y-%m-%dT%H:%M:%SZ','now'), ?, ?)",
                              e);
    stmt_text(&s, 1, id);
    stmt_text(&s, 2, domain);
    stmt_int(&s, 3, n_steps);
    stmt_run(&s);
    bool fresh = sqlite3_changes(db->handle) > 0;
    bool ok = stmt_close(&s);
    s = stmt_open(db,
                  "INSERT INTO use VALUES (?, ?, 1) ON CONFLICT(record, "
                  "rule) DO UPDATE SET count = count + 1",
                  e);
    for (uint32_t i = 0; ok && fresh && i < n_steps; i++) {
        stmt_text(&s, 1, id);
        stmt_text(&s, 2, hashes[i]);
        stmt_run(&s);
    }
    return put_finish(db, stmt_close(&s) && ok, e);
}

static bool rule_state(struct db *db, const struct rule *r, unsigned *done,
                       bool *current, struct err *e)
{
    struct stmt s =
        stmt_cached(db,
                    "SELECT domain, verdict FROM verdict WHERE rule = ? AND "
                    "verifier = ? AND semantics = ?",
                    e);
    stmt_text(&s, 1, r->hash);
    stmt_text(&s, 2, VERIFIER_VERSION);
    stmt_text(&s, 3, SEMANTICS_VERSION);
    while (stmt_row(&s)) {
        enum domain d;
        bool unknown = strcmp(stmt_column(&s, 1), "unknown") == 0;
        if (domain_by_text(stmt_column(&s, 0), &d) &&
            !(unknown && (r->claims >> d & 1)))
            *done |= 1u << d;
    }
    if (!stmt_close(&s))
        return false;
    s = stmt_cached(
        db,
        "SELECT family, source, doc, claims FROM rule JOIN current USING "
        "(hash) WHERE hash = ? AND current.name = ? AND rule.name = ?",
        e);
    stmt_text(&s, 1, r->hash);
    stmt_text(&s, 2, r->name);
    stmt_text(&s, 3, r->name);
    if (stmt_row(&s)) {
        struct buf source = {0};
        rule_print(r, &source); // holds the origins too
        *current = strcmp(stmt_column(&s, 0), r->family) == 0 &&
                   strcmp(stmt_column(&s, 1), buf_text(&source)) == 0 &&
                   strcmp(stmt_column(&s, 2), r->doc) == 0 &&
                   sqlite3_column_int64(s.at, 3) == (int64_t)r->claims;
        buf_release(&source);
    }
    return stmt_close(&s);
}

bool db_rule_state(struct db *db, const struct rule *r, unsigned *done,
                   bool *current, struct err *e)
{
    *done = 0;
    *current = false;
    // One transaction: verdicts and text of one state of the database.
    bool ok = db_exec(db, "BEGIN", e) && rule_state(db, r, done, current, e);
    db_rollback(db); // nothing was written
    return ok;
}

bool db_put_complete(struct db *db, const char *library, int64_t stamp,
                     struct err *e)
{
    if (!db_begin(db, e))
        return false;
    int64_t now;
    bool ok = db_stamp(db, &now, e);
    if (ok && now == stamp) {
        struct stmt s =
            stmt_open(db, "INSERT OR IGNORE INTO complete VALUES (?)", e);
        stmt_text(&s, 1, library);
        stmt_run(&s);
        ok = stmt_close(&s);
    }
    return put_finish(db, ok, e);
}
