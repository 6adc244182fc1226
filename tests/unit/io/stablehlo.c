// SPDX-License-Identifier: Apache-2.0
// StableHLO text is read and written again without loss.
#include "tests/unit/support/io_text.h"

// --- constants -------------------------------------------------------------

struct constant {
    const char *in, *type, *out;
};

static const struct constant constants[] = {
    {"dense<1.5>", "tensor<2x3xf32>", "dense<1.500000e+00>"},
    {"dense<1.5>", "tensor<f32>", "dense<1.500000e+00>"},
    {"dense<-0.0>", "tensor<f32>", "dense<-0.000000e+00>"},
    {"dense<1.e5>", "tensor<f64>", "dense<1.000000e+05>"},
    {"dense<0.1>", "tensor<f64>", "dense<1.000000e-01>"},
    {"dense<0.333333343>", "tensor<f32>", "dense<3.3333334e-01>"},
    {"dense<0.33333333333333331>", "tensor<f64>", "dense<3.333333333333333e-01>"},
    {"dense<1.0e-45>", "tensor<f32>", "dense<1.401298e-45>"},
    {"dense<1.0e999>", "tensor<f32>", "dense<0x7F800000>"},
    {"dense<[[1, -2], [3, 4]]>", "tensor<2x2xi32>", "dense<[[1, -2], [3, 4]]>"},
    {"dense<[[7, 7], [7, 7]]>", "tensor<2x2xi32>", "dense<7>"},
    {"dense<>", "tensor<0x4xf32>", "dense<>"},
    {"dense<2.0>", "tensor<0x4xf32>", "dense<>"},
    {"dense<[]>", "tensor<0xf32>", "dense<>"},
    {"dense<[[], []]>", "tensor<2x0xi8>", "dense<>"},
    {"dense<true>", "tensor<4xi1>", "dense<true>"},
    {"dense<[true, false]>", "tensor<2xi1>", "dense<[true, false]>"},
    {"dense<1>", "tensor<4xi1>", "dense<true>"},
    {"dense<[0, 1]>", "tensor<2xi1>", "dense<[false, true]>"},
    {"dense<0xFF800000>", "tensor<f32>", "dense<0xFF800000>"},
    {"dense<[0.0, 0x7FC00000]>", "tensor<2xf32>", "dense<[0.000000e+00, 0x7FC00000]>"},
    {"dense<0x3F800000>", "tensor<f32>", "dense<1.000000e+00>"},
    {"dense<0x7FF0000000000001>", "tensor<f64>", "dense<0x7FF0000000000001>"},
    {"dense<0x7C01>", "tensor<f16>", "dense<0x7C01>"},
    {"dense<1.0>", "tensor<bf16>", "dense<1.000000e+00>"},
    {"dense<0xFF80>", "tensor<bf16>", "dense<0xFF80>"},
    {"dense<\"0x0000803F00000040\">", "tensor<2xf32>", "dense<[1.000000e+00, 2.000000e+00]>"},
    {"dense<\"0x0000803F\">", "tensor<5xf32>", "dense<1.000000e+00>"},
    {"dense<\"0xFEFF\">", "tensor<3xi16>", "dense<-2>"},
    {"dense<\"0xFF\">", "tensor<9xi1>", "dense<true>"},
    {"dense<\"0x00\">", "tensor<3xi1>", "dense<false>"},
    {"dense<\"0x01\">", "tensor<9xi1>", "dense<true>"},
    {"dense<\"0x010001\">", "tensor<3xi1>", "dense<[true, false, true]>"},
    {"dense<\"0x0102\">", "tensor<9xi1>",
     "dense<[true, false, false, false, false, false, false, false, false]>"},
    {"dense<\"0x0F01\">", "tensor<2xi4>", "dense<[-1, 1]>"},
    {"dense<\"0x0F01\">", "tensor<2xui4>", "dense<[15, 1]>"},
    {"dense<255>", "tensor<i8>", "dense<-1>"},
    {"dense<-128>", "tensor<i8>", "dense<-128>"},
    {"dense<0x1F>", "tensor<i32>", "dense<31>"},
    {"dense<3>", "tensor<i2>", "dense<-1>"},
    {"dense<18446744073709551615>", "tensor<ui64>", "dense<18446744073709551615>"},
    {"dense<-9223372036854775808>", "tensor<i64>", "dense<-9223372036854775808>"},
    {"dense<0.0>", "tensor<1000000000x1000000xf32>", "dense<0.000000e+00>"},
};

