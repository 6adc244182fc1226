// SPDX-License-Identifier: Apache-2.0
// Files of several modules, modules in modules, functions of several blocks, and what
// stands behind a module.
#include "tests/unit/support/io_text.h"

static const struct module *module_at(const struct file *file, uint32_t k)
{
    assert_true(k < file->program.modules.len);
    return &file->program.modules.at[k];
}

static void expect_remark(const struct file *file, const char *text)
{
    assert_string_equal(sym_text(&file->pool, file->program.remark), text);
}

// Each part has aliases, resources and names of its own.
static void test_parts(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "#a = 1 : i32\nmodule @one attributes {k = #a} {\n"
                     "  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "    %0 = stablehlo.abs %x : tensor<2xf32>\n    return %0 : tensor<2xf32>\n"
                     "  }\n}\n// -----\n#a = 2 : i32\nmodule @two attributes {k = #a} {\n"
                     "  func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> {\n"
                     "    return %x : tensor<3xi32>\n  }\n}\n"
                     "module @three {\n}\n// -----\n\n// -----\n"
                     "func.func @f() {\n  return\n}\n");
    assert_int_equal(file.program.modules.len, 4);
    assert_true(!module_at(&file, 0)->split && module_at(&file, 1)->split);
    assert_true(!module_at(&file, 2)->split && module_at(&file, 2)->written);
    assert_true(module_at(&file, 3)->split && !module_at(&file, 3)->written);
    assert_int_equal(module_at(&file, 1)->functions_end, 2);
    expect_text(&file, "module @one attributes {k = 1 : i32} {");
    expect_text(&file, "}\n\n// -----\n\nmodule @two attributes {k = 2 : i32} {");
    expect_text(&file, "}\nmodule @three {\n}\n\n// -----\n\nfunc.func @f() {");
    expect_remark(&file, "");
    release(&file);
}

// One name means different functions in different modules, so that calls of them are
// different terms; the same is true of resources.
static void test_names(void **state)
{
    (void)state;
    static const char body[] = "  func.func private @g() -> tensor<f32> {\n"
                               "    %0 = stablehlo.constant dense<CONST> : tensor<f32>\n"
                               "    return %0 : tensor<f32>\n  }\n"
                               "  func.func @f() -> tensor<f32> {\n"
                               "    %0 = call @g() : () -> tensor<f32>\n"
                               "    return %0 : tensor<f32>\n  }\n";
    struct file file;
    struct buf text = {0};
    for (int k = 1; k < 3; k++) {
        char *copy = mem_alloc(sizeof body);
        memcpy(copy, body, sizeof body);
        memcpy(strstr(copy, "CONST"), k == 1 ? "1.0e0" : "2.0e0", 5);
        buf_printf(&text, "module @m%d {\n%s}\n", k, copy);
        mem_free(copy);
    }
    read_good(&file, buf_text(&text));
    assert_int_equal(file.program.functions.len, 4);
    assert_true(result_of(&file, 1, 0).v != result_of(&file, 3, 0).v);
    release(&file);
    buf_release(&text);
    read_good(&file, "func.func @f() -> tensor<2xf32> {\n"
                     "  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
                     "  return %0 : tensor<2xf32>\n}\n// -----\n"
                     "func.func @f() -> tensor<2xf32> {\n"
                     "  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
                     "  return %0 : tensor<2xf32>\n}\n"
                     "{-#\n  dialect_resources: {\n    builtin: {\n"
                     "      w: \"0x040000000000803F00000040\"\n    }\n  }\n#-}\n");
    assert_int_equal(result_op(&file, 0, 0), OP_OPAQUE);
    assert_int_equal(result_op(&file, 1, 0), OP_CONSTANT);
    release(&file);
}

static void test_nested(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "module @outer {\n  module @inner attributes {a = 1 : i32} {\n"
                     "    func.func @g(%x: tensor<f32>) -> tensor<f32> {\n"
                     "      return %x : tensor<f32>\n    }\n  }\n"
                     "  func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
                     "    %0 = call @inner::@g(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "    %1 = call @inner::@g(%x) : (tensor<f32>) -> tensor<f32>\n"
                     "    %2 = stablehlo.add %0, %1 : tensor<f32>\n"
                     "    return %2 : tensor<f32>\n  }\n}\n");
    assert_int_equal(file.program.modules.len, 1);
    assert_int_equal(file.program.extras.len, 1);
    // Nothing is known of the nested function: both calls stay.
    assert_int_equal(file.program.functions.at[0].effects.len, 2);
    expect_text(&file, "module @inner attributes {a = 1 : i32} {\n");
    release(&file);
}

