// SPDX-License-Identifier: Apache-2.0
// The file of the rule database: other files in its place, older ones, another process between two
// statements.
#include "tests/unit/support/db_world.h"

#include "db/foreign.h"

// ---- another process between two statements ----

// Of every connection that is opened while `meet` is set: before its statement
// number `at` (from 1) `meet` is called, once.
static struct {
    void (*meet)(void);
    int at, seen;
} between;

static int on_statement(unsigned what, void *ctx, void *statement, void *text)
{
    (void)what;
    (void)ctx;
    (void)statement;
    (void)text;
    if (between.meet && ++between.seen == between.at) {
        void (*meet)(void) = between.meet;
        between.meet = NULL; // its own statements do not count
        meet();
        between.meet = meet;
    }
    return 0;
}

static int watch(sqlite3 *handle, const char **why, const void *api)
{
    (void)why;
    (void)api;
    if (!between.meet)
        return SQLITE_OK;
    return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, on_statement, NULL);
}

static void meet_at(int at, void (*meet)(void))
{
    between.meet = meet;
    between.at = at;
    between.seen = 0;
}

// Was the statement that `meet` was to precede reached?
static bool met(void)
{
    bool yes = between.seen >= between.at;
    between.meet = NULL;
    return yes;
}

// Another hand in the file; where it finds a lock it gives up.
static bool try_sql(const char *sql)
{
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    int status = sqlite3_exec(other, sql, NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    return status == SQLITE_OK;
}

// ---- files ----

static void other_files(void **state)
{
    (void)state;
    struct db *db;
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_IO, "no such database");
    assert_null(db);
    assert_int_not_equal(access(path, F_OK), 0); // and none was made
    FAILS(db_open(&db, folder, DB_WRITE, 0, e), ERR_DB, folder);
    tamper("CREATE TABLE other (x)");
    FAILS(db_open(&db, path, DB_WRITE, 0, e), ERR_DB, "another program");
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "another program");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("this is only a text, but one that is long enough to be read", file);
    fclose(file);
    FAILS(db_open(&db, path, DB_WRITE, 0, e), ERR_DB, path);
    unlink(path);
    db_close(opened(DB_WRITE));
    tamper("PRAGMA user_version = 99");
    FAILS(db_open(&db, path, DB_WRITE, 0, e), ERR_DB, "newer");
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "newer");
    tamper("PRAGMA user_version = -1");
    FAILS(db_open(&db, path, DB_WRITE, 0, e), ERR_DB, "bad schema version");
    db_close(NULL);
}

// The database before version 7.
#define NO_OUTLINES "DROP TABLE outline; DROP INDEX rule_order; DROP INDEX verdict_proved; "

// The table of names before version 6.
#define OLD_NAMES                                                                                  \
    "CREATE TABLE old (name TEXT PRIMARY KEY, hash TEXT NOT NULL REFERENCES rule(hash)) STRICT; "  \
    "INSERT INTO old SELECT name, hash FROM current; DROP TABLE current; "                         \
    "ALTER TABLE old RENAME TO current; "

static void migration(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 2);
    db_close(db);
    tamper(NO_OUTLINES "DROP TABLE named; DROP TABLE use; DROP TABLE record; DROP TABLE "
                       "complete; ALTER TABLE verdict DROP COLUMN grade; " OLD_NAMES
                       "PRAGMA user_version = 1");
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "older");
    db = opened(DB_WRITE);
    struct db_filter filter = any();
    filter.verdict = VERDICT_PROVED;
    assert_int_equal(count(db, &filter), 1);
    assert_int_equal(ask(db, "PRAGMA user_version"), 7);
    const char *hash = zero->hash;
    OK(db_put_record(db, "r", "real", 1, &hash, e));
    db_close(db);
    db_close(opened(DB_READ));
    // A writer makes a database of an empty file; to a reader it is none.
    unlink(path);
    fclose(fopen(path, "wb"));
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "an empty file");
    db_close(opened(DB_WRITE));
    db_close(opened(DB_READ));
}

// ---- another process in between ----

// How often another process did its work between two statements of a call: a
// test in which that never happens shows nothing.
static uint32_t n_between;

static void open_too(void)
{
    struct err err = {0};
    struct db *other;
    n_between += db_open(&other, path, DB_WRITE, 0, &err);
    db_close(other);
}

// Another program takes the file before it is a rule database.
static void foreign_table(void)
{
    n_between += try_sql("CREATE TABLE current (x); CREATE TABLE other (x)");
}

static void newer_schema(void)
{
    n_between += try_sql("PRAGMA user_version = 99");
}

// Opens the file once for every statement, `meet` before it.  What is opened
// has the whole schema and nothing else; else the message says one of `why`.
static void open_between(void (*prepare)(void), void (*meet)(void), enum db_mode mode,
                         const char *why)
{
    bool more = true;
    n_between = 0;
    for (int at = 1; more; at++) {
        struct err why_not = {0};
        struct db *db;
        assert_in_range(at, 1, 1000);
        unlink(path);
        prepare();
        meet_at(at, meet);
        bool ok = db_open(&db, path, mode, 0, &why_not);
        more = met();
        if (!ok && !(why && strstr(why_not.msg, why)))
            fail_msg("statement %d: %s", at, why_not.msg);
        if (!ok)
            continue;
        OK(db_check(db, e));
        assert_int_equal(ask(db, "PRAGMA user_version"), 7);
        assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_master WHERE "
                                 "name IN ('rule', 'named', 'other')"),
                         2);
        db_close(db);
    }
    assert_int_not_equal(n_between, 0);
}

