// SPDX-License-Identifier: Apache-2.0
// TTIR text: the generic form, jumps, comments in front; messages for malformed text; operations
// without a meaning here.
#include "tests/unit/support/kernel_run.h"
#include "loops/launch/launch.h"
#include "loops/print/print.h"
#include <math.h>

// Softmax of a row in the generic form, as of mlir-opt -mlir-print-op-generic.
static const char generic[] =
    "\"builtin.module\"() ({\n"
    "\"tt.func\"() <{function_type = (!tt.ptr<f32>, i32) -> (), sym_name = \"k\", sym_visibility = "
    "\"public\"}> ({\n"
    "^bb0(%x: !tt.ptr<f32>, %n: i32):\n"
    "  %inf = \"arith.constant\"() <{value = dense<0xFF800000> : tensor<8xf32>}> : () -> "
    "tensor<8xf32>\n"
    "  %zero = \"arith.constant\"() <{value = 0 : i32}> : () -> i32\n"
    "  %true = \"arith.constant\"() <{value = true}> : () -> i1\n"
    "  %p = \"tt.get_program_id\"() <{axis = 0 : i32}> : () -> i32\n"
    "  %c = \"arith.cmpi\"(%n, %zero) <{predicate = 3 : i64}> : (i32, i32) -> i1\n"
    "  \"cf.cond_br\"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n"
    "^bb1:\n"
    "  \"tt.return\"() : () -> ()\n"
    "^bb2:\n"
    "  %r = \"tt.make_range\"() <{end = 8 : i32, start = 0 : i32}> : () -> tensor<8xi32>\n"
    "  %ns = \"tt.splat\"(%n) : (i32) -> tensor<8xi32>\n"
    "  %m = \"arith.cmpi\"(%r, %ns) <{predicate = 2 : i64}> : (tensor<8xi32>, tensor<8xi32>) -> "
    "tensor<8xi1>\n"
    "  %xs = \"tt.splat\"(%x) : (!tt.ptr<f32>) -> tensor<8x!tt.ptr<f32>>\n"
    "  %a = \"tt.addptr\"(%xs, %r) : (tensor<8x!tt.ptr<f32>>, tensor<8xi32>) -> "
    "tensor<8x!tt.ptr<f32>>\n"
    "  %v = \"tt.load\"(%a, %m, %inf) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : "
    "i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : "
    "(tensor<8x!tt.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>\n"
    "  %e = \"math.exp\"(%v) <{fastmath = #arith.fastmath<none>}> : (tensor<8xf32>) -> "
    "tensor<8xf32>\n"
    "  %s = \"tt.reduce\"(%e) <{axis = 0 : i32}> ({\n"
    "  ^bb0(%b: f32, %d: f32):\n"
    "    %f = \"arith.addf\"(%b, %d) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32\n"
    "    \"tt.reduce.return\"(%f) : (f32) -> ()\n"
    "  }) : (tensor<8xf32>) -> f32\n"
    "  %one = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
    "  %t:2 = \"scf.for\"(%zero, %n, %one, %s, %zero) ({\n"
    "  ^bb0(%i: i32, %u: f32, %w: i32):\n"
    "    %g = \"scf.if\"(%true) ({\n"
    "      %h = \"arith.addi\"(%w, %one) : (i32, i32) -> i32\n"
    "      \"scf.yield\"(%h) : (i32) -> ()\n"
    "    }, {\n"
    "      \"scf.yield\"(%w) : (i32) -> ()\n"
    "    }) : (i1) -> i32\n"
    "    \"scf.yield\"(%u, %g) : (f32, i32) -> ()\n"
    "  }) : (i32, i32, i32, f32, i32) -> (f32, i32)\n"
    "  %q = \"tt.splat\"(%t#0) : (f32) -> tensor<8xf32>\n"
    "  %y = \"arith.divf\"(%e, %q) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>\n"
    "  \"tt.store\"(%a, %y, %m) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32}> : "
    "(tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> ()\n"
    "  \"tt.return\"() : () -> ()\n"
    "}) {noinline = false} : () -> ()\n"
    "}) : () -> ()\n";

