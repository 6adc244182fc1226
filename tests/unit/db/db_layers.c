// SPDX-License-Identifier: Apache-2.0
// L5 of db/layers.h: what is read of the rules of a user's layer over a library, and that damage
// in either layer is found.
#include "db/sql.h"
#include "tests/unit/support/db_world.h"

static char beneath[320];

#define TWICE                                                                                      \
    "rule twice { claims int, real; axes x; map n on x; tensor A[x: n] : num; A - 0 => A; }"
#define VERSION "1"

// A library with the rules zero and twice; the user has proved what is asked for.
static void make_layers(bool zero_too)
{
    snprintf(beneath, sizeof beneath, "%s/library.db", folder);
    unlink(beneath);
    unlink(path);
    struct db *db = opened(DB_WRITE);
    put(db, parse(ZERO), DOMAIN_REAL, VERDICT_PROVED, "", 1);
    put(db, parse(TWICE), DOMAIN_REAL, VERDICT_PROVED, "", 1);
    db_close(db);
    assert_int_equal(rename(path, beneath), 0);
    db = opened(DB_WRITE);
    put(db, parse(CUT), DOMAIN_REAL, VERDICT_PROVED, "", 1);
    if (zero_too)
        put(db, parse(ZERO), DOMAIN_REAL, VERDICT_PROVED, "", 1);
    db_close(db);
}

static void swap_files(void)
{
    char mine[sizeof path];
    memcpy(mine, path, sizeof mine);
    memcpy(path, beneath, sizeof path);
    memcpy(beneath, mine, sizeof beneath);
}

static void tamper_library(const char *sql)
{
    swap_files();
    tamper(sql);
    swap_files();
}

static struct db *over_library(void)
{
    struct db *db = opened(DB_WRITE);
    bool fits;
    OK(db_lay_over(db, beneath, NULL, &fits, e));
    assert_true(fits);
    return db;
}

static bool comes(struct db *db, const char *text, bool all)
{
    struct named_rows named;
    bool yes = false;
    OK(db_named_rules(db, VERSION, all, &named, e));
    for (uint32_t i = 0; i < named.at.len; i++)
        yes = yes || strcmp(named.at.at[i].hash, parse(text)->hash) == 0;
    named_rows_release(&named);
    return yes;
}

// Where the rule is proved, as every reader says.
static unsigned proved(struct db *db, const char *text)
{
    const char *hash = parse(text)->hash;
    struct proved_rules rules = {0};
    unsigned domains, uninterpreted;
    bool known;
    OK(db_proved(db, hash, &domains, &uninterpreted, &known, e));
    OK(db_read_proved(db, 1, &hash, &rules, e));
    assert_int_equal(rules.at.at[0].proved, domains);
    assert_int_equal(comes(db, text, false), domains != 0);
    if (domains != 0)
        assert_string_equal(rules.at.at[0].canonical, parse(text)->canonical);
    proved_rules_release(&rules);
    return domains;
}

static void every_layer_is_read(void **state)
{
    (void)state;
    const unsigned real = 1 << DOMAIN_REAL;
    for (int both = 0; both < 2; both++) {
        make_layers(both);
        struct db *db = over_library();
        assert_int_equal(proved(db, ZERO), real);
        assert_int_equal(proved(db, TWICE), real);
        assert_int_equal(proved(db, CUT), real);
        db_close(db);
    }
}

// Rules that are asked for together: of the library, of both layers, of the user's, of none. What is
// no hash is found nowhere.
static void rules_together(void **state)
{
    (void)state;
    const unsigned real = 1 << DOMAIN_REAL;
    const char *hash[] = {"0 \"\\\n", parse(TWICE)->hash, parse(ZERO)->hash, parse(CUT)->hash,
                          parse(TWICE)->hash};
    const char *text[] = {NULL, parse(TWICE)->canonical, parse(ZERO)->canonical,
                          parse(CUT)->canonical, parse(TWICE)->canonical};
    make_layers(true);
    for (int alone = 0; alone < 2; alone++) {
        struct db *db = alone ? opened(DB_READ) : over_library();
        struct proved_rules rules = {0};
        OK(db_read_proved(db, 0, NULL, &rules, e));
        OK(db_read_proved(db, 5, hash, &rules, e));
        assert_int_equal(rules.at.len, 5);
        for (int i = 0; i < 5; i++) {
            bool there = text[i] != NULL && !(alone && i % 3 == 1); // the user has no twice
            assert_ptr_equal(rules.at.at[i].hash, hash[i]);
            assert_int_equal(rules.at.at[i].proved, there ? real : 0);
            if (there)
                assert_string_equal(rules.at.at[i].canonical, text[i]);
        }
        proved_rules_release(&rules);
        db_close(db);
    }
}