static void test_constants(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        const struct constant *constant = &constants[k];
        struct buf buf = {0};
        struct file file;
        buf_printf(&buf,
                   "!t = %s\n#d = %s : !t\nfunc.func @f() -> (!t, %s, !t, "
                   "!t) {\n"
                   "%%0 = stablehlo.constant %s : %s loc(unknown)\n"
                   "%%1 = \"stablehlo.constant\"() <{value = %s : %s}> : () "
                   "-> %s\n"
                   "%%2 = \"stablehlo.constant\"() {value = #d} : () -> !t\n"
                   "%%3 = stablehlo.constant() {value = #d} : () -> !t\n"
                   "return %%0, %%1, %%2, %%3 : !t, !t, !t, %s\n}\n",
                   constant->type, constant->in, constant->type, constant->in, constant->type,
                   constant->in, constant->type, constant->type, constant->type);
        read_good(&file, buf_text(&buf));
        for (uint32_t r = 0; r < 4; r++) {
            assert_int_equal(result_op(&file, 0, r), OP_CONSTANT);
            assert_int_equal(result_of(&file, 0, r).v, result_of(&file, 0, 0).v);
        }
        buf_clear(&buf);
        buf_printf(&buf, "stablehlo.constant %s : %s\n", constant->out, constant->type);
        expect_text(&file, buf_text(&buf));
        buf_release(&buf);
        release(&file);
    }
}

static void test_long_constant(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct file file;
    buf_puts(&buf, "func.func @f() -> tensor<65xui16> {\n%0 = "
                   "stablehlo.constant dense<[");
    for (int k = 0; k < 65; k++)
        buf_printf(&buf, "%s%d", k ? ", " : "", k * 1000 % 65536);
    buf_puts(&buf, "]> : tensor<65xui16>\nreturn %0 : tensor<65xui16>\n}\n");
    read_good(&file, buf_text(&buf));
    expect_text(&file, "dense<\"0x0000E803D007");
    lit_id literal = term_literal(&file.program.terms, result_of(&file, 0, 0));
    for (uint64_t k = 0; k < 65; k++)
        assert_int_equal(literal_get(&file.pool, literal, k).bits, k * 1000 % 65536);
    buf_release(&buf);
    release(&file);
}

static void test_resources(void **state)
{
    (void)state;
    static const char text[] =
        "func.func @f(%x: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, "
        "tensor<i1>) {\n"
        "%0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
        "%1 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>\n"
        "%2 = \"a.b\"() {w = dense_resource<w> : tensor<2xf32>} : () -> "
        "tensor<i1>\n"
        "return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<i1>\n}\n"
        "{-# dialect_resources: { builtin: { w: "
        "\"0x040000000000803F00000040\" } } #-}\n";
    struct file file;
    read_good(&file, text);
    assert_int_equal(result_op(&file, 0, 0), OP_CONSTANT);
    assert_int_equal(result_op(&file, 0, 1), OP_OPAQUE);
    expect_text(&file, "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>");
    expect_text(&file, "stablehlo.constant dense_resource<__elided__>");
    expect_text(&file, "{-# dialect_resources: { builtin: { w: \"0x0400");
    release(&file);
}

// --- operators -------------------------------------------------------------

struct operator_case {
    enum op op;
    const char *type, *pretty, *generic, *out;
};