static void reads_generic_form(void **state)
{
    (void)state;
    struct kernel k;
    kernel_text(&k, generic, sizeof generic - 1);
    if (!k.ok)
        fail_msg("%u:%u: %s", k.err.line, k.err.col, k.err.msg);
    kernel_set(&k, "n", 5);
    kernel_set(&k, "grid.x", 1);
    struct exec_array *x = kernel_input(&k, "x", 5);
    double sum = 0, old[5];
    for (int i = 0; i < 5; i++)
        sum += exp(old[i] = x->at[i].real);
    kernel_run(&k);
    kernel_is_clean(&k, x);
    for (int i = 0; i < 5; i++)
        near(x->at[i].real, exp(old[i]) / sum);
    kernel_release(&k);
}

// ---- comments

static const char small[] = "// arguments: %arg0=out_ptr:*fp32, %arg1=n:i32\n"
                            "// constexpr: BLOCK=16, tile_size0=8, tile_size1=8, name='x'\n"
                            "// launch grid: (cdiv(n,BLOCK), rows); host guarantees 1 <= n; n a "
                            "multiple of tile; any words\n"
                            "tt.func @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: "
                            "i32 {tt.divisibility = 4 : "
                            "i32}) {\n"
                            "  tt.return\n"
                            "}\n";

static void reads_comments(void **state)
{
    (void)state;
    struct kernel k;
    kernel_text(&k, small, sizeof small - 1);
    assert_true(k.ok);
    uint32_t n = kernel_parameter(&k, "n");
    assert_int_equal(n, code_find_parameter(&k.program, "%arg1"));
    assert_int_equal(k.program.parameter.at[n].divisor, 4);
    assert_int_equal(k.program.parameter.at[kernel_parameter(&k, "rows")].role, ROLE_LAUNCH);
    static const char *const facts[] = {"grid.x == cdiv(n,BLOCK)", "rows >= 1", "grid.y == rows",
                                        "1 <= n", "n a multiple of tile"};
    assert_int_equal(k.program.fact.len, sizeof facts / sizeof *facts);
    for (uint32_t i = 0; i < k.program.fact.len; i++)
        assert_string_equal(code_name(&k.program, k.program.fact.at[i].text), facts[i]);
    assert_int_equal(k.program.note.len, 1);
    assert_string_equal(code_name(&k.program, k.program.note.at[0].text), "any words");
    kernel_set(&k, "n", 24);
    kernel_set(&k, "rows", 3);
    kernel_set(&k, "grid.x", 2);
    kernel_set(&k, "grid.y", 3);
    const struct code_fact *failed;
    assert_true(exec_facts_hold(&k.run, &failed));
    kernel_set(&k, "n", 20);
    assert_false(exec_facts_hold(&k.run, &failed));
    assert_string_equal(code_name(&k.program, failed->text), "n a multiple of tile");
    kernel_release(&k);
}

