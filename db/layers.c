// SPDX-License-Identifier: Apache-2.0
#include "db/layers.h"

#include "base/memory/vec.h"
#include "db/sql.h"
#include <unistd.h>

// u is a row of the user's verdicts, l the library's row for the same rule and domain (L3).
#define OUTWEIGHS                                                                                  \
    "(u.verifier = l.verifier AND u.semantics = l.semantics AND ((l.verdict = 'unknown' AND "      \
    "u.verdict <> 'unknown') OR (u.verdict = 'unknown' AND (u.reason LIKE '" REASON_INTERNAL       \
    "%' OR u.reason LIKE '" REASON_UNCONFIRMED "%'))))"

// The verdicts for which the user's layer and the library have a row. The user's layer, which has
// few of them, is asked first.
#define BOTH                                                                                       \
    "main.verdict u CROSS JOIN library.verdict l ON l.rule = u.rule AND l.domain = u.domain "

// What the views have of the library's table and of the user's table. t is a row of the table.
struct layered {
    const char *table;
    const char *library, *user; // conditions; NULL: nothing of the library
};

#define ALL "1"
#define NOT_OF_LIBRARY(key) "NOT EXISTS (SELECT 1 FROM library.rule l WHERE l.hash = t." key ")"
#define OF_RULE(table)                                                                             \
    {                                                                                              \
        table, ALL, NOT_OF_LIBRARY("rule")                                                         \
    }
#define OF_VERDICT(table)                                                                          \
    {                                                                                              \
        table,                                                                                     \
            "NOT EXISTS (SELECT 1 FROM " BOTH                                                      \
            "WHERE u.rule = t.rule AND u.domain = t.domain AND " OUTWEIGHS ")",                    \
            "NOT EXISTS (SELECT 1 FROM " BOTH                                                      \
            "WHERE u.rule = t.rule AND u.domain = t.domain AND NOT " OUTWEIGHS ")"                 \
    }

static const struct layered tables[] = {
    {"rule", ALL, NOT_OF_LIBRARY("hash")},
    {"current", ALL, ALL},
    OF_RULE("origin"),
    OF_RULE("operator"),
    OF_RULE("precondition"),
    OF_RULE("remark"),
    OF_VERDICT("verdict"),
    OF_VERDICT("obligation"),
    OF_VERDICT("counterexample"),
    {"run", ALL, ALL},
    {"complete", ALL, ALL},
    {"named", ALL,
     "NOT EXISTS (SELECT 1 FROM library.named l WHERE l.rule = t.rule AND l.version = t.version)"},
    OF_RULE("outline"),
    {"record", NULL, ALL},
    {"use", NULL, ALL},
};

// The texts of the rules in both layers, though a rule may be in both of them.
static const char *const every_text[] = {
    "CREATE TEMP VIEW every_text AS SELECT *, 'user' AS layer FROM main.rule",
    "CREATE TEMP VIEW every_text AS SELECT *, 'library' AS layer FROM library.rule "
    "UNION ALL SELECT *, 'user' FROM main.rule",
};

static bool make_view(struct db *db, const struct layered *layered, struct err *err)
{
    struct buf sql = {0};
    bool both = db->has_library && layered->library != NULL;
    buf_printf(&sql, "CREATE TEMP VIEW %s AS ", layered->table);
    if (both)
        buf_printf(&sql, "SELECT t.*, 'library' AS layer FROM library.%s t WHERE %s UNION ALL ",
                   layered->table, layered->library);
    buf_printf(&sql, "SELECT t.*, 'user' AS layer FROM main.%s t WHERE %s", layered->table,
               both ? layered->user : ALL);
    bool ok = db_exec(db, buf_text(&sql), err);
    buf_release(&sql);
    return ok;
}

// A connection that only reads must be allowed to make views, too.
static bool allow_views(struct db *db, bool yes, struct err *err)
{
    return db->writable ||
           db_exec(db, yes ? "PRAGMA query_only = OFF" : "PRAGMA query_only = ON", err);
}

static bool make_views(struct db *db, struct err *err)
{
    size_t n = sizeof tables / sizeof *tables;
    bool ok = db_exec(db, every_text[db->has_library], err);
    for (size_t i = 0; ok && i < n; i++)
        ok = make_view(db, &tables[i], err);
    return ok;
}

static bool drop_views(struct db *db, struct err *err)
{
    size_t n = sizeof tables / sizeof *tables;
    bool ok = db_exec(db, "DROP VIEW temp.every_text", err);
    for (size_t i = 0; ok && i < n; i++) {
        struct buf sql = {0};
        buf_printf(&sql, "DROP VIEW temp.%s", tables[i].table);
        ok = db_exec(db, buf_text(&sql), err);
        buf_release(&sql);
    }
    return ok;
}

