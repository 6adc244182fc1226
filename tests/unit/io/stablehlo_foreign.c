// SPDX-License-Identifier: Apache-2.0
// Operations of other dialects, constants whose elements are not there, and attributes
// that readers disagree about.
#include "tests/unit/support/io_text.h"

// The type of %r after BODY, as the reader tells it.
static void expect_type(const char *body, const char *type)
{
    struct file file;
    struct buf text = {0};
    buf_printf(&text,
               "func.func @f(%%t: tensor<4x?xf32>, %%s: tensor<4xi32>, %%k: index, %%i: i32, "
               "%%g: f32, %%m: memref<8xf64>, %%b: i1, %%v: vector<2xf32>, "
               "%%z: complex<f32>) -> (%s) {\n"
               "  %s\n  return %%r : %s\n}\n",
               type, body, type);
    read_good(&file, buf_text(&text));
    buf_release(&text);
    release(&file);
}

static void test_types(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"%r = arith.constant true", "i1"},
        {"%r = arith.constant 5 : i32", "i32"},
        {"%r = arith.constant -1.5e+00 : f32", "f32"},
        {"%r = arith.constant 7 : index", "index"},
        {"%r = arith.constant {a.b = 1 : i32} 7 : index", "index"},
        {"%r = arith.constant dense<1.0> : vector<2xf32>", "vector<2xf32>"},
        {"%r = arith.addi %i, %i : i32", "i32"},
        {"%r = arith.cmpi slt, %i, %i : i32", "i1"},
        {"%r = arith.cmpi eq, %s, %s : tensor<4xi32>", "tensor<4xi1>"},
        {"%r = arith.select %b, %s, %s : tensor<4xi32>", "tensor<4xi32>"},
        {"%r = arith.index_cast %k : index to i64", "i64"},
        {"%r = arith.extf %g : f32 to f64", "f64"},
        {"%r = math.sqrt %g : f32", "f32"},
        {"%r = complex.re %z : complex<f32>", "f32"},
        {"%r = tensor.extract %s[%k] : tensor<4xi32>", "i32"},
        {"%r = tensor.dim %t, %k : tensor<4x?xf32>", "index"},
        {"%r = tensor.cast %t : tensor<4x?xf32> to tensor<4x2xf32>", "tensor<4x2xf32>"},
        {"%r = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>",
         "tensor<?xf32>"},
        {"%r = tensor.from_elements %k, %k : tensor<2xindex>", "tensor<2xindex>"},
        {"%r = tensor.empty() : tensor<3xf32>", "tensor<3xf32>"},
        {"%r = tensor.generate %k {\n  ^bb0(%a: index):\n  tensor.yield %g : f32\n  } : "
         "tensor<?xf32>",
         "tensor<?xf32>"},
        {"%r = shape.shape_of %t : tensor<4x?xf32> -> tensor<2xindex>", "tensor<2xindex>"},
        {"%r = util.global.load @w : tensor<4xi32>", "tensor<4xi32>"},
        {"%r = util.unfoldable_constant dense<1> : tensor<4xi32>", "tensor<4xi32>"},
        {"%r = ml_program.global_load @w : tensor<4xi32>", "tensor<4xi32>"},
        {"%p = util.global.address @w : !util.ptr<tensor<4xf32>>\n"
         "  %r = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> tensor<4xf32>",
         "tensor<4xf32>"},
        {"%r = memref.load %m[%k] : memref<8xf64>", "f64"},
        {"%r = scf.if %b -> (i32) {\n  scf.yield %i : i32\n  } else {\n  scf.yield %i : i32\n  }",
         "i32"},
        {"%r = scf.for %a = %k to %k step %k iter_args(%c = %g) -> (f32) {\n"
         "  %d = arith.addf %c, %g : f32\n  scf.yield %d : f32\n  }",
         "f32"},
        {"%w:2 = scf.while (%a = %k, %c = %i) : (index, i32) -> (index, i32) {\n"
         "  scf.condition(%b) %a, %c : index, i32\n  } do {\n  ^bb0(%a: index, %c: i32):\n"
         "  scf.yield %a, %c : index, i32\n  }\n  %q = \"a.b\"(%w#1) : (i32) -> i32\n"
         "  %r = arith.constant 1 : i32",
         "i32"},
        {"affine.for %a = 0 to 8 {\n  %d = affine.load %m[%a] : memref<8xf64>\n"
         "  affine.store %d, %m[%a] : memref<8xf64>\n  }\n"
         "  affine.parallel (%a, %c) = (0, 0) to (8, 8) {\n"
         "  affine.store %g, %m[%a] : memref<8xf64>\n  }\n"
         "  %r = arith.constant 1 : i32",
         "i32"},
        // A value's name must not grow by the letters behind it.
        {"%c = arith.constant 1 : index\n  %0 = arith.constant 2 : index\n"
         "  %r = affine.apply affine_map<()[s0] -> (s0)>()[%0-%0]",
         "index"},
        {"%r = \"a.b\"(%s) : (tensor<4xi32>) -> tensor <4xf32, #x.enc<[1]>>",
         "tensor<4xf32, #x.enc<[1]>>"},
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        expect_type(bodies[k][0], bodies[k][1]);
}

