// SPDX-License-Identifier: Apache-2.0
// Rules, verdicts and records, each in one transaction.
#include "db/db.h"

#include "db/layers.h"
#include "db/put.h"
#include "db/sql.h"

static bool put_obligations(struct db *db, const char *hash, const struct domain_report *report,
                            struct err *err)
{
    struct stmt stmt =
        stmt_cached(db, "DELETE FROM main.obligation WHERE rule = ? AND domain = ?", err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(report->domain));
    stmt_run(&stmt);
    if (!stmt_close(&stmt))
        return false;
    stmt =
        stmt_cached(db, "INSERT INTO main.obligation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);
    for (uint32_t i = 0; i < report->obligations.len; i++) {
        const struct obligation *obligation = &report->obligations.at[i];
        stmt_text(&stmt, 1, hash);
        stmt_text(&stmt, 2, domain_text(report->domain));
        stmt_int(&stmt, 3, i);
        stmt_text(&stmt, 4, obligation_kind_text(obligation->kind));
        stmt_text(&stmt, 5, obligation->ranks ? obligation->ranks : "");
        stmt_text(&stmt, 6, obligation->detail ? obligation->detail : "");
        stmt_text(&stmt, 7, verdict_text(obligation->verdict));
        stmt_text(&stmt, 8, obligation->reason ? obligation->reason : "");
        stmt_real(&stmt, 9, obligation->seconds);
        stmt_int(&stmt, 10, (int64_t)obligation->effort);
        stmt_run(&stmt);
    }
    return stmt_close(&stmt);
}

static bool put_counterexample(struct db *db, const char *hash, const struct domain_report *report,
                               struct err *err)
{
    struct stmt stmt = stmt_cached(
        db,
        report->counterexample ? "INSERT OR REPLACE INTO main.counterexample VALUES (?, ?, ?)"
                               : "DELETE FROM main.counterexample WHERE rule = ? AND domain = ?",
        err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(report->domain));
    if (report->counterexample)
        stmt_text(&stmt, 3, report->counterexample);
    stmt_run(&stmt);
    return stmt_close(&stmt);
}

// D3.  The stored verdict, of the same versions, outlives the new one if it says more.
static bool outlives(struct db *db, const char *hash, const struct domain_report *report, bool *yes,
                     struct err *err)
{
    bool unknown = report->verdict == VERDICT_UNKNOWN && !verdict_overrides(report->reason);
    bool cut = verdict_was_cut_short(report->reason);
    struct stmt stmt = stmt_cached(db,
                                   "SELECT verdict, reason FROM verdict WHERE rule = ? AND "
                                   "domain = ? AND verifier = ? AND semantics = ?",
                                   err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(report->domain));
    stmt_text(&stmt, 3, VERIFIER_VERSION);
    stmt_text(&stmt, 4, SEMANTICS_VERSION);
    *yes = stmt_row(&stmt) &&
           ((unknown && strcmp(stmt_column(&stmt, 0), verdict_text(VERDICT_UNKNOWN)) != 0) ||
            (cut && !verdict_was_cut_short(stmt_column(&stmt, 1))));
    return stmt_close(&stmt);
}

static bool put_verdict_row(struct db *db, const char *hash, const struct domain_report *report,
                            int64_t run, struct err *err)
{
    struct stmt stmt = stmt_cached(db,
                                   "INSERT OR REPLACE INTO main.verdict VALUES "
                                   "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                   err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(report->domain));
    stmt_text(&stmt, 3, verdict_text(report->verdict));
    stmt_text(&stmt, 4, rung_text(report->rung));
    stmt_text(&stmt, 5, report->reason ? report->reason : "");
    stmt_text(&stmt, 6, report->method ? report->method : "");
    stmt_text(&stmt, 7, report->bound ? report->bound : "{}");
    stmt_text(&stmt, 8, report->bound_why ? report->bound_why : "");
    stmt_int(&stmt, 9, report->instances);
    stmt_int(&stmt, 10, report->obligations.len);
    stmt_text(&stmt, 11, report->solver ? report->solver : "");
    stmt_real(&stmt, 12, report->seconds);
    stmt_text(&stmt, 13, VERIFIER_VERSION);
    stmt_text(&stmt, 14, SEMANTICS_VERSION);
    stmt_int(&stmt, 15, run);
    stmt_text(&stmt, 16, grade_name(report->grade));
    stmt_run(&stmt);
    return stmt_close(&stmt);
}

bool put_verdict(struct db *db, const char *hash, const struct domain_report *report, int64_t run,
                 struct err *err)
{
    return put_verdict_row(db, hash, report, run, err) && put_obligations(db, hash, report, err) &&
           put_counterexample(db, hash, report, err);
}

static bool put_newer(struct db *db, const char *hash, const struct domain_report *report,
                      int64_t run, struct err *err)
{
    bool yes = false;
    if (!outlives(db, hash, report, &yes, err))
        return false;
    return yes || put_verdict(db, hash, report, run, err);
}

// The library says all that is to be said.
static bool forget_verdict(struct db *db, const char *hash, enum domain domain, struct err *err)
{
    static const char *const tables[] = {
        "DELETE FROM main.obligation WHERE rule = ? AND domain = ?",
        "DELETE FROM main.counterexample WHERE rule = ? AND domain = ?",
        "DELETE FROM main.verdict WHERE rule = ? AND domain = ?",
    };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof tables / sizeof *tables; i++) {
        struct stmt stmt = stmt_cached(db, tables[i], err);
        stmt_text(&stmt, 1, hash);
        stmt_text(&stmt, 2, domain_text(domain));
        stmt_run(&stmt);
        ok = stmt_close(&stmt);
    }
    return ok;
}

// A verdict on a rule for which the library has one too (L3 of db/layers.h).
static bool put_beside(struct db *db, const struct rule *rule, const struct domain_report *report,
                       enum verdict library, int64_t run, struct err *err)
{
    struct buf why = {0};
    struct domain_report contradiction = {
        .domain = report->domain, .verdict = VERDICT_UNKNOWN, .bound = "{}"};
    bool answer = report->verdict != VERDICT_UNKNOWN;
    if (answer && library != VERDICT_UNKNOWN && report->verdict != library) {
        buf_printf(&why, REASON_INTERNAL "the library says %s, a later run %s",
                   verdict_text(library), verdict_text(report->verdict));
        contradiction.reason = buf_text(&why);
        report = &contradiction;
    }
    bool counts = answer ? report->verdict != library : verdict_overrides(report->reason);
    bool ok = counts
                  ? put_missing_text(db, rule, err) && put_verdict(db, rule->hash, report, run, err)
                  : forget_verdict(db, rule->hash, report->domain, err);
    buf_release(&why);
    return ok;
}

bool put_remarks(struct db *db, const char *hash, const struct report *rep, struct err *err)
{
    if (!put_clear(db, "DELETE FROM main.remark WHERE rule = ?", hash, err))
        return false;
    struct stmt stmt = stmt_cached(db, "INSERT INTO main.remark VALUES (?, ?, ?)", err);
    for (uint32_t i = 0; i < rep->remarks.len; i++) {
        stmt_text(&stmt, 1, hash);
        stmt_int(&stmt, 2, i);
        stmt_text(&stmt, 3, rep->remarks.at[i]);
        stmt_run(&stmt);
    }
    return stmt_close(&stmt);
}

bool put_finish(struct db *db, bool ok, struct err *err)
{
    if (ok && db_commit(db, err))
        return true;
    db_rollback(db);
    return false;
}

bool db_put_rule(struct db *db, const struct rule *rule, struct err *err)
{
    return db_begin(db, err) &&
           put_finish(db, put_text(db, rule, err) && put_name(db, rule, err), err);
}

#define FOUNDED_VERDICTS(unfounded)                                                                \
    "SELECT v.domain, v.verdict, v.reason, (SELECT x.json FROM counterexample x WHERE x.rule = "   \
    "v.rule AND x.domain = v.domain) FROM verdict v WHERE v.rule = ? AND "                         \
    "v.verifier = ? AND v.semantics = ? AND " unfounded " = ''"
static const char *const founded_verdicts[] = BY_LAYERS(FOUNDED_VERDICTS, "v");

static bool rule_state(struct db *db, const struct rule *rule, unsigned *done, bool *current,
                       struct err *err)
{
    struct stmt stmt = stmt_cached(db, founded_verdicts[db->has_library], err);
    stmt_text(&stmt, 1, rule->hash);
    stmt_text(&stmt, 2, VERIFIER_VERSION);
    stmt_text(&stmt, 3, SEMANTICS_VERSION);
    while (stmt_row(&stmt)) {
        enum domain domain;
        bool unknown = strcmp(stmt_column(&stmt, 1), "unknown") == 0;
        if (strcmp(stmt_column(&stmt, 1), "refuted") == 0 &&
            !is_counterexample(stmt_column(&stmt, 3)))
            continue;
        if (domain_by_text(stmt_column(&stmt, 0), &domain) &&
            !(unknown && (rule->claims >> domain & 1)) &&
            !verdict_was_cut_short(stmt_column(&stmt, 2)))
            *done |= 1u << domain;
    }
    if (!stmt_close(&stmt))
        return false;
    stmt = stmt_cached(db,
                       "SELECT r.source, r.doc, r.claims FROM every_text r JOIN current c "
                       "USING (hash, family, name, layer) "
                       "WHERE r.hash = ? AND r.family = ? AND r.name = ?",
                       err);
    stmt_text(&stmt, 1, rule->hash);
    stmt_text(&stmt, 2, rule->family);
    stmt_text(&stmt, 3, rule->name);
    struct buf source = {0};
    rule_print(rule, &source); // holds the origins too
    while (stmt_row(&stmt))
        *current |= strcmp(stmt_column(&stmt, 0), buf_text(&source)) == 0 &&
                    strcmp(stmt_column(&stmt, 1), rule->doc) == 0 &&
                    sqlite3_column_int64(stmt.at, 2) == (int64_t)rule->claims;
    buf_release(&source);
    return stmt_close(&stmt);
}

// The text, where no layer has it.
static bool put_new_text(struct db *db, const struct rule *rule, struct err *err)
{
    unsigned done = 0;
    bool current = false;
    return rule_state(db, rule, &done, &current, err) &&
           (current || (put_text(db, rule, err) && put_name(db, rule, err)));
}

static bool put_report(struct db *db, const struct rule *rule, const struct report *rep,
                       int64_t run, struct err *err)
{
    bool library;
    bool ok = layers_library_has(db, rule->hash, &library, err) &&
              (library ? put_new_text(db, rule, err)
                       : put_text(db, rule, err) && put_name(db, rule, err) &&
                             put_remarks(db, rule->hash, rep, err));
    for (uint32_t i = 0; ok && i < rep->domains.len; i++) {
        const struct domain_report *report = &rep->domains.at[i];
        enum verdict verdict;
        bool there;
        ok = layers_library_verdict(db, rule->hash, report->domain, &there, &verdict, err) &&
             (there
                  ? put_beside(db, rule, report, verdict, run, err)
                  : put_missing_text(db, rule, err) && put_newer(db, rule->hash, report, run, err));
    }
    return ok;
}

bool db_put_report(struct db *db, const struct rule *rule, const struct report *rep, int64_t run,
                   struct err *err)
{
    return db_begin(db, err) && put_finish(db, put_report(db, rule, rep, run, err), err);
}

bool db_put_record(struct db *db, const char *id, const char *domain, uint32_t n_steps,
                   const char *const *hashes, struct err *err)
{
    if (!db_begin(db, err))
        return false;
    struct stmt stmt = stmt_open(db,
                                 "INSERT OR IGNORE INTO main.record VALUES "
                                 "(?, strftime('%Y-%m-%dT%H:%M:%SZ','now'), ?, ?)",
                                 err);
    stmt_text(&stmt, 1, id);
    stmt_text(&stmt, 2, domain);
    stmt_int(&stmt, 3, n_steps);
    stmt_run(&stmt);
    bool fresh = sqlite3_changes(db->handle) > 0;
    bool ok = stmt_close(&stmt);
    stmt = stmt_open(db,
                     "INSERT INTO main.use VALUES (?, ?, 1) ON CONFLICT(record, "
                     "rule) DO UPDATE SET count = count + 1",
                     err);
    for (uint32_t i = 0; ok && fresh && i < n_steps; i++) {
        stmt_text(&stmt, 1, id);
        stmt_text(&stmt, 2, hashes[i]);
        stmt_run(&stmt);
    }
    return put_finish(db, stmt_close(&stmt) && ok, err);
}

bool db_rule_state(struct db *db, const struct rule *rule, unsigned *done, bool *current,
                   struct err *err)
{
    *done = 0;
    *current = false;
    // One transaction: verdicts and text of one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && rule_state(db, rule, done, current, err);
    db_end(db);
    return ok;
}

bool db_put_complete(struct db *db, const char *library, int64_t stamp, struct err *err)
{
    if (!db_begin(db, err))
        return false;
    int64_t now;
    bool ok = db_stamp(db, &now, err);
    if (ok && now == stamp) {
        struct stmt stmt = stmt_open(db, "INSERT OR IGNORE INTO main.complete VALUES (?)", err);
        stmt_text(&stmt, 1, library);
        stmt_run(&stmt);
        ok = stmt_close(&stmt);
    }
    return put_finish(db, ok, err);
}
