// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes are operands: the term of the static operator where everything
// is known, and opaque elsewhere.
#include "tests/unit/support/io_text.h"

struct pair {
    const char *dynamic, *still, *type; // each defines a value: %d, %s
};

#define I2(a, b) "stablehlo.constant dense<[" a ", " b "]> : tensor<2xi64>\n"
#define S2 "tensor<2xi64>"

static const struct pair pairs[] = {
    {"%n = " I2("3", "2") "%d = stablehlo.dynamic_reshape %x, %n : (" T ", " S2
                          ") -> tensor<3x2xf32>",
     "%s = stablehlo.reshape %x : (" T ") -> tensor<3x2xf32>", "tensor<3x2xf32>"},
    // The result type decides where the shape is no constant.
    {"%d = stablehlo.dynamic_reshape %x, %k : (" T ", " S2 ") -> tensor<3x2xf32>",
     "%s = stablehlo.reshape %x : (" T ") -> tensor<3x2xf32>", "tensor<3x2xf32>"},
    {"%n = " I2("2", "3") "%d = stablehlo.dynamic_iota %n, dim = 1 : (" S2 ") -> " T,
     "%s = stablehlo.iota dim = 1 : " T, T},
    {"%n = " I2("2", "3") "%d = stablehlo.dynamic_broadcast_in_dim %v, %n, dims = [1] : "
                          "(tensor<3xf32>, " S2 ") -> " T,
     "%s = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> " T, T},
    {"%n = " I2(
         "2",
         "3") "%d = \"stablehlo.dynamic_broadcast_in_dim\"(%v, %n) "
              "<{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>, "
              "known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<3xf32>, " S2 ") -> " T,
     "%s = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> " T, T},
    {"%a = " I2("0", "1") "%b = " I2("2", "3") "%c = " I2(
         "1", "2") "%d = stablehlo.real_dynamic_slice %x, %a, %b, %c : (" T ", " S2 ", " S2 ", " S2
                   ") -> tensor<2x1xf32>",
     "%s = stablehlo.slice %x [0:2, 1:3:2] : (" T ") -> tensor<2x1xf32>", "tensor<2x1xf32>"},
    {"%a = " I2("1", "0") "%b = " I2("0", "-1") "%c = " I2(
         "0", "1") "%d = stablehlo.dynamic_pad %x, %z, %a, %b, %c : (" T ", " F ", " S2 ", " S2
                   ", " S2 ") -> tensor<3x4xf32>",
     "%s = stablehlo.pad %x, %z, low = [1, 0], high = [0, -1], interior = [0, 1] : (" T ", " F
     ") -> tensor<3x4xf32>",
     "tensor<3x4xf32>"},
    {"%a = " I2("1", "3") "%d = \"stablehlo.dynamic_gather\"(%x, %i, %a) <{dimension_numbers = "
                          "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                          "start_index_map = [0], "
                          "index_vector_dim = 1>, indices_are_sorted = false}> : (" T
                          ", tensor<4x1xi32>, " S2 ") -> tensor<4x3xf32>",
     "%s = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = "
     "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
     "slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (" T ", tensor<4x1xi32>) -> "
     "tensor<4x3xf32>",
     "tensor<4x3xf32>"},
    {"%a = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>\n"
     "%d = \"stablehlo.dynamic_conv\"(%m, %w, %a) <{batch_group_count = 1 : i64, "
     "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
     "feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, "
     "tensor<1x2xi64>) -> tensor<1x4x1xf32>",
     "%s = stablehlo.convolution(%m, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
     "{pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
     "(tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x4x1xf32>",
     "tensor<1x4x1xf32>"},
};

// The function returns what the text defines as %d and %s.
static void read_pair(struct file *file, const char *dynamic, const char *still, const char *type)
{
    struct buf text = {0};
    buf_printf(&text,
               "func.func @f(%%x: " T ", %%v: tensor<3xf32>, %%z: " F ", %%k: " S2
               ", %%i: tensor<4x1xi32>, %%m: tensor<1x4x1xf32>, %%w: tensor<2x1x1xf32>, "
               "%%q: tensor<?x3xf32>) -> (%s, %s) {\n%s\n%s\n"
               "return %%d, %%s : %s, %s\n}\n",
               type, type, dynamic, still, type, type);
    read_good(file, buf_text(&text));
    buf_release(&text);
}

static void test_static(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        struct file file;
        read_pair(&file, pairs[k].dynamic, pairs[k].still, pairs[k].type);
        assert_true(result_op(&file, 0, 0) != OP_OPAQUE);
        assert_int_equal(result_of(&file, 0, 0).v, result_of(&file, 0, 1).v);
        expect_no_text(&file, "dynamic");
        release(&file);
    }
}

static void test_kept(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        // The constant is not the result's shape.
        {"%n = " I2("2", "3") "%d = stablehlo.dynamic_reshape %x, %n : (" T ", " S2
                              ") -> tensor<3x2xf32>",
         "tensor<3x2xf32>"},
        // A start that is no constant, and sizes that nobody knows.
        {"%c = " I2("1", "1") "%d = stablehlo.real_dynamic_slice %x, %k, %k, %c : (" T ", " S2
                              ", " S2 ", " S2 ") -> " T,
         T},
        {"%d = stablehlo.dynamic_reshape %q, %k : (tensor<?x3xf32>, " S2 ") -> " T, T},
        {"%d = stablehlo.dynamic_reshape %x, %k : (" T ", " S2 ") -> tensor<?x3xf32>",
         "tensor<?x3xf32>"},
        {"%n = " I2("2", "3") "%d = \"stablehlo.dynamic_iota\"(%n) <{iota_dimension = 1 : i64, "
                              "foo = 1 : i64}> : (" S2 ") -> " T,
         T},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct file file;
        struct buf still = {0};
        buf_printf(&still, "%%s = \"a.b\"() : () -> %s", texts[k][1]);
        read_pair(&file, texts[k][0], buf_text(&still), texts[k][1]);
        assert_int_equal(result_op(&file, 0, 0), OP_OPAQUE);
        buf_release(&still);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_static), cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
