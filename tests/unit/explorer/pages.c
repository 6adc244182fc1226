// SPDX-License-Identifier: Apache-2.0
// The served pages: a list that works by its form, a rule's page, what is not there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "explorer/pages/pages.h"

static const char rules_text[] =
    "/// Twice \"<b>\" is once.\n"
    "rule twice { origin \"sheet <1>\"; axes x; map n on x; tensor A[x: n] : any;\n"
    "  reverse(reverse(A, {x}), {x}) => A; }\n"
    "rule once { axes x; map n on x; tensor A[x: n] : any;\n"
    "  A => reverse(reverse(A, {x}), {x}); }\n"
    "rule wrong { axes x; map n, s on x; tensor A[x: n] : num; where s <= n;\n"
    "  slice(A, start=s) + 1 => slice(A, start=s); }\n";

struct fixture {
    struct rw_context *context;
    struct rw_database *database;
    struct explorer_pages *pages;
    struct explorer_body body;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct rw_error error;
    fixture->context = rw_context_new();
    fixture->database = rw_database_open(fixture->context, ":memory:", RW_WRITE, 1, &error);
    struct rw_rules *rules = rw_rules_new(fixture->context);
    bool ok = rw_rules_parse(rules, rules_text, strlen(rules_text), "sheet.rw", &error);
    struct rw_report *report = ok ? rw_prove(rules, fixture->database, NULL, &error) : NULL;
    rw_report_free(report);
    rw_rules_free(rules);
    fixture->pages = explorer_pages_new(fixture->database, EXPLORER_SERVED);
    *state = fixture;
    return report ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    explorer_body_release(&fixture->body);
    explorer_pages_free(fixture->pages);
    rw_database_close(fixture->database);
    rw_context_free(fixture->context);
    free(fixture);
    return 0;
}

static const char *get(struct fixture *fixture, const char *path, const char *query, int status)
{
    explorer_page(fixture->pages, path, query, &fixture->body);
    assert_int_equal(fixture->body.status, status);
    return buf_text(&fixture->body.bytes);
}

static void expect_count(struct fixture *fixture, const char *query, const char *count)
{
    const char *text = get(fixture, "rules", query, 200);
    struct buf expected = {0};
    buf_printf(&expected, ">%s of 3 rules<", count);
    if (strstr(text, buf_text(&expected)) == NULL)
        fail_msg("%s: not %s", query, buf_text(&expected));
    buf_release(&expected);
}

static void lists(void **state)
{
    struct fixture *fixture = *state;
    expect_count(fixture, NULL, "3");
    expect_count(fixture, "op=reverse", "2");
    expect_count(fixture, "op=reverse&op=slice", "0");
    expect_count(fixture, "verdict=refuted", "1");
    expect_count(fixture, "verdict=refuted&domain=bool", "0");
    expect_count(fixture, "domain=bool", "2");
    expect_count(fixture, "precondition=start", "1");
    expect_count(fixture, "precondition=none", "2");
    expect_count(fixture, "origin=sheet+%3C1%3E", "1");
    expect_count(fixture, "origin=sheet", "1");
    expect_count(fixture, "q=TWICE", "1");
    expect_count(fixture, "q=reverse+once&family=sheet", "2");
    expect_count(fixture, "family=%22%3E%3Cscript%3E", "0");
    assert_null(strstr(buf_text(&fixture->body.bytes), "<script>"));
    const char *text = get(fixture, "rules", "sort=name", 200);
    assert_true(strstr(text, ">once<") < strstr(text, ">twice<"));
    get(fixture, "rules", "page=999999999999", 200);
    get(fixture, "rules", "page=-1&sort=%00&q=%ff", 200);
}

static void a_rule(void **state)
{
    struct fixture *fixture = *state;
    const char *text = get(fixture, "rule/sheet/twice", NULL, 200);
    assert_non_null(strstr(text, "Twice &quot;&lt;b&gt;&quot; is once."));
    assert_non_null(strstr(text, "<dt>Inverse</dt><dd><a href=\"../../rule/sheet/once\">"));
    assert_non_null(strstr(text, "data-picture=\"{&quot;classes&quot;"));
    assert_non_null(strstr(text, "href=\"../../rules?origin=sheet%20%3C1%3E\""));
    assert_null(strstr(text, "<b>&quot;"));
    text = get(fixture, "rule/sheet/wrong", NULL, 200);
    assert_non_null(strstr(text, "id=\"counterexample\""));
    assert_non_null(strstr(text, "class=\"differs marked\""));
    // Obligations are written by a job, which gets the hash.
    const char *hash = explorer_smt2_rule(fixture->pages, "smt2/sheet/twice.smt2");
    assert_non_null(hash);
    assert_int_equal(strlen(hash), 64);
    get(fixture, "smt2/sheet/twice.smt2", NULL, 404);
}

// The whole results of both sides, which the page shows.
static void sides(void **state)
{
    struct fixture *fixture = *state;
    struct rw_error error;
    struct rw_report *report = rw_query_rule(fixture->database, "wrong", &error);
    unsigned refuted = 0;
    assert_non_null(report);
    const struct rw_rule *rule = rw_report_rule(report, 0);
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        char *text = rw_counterexample_sides(rule, rule->verdicts[i], &error);
        bool has = rule->verdicts[i]->counterexample != NULL;
        assert_true(has == (text != NULL));
        assert_true(has || error.code == RW_ERROR_USAGE);
        assert_true(!has || (strstr(text, "{\"left\":{\"shape\":[") == text &&
                             strstr(text, "\"right\":{\"shape\":[")));
        refuted += has;
        rw_free(text);
    }
    assert_true(refuted > 0);
    rw_report_free(report);
}

static void absent(void **state)
{
    static const char *const paths[] = {"rule/sheet/nothing",
                                        "rule/",
                                        "rule/../../etc/passwd",
                                        "operator/nothing",
                                        "smt2/x",
                                        "smt2/.smt2",
                                        "rul",
                                        "rules/",
                                        "smt2/sheet/twice"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        get(*state, paths[i], NULL, 404);
        assert_null(explorer_smt2_rule(((struct fixture *)*state)->pages, paths[i]));
    }
    get(*state, "operator/reverse", NULL, 200);
    get(*state, "coverage", NULL, 200);
    get(*state, "", "q=x", 200);
    get(*state, "about", NULL, 200);
    get(*state, "static/rules-index.js", NULL, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(a_rule),
        cmocka_unit_test(sides),
        cmocka_unit_test(absent),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