static const struct operator_case operators[] = {
    {OP_ADD, T, "stablehlo.add %x, %y : " T, "\"stablehlo.add\"(%x, %y) : (" T ", " T ") -> " T,
     "stablehlo.add %x, %y : " T},
    {OP_ADD, T, "stablehlo.add %x, %y : (" T ", " T ") -> " T,
     "\"stablehlo.add\"(%x, %y) {} : (" T ", " T ") -> (" T ")", "stablehlo.add %x, %y : " T},
    {OP_EXPONENTIAL, T,
     "stablehlo.exponential %x {result_accuracy = "
     "#stablehlo.result_accuracy<mode = "
     "#stablehlo.result_accuracy_mode<DEFAULT>>} : " T,
     "\"stablehlo.exponential\"(%x) : (" T ") -> " T, "stablehlo.exponential %x : " T},
    {OP_CONVERT, T, "stablehlo.convert %i : (" I ") -> " T,
     "\"stablehlo.convert\"(%i) : (" I ") -> " T, "stablehlo.convert %i : (" I ") -> " T},
    {OP_CONVERT, T, "stablehlo.convert %x : " T, "\"stablehlo.convert\"(%x) : (" T ") -> " T,
     "stablehlo.convert %x : " T},
    {OP_IS_FINITE, P, "stablehlo.is_finite %x : (" T ") -> " P,
     "\"stablehlo.is_finite\"(%x) : (" T ") -> " P, "stablehlo.is_finite %x : (" T ") -> " P},
    {OP_COMPARE, P, "stablehlo.compare LT, %x, %y : (" T ", " T ") -> " P,
     "\"stablehlo.compare\"(%x, %y) <{compare_type = #stablehlo<"
     "comparison_type FLOAT>, comparison_direction = #stablehlo<"
     "comparison_direction LT>}> : (" T ", " T ") -> " P,
     "stablehlo.compare  LT, %x, %y,  FLOAT : (" T ", " T ") -> " P},
    {OP_COMPARE, P, "stablehlo.compare  GE, %x, %y,  TOTALORDER : (" T ", " T ") -> " P,
     "\"stablehlo.compare\"(%x, %y) <{compare_type = #stablehlo<"
     "comparison_type TOTALORDER>, comparison_direction = #stablehlo<"
     "comparison_direction GE>}> : (" T ", " T ") -> " P,
     "stablehlo.compare  GE, %x, %y,  TOTALORDER : (" T ", " T ") -> " P},
    {OP_COMPARE, P, "stablehlo.compare EQ, %u, %u : (" U ", " U ") -> " P,
     "\"stablehlo.compare\"(%u, %u) <{comparison_direction = #stablehlo<"
     "comparison_direction EQ>}> : (" U ", " U ") -> " P,
     "stablehlo.compare  EQ, %u, %u,  UNSIGNED : (" U ", " U ") -> " P},
    {OP_SELECT, T, "stablehlo.select %p, %x, %y : " P ", " T,
     "\"stablehlo.select\"(%p, %x, %y) : (" P ", " T ", " T ") -> " T,
     "stablehlo.select %p, %x, %y : " P ", " T},
    {OP_SELECT, T, "stablehlo.select %b, %x, %y : (tensor<i1>, " T ", " T ") -> " T,
     "\"stablehlo.select\"(%b, %x, %y) : (tensor<i1>, " T ", " T ") -> " T,
     "stablehlo.select %b, %x, %y : tensor<i1>, " T},
    {OP_CLAMP, T, "stablehlo.clamp %x, %y, %x : " T,
     "\"stablehlo.clamp\"(%x, %y, %x) : (" T ", " T ", " T ") -> " T,
     "stablehlo.clamp %x, %y, %x : " T},
    {OP_CLAMP, T, "stablehlo.clamp %s, %y, %s : (" F ", " T ", " F ") -> " T,
     "\"stablehlo.clamp\"(%s, %y, %s) : (" F ", " T ", " F ") -> " T,
     "stablehlo.clamp %s, %y, %s : (" F ", " T ", " F ") -> " T},
    {OP_TRANSPOSE, "tensor<3x2xf32>",
     "stablehlo.transpose %x, dims=[1,0] : (" T ") -> tensor<3x2xf32>",
     "\"stablehlo.transpose\"(%x) <{permutation = array<i64: 1, 0>}> : (" T ") -> tensor<3x2xf32>",
     "stablehlo.transpose %x, dims = [1, 0] : (" T ") -> tensor<3x2xf32>"},
    {OP_BROADCAST_IN_DIM, T, "stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> " T,
     "\"stablehlo.broadcast_in_dim\"(%v) <{broadcast_dimensions = array<i64: "
     "1>}> : (tensor<3xf32>) -> " T,
     "stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> " T},
    {OP_BROADCAST_IN_DIM, T, "stablehlo.broadcast_in_dim %s, dims = [] : (" F ") -> " T,
     "\"stablehlo.broadcast_in_dim\"(%s) {broadcast_dimensions = "
     "array<i64>} : (" F ") -> " T,
     "stablehlo.broadcast_in_dim %s, dims = [] : (" F ") -> " T},
    {OP_REVERSE, T, "stablehlo.reverse %x, dims = [1, 0] : " T,
     "\"stablehlo.reverse\"(%x) <{dimensions = array<i64: 0, 1>}> : (" T ") -> " T,
     "stablehlo.reverse %x, dims = [0, 1] : " T},
    {OP_SLICE, "tensor<1x2xf32>", "stablehlo.slice %x[1:2, 0:3:2] : (" T ") -> tensor<1x2xf32>",
     "\"stablehlo.slice\"(%x) <{limit_indices = array<i64: 2, 3>, "
     "start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (" T ") -> tensor<1x2xf32>",
     "stablehlo.slice %x [1:2, 0:3:2] : (" T ") -> tensor<1x2xf32>"},
    {OP_PAD, "tensor<3x6xf32>",
     "stablehlo.pad %x, %s, low = [0, -1], high = [1, 2], interior = [0, 1] "
     ": (" T ", " F ") -> tensor<3x6xf32>",
     "\"stablehlo.pad\"(%x, %s) <{edge_padding_high = array<i64: 1, 2>, "
     "edge_padding_low = array<i64: 0, -1>, interior_padding = array<i64: 0, "
     "1>}> : (" T ", " F ") -> tensor<3x6xf32>",
     "stablehlo.pad %x, %s, low = [0, -1], high = [1, 2], interior = [0, 1] "
     ": (" T ", " F ") -> tensor<3x6xf32>"},
    {OP_CONCATENATE, "tensor<6x3xf32>",
     "stablehlo.concatenate %x, %y, %x, dim = 0 : (" T ", " T ", " T ") -> tensor<6x3xf32>",
     "\"stablehlo.concatenate\"(%x, %y, %x) <{dimension = 0 : i64}> : (" T ", " T ", " T
     ") -> tensor<6x3xf32>",
     "stablehlo.concatenate %x, %y, %x, dim = 0 : (" T ", " T ", " T ") -> tensor<6x3xf32>"},
    {OP_IOTA, I, "stablehlo.iota dim = 1 : " I,
     "\"stablehlo.iota\"() <{iota_dimension = 1 : i64}> : () -> " I, "stablehlo.iota dim = 1 : " I},
    {OP_REDUCE, F,
     "stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = "
     "[1, 0] : (" T ", " F ") -> " F,
     "\"stablehlo.reduce\"(%x, %s) <{dimensions = array<i64: 0, 1>}> ({\n"
     "^bb0(%l: " F " loc(unknown), %q: " F "):\n"
     "%t = stablehlo.add %q, %l : " F " loc(#loc)\n"
     "stablehlo.return %t : " F "\n}) : (" T ", " F ") -> " F,
     "stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = "
     "[0, 1] : (" T ", " F ") -> " F},
    {OP_REDUCE, "tensor<2xf32>",
     "stablehlo.reduce(%x init: %s) across dimensions = [1] : (" T ", " F
     ") -> tensor<2xf32>\n reducer(%l: " F ", %q: " F ") {\n"
     "%t = \"stablehlo.maximum\"(%l, %q) : (" F ", " F ") -> " F "\nstablehlo.return %t : " F "\n}",
     "\"stablehlo.reduce\"(%x, %s) <{dimensions = array<i64: 1>}> ({\n"
     "^bb0(%l: " F ", %q: " F "):\n"
     "%t = \"stablehlo.maximum\"(%l, %q) : (" F ", " F ") -> " F "\n"
     "\"stablehlo.return\"(%t) : (" F ") -> ()\n}) : (" T ", " F ") -> tensor<2xf32>",
     "stablehlo.reduce(%x init: %s) applies stablehlo.maximum across "
     "dimensions = [1] : (" T ", " F ") -> tensor<2xf32>"},
};

