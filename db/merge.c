// SPDX-License-Identifier: Apache-2.0
#include "db/merge.h"

#include "db/put.h"
#include "db/sql.h"
#include <stdio.h>
#include <stdlib.h>

#define DIGITS_IN_NAME 8

// ---- what is there ----

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
static const char *keep(struct arena *mem, struct stmt *s, int column,
                        bool none)
{
    if (none && sqlite3_column_type(s->at, column) == SQLITE_NULL)
        return NULL;
    return arena_strdup(mem, stmt_column(s, column));
}

static bool read_row(struct stmt *s, unsigned claims, struct report *out,
                     struct merge_run *run)
{
    struct domain_report d = {0};
    if (!domain_by_text(stmt_column(s, 0), &d.domain) ||
        !verdict_by_text(stmt_column(s, 1), &d.verdict) ||
        !rung_by_text(stmt_column(s, 2), &d.rung) ||
        !grade_by_name(stmt_column(s, 3), &d.grade))
        return false;
    struct arena *mem = &out->mem;
    d.claimed = (claims >> d.domain & 1) != 0;
    d.reason = keep(mem, s, 4, false);
    d.method = keep(mem, s, 5, false);
    d.bound = keep(mem, s, 6, false);
    d.bound_why = keep(mem, s, 7, false);
    d.solver = keep(mem, s, 8, false);
    d.instances = (uint32_t)sqlite3_column_int64(s->at, 9);
    d.seconds = sqlite3_column_double(s->at, 10);
    d.counterexample = keep(mem, s, 11, true);
    if (run != NULL)
        *run = (struct merge_run){
            keep(mem, s, 12, false), keep(mem, s, 13, true),
            keep(mem, s, 14, false), keep(mem, s, 15, false),
            keep(mem, s, 16, false), keep(mem, s, 17, false)};
    vec_push(&out->domains, d);
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
                          struct merge_run *runs, struct err *e)
{
    struct stmt s = stmt_cached(db, verdict_rows, e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s)) {
        unsigned claims = (unsigned)sqlite3_column_int64(s.at, 18);
        uint32_t n = out->domains.len;
        if (n == N_DOMAINS ||
            !read_row(&s, claims, out, runs ? &runs[n] : NULL)) {
            s.failed = true;
            err_set(e, ERR_DB, "%s: a verdict of rule %.64s is damaged",
                    db->path, hash);
        }
    }
    return stmt_close(&s);
}

// Those of stale verdicts are left out.
static bool read_obligations(struct db *db, const char *hash,
                             struct report *out, struct err *e)
{
    struct report all = {0};
    bool ok = db_obligations(db, hash, &all, e);
    for (uint32_t i = 0; ok && i < all.domains.len; i++)
        for (uint32_t k = 0; k < out->domains.len; k++) {
            struct domain_report *to = &out->domains.at[k];
            const struct domain_report *from = &all.domains.at[i];
            for (uint32_t n = 0;
                 to->domain == from->domain && n < from->obligations.len; n++) {
                struct obligation o = from->obligations.at[n];
                o.ranks = arena_strdup(&out->mem, o.ranks);
                o.detail = arena_strdup(&out->mem, o.detail);
                o.reason = arena_strdup(&out->mem, o.reason);
                vec_push(&to->obligations, o);
            }
        }
    report_release(&all);
    return ok;
}

static bool read_remarks(struct db *db, const char *hash, struct report *out,
                         struct err *e)
{
    struct stmt s = stmt_cached(
        db, "SELECT text FROM remark WHERE rule = ? ORDER BY seq", e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s))
        vec_push(&out->remarks, keep(&out->mem, &s, 0, false));
    return stmt_close(&s);
}

static bool read_report(struct db *db, const char *hash, struct report *out,
                        struct merge_run *runs, struct err *e)
{
    return read_verdicts(db, hash, out, runs, e) &&
           read_obligations(db, hash, out, e) && read_remarks(db, hash, out, e);
}

bool db_report(struct db *db, const char *hash, struct report *out,
               struct merge_run *runs, struct err *e)
{
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", e) && read_report(db, hash, out, runs, e);
    db_rollback(db); // nothing was written
    return ok;
}

