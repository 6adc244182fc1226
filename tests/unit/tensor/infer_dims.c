// SPDX-License-Identifier: Apache-2.0
// The shape rules of products, windows, run-time starts, gather, scatter,
// reshape and bitcast_convert: every condition once broken.
#include "tests/unit/support/tensor_cases.h"
#include "tensor/language/attr.h"

static void products(void **state)
{
    (void)state;
    RUN({"dot_general", "0,1,1,0", "f32[2,3] f32[3,4]", "", "f32[2,4]"},
        {"dot_general", "0,0", "i1[2] i1[3]", "", "i1[2,3]"},
        {"dot_general", "1,1,2,0,0,1", "int[3,4,5] int[5,3]", "", "int[5,4]"},
        {"dot_general", "0,1,0,0", "f32[0] f32[0]", "f32", "f32"},
        {"dot_general", "0,2,0,1,1,0", "f32[2,3] f32[3,2]", "", "f32"},
        {"dot_general", "0,1,1,0", "f32[2,3] f32[4,4]", "",
         "!contracting dimensions 1 and 0, found 3 and 4"},
        {"dot_general", "1,0,0,0", "f32[2] f32[3]", "", "!batch"},
        {"dot_general", "0,1,1,0", "f32[2,3] f64[3,4]", "", "!f32, found f64"},
        {"dot_general", "0,1,2,0", "f32[2,3] f32[3,4]", "", "!below 2"},
        {"dot_general", "1,1,1,0,1,1", "f32[2,3] f32[3,4]", "", "!distinct"},
        {"dot_general", "0,1,1", "f32[2,3] f32[3,4]", "", "!lists"},
        {"dot_general", "0,1,1,0,0", "f32[2,3] f32[3,4]", "", "!lists"},
        {"dot_general", "-1,1,1,0", "f32[2,3] f32[3,4]", "", "!lists"},
        {"dot_general", BIG "," BIG, "f32 f32", "", "!lists"},
        {"dot_general", "", "f32 f32", "", "!lists"},
        {"dot_general", "0,0", "?x f32", "", "!static tensor"},
        {"dot_general", "0,1,1,0", "f32[2,3] f32[3,4]", "f32[2,3]", "!result"});
}

// [1, 1, 1, 1 | stride low high base dilation reversal | groups | b f s, i o s,
// b f s] on an input [batch, feature, n] and a kernel [feature, out, size].
#define CONV(window, groups) "1,1,1,1," window "," groups ",0,1,2,0,1,2,0,1,2"
#define PLAIN "1,0,0,1,1,0"
#define ON "f32[2,3,8] f32[3,4,3]"

