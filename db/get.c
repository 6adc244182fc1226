// SPDX-License-Identifier: Apache-2.0
#include "db/db.h"

#include "db/layers.h"
#include "db/sql.h"
#include "rules/rule.h"
#include <stdio.h>

static void release_lists(struct stored_rule *r)
{
    vec_release(&r->origins);
    vec_release(&r->operators);
    vec_release(&r->preconditions);
    vec_release(&r->remarks);
    vec_release(&r->verdicts);
}

void stored_rules_drop(struct stored_rules *stored, uint32_t index)
{
    release_lists(&stored->rules.at[index]);
    for (uint32_t i = index; i + 1 < stored->rules.len; i++)
        stored->rules.at[i] = stored->rules.at[i + 1];
    stored->rules.len--;
}

void stored_rules_release(struct stored_rules *stored)
{
    for (uint32_t i = 0; i < stored->rules.len; i++)
        release_lists(&stored->rules.at[i]);
    vec_release(&stored->rules);
    arena_release(&stored->mem);
}

void db_filter_init(struct db_filter *filter)
{
    memset(filter, 0, sizeof *filter);
    filter->domain = -1;
    filter->verdict = -1;
}

void db_filter_release(struct db_filter *filter)
{
    vec_release(&filter->ops);
    vec_release(&filter->texts);
}

#define STALE                                                                                      \
    "(v.verifier <> '" VERIFIER_VERSION "' OR v.semantics <> "                                     \
    "'" SEMANTICS_VERSION "')"

// True if the filter asks for names that now stand for another text.
static bool old_names(const struct db_filter *filter)
{
    return filter->superseded || filter->stale;
}

// Subqueries, not joins: SQLite would write out the views of a LEFT JOIN for every query.
#define CURRENT "EXISTS (SELECT 1 FROM current k WHERE k.hash = r.hash)"

// The WHERE clause; its parameters are bound in the same order by bind_all.
static void filter_sql(const struct db_filter *filter, struct buf *sql)
{
    buf_puts(sql, filter->hash ? " WHERE r.hash = ?" : " WHERE 1");
    if (filter->name)
        buf_printf(sql,
                   " AND (r.hash = ? OR (length(?) >= %d AND "
                   "substr(r.hash, 1, length(?)) = ?) OR %sEXISTS (SELECT "
                   "1 FROM current k WHERE k.hash = r.hash AND k.name = "
                   "?%s))",
                   DB_PREFIX_DIGITS, old_names(filter) ? "r.name = ? OR " : "",
                   filter->of_family ? " AND k.family = ?" : "");
    if (filter->family)
        buf_puts(sql, " AND r.family = ?");
    for (uint32_t i = 0; i < filter->ops.len; i++)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM operator o WHERE o.rule = "
                      "r.hash AND o.op = ?)");
    for (uint32_t i = 0; i < filter->texts.len; i++)
        buf_puts(sql, " AND (instr(r.name, ?) OR instr(r.source, ?) OR "
                      "instr(r.doc, ?))");
    if (filter->precondition)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM precondition p WHERE p.rule "
                      "= r.hash AND (instr(p.roles, ' ' || ? || ' ') OR "
                      "instr(p.text, ?)))");
    if (filter->any_precondition)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM precondition p WHERE p.rule "
                      "= r.hash)");
    if (filter->record)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM use u WHERE u.rule = r.hash "
                      "AND u.record = ?)");
    if (filter->domain >= 0 || filter->verdict >= 0 || filter->rung || filter->grade) {
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM verdict v WHERE v.rule = "
                      "r.hash");
        if (filter->domain >= 0)
            buf_puts(sql, " AND v.domain = ?");
        if (filter->verdict >= 0)
            buf_puts(sql, " AND v.verdict = ?");
        if (filter->rung)
            buf_puts(sql, " AND v.rung = ?");
        if (filter->grade)
            buf_puts(sql, " AND v.grade = ?");
        buf_puts(sql, ")");
    }
    if (filter->since)
        buf_puts(sql, " AND (r.added >= ? OR EXISTS (SELECT 1 FROM verdict v JOIN run u ON "
                      "u.id = v.run AND u.layer = v.layer WHERE v.rule = r.hash AND "
                      "u.started >= ?))");
    if (filter->since_version)
        buf_puts(sql, " AND EXISTS (SELECT 1 FROM verdict v WHERE v.rule = r.hash AND "
                      "CAST(v.verifier AS INTEGER) > CAST(? AS INTEGER))");
    if (filter->stale)
        buf_puts(sql, " AND (NOT " CURRENT " OR EXISTS (SELECT 1 FROM verdict v "
                      "WHERE v.rule = r.hash AND " STALE "))");
    else if (!filter->superseded)
        buf_puts(sql, " AND " CURRENT);
    buf_puts(sql, " ORDER BY r.family, r.name, r.hash");
}

