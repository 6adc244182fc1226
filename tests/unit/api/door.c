// SPDX-License-Identifier: Apache-2.0
// The library as a program meets it, through include/rankwright.h alone:
// errors, limits, cancellation, notes, and each kind of answer.
#include "include/rankwright.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

static const char twice[] = "rule twice { axes x; map n on x; tensor A[x: n] : any;\n"
                            "  reverse(reverse(A, {x}), {x}) => A; }\n";
static const char wrong[] = "rule wrong { axes x; map n on x; tensor A[x: n] : num;\n"
                            "  claims int; A + 1 => A; }\n";
static const char program_text[] = "func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
                                   "  %b = stablehlo.reverse %a, dims = [0, 1] : tensor<4x8xf32>\n"
                                   "  %c = stablehlo.reverse %b, dims = [0, 1] : tensor<4x8xf32>\n"
                                   "  return %c : tensor<4x8xf32>\n}\n";

static struct rw_context *context;
static struct rw_rules *rules;
static struct rw_database *database;
static struct rw_error error;

static int open_all(void **state)
{
    (void)state;
    memset(&error, 0, sizeof error);
    context = rw_context_new();
    rules = rw_rules_new(context);
    database = rw_database_open(context, ":memory:", RW_WRITE, 1, &error);
    return database == NULL;
}

static int close_all(void **state)
{
    (void)state;
    rw_database_close(database);
    rw_rules_free(rules);
    rw_context_free(context);
    return 0;
}

static void parse(const char *text)
{
    if (!rw_rules_parse(rules, text, strlen(text), "test.rw", &error))
        fail_msg("%s", error.message);
}

static struct rw_program *program(void)
{
    struct rw_program *read =
        rw_program_read(context, program_text, strlen(program_text), "test.mlir", &error);
    if (read == NULL)
        fail_msg("%s", error.message);
    return read;
}

// A database in which `twice` is proved.
static void prove_twice(void)
{
    parse(twice);
    struct rw_report *report = rw_prove(rules, database, NULL, &error);
    assert_non_null(report);
    assert_int_equal(rw_report_count(report), 1);
    rw_report_free(report);
}

// What was proved in memory is in the copy, and what was there before is not.
static void saved_databases(void **state)
{
    (void)state;
    char path[] = "/tmp/door-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    assert_true(rw_database_save(database, path, &error)); // without a rule
    prove_twice();
    assert_true(rw_database_save(database, path, &error));
    struct rw_database *copy = rw_database_open(context, path, RW_READ, 1, &error);
    assert_non_null(copy);
    struct rw_report *report = rw_query_rule(copy, "twice", &error);
    assert_non_null(report);
    assert_int_equal(rw_report_rule(report, 0)->verdicts[0]->decision, RW_PROVED);
    rw_report_free(report);
    rw_database_close(copy);
    assert_int_equal(unlink(path), 0);
}

// ---- errors and limits

// The library that runs is the one whose header was read.
static void versions(void **state)
{
    (void)state;
    assert_string_equal(rw_version(), RW_VERSION);
}