static void convolutions(void **state)
{
    (void)state;
    RUN({"convolution", CONV(PLAIN, "1,1"), ON, "", "f32[2,4,6]"},
        {"convolution", CONV("2,1,2,1,1,1", "1,1"), ON, "", "f32[2,4,5]"},
        {"convolution", CONV("1,0,0,3,1,0", "1,1"), ON, "", "f32[2,4,20]"},
        {"convolution", CONV("1,0,0,1,4,0", "1,1"), ON, "", "f32[2,4,0]"},
        {"convolution", CONV("1,-4,-1,1,1,0", "1,1"), ON, "", "f32[2,4,1]"},
        {"convolution", CONV("1,-9,0,1,1,0", "1,1"), ON, "", "f32[2,4,0]"},
        {"convolution", CONV("1,2,2,1,1,0", "1,1"), "f32[2,3,0] f32[3,4,3]", "", "f32[2,4,2]"},
        {"convolution", CONV("3,0,0,1,1,0", "1,1"), "f32[2,3,8] f32[3,4,0]", "",
         "!kernel of 1 element"},
        {"convolution", CONV(PLAIN, "1,1"), "f32[2,0,8] f32[0,0,3]", "", "f32[2,0,6]"},
        {"convolution", CONV("0,0,0,1,1,0", "1,1"), ON, "", "!stride"},
        {"convolution", CONV("1,0,0,0,1,0", "1,1"), ON, "", "!dilations"},
        {"convolution", CONV("1,0,0,1,0,0", "1,1"), ON, "", "!dilations"},
        {"convolution", CONV("1,0,0,1,1,2", "1,1"), ON, "", "!reversal"},
        {"convolution", CONV("1," BIG "," BIG ",1,1,0", "1,1"), ON, "", "!2^62 windows"},
        {"convolution", CONV(BIG "," BIG ",0," BIG "," BIG ",0", "1,1"), ON, "", "f32[2,4,7]"},
        {"convolution", CONV(PLAIN, "3,1"), "f32[2,9,8] f32[3,6,3]", "", "f32[2,6,6]"},
        {"convolution", CONV(PLAIN, "1,2"), ON, "", "f32[1,4,6]"},
        {"convolution", CONV(PLAIN, "3,1"), ON, "", "!features"},
        {"convolution", CONV(PLAIN, "3,1"), "f32[2,9,8] f32[3,4,3]", "", "!outputs that 3"},
        {"convolution", CONV(PLAIN, "1,3"), ON, "", "!batch that 3"},
        {"convolution", CONV(PLAIN, "1,2"), "f32[2,3,8] f32[3,3,3]", "", "!outputs that 2"},
        {"convolution", CONV(PLAIN, "2,2"), ON, "", "!groups"},
        {"convolution", CONV(PLAIN, "0,1"), ON, "", "!groups"},
        {"convolution", CONV(PLAIN, "1,-1"), ON, "", "!groups"},
        {"convolution", CONV(PLAIN, "1,1"), "f32[2,2,8] f32[3,4,3]", "", "!2 features"},
        {"convolution", CONV(PLAIN, "1,1"), "f32[2,3,8] f16[3,4,3]", "", "!f32, found f16"},
        {"convolution", CONV(PLAIN, "1,1"), "f32[2,3] f32[3,4,3]", "",
         "!2 dimensions of the input, found 3"},
        {"convolution", CONV(PLAIN, "1,1"), "f32[2,3,8] f32[3,4]", "", "!kernel"},
        {"convolution", "1,1,1,1," PLAIN ",1,1,0,0,2,0,1,2,0,1,2", ON, "", "!distinct"},
        {"convolution", "1,1,1,1," PLAIN ",1,1,0,1,2,0,1,2,0,1,3", ON, "", "!below 3"},
        {"convolution", "1,1,1,1," PLAIN ",1,1,0,1,2,0,1,2,0,1", ON, "", "!lists"},
        // two batch dimensions, no feature, two outputs
        {"convolution", "2,0,2,0,1,1,0,1,0,1,3,1,0,2", "i8[2,3] i8[4,5]", "", "i8[4,3,5,2]"},
        {"convolution", "0,0,0,0,1,1", "i1 i1", "", "i1"},
        {"convolution", "2,0,2,0,2,1,0,1,0,1,3,1,0,2", "i8[2,3] i8[4,5]", "", "!one batch"});
}