static void takes_launches_and_facts(void **state)
{
    (void)state;
    struct kernel k;
    kernel_text(&k, small, sizeof small - 1);
    assert_true(launch_grid(&k.program, "(n//BLOCK + 1, 2)", &k.err));
    assert_true(launch_assume(&k.program, "n <= min(BLOCK*rows, 64) - 1", &k.err));
    assert_int_equal(k.program.fact.len, 6);
    assert_true(launch_grid(&k.program, "any", &k.err));
    static const struct {
        const char *text;
        uint32_t col;
        const char *message;
    } wrong[] = {
        {"n <= m", 6, "expected the name of a scalar of the program, found 'm'"},
        {"n", 2, "expected a comparison such as <=, found the end of the text"},
        {"n <= ", 6, "expected a number or a name, found the end of the text"},
        {"n <= 3 3", 8, "expected the end of the fact, found '3'"},
        {"cdiv(n <= 3", 8, "expected ',', found '<= 3'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {0};
        assert_false(launch_assume(&k.program, wrong[i].text, &err));
        assert_int_equal(err.col, wrong[i].col);
        assert_string_equal(err.msg, wrong[i].message);
    }
    struct err err = {0};
    assert_false(launch_grid(&k.program, "(1, 2, 3)", &err));
    assert_string_equal(err.msg, "expected ')': the program has no further axis, found '3)'");
    kernel_release(&k);
}

// ---- malformed text

#define FUNCTION(body) "tt.func @k(%x: !tt.ptr<f32>, %n: i32) {\n" body "\n tt.return\n}"

static const struct {
    const char *text;
    uint32_t line, col;
    const char *message;
} wrong[] = {
    {"", 1, 1, "expected a function tt.func"},
    {"module {\n}", 1, 1, "expected a function tt.func"},
    {"tt.func private @f() {\n tt.return\n}", 1, 17, "no public function with a body"},
    {"tt.func @f() {\n tt.return\n}\ntt.func @g() {\n tt.return\n}", 4, 9,
     "several kernels: expected the name of one"},
    {"tt.func @f(%x i32) {\n tt.return\n}", 1, 15, "expected ':', found 'i32'"},
    {"tt.func @f(%x: q) {\n tt.return\n}", 1, 16, "expected a type, found 'q'"},
    {"tt.func @f() {\n}", 2, 1, "expected tt.return or a jump at the end of the block"},
    {FUNCTION(" %a = arith.addi %n, %m : i32"), 2, 22, "'%m' is not defined here"},
    {FUNCTION(" %a = arith.addi %n : i32"), 2, 7, "arith.addi: expected 2 operands, found 1"},
    {FUNCTION(" %a = arith.addi %n, %x : i32"), 2, 22,
     "arith.addi: expected a value that is no pointer"},
    {FUNCTION(" %c = arith.constant 1 : i64\n %a = arith.addi %n, %c : i32"), 3, 7,
     "arith.addi: expected operands and results of types that fit"},
    {FUNCTION(" %c = arith.constant 1.5 : i64"), 2, 22, "expected an integer, found '1.5'"},
    {FUNCTION(" %c = arith.constant dense<1> : tensor<0xi64>"), 2, 40,
     "expected a tile of 1 to 1048576 elements"},
    {FUNCTION(" %c = arith.cmpi near, %n, %n : i32"), 2, 7,
     "arith.cmpi: expected a predicate such as slt"},
    {FUNCTION(" %c, = arith.addi %n, %n : i32"), 2, 6, "expected a name such as %0, found '='"},
    {FUNCTION(" %c:2 = arith.addi %n, %n : i32"), 2, 9, "arith.addi: expected 1 results, found 2"},
    {FUNCTION(" tt.store %x, %n : !tt.ptr<f32>"), 2, 2,
     "tt.store: expected a value of the type that the pointer has"},
    {FUNCTION(" scf.for %i = %n to %n step %n iter_args(%a = %n) -> (i32) : i32 {\n }"), 2, 2,
     "scf.for: expected a yield for each state"},
    {FUNCTION(" cf.br ^bb1"), 2, 8, "no block '^bb1' here"},
    {FUNCTION(" cf.br ^bb1\n^bb1:\n cf.br ^bb1"), 3, 1,
     "blocks are nested too deeply, or jumps go round in a circle"},
    {FUNCTION(" %r = \"tt.reduce\"(%n) <{axis = 0 : i32}> ({\n ^bb0(%a: i32, %b: i32):\n"
              " tt.reduce.return %a : i32\n }) : (i32) -> i32"),
     2, 7, "tt.reduce: expected an axis of its operands"},
    {FUNCTION(" %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
              " %t = tt.trans %r {order = array<i32: 1>} : tensor<4xi32> -> tensor<4xi32>"),
     3, 7, "tt.trans: expected operands and results of types that fit"},
    {FUNCTION(" %r = tt.call @k(%x, %n) : (!tt.ptr<f32>, i32) -> i32"), 2, 2,
     "blocks are nested too deeply, or jumps go round in a circle"},
};

static void refuses_malformed_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct kernel k;
        kernel_text(&k, wrong[i].text, strlen(wrong[i].text));
        if (k.ok || k.err.line != wrong[i].line || k.err.col != wrong[i].col ||
            strcmp(k.err.msg, wrong[i].message) != 0)
            print_error("%zu: %s\n  gave %u:%u: %s\n", i, wrong[i].text, k.err.line, k.err.col,
                        k.ok ? "no error" : k.err.msg);
        assert_false(k.ok);
        assert_int_equal(k.err.kind, ERR_INPUT);
        assert_int_equal(k.err.line, wrong[i].line);
        assert_int_equal(k.err.col, wrong[i].col);
        assert_string_equal(k.err.msg, wrong[i].message);
        kernel_release(&k);
    }
}