// A module may begin where a function ends, without a line of its own.
static void test_same_line(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "func.func @f() {\n  return\n}module @m {\n  func.func @f() {\n"
                     "    return\n  }\n} module @n {\n}\n");
    assert_int_equal(file.program.modules.len, 3);
    assert_int_equal(file.program.extras.len, 0);
    assert_int_equal(file.program.functions.len, 2);
    assert_true(!module_at(&file, 0)->written && module_at(&file, 1)->written);
    release(&file);
    read_good(&file, "sdy.mesh @a = <[\"x\"=2]> {k = 1}module @m {\n}\n");
    assert_int_equal(file.program.modules.len, 2);
    assert_int_equal(file.program.extras.len, 1);
    assert_string_equal(sym_text(&file.pool, file.program.extras.at[0]),
                        "sdy.mesh @a = <[\"x\"=2]> {k = 1}");
    release(&file);
}

// A declaration may name its arguments.
static void test_declaration(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "func.func private @f(%p: !a.b, %x: tensor<2xf32>)\n");
    expect_text(&file, "func.func private @f(!a.b, tensor<2xf32>)\n");
    release(&file);
}

// A function of several blocks stays text, and its callers cannot know what it does.
static void test_blocks(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "func.func @loop(%n: tensor<i32>) -> tensor<i32> {\n"
                     "  cf.br ^bb1(%n : tensor<i32>)\n^bb1(%k: tensor<i32>):\n"
                     "  %c = call @done(%k) : (tensor<i32>) -> tensor<i1>\n"
                     "  %b = tensor.extract %c[] : tensor<i1>\n"
                     "  cf.cond_br %b, ^bb2(%k : tensor<i32>), ^bb1(%k : tensor<i32>)\n"
                     "^bb2(%r: tensor<i32>):\n  return %r : tensor<i32>\n}\n"
                     "func.func private @done(%k: tensor<i32>) -> tensor<i1> {\n"
                     "  %0 = stablehlo.compare EQ, %k, %k : (tensor<i32>, tensor<i32>) -> "
                     "tensor<i1>\n  return %0 : tensor<i1>\n}\n"
                     "func.func @f(%x: tensor<i32>) -> tensor<i32> {\n"
                     "  %0 = call @loop(%x) : (tensor<i32>) -> tensor<i32>\n"
                     "  %1 = call @loop(%x) : (tensor<i32>) -> tensor<i32>\n"
                     "  return %1 : tensor<i32>\n}\n"
                     "func.func @g(%x: tensor<i32>) -> tensor<i1> {\n"
                     "  %0 = call @done(%x) : (tensor<i32>) -> tensor<i1>\n"
                     "  return %0 : tensor<i1>\n}\n");
    assert_int_equal(file.program.functions.len, 3);
    assert_int_equal(file.program.functions.at[1].effects.len, 2);
    assert_int_equal(file.program.functions.at[2].effects.len, 0);
    expect_text(&file, "func.func @loop(%n: tensor<i32>) -> tensor<i32> {\n"
                       "cf.br ^bb1(%n : tensor<i32>)\n^bb1(%k: tensor<i32>):\n");
    expect_remark(&file, "kept as text: 1 nested modules and functions of several blocks");
    release(&file);
}

// A ruler behind the last module is left out, with a remark.
static void test_trailer(void **state)
{
    (void)state;
    struct file file;
    read_bytes(&file, "module {\n}\n---- END ----\n", 25);
    assert_true(file.ok);
    assert_string_equal(buf_text(&file.text), "module {\n}\n");
    expect_remark(&file, "line 3 is no MLIR and is left out: the module is taken to end in "
                         "line 2");
    release(&file);
    read_bytes(&file, "module {\n}\n==== a\n==== b\n", 25);
    assert_true(!file.ok && file.err.line == 3);
    assert_non_null(strstr(file.err.hint, "the module before ends in line 2"));
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),     cmocka_unit_test(test_names),
        cmocka_unit_test(test_nested),    cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_trailer),   cmocka_unit_test(test_declaration),
        cmocka_unit_test(test_same_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
