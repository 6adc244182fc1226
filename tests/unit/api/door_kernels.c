// SPDX-License-Identifier: Apache-2.0
// Kernels as a program meets them: lifted, expected, recorded, compared.
#include "include/rankwright.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct rw_context *context;
static struct rw_error error;

static const char kernel_text[] =
    "// constexpr: BLOCK=64\n"
    "// arguments: %arg0=x:*fp32, %arg1=out:*fp32, %arg2=n:i32\n"
    "// launch grid: (cdiv(n,BLOCK),)\n"
    "module {\n"
    "  tt.func public @twice(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {\n"
    "    %c64 = arith.constant 64 : i32\n"
    "    %0 = tt.get_program_id x : i32\n"
    "    %1 = arith.muli %0, %c64 : i32\n"
    "    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
    "    %3 = tt.splat %1 : i32 -> tensor<64xi32>\n"
    "    %4 = arith.addi %3, %2 : tensor<64xi32>\n"
    "    %5 = tt.splat %arg2 : i32 -> tensor<64xi32>\n"
    "    %6 = arith.cmpi slt, %4, %5 : tensor<64xi32>\n"
    "    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
    "    %8 = tt.addptr %7, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
    "    %9 = tt.load %8, %6 : tensor<64x!tt.ptr<f32>>\n"
    "    %10 = arith.addf %9, %9 : tensor<64xf32>\n"
    "    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
    "    %12 = tt.addptr %11, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
    "    tt.store %12, %10, %6 : tensor<64x!tt.ptr<f32>>\n"
    "    tt.return\n  }\n}\n";

static struct rw_lifted *lift(const char *expect)
{
    struct rw_kernel_options options = {.size = sizeof options, .expect = expect};
    struct rw_lifted *lifted =
        rw_lift(context, kernel_text, strlen(kernel_text), "k.ttir", &options, &error);
    if (lifted == NULL)
        fail_msg("%s", error.message);
    return lifted;
}

static void kernels(void **state)
{
    (void)state;
    const char *lines;
    struct rw_lifted *lifted = lift("2*x[i]");
    assert_int_equal(rw_lifted_count(lifted), 1);
    const struct rw_kernel_output *output = rw_lifted_output(lifted, 0);
    assert_string_equal(output->array, "out");
    assert_int_equal(output->word, RW_LIFT_PROVED);
    assert_non_null(strstr(output->formula, "x[i] + x[i]"));
    assert_int_equal(rw_lifted_expected(lifted, &lines), RW_PROVED);
    assert_non_null(strstr(lines, "proved equal: expected out[i]"));
    char *record = rw_lifted_record(lifted), *text;
    rw_lifted_free(lifted);
    struct rw_expected input = {kernel_text, "k.ttir", strlen(kernel_text)};
    struct rw_check_options check = {.size = sizeof check, .input = &input};
    bool valid;
    assert_true(
        rw_check_kernel(context, record, strlen(record), "r", &check, &valid, &text, &error));
    assert_true(valid);
    assert_non_null(strstr(text, "proved equal: expected out[i]"));
    rw_free(text);
    *strstr(record, "2*x[i]") = '3';
    assert_true(rw_check_kernel(context, record, strlen(record), "r", NULL, &valid, NULL, &error));
    assert_false(valid);
    rw_free(record);
    lifted = lift("3*x[i]");
    assert_int_equal(rw_lifted_expected(lifted, &lines), RW_REFUTED);
    assert_non_null(strstr(lines, "counterexample"));
    rw_lifted_free(lifted);
    enum rw_decision same;
    assert_true(rw_compare_kernels(context, &input, &input, NULL, &same, NULL, &error));
    assert_int_equal(same, RW_PROVED);
    assert_null(rw_lift(context, "module {", 8, "k.ttir", NULL, &error));
    assert_int_equal(error.code, RW_ERROR_INPUT);
    struct rw_kernel_options wrong_grid = {.size = sizeof wrong_grid, .grid = "(q("};
    assert_null(rw_lift(context, kernel_text, strlen(kernel_text), "k.ttir", &wrong_grid, &error));
    assert_string_equal(error.file, "grid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels)};
    context = rw_context_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_free(context);
    return failed;
}
