// SPDX-License-Identifier: Apache-2.0
// D4 of db.h: damaged rows, and files that only look like a rule database.
#include "tests/unit/support/db_world.h"

// ---- D4: damaged rows ----

static struct db *damaged_by(const char *sql)
{
    unlink(path);
    struct db *db = opened(DB_WRITE);
    put(db, parse(ZERO), DOMAIN_INT, VERDICT_PROVED, "", 1);
    put(db, parse(CUT), DOMAIN_INT, VERDICT_PROVED, "", 1);
    db_close(db);
    tamper(sql);
    return opened(DB_READ);
}

static void damaged_rows(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"UPDATE verdict SET domain = 'complex' WHERE rowid = 1", "a verdict"},
        {"PRAGMA ignore_check_constraints = 1; UPDATE verdict SET verdict = "
         "'maybe' WHERE rowid = 2",
         "a verdict"},
        // A text that was never proved under a hash that was.
        {"UPDATE rule SET canonical = replace(canonical, '=>', '= >')", "the text"},
        {"UPDATE rule SET canonical = '' WHERE name = 'cut'", "the text"},
        {"PRAGMA foreign_keys = 0; UPDATE rule SET hash = 'x' WHERE name = "
         "'zero'",
         "the text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct db *db = damaged_by(rows[i][0]);
        struct db_filter filter = any();
        struct stored_rules out;
        filter.superseded = true;
        FAILS(db_find(db, &filter, &out, e), ERR_DB, rows[i][1]);
        assert_int_equal(out.rules.len, 0);
        db_close(db);
    }
    static const char *const obligations[] = {
        "UPDATE obligation SET kind = 'hope'",
        "UPDATE obligation SET verdict = 'maybe'",
        "UPDATE obligation SET domain = ''",
    };
    for (size_t i = 0; i < sizeof obligations / sizeof *obligations; i++) {
        struct db *db = damaged_by(obligations[i]);
        struct report rep = {0};
        FAILS(db_obligations(db, parse(ZERO)->hash, &rep, e), ERR_DB, "an obligation");
        report_release(&rep);
        db_close(db);
    }
    struct db *db = damaged_by("PRAGMA foreign_keys = 0; DELETE FROM rule");
    FAILS(db_check(db, e), ERR_DB, "refers to a missing row");
    db_close(db);
}

// A stored proof of which nothing is left, or against which a counterexample speaks, is no proof.
static void proofs_without_ground(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"DELETE FROM obligation", "proved, but it has no obligations"},
        {"INSERT INTO counterexample SELECT rule, domain, '{}' FROM verdict",
         "proved, but it has a counterexample"},
        {"UPDATE verdict SET obligations = obligations + 1", "its obligations are not all there"},
        {"INSERT INTO obligation SELECT rule, domain, 1000, kind, ranks, detail, verdict, reason, "
         "seconds, effort FROM obligation WHERE seq = 0",
         "its obligations are not all there"},
        {"UPDATE verdict SET rung = ''", "its rung is no word"},
        {"UPDATE verdict SET rung = 'NONE'", "its rung is no word"},
        {"UPDATE obligation SET verdict = 'refuted'", "it has no obligations that are proved"},
        {"UPDATE obligation SET verdict = 'maybe'", "it has no obligations that are proved"},
        {"INSERT INTO obligation SELECT rule, domain, 1000, kind, ranks, detail, 'refuted', "
         "reason, "
         "seconds, effort FROM obligation WHERE seq = 0; UPDATE verdict SET obligations = 2",
         "its obligations are not all there, each proved or unknown"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct db *db = damaged_by(rows[i][0]);
        const struct rule *zero = parse(ZERO);
        struct db_filter filter = any();
        struct stored_rules out;
        struct report rep = {0};
        unsigned proved, uninterpreted, done;
        bool known, current;
        FAILS(db_find(db, &filter, &out, e), ERR_DB, rows[i][1]);
        filter.brief = true;
        FAILS(db_find(db, &filter, &out, e), ERR_DB, rows[i][1]);
        filter.hash = zero->hash;
        FAILS(db_find(db, &filter, &out, e), ERR_DB, zero->hash);
        FAILS(db_proved(db, zero->hash, &proved, &uninterpreted, &known, e), ERR_DB, "in int");
        FAILS(db_report(db, zero->hash, &rep, NULL, e), ERR_DB, rows[i][1]);
        report_release(&rep);
        db_close(db);
        db = opened(DB_WRITE); // and is proved again
        OK(db_rule_state(db, zero, &done, &current, e));
        assert_int_equal(done, 0);
        put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
        OK(db_proved(db, zero->hash, &proved, &uninterpreted, &known, e));
        assert_int_equal(proved, 1 << DOMAIN_INT);
        db_close(db);
    }
    const char *hash = parse(ZERO)->hash;
    struct proved_rules rules = {0};
    struct db *db = damaged_by("UPDATE verdict SET domain = 'real'; DELETE FROM obligation");
    FAILS(db_read_proved(db, 1, &hash, &rules, e), ERR_DB, "in real is damaged: proved, but");
    proved_rules_release(&rules);
    db_close(db);
    db = damaged_by("UPDATE verdict SET obligations = 2");
    FAILS(db_read_proved(db, 1, &hash, &rules, e), ERR_DB, "its obligations are not all there");
    proved_rules_release(&rules);
    db_close(db);
    db = damaged_by("UPDATE verdict SET domain = 'real'; UPDATE obligation SET domain = 'real'; "
                    "UPDATE rule SET canonical = replace(canonical, '=>', '= >')");
    FAILS(db_read_proved(db, 1, &hash, &rules, e), ERR_DB, "the text of rule");
    proved_rules_release(&rules);
    db_close(db);
}

