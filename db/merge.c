// SPDX-License-Identifier: Apache-2.0
#include "db/merge.h"

#include "db/put.h"
#include "db/sql.h"
#include <stdio.h>
#include <stdlib.h>

// ---- the stored verdicts ----

static bool rung_by_text(const char *text, enum rung *out)
{
    for (int r = RUNG_NONE; r <= RUNG_ARITHMETIC; r++) {
        *out = (enum rung)r;
        if (strcmp(rung_text(*out), text) == 0)
            return true;
    }
    return false;
}

// A text of the row; `none`: NULL stands for SQL's null.
static const char *keep(struct arena *mem, struct stmt *stmt, int column, bool none)
{
    if (none && sqlite3_column_type(stmt->at, column) == SQLITE_NULL)
        return NULL;
    return arena_strdup(mem, stmt_column(stmt, column));
}

static bool read_row(struct stmt *stmt, unsigned claims, struct report *out, struct merge_run *run)
{
    struct domain_report report = {0};
    if (!domain_by_text(stmt_column(stmt, 0), &report.domain) ||
        !verdict_by_text(stmt_column(stmt, 1), &report.verdict) ||
        !rung_by_text(stmt_column(stmt, 2), &report.rung) ||
        !grade_by_name(stmt_column(stmt, 3), &report.grade))
        return false;
    struct arena *mem = &out->mem;
    report.claimed = (claims >> report.domain & 1) != 0;
    report.reason = keep(mem, stmt, 4, false);
    report.method = keep(mem, stmt, 5, false);
    report.bound = keep(mem, stmt, 6, false);
    report.bound_why = keep(mem, stmt, 7, false);
    report.solver = keep(mem, stmt, 8, false);
    report.instances = (uint32_t)sqlite3_column_int64(stmt->at, 9);
    report.seconds = sqlite3_column_double(stmt->at, 10);
    report.counterexample = keep(mem, stmt, 11, true);
    if (run != NULL)
        *run = (struct merge_run){keep(mem, stmt, 12, false), keep(mem, stmt, 13, true),
                                  keep(mem, stmt, 14, false), keep(mem, stmt, 15, false),
                                  keep(mem, stmt, 16, false), keep(mem, stmt, 17, false)};
    vec_push(&out->domains, report);
    return true;
}

static const char *const verdict_rows =
    "SELECT v.domain, v.verdict, v.rung, v.grade, v.reason, v.method, v.bound, "
    "v.bound_why, v.solver, v.instances, v.seconds, x.json, u.started, "
    "u.finished, u.command, u.verifier, u.semantics, u.solver, r.claims "
    "FROM verdict v JOIN rule r ON r.hash = v.rule JOIN run u ON u.id = v.run "
    "LEFT JOIN counterexample x ON x.rule = v.rule AND x.domain = v.domain "
    "WHERE v.rule = ? AND v.verifier = '" VERIFIER_VERSION "' AND "
    "v.semantics = '" SEMANTICS_VERSION "' ORDER BY v.domain";

static bool read_verdicts(struct db *db, const char *hash, struct report *out,
                          struct merge_run *runs, struct err *err)
{
    struct stmt stmt = stmt_cached(db, verdict_rows, err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt)) {
        unsigned claims = (unsigned)sqlite3_column_int64(stmt.at, 18);
        uint32_t n = out->domains.len;
        if (n == N_DOMAINS || !read_row(&stmt, claims, out, runs ? &runs[n] : NULL)) {
            stmt.failed = true;
            err_set(err, ERR_DB, "%s: a verdict of rule %.64s is damaged", db->path, hash);
        }
    }
    return stmt_close(&stmt);
}

