// SPDX-License-Identifier: Apache-2.0
// Operators with many attributes: each is read in two spellings, which must be
// one term, and printed in one; what a term cannot hold stays opaque.
#include "tests/unit/support/io_text.h"

#define T "tensor<2x3xf32>"
#define W "tensor<3x4xf32>"
#define F "tensor<f32>"
#define N "tensor<i32>"
#define IMAGE "tensor<1x4x5x2xf32>"
#define KERNEL "tensor<2x2x2x3xf32>"
#define PARAMS                                                                                     \
    "%%x: " T ", %%y: " W ", %%s: " F ", %%i: " N ", %%g: " IMAGE ", %%k: " KERNEL                 \
    ", %%n: tensor<2x1xi32>, %%u: tensor<2x3xf32>, %%m: tensor<i64>, "                             \
    "%%j: tensor<2x3xi8>, %%l: tensor<3x2xi8>"

struct spelling {
    enum op op;
    const char *type, *one, *other, *out; // out NULL: as `one`
};

#define REGION(op)                                                                                 \
    "({\n^bb0(%a: " F ", %b: " F "):\n%t = stablehlo." op " %a, %b : " F                           \
    "\nstablehlo.return %t : " F "\n})"
#define WINDOW_TYPES " : (" T ", " F ") -> tensor<3x1xf32>"
#define GATHER                                                                                     \
    "\"stablehlo.gather\"(%x, %n) <{dimension_numbers = #stablehlo.gather<"                        \
    "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "                       \
    "index_vector_dim = 1>, indices_are_sorted = "
#define SCATTER                                                                                    \
    "\"stablehlo.scatter\"(%x, %n, %u) <{indices_are_sorted = false, "                             \
    "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],"                     \
    " inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "                            \
    "index_vector_dim = 1>, unique_indices = true}> "
#define SCATTER_TYPES " : (" T ", tensor<2x1xi32>, " T ") -> " T

