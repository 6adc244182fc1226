// SPDX-License-Identifier: Apache-2.0
// include/rankwright/discovery.h, evaluation.h and merging.h as a program meets them: what each
// call finds, that findings come one at a time, that a cancellation keeps those so far, and that
// wrong options are refused.
#include "include/rankwright.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

// A rule that is wider without its precondition, and one that is false.
static const char narrow[] = "rule narrow { axes x; map n on x; tensor A[x: n] : any;\n"
                             "  where n == 4; reverse(reverse(A, {x}), {x}) => A; }\n";
static const char wrong[] = "rule wrong { axes x; map n on x; tensor A[x: n] : num;\n"
                            "  A - A => A; }\n";
static const char base[] =
    "rule comm { axes x; map n on x; type T : num; tensor A[x: n] : T, B[x: n] : T;\n"
    "  claims real; A + B => B + A; }\n"
    "rule zero { axes x; map n on x; type T : num; tensor A[x: n] : T;\n"
    "  claims real; A + 0 => A; }\n";
static const char goals[] =
    "rule follows { axes x; map n on x; type T : num; tensor A[x: n] : T;\n"
    "  claims real; 0 + A => A; }\n"
    "rule does_not { axes x; map n on x; type T : num; tensor A[x: n] : T;\n"
    "  claims real; A * 1 => A; }\n";

static struct rw_context *context;
static struct rw_rules *rules, *others;
static struct rw_error error;

static int open_all(void **state)
{
    (void)state;
    memset(&error, 0, sizeof error);
    context = rw_context_new();
    rules = rw_rules_new(context);
    others = rw_rules_new(context);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    rw_rules_free(others);
    rw_rules_free(rules);
    rw_context_free(context);
    return 0;
}

static void parse(struct rw_rules *into, const char *text)
{
    if (!rw_rules_parse(into, text, strlen(text), "test.rw", &error))
        fail_msg("%s", error.message);
}

