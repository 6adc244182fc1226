// SPDX-License-Identifier: Apache-2.0
#include "db/db.h"

#include "base/hash.h"
#include "db/sql.h"
#include <stdio.h>

void stored_rules_release(struct stored_rules *s)
{
    for (uint32_t i = 0; i < s->rules.len; i++) {
        struct stored_rule *r = &s->rules.at[i];
        vec_release(&r->origins);
        vec_release(&r->operators);
        vec_release(&r->preconditions);
        vec_release(&r->remarks);
        vec_release(&r->verdicts);
    }
    vec_release(&s->rules);
    arena_release(&s->mem);
}

void db_filter_init(struct db_filter *f)
{
    memset(f, 0, sizeof *f);
    f->domain = -1;
    f->verdict = -1;
}

void db_filter_release(struct db_filter *f)
{
    vec_release(&f->ops);
    vec_release(&f->texts);
}

#define STALE                                                                  \
    "(v.verifier <> '" VERIFIER_VERSION "' OR v.semantics <> "                 \
    "'" SEMANTICS_VERSION "')"

// Are names asked for that now stand for another text?
static bool old_names(const struct db_filter *f)
{
    return f->superseded || f->stale;
}

// IN, not EXISTS: the names are gone through once, not for every rule.
#define CURRENT "r.hash IN (SELECT hash FROM current)"

// The WHERE clause; its parameters are bound in the same order by bind_all.
static void filter_sql(const struct db_filter *f, struct buf *sql)
{
    buf_puts(sql, " WHERE 1");
    if (f->name)
        buf_printf(sql,
                   " AND (r.hash = ? OR (length(?) >= 6 AND "
                   "substr(r.hash, 1, length(?)) = ?) OR %sEXISTS (SELECT "
                   "1 FROM current k WHERE k.hash = r.hash AND k.name = "
                   "?))",
                   old_names(f) ? "r.name = ? OR " : "");
    if (f->family)
        buf_puts(sql, " AND r.family = ?");
    for (uint32_t i = 0; i < f->ops.len; i++)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM operator o WHERE o.rule = "
                      "r.hash AND o.op = ?)");
    for (uint32_t i = 0; i < f->texts.len; i++)
        buf_puts(sql, " AND (instr(r.name, ?) OR instr(r.source, ?) OR "
                      "instr(r.doc, ?))");
    if (f->precondition)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM precondition p WHERE p.rule "
                      "= r.hash AND (instr(p.roles, ' ' || ? || ' ') OR "
                      "instr(p.text, ?)))");
    if (f->any_precondition)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM precondition p WHERE p.rule "
                      "= r.hash)");
    if (f->record)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM use u WHERE u.rule = r.hash "
                      "AND u.record = ?)");
    if (f->domain >= 0 || f->verdict >= 0 || f->rung || f->grade) {
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM verdict v WHERE v.rule = "
                      "r.hash");
        if (f->domain >= 0)
            buf_puts(sql, " AND v.domain = ?");
        if (f->verdict >= 0)
            buf_puts(sql, " AND v.verdict = ?");
        if (f->rung)
            buf_puts(sql, " AND v.rung = ?");
        if (f->grade)
            buf_puts(sql, " AND v.grade = ?");
        buf_puts(sql, ")");
    }
    if (f->stale)
        buf_puts(sql,
                 " AND (NOT " CURRENT " OR EXISTS (SELECT 1 FROM verdict v "
                 "WHERE v.rule = r.hash AND " STALE "))");
    else if (!f->superseded)
        buf_puts(sql, " AND " CURRENT);
    buf_puts(sql, " ORDER BY r.family, r.name, r.hash");
}

