// SPDX-License-Identifier: Apache-2.0
// The interpreter on single elements: values by hand for every elementwise
// operator and kind of type, then rounding against exact arithmetic.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tensor/eval/eval.h"

static uint64_t seed = 1;

// One element: a decimal number, inf, nan, true, num/den, or #bits.
static struct scalar read_element(enum elem elem, const char *text)
{
    char *end;
    if (*text == '#')
        return (struct scalar){.bits = strtoull(text + 1, NULL, 16)};
    if (elem_is_ideal(elem)) {
        bool infinite = strstr(text, "inf") != NULL;
        int64_t num = infinite ? (*text == '-' ? -1 : 1) : strtoll(text, &end, 10);
        int64_t den = 1;
        if (infinite)
            den = 0;
        else if (*end == '/')
            den = strtoll(end + 1, NULL, 10);
        return (struct scalar){.num = num, .den = den};
    }
    if (elem_kind(elem) == KIND_FLOAT) {
        double x = strtod(text, NULL);
        return scalar_of_double(elem, isnan(x) ? (double)NAN : x);
    }
    if (elem_kind(elem) == KIND_UINT)
        return (struct scalar){.bits = strtoull(text, NULL, 10)};
    return (struct scalar){.bits = (uint64_t)strtoll(text, NULL, 10)};
}

// The next word of a list, false at its end.
static bool next_word(const char **list, char word[64])
{
    size_t n = strcspn(*list += strspn(*list, " "), " ");
    assert_true(n < 64);
    memcpy(word, *list, n);
    word[n] = 0;
    *list += n;
    return n > 0;
}

static void expect_same(enum elem elem, struct scalar got, const char *want, const char *what)
{
    struct scalar scalar = read_element(elem, want);
    bool nan = scalar_is_nan(elem, scalar) && scalar_is_nan(elem, got) && *want != '#';
    if (scalar_same(elem, got, scalar) || nan)
        return;
    struct buf buf = {0};
    scalar_print(elem, got, &buf);
    fail_msg("%s on %s: got %s, want %s", what, elem_text(elem), buf_text(&buf), want);
}

struct row {
    enum op op;
    enum elem elem;
    const char *a, *b, *want; // b = NULL: unary; want "!" = a failure
};

static void check_row(const struct row *row)
{
    const char *text = row->a, *string = row->b, *want = row->want;
    char x[64], y[64], w[64];
    struct scalar got;
    while (next_word(&want, w)) {
        struct err err = {0};
        assert_true(next_word(&text, x));
        assert_true(!string || next_word(&string, y));
        struct scalar sx = read_element(row->elem, x);
        bool ok = string
                      ? eval_binary(row->op, row->elem, sx, read_element(row->elem, y), &got, &err)
                      : eval_unary(row->op, row->elem, sx, &got, &err);
        if (ok != (*w != '!'))
            fail_msg("%s on %s: %s %s: %s", op_name(row->op), elem_text(row->elem), x,
                     string ? y : "", ok ? "succeeded" : err.msg);
        assert_true(ok || err.kind != ERR_NONE);
        if (ok)
            expect_same(row->elem, got, w, op_name(row->op));
    }
    assert_false(next_word(&text, x));
}