bool db_names(struct db *db, struct db_names *out, struct err *e)
{
    memset(out, 0, sizeof *out);
    struct stmt s =
        stmt_open(db, "SELECT hash, name FROM current ORDER BY hash, name", e);
    while (stmt_row(&s)) {
        struct db_name n = {keep(&out->mem, &s, 0, false),
                            keep(&out->mem, &s, 1, false)};
        vec_push(&out->at, n);
    }
    if (stmt_close(&s))
        return true;
    db_names_release(out);
    return false;
}

void db_names_release(struct db_names *n)
{
    vec_release(&n->at);
    arena_release(&n->mem);
}

// ---- the join of two verdicts ----

static int strength(const struct domain_report *d)
{
    if (d->verdict != VERDICT_UNKNOWN)
        return 2;
    return verdict_is_internal(d->reason) ? 3 : verdict_overrides(d->reason);
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

// Shorter ones first.
static int by_length(const char *a, const char *b)
{
    size_t n = strlen(a ? a : ""), m = strlen(b ? b : "");
    return n != m ? (n > m) - (n < m) : strcmp(a ? a : "", b ? b : "");
}

static double grade_order(enum grade g)
{
    return g == GRADE_NONE ? GRADE_FINITE_ZERO_SIGN + 1.0 : g;
}

// Of two lists of one length.
static int obligation_order(const struct domain_report *a,
                            const struct domain_report *b)
{
    int c = 0;
    for (uint32_t i = 0; c == 0 && i < a->obligations.len; i++) {
        const struct obligation *x = &a->obligations.at[i];
        const struct obligation *y = &b->obligations.at[i];
        c = by_number(x->kind, y->kind);
        c = c ? c : by_number(x->verdict, y->verdict);
        c = c ? c : by_length(x->ranks, y->ranks);
        c = c ? c : by_length(x->detail, y->detail);
        c = c ? c : by_length(x->reason, y->reason);
    }
    return c;
}

// Of two with the same verdict: negative, if the first one stays.  All fields
// that a reader sees take part, the less accidental ones first.
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

// VOID: the refutation that was there does not replay.
static enum join join(const struct rule *r, const struct domain_report *have,
                      const struct domain_report *come,
                      const struct merge_judge *judge)
{
    if (have == NULL)
        return TAKE;
    if (strength(have) != strength(come))
        return strength(come) > strength(have) ? TAKE : KEEP;
    if (have->verdict == come->verdict)
        return order(come, have) < 0 ? TAKE : KEEP;
    if (have->verdict == VERDICT_REFUTED &&
        !judge->replays(judge->ctx, r, have))
        return VOID;
    return DISAGREE;
}

static const struct domain_report *of_domain(const struct report *rep,
                                             enum domain d)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].domain == d)
            return &rep->domains.at[i];
    return NULL;
}

// ---- what comes in ----

