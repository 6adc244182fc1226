// SPDX-License-Identifier: Apache-2.0
// Programs that are compared, as a program meets the answers.
#include "include/rankwright.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct rw_context *context;
static struct rw_error error;

static struct rw_program *program_of(const char *body)
{
    char text[512];
    snprintf(text, sizeof text, "func.func @main(%%a: tensor<4xi8>) -> tensor<4xi8> {\n%s}\n",
             body);
    struct rw_program *program = rw_program_read(context, text, strlen(text), "p", &error);
    assert_non_null(program);
    return program;
}

static void comparisons(void **state)
{
    (void)state;
    struct rw_program *same = program_of("return %a : tensor<4xi8>\n");
    struct rw_program *sum = program_of("%0 = stablehlo.add %a, %a : tensor<4xi8>\n"
                                        "return %0 : tensor<4xi8>\n");
    struct rw_comparison *found = rw_compare_programs(context, same, sum, NULL, &error);
    assert_int_equal(rw_comparison_word(found), RW_DIFFERENT);
    assert_string_equal(rw_comparison_sense(found), "value");
    assert_non_null(strstr(rw_comparison_module(found), "@main"));
    assert_non_null(strstr(rw_comparison_json(found), "\"answer\":\"different\""));
    assert_non_null(strstr(rw_comparison_text(found), "before"));
    rw_comparison_free(found);
    found = rw_compare_programs(context, sum, sum, NULL, &error);
    assert_int_equal(rw_comparison_word(found), RW_NO_DIFFERENCE);
    assert_string_equal(rw_comparison_module(found), "");
    rw_comparison_free(found);
    struct rw_comparison_options absent = {.size = sizeof absent, .function = "other"};
    assert_null(rw_compare_programs(context, same, sum, &absent, &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
    rw_program_free(same);
    rw_program_free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comparisons)};
    context = rw_context_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_free(context);
    return failed;
}