static void windows(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    static const struct {
        int op;
        const char *rest, *args, *expect;
    } cases[] = {
        {OP_ADD, "2,1,0,0,1,1", "f32[5] f32", "f32[4]"},
        {OP_OR, "2,3,1,2,1,2", "i1[5] i1", "i1[2]"},
        {OP_ADD, "", "i8 i8", "i8"},
        {OP_MAXIMUM, "7,1,0,0,1,1", "f32[5] f32", "f32[0]"},
        {OP_MAXIMUM, "1,1,1,1,9,1", "f32[0] f32", "f32[2]"},
        {OP_MAXIMUM, "1,1,0,0,1,1", "f32[0] f32", "f32[0]"},
        {OP_ADD, "0,1,0,0,1,1", "f32[5] f32", "!window size"},
        {OP_ADD, "2,0,0,0,1,1", "f32[5] f32", "!stride"},
        {OP_ADD, "2,1,0,0,0,1", "f32[5] f32", "!dilations"},
        {OP_ADD, "2,1,0,0,1,0", "f32[5] f32", "!dilations"},
        {OP_ADD, "1,1," BIG ",0,1,1", "f32[5] f32", "!2^62"},
        {OP_ADD, "2,1,0,0,1", "f32[5] f32", "!6 attribute values"},
        {OP_ADD, "2,1,0,0,1,1", "f32[5] f32[1]", "!rank 0"},
        {OP_ADD, "2,1,0,0,1,1", "f32[5] i32", "!element type"},
        {OP_AND, "2,1,0,0,1,1", "f32[5] f32", "!takes"},
        {OP_SUBTRACT, "2,1,0,0,1,1", "f32[5] f32", "!reducer"},
        {N_OPS, "2,1,0,0,1,1", "f32[5] f32", "!reducer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char attr[160];
        snprintf(attr, sizeof attr, "%d%s%s", cases[i].op, *cases[i].rest ? "," : "",
                 cases[i].rest);
        struct infer_case infer_case = {"reduce_window", attr, cases[i].args, "", cases[i].expect};
        run_case(&pool, &infer_case);
    }
    pool_release(&pool);
}

static void starts(void **state)
{
    (void)state;
    RUN({"dynamic_slice", "1,0", "f32[2,3] i8 i8", "", "f32[1,0]"},
        {"dynamic_slice", "", "f32", "", "f32"},
        {"dynamic_slice", "2", "i1[2] ui64", "i1[2]", "i1[2]"},
        {"dynamic_slice", "2", "real[2] int", "", "real[2]"},
        {"dynamic_slice", "3", "f32[2] i8", "", "!size <= 2"},
        {"dynamic_slice", "-1", "f32[2] i8", "", "!0 <= size"},
        {"dynamic_slice", "1,1", "f32[2] i8", "", "!1 attribute"},
        {"dynamic_slice", "1,1", "f32[2,3] i8", "", "!3 operands"},
        {"dynamic_slice", "1,1", "f32[2,3] i8 i16", "", "!a start"},
        {"dynamic_slice", "1", "f32[2] i8[1]", "", "!integer start"},
        {"dynamic_slice", "1", "f32[2] i1", "", "!integer start"},
        {"dynamic_slice", "1", "f32[2] f32", "", "!integer start"},
        {"dynamic_slice", "", "", "", "!found none"},
        {"dynamic_update_slice", "", "f32[2,3] f32[1,3] i8 i8", "", "f32[2,3]"},
        {"dynamic_update_slice", "", "f32 f32", "", "f32"},
        {"dynamic_update_slice", "", "f32[2] f32[3] i8", "", "!at most 2"},
        {"dynamic_update_slice", "", "f32[2] f32[1,1] i8", "", "!rank 1"},
        {"dynamic_update_slice", "", "f32[2] f16[1] i8", "", "!f32, found f16"},
        {"dynamic_update_slice", "", "f32[2] f32[1]", "", "!3 operands"},
        {"dynamic_update_slice", "1", "f32[2] f32[1] i8", "", "!0 attribute"},
        {"dynamic_update_slice", "", "f32[2]", "", "!an update"},
        {"dynamic_update_slice", "", "f32[2] f32[1] f32", "", "!start"});
}

// n offset, n collapsed, n batching, n map, sorted, index_vector_dim | lists
static void gathers(void **state)
{
    (void)state;
    RUN({"gather", "1,1,0,1,0,1,1,0,0,1,5", "f32[4,5] i8[7,1]", "", "f32[7,5]"},
        {"gather", "1,1,0,1,1,1,0,0,0,1,2", "f32[4,5] ui8[7]", "", "f32[2,7]"},
        {"gather", "0,1,1,1,0,1,1,0,0,1,1,1", "f32[4,5] i8[4,1]", "", "f32[4]"},
        {"gather", "0,0,0,0,0,0", "f32 i8[0]", "", "f32"},
        {"gather", "2,0,0,2,0,0,0,1,1,0,4,5", "f32[4,5] int[2]", "", "f32[4,5]"},
        {"gather", "1,1,0,1,0,1,1,0,0,0,5", "f32[4,5] i8[0,1]", "", "f32[0,5]"},
        // an empty slice cannot be collapsed where there is a result
        {"gather", "1,1,0,1,0,1,1,0,0,0,5", "f32[4,5] i8[7,1]", "", "!size 1 in collapsed"},
        {"gather", "1,1,0,1,0,1,1,0,0,0,5", "f32[0,5] i8[7,1]", "", "!size 1 in collapsed"},
        {"gather", "1,1,0,1,0,1,1,0,0,2,5", "f32[4,5] i8[7,1]", "", "!size <= 1 in dimension 0"},
        {"gather", "1,1,0,1,0,1,1,0,0,1,6", "f32[4,5] i8[7,1]", "", "!size <= 5"},
        {"gather", "1,1,0,1,0,1,1,0,0,1,-1", "f32[4,5] i8[7,1]", "", "!0 <= size"},
        {"gather", "1,1,0,1,2,1,1,0,0,1,5", "f32[4,5] i8[7,1]", "", "!flag"},
        {"gather", "1,1,0,1,0,3,1,0,0,1,5", "f32[4,5] i8[7,1]", "",
         "!index_vector_dim of at most 2"},
        {"gather", "1,1,0,1,0,0,1,0,0,1,5", "f32[4,5] i8[7,1]", "", "!each of 7 indices, found 1"},
        {"gather", "1,1,0,1,0,1,2,0,0,1,5", "f32[4,5] i8[7,1]", "", "!below 2"},
        {"gather", "1,1,0,1,0,1,1,2,0,1,5", "f32[4,5] i8[7,1]", "", "!below 2"},
        {"gather", "1,1,0,1,0,1,1,0,2,1,5", "f32[4,5] i8[7,1]", "", "!below 2"},
        {"gather", "2,1,0,1,0,1,0,1,0,0,1,5", "f32[4,5] i8[7,1]", "",
         "!2 dimensions of a slice, found 3"},
        {"gather", "0,2,0,1,0,1,1,0,0,1,1", "f32[4,5] i8[7,1]", "", "!ascending"},
        {"gather", "0,1,1,1,0,1,0,0,0,0,1,1", "f32[4,5] i8[4,1]", "", "!distinct"},
        {"gather", "0,1,1,1,0,1,1,0,0,0,1,1", "f32[4,5] i8[4,1]", "", "!distinct"},
        {"gather", "0,1,1,1,0,1,1,0,0,1,1,1", "f32[4,5] i8[3,1]", "",
         "!batching dimensions 0 and 0, found 4 and 3"},
        {"gather", "0,1,1,1,0,1,1,0,1,1,1,1", "f32[4,5] i8[4,1]", "", "!apart from"},
        {"gather", "1,1,0,1,0,1,1,0,0,1,5", "f32[4,5] f32[7,1]", "", "!integer type"},
        {"gather", "1,1,0,1,0,1,1,0,0,1", "f32[4,5] i8[7,1]", "", "!lists"});
}

static void scatters(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    // reducer | n window, n inserted, n batching, n map, sorted, unique,
    // index_vector_dim | lists
    static const struct {
        int op;
        const char *rest, *args, *expect;
    } cases[] = {
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "f32[4,5]"},
        {N_OPS, "1,1,0,1,1,1,1,1,0,0", "f32[4,5] i8[7,1] f32[7,2]", "f32[4,5]"},
        {OP_AND, "0,1,1,1,0,0,1,1,0,0,1", "i1[4,5] i8[4,1] i1[4]", "i1[4,5]"},
        {N_OPS, "0,0,0,0,0,0,0", "f32 i8[0] f32", "f32"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7,6]", "!at most 5 in dimension 1"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[6,5]", "!expected 7 in dimension 0"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7]", "!updates of rank 2"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f64[7,5]", "!f32, found f64"},
        {OP_ADD, "1,1,0,1,0,2,1,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!flag"},
        {OP_ADD, "1,1,0,1,-1,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!flag"},
        {OP_ADD, "1,0,0,1,0,0,1,1,0", "f32[4,5] i8[7,1] f32[7,5]", "!2 dimensions of a window"},
        {OP_ADD, "1,1,0,1,0,0,1,2,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!below 2"},
        {OP_ADD, "1,1,0,1,0,0,0,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!each of 7"},
        {OP_OR, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!takes"},
        {OP_DIVIDE, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i8[7,1] f32[7,5]", "!reducer"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0", "f32[4,5] i8[7,1] f32[7,5]", "!lists"},
        {OP_ADD, "1,1,0,1,0,0,1,1,0,0", "f32[4,5] i1[7,1] f32[7,5]", "!integer type"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char attr[80];
        snprintf(attr, sizeof attr, "%d,%s", cases[i].op, cases[i].rest);
        struct infer_case infer_case = {"scatter", attr, cases[i].args, "", cases[i].expect};
        run_case(&pool, &infer_case);
    }
    pool_release(&pool);
}