static const struct row int_rows[] = {
    {OP_ABS, ELEM_I8, "-128 -5 0 7", NULL, "-128 5 0 7"},
    {OP_ABS, ELEM_I64, "-9223372036854775808 -1", NULL, "-9223372036854775808 1"},
    {OP_ABS, ELEM_UI8, "1", NULL, "!"},
    {OP_COUNT_LEADING_ZEROS, ELEM_I64, "0 1 128 -1", NULL, "64 63 56 0"},
    {OP_COUNT_LEADING_ZEROS, ELEM_UI8, "0 1 255", NULL, "8 7 0"},
    {OP_COUNT_LEADING_ZEROS, ELEM_I4, "0 1 -1", NULL, "4 3 0"},
    {OP_COUNT_LEADING_ZEROS, ELEM_I2, "0 1 -1", NULL, "-2 1 0"},
    {OP_NEGATE, ELEM_I4, "-8 7 0", NULL, "-8 -7 0"},
    {OP_NEGATE, ELEM_UI16, "1 0 65535", NULL, "65535 0 1"},
    {OP_NOT, ELEM_I32, "0 -1 5", NULL, "-1 0 -6"},
    {OP_NOT, ELEM_UI8, "0 255 5", NULL, "255 0 250"},
    {OP_NOT, ELEM_UI2, "0 3 1", NULL, "3 0 2"},
    {OP_NOT, ELEM_I1, "0 1", NULL, "1 0"},
    {OP_POPCNT, ELEM_I64, "0 1 2 127 -1", NULL, "0 1 1 7 64"},
    {OP_POPCNT, ELEM_I8, "-1 -128", NULL, "8 1"},
    {OP_POPCNT, ELEM_UI4, "15 8", NULL, "4 1"},
    {OP_SIGN, ELEM_I16, "-7 0 9 -32768", NULL, "-1 0 1 -1"},
    {OP_ADD, ELEM_I8, "127 -128 1", "1 -1 2", "-128 127 3"},
    {OP_ADD, ELEM_UI8, "255 1", "1 2", "0 3"},
    {OP_ADD, ELEM_I64, "9223372036854775807", "1", "-9223372036854775808"},
    {OP_ADD, ELEM_I2, "1 -2", "1 -1", "-2 1"},
    {OP_ADD, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 1 1 1"},
    {OP_MULTIPLY, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 0 0 1"},
    {OP_MAXIMUM, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 1 1 1"},
    {OP_MINIMUM, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 0 0 1"},
    {OP_AND, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 0 0 1"},
    {OP_OR, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 1 1 1"},
    {OP_XOR, ELEM_I1, "0 0 1 1", "0 1 0 1", "0 1 1 0"},
    {OP_SUBTRACT, ELEM_I1, "1", "1", "!"},
    {OP_AND, ELEM_I8, "-1 12", "5 10", "5 8"},
    {OP_OR, ELEM_I8, "-128 12", "5 10", "-123 14"},
    {OP_XOR, ELEM_UI8, "255 12", "5 10", "250 6"},
    {OP_AND, ELEM_F32, "1", "1", "!"},
    {OP_SUBTRACT, ELEM_I32, "-2147483648 5", "1 7", "2147483647 -2"},
    {OP_SUBTRACT, ELEM_UI32, "0 5", "1 5", "4294967295 0"},
    {OP_MULTIPLY, ELEM_I16, "300 -1 -32768", "300 5 -1", "24464 -5 -32768"},
    {OP_MULTIPLY, ELEM_UI64, "18446744073709551615", "3", "18446744073709551613"},
    {OP_DIVIDE, ELEM_I64, "17 -17 17 -17 5 -9223372036854775808", "3 3 -3 -3 0 -1",
     "5 -5 -5 5 -1 -9223372036854775808"},
    {OP_DIVIDE, ELEM_I8, "-128 -128 100", "-1 2 -128", "-128 -64 0"},
    {OP_DIVIDE, ELEM_UI8, "200 7 255", "3 0 255", "66 255 1"},
    {OP_DIVIDE, ELEM_I4, "-8 3", "-1 0", "-8 -1"},
    {OP_REMAINDER, ELEM_I64, "17 -17 17 -17 5 -9223372036854775808", "3 3 -3 -3 0 -1",
     "2 -2 2 -2 5 0"},
    {OP_REMAINDER, ELEM_UI64, "17 18 19 20 9", "3 4 5 7 0", "2 2 4 6 9"},
    {OP_POWER, ELEM_I64, "-1 -1 -3 1 -3 0 -1 -1 0 0 2",
     "1 0 -3 -3 3 2 -2 "
     "-3 -1 0 64",
     "-1 1 0 1 -27 0 1 -1 0 1 0"},
    {OP_POWER, ELEM_UI64, "0 0 1 1 5", "0 1 0 2 5", "1 0 1 1 3125"},
    {OP_POWER, ELEM_I8, "3 -2 2", "5 7 8", "-13 -128 0"},
    {OP_POWER, ELEM_I2, "-2 -1", "-2 -2", "0 1"},
    {OP_SHIFT_LEFT, ELEM_I64, "-1 0 1 1 1 1", "1 2 3 63 64 -1", "-2 0 8 -9223372036854775808 0 0"},
    {OP_SHIFT_LEFT, ELEM_I8, "1 3 1", "7 7 8", "-128 -128 0"},
    {OP_SHIFT_LEFT, ELEM_UI4, "9 1", "1 4", "2 0"},
    {OP_SHIFT_RIGHT_ARITHMETIC, ELEM_I64, "-1 0 8 -8 -8 8", "1 2 3 1 64 99", "-1 0 1 -4 -1 0"},
    {OP_SHIFT_RIGHT_ARITHMETIC, ELEM_UI8, "128 127 128", "1 1 200", "192 63 255"},
    {OP_SHIFT_RIGHT_LOGICAL, ELEM_I64, "-1 0 8 -1 -1", "1 2 3 64 -1",
     "9223372036854775807 0 1 0 0"},
    {OP_SHIFT_RIGHT_LOGICAL, ELEM_I8, "-1 -128 -1", "1 7 0", "127 1 -1"},
    {OP_MAXIMUM, ELEM_I8, "-128 3", "127 -4", "127 3"},
    {OP_MINIMUM, ELEM_I8, "-128 3", "127 -4", "-128 -4"},
    {OP_MAXIMUM, ELEM_UI8, "255 3", "1 4", "255 4"},
    {OP_MINIMUM, ELEM_UI64, "18446744073709551615", "1", "1"},
};

static const struct row float_rows[] = {
    {OP_ABS, ELEM_F32, "-1.5 -0 -inf #ffc00001", NULL, "1.5 0 inf #7fc00001"},
    {OP_NEGATE, ELEM_BF16, "1 0 -0 inf #7fc0", NULL, "-1 -0 0 -inf #ffc0"},
    {OP_SIGN, ELEM_F64, "nan -1e-300 -0 0 inf", NULL, "nan -1 -0 0 1"},
    {OP_SIGN, ELEM_F32, "#ffc00001", NULL, "#ffc00001"},
    {OP_CEIL, ELEM_F32, "1.2 -0.5 -1.5 1e30 inf", NULL, "2 -0 -1 1e30 inf"},
    {OP_FLOOR, ELEM_F16, "1.2 -0.5 0.5 -0 65504", NULL, "1 -1 0 -0 65504"},
    {OP_ROUND_NEAREST_AFZ, ELEM_F64, "-2.5 -0.4 0.5 2.5 0.49999999999999994", NULL, "-3 -0 1 3 0"},
    {OP_ROUND_NEAREST_EVEN, ELEM_F64,
     "-2.5 -0.5 0.5 1.5 2.5 -3.5 2.500001 1e300 -0.7 -0 inf nan "
     "4503599627370497.5",
     NULL, "-2 -0 0 2 2 -4 3 1e300 -1 -0 inf nan 4503599627370498"},
    {OP_ROUND_NEAREST_EVEN, ELEM_BF16, "2.5 3.5 -0.25", NULL, "2 4 -0"},
    {OP_SQRT, ELEM_F32, "4 2 -0 -1 inf", NULL, "2 1.41421354 -0 #7fc00000 inf"},
    {OP_RSQRT, ELEM_F64, "4 0 -0 -1 inf", NULL, "0.5 inf -inf nan 0"},
    {OP_CBRT, ELEM_F64, "0 1 8 -27", NULL, "0 1 2 -3"},
    {OP_ERF, ELEM_F64, "0 -0 0.5 -1 inf -inf nan", NULL,
     "0 -0 0.5204998778130465 -0.8427007929497149 1 -1 nan"},
    {OP_ERF, ELEM_F32, "2 -1e-10", NULL, "0.995322287 -1.12837917e-10"},
    {OP_EXPONENTIAL, ELEM_F16, "0 1 12 -inf -20", NULL, "1 2.71875 inf 0 0"},
    {OP_EXPONENTIAL_MINUS_ONE, ELEM_F32, "0 -0 1e-10 -inf", NULL, "0 -0 1e-10 -1"},
    {OP_LOG, ELEM_F32, "1 0 -1 inf", NULL, "0 -inf nan inf"},
    {OP_LOG_PLUS_ONE, ELEM_F64, "0 -1 -2", NULL, "0 -inf nan"},
    {OP_LOGISTIC, ELEM_F64, "0 1 -inf inf 1000 -1000", NULL, "0.5 0.7310585786300049 0 1 1 0"},
    {OP_LOGISTIC, ELEM_F32, "1 -100", NULL, "0.731058598 3.783506e-44"},
    {OP_SINE, ELEM_F32, "0 1 inf", NULL, "0 0.841470957 nan"},
    {OP_COSINE, ELEM_F64, "0 inf", NULL, "1 nan"},
    {OP_TAN, ELEM_F64, "0 1", NULL, "0 1.5574077246549023"},
    {OP_TANH, ELEM_BF16, "0 -0 inf -inf", NULL, "0 -0 1 -1"},
    {OP_ADD, ELEM_F32, "16777216 0.1 inf -0 0", "1 0.2 -inf -0 -0",
     "16777216 0.30000001192092896 #7fc00000 -0 0"},
    {OP_ADD, ELEM_BF16, "256 256 1", "1 3 inf", "256 260 inf"},
    {OP_ADD, ELEM_F16, "65504 65504 2048", "15 16 1", "65504 inf 2048"},
    {OP_ADD, ELEM_F64, "#fff8000000000001", "1", "#7ff8000000000000"},
    {OP_SUBTRACT, ELEM_F32, "1 inf 0", "1 inf 0", "0 #7fc00000 0"},
    {OP_MULTIPLY, ELEM_F32, "0 1e30 -0 1.1754944e-38", "inf 1e30 3 0.25",
     "#7fc00000 inf -0 2.9387359e-39"},
    {OP_DIVIDE, ELEM_F32, "1 -1 0 1 inf", "0 0 0 3 inf", "inf -inf #7fc00000 0.33333334 #7fc00000"},
    {OP_REMAINDER, ELEM_F64, "17.1 -17.1 17.1 -17.1 5 5 -6 inf -0", "3 3 -3 -3 inf 0 3 2 1",
     "2.1000000000000014 -2.1000000000000014 2.1000000000000014 "
     "-2.1000000000000014 5 nan -0 nan -0"},
    {OP_POWER, ELEM_F64, "-2 -0 -36 5 3 10000 0 nan 1 -8", "2 2 1.1 2 -1 10 0 0 nan inf",
     "4 0 nan 25 0.33333333333333331 1e40 1 1 1 inf"},
    {OP_ATAN2, ELEM_F64, "0 1 -1 0 -0", "1 0 0 -1 -1",
     "0 1.5707963267948966 -1.5707963267948966 3.1415926535897931 "
     "-3.1415926535897931"},
    {OP_MAXIMUM, ELEM_F32, "nan 1 -0 0 -inf 2", "1 nan 0 -0 -1 3", "#7fc00000 #7fc00000 0 0 -1 3"},
    {OP_MINIMUM, ELEM_BF16, "nan 1 -0 0 -inf 2", "1 nan 0 -0 -1 3", "#7fc0 #7fc0 -0 -0 -inf 2"},
    {OP_NOT, ELEM_F64, "1", NULL, "!"},
    {OP_POPCNT, ELEM_F64, "1", NULL, "!"},
};

#define BIG "9223372036854775807"
static const struct row ideal_rows[] = {
    {OP_ADD, ELEM_INT, "2 -7 " BIG, "3 7 1", "5 0 !"},
    {OP_SUBTRACT, ELEM_INT, "-9223372036854775808", "1", "!"},
    {OP_MULTIPLY, ELEM_INT, "-4 4294967296", "6 4294967296", "-24 !"},
    {OP_DIVIDE, ELEM_INT, "-7 7 5 -9223372036854775808", "2 -2 0 -1", "-3 -3 -1 !"},
    {OP_REMAINDER, ELEM_INT, "-7 7 5 -9223372036854775808", "2 -2 0 -1", "-1 1 5 0"},
    {OP_NEGATE, ELEM_INT, "-9223372036854775808 4", NULL, "! -4"},
    {OP_ABS, ELEM_INT, "-9223372036854775808 -4", NULL, "! 4"},
    {OP_SIGN, ELEM_INT, "-9 0 9 inf", NULL, "-1 0 1 !"},
    {OP_POWER, ELEM_INT, "2 2 -1 3 0 0 7", "62 63 -3 -1 0 -1 1",
     "4611686018427387904 ! -1 0 1 0 7"},
    {OP_AND, ELEM_INT, "-1 12", "5 10", "5 8"},
    {OP_OR, ELEM_INT, "-8 12", "5 10", "-3 14"},
    {OP_XOR, ELEM_INT, "-1 12", "5 10", "-6 6"},
    {OP_NOT, ELEM_INT, "0 5", NULL, "-1 -6"},
    {OP_POPCNT, ELEM_INT, "7 -1", NULL, "3 !"},
    {OP_COUNT_LEADING_ZEROS, ELEM_INT, "7", NULL, "!"},
    {OP_SHIFT_LEFT, ELEM_INT, "3 1 0 1", "4 63 900 -1", "48 ! 0 !"},
    {OP_SHIFT_RIGHT_ARITHMETIC, ELEM_INT, "-5 5 -5 5", "1 1 99 99", "-3 2 -1 0"},
    {OP_SHIFT_RIGHT_LOGICAL, ELEM_INT, "5 -5", "1 1", "2 !"},
    {OP_MAXIMUM, ELEM_INT, "3 -inf inf", "4 -5 2", "4 -5 inf"},
    {OP_MINIMUM, ELEM_INT, "3 -inf inf", "4 -5 2", "3 -inf 2"},
    {OP_ADD, ELEM_REAL, "1/2 1/6 inf", "1/3 -1/6 1", "5/6 0 !"},
    {OP_SUBTRACT, ELEM_REAL, "1/2 1/2", "1/3 1/2", "1/6 0"},
    {OP_MULTIPLY, ELEM_REAL, "2/3 -3/4 " BIG, "3/2 4/9 2", "1 -1/3 !"},
    {OP_MULTIPLY, ELEM_REAL, "1/" BIG, "1/2", "!"},
    {OP_DIVIDE, ELEM_REAL, "1/2 1 1", "-3/4 0 inf", "-2/3 ! !"},
    {OP_REMAINDER, ELEM_REAL, "7/2 -7/2 7/2 1", "3/2 3/2 -3/2 0", "1/2 -1/2 1/2 !"},
    {OP_POWER, ELEM_REAL, "2/3 2/3 0 0 2 -1", "3 -2 0 -1 1/2 -7", "8/27 9/4 1 ! ! -1"},
    {OP_FLOOR, ELEM_REAL, "-7/2 7/2 3", NULL, "-4 3 3"},
    {OP_CEIL, ELEM_REAL, "-7/2 7/2 3", NULL, "-3 4 3"},
    {OP_ROUND_NEAREST_AFZ, ELEM_REAL, "-5/2 5/2 7/3 -1/2", NULL, "-3 3 2 -1"},
    {OP_ROUND_NEAREST_EVEN, ELEM_REAL, "-5/2 5/2 7/2 -1/2 -7/3", NULL, "-2 2 4 0 -2"},
    {OP_SQRT, ELEM_REAL, "4/9 2 -4 0 9223372030926249001", NULL, "2/3 ! ! 0 3037000499"},
    {OP_RSQRT, ELEM_REAL, "4/9 0", NULL, "3/2 !"},
    {OP_CBRT, ELEM_REAL, "-8/27 9", NULL, "-2/3 !"},
    {OP_EXPONENTIAL, ELEM_REAL, "1", NULL, "!"},
    {OP_ABS, ELEM_REAL, "-1/2 inf", NULL, "1/2 !"},
    {OP_MAXIMUM, ELEM_REAL, "1/2 -inf -inf inf", "1/3 7 -inf -inf", "1/2 7 -inf inf"},
    {OP_ATAN2, ELEM_REAL, "1", "1", "!"},
};

static void test_int(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof int_rows / sizeof *int_rows; i++)
        check_row(&int_rows[i]);
}

static void test_float(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof float_rows / sizeof *float_rows; i++)
        check_row(&float_rows[i]);
}

static void test_ideal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ideal_rows / sizeof *ideal_rows; i++)
        check_row(&ideal_rows[i]);
}

// No operator may fail on a machine type it is defined on, whatever the bits.
static void test_total(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 200000; i++) {
        enum op op = (enum op)rng_below(&rng, N_OPS);
        enum elem elem = (enum elem)(1 + rng_below(&rng, ELEM_F64));
        struct err err = {0};
        uint64_t raw[2] = {rng_u64(&rng), rng_u64(&rng)};
        if (rng_below(&rng, 3) == 0)
            raw[1] &= 7;
        struct scalar scalar = scalar_load(elem, &raw[0], 0), got;
        struct scalar b = scalar_load(elem, &raw[1], 0);
        bool defined = (op_kinds(op) & (unsigned)elem_kind(elem)) != 0;
        if (op_class(op) == OPC_UNARY)
            assert_int_equal(eval_unary(op, elem, scalar, &got, &err), defined);
        else if (op_class(op) == OPC_BINARY)
            assert_int_equal(eval_binary(op, elem, scalar, b, &got, &err), defined);
        else
            continue;
        if (!defined)
            continue;
        scalar_store(elem, raw, 0, got); // results are in canonical form
        assert_true(scalar_same(elem, scalar_load(elem, raw, 0), got));
    }
}

static bool compare(enum compare_dir direction, enum compare_type ct, enum elem elem, const char *a,
                    const char *b)
{
    return eval_compare(direction, ct, elem, read_element(elem, a), read_element(elem, b));
}

// "<", "=", ">" or "?" (unordered) decides all six directions.
static void check_order(enum compare_type ct, enum elem elem, const char *a, const char *b,
                        char order)
{
    assert_int_equal(compare(CMP_EQ, ct, elem, a, b), order == '=');
    assert_int_equal(compare(CMP_NE, ct, elem, a, b), order != '=');
    assert_int_equal(compare(CMP_LT, ct, elem, a, b), order == '<');
    assert_int_equal(compare(CMP_GT, ct, elem, a, b), order == '>');
    assert_int_equal(compare(CMP_LE, ct, elem, a, b), order == '<' || order == '=');
    assert_int_equal(compare(CMP_GE, ct, elem, a, b), order == '>' || order == '=');
}

static void test_compare(void **state)
{
    (void)state;
    check_order(CMPT_SIGNED, ELEM_I8, "-128", "127", '<');
    check_order(CMPT_SIGNED, ELEM_I64, "5", "5", '=');
    check_order(CMPT_UNSIGNED, ELEM_UI8, "128", "127", '>');
    check_order(CMPT_UNSIGNED, ELEM_UI64, "18446744073709551615", "0", '>');
    check_order(CMPT_UNSIGNED, ELEM_I1, "0", "1", '<');
    check_order(CMPT_FLOAT, ELEM_F32, "-0", "0", '=');
    check_order(CMPT_FLOAT, ELEM_F32, "nan", "nan", '?');
    check_order(CMPT_FLOAT, ELEM_BF16, "1", "nan", '?');
    check_order(CMPT_FLOAT, ELEM_F64, "-inf", "-1e308", '<');
    check_order(CMPT_TOTALORDER, ELEM_F32, "-0", "0", '<');
    check_order(CMPT_TOTALORDER, ELEM_F32, "inf", "nan", '<');
    check_order(CMPT_TOTALORDER, ELEM_F32, "#ffc00000", "-inf", '<');
    check_order(CMPT_TOTALORDER, ELEM_F64, "nan", "nan", '=');
    check_order(CMPT_TOTALORDER, ELEM_F16, "-2", "-1", '<');
    check_order(CMPT_TOTALORDER, ELEM_BF16, "2", "1", '>');
    check_order(CMPT_SIGNED, ELEM_INT, "-inf", "-5", '<');
    check_order(CMPT_SIGNED, ELEM_INT, "4", "-5", '>');
    check_order(CMPT_FLOAT, ELEM_REAL, "1/3", "333333333/1000000000", '>');
    check_order(CMPT_FLOAT, ELEM_REAL, "inf", "inf", '=');
    check_order(CMPT_FLOAT, ELEM_REAL, BIG, "inf", '<');
}

struct conversion {
    enum elem from, to;
    const char *a, *want;
};

static const struct conversion conversions[] = {
    {ELEM_I1, ELEM_I64, "0 1", "0 1"},
    {ELEM_I1, ELEM_BF16, "0 1", "0 1"},
    {ELEM_I64, ELEM_I1, "-1 0 1", "1 0 1"},
    {ELEM_F32, ELEM_I1, "0.1 0 -0 nan -inf", "1 0 0 1 1"},
    {ELEM_I32, ELEM_I8, "128 255 -129 5", "-128 -1 127 5"},
    {ELEM_I8, ELEM_UI32, "-1 7", "4294967295 7"},
    {ELEM_UI8, ELEM_I16, "255", "255"},
    {ELEM_UI64, ELEM_I64, "18446744073709551615", "-1"},
    {ELEM_I32, ELEM_UI2, "5 -1", "1 3"},
    {ELEM_F32, ELEM_I32, "1.9 -1.9 nan inf -inf 3e9 2147483520",
     "1 -1 0 2147483647 -2147483648 2147483647 2147483520"},
    {ELEM_F64, ELEM_I64, "9.3e18 -9.3e18 9007199254740993 -0.5",
     "9223372036854775807 -9223372036854775808 9007199254740992 0"},
    {ELEM_F64, ELEM_UI64, "1.9e19 -1 nan 18446744073709549568 0.99",
     "18446744073709551615 0 0 18446744073709549568 0"},
    {ELEM_F16, ELEM_I8, "127 128 -200", "127 127 -128"},
    {ELEM_F32, ELEM_UI4, "15.9 16 -3", "15 15 0"},
    {ELEM_F32, ELEM_I2, "1.5 2 -2.5", "1 1 -2"},
    {ELEM_I64, ELEM_F32, "16777217 16777219 -16777217", "16777216 16777220 -16777216"},
    // Rounding twice, to double first, would give the neighbour.
    {ELEM_I64, ELEM_F32, "9007199791611905 9007200865353729", "9007200328482816 9007200865353728"},
    {ELEM_UI64, ELEM_F64, "18446744073709551615 9007199254740993",
     "18446744073709551616 9007199254740992"},
    {ELEM_I32, ELEM_F16, "65519 65520 2049 2051", "65504 inf 2048 2052"},
    {ELEM_I32, ELEM_BF16, "257 259 -1", "256 260 -1"},
    {ELEM_F64, ELEM_F32, "1e300 0.1 -1e-300", "inf 0.1 -0"},
    {ELEM_F32, ELEM_BF16, "1.00390625 1.01171875 nan #ffc12345", "1 1.015625 #7fc0 #7fc0"},
    {ELEM_BF16, ELEM_F64, "#3dcd", "0.10009765625"},
    {ELEM_F32, ELEM_F32, "#ffc12345", "#ffc12345"},
    {ELEM_UI64, ELEM_INT, "7 18446744073709551615", "7 !"},
    {ELEM_I64, ELEM_REAL, "-9223372036854775808", "-9223372036854775808"},
    {ELEM_F32, ELEM_REAL, "0.75 inf 1e30 nan 1e-30 -0 4611686018427387904",
     "3/4 inf ! ! ! 0 4611686018427387904"},
    {ELEM_F64, ELEM_INT, "-2.75 1e30 inf 9007199254740992", "-2 ! inf 9007199254740992"},
    {ELEM_REAL, ELEM_INT, "-7/2 7/2 inf", "-3 3 inf"},
    {ELEM_INT, ELEM_REAL, "5 -inf", "5 -inf"},
    {ELEM_REAL, ELEM_I8, "-7/2 300 inf", "-3 44 !"},
    {ELEM_REAL, ELEM_I1, "1/2 0 inf", "1 0 1"},
    {ELEM_REAL, ELEM_F32, "1/3 -2/3 inf 16777217 0", "0.33333334 -0.6666667 inf 16777216 0"},
    {ELEM_REAL, ELEM_F64, "1/3 -9223372036854775807/3 1/10 7/5",
     "0.3333333333333333 -3074457345618258602.3 0.1 1.4"},
    // Just above a tie, by less than 64 bits of the quotient show.
    {ELEM_REAL, ELEM_BF16, "261/4683463232721977599", "5.5944832100252029e-17"},
    {ELEM_REAL, ELEM_F64, "9007199254740992/9007199254740991", "1.0000000000000002"},
    {ELEM_REAL, ELEM_F16, "1/3 1/9223372036854775807", "0.3333 0"},
    {ELEM_INT, ELEM_BF16, "257 -inf", "256 -inf"},
};

static void test_convert(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        const struct conversion *conversion = &conversions[i];
        const char *text = conversion->a, *want = conversion->want;
        char string[64], w[64];
        while (next_word(&want, w)) {
            struct err err = {0};
            struct scalar got;
            assert_true(next_word(&text, string));
            bool ok = eval_convert(conversion->from, conversion->to,
                                   read_element(conversion->from, string), &got, &err);
            if (ok != (*w != '!'))
                fail_msg("convert %s %s to %s", string, elem_text(conversion->from),
                         elem_text(conversion->to));
            if (ok)
                expect_same(conversion->to, got, w, elem_text(conversion->from));
        }
    }
}