// Rows of stale verdicts are left out.
static bool read_obligations(struct db *db, const char *hash, struct report *out, struct err *err)
{
    struct report all = {0};
    bool ok = db_obligations(db, hash, &all, err);
    for (uint32_t i = 0; ok && i < all.domains.len; i++)
        for (uint32_t k = 0; k < out->domains.len; k++) {
            struct domain_report *to = &out->domains.at[k];
            const struct domain_report *from = &all.domains.at[i];
            for (uint32_t n = 0; to->domain == from->domain && n < from->obligations.len; n++) {
                struct obligation obligation = from->obligations.at[n];
                obligation.ranks = arena_strdup(&out->mem, obligation.ranks);
                obligation.detail = arena_strdup(&out->mem, obligation.detail);
                obligation.reason = arena_strdup(&out->mem, obligation.reason);
                vec_push(&to->obligations, obligation);
            }
        }
    report_release(&all);
    return ok;
}

static bool read_remarks(struct db *db, const char *hash, struct report *out, struct err *err)
{
    struct stmt stmt = stmt_cached(db, "SELECT text FROM remark WHERE rule = ? ORDER BY seq", err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt))
        vec_push(&out->remarks, keep(&out->mem, &stmt, 0, false));
    return stmt_close(&stmt);
}

static bool read_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
                        struct err *err)
{
    return read_verdicts(db, hash, out, runs, err) && read_obligations(db, hash, out, err) &&
           read_remarks(db, hash, out, err);
}

bool db_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
               struct err *err)
{
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && read_report(db, hash, out, runs, err);
    db_rollback(db); // nothing was written
    return ok;
}

bool db_names(struct db *db, struct db_names *out, struct err *err)
{
    memset(out, 0, sizeof *out);
    struct stmt stmt = stmt_open(db, "SELECT hash, name FROM current ORDER BY hash, name", err);
    while (stmt_row(&stmt)) {
        struct db_name name = {keep(&out->mem, &stmt, 0, false), keep(&out->mem, &stmt, 1, false)};
        vec_push(&out->at, name);
    }
    if (stmt_close(&stmt))
        return true;
    db_names_release(out);
    return false;
}

void db_names_release(struct db_names *names)
{
    vec_release(&names->at);
    arena_release(&names->mem);
}

// ---- the join of two verdicts ----

static int strength(const struct domain_report *report)
{
    if (report->verdict != VERDICT_UNKNOWN)
        return 2;
    return verdict_is_internal(report->reason) ? 3 : verdict_overrides(report->reason);
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

// Orders shorter lists first.
static int by_length(const char *a, const char *b)
{
    size_t n = strlen(a ? a : ""), m = strlen(b ? b : "");
    return n != m ? (n > m) - (n < m) : strcmp(a ? a : "", b ? b : "");
}

static double grade_order(enum grade grade)
{
    return grade == GRADE_NONE ? GRADE_FINITE_ZERO_SIGN + 1.0 : (double)grade;
}

// Orders two lists of one length.
static int obligation_order(const struct domain_report *a, const struct domain_report *b)
{
    int c = 0;
    for (uint32_t i = 0; c == 0 && i < a->obligations.len; i++) {
        const struct obligation *obligation = &a->obligations.at[i];
        const struct obligation *y = &b->obligations.at[i];
        c = by_number(obligation->kind, y->kind);
        c = c ? c : by_number(obligation->verdict, y->verdict);
        c = c ? c : by_length(obligation->ranks, y->ranks);
        c = c ? c : by_length(obligation->detail, y->detail);
        c = c ? c : by_length(obligation->reason, y->reason);
    }
    return c;
}

// Compares two reports of the same verdict: negative if the first one stays.
// All fields that a reader sees take part, the less accidental fields first.
static int order(const struct domain_report *a, const struct domain_report *b)
{
    int c = by_number(a->rung, b->rung);
    c = c ? c : by_number(grade_order(a->grade), grade_order(b->grade));
    c = c ? c : by_length(a->reason, b->reason);
    c = c ? c : by_length(a->counterexample, b->counterexample);
    c = c ? c : by_length(a->method, b->method);
    c = c ? c : by_length(a->bound, b->bound);
    c = c ? c : by_length(a->bound_why, b->bound_why);
    c = c ? c : by_number(a->instances, b->instances);
    c = c ? c : by_length(a->solver, b->solver);
    c = c ? c : by_number(a->obligations.len, b->obligations.len);
    c = c ? c : by_number(a->seconds, b->seconds);
    return c ? c : obligation_order(a, b);
}

enum join { KEEP, TAKE, DISAGREE, VOID };

// VOID: the stored refutation does not replay.
static enum join join(const struct rule *rule, const struct domain_report *have,
                      const struct domain_report *come, const struct merge_judge *judge)
{
    if (have == NULL)
        return TAKE;
    if (strength(have) != strength(come))
        return strength(come) > strength(have) ? TAKE : KEEP;
    if (have->verdict == come->verdict)
        return order(come, have) < 0 ? TAKE : KEEP;
    if (have->verdict == VERDICT_REFUTED && !judge->replays(judge->ctx, rule, have))
        return VOID;
    return DISAGREE;
}

static const struct domain_report *of_domain(const struct report *rep, enum domain domain)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].domain == domain)
            return &rep->domains.at[i];
    return NULL;
}