// Whatever is asked first: over a library, over one that does not fit, and alone.
static void first_questions(void **state)
{
    (void)state;
    const unsigned real = 1 << DOMAIN_REAL;
    for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
        bool fits;
        make_layers(true);
        struct db *db = opened((enum db_mode)mode);
        OK(db_lay_over(db, beneath, NULL, &fits, e));
        assert_true(fits);
        assert_int_equal(proved(db, TWICE), real);
        assert_int_equal(ask(db, "SELECT count(*) FROM rule WHERE layer = 'library'"), 2);
        db_close(db);
        db = opened((enum db_mode)mode);
        assert_int_equal(ask(db, "SELECT count(*) FROM rule"), 2);
        OK(db_lay_over(db, beneath, NULL, &fits, e));
        assert_int_equal(ask(db, "SELECT count(*) FROM rule"), 3);
        db_close(db);
        db = opened((enum db_mode)mode);
        OK(db_lay_over(db, beneath, "no such fact", &fits, e));
        assert_false(fits);
        assert_int_equal(proved(db, TWICE), 0);
        assert_int_equal(proved(db, CUT), real);
        assert_int_equal(ask(db, "SELECT count(*) FROM rule WHERE layer = 'user'"), 2);
        db_close(db);
        db = opened((enum db_mode)mode);
        if (mode == DB_READ)
            FAILS(db_put_rule(db, parse(TWICE), e), ERR_DB, "readonly");
        else
            OK(db_put_rule(db, parse(TWICE), e));
        db_close(db);
    }
}

static long rules_of_both(struct db *db)
{
    struct err err = {0};
    struct stmt stmt = stmt_open(db, "SELECT count(*) FROM rule", &err);
    long n = stmt_row(&stmt) ? (long)sqlite3_column_int64(stmt.at, 0) : -1;
    return stmt_close(&stmt) ? n : -1;
}

// Views that were made in a transaction stay if it ends, and are made again if it is rolled back.
static void views_in_transactions(void **state)
{
    (void)state;
    void (*const ends[])(struct db * db) = {db_end, db_rollback};
    for (int k = 0; k < 4; k++) {
        make_layers(true);
        struct db *db = over_library();
        if (k >= 2)
            assert_int_equal(rules_of_both(db), 3);
        OK(db_exec(db, "BEGIN", e));
        assert_int_equal(rules_of_both(db), 3);
        ends[k % 2](db);
        assert_int_equal(rules_of_both(db), 3);
        OK(db_begin(db, e));
        assert_int_equal(rules_of_both(db), 3);
        OK(db_commit(db, e));
        db_rollback(db);
        assert_int_equal(rules_of_both(db), 3);
        db_close(db);
    }
}

// The user's unknown that speaks against the library's proof is heard (L3), with the rule's text
// in the user's layer and without.
static void contradictions_are_heard(void **state)
{
    (void)state;
    static const char *const lost[] = {
        "SELECT 1",
        "PRAGMA foreign_keys = 0; DELETE FROM current WHERE name = 'zero'; DELETE FROM origin; "
        "DELETE FROM rule WHERE name = 'zero'",
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        make_layers(true);
        tamper("UPDATE verdict SET verdict = 'unknown', reason = '" REASON_INTERNAL
               "' WHERE rule = (SELECT hash FROM rule WHERE name = 'zero')");
        tamper(lost[i]);
        struct db *db = over_library();
        assert_int_equal(proved(db, ZERO), 0);
        assert_int_equal(proved(db, TWICE), 1 << DOMAIN_REAL);
        db_close(db);
    }
}