static const struct spelling spellings[] = {
    {OP_DOT_GENERAL, "tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = "
     "[DEFAULT, DEFAULT] : (" T ", " W ") -> tensor<2x4xf32>",
     "\"stablehlo.dot_general\"(%x, %y) <{dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<"
     "precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (" T ", " W ") -> tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" T ", " W
     ") -> tensor<2x4xf32>"},
    {OP_DOT_GENERAL, "tensor<3x2x2xf32>",
     "stablehlo.dot_general %x, %x, batching_dims = [1] x [1], "
     "contracting_dims = [] x [] : (" T ", " T ") -> tensor<3x2x2xf32>",
     "\"stablehlo.dot_general\"(%x, %x) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = "
     "[1]>} : (" T ", " T ") -> tensor<3x2x2xf32>",
     NULL},
    {OP_CONVOLUTION, "tensor<1x2x5x3xf32>",
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, -1], [0, 1]], "
     "lhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : "
     "i64, feature_group_count = 1 : i64} : (" IMAGE ", " KERNEL ") -> tensor<1x2x5x3xf32>",
     "\"stablehlo.convolution\"(%g, %k) <{batch_group_count = 1 : i64, "
     "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, "
     "1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, "
     "padding = dense<[[1, -1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = "
     "array<i64: 1, 1>, window_reversal = array<i1: false, true>, "
     "window_strides = array<i64: 2, 1>}> : (" IMAGE ", " KERNEL ") -> tensor<1x2x5x3xf32>",
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, -1], [0, 1]], "
     "reverse = [false, true]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (" IMAGE ", " KERNEL ") -> tensor<1x2x5x3xf32>"},
    {OP_CONVOLUTION, "tensor<3x3x4x1xf32>",
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[f, 0, 1, b], window = {} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (" IMAGE ", " KERNEL ") -> tensor<3x3x4x1xf32>",
     "\"stablehlo.convolution\"(%g, %k) {batch_group_count = 1 : i64, "
     "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[f, 0, "
     "1, b]>, feature_group_count = 1 : i64, padding = dense<0> : "
     "tensor<2x2xi64>} : (" IMAGE ", " KERNEL ") -> tensor<3x3x4x1xf32>",
     NULL},
    {OP_REDUCE_WINDOW, "tensor<3x1xf32>",
     "\"stablehlo.reduce_window\"(%x, %s) <{base_dilations = array<i64: 2, 1>,"
     " padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations ="
     " array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides "
     "= array<i64: 1, 2>}> " REGION("maximum") WINDOW_TYPES,
     "\"stablehlo.reduce_window\"(%x, %s) " REGION(
         "maximum") " {base_dilations = array<i64: 2, 1>, padding = dense<[[0,"
                    " 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = "
                    "array<i64: 2, 2>, "
                    "window_strides = array<i64: 1, 2>}" WINDOW_TYPES,
     "window_strides = array<i64: 1, 2>}> ({\n  ^bb0(%1: " F ", %2: " F
     "):\n    %3 = stablehlo.maximum %1, %2 : " F "\n    stablehlo.return %3 : " F
     "\n  })" WINDOW_TYPES},
    {OP_DYNAMIC_SLICE, "tensor<1x2xf32>",
     "stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (" T ", " N ", " N
     ") -> tensor<1x2xf32>",
     "\"stablehlo.dynamic_slice\"(%x, %i, %i) <{slice_sizes = array<i64: 1, "
     "2>}> : (" T ", " N ", " N ") -> tensor<1x2xf32>",
     NULL},
    {OP_DYNAMIC_UPDATE_SLICE, T,
     "stablehlo.dynamic_update_slice %x, %u, %m, %m : (" T ", " T
     ", tensor<i64>, tensor<i64>) -> " T,
     "\"stablehlo.dynamic_update_slice\"(%x, %u, %m, %m) : (" T ", " T
     ", tensor<i64>, tensor<i64>) -> " T,
     NULL},
    {OP_GATHER, T, GATHER "true, slice_sizes = array<i64: 1, 3>}> : (" T ", tensor<2x1xi32>) -> " T,
     "\"stablehlo.gather\"(%x, %n) {slice_sizes = array<i64: 1, 3>, "
     "indices_are_sorted = true, dimension_numbers = #stablehlo.gather<"
     "index_vector_dim = 1, start_index_map = [0], offset_dims = [1], "
     "collapsed_slice_dims = [0]>} : (" T ", tensor<2x1xi32>) -> " T,
     NULL},
    {OP_SCATTER, T, SCATTER REGION("add") SCATTER_TYPES, SCATTER REGION("add") SCATTER_TYPES,
     "\n    %3 = stablehlo.add %1, %2 : " F},
    {OP_SCATTER, T,
     SCATTER "({\n^bb0(%a: " F ", %b: " F "):\nstablehlo.return %b : " F "\n})" SCATTER_TYPES,
     SCATTER "({\n^bb0(%q: " F ", %r: " F "):\n\"stablehlo.return\"(%r) : (" F
             ") -> ()\n})" SCATTER_TYPES,
     SCATTER "({\n  ^bb0(%1: " F ", %2: " F "):\n    stablehlo.return %2 : " F
             "\n  })" SCATTER_TYPES},
    {OP_RESHAPE, "tensor<6xf32>", "stablehlo.reshape %x : (" T ") -> tensor<6xf32>",
     "\"stablehlo.reshape\"(%x) : (" T ") -> tensor<6xf32>", NULL},
    {OP_BITCAST_CONVERT, "tensor<2x3x2xi16>",
     "stablehlo.bitcast_convert %x : (" T ") -> tensor<2x3x2xi16>",
     "\"stablehlo.bitcast_convert\"(%x) : (" T ") -> tensor<2x3x2xi16>", NULL},
    // more than a term can hold
    {OP_OPAQUE, "tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = "
     "[HIGHEST, DEFAULT] : (" T ", " W ") -> tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = "
     "[HIGHEST, DEFAULT] : (" T ", " W ") -> tensor<2x4xf32>",
     NULL},
    {OP_OPAQUE, "tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = "
     "<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type"
     " = f32, lhs_component_count = 1, rhs_component_count = 1, "
     "num_primitive_operations = 1, allow_imprecise_accumulation = false> : (" T ", " W
     ") -> tensor<2x4xf32>",
     "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = "
     "<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type"
     " = f32, lhs_component_count = 1, rhs_component_count = 1, "
     "num_primitive_operations = 1, allow_imprecise_accumulation = false> : (" T ", " W
     ") -> tensor<2x4xf32>",
     NULL},
    {OP_OPAQUE, "tensor<2x2xi32>",
     "stablehlo.dot_general %j, %l, contracting_dims = [1] x [0] : "
     "(tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>",
     "stablehlo.dot_general %j, %l, contracting_dims = [1] x [0] : "
     "(tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>",
     NULL},
    {OP_OPAQUE, T,
     SCATTER "({\n  ^bb0(%1: " F ", %2: " F "):\n    stablehlo.return %1 : " F
             "\n  })" SCATTER_TYPES,
     SCATTER "({\n^bb0(%a: " F ", %b: " F "):\nstablehlo.return %a : " F "\n})" SCATTER_TYPES,
     NULL},
    {OP_OPAQUE, T, SCATTER REGION("subtract") SCATTER_TYPES,
     SCATTER REGION("subtract") SCATTER_TYPES, "stablehlo.subtract %1, %2"},
};