static void same_elements(void **state)
{
    (void)state;
    RUN({"reshape", "", "f32[2,3]", "f32[3,1,2]", "f32[3,1,2]"},
        {"reshape", "", "real", "real[1,1]", "real[1,1]"},
        {"reshape", "", "f32[0,3]", "f32[0]", "f32[0]"},
        {"reshape", "", "f32[2,3]", "f32[5]", "!the elements"},
        {"reshape", "", "f32[2,3]", "f16[6]", "!the elements"},
        {"reshape", "", "f32[2,3]", "", "!result type"},
        {"reshape", "6", "f32[2,3]", "f32[6]", "!0 attribute"},
        {"bitcast_convert", "", "f32[2]", "i32[2]", "i32[2]"},
        {"bitcast_convert", "", "f32[2]", "i8[2,4]", "i8[2,4]"},
        {"bitcast_convert", "", "i1[2,8]", "ui8[2]", "ui8[2]"},
        {"bitcast_convert", "", "i8[2,4]", "f32[2]", "f32[2]"},
        {"bitcast_convert", "", "f32[2]", "i32[3]", "!the bits"},
        {"bitcast_convert", "", "f32[2]", "i16[2,3]", "!the bits"},
        {"bitcast_convert", "", "f32[2]", "i16[2]", "!the bits"},
        {"bitcast_convert", "", "f32", "f64", "!the bits"},
        {"bitcast_convert", "", "f32[2]", "i16[3,2]", "!the bits"},
        {"bitcast_convert", "", "real[2]", "int[2]", "!have bits"},
        {"bitcast_convert", "", "f32", "", "!result type"});
}