// A rule whose kept row says that it is no plain rule comes only if all rules are wanted, whatever
// layer has it. A row of another version says nothing.
static void rules_that_are_not_plain(void **state)
{
    (void)state;
    static const char *const domains[] = {"real", "bool", ""};
    for (int over = 0; over < 2; over++)
        for (size_t i = 0; i < 3; i++) {
            make_layers(true);
            struct named_row row = {.hash = over ? parse(CUT)->hash : parse(TWICE)->hash,
                                    .domain = domains[i],
                                    .forward = "",
                                    .backward = ""};
            const char *text = over ? CUT : TWICE;
            struct db *db;
            if (!over)
                swap_files();
            db = opened(DB_WRITE);
            OK(db_keep_named(db, VERSION, 1, &row, e));
            assert_int_equal(comes(db, text, false), i == 0);
            assert_int_equal(comes(db, text, true), i != 1); // not proved over the truth values
            db_close(db);
            if (!over)
                swap_files();
            db = over_library();
            assert_int_equal(comes(db, text, false), i == 0);
            assert_int_equal(comes(db, text, true), i != 1);
            assert_true(comes(db, ZERO, false));
            db_close(db);
            (over ? tamper : tamper_library)("UPDATE named SET version = 'another'");
            db = over_library();
            assert_true(comes(db, text, false));
            db_close(db);
        }
}

// Damage of the rule with this text is refused by every reader; plain rules may come, since
// their callers ask one.
static void refused(const char *text, const char *why)
{
    const char *hash = parse(text)->hash;
    struct proved_rules rules = {0};
    unsigned domains, uninterpreted;
    bool known;
    struct db *db = over_library();
    FAILS(db_read_proved(db, 1, &hash, &rules, e), ERR_DB, why);
    if (strcmp(why, "the text") != 0)
        FAILS(db_proved(db, hash, &domains, &uninterpreted, &known, e), ERR_DB, why);
    proved_rules_release(&rules);
    db_close(db);
}

#define WRONG_TEXT "UPDATE rule SET canonical = replace(canonical, '0', '1')"
#define NO_GROUND "DELETE FROM obligation"
#define FEWER "UPDATE verdict SET obligations = obligations + 1 WHERE verdict = 'proved'"
#define AGAINST                                                                                    \
    "INSERT OR REPLACE INTO counterexample SELECT rule, domain, '{}' FROM verdict WHERE "          \
    "verdict = 'proved'"

static void damage_in_a_layer(void **state)
{
    (void)state;
    static const struct {
        bool both, library;
        const char *sql, *text, *why;
    } rows[] = {
        {false, true, WRONG_TEXT, ZERO, "the text"},
        {false, true, WRONG_TEXT, TWICE, "the text"},
        {true, true, WRONG_TEXT, ZERO, "the text"},
        {false, false, WRONG_TEXT, CUT, "the text"},
        {false, true, NO_GROUND, TWICE, "has no obligations"},
        {false, false, NO_GROUND, CUT, "has no obligations"},
        {false, true, FEWER, TWICE, "not all there"},
        {true, true, FEWER, TWICE, "not all there"},
        {false, false, FEWER, CUT, "not all there"},
        {false, true, AGAINST, TWICE, "has a counterexample"},
        {false, false, AGAINST, CUT, "has a counterexample"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_layers(rows[i].both);
        (rows[i].library ? tamper_library : tamper)(rows[i].sql);
        refused(rows[i].text, rows[i].why);
    }
    // The user's layer has nothing of the rule but a counterexample.
    make_layers(false);
    char sql[256];
    snprintf(sql, sizeof sql, "INSERT INTO counterexample VALUES ('%s', 'real', '{}')",
             parse(TWICE)->hash);
    tamper(sql);
    refused(TWICE, "has a counterexample");
    unlink(beneath);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_layer_is_read),   TEST(rules_together),           TEST(first_questions),
        TEST(views_in_transactions), TEST(contradictions_are_heard), TEST(rules_that_are_not_plain),
        TEST(damage_in_a_layer),
    };
    return RUN(tests);
}
