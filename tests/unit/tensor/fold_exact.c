// SPDX-License-Identifier: Apache-2.0
// Folding at the edges: exact values, huge operands, limits.
#include "tests/unit/support/tensor_fold.h"

static bool folds_exactly(struct fixture *fixture, enum op op, enum elem elem, uint32_t n, double a,
                          double b)
{
    struct scalar args[2] = {scalar_of_double(elem, a), scalar_of_double(elem, b)};
    struct node node = point_node(fixture, op, elem, n, args);
    lit_id out;
    return fold(fixture, &node, true, &out);
}

static void test_exact_edges(void **state)
{
    struct fixture *fixture = *state;
    double tiny = 0x1p-1074, huge = DBL_MAX;
    static const enum op at_zero[] = {OP_EXPONENTIAL,  OP_EXPONENTIAL_MINUS_ONE,
                                      OP_LOG_PLUS_ONE, OP_SINE,
                                      OP_COSINE,       OP_TAN,
                                      OP_TANH,         OP_LOGISTIC};
    for (size_t i = 0; i < sizeof at_zero / sizeof *at_zero; i++) {
        assert_true(folds_exactly(fixture, at_zero[i], ELEM_F32, 1, -0.0, 0));
        assert_false(folds_exactly(fixture, at_zero[i], ELEM_F32, 1, 0.5, 0));
        assert_false(folds_exactly(fixture, at_zero[i], ELEM_F16, 1, 1e-7, 0));
        assert_false(folds_exactly(fixture, at_zero[i], ELEM_F64, 1, -1000, 0));
    }
    assert_true(folds_exactly(fixture, OP_LOG, ELEM_F64, 1, 1, 0));
    assert_false(folds_exactly(fixture, OP_LOG, ELEM_F64, 1, 2, 0));
    assert_false(folds_exactly(fixture, OP_ADD, ELEM_F64, 2, huge, huge));
    assert_false(folds_exactly(fixture, OP_ADD, ELEM_F64, 2, 1, tiny));
    assert_true(folds_exactly(fixture, OP_SUBTRACT, ELEM_F64, 2, huge, huge));
    assert_true(folds_exactly(fixture, OP_MULTIPLY, ELEM_F64, 2, tiny, 0x1p1000));
    assert_false(folds_exactly(fixture, OP_MULTIPLY, ELEM_F64, 2, tiny, 0.5));
    assert_false(folds_exactly(fixture, OP_MULTIPLY, ELEM_F64, 2, 0x1.8p-1073, 0.5));
    assert_false(folds_exactly(fixture, OP_MULTIPLY, ELEM_F64, 2, 1e-200, 1e-200));
    assert_true(folds_exactly(fixture, OP_DIVIDE, ELEM_F64, 2, tiny, 0x1p-1000));
    assert_false(folds_exactly(fixture, OP_DIVIDE, ELEM_F64, 2, tiny, 2));
    assert_false(folds_exactly(fixture, OP_DIVIDE, ELEM_F32, 2, 0, 0));
    assert_false(folds_exactly(fixture, OP_DIVIDE, ELEM_F32, 2, 1, 0));
    assert_false(folds_exactly(fixture, OP_ADD, ELEM_F32, 2, INFINITY, 1));
    assert_false(folds_exactly(fixture, OP_MAXIMUM, ELEM_F32, 2, INFINITY, 1));
    assert_false(folds_exactly(fixture, OP_MINIMUM, ELEM_F32, 2, 1, NAN));
    assert_false(folds_exactly(fixture, OP_NEGATE, ELEM_F32, 1, INFINITY, 0));
    assert_true(folds_exactly(fixture, OP_POWER, ELEM_F64, 2, 2, -1074));
    assert_false(folds_exactly(fixture, OP_POWER, ELEM_F64, 2, 2, -1075));
    assert_true(folds_exactly(fixture, OP_POWER, ELEM_F64, 2, -1, 0x1p60));
    assert_false(folds_exactly(fixture, OP_POWER, ELEM_F64, 2, 0, -1));
    assert_false(folds_exactly(fixture, OP_POWER, ELEM_F64, 2, 4, 0.5));
    assert_true(folds_exactly(fixture, OP_ATAN2, ELEM_F64, 2, 0, 3));
    assert_false(folds_exactly(fixture, OP_ATAN2, ELEM_F64, 2, 0, -3));
    assert_false(folds_exactly(fixture, OP_ATAN2, ELEM_F64, 2, 0, 0));
}