// ---- the incoming verdicts ----

static bool same(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

// Parameters 1 to 5, which tell runs apart, except for their ends.
static void bind_run(struct stmt *stmt, const struct merge_run *run)
{
    stmt_text(stmt, 1, run->started);
    stmt_text(stmt, 2, run->command);
    stmt_text(stmt, 3, run->verifier);
    stmt_text(stmt, 4, run->semantics);
    stmt_text(stmt, 5, run->solver);
}

static bool find_run(struct db *db, const struct merge_run *run, int64_t *id, struct err *err)
{
    struct stmt stmt =
        stmt_cached(db,
                    "SELECT id, finished FROM run WHERE started = ?1 AND command = ?2 AND "
                    "verifier = ?3 AND semantics = ?4 AND solver = ?5 ORDER BY id",
                    err);
    bind_run(&stmt, run);
    *id = 0;
    while (*id == 0 && stmt_row(&stmt)) {
        bool open = sqlite3_column_type(stmt.at, 1) == SQLITE_NULL;
        if (same(open ? NULL : stmt_column(&stmt, 1), run->finished))
            *id = sqlite3_column_int64(stmt.at, 0);
    }
    return stmt_close(&stmt);
}

// The run's row. A missing row is made.
static bool take_run(struct db *db, const struct merge_run *run, int64_t *id, struct err *err)
{
    if (!find_run(db, run, id, err) || *id)
        return *id != 0;
    struct stmt stmt = stmt_cached(db,
                                   "INSERT INTO run(started, command, verifier, semantics, solver, "
                                   "finished) VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, ''))",
                                   err);
    bind_run(&stmt, run);
    stmt_text(&stmt, 6, run->finished ? run->finished : "");
    stmt_run(&stmt);
    *id = sqlite3_last_insert_rowid(db->handle);
    return stmt_close(&stmt);
}

static bool take(struct db *db, const char *hash, const struct domain_report *report,
                 const struct merge_run *u, struct err *err)
{
    int64_t run;
    return take_run(db, u, &run, err) && put_verdict(db, hash, report, run, err);
}

// J4: nothing of either verdict is left, so that their order does not matter.
static bool take_contradiction(struct db *db, const char *hash, enum domain domain, const char *why,
                               const struct merge_run *run, struct err *err)
{
    struct domain_report none = {
        .domain = domain, .verdict = VERDICT_UNKNOWN, .reason = why, .bound = "{}"};
    return take(db, hash, &none, run, err);
}

// One incoming rule.
struct merging {
    struct db *db;
    const struct merge_rule *rule;
    const struct report *have;
    const struct merge_judge *judge;
    struct merge_result *res;
};

// Joins verdict number i of the rule.
static bool merge_verdict(const struct merging *merging, uint32_t i, struct err *err)
{
    struct db *db = merging->db;
    const struct merge_rule *rule = merging->rule;
    const struct merge_judge *judge = merging->judge;
    struct merge_result *res = merging->res;
    const struct domain_report *come = &rule->report->domains.at[i];
    const struct domain_report *old = of_domain(merging->have, come->domain);
    unsigned bit = 1u << come->domain;
    const struct merge_run *run = &rule->runs[i];
    switch (join(rule->rule, old, come, judge)) {
    case KEEP:
        res->kept |= bit;
        if (verdict_is_internal(old->reason))
            res->internal |= bit;
        return true;
    case DISAGREE:
        res->disagree |= bit;
        res->internal |= bit;
        return take_contradiction(db, rule->rule->hash, come->domain, judge->disagree, run, err);
    case VOID:
        res->invalid |= bit;
        break;
    case TAKE:
        break;
    }
    res->taken |= bit;
    if (verdict_is_internal(come->reason))
        res->internal |= bit;
    return take(db, rule->rule->hash, come, run, err);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The union, sorted, so that the result does not show the order of arrival.
static bool merge_remarks(struct db *db, const struct merge_rule *rule, const struct report *have,
                          bool *changed, struct err *err)
{
    struct report all = {0};
    for (uint32_t i = 0; i < have->remarks.len; i++)
        vec_push(&all.remarks, have->remarks.at[i]);
    for (uint32_t i = 0; i < rule->report->remarks.len; i++)
        if (!report_remarks(&all, rule->report->remarks.at[i]))
            vec_push(&all.remarks, rule->report->remarks.at[i]);
    if (all.remarks.len)
        qsort(all.remarks.at, all.remarks.len, sizeof *all.remarks.at, by_text);
    bool same_list = all.remarks.len == have->remarks.len;
    for (uint32_t i = 0; same_list && i < all.remarks.len; i++)
        same_list = all.remarks.at[i] == have->remarks.at[i];
    bool ok = same_list || put_remarks(db, rule->rule->hash, &all, err);
    *changed |= !same_list;
    vec_release(&all.remarks);
    return ok;
}

// J5.
static bool claim_name(struct db *db, const char *name, const char *hash, bool *changed,
                       struct err *err)
{
    char other[65] = "";
    struct stmt stmt = stmt_open(db, "SELECT hash FROM current WHERE name = ?", err);
    stmt_text(&stmt, 1, name);
    if (stmt_row(&stmt))
        snprintf(other, sizeof other, "%s", stmt_column(&stmt, 0));
    if (!stmt_close(&stmt))
        return false;
    if (strcmp(other, hash) == 0)
        return true;
    bool wins = other[0] == '\0' || strcmp(hash, other) < 0;
    if (wins) {
        *changed = true;
        stmt = stmt_open(db, "INSERT OR REPLACE INTO current VALUES (?, ?)", err);
        stmt_text(&stmt, 1, name);
        stmt_text(&stmt, 2, hash);
        stmt_run(&stmt);
        if (!stmt_close(&stmt))
            return false;
    }
    if (other[0] == '\0')
        return true;
    const char *loser = wins ? other : hash;
    struct buf longer = {0};
    buf_printf(&longer, "%s_%.*s", name, DB_NAME_DIGITS, loser);
    bool ok = claim_name(db, buf_text(&longer), loser, changed, err);
    buf_release(&longer);
    return ok;
}

// True if the rule has no name of its own and is called after its hash.
static bool is_nameless(const char *name, const char *hash)
{
    return strncmp(name, "rule_", 5) == 0 && strlen(name) > 5 &&
           strncmp(name + 5, hash, strlen(name + 5)) == 0;
}

// J6: *wins is true if the incoming text replaces the stored one.
static bool text_wins(struct db *db, const struct rule *rule, bool *fresh, bool *wins,
                      struct err *err)
{
    struct stmt stmt = stmt_cached(db, "SELECT name, family, source FROM rule WHERE hash = ?", err);
    stmt_text(&stmt, 1, rule->hash);
    *fresh = !stmt_row(&stmt);
    *wins = true;
    if (!*fresh && !stmt.failed) {
        struct buf source = {0};
        rule_print(rule, &source);
        int c =
            is_nameless(rule->name, rule->hash) - is_nameless(stmt_column(&stmt, 0), rule->hash);
        c = c ? c : strcmp(rule->family, stmt_column(&stmt, 1));
        c = c ? c : strcmp(buf_text(&source), stmt_column(&stmt, 2));
        *wins = c < 0;
        buf_release(&source);
    }
    return stmt_close(&stmt);
}

static bool merge_text(struct db *db, const struct merge_rule *rule, struct merge_result *res,
                       struct err *err)
{
    bool wins;
    if (!text_wins(db, rule->rule, &res->fresh, &wins, err) ||
        (wins && !put_text(db, rule->rule, err)))
        return false;
    res->changed |= wins;
    for (uint32_t i = 0; i < rule->n_names; i++)
        if (!claim_name(db, rule->names[i], rule->rule->hash, &res->changed, err))
            return false;
    return true;
}

static bool merge_rule(struct db *db, const struct merge_rule *rule,
                       const struct merge_judge *judge, struct merge_result *res, struct err *err)
{
    struct report have = {0};
    bool ok = merge_text(db, rule, res, err) &&
              read_report(db, rule->rule->hash, &have, NULL, err) &&
              merge_remarks(db, rule, &have, &res->changed, err);
    struct merging merging = {db, rule, &have, judge, res};
    for (uint32_t i = 0; ok && i < rule->report->domains.len; i++)
        ok = merge_verdict(&merging, i, err);
    report_release(&have);
    res->changed |= (res->taken | res->disagree) != 0;
    return ok && (!res->changed || db_exec(db, "DELETE FROM complete", err));
}

bool db_merge_rule(struct db *db, const struct merge_rule *rule, const struct merge_judge *judge,
                   struct merge_result *res, struct err *err)
{
    *res = (struct merge_result){0};
    return db_begin(db, err) && put_finish(db, merge_rule(db, rule, judge, res, err), err);
}

// ---- proof records ----

static bool copy_uses(struct db *db, struct db *from, const char *id, struct err *err)
{
    struct stmt in =
        stmt_cached(from, "SELECT rule, count FROM use WHERE record = ? ORDER BY rule", err);
    struct stmt out = stmt_cached(db, "INSERT INTO use VALUES (?, ?, ?)", err);
    stmt_text(&in, 1, id);
    while (!out.failed && stmt_row(&in)) {
        stmt_text(&out, 1, id);
        stmt_text(&out, 2, stmt_column(&in, 0));
        stmt_int(&out, 3, sqlite3_column_int64(in.at, 1));
        stmt_run(&out);
    }
    return (int)stmt_close(&in) & (int)stmt_close(&out);
}

bool db_merge_records(struct db *db, struct db *from, uint32_t *n, struct err *err)
{
    struct stmt in =
        stmt_open(from, "SELECT id, created, domain, steps FROM record ORDER BY id", err);
    bool ok = true;
    *n = 0;
    while (ok && stmt_row(&in)) {
        ok = db_begin(db, err);
        struct stmt out = stmt_cached(db, "INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?)", err);
        for (int i = 0; i < 3; i++)
            stmt_text(&out, 1 + i, stmt_column(&in, i));
        stmt_int(&out, 4, sqlite3_column_int64(in.at, 3));
        stmt_run(&out);
        bool fresh = sqlite3_changes(db->handle) > 0;
        ok = stmt_close(&out) && ok;
        ok = put_finish(db, ok && (!fresh || copy_uses(db, from, stmt_column(&in, 0), err)), err);
        *n += fresh;
    }
    return stmt_close(&in) && ok;
}
