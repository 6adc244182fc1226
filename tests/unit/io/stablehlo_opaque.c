// SPDX-License-Identifier: Apache-2.0
// Operators that the reader does not know: opaque ones, regions, effects, dialects, aliases.
#include "tests/unit/support/io_text.h"

// --- opaque ----------------------------------------------------------------

struct opaque {
    const char *type, *body, *out;
};

static const struct opaque opaques[] = {
    {T, "%r = chlo.erfc %x : " T " -> " T, "%0 = chlo.erfc %x : " T " -> " T},
    {T, "%r = stablehlo.add %x, %y {mhlo.sharding = \"{replicated}\"} : " T,
     "%0 = stablehlo.add %x, %y {mhlo.sharding = \"{replicated}\"} : " T},
    {T,
     "%r = stablehlo.exponential %x {result_accuracy = "
     "#stablehlo.result_accuracy<mode = "
     "#stablehlo.result_accuracy_mode<HIGHEST>>} : " T,
     "result_accuracy_mode<HIGHEST>>} : " T},
    {"tensor<2xf32>",
     "%r = stablehlo.constant {note = \"%{0} \\\" %{.1}\"} "
     "dense<[0.0, 0x7FC00000]> : tensor<2xf32>",
     "%0 = stablehlo.constant {note = \"%{0} \\\" %{.1}\"} dense<[0.0, "
     "0x7FC00000]> : tensor<2xf32>"},
    {"tensor<2xcomplex<f32>>", "%r = stablehlo.add %z, %z : tensor<2xcomplex<f32>>",
     "%0 = stablehlo.add %z, %z : tensor<2xcomplex<f32>>"},
    {"tensor<complex<f64>>", "%r = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>",
     "%0 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>"},
    {"tensor<?xf32>",
     "%r = stablehlo.custom_call @d(%x) {has_side_effect = false} : (" T ") -> tensor<?xf32>",
     "%0 = stablehlo.custom_call @d(%x) {has_side_effect = false} : (" T ") -> tensor<?xf32>"},
    {"tuple<" T ", " F ">", "%r = stablehlo.tuple %x, %s : tuple<" T "," F ">",
     "%0 = stablehlo.tuple %x, %s : tuple<" T "," F ">"},
    {"tensor<f64>",
     "%c = stablehlo.constant dense<0.0> : tensor<f64>\n"
     "%r = stablehlo.reduce(%x init: %c) applies stablehlo.add across "
     "dimensions = [0, 1] : (" T ", tensor<f64>) -> tensor<f64>",
     "stablehlo.reduce(%x init: %cst) applies stablehlo.add"},
    {P,
     "%k = stablehlo.constant dense<true> : tensor<i1>\n"
     "%m = stablehlo.reduce(%p init: %k) applies stablehlo.xor across "
     "dimensions = [] : (" P ", tensor<i1>) -> " P "\n%r = stablehlo.not %m : " P,
     "applies stablehlo.xor across"},
    {"tensor<2xf32>",
     "%r = stablehlo.reduce(%x init: %s) across dimensions = [1] : (" T ", " F
     ") -> tensor<2xf32>\n reducer(%l: " F ", %q: " F ") {\n"
     "%t = stablehlo.add %l, %l : " F "\nstablehlo.return %t : " F "\n}",
     "  %0 = stablehlo.reduce(%x init: %s) across dimensions = [1] : (" T ", " F
     ") -> tensor<2xf32> reducer(%1: " F ", %2: " F ") {\n    %3 = "
     "stablehlo.add %1, %1 : " F "\n    stablehlo.return %3 : " F "\n  }\n"},
    // A region may be of wider types than the operands.
    {"tensor<f64>",
     "%r = stablehlo.reduce(%x init: %s) across dimensions = [0, 1] : (" T ", " F
     ") -> tensor<f64>\n reducer(%l: tensor<f64>, %q: tensor<f64>) {\n"
     "%t = stablehlo.subtract %l, %q : tensor<f64>\nstablehlo.return %t : tensor<f64>\n}",
     "stablehlo.subtract %1, %2 : tensor<f64>"},
};

static void test_opaque(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof opaques / sizeof *opaques; k++) {
        struct file file;
        read_body(&file, opaques[k].body, opaques[k].type);
        expect_text(&file, opaques[k].out);
        assert_int_equal(file.program.functions.at[0].effects.len, 0);
        release(&file);
    }
}