static const struct rw_finding *only(const struct rw_findings *findings)
{
    if (findings == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(rw_findings_count(findings), 1);
    return rw_findings_at(findings, 0);
}

static bool count_finding(void *user, const struct rw_finding *finding)
{
    assert_non_null(finding->json);
    return ++*(uint32_t *)user < 2;
}

// ---- wider and repaired rules

// The wider rule is a text that can be proved and stored; the call proves nothing twice.
static void generalized(void **state)
{
    (void)state;
    struct rw_database *database = rw_database_open(context, ":memory:", RW_WRITE, 1, &error);
    parse(rules, narrow);
    struct rw_findings *findings = rw_generalize(rules, NULL, &error);
    const struct rw_finding *finding = only(findings);
    assert_string_equal(finding->kind, "wider");
    assert_string_equal(finding->rules[0], "narrow");
    assert_non_null(strstr(finding->json, "\"wider\":true"));
    assert_non_null(strstr(finding->found, "rule narrow_general"));
    assert_null(strstr(finding->found, "where"));
    assert_string_equal(rw_findings_rules(findings), finding->found);
    assert_int_equal(rw_findings_effort(findings)->changed, 1);
    assert_true(rw_findings_effort(findings)->proofs > 0);
    parse(others, finding->found);
    assert_true(rw_findings_store(findings, database, NULL, &error));
    struct rw_report *report = rw_query_rule(database, "narrow_general", &error);
    assert_non_null(report);
    assert_int_equal(rw_report_rule(report, 0)->verdicts[0]->decision, RW_PROVED);
    rw_report_free(report);
    rw_findings_free(findings);
    rw_database_close(database);
}

// A false rule has no wider one: that is a finding with its reason, no error.
static void refused(void **state)
{
    (void)state;
    parse(rules, wrong);
    struct rw_findings *findings = rw_generalize(rules, NULL, &error);
    const struct rw_finding *finding = only(findings);
    assert_string_equal(finding->kind, "refused");
    assert_non_null(strstr(finding->text, "not proved in the domains it claims"));
    assert_string_equal(finding->found, "");
    assert_string_equal(rw_findings_rules(findings), "");
    rw_findings_free(findings);
}

// Each repair is a rule that is proved when it is read again.
static void repaired(void **state)
{
    (void)state;
    parse(rules, wrong);
    struct rw_findings *findings = rw_repair(rules, NULL, &error);
    const struct rw_finding *finding = only(findings);
    assert_string_equal(finding->kind, "repaired");
    parse(others, finding->found);
    assert_true(rw_rules_count(others) > 0);
    struct rw_report *report = rw_prove(others, NULL, NULL, &error);
    assert_non_null(report);
    for (size_t i = 0; i < rw_report_count(report); i++) {
        const struct rw_rule *rule = rw_report_rule(report, i);
        for (size_t k = 0; k < rule->n_verdicts; k++)
            assert_true(!rule->verdicts[k]->claimed || rule->verdicts[k]->decision == RW_PROVED);
    }
    rw_report_free(report);
    rw_findings_free(findings);
}

// ---- what follows

// Findings come in the order of the goals; each record is one that the checker accepts.
static void derived(void **state)
{
    (void)state;
    struct rw_derive_options options = {.size = sizeof options, .from = rules, .records = true};
    struct rw_check_options checking = {.size = sizeof checking, .assumed = rules};
    parse(rules, base);
    parse(others, goals);
    struct rw_findings *findings = rw_derive(others, &options, &error);
    assert_non_null(findings);
    assert_int_equal(rw_findings_count(findings), 2);
    const struct rw_finding *first = rw_findings_at(findings, 0);
    assert_string_equal(first->kind, "derived");
    assert_non_null(strstr(first->json, "\"used\":["));
    assert_true(first->n_records > 0);
    for (size_t i = 0; i < first->n_records; i++) {
        const struct rw_expected *record = &first->records[i];
        assert_int_equal(strlen(record->text), record->size);
        struct rw_check *check =
            rw_check_record(context, record->text, record->size, record->file, &checking, &error);
        assert_non_null(check);
        assert_true(check->valid);
        rw_check_free(check);
    }
    assert_string_equal(rw_findings_at(findings, 1)->kind, "not derived");
    rw_findings_free(findings);
}

static void needed(void **state)
{
    (void)state;
    struct rw_derive_options options = {.size = sizeof options, .from = rules};
    parse(rules, base);
    parse(rules, "rule follows { axes x; map n on x; type T : num; tensor A[x: n] : T;\n"
                 "  claims real; 0 + A => A; }\n");
    struct rw_findings *findings = rw_derive_minimal(context, &options, &error);
    assert_non_null(findings);
    assert_int_equal(rw_findings_count(findings), 3);
    // zero and follows derive each other: one of them is needed
    uint32_t n = 0;
    for (size_t i = 0; i < 3; i++)
        n += strcmp(rw_findings_at(findings, i)->kind, "needed") == 0;
    assert_int_equal(n, 2);
    rw_findings_free(findings);
    options.from = NULL;
    assert_null(rw_derive_minimal(context, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_string_equal(error.file, "from");
}

// A rule that the database did not prove derives nothing.
static void base_of_database(void **state)
{
    (void)state;
    struct rw_database *database = rw_database_open(context, ":memory:", RW_WRITE, 1, &error);
    struct rw_derive_options options = {
        .size = sizeof options, .from = rules, .database = database};
    parse(rules, base);
    parse(others, goals);
    struct rw_findings *findings = rw_derive(others, &options, &error);
    assert_non_null(findings);
    assert_string_equal(rw_findings_at(findings, 0)->kind, "not derived");
    rw_findings_free(findings);
    rw_report_free(rw_prove(rules, database, NULL, &error));
    findings = rw_derive(others, &options, &error);
    assert_string_equal(rw_findings_at(findings, 0)->kind, "derived");
    rw_findings_free(findings);
    rw_database_close(database);
}

// ---- faults, new rules

static void linted(void **state)
{
    (void)state;
    parse(rules, base);
    struct rw_findings *findings = rw_lint(rules, NULL, &error);
    assert_non_null(findings);
    bool loop = false;
    for (size_t i = 0; i < rw_findings_count(findings); i++) {
        const struct rw_finding *finding = rw_findings_at(findings, i);
        loop |= strcmp(finding->kind, "inverse") == 0 && strcmp(finding->rules[0], "comm") == 0;
    }
    assert_true(loop);
    assert_int_equal(rw_findings_effort(findings)->rules, 2);
    rw_findings_free(findings);
}

static void discovered(void **state)
{
    (void)state;
    struct rw_discover_options options = {
        .size = sizeof options, .ops = "and,or,not", .domains = 1u << RW_BOOL, .variables = 2};
    struct rw_findings *findings = rw_discover(context, &options, &error);
    assert_non_null(findings);
    assert_true(rw_findings_count(findings) > 3);
    assert_string_equal(rw_findings_at(findings, 0)->kind, "rule");
    parse(rules, rw_findings_rules(findings));
    assert_int_equal(rw_rules_count(rules), rw_findings_count(findings));
    assert_non_null(strstr(rw_rules_at(rules, 0)->origins[0], "operators and,or,not"));
    rw_findings_free(findings);
    options.domains = 1u << RW_FLOAT;
    assert_null(rw_discover(context, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    options.ops = "and,nor";
    assert_null(rw_discover(context, &options, &error));
    assert_string_equal(error.file, "ops");
}

static void discovered_tensors(void **state)
{
    (void)state;
    struct rw_discover_options options = {
        .size = sizeof options, .ops = "reverse", .most = 2, .tensors = 1, .classes = 1};
    struct rw_findings *findings = rw_discover(context, &options, &error);
    assert_non_null(findings);
    assert_true(rw_findings_count(findings) > 0);
    parse(rules, rw_findings_rules(findings));
    assert_int_equal(rw_rules_count(rules), rw_findings_count(findings));
    assert_false(rw_findings_effort(findings)->ended);
    rw_findings_free(findings);
    options.most = 9;
    assert_null(rw_discover(context, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
}

// ---- cancellation

static bool never(void *user, const struct rw_progress *at)
{
    (void)user;
    assert_non_null(at->stage);
    return false;
}

// The callback sees each finding and may end the call, which keeps what it has; a cancellation
// ends one call and no more.
static void cancelled(void **state)
{
    (void)state;
    uint32_t seen = 0;
    struct rw_derive_options options = {.size = sizeof options, .from = rules};
    parse(rules, base);
    parse(others, goals);
    parse(others, wrong);
    rw_context_on_finding(context, count_finding, &seen);
    struct rw_findings *findings = rw_derive(others, &options, &error);
    assert_non_null(findings);
    assert_int_equal(seen, 2);
    assert_int_equal(rw_findings_count(findings), 2);
    assert_true(rw_findings_effort(findings)->ended);
    rw_findings_free(findings);

    rw_context_on_finding(context, NULL, NULL);
    rw_context_cancel(context);
    findings = rw_generalize(rules, NULL, &error);
    assert_non_null(findings);
    assert_int_equal(rw_findings_count(findings), 0);
    assert_true(rw_findings_effort(findings)->ended);
    rw_findings_free(findings);
    rw_context_on_progress(context, never, NULL);
    findings = rw_repair(rules, NULL, &error);
    assert_true(rw_findings_effort(findings)->ended);
    rw_findings_free(findings);
    rw_context_on_progress(context, NULL, NULL);
    findings = rw_derive(others, &options, &error);
    assert_int_equal(rw_findings_count(findings), 3);
    assert_false(rw_findings_effort(findings)->ended);
    rw_findings_free(findings);
}

// ---- evaluation

static struct rw_expected text_of(const char *text)
{
    return (struct rw_expected){text, "test", strlen(text)};
}

static void evaluated(void **state)
{
    (void)state;
    static const char twice[] = "func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {\n"
                                "  %b = stablehlo.add %a, %a : tensor<3xi32>\n"
                                "  return %b : tensor<3xi32>\n}\n";
    static const char shifted[] = "func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {\n"
                                  "  %c = stablehlo.constant dense<1> : tensor<3xi32>\n"
                                  "  %b = stablehlo.shift_left %a, %c : tensor<3xi32>\n"
                                  "  return %b : tensor<3xi32>\n}\n";
    static const char same[] = "func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {\n"
                               "  return %a : tensor<3xi32>\n}\n";
    struct rw_expected first = text_of(twice), second = text_of(shifted), third = text_of(same);
    struct rw_evaluate_options options = {.size = sizeof options, .seed = 7};
    char *text = rw_evaluate(context, &first, &options, &error);
    assert_non_null(text);
    assert_int_equal(strncmp(text, "dense<", 6), 0);
    rw_free(text);
    enum rw_decision answer;
    assert_true(rw_evaluate_both(context, &first, &second, &options, &answer, &text, &error));
    assert_int_equal(answer, RW_PROVED);
    assert_string_equal(text, "same 1 results\n");
    rw_free(text);
    assert_true(rw_evaluate_both(context, &first, &third, &options, &answer, &text, &error));
    assert_int_equal(answer, RW_REFUTED);
    assert_non_null(strstr(text, "differs"));
    rw_free(text);
    options.function = "nobody";
    assert_null(rw_evaluate(context, &first, &options, &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
}

// A formula is a program in f64; sizes of axes that it does not have are refused.
static void evaluated_formulas(void **state)
{
    (void)state;
    struct rw_expected sum = text_of("sum[i] A[i] + sum[i] B[i]"),
                       both = text_of("sum[i] (A[i] + B[i])");
    struct rw_evaluate_options options = {.size = sizeof options,
                                          .formula = true,
                                          .other_formula = true,
                                          .tolerance = 1e-12,
                                          .sizes = "i=5"};
    enum rw_decision answer = RW_UNKNOWN;
    bool ok = rw_evaluate_both(context, &sum, &both, &options, &answer, NULL, &error);
    if (!ok)
        fail_msg("%s", error.message);
    assert_int_equal(answer, RW_PROVED);
    options.sizes = "j=5";
    assert_null(rw_evaluate(context, &sum, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    struct rw_expected cut = {"1 + 2", "test", 6};
    options.sizes = NULL;
    assert_null(rw_evaluate(context, &cut, &options, &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
}

// ---- merging

static void merged(void **state)
{
    (void)state;
    char folder[] = "/tmp/rankwright-merge-XXXXXX", path[64], target[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.db", folder);
    snprintf(target, sizeof target, "%s/two.db", folder);
    struct rw_database *source = rw_database_open(context, path, RW_WRITE, 1, &error);
    assert_non_null(source);
    parse(rules, base);
    rw_report_free(rw_prove(rules, source, NULL, &error));
    rw_database_close(source);
    struct rw_database *into = rw_database_open(context, target, RW_WRITE, 1, &error);
    struct rw_merged counts;
    const char *sources[] = {path};
    char *text;
    assert_true(rw_merge(into, sources, 1, NULL, &counts, &text, &error));
    assert_int_equal(counts.new_rules, 2);
    assert_int_equal(counts.contradictions, 0);
    assert_true(counts.verdicts > 0);
    assert_string_equal(text, "");
    rw_free(text);
    assert_true(rw_merge(into, sources, 1, NULL, &counts, NULL, &error));
    assert_int_equal(counts.new_rules, 0);
    sources[0] = target;
    assert_false(rw_merge(into, sources, 1, NULL, &counts, NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_non_null(strstr(error.message, "is the database itself"));
    rw_database_close(into);
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)remove(name);
        snprintf(name, sizeof name, "%s%s", target, endings[i]);
        (void)remove(name);
    }
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(generalized), TEST(refused),    TEST(repaired),
        TEST(derived),     TEST(needed),     TEST(base_of_database),
        TEST(linted),      TEST(discovered), TEST(discovered_tensors),
        TEST(cancelled),   TEST(evaluated),  TEST(evaluated_formulas),
        TEST(merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
