// SPDX-License-Identifier: Apache-2.0
// Effort of proofs about bits: a query that is known to be too long is left out where no verdict
// was asked for, and asked where one was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "rules/language/parse.h"
#include "verify/decide.h"

enum { STEPS = 700000 }; // of a query; the one of 8 bits takes fewer, the one of 64 many more

#define REM_OF_SUM                                                                                 \
    "axes x; map n on x; type T : sint; tensor A[x: n] : T, N[x: n] : T;"                          \
    "where all(A >= 0), all(N >= 0), all(A + N >= A); rem(A + N, N) => rem(A, N);"

// Steps spent on the elements.
static uint64_t steps_of(const char *claims)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct buf text = {0};
    struct report report = {0};
    struct decide_options options = {.domains = 1U << DOMAIN_WORD, .rlimit = STEPS};
    uint64_t steps = 0;
    buf_printf(&text, "rule r {claims %s; " REM_OF_SUM "}", claims);
    ruleset_init(&rs);
    assert_true(ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs));
    decide_rule(rs.rules.at[0], &options, &report);
    assert_int_equal(report.domains.len, 1);
    assert_int_equal(report.domains.at[0].verdict, VERDICT_UNKNOWN);
    assert_string_equal(report.domains.at[0].reason,
                        "the solver reached its limit for A, N of i64");
    for (uint32_t i = 0; i < report.domains.at[0].obligations.len; i++)
        if (report.domains.at[0].obligations.at[i].kind == OBLIGATION_ELEMENTS)
            steps += report.domains.at[0].obligations.at[i].effort;
    report_release(&report);
    vec_release(&errs.at);
    ruleset_release(&rs);
    buf_release(&text);
    return steps;
}

static void test_hopeless(void **state)
{
    (void)state;
    assert_true(steps_of("int") < STEPS);
    assert_true(steps_of("word") > STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hopeless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