// Captured values are arguments, names of regions are made anew.
static void test_regions(void **state)
{
    (void)state;
    struct file file;
    read_body(&file,
              "%k = stablehlo.constant dense<1> : tensor<i32>\n"
              "%w:2 = stablehlo.while(%it = %k, %acc = %x) : tensor<i32>, " T "\n cond {\n"
              " %n = stablehlo.constant dense<10> : tensor<i32>\n"
              " %t = stablehlo.compare LT, %it, %n : (tensor<i32>, "
              "tensor<i32>) -> tensor<i1>\n"
              " stablehlo.return %t : tensor<i1>\n} do {\n"
              " %t = stablehlo.add %it, %k : tensor<i32> // comment\n"
              " %q:2 = stablehlo.custom_call @touch(%acc, %y) : (" T ", " T ") -> (" T ", " T
              ")\n %t2 = stablehlo.add %q#0, %q#1 : " T "\n"
              " stablehlo.return %t, %t2 : tensor<i32>, " T "\n}\n"
              "%t = stablehlo.abs %w#1 : " T "\n"
              "%a, %r = \"stablehlo.sort\"(%t, %x) <{dimension = 0 : i64}> "
              "({\n^bb0(%1: " F ", %2: " F ", %3: " F ", %4: " F "):\n"
              "%5 = stablehlo.compare LT, %1, %s : (" F ", " F
              ") -> tensor<i1>\nstablehlo.return %5 : tensor<i1>\n}) : (" T ", " T ") -> (" T ", " T
              ")",
              T);
    expect_text(&file, "%0:2 = stablehlo.while(%1 = %c, %2 = %x) : tensor<i32>, " T
                       " cond {\n    %c_0 = stablehlo.constant dense<10>");
    expect_text(&file, "%4:2 = stablehlo.custom_call @touch(%2, %y) : (" T);
    expect_text(&file, "%6 = stablehlo.add %4#0, %4#1 : " T "\n    "
                       "stablehlo.return %5, %6 : tensor<i32>, " T "\n  }\n");
    expect_text(&file, "%7 = stablehlo.abs %0#1 : " T);
    expect_text(&file, "  %8:2 = \"stablehlo.sort\"(%7, %x) <{dimension = 0 : "
                       "i64}> ({\n  ^bb0(%9: " F ", %10: " F ", %11: " F ", %12: " F
                       "):\n    %13 = stablehlo.compare  LT, %9, %s");
    expect_text(&file, "return %8#1 : " T);
    // The custom call makes the loop an effect; the sort is none.
    assert_int_equal(file.program.functions.at[0].effects.len, 1);
    term_id loop = file.program.functions.at[0].effects.at[0];
    // Two operands; what the condition, and what the body returns; the barrier.
    assert_int_equal(term_at(&file.program.terms, loop)->n_args, 2 + 1 + 2 + 1);
    release(&file);
}

// The same text twice: pure operations are one node, others stay two.
static void test_sharing(void **state)
{
    (void)state;
    struct file file;
    read_body(
        &file,
        "%0 = \"stablehlo.if\"(%b) ({\n%t = stablehlo.abs %x : " T "\nstablehlo.return %t : " T
        "\n}, {\nstablehlo.return %y : " T "\n}) : (tensor<i1>) -> " T "\n"
        "%1 = \"stablehlo.if\"(%b) ({\n%q = stablehlo.abs %x : " T "\nstablehlo.return %q : " T
        "\n}, {\nstablehlo.return %y : " T "\n}) : (tensor<i1>) -> " T "\n"
        "%2 = stablehlo.custom_call @g(%x) : (" T ") -> " T "\n"
        "%3 = stablehlo.custom_call @g(%x) : (" T ") -> " T "\n"
        "%r = \"a.b\"(%0, %1, %2, %3) : (" T ", " T ", " T ", " T ") -> " T,
        T);
    const struct function *function = &file.program.functions.at[0];
    assert_int_equal(function->effects.len, 3);
    const term_id *args = term_args(&file.program.terms, function->effects.at[2]);
    assert_int_equal(args[0].v, args[1].v);
    assert_int_not_equal(args[2].v, args[3].v);
    release(&file);
}

