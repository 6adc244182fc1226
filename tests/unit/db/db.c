// SPDX-License-Identifier: Apache-2.0
// The rule database: what goes in comes out, D1 to D4 of db.h, other files in
// its place, damaged rows.
#include "db/db.h"
#include "db/merge.h"
#include "db/named.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sqlite3.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[256], path[320];
static struct ruleset set;

static int fresh(void **state)
{
    (void)state;
    unlink(path);
    ruleset_init(&set);
    return 0;
}

static int gone(void **state)
{
    (void)state;
    ruleset_release(&set);
    unlink(path);
    return 0;
}

// Names are checked within one rule set only: every text gets its own.
static const struct rule *parse(const char *text)
{
    struct err_list errs = {0};
    struct ruleset one;
    ruleset_init(&one);
    one.mem = set.mem;
    if (!ruleset_parse(&one, text, strlen(text), "folder/fam.rw", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    const struct rule *rule = one.rules.at[0];
    set.mem = one.mem;
    memset(&one.mem, 0, sizeof one.mem);
    ruleset_release(&one);
    vec_release(&errs.at);
    return rule;
}

#define ZERO                                                                                       \
    "/// Nothing.\nrule zero { origin \"book 7\"; claims int, real; axes x;"                       \
    " map n on x; tensor A[x: n] : num; A + 0 => A; }"
#define CUT                                                                                        \
    "rule cut { axes x; map n, s, p on x; tensor A[x: n] : any; where s == 0,"                     \
    " 0 <= p; slice(A, start=s, stride=p) => slice(A, stride=p); }"

static struct db *opened(enum db_mode mode)
{
    struct err err = {0};
    struct db *db;
    if (!db_open(&db, path, mode, 0.05, &err))
        fail_msg("%s", err.msg);
    return db;
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        if (!(call))                                                                               \
            fail_msg(#call ": %s", e_.msg);                                                        \
    } while (0)
// The call fails with this kind and a message that has the text.
#define FAILS(call, kind_, text)                                                                   \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        assert_false(call);                                                                        \
        if (!strstr(e_.msg, text))                                                                 \
            fail_msg(#call ": %s", e_.msg);                                                        \
        assert_int_equal(e_.kind, kind_);                                                          \
    } while (0)

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

// Another hand in the file.
static void tamper(const char *sql)
{
    sqlite3 *other;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    if (sqlite3_exec(other, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

static void put(struct db *db, const struct rule *rule, enum domain domain, enum verdict verdict,
                const char *reason, uint32_t n_obligations)
{
    struct report rep = {0};
    struct domain_report dr = {.domain = domain,
                               .verdict = verdict,
                               .rung = verdict == VERDICT_PROVED ? RUNG_UNINTERPRETED : RUNG_NONE,
                               .reason = reason,
                               .method = "rank-bounded",
                               .bound = "{\"x\": 2}",
                               .bound_why = "two reads",
                               .instances = 3,
                               .solver = "z3",
                               .seconds = 0.25};
    if (verdict == VERDICT_REFUTED)
        dr.counterexample = "{\"text\": \"A = 1\"}";
    for (uint32_t i = 0; i < n_obligations; i++) {
        struct obligation obligation = {.kind = OBLIGATION_SHAPE,
                                        .ranks = "x=1",
                                        .detail = "size",
                                        .verdict = verdict,
                                        .reason = "",
                                        .seconds = 0.5,
                                        .effort = 1000 + i};
        vec_push(&dr.obligations, obligation);
    }
    vec_push(&rep.domains, dr);
    vec_push(&rep.remarks, "a remark");
    int64_t run;
    OK(db_run_begin(db, "test", "z3", &run, e));
    OK(db_put_report(db, rule, &rep, run, e));
    OK(db_run_finish(db, run, e));
    report_release(&rep);
}

static struct stored_rules find(struct db *db, const struct db_filter *filter)
{
    struct stored_rules out;
    OK(db_find(db, filter, &out, e));
    return out;
}

static uint32_t count(struct db *db, const struct db_filter *filter)
{
    struct stored_rules found = find(db, filter);
    uint32_t n = found.rules.len;
    stored_rules_release(&found);
    return n;
}

static struct db_filter any(void)
{
    struct db_filter filter;
    db_filter_init(&filter);
    return filter;
}

static void number(void *ctx, const struct sql_row *row)
{
    assert_int_equal(row->n, 1);
    assert_non_null(row->at[0].name);
    *(long *)ctx = row->at[0].text ? strtol(row->at[0].text, NULL, 10) : -1;
}

static long ask(struct db *db, const char *sql)
{
    long v = -2;
    OK(db_sql(db, sql, number, &v, e));
    return v;
}

// ---- what goes in comes out ----

static void everything_comes_back(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO), *cut = parse(CUT);
    put(db, zero, DOMAIN_REAL, VERDICT_PROVED, "", 2);
    put(db, zero, DOMAIN_FLOAT, VERDICT_REFUTED, "", 1);
    OK(db_put_rule(db, cut, e));
    OK(db_check(db, e));
    db_close(db);
    db = opened(DB_READ);
    struct db_filter filter = any();
    struct stored_rules found = find(db, &filter);
    assert_int_equal(found.rules.len, 2);
    const struct stored_rule *stored = &found.rules.at[0];
    assert_string_equal(stored->name, "cut");
    assert_int_equal(stored->verdicts.len, 0);
    assert_int_equal(stored->preconditions.len, 2);
    assert_string_equal(stored->preconditions.at[0], "s == 0");
    assert_string_equal(stored->preconditions.at[1], "0 <= p");
    assert_int_equal(stored->operators.len, 1);
    assert_string_equal(stored->operators.at[0], "slice");
    stored = &found.rules.at[1];
    assert_string_equal(stored->name, "zero");
    assert_string_equal(stored->hash, zero->hash);
    assert_string_equal(stored->canonical, zero->canonical);
    assert_string_equal(stored->family, "fam");
    assert_non_null(strstr(stored->source, "A + 0"));
    assert_string_equal(stored->doc, zero->doc);
    assert_int_equal(stored->claims, 1 << DOMAIN_INT | 1 << DOMAIN_REAL);
    assert_true(stored->current);
    assert_int_equal(stored->uses, 0);
    assert_int_equal(stored->origins.len, 1);
    assert_string_equal(stored->origins.at[0], "book 7");
    assert_int_equal(stored->operators.len, 2);
    assert_int_equal(stored->remarks.len, 1);
    assert_string_equal(stored->remarks.at[0], "a remark");
    assert_int_equal(stored->verdicts.len, 2); // float, real: by name
    const struct stored_verdict *verdict = &stored->verdicts.at[0];
    assert_int_equal(verdict->domain, DOMAIN_FLOAT);
    assert_int_equal(verdict->verdict, VERDICT_REFUTED);
    assert_string_equal(verdict->counterexample, "{\"text\": \"A = 1\"}");
    assert_false(verdict->claimed);
    verdict = &stored->verdicts.at[1];
    assert_int_equal(verdict->domain, DOMAIN_REAL);
    assert_int_equal(verdict->verdict, VERDICT_PROVED);
    assert_string_equal(verdict->rung, "uninterpreted");
    assert_string_equal(verdict->method, "rank-bounded");
    assert_string_equal(verdict->bound, "{\"x\": 2}");
    assert_string_equal(verdict->bound_why, "two reads");
    assert_string_equal(verdict->solver, "z3");
    assert_string_equal(verdict->verifier, VERIFIER_VERSION);
    assert_string_equal(verdict->semantics, SEMANTICS_VERSION);
    assert_int_equal(verdict->instances, 3);
    assert_int_equal(verdict->obligations, 2);
    assert_true(verdict->seconds == 0.25);
    assert_null(verdict->counterexample);
    assert_true(verdict->claimed);
    assert_false(verdict->stale);
    struct report rep = {0};
    OK(db_obligations(db, zero->hash, &rep, e));
    assert_int_equal(rep.domains.len, 2);
    assert_int_equal(rep.domains.at[1].obligations.len, 2);
    const struct obligation *obligation = &rep.domains.at[1].obligations.at[1];
    assert_int_equal(obligation->kind, OBLIGATION_SHAPE);
    assert_int_equal(obligation->verdict, VERDICT_PROVED);
    assert_string_equal(obligation->ranks, "x=1");
    assert_string_equal(obligation->detail, "size");
    assert_int_equal(obligation->effort, 1001);
    report_release(&rep);
    stored_rules_release(&found);
    db_close(db);
}

static void filters(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO), *cut = parse(CUT);
    put(db, zero, DOMAIN_REAL, VERDICT_PROVED, "", 1);
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "time", 1);
    put(db, cut, DOMAIN_INT, VERDICT_REFUTED, "", 1);
#define COUNT(expected, ...)                                                                       \
    do {                                                                                           \
        struct db_filter f = any();                                                                \
        __VA_ARGS__;                                                                               \
        assert_int_equal(count(db, &f), expected);                                                 \
        db_filter_release(&f);                                                                     \
    } while (0)
    COUNT(2, (void)0);
    COUNT(1, f.name = "zero");
    COUNT(0, f.name = "zer");
    COUNT(1, f.name = zero->hash);
    char start[8] = {0};
    memcpy(start, cut->hash, 6);
    COUNT(1, f.name = start);
    start[5] = '\0'; // too short to name a rule
    COUNT(0, f.name = start);
    COUNT(2, f.family = "fam");
    COUNT(0, f.family = "other");
    COUNT(1, vec_push(&f.ops, "slice"));
    COUNT(1, vec_push(&f.ops, "add"); vec_push(&f.ops, "constant"));
    COUNT(0, vec_push(&f.ops, "add"); vec_push(&f.ops, "slice"));
    COUNT(1, vec_push(&f.texts, "book"));
    COUNT(1, vec_push(&f.texts, "Nothing"));
    COUNT(0, vec_push(&f.texts, "Nothing"); vec_push(&f.texts, "slice"));
    COUNT(0, vec_push(&f.texts, "' OR 1 --"));
    COUNT(1, f.precondition = "start");
    COUNT(1, f.precondition = "stride");
    COUNT(0, f.precondition = "low");
    COUNT(0, f.precondition = "tart"); // a whole word, or a piece of the text
    COUNT(1, f.precondition = "0 <=");
    COUNT(1, f.any_precondition = true);
    COUNT(2, f.domain = DOMAIN_INT);
    COUNT(1, f.domain = DOMAIN_REAL);
    COUNT(0, f.domain = DOMAIN_BOOL);
    COUNT(1, f.verdict = VERDICT_PROVED);
    COUNT(1, f.verdict = VERDICT_UNKNOWN; f.domain = DOMAIN_INT);
    COUNT(0, f.verdict = VERDICT_PROVED; f.domain = DOMAIN_INT);
    COUNT(1, f.rung = "uninterpreted");
    COUNT(0, f.rung = "arithmetic");
    COUNT(0, f.grade = "zero-sign");
    COUNT(0, f.stale = true);
    COUNT(1, f.domain = DOMAIN_INT; vec_push(&f.ops, "slice"); f.precondition = "start";
          f.family = "fam"; f.name = "cut");
#undef COUNT
    db_close(db);
}

// ---- D1: the hash is the key ----

static void names_move(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    struct db_filter filter = any();
    const struct rule *zero = parse(ZERO);
    const struct rule *other =
        parse("rule zero { axes x; map n on x; tensor A[x: n] : num; 0 + A => A; }");
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
    long added = ask(db, "SELECT count(*) FROM rule WHERE added <> ''");
    assert_int_equal(added, 1);
    OK(db_put_rule(db, other, e));
    // The name stands for the new text; the old one keeps its verdicts.
    filter.name = "zero";
    struct stored_rules found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    assert_string_equal(found.rules.at[0].hash, other->hash);
    stored_rules_release(&found);
    filter.superseded = true;
    assert_int_equal(count(db, &filter), 2);
    filter = any();
    filter.name = zero->hash;
    assert_int_equal(count(db, &filter), 0);
    filter.superseded = true;
    found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    assert_false(found.rules.at[0].current);
    assert_int_equal(found.rules.at[0].verdicts.len, 1);
    stored_rules_release(&found);
    filter = any();
    filter.stale = true;
    assert_int_equal(count(db, &filter), 1);
    // And back.
    OK(db_put_rule(db, zero, e));
    filter = any();
    filter.name = "zero";
    found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    assert_string_equal(found.rules.at[0].hash, zero->hash);
    assert_true(found.rules.at[0].current);
    stored_rules_release(&found);
    db_close(db);
}

// One text under two names is one rule, found by either; a name that moves on
// does not take the other with it.
static void two_names(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    const struct rule *twin =
        parse("rule twin { axes y; map m on y; tensor B[y: m] : num; B + 0 => B; }");
    assert_string_equal(zero->hash, twin->hash);
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
    OK(db_put_rule(db, twin, e));
    struct db_filter filter = any();
    assert_int_equal(count(db, &filter), 1);
    filter.name = "zero";
    assert_int_equal(count(db, &filter), 1);
    filter.name = "twin";
    assert_int_equal(count(db, &filter), 1);
    OK(db_put_rule(db,
                   parse("rule twin { axes x; map n on x; tensor A[x: n] :"
                         " num; A * 1 => A; }"),
                   e));
    filter = any();
    assert_int_equal(count(db, &filter), 2);
    filter.name = "twin";
    struct stored_rules found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    assert_string_not_equal(found.rules.at[0].hash, zero->hash);
    stored_rules_release(&found);
    filter.name = "zero";
    found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    assert_string_equal(found.rules.at[0].hash, zero->hash);
    assert_string_equal(found.rules.at[0].name, "zero");
    assert_true(found.rules.at[0].current);
    stored_rules_release(&found);
    db_close(db);
}

static void state_of(struct db *db, const struct rule *rule, unsigned done, bool current)
{
    unsigned have;
    bool is;
    OK(db_rule_state(db, rule, &have, &is, e));
    assert_int_equal(have, done);
    assert_int_equal(is, current);
}

static void what_is_to_do(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO); // claims int, real
    state_of(db, zero, 0, false);
    OK(db_put_rule(db, zero, e));
    state_of(db, zero, 0, true);
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
    state_of(db, zero, 1 << DOMAIN_INT, true);
    // An open claim is tried again, what is not claimed is not.
    put(db, zero, DOMAIN_REAL, VERDICT_UNKNOWN, "time", 1);
    put(db, zero, DOMAIN_WORD, VERDICT_UNKNOWN, "the elements may differ", 1);
    put(db, zero, DOMAIN_FLOAT, VERDICT_REFUTED, "time: limit of 5 s", 1);
    // What was cut short is tried again, and does not take the place of what was not.
    state_of(db, zero, 1 << DOMAIN_INT | 1 << DOMAIN_WORD, true);
    put(db, zero, DOMAIN_FLOAT, VERDICT_REFUTED, "", 1);
    put(db, zero, DOMAIN_FLOAT, VERDICT_REFUTED, "time: limit of 5 s", 1);
    put(db, zero, DOMAIN_WORD, VERDICT_UNKNOWN, "time: limit of 5 s", 1);
    unsigned done = 1 << DOMAIN_INT | 1 << DOMAIN_WORD | 1 << DOMAIN_FLOAT;
    state_of(db, zero, done, true);
    // Everything beside the identity counts for `current`.
    static const char *const texts[] = {
        "rule zero { origin \"book 7\"; claims int, real; axes x; map n on x;"
        " tensor A[x: n] : num; A + 0 => A; }",
        "/// Nothing.\nrule zero { origin \"book 8\"; claims int, real; axes x;"
        " map n on x; tensor A[x: n] : num; A + 0 => A; }",
        "/// Nothing.\nrule zero { origin \"book 7\"; claims int; axes x;"
        " map n on x; tensor A[x: n] : num; A + 0 => A; }",
        "/// Nothing.\nrule zero { origin \"book 7\"; claims int, real; axes y;"
        " map n on y; tensor A[y: n] : num; A + 0 => A; }",
        "/// Nothing.\nrule nil { origin \"book 7\"; claims int, real; axes x;"
        " map n on x; tensor A[x: n] : num; A + 0 => A; }"};
    for (int i = 0; i < 5; i++) {
        const struct rule *rule = parse(texts[i]);
        unsigned have;
        bool current;
        assert_string_equal(rule->hash, zero->hash);
        OK(db_rule_state(db, rule, &have, &current, e));
        assert_false(current);
        OK(db_put_rule(db, rule, e));
        OK(db_rule_state(db, rule, &have, &current, e));
        assert_true(current);
    }
    assert_int_equal(ask(db, "SELECT count(*) FROM origin"), 1);
    tamper("UPDATE verdict SET semantics = 'older' WHERE domain = 'int'");
    OK(db_put_rule(db, zero, e));
    state_of(db, zero, done & ~(1u << DOMAIN_INT), true);
    struct db_filter filter = any();
    filter.stale = true;
    struct stored_rules found = find(db, &filter);
    assert_int_equal(found.rules.len, 1);
    for (uint32_t i = 0; i < found.rules.at[0].verdicts.len; i++)
        assert_int_equal(found.rules.at[0].verdicts.at[i].stale,
                         found.rules.at[0].verdicts.at[i].domain == DOMAIN_INT);
    stored_rules_release(&found);
    db_close(db);
}

static int64_t stamp(struct db *db)
{
    int64_t now;
    OK(db_stamp(db, &now, e));
    return now;
}

static bool complete(struct db *db, const char *library)
{
    bool yes;
    OK(db_is_complete(db, library, &yes, e));
    return yes;
}

static void what_was_complete(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    assert_false(complete(db, "a"));
    OK(db_put_complete(db, "a", stamp(db), e));
    OK(db_put_complete(db, "b", stamp(db), e));
    OK(db_put_complete(db, "a", stamp(db), e));
    assert_true(complete(db, "a") && complete(db, "b") && !complete(db, "c"));
    OK(db_put_rule(db, zero, e));
    assert_false(complete(db, "a") || complete(db, "b"));
    OK(db_put_complete(db, "a", stamp(db), e));
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "time", 1);
    assert_false(complete(db, "a"));
    // Not noted if another process wrote after the rules were looked at; what
    // this one wrote itself does not count.
    int64_t before = stamp(db);
    struct db *other = opened(DB_WRITE);
    OK(db_put_rule(other, zero, e));
    db_close(other);
    OK(db_put_complete(db, "a", before, e));
    assert_false(complete(db, "a"));
    before = stamp(db);
    OK(db_put_rule(db, zero, e));
    OK(db_put_complete(db, "a", before, e));
    assert_true(complete(db, "a"));
    db_close(db);
}

// What simplify asks for is what everyone else sees.
static void brief_answers(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    put(db, parse(ZERO), DOMAIN_INT, VERDICT_PROVED, "", 1);
    put(db, parse(CUT), DOMAIN_FLOAT, VERDICT_REFUTED, "", 1);
    struct db_filter filter = any();
    struct stored_rules all = find(db, &filter);
    filter.brief = true;
    struct stored_rules brief = find(db, &filter);
    assert_int_equal(all.rules.len, 2);
    assert_int_equal(brief.rules.len, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct stored_rule *stored = &all.rules.at[i], *b = &brief.rules.at[i];
        assert_string_equal(stored->hash, b->hash);
        assert_string_equal(stored->name, b->name);
        assert_string_equal(stored->family, b->family);
        assert_string_equal(stored->canonical, b->canonical);
        assert_int_equal(stored->claims, b->claims);
        assert_true(stored->current && b->current);
        assert_int_equal(stored->verdicts.len, b->verdicts.len);
        for (uint32_t k = 0; k < stored->verdicts.len; k++) {
            const struct stored_verdict *verdict = &stored->verdicts.at[k];
            const struct stored_verdict *w = &b->verdicts.at[k];
            assert_int_equal(verdict->domain, w->domain);
            assert_int_equal(verdict->verdict, w->verdict);
            assert_int_equal(verdict->stale, w->stale);
            assert_string_equal(verdict->rung, w->rung);
            assert_string_equal(verdict->grade, w->grade);
        }
        struct err err = {0};
        struct ruleset s;
        ruleset_init(&s);
        const struct rule *rule = ruleset_add_canonical(&s, b->canonical, b->name, &err);
        assert_non_null(rule);
        assert_string_equal(rule->hash, b->hash);
        assert_string_equal(rule->canonical, b->canonical);
        assert_int_equal(rule->place.line, 1);
        ruleset_release(&s);
    }
    stored_rules_release(&all);
    stored_rules_release(&brief);
    db_close(db);
}

// ---- D2: all or nothing ----

static void all_or_nothing(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    struct report rep = {0};
    struct domain_report report = {.domain = DOMAIN_INT, .verdict = VERDICT_PROVED};
    struct obligation obligation = {.kind = OBLIGATION_VALID};
    vec_push(&report.obligations, obligation);
    vec_push(&rep.domains, report);
    // There is no such run: the verdict's row is refused after the rule's own
    // rows were written.
    FAILS(db_put_report(db, zero, &rep, 999, e), ERR_DB, "FOREIGN KEY");
    struct db_filter filter = any();
    assert_int_equal(count(db, &filter), 0);
    assert_int_equal(ask(db, "SELECT (SELECT count(*) FROM operator) + (SELECT "
                             "count(*) FROM origin) + (SELECT count(*) FROM "
                             "current) + (SELECT count(*) FROM obligation)"),
                     0);
    // The failed call left no transaction open.
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
    put(db, zero, DOMAIN_REAL, VERDICT_REFUTED, "", 2);
    // A later failure leaves the earlier answer whole.
    rep.domains.at[0].verdict = VERDICT_REFUTED;
    rep.domains.at[0].counterexample = "{}";
    FAILS(db_put_report(db, zero, &rep, 999, e), ERR_DB, "FOREIGN KEY");
    assert_int_equal(ask(db, "SELECT count(*) FROM verdict WHERE domain = 'int'"
                             " AND verdict = 'proved'"),
                     1);
    assert_int_equal(ask(db, "SELECT count(*) FROM counterexample"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM obligation"), 3);
    // A new answer takes the place of the old one with all that belongs to it.
    put(db, zero, DOMAIN_REAL, VERDICT_PROVED, "", 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM counterexample"), 0);
    assert_int_equal(ask(db, "SELECT count(*) FROM obligation"), 2);
    OK(db_check(db, e));
    report_release(&rep);
    db_close(db);
}

// ---- D3: an answer outlives "unknown" ----

static void answers_stay(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "time", 1);
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "memory", 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM verdict WHERE reason = "
                             "'memory'"),
                     1);
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 3);
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "time", 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM verdict WHERE verdict = "
                             "'proved' AND obligations = 3"),
                     1);
    assert_int_equal(ask(db, "SELECT count(*) FROM obligation"), 3);
    put(db, zero, DOMAIN_REAL, VERDICT_REFUTED, "", 1);
    put(db, zero, DOMAIN_REAL, VERDICT_UNKNOWN, "time", 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM counterexample"), 1);
    // An answer of other versions is no answer any more.
    tamper("UPDATE verdict SET verifier = '0'");
    put(db, zero, DOMAIN_INT, VERDICT_UNKNOWN, "time", 1);
    put(db, zero, DOMAIN_REAL, VERDICT_UNKNOWN, "time", 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM verdict WHERE verdict = "
                             "'unknown'"),
                     2);
    assert_int_equal(ask(db, "SELECT count(*) FROM counterexample"), 0);
    db_close(db);
}