static void bind_filter(const struct db_filter *filter, struct stmt *stmt)
{
    int at = 0;
    if (filter->hash)
        stmt_text(stmt, ++at, filter->hash);
    for (int i = 0; filter->name && i < 5 + old_names(filter); i++)
        stmt_text(stmt, ++at, filter->name);
    if (filter->name && filter->of_family)
        stmt_text(stmt, ++at, filter->of_family);
    if (filter->family)
        stmt_text(stmt, ++at, filter->family);
    for (uint32_t i = 0; i < filter->ops.len; i++)
        stmt_text(stmt, ++at, filter->ops.at[i]);
    for (uint32_t i = 0; i < filter->texts.len; i++)
        for (int k = 0; k < 3; k++)
            stmt_text(stmt, ++at, filter->texts.at[i]);
    for (int i = 0; filter->precondition && i < 2; i++)
        stmt_text(stmt, ++at, filter->precondition);
    if (filter->record)
        stmt_text(stmt, ++at, filter->record);
    if (filter->domain >= 0)
        stmt_text(stmt, ++at, domain_text((enum domain)filter->domain));
    if (filter->verdict >= 0)
        stmt_text(stmt, ++at, verdict_text((enum verdict)filter->verdict));
    if (filter->rung)
        stmt_text(stmt, ++at, filter->rung);
    if (filter->grade)
        stmt_text(stmt, ++at, filter->grade);
    for (int i = 0; filter->since && i < 2; i++)
        stmt_text(stmt, ++at, filter->since);
    if (filter->since_version)
        stmt_text(stmt, ++at, filter->since_version);
}

static const char *keep(struct stored_rules *out, struct stmt *stmt, int column)
{
    return arena_strdup(&out->mem, stmt_column(stmt, column));
}

struct stored_texts {
    VEC(const char *) at;
};

static bool read_texts(struct db *db, const char *sql, const char *hash, struct stored_rules *out,
                       struct stored_texts *texts, struct err *err)
{
    struct stmt stmt = stmt_cached(db, sql, err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt))
        vec_push(&texts->at, keep(out, &stmt, 0));
    return stmt_close(&stmt);
}

#define READ_TEXTS(field, sql)                                                                     \
    do {                                                                                           \
        struct stored_texts t_ = {0};                                                              \
        ok = ok && read_texts(db, sql, stored->hash, out, &t_, err);                               \
        stored->field.at = t_.at.at;                                                               \
        stored->field.len = t_.at.len;                                                             \
        stored->field.cap = t_.at.cap;                                                             \
    } while (0)

#define ALL_OF_VERDICT(unfounded)                                                                  \
    "SELECT v.domain, v.verdict, v.rung, v.reason, v.method, v.bound, "                            \
    "v.bound_why, v.solver, v.verifier, v.semantics, v.instances, "                                \
    "v.obligations, v.seconds, (SELECT x.json FROM counterexample x WHERE x.rule = v.rule AND "    \
    "x.domain = v.domain), " STALE ", v.grade, v.layer, " unfounded                                \
    " FROM verdict v WHERE v.rule = ? ORDER BY v.domain"
#define BRIEF_VERDICT(unfounded)                                                                   \
    "SELECT v.domain, v.verdict, v.rung, '', '', '', '', '', v.verifier, "                         \
    "v.semantics, 0, 0, 0, NULL, " STALE ", v.grade, v.layer, " unfounded                          \
    " FROM verdict v WHERE v.rule = ? ORDER BY v.domain"
static const char *const all_of_verdict[] = BY_LAYERS(ALL_OF_VERDICT, "v");
static const char *const brief_verdict[] = BY_LAYERS(BRIEF_VERDICT, "v");