static void test_effects(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "func.func @main(%x: tensor<f32>) {\n"
                     "%0 = call @pure(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "call @late(%x) : (tensor<f32>) -> ()\n"
                     "stablehlo.custom_call @a(%0) : (tensor<f32>) -> ()\n"
                     "stablehlo.custom_call @b() {has_side_effect = false} : () -> "
                     "()\n"
                     "%1 = func.call @loop(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "%2 = call @out(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "%3 = stablehlo.composite \"c\" %x {composite_attributes = "
                     "{decomposition = @out}, decomposition = @pure} : (tensor<f32>) "
                     "-> tensor<f32>\n"
                     "%4 = stablehlo.composite \"c\" %x {decomposition = @loop} : "
                     "(tensor<f32>) -> tensor<f32>\n"
                     "%5 = stablehlo.rng %x, %x, distribution = UNIFORM : "
                     "(tensor<f32>, tensor<f32>) -> tensor<f32>\n"
                     "return\n}\n"
                     "func.func private @late(%x: tensor<f32>) {\n"
                     "%0 = call @pure(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "stablehlo.custom_call @a(%0) : (tensor<f32>) -> ()\nreturn\n}\n"
                     "func.func private @pure(%x: tensor<f32>) -> tensor<f32> {\n"
                     "%0 = call @inner(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "return %0 : tensor<f32>\n}\n"
                     "func.func private @inner(%x: tensor<f32>) -> tensor<f32> {\n"
                     "return %x : tensor<f32>\n}\n"
                     "func.func private @loop(%x: tensor<f32>) -> tensor<f32> {\n"
                     "%0 = call @loop(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "return %0 : tensor<f32>\n}\n"
                     "func.func private @out(tensor<f32>) -> tensor<f32>\n");
    static const char *const order[] = {"call @late", "custom_call @a",        "call @loop",
                                        "call @out",  "decomposition = @loop", "stablehlo.rng"};
    const char *text = strstr(buf_text(&file.text), "@main");
    assert_int_equal(file.program.functions.at[0].effects.len, 6);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        text = strstr(text, order[k]);
        assert_non_null(text);
    }
    expect_no_text(&file, "custom_call @b");
    expect_no_text(&file, "decomposition = @pure");
    assert_int_equal(file.program.functions.len, 6);
    assert_true(file.program.functions.at[5].declaration);
    release(&file);
}

// Other dialects: what is pure is dropped when unused, the rest stays.
static void test_dialects(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "module @m {\n  sdy.mesh @mesh = <[\"x\"=2]>\n"
                     "  func.func @f(%x: tensor<8xf32> {sdy.sharding = "
                     "#sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<8xf32> {\n"
                     "%0 = sdy.sharding_constraint %x <@mesh, [{\"x\"}]> : "
                     "tensor<8xf32>\n"
                     "%1 = sdy.manual_computation(%0) in_shardings=[<@mesh, "
                     "[{\"x\"}]>] out_shardings=[<@mesh, [{\"x\"}]>] "
                     "manual_axes={\"x\"} (%a: tensor<4xf32>) {\n"
                     "%2 = stablehlo.add %a, %a : tensor<4xf32>\n"
                     "sdy.return %2 : tensor<4xf32>\n"
                     "} : (tensor<8xf32>) -> tensor<8xf32>\n"
                     "%k:2 = chlo.top_k(%1, k = 2) : tensor<8xf32> -> "
                     "(tensor<2xf32>, tensor<2xi32>)\n"
                     "%t = stablehlo.create_token : !stablehlo.token\n"
                     "%u = stablehlo.after_all %t, %t : !stablehlo.token\n"
                     "%i:2 = \"stablehlo.infeed\"(%u) : (!stablehlo.token) -> "
                     "(tensor<8xf32>, !stablehlo.token)\n"
                     "foo.bar\n  %i#0, %u\nfoo.baz 1, 2 : i32 -> i32 {a = 1}\n"
                     "%4 = \"foo.while\"() ({\n}, {\n^bb0:\n\"foo.br\"()[^bb1] : () "
                     "-> ()\n^bb1:\nfoo.end\n}) : () -> tensor<8xf32>\n"
                     "return %4 : tensor<8xf32>\n}\n}\n");
    expect_text(&file, "manual_axes={\"x\"} (%2: tensor<4xf32>) {\n      %3 = "
                       "stablehlo.add %2, %2 : tensor<4xf32>\n      sdy.return "
                       "%3 : tensor<4xf32>\n    } : (tensor<8xf32>)");
    expect_text(&file, "%4 = stablehlo.create_token : !stablehlo.token\n    %5 = "
                       "stablehlo.after_all %4, %4 : !stablehlo.token\n    %6:2 "
                       "= \"stablehlo.infeed\"(%5)");
    expect_text(&file, "\n    foo.bar %6#0, %5\n    %7 = foo.baz 1, 2 : i32 -> "
                       "i32 {a = 1}\n");
    expect_text(&file, "%8 = \"foo.while\"() ({\n    }, {\n    ^bb0:\n      "
                       "\"foo.br\"()[^bb1] : () -> ()\n    ^bb1:\n      "
                       "foo.end\n    }) : () -> tensor<8xf32>\n");
    expect_no_text(&file, "top_k");
    assert_int_equal(file.program.functions.at[0].effects.len, 6);
    release(&file);
}

