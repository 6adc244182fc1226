// SPDX-License-Identifier: Apache-2.0
#include "db/report.h"

#include "db/sql.h"

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

#define VERDICT_ROWS(unfounded)                                                                    \
    "SELECT v.domain, v.verdict, v.rung, v.grade, v.reason, v.method, v.bound, "                   \
    "v.bound_why, v.solver, v.instances, v.seconds, (SELECT x.json FROM counterexample x WHERE "   \
    "x.rule = v.rule AND x.domain = v.domain), u.started, "                                        \
    "u.finished, u.command, u.verifier, u.semantics, u.solver, r.claims, v.layer, " unfounded " "  \
    "FROM verdict v JOIN rule r ON r.hash = v.rule JOIN run u ON u.id = v.run "                    \
    "AND u.layer = v.layer "                                                                       \
    "WHERE v.rule = ? AND v.verifier = '" VERIFIER_VERSION "' AND "                                \
    "v.semantics = '" SEMANTICS_VERSION "' ORDER BY v.domain"
static const char *const verdict_rows[] = BY_LAYERS(VERDICT_ROWS, "v");

static bool read_verdicts(struct db *db, const char *hash, struct report *out,
                          struct merge_run *runs, unsigned *library, struct err *err)
{
    struct stmt stmt = stmt_cached(db, verdict_rows[db->has_library], err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt)) {
        unsigned claims = (unsigned)sqlite3_column_int64(stmt.at, 18);
        uint32_t n = out->domains.len;
        if (!stmt_is_founded(&stmt, 20, hash, stmt_column(&stmt, 0)))
            break;
        if (n == N_DOMAINS || !read_row(&stmt, claims, out, runs ? &runs[n] : NULL)) {
            stmt.failed = true;
            err_at(err, ERR_DB, db->path, 0, 0, "a verdict of rule %.64s is damaged", hash);
        } else if (library != NULL && strcmp(stmt_column(&stmt, 19), "library") == 0) {
            *library |= 1u << vec_last(&out->domains).domain;
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

bool read_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
                 unsigned *library, struct err *err)
{
    return read_verdicts(db, hash, out, runs, library, err) &&
           read_obligations(db, hash, out, err) && read_remarks(db, hash, out, err);
}

bool db_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
               struct err *err)
{
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && read_report(db, hash, out, runs, NULL, err);
    db_end(db);
    return ok;
}

bool db_names(struct db *db, struct db_names *out, struct err *err)
{
    memset(out, 0, sizeof *out);
    struct stmt stmt =
        stmt_open(db, "SELECT hash, family, name FROM current ORDER BY hash, family, name", err);
    while (stmt_row(&stmt)) {
        struct db_name name = {
            keep(&out->mem, &stmt, 0, false),
            {keep(&out->mem, &stmt, 1, false), keep(&out->mem, &stmt, 2, false)}};
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