// The finite float on the other side of `got` as seen from x.
static double neighbour(enum elem elem, struct scalar got, bool up)
{
    bool grow = (scalar_to_double(elem, got) > 0) == up;
    if (scalar_to_double(elem, got) == 0)
        return scalar_to_double(elem, (struct scalar){.bits = 1}) * (up ? 1 : -1);
    struct scalar scalar = {.bits = grow ? got.bits + 1 : got.bits - 1};
    return scalar_to_double(elem, scalar);
}

// The 16-bit floats have so few digits that double is exact for + - *.
static void check_nearest(enum elem elem, double exact, struct scalar got)
{
    double x = scalar_to_double(elem, got), off = fabs(exact - x);
    if (!isfinite(x) || exact == x)
        return;
    for (int up = 0; up < 2; up++) {
        double y = neighbour(elem, got, up != 0), other = fabs(exact - y);
        assert_true(!isfinite(y) || off < other || (off == other && (got.bits & 1) == 0));
    }
}

static void test_rounding(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 100000; i++) {
        enum elem elem = ELEM_F16;
        struct err err = {0};
        struct scalar scalar = {.bits = rng_below(&rng, 65536)}, got;
        struct scalar b = {.bits = rng_below(&rng, 65536)};
        double x = scalar_to_double(elem, scalar), y = scalar_to_double(elem, b);
        if (!isfinite(x) || !isfinite(y))
            continue;
        assert_true(eval_binary(OP_ADD, elem, scalar, b, &got, &err));
        check_nearest(elem, x + y, got);
        assert_true(eval_binary(OP_MULTIPLY, elem, scalar, b, &got, &err));
        check_nearest(elem, x * y, got);
        elem = ELEM_BF16; // same bits, other numbers; products are exact
        x = scalar_to_double(elem, scalar), y = scalar_to_double(elem, b);
        if (!isfinite(x) || !isfinite(y))
            continue;
        assert_true(eval_binary(OP_MULTIPLY, elem, scalar, b, &got, &err));
        check_nearest(elem, x * y, got);
    }
}