static void test_operators(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        const struct operator_case *operator_case = &operators[k];
        struct buf buf = {0};
        struct file file;
        buf_printf(&buf,
                   "#loc = loc(\"a\")\n"
                   "func.func @f(%%x: " T ", %%y: " T ", %%p: " P ", %%i: " I ", %%s: " F
                   ", %%v: tensor<3xf32>, %%b: tensor<i1>, %%u: " U ") -> (%s, %s) {\n"
                   "%%r = %s loc(#loc)\n%%g = %s loc(\"f.py\":1:2 to :3)\n"
                   "return %%r, %%g : %s, %s\n}\n",
                   operator_case->type, operator_case->type, operator_case->pretty,
                   operator_case->generic, operator_case->type, operator_case->type);
        read_good(&file, buf_text(&buf));
        assert_int_equal(result_op(&file, 0, 0), operator_case->op);
        assert_int_equal(result_of(&file, 0, 0).v, result_of(&file, 0, 1).v);
        buf_clear(&buf);
        buf_printf(&buf, "  %%0 = %s\n  return %%0, %%0 :", operator_case->out);
        expect_text(&file, buf_text(&buf));
        buf_release(&buf);
        release(&file);
    }
}

// Every elementwise operator by its name, on a type that it takes.
static void test_elementwise(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPS; op++) {
        enum op_class kind = op_class((enum op)op);
        if (kind != OPC_UNARY && kind != OPC_BINARY)
            continue;
        unsigned kinds = op_kinds((enum op)op);
        const char *text = kinds & KIND_FLOAT ? "f32" : "i32";
        struct buf buf = {0};
        struct file file;
        const char *second = kind == OPC_BINARY ? ", %b" : "";
        const char *dialect = op_dialect((enum op)op);
        char type[64];
        bool arrow = strcmp(dialect, "chlo") == 0;
        snprintf(type, sizeof type, arrow ? "tensor<4x%s> -> tensor<4x%s>" : "tensor<4x%s>", text,
                 text);
        buf_printf(&buf,
                   "func.func @f(%%a: tensor<4x%s>, %%b: tensor<4x%s>) -> "
                   "tensor<4x%s> {\n%%0 = %s.%s %%a%s : %s\n"
                   "return %%0 : tensor<4x%s>\n}\n",
                   text, text, text, dialect, op_name((enum op)op), second, type, text);
        read_good(&file, buf_text(&buf));
        assert_int_equal(result_op(&file, 0, 0), op);
        buf_clear(&buf);
        buf_printf(&buf, "%%0 = %s.%s %%a%s : %s", dialect, op_name((enum op)op), second, type);
        expect_text(&file, buf_text(&buf));
        buf_release(&buf);
        release(&file);
    }
}