// An alias is as good as its text, wherever it stands.
static void test_aliases(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "#n = 1\n#p = array<i64: 1, 0>\n#lt = #stablehlo<"
                     "comparison_direction LT>\n#c = #d\n!e = f32\n"
                     "module attributes {a = #n, b = [#n,#n], c = x<y#n>} {\n"
                     "func.func @f(%x: tensor<2x3x!e>) -> (!u, tensor<3x2xi1>, "
                     "!z) {\n"
                     "%0 = \"stablehlo.transpose\"(%x) {permutation = #p} : "
                     "(tensor<2x3xf32>) -> !u\n"
                     "%1 = \"stablehlo.compare\"(%0, %0) {comparison_direction = "
                     "#lt} : (!u, !u) -> tensor<3x2xi1>\n"
                     "%2 = stablehlo.constant #c\n"
                     "return %0, %1, %2 : !u, tensor<3x2xi1>, !z\n}\n}\n"
                     "!u = tensor<3x2x!e>\n!z = tensor<complex<!e>>\n"
                     "#d = dense<(1.0, 2.0)> : !z\n");
    expect_text(&file, "module attributes {a = 1, b = [1,1], c = x<y 1>} {");
    expect_text(&file, "@f(%x: tensor<2x3xf32>)");
    expect_text(&file, "stablehlo.transpose %x, dims = [1, 0] : "
                       "(tensor<2x3xf32>) -> tensor<3x2xf32>");
    expect_text(&file, "stablehlo.compare  LT, %0, %0,  FLOAT");
    expect_text(&file, "stablehlo.constant dense<(1.0, 2.0)> : "
                       "tensor<complex<f32>>");
    release(&file);
}

// Constants whose elements are carried as text, as MLIR reads them.
static void test_carried(void **state)
{
    static const char *const constants[][2] = {
        {"(1.0, -2.0)", "tensor<2xcomplex<f32>>"},
        {"[(0x7FC00000, 2.0), (1.0, -2.5e3)]", "tensor<2xcomplex<f32>>"},
        {"[[(1, -2), (0x10, 3)]]", "tensor<1x2xcomplex<i32>>"},
        {"(true, false)", "tensor<2xcomplex<i1>>"},
        {"\"0x0000803F00000040\"", "tensor<2xcomplex<f32>>"},
        {"\"0x0000803F000000400000803F00000040\"", "tensor<2xcomplex<f32>>"},
        {"1.0", "tensor<0xcomplex<f32>>"},
        {"", "tensor<0xcomplex<f32>>"},
        {"[[], []]", "tensor<2x0xf8E4M3FN>"},
        {"[0x3C, -1.0]", "tensor<2xf8E4M3FN>"},
        {"\"0x3C\"", "tensor<2xf8E8M0FNU>"},
        {"\"0x3C3D\"", "tensor<2xf6E2M3FN>"},
        {"[1.0, 2.0]", "tensor<2xtf32>"},
        {"-1.0", "tensor<f4E2M1FN>"},
        {"0x3C", "tensor<2xf80>"},
        {"[1, -2]", "tensor<2xi3>"},
        {"340282366920938463463374607431768211455", "tensor<2xi128>"},
        {"\"0x01000000000000000200000000000000\"", "tensor<2xi128>"},
        {"[-5, 0xFF]", "tensor<2xindex>"},
        {"[1.0, 2.0]", "tensor<2xf32, #stablehlo.bounds<?>>"},
        {"(1.0, 2.0)", "tensor<2xf8E4M3FN>"},
        {"[\"foo\", \"bar\"]", "tensor<2x!tf.string>"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        struct file file;
        struct buf text = {0};
        buf_printf(&text, "stablehlo.constant dense<%s> : %s", constants[k][0], constants[k][1]);
        struct buf body = {0};
        buf_printf(&body, "%%r = %s", buf_text(&text));
        read_body(&file, buf_text(&body), constants[k][1]);
        expect_text(&file, buf_text(&text));
        buf_release(&text);
        buf_release(&body);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opaque),   cmocka_unit_test(test_regions),
        cmocka_unit_test(test_sharing),  cmocka_unit_test(test_effects),
        cmocka_unit_test(test_dialects), cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_carried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
