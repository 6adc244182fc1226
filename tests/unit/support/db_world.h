// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the rule database: a file of its own for each test, rules and verdicts
// in it, questions.
#ifndef TESTS_UNIT_SUPPORT_DB_WORLD_H
#define TESTS_UNIT_SUPPORT_DB_WORLD_H

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

static inline int fresh(void **state)
{
    (void)state;
    unlink(path);
    ruleset_init(&set);
    return 0;
}

static inline int gone(void **state)
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

static inline struct db *opened(enum db_mode mode)
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
        if (!strstr(e_.msg, text) && !strstr(e_.file, text))                                       \
            fail_msg(#call ": %s", e_.msg);                                                        \
        assert_int_equal(e_.kind, kind_);                                                          \
    } while (0)

// Another hand in the file.
static inline void tamper(const char *sql)
{
    sqlite3 *other;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    if (sqlite3_exec(other, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

static inline void put(struct db *db, const struct rule *rule, enum domain domain,
                       enum verdict verdict, const char *reason, uint32_t n_obligations)
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

static inline struct stored_rules find(struct db *db, const struct db_filter *filter)
{
    struct stored_rules out;
    OK(db_find(db, filter, &out, e));
    return out;
}

static inline uint32_t count(struct db *db, const struct db_filter *filter)
{
    struct stored_rules found = find(db, filter);
    uint32_t n = found.rules.len;
    stored_rules_release(&found);
    return n;
}

static inline struct db_filter any(void)
{
    struct db_filter filter;
    db_filter_init(&filter);
    return filter;
}

static inline void number(void *ctx, const struct sql_row *row)
{
    assert_int_equal(row->n, 1);
    assert_non_null(row->at[0].name);
    *(long *)ctx = row->at[0].text ? strtol(row->at[0].text, NULL, 10) : -1;
}

static inline long ask(struct db *db, const char *sql)
{
    long v = -2;
    OK(db_sql(db, sql, number, &v, e));
    return v;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, gone)
#define RUN(tests) (enter_folder() ? leave_folder(cmocka_run_group_tests(tests, NULL, NULL)) : 1)

static inline bool enter_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/rankwright-db-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return false;
    snprintf(path, sizeof path, "%s/rules.db", folder);
    return true;
}

static inline int leave_folder(int failed)
{
    rmdir(folder);
    return failed;
}

#endif