static void no_file(void)
{
}

static void empty_file(void)
{
    fclose(fopen(path, "wb"));
}

static void old_file(void)
{
    db_close(opened(DB_WRITE));
    tamper(NO_OUTLINES "DROP TABLE named; " OLD_NAMES "PRAGMA user_version = 4");
}

static void opened_at_once(void **state)
{
    (void)state;
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    open_between(no_file, open_too, DB_WRITE, NULL);
    open_between(old_file, open_too, DB_WRITE, NULL);
    open_between(empty_file, open_too, DB_READ, "an empty file");
    open_between(old_file, open_too, DB_READ, "older");
    // What is found under the lock counts, not what was there before.
    open_between(no_file, foreign_table, DB_WRITE, "another program");
    open_between(old_file, newer_schema, DB_WRITE, "newer");
    sqlite3_reset_auto_extension();
}

static const struct rule *proved_between;

static void prove_too(void)
{
    struct err err = {0};
    struct db *other;
    struct report rep = {0};
    struct domain_report report = {
        .domain = DOMAIN_INT, .verdict = VERDICT_PROVED, .rung = RUNG_ARITHMETIC};
    struct obligation obligation = {.verdict = VERDICT_PROVED};
    int64_t run;
    vec_push(&report.obligations, obligation);
    vec_push(&rep.domains, report);
    bool ok = db_open(&other, path, DB_WRITE, 0, &err) &&
              db_run_begin(other, "test", "z3", &run, &err) &&
              db_put_report(other, proved_between, &rep, run, &err);
    n_between += ok;
    db_close(other);
    report_release(&rep);
}

// Verdicts and text are of one state: before the other process, or after it.
static void state_at_once(void **state)
{
    (void)state;
    bool more = true;
    proved_between = parse(ZERO);
    n_between = 0;
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    for (int at = 1; more; at++) {
        unsigned done;
        bool current;
        assert_in_range(at, 1, 1000);
        unlink(path);
        meet_at(0, prove_too); // none while the file is opened
        struct db *db = opened(DB_WRITE);
        meet_at(at, prove_too);
        OK(db_rule_state(db, proved_between, &done, &current, e));
        more = met();
        assert_int_equal(done, current ? 1 << DOMAIN_INT : 0);
        db_close(db);
    }
    assert_int_not_equal(n_between, 0);
    sqlite3_reset_auto_extension();
}

// A new database, and one that was brought up to date, have the digest that needs no comparison.
static void shape_is_known(void **state)
{
    (void)state;
    char digest[65];
    struct db *db = opened(DB_WRITE);
    OK(schema_digest(db, "main", 7, digest, e));
    assert_string_equal(digest, NEWEST_SCHEMA);
    db_close(db);
    tamper(NO_OUTLINES "PRAGMA user_version = 6");
    db = opened(DB_WRITE);
    OK(schema_digest(db, "main", 7, digest, e));
    assert_string_equal(digest, NEWEST_SCHEMA);
    db_close(db);
    // Tables of others are no fault, but they are looked at.
    tamper("CREATE TABLE mine (x)");
    db = opened(DB_READ);
    OK(schema_digest(db, "main", 7, digest, e));
    assert_string_not_equal(digest, NEWEST_SCHEMA);
    db_close(db);
}

static void readers_and_locks(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE), *reader;
    const struct rule *zero = parse(ZERO);
    OK(db_put_rule(db, zero, e));
    reader = opened(DB_READ);
    FAILS(db_put_rule(reader, zero, e), ERR_DB, "readonly");
    assert_int_equal(ask(reader, "SELECT count(*) FROM rule"), 1);
    long v;
    FAILS(db_sql(reader, "DELETE FROM main.rule", number, &v, e), ERR_USAGE, "read");
    FAILS(db_sql(db, "DELETE FROM main.rule", number, &v, e), ERR_USAGE, "read");
    FAILS(db_sql(db, "ATTACH ':memory:' AS other", number, &v, e), ERR_USAGE, "read");
    FAILS(db_sql(db, "BEGIN", number, &v, e), ERR_USAGE, "read");
    FAILS(db_sql(db, "PRAGMA query_only = 1", number, &v, e), ERR_USAGE, "read");
    FAILS(db_sql(reader, " -- nothing", number, &v, e), ERR_USAGE, "found none");
    FAILS(db_sql(reader, "SELECT FROM", number, &v, e), ERR_USAGE, "syntax");
    assert_int_equal(ask(reader, "SELECT NULL"), -1);
    db_close(reader);
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    FAILS(db_put_rule(db, zero, e), ERR_DB, "locked");
    sqlite3_close(other);
    OK(db_put_rule(db, zero, e));
    db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_files),   TEST(migration),         TEST(opened_at_once),
        TEST(state_at_once), TEST(readers_and_locks), TEST(shape_is_known),
    };
    return RUN(tests);
}