static void bind_filter(const struct db_filter *f, struct stmt *s)
{
    int at = 0;
    for (int i = 0; f->name && i < 5 + old_names(f); i++)
        stmt_text(s, ++at, f->name);
    if (f->family)
        stmt_text(s, ++at, f->family);
    for (uint32_t i = 0; i < f->ops.len; i++)
        stmt_text(s, ++at, f->ops.at[i]);
    for (uint32_t i = 0; i < f->texts.len; i++)
        for (int k = 0; k < 3; k++)
            stmt_text(s, ++at, f->texts.at[i]);
    for (int i = 0; f->precondition && i < 2; i++)
        stmt_text(s, ++at, f->precondition);
    if (f->record)
        stmt_text(s, ++at, f->record);
    if (f->domain >= 0)
        stmt_text(s, ++at, domain_text((enum domain)f->domain));
    if (f->verdict >= 0)
        stmt_text(s, ++at, verdict_text((enum verdict)f->verdict));
    if (f->rung)
        stmt_text(s, ++at, f->rung);
    if (f->grade)
        stmt_text(s, ++at, f->grade);
}

static const char *keep(struct stored_rules *out, struct stmt *s, int column)
{
    return arena_strdup(&out->mem, stmt_column(s, column));
}

struct stored_texts {
    VEC(const char *) at;
};

static bool read_texts(struct db *db, const char *sql, const char *hash,
                       struct stored_rules *out, struct stored_texts *t, struct err *e)
{
    struct stmt s = stmt_cached(db, sql, e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s))
        vec_push(&t->at, keep(out, &s, 0));
    return stmt_close(&s);
}

#define READ_TEXTS(field, sql)                                                 \
    do {                                                                       \
        struct stored_texts t_ = {0};                                                 \
        ok = ok && read_texts(db, sql, r->hash, out, &t_, e);                  \
        r->field.at = t_.at.at;                                                \
        r->field.len = t_.at.len;                                              \
        r->field.cap = t_.at.cap;                                              \
    } while (0)

static bool damaged(struct stmt *s, const char *what, const char *hash)
{
    if (!s->failed)
        err_set(s->e, ERR_DB, "%s: %s of rule %.64s is damaged", s->db->path,
                what, hash);
    s->failed = true;
    return false;
}

static const char *const all_of_verdict =
    "SELECT v.domain, v.verdict, v.rung, v.reason, v.method, v.bound, "
    "v.bound_why, v.solver, v.verifier, v.semantics, v.instances, "
    "v.obligations, v.seconds, x.json, " STALE ", v.grade FROM verdict v LEFT "
    "JOIN counterexample x ON x.rule = v.rule AND x.domain = v.domain "
    "WHERE v.rule = ? ORDER BY v.domain";
static const char *const brief_verdict =
    "SELECT v.domain, v.verdict, v.rung, '', '', '', '', '', v.verifier, "
    "v.semantics, 0, 0, 0, NULL, " STALE
    ", v.grade FROM verdict v WHERE v.rule = ? ORDER BY v.domain";

static bool read_verdicts(struct db *db, const char *sql,
                          struct stored_rules *out, struct stored_rule *r,
                          struct err *e)
{
    struct stmt s = stmt_cached(db, sql, e);
    stmt_text(&s, 1, r->hash);
    while (stmt_row(&s)) {
        struct stored_verdict v = {0};
        if (!domain_by_text(stmt_column(&s, 0), &v.domain) ||
            !verdict_by_text(stmt_column(&s, 1), &v.verdict)) {
            damaged(&s, "a verdict", r->hash);
            break;
        }
        const char **text[] = {&v.rung,     &v.reason,    &v.method,
                               &v.bound,    &v.bound_why, &v.solver,
                               &v.verifier, &v.semantics};
        for (int i = 0; i < 8; i++)
            *text[i] = keep(out, &s, 2 + i);
        v.instances = sqlite3_column_int64(s.at, 10);
        v.obligations = sqlite3_column_int64(s.at, 11);
        v.seconds = sqlite3_column_double(s.at, 12);
        if (sqlite3_column_type(s.at, 13) != SQLITE_NULL)
            v.counterexample = keep(out, &s, 13);
        v.stale = sqlite3_column_int64(s.at, 14) != 0;
        v.grade = keep(out, &s, 15);
        v.claimed = (r->claims >> v.domain & 1) != 0;
        vec_push(&r->verdicts, v);
    }
    return stmt_close(&s);
}