struct conversion {
    enum elem from, to;
    double a; // INFINITY etc. too; integers up to 2^53
    bool exact;
};

static void test_exact_convert(void **state)
{
    struct fixture *fixture = *state;
    static const struct conversion rows[] = {
        {ELEM_F32, ELEM_BF16, 1.5, true},
        {ELEM_F32, ELEM_BF16, 1.001, false},
        {ELEM_F32, ELEM_F16, 65536, false},
        {ELEM_F32, ELEM_F64, 0.1f, true},
        {ELEM_F32, ELEM_F64, INFINITY, false},
        {ELEM_F32, ELEM_I32, 2.75, true},
        {ELEM_F32, ELEM_I32, 0x1p31, false}, // saturates to its neighbour
        {ELEM_F32, ELEM_I32, -0x1p31, true},
        {ELEM_F32, ELEM_UI8, -0.5, true},
        {ELEM_F32, ELEM_UI8, -1, false},
        {ELEM_F32, ELEM_UI8, 255.5, true},
        {ELEM_F32, ELEM_UI8, 256, false},
        {ELEM_F32, ELEM_I8, NAN, false},
        {ELEM_F32, ELEM_I1, 0.5, true},
        {ELEM_F32, ELEM_I1, NAN, false},
        {ELEM_I32, ELEM_F32, 16777216, true},
        {ELEM_I32, ELEM_F32, 16777217, false},
        {ELEM_I32, ELEM_F32, 2147483647, false}, // 2^31 would come back as it
        {ELEM_I32, ELEM_F32, -2147483648.0, true},
        {ELEM_I32, ELEM_F64, 2147483647, true},
        {ELEM_I1, ELEM_F16, 1, true},
        {ELEM_I32, ELEM_I8, 300, true}, // words wrap, no float is involved
        {ELEM_I64, ELEM_F16, 65504, true},
        {ELEM_I64, ELEM_F16, 65505, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct conversion *conversion = &rows[i];
        struct scalar scalar = elem_kind(conversion->from) == KIND_FLOAT
                                   ? scalar_of_double(conversion->from, conversion->a)
                                   : scalar_of_int(conversion->from, (int64_t)conversion->a);
        struct node node = {.op = OP_CONVERT, .n = 1, .attr = NO_ATTR};
        lit_id out;
        node.lit[0] = literal_splat(&fixture->pool, conversion->from, scalar);
        node.types[0] = type_of(fixture, conversion->from, 0, NULL);
        assert_true(infer(fixture, &node, type_of(fixture, conversion->to, 0, NULL)));
        if (fold(fixture, &node, true, &out) != conversion->exact)
            fail_msg("convert %g from %s to %s", conversion->a, elem_text(conversion->from),
                     elem_text(conversion->to));
        assert_true(fold(fixture, &node, false, &out));
    }
}

static void test_exact_compare(void **state)
{
    struct fixture *fixture = *state;
    struct scalar zeros[2] = {scalar_of_double(ELEM_F32, -0.0), scalar_of_double(ELEM_F32, 0)};
    struct node node = {.op = OP_COMPARE, .n = 2};
    lit_id out;
    for (int i = 0; i < 2; i++) {
        node.lit[i] = literal_splat(&fixture->pool, ELEM_F32, zeros[i]);
        node.types[i] = type_of(fixture, ELEM_F32, 0, NULL);
    }
    node.attr = attr_make(&fixture->pool, 2, (int64_t[]){CMP_LT, CMPT_FLOAT});
    assert_true(infer(fixture, &node, NO_TYPE));
    assert_true(fold(fixture, &node, true, &out));
    node.attr = attr_make(&fixture->pool, 2, (int64_t[]){CMP_LT, CMPT_TOTALORDER});
    assert_false(fold(fixture, &node, true, &out)); // over the reals -0 = 0
    assert_true(fold(fixture, &node, false, &out));
    assert_true(literal_get(&fixture->pool, out, 0).bits == 1);
    // add_negative_zero makes all NaNs equal; a fold that told them apart would
    // make true equal to false
    struct scalar nans[2] = {{.bits = 0x7fc00000}, {.bits = 0xffc00000}};
    for (int i = 0; i < 2; i++)
        node.lit[i] = literal_splat(&fixture->pool, ELEM_F32, nans[i]);
    assert_false(fold(fixture, &node, false, &out));
    assert_false(fold(fixture, &node, true, &out));
}

static lit_id splat_of(struct fixture *fixture, enum elem elem, int64_t value)
{
    return literal_splat(&fixture->pool, elem, scalar_of_int(elem, value));
}

static void expect_fold(struct fixture *fixture, struct node node, type_id want, bool exact,
                        lit_id expected)
{
    lit_id got;
    if (!infer(fixture, &node, want))
        fail_msg("%s is ill-typed", op_name(node.op));
    bool ok = fold(fixture, &node, exact, &got);
    if (ok != (expected.v != NO_LIT.v) || (ok && got.v != expected.v))
        fail_msg("%s: fold %s", op_name(node.op), ok ? "is wrong" : "is missing");
}

// 2^40 elements: whatever is folded here never looks at them.
static void test_huge_splats(void **state)
{
    struct fixture *fixture = *state;
    int64_t dims[2] = {1 << 20, 1 << 20}, zeros[6] = {0};
    enum elem elem = ELEM_F32;
    type_id big = type_of(fixture, elem, 2, dims), one = type_of(fixture, elem, 0, NULL);
    type_id mask = type_of(fixture, ELEM_I1, 2, dims);
    lit_id two = splat_of(fixture, elem, 2), three = splat_of(fixture, elem, 3);
    lit_id yes = splat_of(fixture, ELEM_I1, 1);
    attr_id first = attr_make(&fixture->pool, 1, zeros);
    expect_fold(fixture, (struct node){OP_ADD, NO_ATTR, big, 2, {two, three}, {big, big}}, NO_TYPE,
                true, splat_of(fixture, elem, 5));
    expect_fold(fixture, (struct node){OP_BROADCAST_IN_DIM, NO_ATTR, big, 1, {two}, {one}}, big,
                true, two);
    expect_fold(fixture,
                (struct node){OP_SELECT, NO_ATTR, big, 3, {yes, two, three}, {mask, big, big}},
                NO_TYPE, true, two);
    expect_fold(fixture, (struct node){OP_REVERSE, first, big, 1, {two}, {big}}, NO_TYPE, true,
                two);
    expect_fold(fixture, (struct node){OP_CONCATENATE, first, big, 2, {two, two}, {big, big}},
                NO_TYPE, true, two);
    expect_fold(fixture, (struct node){OP_CONCATENATE, first, big, 2, {two, three}, {big, big}},
                NO_TYPE, true, NO_LIT);
    attr_id same = attr_make(&fixture->pool, 6, zeros);
    expect_fold(fixture, (struct node){OP_PAD, same, big, 2, {two, two}, {big, one}}, NO_TYPE, true,
                two);
    expect_fold(fixture, (struct node){OP_IOTA, first, big, 0, {two}, {big}}, big, true, NO_LIT);
    lit_id inf = literal_splat(&fixture->pool, elem, scalar_highest(elem));
    // moving is exact on any element, arithmetic is not
    expect_fold(fixture, (struct node){OP_REVERSE, first, big, 1, {inf}, {big}}, NO_TYPE, true,
                inf);
    expect_fold(fixture, (struct node){OP_NEGATE, NO_ATTR, big, 1, {inf}, {big}}, NO_TYPE, true,
                NO_LIT);
}

static struct node reduce_node(struct fixture *fixture, enum op op, enum elem elem, int64_t size,
                               int64_t element, int64_t init)
{
    int64_t dims[2] = {size, 3};
    return (struct node){OP_REDUCE,
                         attr_make(&fixture->pool, 2, (int64_t[]){op, 0}),
                         NO_TYPE,
                         2,
                         {splat_of(fixture, elem, element), splat_of(fixture, elem, init)},
                         {type_of(fixture, elem, 2, dims), type_of(fixture, elem, 0, NULL)}};
}

static void test_huge_reductions(void **state)
{
    struct fixture *fixture = *state;
    int64_t n = INT64_C(1000000007);
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_I32, n, 3, 4), NO_TYPE, true,
                splat_of(fixture, ELEM_I32, 3 * n + 4));
    expect_fold(fixture, reduce_node(fixture, OP_MULTIPLY, ELEM_UI8, 5, 3, 2), NO_TYPE, true,
                splat_of(fixture, ELEM_UI8, 2 * 243));
    expect_fold(fixture, reduce_node(fixture, OP_MULTIPLY, ELEM_I64, n, -1, 7), NO_TYPE, true,
                splat_of(fixture, ELEM_I64, -7));
    expect_fold(fixture, reduce_node(fixture, OP_MAXIMUM, ELEM_F32, n, 3, -9), NO_TYPE, true,
                splat_of(fixture, ELEM_F32, 3));
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_F32, n, 0, 5), NO_TYPE, true,
                splat_of(fixture, ELEM_F32, 5));
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_F32, 4096, 1, 0), NO_TYPE, true,
                splat_of(fixture, ELEM_F32, 4096));
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_F32, n, 1, 0), NO_TYPE, true, NO_LIT);
    // bf16 sticks at 256: so does the interpreter, but not the real sum.
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_BF16, n, 1, 0), NO_TYPE, false,
                splat_of(fixture, ELEM_BF16, 256));
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_BF16, n, 1, 0), NO_TYPE, true, NO_LIT);
    expect_fold(fixture, reduce_node(fixture, OP_ADD, ELEM_F32, 0, 1, 6), NO_TYPE, true,
                splat_of(fixture, ELEM_F32, 6));
    expect_fold(fixture, reduce_node(fixture, OP_OR, ELEM_I1, n, 1, 0), NO_TYPE, true,
                splat_of(fixture, ELEM_I1, 1));
}