// ---- records ----

static void uses(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO), *cut = parse(CUT);
    const char *hashes[] = {zero->hash, cut->hash, zero->hash};
    OK(db_put_rule(db, zero, e));
    OK(db_put_record(db, "r1", "real", 3, hashes, e));
    OK(db_put_record(db, "r2", "float", 1, hashes, e));
    OK(db_put_record(db, "r3", "float", 0, NULL, e));
    OK(db_put_record(db, "r1", "real", 3, hashes, e)); // the same again
    OK(db_put_rule(db, cut, e));
    struct db_filter filter = any();
    struct stored_rules found = find(db, &filter);
    assert_int_equal(found.rules.at[0].uses, 1);
    assert_int_equal(found.rules.at[1].uses, 3);
    stored_rules_release(&found);
    filter.record = "r2";
    assert_int_equal(count(db, &filter), 1);
    filter.record = "r1";
    assert_int_equal(count(db, &filter), 2);
    filter.record = "r3";
    assert_int_equal(count(db, &filter), 0);
    db_close(db);
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
    tamper("DROP TABLE named; DROP TABLE use; DROP TABLE record; DROP TABLE "
           "complete; ALTER TABLE verdict DROP COLUMN grade; " OLD_NAMES "PRAGMA user_version = 1");
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "older");
    db = opened(DB_WRITE);
    struct db_filter filter = any();
    filter.verdict = VERDICT_PROVED;
    assert_int_equal(count(db, &filter), 1);
    assert_int_equal(ask(db, "PRAGMA user_version"), 6);
    const char *hash = zero->hash;
    OK(db_put_record(db, "r", "real", 1, &hash, e));
    db_close(db);
    db_close(opened(DB_READ));
    // An empty file is an older version too.
    unlink(path);
    fclose(fopen(path, "wb"));
    FAILS(db_open(&db, path, DB_READ, 0, e), ERR_DB, "older");
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
        assert_int_equal(ask(db, "PRAGMA user_version"), 6);
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
    tamper("DROP TABLE named; " OLD_NAMES "PRAGMA user_version = 4");
}