// All views or none, in a transaction of their own or in that which is open.
static bool change_views(struct db *db, bool (*change)(struct db *db, struct err *err),
                         struct err *err)
{
    struct err none = {0};
    if (!allow_views(db, true, err) || !db_exec(db, "SAVEPOINT views", err))
        return false;
    bool ok = change(db, err) && db_exec(db, "RELEASE views", err);
    if (!ok)
        (void)db_exec(db, "ROLLBACK TO views; RELEASE views", &none);
    return allow_views(db, false, ok ? err : &none) && ok;
}

bool layers_have_views(struct db *db, struct err *err)
{
    if (db->views)
        return true;
    db->views = change_views(db, make_views, err);
    db->pending = db->views && !sqlite3_get_autocommit(db->handle);
    return db->views;
}

void layers_rolled_back(void *user)
{
    struct db *db = user;
    db->views = db->views && !db->pending;
    db->pending = false;
}

// The file as a URI that SQLite opens for reading. A file that this user cannot write is never
// locked: only a rename replaces the file, and who has it open reads on in the old one.
static void put_uri(const char *path, struct buf *out)
{
    buf_puts(out, path[0] == '/' ? "file://" : "file:");
    for (const char *at = path; *at; at++)
        if (strchr("%?#", *at))
            buf_printf(out, "%%%02X", (unsigned)(unsigned char)*at);
        else
            buf_putc(out, *at);
    buf_puts(out, access(path, W_OK) == 0 ? "?mode=ro" : "?mode=ro&immutable=1");
}

static bool attach(struct db *db, const char *path, struct err *err)
{
    struct buf uri = {0};
    put_uri(path, &uri);
    struct stmt stmt = stmt_open_layer(db, "ATTACH ? AS library", err);
    stmt_text(&stmt, 1, buf_text(&uri));
    stmt_run(&stmt);
    buf_release(&uri);
    return stmt_close(&stmt);
}

// *yes: the library notes this fact.
static bool has_fact(struct db *db, const char *fact, bool *yes, struct err *err)
{
    struct stmt stmt = stmt_open_layer(db, "SELECT 1 FROM library.complete WHERE library = ?", err);
    stmt_text(&stmt, 1, fact);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

// Attaches the library if it fits.
static bool attach_fitting(struct db *db, const char *path, const char *fact, bool *fits,
                           struct err *err)
{
    if (!attach(db, path, err))
        return false;
    bool ok = schema_is_newest(db, "library", path, fits, err) &&
              (!*fits || fact == NULL || has_fact(db, fact, fits, err)) &&
              (!*fits || db_exec(db, KEEP_FEW_PAGES("library"), err));
    *fits = *fits && ok;
    struct err none = {0};
    return *fits || (db_exec(db, "DETACH library", ok ? err : &none) && ok);
}

bool db_lay_over(struct db *db, const char *path, const char *fact, bool *fits, struct err *err)
{
    *fits = false;
    if (db->has_library)
        return err_set(err, ERR_USAGE, "%s: the database lies over a library already", db->path);
    if (access(path, R_OK) != 0)
        return err_at(err, ERR_IO, path, 0, 0, "no such database");
    if (!database_is_regular(path, err))
        return false;
    bool ok = attach_fitting(db, path, fact, fits, err);
    if (!ok) // the statements name the user's file
        err_in(err, path);
    if (!ok || !*fits)
        return ok;
    ok = !db->views || change_views(db, drop_views, err); // of one layer
    db->views = db->views && !ok;
    db->has_library = ok;
    return ok;
}

bool db_has_library(const struct db *db)
{
    return db->has_library;
}

bool layers_library_has(struct db *db, const char *hash, bool *yes, struct err *err)
{
    *yes = false;
    if (!db->has_library)
        return true;
    struct stmt stmt = stmt_cached_layer(db, "SELECT 1 FROM library.rule WHERE hash = ?", err);
    stmt_text(&stmt, 1, hash);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

bool layers_library_alone(struct db *db, const char *hash, bool *yes, struct err *err)
{
    *yes = false;
    if (!db->has_library)
        return true;
    struct stmt stmt = stmt_cached_layer(db, "SELECT 1 WHERE " SPEAKS_OF("main.", "?1"), err);
    stmt_text(&stmt, 1, hash);
    *yes = !stmt_row(&stmt);
    return stmt_close(&stmt);
}

bool layers_library_verdict(struct db *db, const char *hash, enum domain domain, bool *there,
                            enum verdict *verdict, struct err *err)
{
    *there = false;
    if (!db->has_library)
        return true;
    struct stmt stmt = stmt_cached_layer(db,
                                         "SELECT verdict FROM library.verdict WHERE rule = ? AND "
                                         "domain = ? AND verifier = '" VERIFIER_VERSION "' AND "
                                         "semantics = '" SEMANTICS_VERSION "'",
                                         err);
    stmt_text(&stmt, 1, hash);
    stmt_text(&stmt, 2, domain_text(domain));
    *there = stmt_row(&stmt) && verdict_by_text(stmt_column(&stmt, 0), verdict);
    return stmt_close(&stmt);
}