// Whoever reads a refutation wants to see its counterexample. A stale one is proved again.
static void refutations_without_ground(void **state)
{
    (void)state;
    static const char *const rows[] = {"DELETE FROM counterexample",
                                       "UPDATE counterexample SET json = '{\"text\": '",
                                       "UPDATE counterexample SET json = ''",
                                       "UPDATE counterexample SET json = '{\"text\": \"\"}'",
                                       "UPDATE counterexample SET json = '{}'"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct db_filter filter = any();
        struct stored_rules out;
        unlink(path);
        struct db *db = opened(DB_WRITE);
        put(db, parse(ZERO), DOMAIN_INT, VERDICT_REFUTED, "", 1);
        db_close(db);
        tamper(rows[i]);
        db = opened(DB_READ);
        FAILS(db_find(db, &filter, &out, e), ERR_DB,
              "refuted, but its counterexample cannot be read");
        filter.unjudged = true;
        OK(db_find(db, &filter, &out, e));
        stored_rules_release(&out);
        filter.unjudged = false;
        unsigned done;
        bool current;
        OK(db_rule_state(db, parse(ZERO), &done, &current, e));
        assert_int_equal(done, 0);
        db_close(db);
        tamper("UPDATE verdict SET verifier = '0'");
        db = opened(DB_READ);
        OK(db_find(db, &filter, &out, e));
        stored_rules_release(&out);
        db_close(db);
    }
}

// ---- files that only look like a rule database ----

static void foreign_shapes(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {
        {"ALTER TABLE verdict RENAME TO stored; CREATE VIEW verdict AS SELECT * FROM stored",
         "found the view verdict"},
        {"DROP TABLE remark; CREATE VIEW remark AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
         "SELECT i + 1 FROM n) SELECT 'r' AS rule, i AS seq, 'text' AS text FROM n",
         "found the view remark"},
        {"CREATE TRIGGER t AFTER INSERT ON verdict BEGIN DELETE FROM counterexample; END",
         "found the trigger t"},
        {"CREATE VIRTUAL TABLE words USING fts5(text)", "found the virtual table words"},
        {"DROP TABLE remark; CREATE TABLE remark (rule TEXT, seq INTEGER, text TEXT AS "
         "(replace(hex(zeroblob(1000000)), '00', rule)), PRIMARY KEY (rule, seq))",
         "table remark has other columns"},
        {"ALTER TABLE use ADD COLUMN more TEXT", "table use has other columns"},
        {"DROP TABLE use", "table use is missing"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct db *db;
        unlink(path);
        db_close(opened(DB_WRITE));
        tamper(shapes[i][0]);
        for (int mode = DB_READ; mode <= DB_WRITE; mode++)
            FAILS(db_open(&db, path, (enum db_mode)mode, 0, e), ERR_DB, shapes[i][1]);
    }
    // A table that nobody reads, and an index, do no harm.
    unlink(path);
    db_close(opened(DB_WRITE));
    tamper("CREATE TABLE notes (text); CREATE INDEX by_verdict ON verdict(verdict)");
    db_close(opened(DB_READ));
    db_close(opened(DB_WRITE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(damaged_rows),
        TEST(proofs_without_ground),
        TEST(refutations_without_ground),
        TEST(foreign_shapes),
    };
    return RUN(tests);
}
