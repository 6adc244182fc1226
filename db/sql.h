// SPDX-License-Identifier: Apache-2.0
// Internal to db/: the one place that turns SQLite's return codes into
// failures.  These functions prepare, bind, step and finalise a statement.
// After the first failure of a statement the others do nothing.
#ifndef DB_SQL_H
#define DB_SQL_H

#include "base/err.h"
#include "db/limits.h"
#include <sqlite3.h>
#include <stdbool.h>

struct db {
    sqlite3 *handle;
    bool writable;
    bool has_library; // a second layer (db/layers.h)
    bool views;       // they were made (db/layers.h),
    bool pending;     // in the transaction that is open
    char path[1024];
    struct {
        const char *sql; // a literal of the program, compared by address
        sqlite3_stmt *at;
    } cache[DB_STATEMENTS]; // statements that run once per rule
};

// The obligations of verdict v in the layer `of`, "main." or "library.", which meet `condition`.
#define OBLIGATIONS_IN(of, v, condition)                                                           \
    "(SELECT count(*) FROM " of "obligation o WHERE o.rule = " v ".rule AND o.domain = " v         \
    ".domain" condition ")"
#define PROVED_OR_UNKNOWN " AND (o.verdict = 'proved' OR o.verdict = 'unknown')"

// Why verdict v, which says proved, is no proof; '' if nothing speaks against it. A definition
// leaves nothing to prove. `of` is "" for the views, or a layer, and `obligations` their number.
#define UNFOUNDED_BY(of, v, obligations)                                                           \
    "CASE WHEN " v ".verdict <> 'proved' THEN '' "                                                 \
    "WHEN " v ".rung = 'none' THEN 'its rung is none' "                                            \
    "WHEN " v ".rung <> 'uninterpreted' AND " v ".rung <> 'commutative' AND " v                    \
    ".rung <> 'arithmetic' THEN 'its rung is no word for one' "                                    \
    "WHEN EXISTS (SELECT 1 FROM " of "counterexample x WHERE x.rule = " v ".rule AND "             \
    "x.domain = " v ".domain) THEN 'it has a counterexample' "                                     \
    "ELSE CASE " obligations " WHEN " v ".obligations THEN CASE WHEN " v ".obligations = 0 AND "   \
    "NOT (" v ".method = 'definition' AND EXISTS (SELECT 1 FROM " of "rule d WHERE d.hash = " v    \
    ".rule AND instr(d.canonical, '=> define '))) THEN 'it has no obligations' ELSE '' END "       \
    "WHEN 0 THEN 'it has no obligations that are proved or unknown' "                              \
    "ELSE 'its obligations are not all there, each proved or unknown' END END"
// The forms of a statement that has such a reason: on the views of one layer, on the views of two,
// and on the layer that alone speaks of the rule (L5 of db/layers.h). A count over the view of two
// layers would read whole tables: the layer of the verdict has its obligations, too.
enum { ON_ONE, ON_BOTH, ON_LIBRARY };
#define UNFOUNDED_IN(of, v, condition) UNFOUNDED_BY(of, v, OBLIGATIONS_IN(of, v, condition))
#define UNFOUNDED_ON_BOTH(v, condition)                                                            \
    UNFOUNDED_BY(                                                                                  \
        "", v,                                                                                     \
        "CASE " v ".layer WHEN 'library' THEN " OBLIGATIONS_IN(                                    \
            "library.", v, condition) " ELSE " OBLIGATIONS_IN("main.", v, condition) " END")
// The first two forms of the statement `sql`, a macro that takes the reason, for has_library.
#define BY_LAYERS(sql, v)                                                                          \
    {                                                                                              \
        [ON_ONE] = sql(UNFOUNDED_IN("main.", v, PROVED_OR_UNKNOWN)), [ON_BOTH] =                   \
                                                                         sql(UNFOUNDED_ON_BOTH(    \
                                                                             v,                    \
                                                                             PROVED_OR_UNKNOWN))   \
    }

struct stmt {
    struct db *db;
    sqlite3_stmt *at;
    struct err *err;
    bool failed;
    bool cached; // stmt_close keeps it for the next use
};

// How many pages SQLite keeps of a file that is only read. Tables are read once, from their
// beginning to their end, or rule by rule in the order of the indexes. To read a page of a file that
// the system holds in memory again takes less time than one more page of memory, which the system
// must clear; with fewer pages than these the joins of the views are slower.
#define KEEP_FEW_PAGES(schema) "PRAGMA " schema ".cache_size = 128"

bool db_fail(struct db *db, struct err *err, const char *what);
// Runs SQL text without results.
bool db_exec(struct db *db, const char *sql, struct err *err);
// BEGIN IMMEDIATE, COMMIT, and ROLLBACK (which never fails).
bool db_begin(struct db *db, struct err *err);
bool db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db);
// Ends a transaction that has only read, and never fails.
void db_end(struct db *db);

// Makes the views of the layers first, if there are none yet.
struct stmt stmt_open(struct db *db, const char *sql, struct err *err);
// The same, prepared once per database; `sql` must be a string literal, and
// the statement must be closed before it is opened again.
struct stmt stmt_cached(struct db *db, const char *sql, struct err *err);
// The same for statements that name the layer of every table, without the views.
struct stmt stmt_open_layer(struct db *db, const char *sql, struct err *err);
struct stmt stmt_cached_layer(struct db *db, const char *sql, struct err *err);
void stmt_text(struct stmt *stmt, int at, const char *text);
void stmt_int(struct stmt *stmt, int at, int64_t v);
void stmt_real(struct stmt *stmt, int at, double v);
bool stmt_row(struct stmt *stmt);                   // false: no more rows, or failed
const char *stmt_column(struct stmt *stmt, int at); // borrowed, never NULL
bool stmt_close(struct stmt *stmt);                 // false: something failed
// Steps a statement that gives no rows, and resets it for the next binding.
void stmt_run(struct stmt *stmt);
// Fails: `what` of the rule is damaged.  Returns false.
bool stmt_damaged(struct stmt *stmt, const char *what, const char *hash);
// Fails if the text of a rule does not have its hash: it would be used with the verdicts of
// another text.
bool stmt_is_intact(struct stmt *stmt, const char *hash, const char *canonical);
// Fails if the column, which is UNFOUNDED_BY, has a reason against a stored proof.
bool stmt_is_founded(struct stmt *stmt, int at, const char *hash, const char *domain);
// A counterexample says in words what it is.
bool is_counterexample(const char *json);
// Fails if the column, of a refutation, is no counterexample.
bool stmt_is_refuted(struct stmt *stmt, int at, const char *hash, const char *domain);

#endif