static bool read_verdicts(struct db *db, const struct db_filter *filter, struct stored_rules *out,
                          struct stored_rule *stored, struct err *err)
{
    const char *const *sql = filter->brief ? brief_verdict : all_of_verdict;
    struct stmt stmt = stmt_cached(db, sql[db->has_library], err);
    stmt_text(&stmt, 1, stored->hash);
    while (stmt_row(&stmt)) {
        struct stored_verdict verdict = {0};
        if (!domain_by_text(stmt_column(&stmt, 0), &verdict.domain) ||
            !verdict_by_text(stmt_column(&stmt, 1), &verdict.verdict)) {
            stmt_damaged(&stmt, "a verdict", stored->hash);
            break;
        }
        if (!stmt_is_founded(&stmt, 17, stored->hash, stmt_column(&stmt, 0)))
            break;
        verdict.stale = sqlite3_column_int64(stmt.at, 14) != 0;
        if (!filter->brief && !filter->unjudged && !verdict.stale &&
            verdict.verdict == VERDICT_REFUTED &&
            !stmt_is_refuted(&stmt, 13, stored->hash, stmt_column(&stmt, 0)))
            break;
        const char **text[] = {&verdict.rung,     &verdict.reason,    &verdict.method,
                               &verdict.bound,    &verdict.bound_why, &verdict.solver,
                               &verdict.verifier, &verdict.semantics};
        for (int i = 0; i < 8; i++)
            *text[i] = keep(out, &stmt, 2 + i);
        verdict.instances = sqlite3_column_int64(stmt.at, 10);
        verdict.obligations = sqlite3_column_int64(stmt.at, 11);
        verdict.seconds = sqlite3_column_double(stmt.at, 12);
        if (sqlite3_column_type(stmt.at, 13) != SQLITE_NULL)
            verdict.counterexample = keep(out, &stmt, 13);
        verdict.grade = keep(out, &stmt, 15);
        verdict.layer = keep(out, &stmt, 16);
        verdict.claimed = (stored->claims >> verdict.domain & 1) != 0;
        vec_push(&stored->verdicts, verdict);
    }
    return stmt_close(&stmt);
}

static bool read_details(struct db *db, const struct db_filter *filter, struct stored_rules *out,
                         struct stored_rule *stored, struct err *err)
{
    bool ok = true;
    READ_TEXTS(origins, "SELECT origin FROM origin WHERE rule = ? ORDER BY 1");
    READ_TEXTS(operators, "SELECT op FROM operator WHERE rule = ? ORDER BY 1");
    READ_TEXTS(preconditions, "SELECT text FROM precondition WHERE rule = ? ORDER BY seq");
    READ_TEXTS(remarks, "SELECT text FROM remark WHERE rule = ? ORDER BY seq");
    return ok && read_verdicts(db, filter, out, stored, err);
}

#define RULE_NAME RULE_NAME_IN("", " AND k.layer = r.layer")
#define SELECT_RULE(source, doc, uses)                                                             \
    "SELECT r.hash, " RULE_NAME ", r.family, " source ", r.canonical, " doc ", r.claims, " CURRENT \
    ", " uses ", r.layer FROM rule r"
#define SELECT_BRIEFLY SELECT_RULE("''", "''", "0")
#define SELECT_ALL                                                                                 \
    SELECT_RULE("r.source", "r.doc",                                                               \
                "(SELECT coalesce(sum(count), 0) FROM use WHERE use.rule = r.hash)")

// Fails if the source is not the text that was judged: it is shown, exported and read as the rule.
static bool source_is_of(struct stmt *stmt, const struct stored_rule *stored)
{
    struct ruleset set;
    struct err why = {0};
    ruleset_init(&set);
    const struct rule *rule = ruleset_add(&set, stored->source, stored->name, &why);
    bool same = rule != NULL && strcmp(rule->hash, stored->hash) == 0;
    ruleset_release(&set);
    if (!same && !stmt->failed)
        err_at(stmt->err, ERR_DB, stmt->db->path, 0, 0,
               "the source of rule %s/%s %.12s is damaged: %s", stored->family, stored->name,
               stored->hash, rule != NULL ? "it is another rule" : why.msg);
    stmt->failed |= !same;
    return same;
}