static void test_limits(void **state)
{
    struct fixture *fixture = *state;
    attr_id first = attr_make(&fixture->pool, 1, (int64_t[]){0});
    for (int64_t n = TENSOR_FOLD_ELEMENTS - 1; n <= TENSOR_FOLD_ELEMENTS + 1; n++) {
        type_id type = type_of(fixture, ELEM_I32, 1, &n);
        struct node node = {.op = OP_IOTA, .attr = first};
        lit_id out;
        assert_true(infer(fixture, &node, type));
        assert_int_equal(fold(fixture, &node, false, &out), n <= TENSOR_FOLD_ELEMENTS);
    }
    int64_t n = 300; // bf16 has no 257
    struct node node = {.op = OP_IOTA, .attr = first};
    lit_id out;
    assert_true(infer(fixture, &node, type_of(fixture, ELEM_BF16, 1, &n)));
    assert_false(fold(fixture, &node, true, &out));
    assert_true(fold(fixture, &node, false, &out));
    // A parameter's literal is unknown.
    node = reduce_node(fixture, OP_ADD, ELEM_I32, 3, 1, 0);
    node.lit[0] = NO_LIT;
    assert_true(infer(fixture, &node, NO_TYPE));
    assert_false(fold(fixture, &node, false, &out));
    // A literal that does not fit its type is refused, not read.
    int32_t data[2] = {1, 2};
    node.lit[0] = literal_make(&fixture->pool, ELEM_I32, 2, data);
    assert_false(fold(fixture, &node, false, &out));
}