static void opened_at_once(void **state)
{
    (void)state;
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    open_between(no_file, open_too, DB_WRITE, NULL);
    open_between(old_file, open_too, DB_WRITE, NULL);
    open_between(empty_file, open_too, DB_READ, "older");
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
    struct domain_report report = {.domain = DOMAIN_INT, .verdict = VERDICT_PROVED};
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
    struct db *db = damaged_by("UPDATE verdict SET domain = 'real'; DELETE FROM obligation");
    struct named_rows named;
    FAILS(db_named_rules(db, "1", &named, e), ERR_DB, "in real is damaged: proved, but");
    db_close(db);
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
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/rankwright-db-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/rules.db", folder);
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, gone)
    const struct CMUnitTest tests[] = {
        TEST(everything_comes_back),
        TEST(filters),
        TEST(names_move),
        TEST(two_names),
        TEST(what_is_to_do),
        TEST(what_was_complete),
        TEST(brief_answers),
        TEST(all_or_nothing),
        TEST(answers_stay),
        TEST(uses),
        TEST(other_files),
        TEST(migration),
        TEST(opened_at_once),
        TEST(state_at_once),
        TEST(readers_and_locks),
        TEST(damaged_rows),
        TEST(proofs_without_ground),
        TEST(foreign_shapes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