static bool read_details(struct db *db, struct stored_rules *out,
                         struct stored_rule *r, struct err *e)
{
    bool ok = true;
    READ_TEXTS(origins, "SELECT origin FROM origin WHERE rule = ? ORDER BY 1");
    READ_TEXTS(operators, "SELECT op FROM operator WHERE rule = ? ORDER BY 1");
    READ_TEXTS(preconditions,
               "SELECT text FROM precondition WHERE rule = ? ORDER BY seq");
    READ_TEXTS(remarks, "SELECT text FROM remark WHERE rule = ? ORDER BY seq");
    return ok && read_verdicts(db, all_of_verdict, out, r, e);
}

// A text that is not the one its hash names would be used with verdicts that
// were never given to it.
static bool is_intact(const struct stored_rule *r)
{
    char hash[65];
    sha256_hex(r->canonical, strlen(r->canonical), hash);
    return strcmp(hash, r->hash) == 0;
}

static bool find(struct db *db, const struct db_filter *f,
                 struct stored_rules *out, struct err *e)
{
    struct buf sql = {0};
    buf_printf(&sql,
               // The name last written, if it still stands for this text.
               "SELECT r.hash, coalesce(c.name, (SELECT min(k.name) FROM "
               "current k WHERE k.hash = r.hash), r.name), r.family, %s, "
               "r.canonical, %s, r.claims, " CURRENT
               ", %s FROM rule r LEFT JOIN current c ON c.hash = r.hash AND "
               "c.name = r.name",
               f->brief ? "''" : "r.source", f->brief ? "''" : "r.doc",
               f->brief ? "0"
                        : "(SELECT coalesce(sum(count), 0) FROM use WHERE "
                          "use.rule = r.hash)");
    filter_sql(f, &sql);
    struct stmt s = stmt_open(db, buf_text(&sql), e);
    bind_filter(f, &s);
    while (stmt_row(&s)) {
        struct stored_rule r = {0};
        const char **text[] = {&r.hash,   &r.name,      &r.family,
                               &r.source, &r.canonical, &r.doc};
        for (int i = 0; i < 6; i++)
            *text[i] = keep(out, &s, i);
        r.claims = (unsigned)sqlite3_column_int64(s.at, 6);
        r.current = sqlite3_column_int64(s.at, 7) != 0;
        r.uses = sqlite3_column_int64(s.at, 8);
        if (!is_intact(&r)) {
            damaged(&s, "the text", r.hash);
            break;
        }
        vec_push(&out->rules, r);
    }
    buf_release(&sql);
    bool ok = stmt_close(&s);
    for (uint32_t i = 0; ok && i < out->rules.len; i++)
        ok = f->brief
                 ? read_verdicts(db, brief_verdict, out, &out->rules.at[i], e)
                 : read_details(db, out, &out->rules.at[i], e);
    return ok;
}

bool db_find(struct db *db, const struct db_filter *f, struct stored_rules *out,
             struct err *e)
{
    memset(out, 0, sizeof *out);
    // One transaction: one state of the database, and one lock.
    bool ok = db_exec(db, "BEGIN", e) && find(db, f, out, e);
    db_rollback(db); // nothing was written
    if (!ok)
        stored_rules_release(out);
    return ok;
}

bool db_proved(struct db *db, const char *hash, unsigned *proved,
               unsigned *uninterpreted, bool *known, struct err *e)
{
    *proved = *uninterpreted = 0;
    *known = false;
    struct stmt s = stmt_cached(
        db,
        "SELECT v.domain, v.rung FROM rule r LEFT JOIN verdict v ON "
        "v.rule = r.hash AND v.verdict = 'proved' AND "
        "v.verifier = '" VERIFIER_VERSION "' AND "
        "v.semantics = '" SEMANTICS_VERSION "' WHERE r.hash = ?",
        e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s)) {
        enum domain d;
        *known = true;
        if (!domain_by_text(stmt_column(&s, 0), &d))
            continue; // no verdict
        *proved |= 1u << d;
        if (strcmp(stmt_column(&s, 1), rung_text(RUNG_UNINTERPRETED)) == 0)
            *uninterpreted |= 1u << d;
    }
    return stmt_close(&s);
}