// A constant of arith or Shardy is one of StableHLO where its type is a tensor's.
static void test_constants(void **state)
{
    (void)state;
    struct file file;
    read_body(&file, "%r = arith.constant dense<1.0> : " T, T);
    assert_int_equal(result_op(&file, 0, 0), OP_CONSTANT);
    expect_text(&file, "stablehlo.constant dense<1.000000e+00> : " T);
    release(&file);
    read_body(&file, "%r = \"arith.constant\"() <{value = dense<2> : " I "}> : () -> " I, I);
    assert_int_equal(result_op(&file, 0, 0), OP_CONSTANT);
    release(&file);
    read_body(&file, "%r = sdy.constant {sdy.note = 1} dense<1.0> : " T, T);
    assert_int_equal(result_op(&file, 0, 0), OP_CONSTANT);
    expect_text(&file, "stablehlo.constant {sdy.note = 1} dense<1.000000e+00> : " T);
    release(&file);
}

// Two constants without elements are equal if they name the same resource, but
// __elided__ is no name.
static void test_elided(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t effects;
    } data[] = {
        {"dense_resource<w>", 0},
        {"dense_resource<__elided__>", 2},
        {"dense_resource<\"__elided__\">", 2},
        {"dense<__elided__>", 2},
        {"opaque<\"elided_large_const\", \"0xDEADBEEF\">", 2},
    };
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        struct file file;
        struct buf body = {0};
        buf_printf(&body,
                   "%%0 = stablehlo.constant %s : " T "\n%%1 = stablehlo.constant %s : " T "\n"
                   "%%r = stablehlo.subtract %%0, %%1 : " T,
                   data[k].text, data[k].text);
        read_body(&file, buf_text(&body), T);
        const term_id *args = term_args(&file.program.terms, result_of(&file, 0, 0));
        bool same = args[0].v == args[1].v;
        assert_int_equal(same, data[k].effects == 0);
        assert_int_equal(file.program.functions.at[0].effects.len, data[k].effects);
        buf_release(&body);
        release(&file);
    }
}

// The specification has one type of comparison for each element type, and readers
// disagree about others: such a compare is kept as it is.
static void test_compare(void **state)
{
    (void)state;
    static const struct {
        const char *args, *attr, *types;
        enum op op;
    } compares[] = {
        {"%i, %i", "SIGNED", "(" I ", " I ") -> " P, OP_COMPARE},
        {"%i, %i", "UNSIGNED", "(" I ", " I ") -> " P, OP_OPAQUE},
        {"%u, %u", "UNSIGNED", "(" U ", " U ") -> " P, OP_COMPARE},
        {"%u, %u", "SIGNED", "(" U ", " U ") -> " P, OP_OPAQUE},
        {"%p, %p", "UNSIGNED", "(" P ", " P ") -> " P, OP_COMPARE},
        {"%p, %p", "SIGNED", "(" P ", " P ") -> " P, OP_OPAQUE},
        {"%x, %x", "TOTALORDER", "(" T ", " T ") -> " P, OP_COMPARE},
        {"%x, %x", "SIGNED", "(" T ", " T ") -> " P, OP_OPAQUE},
    };
    for (size_t k = 0; k < sizeof compares / sizeof *compares; k++) {
        struct file file;
        struct buf body = {0};
        buf_printf(&body, "%%r = stablehlo.compare LT, %s, %s : %s", compares[k].args,
                   compares[k].attr, compares[k].types);
        read_body(&file, buf_text(&body), P);
        assert_int_equal(result_op(&file, 0, 0), compares[k].op);
        expect_text(&file, compares[k].attr);
        buf_release(&body);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_elided),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