// --- modules ---------------------------------------------------------------

static void test_module(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "#a = \"late\"\n// -----------\nmodule @\"a b\" attributes {k = "
                     "#z, m.n = [#a, 1 : i32]} {\n"
                     "  sdy.mesh @mesh = <[\"x\"=2]>\n"
                     "  \"foo.bar\"() <{sym_name = \"q\"}> : () -> ()\n"
                     "  func.func public @main(%arg0: !t {jax.x = #a} loc(#l), %0: "
                     "tensor<f32>) -> (!t {r = unit}) attributes {no_inline} {\n"
                     "    // -----\n"
                     "    %1 = stablehlo.add %arg0, %arg0 : !t loc(#l)\n"
                     "    return %1 : !t loc(#l)\n  } loc(#l)\n} loc(#l)\n"
                     "#z = {deep = #a}\n!t = tensor<2xf32>\n#l = loc(\"x\"(#m))\n"
                     "#m = loc(fused[\"a\", \"b\"])\n");
    expect_text(&file, "module @\"a b\" attributes {k = {deep = \"late\"}, m.n = "
                       "[\"late\", 1 : i32]} {\n  sdy.mesh @mesh = <[\"x\"=2]>\n"
                       "  \"foo.bar\"() <{sym_name = \"q\"}> : () -> ()\n");
    // %0 is a parameter's name: the first value gets another.
    expect_text(&file, "func.func public @main(%arg0: tensor<2xf32> {jax.x = "
                       "\"late\"}, %0: tensor<f32>) -> (tensor<2xf32> {r = unit}) "
                       "attributes {no_inline} {\n    %1 = stablehlo.add");
    release(&file);
}

