// SPDX-License-Identifier: Apache-2.0
// Attributes that say nothing about values: the operation is a term, and they are printed
// where it stays.
#include "tests/unit/support/io_text.h"

#include "tensor/program/region.h"

struct kept {
    const char *body, *type;
    enum op op;
    const char *text; // in the output
};

#define K "{mhlo.sharding = \"s\"}"

static const struct kept kepts[] = {
    {"%r = stablehlo.abs %x " K " : " T, T, OP_ABS, "stablehlo.abs %x " K " : " T},
    {"%r = \"stablehlo.abs\"(%x) " K " : (" T ") -> " T, T, OP_ABS, "abs %x " K " : " T},
    {"%r = \"stablehlo.abs\"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = "
     "#stablehlo.result_accuracy_mode<DEFAULT>>}> {xla_shape = \"q\", a.b} : (" T ") -> " T,
     T, OP_ABS, "abs %x {xla_shape = \"q\", a.b} : " T},
    {"%r = stablehlo.constant " K " dense<1.0> : " T, T, OP_CONSTANT,
     "stablehlo.constant " K " dense<1.000000e+00> : " T},
    {"%r = stablehlo.iota dim = 0 " K " : " I, I, OP_IOTA, "iota dim = 0 " K " : " I},
    {"%r = stablehlo.compare LT, %x, %x, FLOAT " K " : (" T ", " T ") -> " P, P, OP_COMPARE,
     "FLOAT " K " : ("},
    {"%r = stablehlo.select %p, %x, %x " K " : " P ", " T, T, OP_SELECT,
     "select %p, %x, %x " K " : " P ", " T},
    {"%r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] " K " : (" T
     ", " F ") -> tensor<3xf32>",
     "tensor<3xf32>", OP_REDUCE, "dimensions = [0] " K " : ("},
    {"%r = stablehlo.transpose %x, dims = [1, 0] {result_layout = dense<[0, 1]> : "
     "tensor<2xindex>} : (" T ") -> tensor<3x2xf32>",
     "tensor<3x2xf32>", OP_TRANSPOSE, "{result_layout = dense<[0, 1]> : tensor<2xindex>} : ("},
    {"%r = stablehlo.abs %x {name = \"abs.4\"} : " T, T, OP_ABS, "abs %x {name = \"abs.4\"} : " T},
    {"%r = chlo.erf %x " K " : " T " -> " T, T, OP_ERF, "chlo.erf %x " K " : " T " -> " T},
    {"%r = \"stablehlo.reduce_window\"(%x, %s) <{window_dimensions = array<i64: 1, 1>}> ({\n"
     "^bb0(%a: " F ", %c: " F "):\n  %d = stablehlo.add %a, %c : " F "\n"
     "  stablehlo.return %d : " F "\n}) " K " : (" T ", " F ") -> " T,
     T, OP_REDUCE_WINDOW, "}) " K " : ("},
    {"%k = stablehlo.constant dense<1.0> : tensor<1x3x1xf32>\n"
     "%m = stablehlo.reshape %x : (" T ") -> tensor<2x1x3xf32>\n"
     "%r = stablehlo.convolution(%m, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
     "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, a.b = 1 : i32} : "
     "(tensor<2x1x3xf32>, tensor<1x3x1xf32>) -> tensor<2x1x1xf32>",
     "tensor<2x1x1xf32>", OP_CONVOLUTION, "feature_group_count = 1 : i64, a.b = 1 : i32} : ("},
    // What says more than a term holds.
    {"%r = stablehlo.abs %x {foo = 1 : i32} : " T, T, OP_OPAQUE, "{foo = 1 : i32}"},
    {"%r = \"stablehlo.abs\"(%x) {a.b, foo} : (" T ") -> " T, T, OP_OPAQUE, "{a.b, foo}"},
};

static void test_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kepts / sizeof *kepts; k++) {
        struct file file;
        read_body(&file, kepts[k].body, kepts[k].type);
        assert_int_equal(result_op(&file, 0, 0), kepts[k].op);
        expect_text(&file, kepts[k].text);
        release(&file);
    }
}

// Equal operations are one term, with the attributes of the first.
static void test_merged(void **state)
{
    (void)state;
    struct file file;
    read_body(&file,
              "%0 = stablehlo.abs %x : " T "\n%1 = stablehlo.abs %x {a.b = 1 : i32} : " T "\n"
              "%2 = stablehlo.abs %x {a.b = 2 : i32} : " T "\n"
              "%3 = stablehlo.add %0, %1 : " T "\n%r = stablehlo.add %3, %2 : " T,
              T);
    assert_int_equal(function_size(&file.program, &file.program.functions.at[0]), 3);
    expect_text(&file, "%0 = stablehlo.abs %x {a.b = 1 : i32} : " T);
    release(&file);
}

// Names that the caller gave make an operation opaque, with a side effect; other attributes do not.
static void test_pinned(void **state)
{
    (void)state;
    static const char text[] = "func.func @f(%x: " F ") -> (" F ", " F ") {\n"
                               "  %0 = stablehlo.abs %x {a.b = 1 : i32} : " F "\n"
                               "  %1 = stablehlo.abs %x {a.bc = 1 : i32} : " F "\n"
                               "  return %0, %1 : " F ", " F "\n}\n";
    struct pool pool;
    struct program program;
    struct err err = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    program.pinned = sym_make(&pool, "q.r,a.b");
    assert_true(program_text_read(text, sizeof text - 1, "t.mlir", &program, &err));
    const struct result *results = program.functions.at[0].results.at;
    assert_int_equal(term_op(&program.terms, results[0].term), OP_OPAQUE);
    assert_int_equal(term_op(&program.terms, results[1].term), OP_ABS);
    assert_int_equal(term_serial(&program.terms, results[0].term), 1);
    assert_true(program_is_pinned(&program, results[0].term));
    assert_false(program_is_pinned(&program, results[1].term));
    assert_int_equal(program.functions.at[0].effects.len, 1);
    assert_string_equal(program_kept(&program, results[0].term), "");
    assert_string_equal(program_kept(&program, results[1].term), "{a.bc = 1 : i32}");
    program_release(&program);
    pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
