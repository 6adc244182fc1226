// SPDX-License-Identifier: Apache-2.0
// What the interpreter says of wrong programs: each kernel is right but for one change.
#include "tests/unit/support/kernel_run.h"

// An addition of 16 lanes; STRIDE, MASK and VALUE are what a test changes.
static const char pattern[] =
    "tt.func public @k(%%x: !tt.ptr<f32>, %%o: !tt.ptr<f32>, %%n: i32) {\n"
    "  %%c = arith.constant %d : i32\n"
    "  %%p = tt.get_program_id x : i32\n"
    "  %%1 = arith.muli %%p, %%c : i32\n"
    "  %%2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
    "  %%3 = tt.splat %%1 : i32 -> tensor<16xi32>\n"
    "  %%4 = arith.addi %%3, %%2 : tensor<16xi32>\n"
    "  %%5 = tt.splat %%n : i32 -> tensor<16xi32>\n"
    "  %%6 = arith.cmpi %s, %%4, %%5 : tensor<16xi32>\n"
    "  %%7 = tt.splat %%x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
    "  %%8 = tt.addptr %%7, %%4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "  %%9 = tt.load %%8, %%6 : tensor<16x!tt.ptr<f32>>\n"
    "  %%10 = tt.splat %%o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
    "  %%11 = tt.addptr %%10, %%4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
    "  %s\n"
    "  tt.return\n"
    "}\n";

enum { N = 40 };

static void run_pattern(struct kernel *k, int stride, const char *mask, const char *store)
{
    struct buf text = {0};
    buf_printf(&text, pattern, stride, mask, store);
    kernel_text(k, buf_text(&text), text.len);
    if (!k->ok)
        fail_msg("%u:%u: %s", k->err.line, k->err.col, k->err.msg);
    buf_release(&text);
    kernel_set(k, "n", N);
    kernel_set(k, "grid.x", 3);
    kernel_input(k, "x", N);
    kernel_output(k, "o", N);
    kernel_run(k);
}

static const char store[] = "tt.store %11, %9, %6 : tensor<16x!tt.ptr<f32>>";

static void right(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt", store);
    kernel_is_clean(&k, &k.run.array.at[kernel_parameter(&k, "o")]);
    kernel_release(&k);
}

static void past_the_end(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "sle", store);
    const struct exec_fault *read = kernel_fault(&k, EXEC_READ_BOUNDS);
    const struct exec_fault *write = kernel_fault(&k, EXEC_WRITE_BOUNDS);
    assert_non_null(read);
    assert_non_null(write);
    assert_int_equal(read->place.line, 12);
    assert_int_equal(write->place.line, 15);
    assert_int_equal(write->program[0], 2);
    assert_int_equal(write->lane, N - 2 * 16);
    assert_int_equal(write->offset, N);
    kernel_release(&k);
}

// Programs overlap with equal values: elements are written twice, which is no fault.
static void overlap(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 15, "slt", store);
    const struct exec_array *out = &k.run.array.at[kernel_parameter(&k, "o")];
    assert_int_equal(k.run.fault.len, 0);
    assert_int_equal(out->element[15].writes, 2);
    assert_int_equal(out->element[14].writes, 1);
    kernel_release(&k);
}

static void tail(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 17, "slt", store);
    assert_int_equal(k.run.array.at[kernel_parameter(&k, "o")].element[16].writes, 0);
    kernel_release(&k);
}

static void without_mask(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt", "tt.store %11, %9 : tensor<16x!tt.ptr<f32>>");
    assert_non_null(kernel_fault(&k, EXEC_UNDEFINED) ? kernel_fault(&k, EXEC_UNDEFINED)
                                                     : kernel_fault(&k, EXEC_WRITE_BOUNDS));
    assert_null(kernel_fault(&k, EXEC_READ_BOUNDS));
    kernel_release(&k);
}

