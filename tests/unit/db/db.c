// SPDX-License-Identifier: Apache-2.0
// The rule database: what goes in comes out, D1 to D3 of db.h.
#include "tests/unit/support/db_world.h"

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

// The rule on programs has the name last written; if that has moved on, the least.
static void reads_as(struct db *db, const struct rule *rule, const char *name)
{
    struct proved_rules rules = {0};
    const char *hash = rule->hash;
    OK(db_read_proved(db, 1, &hash, &rules, e));
    assert_int_equal(rules.at.at[0].proved, 1U << DOMAIN_INT);
    assert_string_equal(rules.at.at[0].name, name);
    assert_string_equal(rules.at.at[0].canonical, rule->canonical);
    proved_rules_release(&rules);
}

static void names_of_proved(void **state)
{
    (void)state;
    struct db *db = opened(DB_WRITE);
    const struct rule *zero = parse(ZERO);
    put(db, zero, DOMAIN_INT, VERDICT_PROVED, "", 1);
    reads_as(db, zero, "zero");
    OK(db_put_rule(
        db, parse("rule alpha { axes y; map m on y; tensor B[y: m] : num; B + 0 => B; }"), e));
    reads_as(db, zero, "alpha");
    OK(db_put_rule(db, zero, e));
    reads_as(db, zero, "zero");
    OK(db_put_rule(db, parse("rule twin { axes y; map m on y; tensor B[y: m] : num; B + 0 => B; }"),
                   e));
    reads_as(db, zero, "twin");
    OK(db_put_rule(db, parse("rule twin { axes x; map n on x; tensor A[x: n] : num; A * 1 => A; }"),
                   e));
    reads_as(db, zero, "alpha");
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
        const char *const hashes[] = {NULL, b->hash};
        for (size_t k = 0; k < 2; k++) {
            const struct rule *rule =
                ruleset_add_canonical(&s, b->canonical, hashes[k], b->name, &err);
            assert_non_null(rule);
            assert_string_equal(rule->hash, b->hash);
            assert_string_equal(rule->canonical, b->canonical);
            assert_int_equal(rule->place.line, 1);
        }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_comes_back),
        TEST(filters),
        TEST(names_move),
        TEST(two_names),
        TEST(names_of_proved),
        TEST(what_is_to_do),
        TEST(what_was_complete),
        TEST(brief_answers),
        TEST(all_or_nothing),
        TEST(answers_stay),
        TEST(uses),
    };
    return RUN(tests);
}