bool db_told(struct db *db, const char *hash, unsigned *domains, struct err *e)
{
    *domains = 0;
    struct stmt s =
        stmt_cached(db,
                    "SELECT domain, reason FROM verdict WHERE rule = ? AND "
                    "verifier = '" VERIFIER_VERSION "' AND "
                    "semantics = '" SEMANTICS_VERSION "'",
                    e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s)) {
        enum domain d;
        if (domain_by_text(stmt_column(&s, 0), &d) &&
            !verdict_was_killed(stmt_column(&s, 1)))
            *domains |= 1u << d;
    }
    return stmt_close(&s);
}

bool db_has_proved(struct db *db, bool *yes, struct err *e)
{
    struct stmt s = stmt_open(
        db, "SELECT 1 FROM verdict WHERE verdict = 'proved' LIMIT 1", e);
    *yes = stmt_row(&s);
    return stmt_close(&s);
}

bool db_is_complete(struct db *db, const char *library, bool *yes,
                    struct err *e)
{
    struct stmt s =
        stmt_open(db, "SELECT 1 FROM complete WHERE library = ?", e);
    stmt_text(&s, 1, library);
    *yes = stmt_row(&s);
    return stmt_close(&s);
}

static bool kind_by_text(const char *text, enum obligation_kind *out)
{
    for (int k = OBLIGATION_NONEMPTY; k <= OBLIGATION_ELEMENTS; k++) {
        *out = (enum obligation_kind)k;
        if (strcmp(obligation_kind_text(*out), text) == 0)
            return true;
    }
    return false;
}

static bool read_obligation(struct stmt *s, struct report *out)
{
    enum domain d;
    struct obligation o = {0};
    if (!domain_by_text(stmt_column(s, 0), &d) ||
        !kind_by_text(stmt_column(s, 1), &o.kind) ||
        !verdict_by_text(stmt_column(s, 4), &o.verdict))
        return false;
    o.ranks = arena_strdup(&out->mem, stmt_column(s, 2));
    o.detail = arena_strdup(&out->mem, stmt_column(s, 3));
    o.reason = arena_strdup(&out->mem, stmt_column(s, 5));
    o.seconds = sqlite3_column_double(s->at, 6);
    o.effort = (uint64_t)sqlite3_column_int64(s->at, 7);
    if (out->domains.len == 0 || vec_last(&out->domains).domain != d) {
        struct domain_report fresh = {.domain = d};
        vec_push(&out->domains, fresh);
    }
    struct domain_report *last = &vec_last(&out->domains);
    vec_push(&last->obligations, o);
    return true;
}

bool db_obligations(struct db *db, const char *hash, struct report *out,
                    struct err *e)
{
    struct stmt s = stmt_open(
        db,
        "SELECT domain, kind, ranks, detail, verdict, reason, seconds, "
        "effort FROM obligation WHERE rule = ? ORDER BY domain, seq",
        e);
    stmt_text(&s, 1, hash);
    while (stmt_row(&s))
        if (!read_obligation(&s, out)) {
            damaged(&s, "an obligation", hash);
            break;
        }
    return stmt_close(&s);
}

bool db_sql(struct db *db, const char *sql,
            void (*row)(void *ctx, int n, const char *const *names,
                        const char *const *texts),
            void *ctx, struct err *e)
{
    struct stmt s = stmt_open(db, sql, e);
    if (!s.failed && !s.at)
        return err_set(e, ERR_USAGE, "--sql: expected a statement, found none");
    if (!s.failed && !sqlite3_stmt_readonly(s.at)) {
        err_set(e, ERR_USAGE, "--sql: only statements that read are allowed");
        s.failed = true;
    }
    int n = s.failed ? 0 : sqlite3_column_count(s.at);
    const char **names = mem_alloc(sizeof *names * (size_t)(n + 1));
    const char **texts = mem_alloc(sizeof *texts * (size_t)(n + 1));
    while (stmt_row(&s)) {
        for (int i = 0; i < n; i++) {
            names[i] = sqlite3_column_name(s.at, i);
            texts[i] = sqlite3_column_type(s.at, i) == SQLITE_NULL
                           ? NULL
                           : stmt_column(&s, i);
        }
        row(ctx, n, names, texts);
    }
    mem_free(names);
    mem_free(texts);
    return stmt_close(&s);
}