// Lanes without a value enter a sum.
static void undefined_lanes(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%s = \"tt.reduce\"(%9) <{axis = 0 : i32}> ({\n"
                "  ^bb0(%a: f32, %b: f32):\n"
                "    %t = arith.addf %a, %b : f32\n"
                "    tt.reduce.return %t : f32\n"
                "  }) : (tensor<16xf32>) -> f32\n"
                "  %q = tt.addptr %o, %p : !tt.ptr<f32>, i32\n"
                "  tt.store %q, %s : !tt.ptr<f32>");
    const struct exec_fault *fault = kernel_fault(&k, EXEC_UNDEFINED);
    assert_non_null(fault);
    assert_int_equal(fault->program[0], 2);
    assert_int_equal(fault->count, 1);
    kernel_release(&k);
}

// All programs write one element, with values of their own.
static void race_of_writes(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%f = arith.sitofp %p : i32 to f32\n  tt.store %o, %f : !tt.ptr<f32>");
    assert_non_null(kernel_fault(&k, EXEC_WRITTEN_TWICE));
    kernel_release(&k);
}

// One program reads what another one writes.
static void race_of_reads(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%w = tt.load %o : !tt.ptr<f32>\n"
                "  tt.store %11, %9, %6 : tensor<16x!tt.ptr<f32>>");
    assert_non_null(kernel_fault(&k, EXEC_RACE));
    kernel_release(&k);
}

// Lanes of one statement write one element.
static void lanes_collide(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt", "tt.store %10, %9, %6 : tensor<16x!tt.ptr<f32>>");
    const struct exec_fault *fault = kernel_fault(&k, EXEC_WRITTEN_TWICE);
    assert_non_null(fault);
    assert_int_equal(fault->lane, 1);
    kernel_release(&k);
}

static void overflow(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%b = arith.constant 65536 : i32\n"
                "  %d = arith.muli %b, %b : i32\n"
                "  %z = arith.addi %p, %d : i32\n"
                "  %q = tt.addptr %o, %z : !tt.ptr<f32>, i32\n"
                "  %f = arith.sitofp %p : i32 to f32\n"
                "  tt.store %q, %f : !tt.ptr<f32>");
    const struct exec_fault *fault = kernel_fault(&k, EXEC_OVERFLOW);
    assert_non_null(fault);
    assert_int_equal(fault->place.line, 16);
    kernel_release(&k);
}

static void division(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%d = arith.divsi %c, %p : i32\n"
                "  %q = tt.addptr %o, %d : !tt.ptr<f32>, i32\n"
                "  %f = arith.sitofp %p : i32 to f32\n"
                "  tt.store %q, %f : !tt.ptr<f32>");
    assert_non_null(kernel_fault(&k, EXEC_DIVISION));
    assert_non_null(kernel_fault(&k, EXEC_UNDEFINED_INDEX));
    kernel_release(&k);
}

static void step(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "scf.for %i = %c to %n step %p : i32 {\n"
                "    tt.store %11, %9, %6 : tensor<16x!tt.ptr<f32>>\n"
                "  }");
    const struct exec_fault *fault = kernel_fault(&k, EXEC_STEP);
    assert_non_null(fault);
    assert_int_equal(fault->program[0], 0);
    assert_int_equal(fault->count, 1);
    kernel_release(&k);
}

static void refused(void **state)
{
    (void)state;
    struct kernel k;
    run_pattern(&k, 16, "slt",
                "%v = \"tt.mystery\"(%9) : (tensor<16xf32>) -> tensor<16xf32>\n"
                "  tt.store %11, %v, %6 : tensor<16x!tt.ptr<f32>>");
    assert_non_null(kernel_fault(&k, EXEC_REFUSED));
    assert_non_null(kernel_fault(&k, EXEC_UNDEFINED));
    kernel_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right),          cmocka_unit_test(past_the_end),
        cmocka_unit_test(overlap),        cmocka_unit_test(tail),
        cmocka_unit_test(without_mask),   cmocka_unit_test(undefined_lanes),
        cmocka_unit_test(race_of_writes), cmocka_unit_test(race_of_reads),
        cmocka_unit_test(lanes_collide),  cmocka_unit_test(overflow),
        cmocka_unit_test(division),       cmocka_unit_test(step),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