// ---- operations without a meaning

static uint32_t count_refused(const struct code_program *program, uint32_t array)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < program->statement.len; i++)
        if (program->statement.at[i].kind == STATEMENT_REFUSED &&
            program->statement.at[i].array == array)
            n++;
    return n;
}

static void names_what_it_refuses(void **state)
{
    (void)state;
    struct kernel k;
    kernel_file(&k, "spin_lock");
    // The lock is refused, the arrays are not.
    assert_int_equal(count_refused(&k.program, kernel_parameter(&k, "lock")), 1);
    assert_int_equal(count_refused(&k.program, NO_CODE), 0);
    kernel_release(&k);
    static const char unknown[] = FUNCTION(" \"tt.mystery\"(%x) : (!tt.ptr<f32>) -> ()");
    kernel_text(&k, unknown, sizeof unknown - 1);
    assert_true(k.ok);
    assert_int_equal(count_refused(&k.program, NO_CODE), 1);
    kernel_release(&k);
    static const char pure[] = FUNCTION(" %q = math.mystery %n : i32");
    kernel_text(&k, pure, sizeof pure - 1);
    assert_true(k.ok);
    assert_int_equal(k.program.statement.len, 1); // the loop over programs
    kernel_release(&k);
}

// The text of every kernel is there, and has no value without a name.
static void prints_kernels(void **state)
{
    (void)state;
    struct kernel k;
    struct buf out = {0};
    kernel_file(&k, "sum_lanes");
    code_print(&k.program, &out);
    assert_string_equal(buf_text(&out),
                        "sum_lanes(real32 x[], real32 out[], i32 n, i32 grid.x, i64 rows)\n"
                        "// given: rows >= 1\n"
                        "// given: grid.x == rows\n"
                        "{\n"
                        "    parallel for (v11 = 0; v11 < grid.x; v11 += 1) {\n"
                        "        v16 = 0.000000e+00;\n"
                        "        for (v15 = 0; v15 < n; v15 += 64) {\n"
                        "            t0 = (v15 + (0 .. 64));\n"
                        "            t1 = (t0 < n) ? x[((v11 * n) + t0)] : 0.000000e+00;\n"
                        "            v16 = (v16 + t1);\n"
                        "        }\n"
                        "        v29 = v16;\n"
                        "        out[v11] = reduce(+, axis 0, (v29));\n"
                        "    }\n"
                        "}\n");
    buf_release(&out);
    kernel_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_generic_form),       cmocka_unit_test(reads_comments),
        cmocka_unit_test(takes_launches_and_facts), cmocka_unit_test(refuses_malformed_text),
        cmocka_unit_test(names_what_it_refuses),    cmocka_unit_test(prints_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