static bool same(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

// Parameters 1 to 5, which tell runs apart but for their end.
static void bind_run(struct stmt *s, const struct merge_run *u)
{
    stmt_text(s, 1, u->started);
    stmt_text(s, 2, u->command);
    stmt_text(s, 3, u->verifier);
    stmt_text(s, 4, u->semantics);
    stmt_text(s, 5, u->solver);
}

static bool find_run(struct db *db, const struct merge_run *u, int64_t *id,
                     struct err *e)
{
    struct stmt s = stmt_cached(
        db,
        "SELECT id, finished FROM run WHERE started = ?1 AND command = ?2 AND "
        "verifier = ?3 AND semantics = ?4 AND solver = ?5 ORDER BY id",
        e);
    bind_run(&s, u);
    *id = 0;
    while (*id == 0 && stmt_row(&s)) {
        bool open = sqlite3_column_type(s.at, 1) == SQLITE_NULL;
        if (same(open ? NULL : stmt_column(&s, 1), u->finished))
            *id = sqlite3_column_int64(s.at, 0);
    }
    return stmt_close(&s);
}

// The run's row, which is made if there is none.
static bool take_run(struct db *db, const struct merge_run *u, int64_t *id,
                     struct err *e)
{
    if (!find_run(db, u, id, e) || *id)
        return *id != 0;
    struct stmt s = stmt_cached(
        db,
        "INSERT INTO run(started, command, verifier, semantics, solver, "
        "finished) VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, ''))",
        e);
    bind_run(&s, u);
    stmt_text(&s, 6, u->finished ? u->finished : "");
    stmt_run(&s);
    *id = sqlite3_last_insert_rowid(db->handle);
    return stmt_close(&s);
}

static bool take(struct db *db, const char *hash, const struct domain_report *d,
                 const struct merge_run *u, struct err *e)
{
    int64_t run;
    return take_run(db, u, &run, e) && put_verdict(db, hash, d, run, e);
}

// J4: nothing of either is left, so that it does not matter which came first.
static bool take_contradiction(struct db *db, const char *hash, enum domain d,
                               const char *why, const struct merge_run *u,
                               struct err *e)
{
    struct domain_report none = {
        .domain = d, .verdict = VERDICT_UNKNOWN, .reason = why, .bound = "{}"};
    return take(db, hash, &none, u, e);
}

static bool merge_verdict(struct db *db, const struct merge_rule *m, uint32_t i,
                          const struct report *have,
                          const struct merge_judge *judge,
                          struct merge_result *res, struct err *e)
{
    const struct domain_report *come = &m->report->domains.at[i];
    const struct domain_report *old = of_domain(have, come->domain);
    unsigned bit = 1u << come->domain;
    const struct merge_run *u = &m->runs[i];
    switch (join(m->rule, old, come, judge)) {
    case KEEP:
        res->kept |= bit;
        if (verdict_is_internal(old->reason))
            res->internal |= bit;
        return true;
    case DISAGREE:
        res->disagree |= bit;
        res->internal |= bit;
        return take_contradiction(db, m->rule->hash, come->domain,
                                  judge->disagree, u, e);
    case VOID:
        res->invalid |= bit;
        break;
    case TAKE:
        break;
    }
    res->taken |= bit;
    if (verdict_is_internal(come->reason))
        res->internal |= bit;
    return take(db, m->rule->hash, come, u, e);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The union, sorted: in which order they came must not be told from it.
static bool merge_remarks(struct db *db, const struct merge_rule *m,
                          const struct report *have, bool *changed,
                          struct err *e)
{
    struct report all = {0};
    for (uint32_t i = 0; i < have->remarks.len; i++)
        vec_push(&all.remarks, have->remarks.at[i]);
    for (uint32_t i = 0; i < m->report->remarks.len; i++)
        if (!report_remarks(&all, m->report->remarks.at[i]))
            vec_push(&all.remarks, m->report->remarks.at[i]);
    if (all.remarks.len)
        qsort(all.remarks.at, all.remarks.len, sizeof *all.remarks.at, by_text);
    bool same_list = all.remarks.len == have->remarks.len;
    for (uint32_t i = 0; same_list && i < all.remarks.len; i++)
        same_list = all.remarks.at[i] == have->remarks.at[i];
    bool ok = same_list || put_remarks(db, m->rule->hash, &all, e);
    *changed |= !same_list;
    vec_release(&all.remarks);
    return ok;
}

// J5.
static bool claim_name(struct db *db, const char *name, const char *hash,
                       bool *changed, struct err *e)
{
    char other[65] = "";
    struct stmt s = stmt_open(db, "SELECT hash FROM current WHERE name = ?", e);
    stmt_text(&s, 1, name);
    if (stmt_row(&s))
        snprintf(other, sizeof other, "%s", stmt_column(&s, 0));
    if (!stmt_close(&s))
        return false;
    if (strcmp(other, hash) == 0)
        return true;
    bool wins = other[0] == '\0' || strcmp(hash, other) < 0;
    if (wins) {
        *changed = true;
        s = stmt_open(db, "INSERT OR REPLACE INTO current VALUES (?, ?)", e);
        stmt_text(&s, 1, name);
        stmt_text(&s, 2, hash);
        stmt_run(&s);
        if (!stmt_close(&s))
            return false;
    }
    if (other[0] == '\0')
        return true;
    const char *loser = wins ? other : hash;
    struct buf longer = {0};
    buf_printf(&longer, "%s_%.*s", name, DIGITS_IN_NAME, loser);
    bool ok = claim_name(db, buf_text(&longer), loser, changed, e);
    buf_release(&longer);
    return ok;
}

// Was the rule given no name, so that it is called after its hash?
static bool is_nameless(const char *name, const char *hash)
{
    return strncmp(name, "rule_", 5) == 0 && strlen(name) > 5 &&
           strncmp(name + 5, hash, strlen(name + 5)) == 0;
}

// J6: does the text that comes stay, not the one that is there?
static bool text_wins(struct db *db, const struct rule *r, bool *fresh,
                      bool *wins, struct err *e)
{
    struct stmt s = stmt_cached(
        db, "SELECT name, family, source FROM rule WHERE hash = ?", e);
    stmt_text(&s, 1, r->hash);
    *fresh = !stmt_row(&s);
    *wins = true;
    if (!*fresh && !s.failed) {
        struct buf source = {0};
        rule_print(r, &source);
        int c = is_nameless(r->name, r->hash) -
                is_nameless(stmt_column(&s, 0), r->hash);
        c = c ? c : strcmp(r->family, stmt_column(&s, 1));
        c = c ? c : strcmp(buf_text(&source), stmt_column(&s, 2));
        *wins = c < 0;
        buf_release(&source);
    }
    return stmt_close(&s);
}

static bool merge_text(struct db *db, const struct merge_rule *m,
                       struct merge_result *res, struct err *e)
{
    bool wins;
    if (!text_wins(db, m->rule, &res->fresh, &wins, e) ||
        (wins && !put_text(db, m->rule, e)))
        return false;
    res->changed |= wins;
    for (uint32_t i = 0; i < m->n_names; i++)
        if (!claim_name(db, m->names[i], m->rule->hash, &res->changed, e))
            return false;
    return true;
}

static bool merge_rule(struct db *db, const struct merge_rule *m,
                       const struct merge_judge *judge,
                       struct merge_result *res, struct err *e)
{
    struct report have = {0};
    bool ok = merge_text(db, m, res, e) &&
              read_report(db, m->rule->hash, &have, NULL, e) &&
              merge_remarks(db, m, &have, &res->changed, e);
    for (uint32_t i = 0; ok && i < m->report->domains.len; i++)
        ok = merge_verdict(db, m, i, &have, judge, res, e);
    report_release(&have);
    res->changed |= (res->taken | res->disagree) != 0;
    return ok && (!res->changed || db_exec(db, "DELETE FROM complete", e));
}

bool db_merge_rule(struct db *db, const struct merge_rule *m,
                   const struct merge_judge *judge, struct merge_result *res,
                   struct err *e)
{
    *res = (struct merge_result){0};
    return db_begin(db, e) &&
           put_finish(db, merge_rule(db, m, judge, res, e), e);
}

// ---- proof records ----

static bool copy_uses(struct db *db, struct db *from, const char *id,
                      struct err *e)
{
    struct stmt in = stmt_cached(
        from, "SELECT rule, count FROM use WHERE record = ? ORDER BY rule", e);
    struct stmt out = stmt_cached(db, "INSERT INTO use VALUES (?, ?, ?)", e);
    stmt_text(&in, 1, id);
    while (!out.failed && stmt_row(&in)) {
        stmt_text(&out, 1, id);
        stmt_text(&out, 2, stmt_column(&in, 0));
        stmt_int(&out, 3, sqlite3_column_int64(in.at, 1));
        stmt_run(&out);
    }
    return (int)stmt_close(&in) & (int)stmt_close(&out);
}

bool db_merge_records(struct db *db, struct db *from, uint32_t *n,
                      struct err *e)
{
    struct stmt in = stmt_open(
        from, "SELECT id, created, domain, steps FROM record ORDER BY id", e);
    bool ok = true;
    *n = 0;
    while (ok && stmt_row(&in)) {
        ok = db_begin(db, e);
        struct stmt out = stmt_cached(
            db, "INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?)", e);
        for (int i = 0; i < 3; i++)
            stmt_text(&out, 1 + i, stmt_column(&in, i));
        stmt_int(&out, 4, sqlite3_column_int64(in.at, 3));
        stmt_run(&out);
        bool fresh = sqlite3_changes(db->handle) > 0;
        ok = stmt_close(&out) && ok;
        ok = put_finish(
            db, ok && (!fresh || copy_uses(db, from, stmt_column(&in, 0), e)),
            e);
        *n += fresh;
    }
    return stmt_close(&in) && ok;
}