// The rules of a statement, without their verdicts and lists.
static bool read_rules(struct stmt *stmt, bool judge, struct stored_rules *out)
{
    while (stmt_row(stmt)) {
        struct stored_rule stored = {0};
        const char **text[] = {&stored.hash,   &stored.name,      &stored.family,
                               &stored.source, &stored.canonical, &stored.doc};
        for (int i = 0; i < 6; i++)
            *text[i] = keep(out, stmt, i);
        stored.claims = (unsigned)sqlite3_column_int64(stmt->at, 6);
        stored.current = sqlite3_column_int64(stmt->at, 7) != 0;
        stored.uses = sqlite3_column_int64(stmt->at, 8);
        stored.layer = keep(out, stmt, 9);
        if (!stmt_is_intact(stmt, stored.hash, stored.canonical) ||
            (judge && !source_is_of(stmt, &stored)))
            break;
        vec_push(&out->rules, stored);
    }
    return stmt_close(stmt);
}

static bool find(struct db *db, const struct db_filter *filter, struct stored_rules *out,
                 struct err *err)
{
    struct buf sql = {0};
    buf_puts(&sql, filter->brief ? SELECT_BRIEFLY : SELECT_ALL);
    filter_sql(filter, &sql);
    struct stmt stmt = stmt_open(db, buf_text(&sql), err);
    buf_release(&sql);
    bind_filter(filter, &stmt);
    bool ok = read_rules(&stmt, !filter->brief && !filter->unjudged, out);
    for (uint32_t i = 0; ok && i < out->rules.len; i++)
        ok = filter->brief ? read_verdicts(db, filter, out, &out->rules.at[i], err)
                           : read_details(db, filter, out, &out->rules.at[i], err);
    return ok;
}

bool db_find(struct db *db, const struct db_filter *filter, struct stored_rules *out,
             struct err *err)
{
    memset(out, 0, sizeof *out);
    // One transaction: one state of the database, and one lock.
    bool ok = db_exec(db, "BEGIN", err) && find(db, filter, out, err);
    db_end(db);
    if (!ok)
        stored_rules_release(out);
    return ok;
}

bool db_told(struct db *db, const char *hash, unsigned *domains, struct err *err)
{
    *domains = 0;
    struct stmt stmt = stmt_cached(db,
                                   "SELECT domain, reason FROM verdict WHERE rule = ? AND "
                                   "verifier = '" VERIFIER_VERSION "' AND "
                                   "semantics = '" SEMANTICS_VERSION "'",
                                   err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt)) {
        enum domain domain;
        if (domain_by_text(stmt_column(&stmt, 0), &domain) &&
            !verdict_was_cut_short(stmt_column(&stmt, 1)))
            *domains |= 1u << domain;
    }
    return stmt_close(&stmt);
}

bool db_has_proved(struct db *db, bool *yes, struct err *err)
{
    struct stmt stmt = stmt_open(db, "SELECT 1 FROM verdict WHERE verdict = 'proved' LIMIT 1", err);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

bool db_is_complete(struct db *db, const char *library, bool *yes, struct err *err)
{
    struct stmt stmt = stmt_open(db, "SELECT 1 FROM complete WHERE library = ?", err);
    stmt_text(&stmt, 1, library);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

static bool read_obligation(struct stmt *stmt, struct report *out)
{
    enum domain domain;
    struct obligation obligation = {0};
    if (!domain_by_text(stmt_column(stmt, 0), &domain) ||
        !obligation_kind_by_text(stmt_column(stmt, 1), &obligation.kind) ||
        !verdict_by_text(stmt_column(stmt, 4), &obligation.verdict))
        return false;
    obligation.ranks = arena_strdup(&out->mem, stmt_column(stmt, 2));
    obligation.detail = arena_strdup(&out->mem, stmt_column(stmt, 3));
    obligation.reason = arena_strdup(&out->mem, stmt_column(stmt, 5));
    obligation.seconds = sqlite3_column_double(stmt->at, 6);
    obligation.effort = (uint64_t)sqlite3_column_int64(stmt->at, 7);
    if (out->domains.len == 0 || vec_last(&out->domains).domain != domain) {
        struct domain_report fresh = {.domain = domain};
        vec_push(&out->domains, fresh);
    }
    struct domain_report *last = &vec_last(&out->domains);
    vec_push(&last->obligations, obligation);
    return true;
}

bool db_obligations(struct db *db, const char *hash, struct report *out, struct err *err)
{
    struct stmt stmt = stmt_open(db,
                                 "SELECT domain, kind, ranks, detail, verdict, reason, seconds, "
                                 "effort FROM obligation WHERE rule = ? ORDER BY domain, seq",
                                 err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt))
        if (!read_obligation(&stmt, out)) {
            stmt_damaged(&stmt, "an obligation", hash);
            break;
        }
    return stmt_close(&stmt);
}