// f32 arithmetic must be the machine's own.
static void test_f32_machine(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 200000; i++) {
        static const enum op ops[] = {OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE};
        enum op op = ops[i % 4];
        uint32_t raw[2] = {(uint32_t)rng_u64(&rng), (uint32_t)rng_u64(&rng)};
        if (rng_below(&rng, 2)) // near exponents, and tiny results
            raw[1] = (raw[0] & 0xff800000) + (raw[1] & 0x01ffffff);
        float f[2], want;
        memcpy(f, raw, sizeof f);
        volatile float x = f[0], y = f[1];
        want = op == OP_ADD ? x + y : op == OP_SUBTRACT ? x - y : op == OP_MULTIPLY ? x * y : x / y;
        struct scalar scalar = scalar_load(ELEM_F32, raw, 0), got;
        struct scalar b = scalar_load(ELEM_F32, raw, 1);
        struct err err = {0};
        assert_true(eval_binary(op, ELEM_F32, scalar, b, &got, &err));
        if (isnan(want))
            assert_int_equal(got.bits, 0x7fc00000);
        else
            assert_true(scalar_same(ELEM_F32, got, scalar_load(ELEM_F32, &want, 0)));
    }
}

static void test_units(void **state)
{
    (void)state;
    static const enum op reducers[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM, OP_AND, OP_OR};
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 20000; i++) {
        enum op op = reducers[rng_below(&rng, 6)];
        enum elem elem = (enum elem)(1 + rng_below(&rng, N_ELEMS - 1));
        uint64_t raw = rng_u64(&rng);
        struct err err = {0};
        struct scalar scalar, got;
        if (!(op_kinds(op) & (unsigned)elem_kind(elem)))
            continue;
        scalar =
            elem_is_ideal(elem) ? scalar_of_int(elem, (int8_t)raw) : scalar_load(elem, &raw, 0);
        if (scalar_is_nan(elem, scalar))
            continue;
        assert_true(eval_binary(op, elem, reducer_unit(op, elem), scalar, &got, &err));
        // 0 + -0 is 0; everything else comes back as it was.
        if (op == OP_ADD && scalar_to_double(elem, scalar) == 0)
            assert_true(scalar_to_double(elem, got) == 0);
        else
            assert_true(scalar_same(elem, got, scalar));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int),      cmocka_unit_test(test_float),
        cmocka_unit_test(test_ideal),    cmocka_unit_test(test_total),
        cmocka_unit_test(test_compare),  cmocka_unit_test(test_convert),
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_f32_machine),
        cmocka_unit_test(test_units),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