// Generic modules and functions are the same programs.
static void test_generic_module(void **state)
{
    (void)state;
    struct file file, y;
    read_good(&file, "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
                     "\"func.func\"() <{arg_attrs = [{a = 1 : i64}, {}], "
                     "function_type = (tensor<f32>, tensor<i32>) -> (tensor<f32>, "
                     "tensor<i32>), res_attrs = [{}, {b}], sym_name = \"f\", "
                     "sym_visibility = \"public\"}> ({\n^bb0(%x: tensor<f32>, %y: "
                     "tensor<i32>):\n\"func.return\"(%x, %y) : (tensor<f32>, "
                     "tensor<i32>) -> ()\n}) {z = 2 : i8} : () -> ()\n"
                     "\"func.func\"() <{function_type = () -> (), sym_name = "
                     "\"d\", sym_visibility = \"private\"}> ({\n}) : () -> ()\n"
                     "}) {k} : () -> ()\n");
    read_good(&y, "module @m attributes {k} {\nfunc.func public @f(%x: "
                  "tensor<f32> {a = 1 : i64}, %y: tensor<i32>) -> "
                  "(tensor<f32>, tensor<i32> {b}) attributes {z = 2 : i8} {\n"
                  "return %x, %y : tensor<f32>, tensor<i32>\n}\nfunc.func "
                  "private @d()\n}\n");
    assert_string_equal(buf_text(&file.text), buf_text(&y.text));
    assert_true(file.program.functions.at[1].declaration);
    release(&file);
    release(&y);
}
// --- files of the tree -----------------------------------------------------

static void read_path(const char *path)
{
    struct buf buf = {0};
    struct err err = {0};
    struct file file;
    if (!file_read(path, 1u << 26, &buf, &err))
        fail_msg("%s", err.msg);
    read_good(&file, buf_text(&buf));
    assert_true(file.program.functions.len > 0);
    release(&file);
    buf_release(&buf);
}

static void test_files(void **state)
{
    (void)state;
    static const char *const names[] = {
        "tests/programs/attention.mlir",
        "tests/programs/conv_stack.mlir",
        "tests/programs/decode.mlir",
        "tests/programs/image_pipeline.mlir",
        "tests/programs/image_pipeline_generic.mlir",
        "tests/programs/mlp.mlir",
        "tests/programs/mlp_locations.mlir",
        "tests/programs/signal.mlir",
        "tests/programs/stencil.mlir",
        "tests/programs/transformer.mlir",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        read_path(names[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),      cmocka_unit_test(test_long_constant),
        cmocka_unit_test(test_resources),      cmocka_unit_test(test_operators),
        cmocka_unit_test(test_elementwise),    cmocka_unit_test(test_module),
        cmocka_unit_test(test_generic_module), cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