// A limit needs a known name and a value in range; the error may be unwanted.
static void limits(void **state)
{
    (void)state;
    assert_true(rw_context_limit(context, "workers", 1, &error));
    assert_false(rw_context_limit(context, "workers", 0, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_non_null(strstr(error.message, "from 1 to 256"));
    assert_false(rw_context_limit(context, "no_such_limit", 1, &error));
    assert_non_null(strstr(error.message, "no_such_limit"));
    assert_false(rw_context_limit(context, "no_such_limit", 1, NULL));
}

// Every error of a text has its place; rules without errors stay.
static void errors_of_rules(void **state)
{
    (void)state;
    const char *text = "rule a { axes x; }\nrule b { zzz }\n"
                       "rule c { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }\n";
    assert_false(rw_rules_parse(rules, text, strlen(text), "bad.rw", &error));
    assert_true(rw_rules_error_count(rules) >= 2);
    const struct rw_error *first = rw_rules_error(rules, 0);
    assert_int_equal(first->code, RW_ERROR_INPUT);
    assert_int_equal(first->line, 1);
    assert_string_equal(first->file, "bad.rw");
    const struct rw_error *last = rw_rules_error(rules, rw_rules_error_count(rules) - 1);
    assert_string_equal(last->message, error.message);
    assert_int_equal(rw_rules_count(rules), 1);
    assert_string_equal(rw_rules_at(rules, 0)->name, "c");
    assert_false(rw_rules_load(rules, "no/such/folder", &error));
    assert_int_equal(error.code, RW_ERROR_IO);
}

// Options of an older version are shorter; a size that no version had is an
// error.
static void sizes_of_options(void **state)
{
    (void)state;
    parse(twice);
    struct {
        size_t size;
        unsigned domains;
    } older;
    memset(&older, 0, sizeof older);
    older.size = sizeof older;
    older.domains = 1U << RW_INT;
    struct rw_report *report =
        rw_prove(rules, NULL, (const struct rw_prove_options *)(const void *)&older, &error);
    assert_non_null(report);
    assert_int_equal(rw_report_rule(report, 0)->n_verdicts, 1);
    rw_report_free(report);
    struct rw_prove_options options;
    memset(&options, 0, sizeof options);
    assert_null(rw_prove(rules, NULL, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    options.size = sizeof options;
    options.domains = 1U << 30;
    assert_null(rw_prove(rules, NULL, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
}

// ---- rules and proofs

// Without a database the report has proofs and counterexamples all the same,
// in the order of the rules.
static void proofs_without_database(void **state)
{
    (void)state;
    parse(twice);
    parse(wrong);
    struct rw_report *report = rw_prove(rules, NULL, NULL, &error);
    assert_non_null(report);
    assert_int_equal(rw_report_count(report), 2);
    assert_int_equal(rw_report_proving(report)->proved, 2);
    assert_false(rw_report_proving(report)->interrupted);
    const struct rw_rule *first = rw_report_rule(report, 0);
    assert_string_equal(first->name, "twice");
    for (size_t i = 0; i < first->n_verdicts; i++) {
        assert_int_equal(first->verdicts[i]->decision, RW_PROVED);
        assert_true(first->verdicts[i]->n_obligations > 0);
    }
    const struct rw_verdict *refuted = NULL;
    const struct rw_rule *second = rw_report_rule(report, 1);
    for (size_t i = 0; i < second->n_verdicts; i++)
        if (second->verdicts[i]->domain == RW_INT)
            refuted = second->verdicts[i];
    assert_non_null(refuted);
    assert_int_equal(refuted->decision, RW_REFUTED);
    assert_true(refuted->claimed);
    assert_int_equal(refuted->counterexample[0], '{');
    assert_true(strlen(refuted->counterexample_text) > 0);
    char *json = rw_verdict_json(second, refuted);
    assert_non_null(strstr(json, "\"verdict\":\"refuted\""));
    rw_free(json);
    rw_report_free(report);
}

// What the database knows is not proved again, and can be asked for.
static void proofs_in_database(void **state)
{
    (void)state;
    prove_twice();
    struct rw_report *report = rw_prove(rules, database, NULL, &error);
    assert_non_null(report);
    assert_int_equal(rw_report_proving(report)->proved, 0);
    assert_true(rw_report_rule(report, 0)->n_verdicts >= 5);
    rw_report_free(report);
    const char *words[] = {"op=reverse", "domain=float", "verdict=proved"};
    struct rw_query_options options = {.size = sizeof options, .filters = words, .n_filters = 3};
    report = rw_query(database, &options, &error);
    assert_non_null(report);
    assert_int_equal(rw_report_count(report), 1);
    assert_string_equal(rw_report_rule(report, 0)->hash, rw_rules_at(rules, 0)->hash);
    rw_report_free(report);
    words[1] = "domain=imaginary";
    assert_null(rw_query(database, &options, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    report = rw_query_rule(database, "twice", &error);
    assert_non_null(report);
    assert_true(rw_report_rule(report, 0)->verdicts[0]->n_obligations > 0);
    char *meaning = rw_rule_meaning(rw_report_rule(report, 0), &error);
    assert_non_null(strstr(meaning, "right[i_x] = A[i_x]"));
    rw_free(meaning);
    rw_report_free(report);
    assert_null(rw_query_rule(database, "nobody", &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
}

static bool stop_after_one(void *user, const struct rw_progress *at)
{
    *(uint64_t *)user = at->done;
    return false;
}

// A progress callback that answers false ends the run; what was proved stays.
static void progress_can_stop(void **state)
{
    (void)state;
    uint64_t done = 0;
    parse(twice);
    parse(wrong);
    assert_true(rw_context_limit(context, "workers", 1, &error));
    rw_context_on_progress(context, stop_after_one, &done);
    struct rw_report *report = rw_prove(rules, NULL, NULL, &error);
    assert_non_null(report);
    assert_int_equal(done, 1);
    assert_true(rw_report_proving(report)->interrupted);
    assert_int_equal(rw_report_count(report), 1);
    rw_report_free(report);
}

// A cancellation stops one call and no more.
static void cancelled_once(void **state)
{
    (void)state;
    prove_twice();
    struct rw_program *read = program();
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, NULL);
    rw_context_cancel(context);
    assert_null(rw_simplify_program(rewriter, read, NULL, &error));
    assert_int_equal(error.code, RW_ERROR_LIMIT);
    struct rw_result *result = rw_simplify_program(rewriter, read, NULL, &error);
    assert_non_null(result);
    rw_result_free(result);
    rw_rewriter_free(rewriter);
    rw_program_free(read);
}

static void keep_note(void *user, const char *text)
{
    char **kept = user;
    free(*kept);
    *kept = strdup(text);
}

// Remarks go to the callback, without a line's end.
static void notes(void **state)
{
    (void)state;
    char *kept = NULL;
    prove_twice();
    rw_context_on_note(context, keep_note, &kept);
    rw_report_free(rw_prove(rules, database, NULL, &error));
    assert_non_null(kept);
    assert_string_equal(kept, "1 of 1 rules have stored verdicts already");
    free(kept);
}

// ---- simplification and records

// One program handle serves many calls, and each gives the same bytes.
static void equal_calls_equal_answers(void **state)
{
    (void)state;
    prove_twice();
    struct rw_program *read = program();
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, NULL);
    struct rw_result *first = rw_simplify_program(rewriter, read, NULL, &error);
    struct rw_result *second = rw_simplify_program(rewriter, read, NULL, &error);
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(rw_result_text(first, NULL), rw_result_text(second, NULL));
    assert_string_equal(rw_result_record(first, NULL, &error),
                        rw_result_record(second, NULL, &error));
    const struct rw_summary *summary = rw_result_summary(first);
    assert_true(summary->complete);
    assert_true(summary->cost_after < summary->cost_before);
    assert_int_equal(summary->steps, 1);
    char *text = rw_program_print(read, &error);
    assert_non_null(strstr(text, "stablehlo.reverse"));
    rw_free(text);
    rw_result_free(first);
    rw_result_free(second);
    rw_rewriter_free(rewriter);
    rw_program_free(read);
}

// A program in the other format and back; the record is about the converted program.
static void converted_programs(void **state)
{
    (void)state;
    prove_twice();
    struct rw_program *read = program();
    assert_true(rw_program_convert(read, RW_PROGRAM_HLO, &error));
    char *text = rw_program_print(read, &error);
    assert_non_null(strstr(text, "HloModule"));
    assert_non_null(strstr(text, "reverse(%"));
    rw_free(text);
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, NULL);
    struct rw_result *result = rw_simplify_program(rewriter, read, NULL, &error);
    assert_non_null(result);
    assert_null(strstr(rw_result_text(result, NULL), "reverse("));
    assert_true(rw_program_convert(read, RW_PROGRAM_STABLEHLO, &error));
    text = rw_program_print(read, &error);
    assert_non_null(strstr(text, "stablehlo.reverse"));
    rw_free(text);
    rw_result_free(result);
    rw_rewriter_free(rewriter);
    rw_program_free(read);
}

static struct rw_check *check(const char *record, size_t size, bool with_database)
{
    struct rw_check_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.database = with_database ? database : NULL;
    return rw_check_record(context, record, size, "record", &options, &error);
}

// A record is valid where its rules are proved; a bent one is rejected; a text
// that is none is an error with a place.
static void records(void **state)
{
    (void)state;
    size_t size;
    prove_twice();
    struct rw_program *read = program();
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, NULL);
    struct rw_result *result = rw_simplify_program(rewriter, read, NULL, &error);
    const char *record = rw_result_record(result, &size, &error);
    struct rw_check *answer = check(record, size, true);
    assert_true(answer->valid);
    assert_int_equal(answer->rule_uses, 1);
    rw_check_free(answer);
    answer = check(record, size, false);
    assert_false(answer->valid);
    assert_non_null(strstr(answer->reason, "there is no database"));
    assert_string_equal(answer->remedy, "reprove");
    rw_check_free(answer);

    char *bent = strdup(record);
    char *place = strstr(bent, "\"backward\":false");
    assert_non_null(place);
    memcpy(place, "\"backward\":true ", 16);
    answer = check(bent, size, true);
    assert_non_null(answer);
    assert_false(answer->valid);
    rw_check_free(answer);
    free(bent);
    assert_null(check("{ \"format\": ", 12, true));
    assert_int_equal(error.code, RW_ERROR_INPUT);
    assert_true(error.line > 0);

    struct rw_record *again = rw_record_read(context, record, size, "record", &error);
    assert_non_null(again);
    assert_false(rw_record_is_formula(again));
    char *written = rw_record_write(again, &error);
    assert_string_equal(written, record);
    char *steps = rw_record_explain(again, &error);
    assert_non_null(strstr(steps, "twice"));
    for (const char *const *format = rw_record_formats(); *format != NULL; format++) {
        char *text = rw_record_format(again, *format, database, "t", NULL, &error);
        assert_non_null(text);
        assert_null(strstr(text, "ot valid: "));
        assert_true(strcmp(*format, "json") != 0 || strcmp(text, record) == 0);
        assert_true(strcmp(*format, "text") != 0 || strstr(text, "twice, hash ") != NULL);
        assert_true(strcmp(*format, "html") != 0 || strstr(text, "<dt>Verdict</dt>") != NULL);
        rw_free(text);
    }
    // without a database the name is a claim
    assert_non_null(strstr(steps, "(the name is the record's)"));
    struct rw_check fault = {.reason = "1 < 0"};
    rw_record_mark(again, &fault);
    for (const char *const *format = rw_record_formats(); *format != NULL; format++) {
        char *text = rw_record_format(again, *format, database, "t", NULL, &error);
        bool html = strcmp(*format, "html") == 0;
        assert_true(strcmp(*format, "json") == 0 || strstr(text, html ? "1 &lt; 0" : "1 < 0"));
        assert_true(strcmp(*format, "text") != 0 || strncmp(text, "not valid: 1 < 0\n", 17) == 0);
        assert_true(!html || strstr(text, "<h1>Not valid: t</h1>") != NULL);
        rw_free(text);
    }
    rw_record_mark(again, &(struct rw_check){.valid = true});
    char *good = rw_record_explain(again, &error);
    assert_string_equal(good, steps);
    rw_free(good);
    assert_null(rw_record_format(again, "none", NULL, "t", NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    rw_free(written);
    rw_free(steps);
    rw_record_free(again);
    rw_result_free(result);
    rw_rewriter_free(rewriter);
    rw_program_free(read);
}

// An assumed rule is used without proof, and only where the checker has it too.
static void assumed_rules(void **state)
{
    (void)state;
    size_t size;
    parse(twice);
    struct rw_program *read = program();
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, rules);
    struct rw_result *result = rw_simplify_program(rewriter, read, NULL, &error);
    assert_non_null(result);
    assert_int_equal(rw_result_summary(result)->steps, 1);
    const char *record = rw_result_record(result, &size, &error);
    struct rw_check *answer = check(record, size, true);
    assert_false(answer->valid);
    assert_string_equal(answer->remedy, "assumed");
    rw_check_free(answer);
    struct rw_check_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.assumed = rules;
    answer = rw_check_record(context, record, size, "record", &options, &error);
    assert_true(answer->valid);
    assert_string_equal(answer->remedy, "");
    rw_check_free(answer);
    rw_result_free(result);
    rw_rewriter_free(rewriter);
    rw_program_free(read);
}

// Formulas have the same path, with lines for people and LaTeX.
static void formulas(void **state)
{
    (void)state;
    parse("rule log_exp { tensor a[] : float; claims real; log(exp(a)) => a; }\n");
    rw_report_free(rw_prove(rules, database, NULL, &error));
    struct rw_rewriter *rewriter = rw_rewriter_new(database, NULL, NULL);
    struct rw_result *result =
        rw_simplify_formula(rewriter, "log(exp(x1))", "formula", NULL, &error);
    if (result == NULL)
        fail_msg("%s", error.message);
    char *lines = rw_result_describe(result);
    assert_string_equal(lines, "x1\n");
    rw_free(lines);
    size_t size;
    const char *record = rw_result_record(result, &size, &error);
    struct rw_check *answer = check(record, size, true);
    assert_true(answer->valid);
    assert_true(answer->formula);
    rw_check_free(answer);
    assert_null(rw_result_egraph(result, &error));
    rw_result_free(result);
    assert_null(rw_simplify_formula(rewriter, "x +", "formula", NULL, &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
    assert_string_equal(error.file, "formula");
    struct rw_simplify_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.given = "x > ";
    assert_null(rw_simplify_formula(rewriter, "x", "formula", &options, &error));
    assert_string_equal(error.file, "given");
    rw_rewriter_free(rewriter);
}

// What a caller must not leave out is an error with a message, not the end of the process.
static void missing_arguments(void **state)
{
    (void)state;
    static const double waits[] = {-1, 1e7, NAN, INFINITY};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_null(rw_database_open(context, ":memory:", RW_WRITE, waits[i], &error));
        assert_int_equal(error.code, RW_ERROR_USAGE);
        assert_non_null(strstr(error.message, "to wait 0 to"));
    }
    assert_null(rw_database_open(context, ":memory:", (enum rw_mode)7, 1, &error));
    assert_non_null(strstr(error.message, "no such mode: 7"));
    assert_null(rw_database_open(context, NULL, RW_READ, 1, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_false(rw_query_sql(database, "SELECT 1", NULL, NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_false(rw_database_lay_over(database, NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_false(rw_database_save(database, NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    assert_false(rw_database_save(database, "/nowhere/there/x.db", &error));
    assert_int_equal(error.code, RW_ERROR_DATABASE);
    struct rw_rewriter *rewriter = rw_rewriter_new(NULL, NULL, NULL);
    struct rw_program *read = program();
    assert_null(rw_simplify_program(rewriter, read, NULL, &error));
    assert_non_null(strstr(error.message, "found one without"));
    assert_null(rw_simplify_formula(rewriter, "x", "formula", NULL, &error));
    assert_int_equal(error.code, RW_ERROR_USAGE);
    rw_program_free(read);
    rw_rewriter_free(rewriter);
}

static void no_value(void *user, const char *text, uint64_t n)
{
    (void)user;
    (void)text;
    (void)n;
}

// A wrong option is named as the caller knows it: by its member, argument or filter.
static void wrong_options(void **state)
{
    (void)state;
    static const char *const filters[] = {"op=slce"};
    const struct {
        struct rw_query_options options;
        const char *named;
    } cases[] = {
        {{.sort = "age"}, "sort"},
        {{.since = "yesterday"}, "since"},
        {{.domain = "itn"}, "domain"},
        {{.filters = filters, .n_filters = 1}, "op=slce"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rw_query_options options = cases[i].options;
        options.size = sizeof options;
        assert_null(rw_query(database, &options, &error));
        assert_int_equal(error.code, RW_ERROR_USAGE);
        assert_string_equal(error.file, cases[i].named);
        assert_null(strstr(error.message, "--"));
    }
    assert_string_equal(error.hint, "did you mean slice?");
    assert_false(rw_query_values(database, NULL, "colour", no_value, NULL, &error));
    assert_string_equal(error.file, "filter");
}

// ---- kernels

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(saved_databases),
        TEST(versions),
        TEST(limits),
        TEST(errors_of_rules),
        TEST(sizes_of_options),
        TEST(proofs_without_database),
        TEST(proofs_in_database),
        TEST(progress_can_stop),
        TEST(cancelled_once),
        TEST(notes),
        TEST(equal_calls_equal_answers),
        TEST(converted_programs),
        TEST(records),
        TEST(assumed_rules),
        TEST(formulas),
        TEST(missing_arguments),
        TEST(wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