// ---- sums whose order an implementation chooses

#define TERMS 5

static double sum_in_order(enum elem elem, const double *x, const uint32_t *order)
{
    struct scalar sum = scalar_of_double(elem, x[order[0]]);
    struct err err = {0};
    for (uint32_t i = 1; i < TERMS; i++)
        assert_true(
            eval_binary(OP_ADD, elem, sum, scalar_of_double(elem, x[order[i]]), &sum, &err));
    return scalar_to_double(elem, sum);
}

// Tries every order of the terms from place `at` on.
static void check_orders(enum elem elem, const double *x, uint32_t *order, uint32_t at, double want)
{
    if (at == TERMS) {
        double sum = sum_in_order(elem, x, order);
        if (memcmp(&sum, &want, sizeof sum) != 0)
            fail_msg("%a + %a + %a + %a + %a: %a or %a", x[0], x[1], x[2], x[3], x[4], want, sum);
        return;
    }
    for (uint32_t i = at; i < TERMS; i++) {
        uint32_t a = order[at], b = order[i];
        order[at] = b, order[i] = a;
        check_orders(elem, x, order, at + 1, want);
        order[at] = a, order[i] = b;
    }
}

// x[0] is the initial value.
static bool fold_terms(struct fixture *fixture, enum elem elem, const double *x, double *out)
{
    struct scalar terms[TERMS - 1];
    int64_t size = TERMS - 1, attr[2] = {(int64_t)OP_ADD, 0};
    struct node node = {.op = OP_REDUCE, .n = 2, .attr = attr_make(&fixture->pool, 2, attr)};
    struct value value = {.type = type_of(fixture, elem, 1, &size), .data = terms};
    lit_id lit;
    for (uint32_t i = 1; i < TERMS; i++)
        scalar_store(elem, value.data, i - 1, scalar_of_double(elem, x[i]));
    node.types[0] = value.type;
    node.types[1] = type_of(fixture, elem, 0, NULL);
    node.lit[0] = literal_of(fixture, &value);
    node.lit[1] = literal_splat(&fixture->pool, elem, scalar_of_double(elem, x[0]));
    assert_true(infer(fixture, &node, NO_TYPE));
    bool ok = fold_as(fixture, &node, READ_FLOAT, &lit);
    if (ok)
        *out = scalar_to_double(elem, literal_get(&fixture->pool, lit, 0));
    return ok;
}

