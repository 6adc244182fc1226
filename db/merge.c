// SPDX-License-Identifier: Apache-2.0
#include "db/merge.h"

#include "db/layers.h"
#include "db/put.h"
#include "db/report.h"
#include "db/sql.h"
#include <stdio.h>
#include <stdlib.h>

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
    struct stmt stmt =
        stmt_cached(db,
                    "INSERT INTO main.run(started, command, verifier, semantics, solver, "
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
    unsigned library; // domains in which `have` is the library's
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
    enum join joined = join(rule->rule, old, come, judge);
    if (joined == TAKE && (merging->library & bit) && old->verdict == come->verdict &&
        strength(old) == strength(come))
        joined = KEEP; // J7
    if (joined != KEEP && !put_missing_text(db, rule->rule, err))
        return false;
    switch (joined) {
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

// J5, J7.
static bool claim_name(struct db *db, const struct merge_name *name, const char *hash,
                       bool *changed, struct err *err)
{
    char other[65] = "";
    struct stmt stmt =
        stmt_open(db, "SELECT hash FROM main.current WHERE family = ? AND name = ?", err);
    stmt_text(&stmt, 1, name->family);
    stmt_text(&stmt, 2, name->name);
    if (stmt_row(&stmt))
        snprintf(other, sizeof other, "%s", stmt_column(&stmt, 0));
    if (!stmt_close(&stmt))
        return false;
    if (strcmp(other, hash) == 0)
        return true;
    bool wins = other[0] == '\0' || strcmp(hash, other) < 0;
    if (wins) {
        *changed = true;
        stmt = stmt_open(db, "INSERT OR REPLACE INTO main.current VALUES (?, ?, ?)", err);
        stmt_text(&stmt, 1, name->family);
        stmt_text(&stmt, 2, name->name);
        stmt_text(&stmt, 3, hash);
        stmt_run(&stmt);
        if (!stmt_close(&stmt))
            return false;
    }
    if (other[0] == '\0')
        return true;
    const char *loser = wins ? other : hash;
    struct buf longer = {0};
    buf_printf(&longer, "%s_%.*s", name->name, DB_NAME_DIGITS, loser);
    struct merge_name longer_name = {name->family, buf_text(&longer)};
    bool ok = claim_name(db, &longer_name, loser, changed, err);
    buf_release(&longer);
    return ok;
}

// *yes: the library has the rule under this name.
static bool is_named_there(struct db *db, const struct merge_name *name, const char *hash,
                           bool *yes, struct err *err)
{
    struct stmt stmt = stmt_cached(db,
                                   "SELECT 1 FROM current WHERE family = ? AND name = ? AND "
                                   "hash = ? AND layer = 'library'",
                                   err);
    stmt_text(&stmt, 1, name->family);
    stmt_text(&stmt, 2, name->name);
    stmt_text(&stmt, 3, hash);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

static bool merge_name(struct db *db, const struct rule *rule, const struct merge_name *name,
                       bool *changed, struct err *err)
{
    bool there;
    return is_named_there(db, name, rule->hash, &there, err) &&
           (there ||
            (put_missing_text(db, rule, err) && claim_name(db, name, rule->hash, changed, err)));
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
    struct stmt stmt =
        stmt_cached(db, "SELECT name, family, source FROM main.rule WHERE hash = ?", err);
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

static bool merge_text(struct db *db, const struct merge_rule *rule, bool library,
                       struct merge_result *res, struct err *err)
{
    bool wins = false;
    if ((!library && !text_wins(db, rule->rule, &res->fresh, &wins, err)) ||
        (wins && !put_text(db, rule->rule, err)))
        return false;
    res->changed |= wins;
    for (uint32_t i = 0; i < rule->n_names; i++)
        if (!merge_name(db, rule->rule, &rule->names[i], &res->changed, err))
            return false;
    return true;
}

static bool merge_rule(struct db *db, const struct merge_rule *rule,
                       const struct merge_judge *judge, struct merge_result *res, struct err *err)
{
    struct report have = {0};
    bool library;
    struct merging merging = {.db = db, .rule = rule, .have = &have, .judge = judge, .res = res};
    bool ok = layers_library_has(db, rule->rule->hash, &library, err) &&
              merge_text(db, rule, library, res, err) &&
              read_report(db, rule->rule->hash, &have, NULL, &merging.library, err) &&
              (library || merge_remarks(db, rule, &have, &res->changed, err));
    for (uint32_t i = 0; ok && i < rule->report->domains.len; i++)
        ok = merge_verdict(&merging, i, err);
    report_release(&have);
    res->changed |= (res->taken | res->disagree) != 0;
    return ok && (!res->changed || db_exec(db, "DELETE FROM main.complete", err));
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
    struct stmt out = stmt_cached(db, "INSERT INTO main.use VALUES (?, ?, ?)", err);
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
        struct stmt out =
            stmt_cached(db, "INSERT OR IGNORE INTO main.record VALUES (?, ?, ?, ?)", err);
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