static void test_spellings(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        const struct spelling *spelling = &spellings[k];
        struct buf buf = {0};
        struct file file;
        buf_printf(&buf,
                   "func.func @f(" PARAMS ") -> (%s, %s) {\n%%r = %s\n"
                   "%%q = %s\nreturn %%r, %%q : %s, %s\n}\n",
                   spelling->type, spelling->type, spelling->one, spelling->other, spelling->type,
                   spelling->type);
        read_good(&file, buf_text(&buf));
        assert_int_equal(result_op(&file, 0, 0), spelling->op);
        assert_int_equal(result_of(&file, 0, 0).v, result_of(&file, 0, 1).v);
        expect_text(&file, spelling->out != NULL ? spelling->out : spelling->one);
        buf_release(&buf);
        release(&file);
    }
}

struct wrong {
    const char *type, *text, *message;
};

static const struct wrong wrongs[] = {
    {T, "stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (" T ", " W ") -> " T,
     "one size of the contracting dimensions 0 and 0, found 2 and 3"},
    {T, "stablehlo.dot_general %x, %y, contracting_dims = [1] x [] : (" T ", " W ") -> " T,
     "lists of one length"},
    {T, "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" T ", " W ") -> " T,
     "expected the result type tensor<2x4xf32>"},
    {T, "stablehlo.dot_general %x, %y, contracting_dims = [1] by [0] : (" T ", " W ") -> " T,
     "expected 'x'"},
    {T, "stablehlo.dynamic_slice %x, %i, %i, sizes = [1] : (" T ", " N ", " N ") -> " T,
     "expected 2 numbers"},
    {T, "stablehlo.dynamic_slice %x, %i, %i : (" T ", " N ", " N ") -> " T, "lacks its sizes"},
    {T, "stablehlo.dynamic_slice %x, %i, %m, sizes = [2, 3] : (" T ", " N ", tensor<i64>) -> " T,
     "a start of type tensor<i32>, found tensor<i64>"},
    {"tensor<5xf32>", "stablehlo.reshape %x : (" T ") -> tensor<5xf32>",
     "expected an operand with the elements"},
    {"tensor<2x3xi16>", "stablehlo.bitcast_convert %x : (" T ") -> tensor<2x3xi16>",
     "expected an operand with the bits"},
    {T, GATHER "maybe, slice_sizes = array<i64: 1, 3>}> : (" T ", tensor<2x1xi32>) -> " T,
     "expected 'false'"},
    {T, GATHER "true, slice_sizes = array<i64: 3, 3>}> : (" T ", tensor<2x1xi32>) -> " T,
     "0 <= size <= 1 in dimension 0"},
    {T, SCATTER SCATTER_TYPES, "lacks its region"},
    {IMAGE,
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[b, 0, 0, f], window = {} : (" IMAGE ", " KERNEL ") -> " IMAGE,
     "another spatial dimension"},
    {IMAGE,
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, b, f]x[0, 1, i, o]->"
     "[b, 0, 1, f], window = {} : (" IMAGE ", " KERNEL ") -> " IMAGE,
     "'b' is given twice"},
    {IMAGE,
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[b, 0, 1, f], window = {stride = [1]} : (" IMAGE ", " KERNEL ") -> " IMAGE,
     "expected 2 numbers"},
    {IMAGE,
     "stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
     "[b, 0, 1, f], window = {step = [1]} : (" IMAGE ", " KERNEL ") -> " IMAGE,
     "expected stride, pad"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        struct buf buf = {0};
        struct file file;
        buf_printf(&buf,
                   "func.func @f(" PARAMS ") -> %s {\n%%r = %s\n"
                   "return %%r : %s\n}\n",
                   wrongs[k].type, wrongs[k].text, wrongs[k].type);
        read_bytes(&file, buf_text(&buf), buf.len);
        if (file.ok)
            fail_msg("was read: %s", wrongs[k].text);
        if (strstr(file.err.msg, wrongs[k].message) == NULL)
            fail_msg("'%s' lacks '%s'", file.err.msg, wrongs[k].message);
        buf_release(&buf);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