// A sum that folds bit for bit is the same in every order.
static void test_orders(void **state)
{
    struct fixture *fixture = *state;
    static const enum elem elems[] = {ELEM_BF16, ELEM_F16, ELEM_F32, ELEM_F64};
    uint32_t folded = 0, left = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        enum elem elem = elems[i % 4];
        double x[TERMS], sum = 0;
        uint32_t order[TERMS] = {0, 1, 2, 3, 4};
        int bits = (int)rng_below(&fixture->rng, elem_precision(elem) + 1);
        for (uint32_t k = 0; k < TERMS; k++) {
            double v = (double)rng_range(&fixture->rng, -(INT64_C(1) << bits), INT64_C(1) << bits);
            v = i % 16 < 4 && rng_below(&fixture->rng, 4) == 0 ? ldexp(v, -3) : v;
            x[k] = v == 0 && rng_below(&fixture->rng, 4) == 0 ? -0.0 : v;
        }
        if (fold_terms(fixture, elem, x, &sum)) {
            check_orders(elem, x, order, 0, sum);
            folded++;
        } else {
            left++;
        }
    }
    assert_true(folded > 500 && left > 500);
}

// Counts are folded; products, and functions whose last bits are left open, are not.
static void test_bits(void **state)
{
    struct fixture *fixture = *state;
    struct scalar half = scalar_of_double(ELEM_F32, 0.5);
    lit_id out;
    for (int k = 0; k < 2; k++) {
        enum op op = k == 0 ? OP_ADD : OP_MULTIPLY;
        struct node node = reduce_node(fixture, op, ELEM_F32, 1 << 10, 1, k);
        assert_true(infer(fixture, &node, NO_TYPE));
        assert_int_equal(fold_as(fixture, &node, READ_FLOAT, &out), k == 0);
        assert_true(fold_as(fixture, &node, READ_FLOAT_SUMS, &out));
    }
    static const enum op open[] = {OP_EXPONENTIAL, OP_TANH, OP_LOG, OP_SINE};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        struct node node = point_node(fixture, open[i], ELEM_F32, 1, &half);
        assert_false(fold_as(fixture, &node, READ_FLOAT, &out));
        assert_false(fold_as(fixture, &node, READ_FLOAT_SUMS, &out));
    }
    struct node root = point_node(fixture, OP_SQRT, ELEM_F32, 1, &half);
    assert_true(fold_as(fixture, &root, READ_FLOAT, &out));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_exact_edges), TEST(test_exact_convert), TEST(test_exact_compare),
        TEST(test_huge_splats), TEST(test_limits),        TEST(test_huge_reductions),
        TEST(test_orders),      TEST(test_bits),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