// Windows of the shape rule, by trying every start.
static void windows_by_counting(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 4; n++)
        for (int64_t size = 0; size < 4; size++)
            for (int64_t pads = 0; pads < 36; pads++)
                for (int64_t steps = 0; steps < 27; steps++) {
                    struct window window = {.n = n,
                                            .size = size,
                                            .stride = 1 + steps % 3,
                                            .low = pads % 6 - 3,
                                            .high = pads / 6 - 3,
                                            .base = 1 + steps / 3 % 3,
                                            .dilation = 1 + steps / 9};
                    int64_t padded = window.low + window.high, reach = 0, count = 0, got;
                    for (int64_t i = 0; i < n; i++)
                        padded += i ? window.base : 1;
                    for (int64_t i = 0; i < size; i++)
                        reach += i ? window.dilation : 1;
                    for (int64_t at = 0; padded && at + reach <= padded; at += window.stride)
                        count++;
                    assert_true(window_count(&window, &got));
                    assert_int_equal(got, count);
                    bool full = true;
                    for (int64_t o = 0; o < count; o++) {
                        bool some = false;
                        for (int64_t k = 0; k < size; k++)
                            some |= window_at(&window, o, k) >= 0;
                        full &= some;
                    }
                    assert_int_equal(window_full(&window, count), full);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),      cmocka_unit_test(convolutions),
        cmocka_unit_test(windows),       cmocka_unit_test(starts),
        cmocka_unit_test(gathers),       cmocka_unit_test(scatters),
        cmocka_unit_test(same_elements), cmocka_unit_test(windows_by_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
