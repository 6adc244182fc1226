// SPDX-License-Identifier: Apache-2.0
// The interpreter on tensors: data movement and reductions against the
// definitions of the specification written index by index, terms, opaque
// nodes, and the functions on values.
#include <math.h>
#include "tests/unit/support/tensor_values.h"

static enum elem some_elem(struct fixture *fixture)
{
    return (enum elem)(1 + rng_below(&fixture->rng, N_ELEMS - 1));
}

static struct value some_value(struct fixture *fixture, enum elem elem, uint32_t rank)
{
    int64_t dims[4];
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = rng_below(&fixture->rng, 12) ? rng_range(&fixture->rng, 1, 4) : 0;
    return value_random(&fixture->pool, type_of(fixture, elem, rank, dims), &fixture->rng, true,
                        &fixture->mem);
}

static void test_broadcast(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4), n = 0;
        struct value in = some_value(fixture, some_elem(fixture), rank);
        int64_t to[8], dims[4], index[TENSOR_MAX_RANK];
        // New axes in between, old ones of size 1 stretched, order kept.
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&fixture->pool, in.type)[i];
            if (rng_below(&fixture->rng, 2))
                to[n++] = rng_range(&fixture->rng, 0, 3);
            dims[i] = n;
            to[n++] = size == 1 ? rng_range(&fixture->rng, 0, 3) : size;
        }
        if (rank == 2 && rng_below(&fixture->rng, 2)) { // and swapped
            int64_t d = dims[0], s = to[dims[0]];
            to[dims[0]] = to[dims[1]], to[dims[1]] = s;
            dims[0] = dims[1], dims[1] = d;
        }
        type_id type = type_of(fixture, type_elem(&fixture->pool, in.type), n, to);
        struct value out = run(fixture, OP_BROADCAST_IN_DIM, rank, dims, type, 1, &in);
        EACH_INDEX(fixture, type, index)
        {
            int64_t from[TENSOR_MAX_RANK];
            for (uint32_t i = 0; i < rank; i++)
                from[i] = type_dims(&fixture->pool, in.type)[i] == 1 ? 0 : index[dims[i]];
            assert_same(fixture, &out, index, at(fixture, &in, from));
        }
    }
}

static void test_transpose_reverse(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 5), n = 0;
        struct value in = some_value(fixture, some_elem(fixture), rank);
        int64_t perm[4] = {0, 1, 2, 3}, dims[4], index[TENSOR_MAX_RANK];
        int64_t from[TENSOR_MAX_RANK];
        for (uint32_t i = rank; i > 1; i--) {
            uint64_t j = rng_below(&fixture->rng, i);
            int64_t k = perm[i - 1];
            perm[i - 1] = perm[j], perm[j] = k;
        }
        struct value out = run(fixture, OP_TRANSPOSE, rank, perm, NO_TYPE, 1, &in);
        EACH_INDEX(fixture, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[perm[i]] = index[i];
            assert_same(fixture, &out, index, at(fixture, &in, from));
        }
        bool turned[4] = {false};
        for (uint32_t i = 0; i < rank; i++)
            if (rng_below(&fixture->rng, 2)) {
                dims[n++] = i;
                turned[i] = true;
            }
        out = run(fixture, OP_REVERSE, n, dims, NO_TYPE, 1, &in);
        EACH_INDEX(fixture, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] =
                    turned[i] ? type_dims(&fixture->pool, in.type)[i] - 1 - index[i] : index[i];
            assert_same(fixture, &out, index, at(fixture, &in, from));
        }
    }
}

static void test_slice(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4);
        struct value in = some_value(fixture, some_elem(fixture), rank);
        int64_t v[12], index[TENSOR_MAX_RANK], from[TENSOR_MAX_RANK];
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&fixture->pool, in.type)[i];
            v[i] = rng_range(&fixture->rng, 0, size);
            v[rank + i] = rng_range(&fixture->rng, v[i], size);
            v[2 * rank + i] =
                rng_below(&fixture->rng, 4) ? rng_range(&fixture->rng, 1, 3) : INT64_C(1) << 61;
        }
        struct value out = run(fixture, OP_SLICE, 3 * rank, v, NO_TYPE, 1, &in);
        EACH_INDEX(fixture, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] = v[i] + index[i] * v[2 * rank + i];
            assert_same(fixture, &out, index, at(fixture, &in, from));
        }
    }
}

static void test_pad(void **state)
{
    struct fixture *fixture = *state;
    int checked = 0;
    for (int round = 0; round < 1500; round++) {
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4);
        enum elem elem = some_elem(fixture);
        struct value args[2] = {some_value(fixture, elem, rank), some_value(fixture, elem, 0)};
        int64_t v[12], index[TENSOR_MAX_RANK], from[TENSOR_MAX_RANK];
        bool fits = true;
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&fixture->pool, args[0].type)[i], n;
            v[i] = rng_range(&fixture->rng, -4, 3);
            v[rank + i] = rng_range(&fixture->rng, -4, 3);
            v[2 * rank + i] = rng_range(&fixture->rng, 0, 3);
            fits &= pad_size(size, v[i], v[rank + i], v[2 * rank + i], &n);
        }
        if (!fits)
            continue;
        checked++;
        struct value out = run(fixture, OP_PAD, 3 * rank, v, NO_TYPE, 2, args);
        EACH_INDEX(fixture, out.type, index)
        {
            bool inside = true;
            for (uint32_t i = 0; i < rank; i++) {
                int64_t size = type_dims(&fixture->pool, args[0].type)[i], j = 0;
                while (j < size && v[i] + j * (v[2 * rank + i] + 1) != index[i])
                    j++;
                from[i] = j;
                inside &= j < size;
            }
            assert_same(fixture, &out, index,
                        inside ? at(fixture, &args[0], from) : at(fixture, &args[1], NULL));
        }
    }
    assert_true(checked > 400);
}

// An interior that nothing bounds: there are no two elements to part.
static void test_pad_huge_interior(void **state)
{
    struct fixture *fixture = *state;
    struct value args[2] = {value_random(&fixture->pool,
                                         type_of(fixture, ELEM_I32, 1, (int64_t[]){1}),
                                         &fixture->rng, false, &fixture->mem),
                            some_value(fixture, ELEM_I32, 0)};
    int64_t v[3] = {1, 2, INT64_C(1) << 60}, two = 1;
    struct value out = run(fixture, OP_PAD, 3, v, NO_TYPE, 2, args);
    assert_int_equal(type_count(&fixture->pool, out.type), 4);
    assert_same(fixture, &out, &two, at(fixture, &args[0], (int64_t[]){0}));
}

static void test_concatenate(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 300; round++) {
        uint32_t rank = 1 + (uint32_t)rng_below(&fixture->rng, 3), n;
        int64_t dim = (int64_t)rng_below(&fixture->rng, rank), dims[4];
        int64_t index[TENSOR_MAX_RANK];
        enum elem elem = some_elem(fixture);
        struct value args[4];
        for (uint32_t i = 0; i < rank; i++)
            dims[i] = rng_range(&fixture->rng, 1, 3);
        n = 1 + (uint32_t)rng_below(&fixture->rng, 4);
        for (uint32_t i = 0; i < n; i++) {
            dims[dim] = rng_range(&fixture->rng, 0, 3);
            args[i] = value_random(&fixture->pool, type_of(fixture, elem, rank, dims),
                                   &fixture->rng, true, &fixture->mem);
        }
        struct value out = run(fixture, OP_CONCATENATE, 1, &dim, NO_TYPE, n, args);
        EACH_INDEX(fixture, out.type, index)
        {
            int64_t from[TENSOR_MAX_RANK];
            uint32_t k = 0;
            memcpy(from, index, sizeof from);
            while (from[dim] >= type_dims(&fixture->pool, args[k].type)[dim])
                from[dim] -= type_dims(&fixture->pool, args[k++].type)[dim];
            assert_same(fixture, &out, index, at(fixture, &args[k], from));
        }
    }
}

static void test_iota(void **state)
{
    struct fixture *fixture = *state;
    for (enum elem elem = ELEM_I2; elem < N_ELEMS; elem++) {
        int64_t dims[3] = {2, 300, 1}, index[TENSOR_MAX_RANK];
        for (int64_t d = 0; d < 3; d++) {
            struct value out =
                run(fixture, OP_IOTA, 1, &d, type_of(fixture, elem, 3, dims), 0, NULL);
            EACH_INDEX(fixture, out.type, index)
            {
                struct err err = {0};
                struct scalar scalar = {.bits = (uint64_t)index[d]}, want;
                assert_true(eval_convert(ELEM_I32, elem, scalar, &want, &err));
                assert_same(fixture, &out, index, want);
            }
        }
    }
}

// For each result element, walk the whole input and take what belongs to it.
static void check_reduce(struct fixture *fixture, const struct value *args, enum op op, uint32_t n,
                         const int64_t *dims)
{
    enum elem elem = type_elem(&fixture->pool, args[0].type);
    int64_t v[5] = {op}, index[TENSOR_MAX_RANK], from[TENSOR_MAX_RANK];
    bool reduced[4] = {false};
    for (uint32_t i = 0; i < n; i++) {
        v[1 + i] = dims[i];
        reduced[dims[i]] = true;
    }
    struct value out = run(fixture, OP_REDUCE, 1 + n, v, NO_TYPE, 2, args);
    EACH_INDEX(fixture, out.type, index)
    {
        struct err err = {0};
        struct scalar acc = at(fixture, &args[1], NULL);
        EACH_INDEX(fixture, args[0].type, from)
        {
            bool mine = true;
            uint32_t k = 0;
            for (uint32_t i = 0; i < type_rank(&fixture->pool, args[0].type); i++)
                if (!reduced[i])
                    mine &= from[i] == index[k++];
            if (mine)
                assert_true(eval_binary(op, elem, acc, at(fixture, &args[0], from), &acc, &err));
        }
        assert_same(fixture, &out, index, acc);
    }
}

static void test_reduce(void **state)
{
    struct fixture *fixture = *state;
    static const enum op reducers[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM, OP_AND, OP_OR};
    for (int round = 0; round < 1000; round++) {
        enum op op = reducers[rng_below(&fixture->rng, 6)];
        enum elem elem = some_elem(fixture);
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4), n = 0;
        int64_t dims[4];
        // Products of many rationals do not fit.
        if (!(op_kinds(op) & (unsigned)elem_kind(elem)) || elem_is_ideal(elem))
            continue;
        for (uint32_t i = 0; i < rank; i++)
            if (rng_below(&fixture->rng, 2))
                dims[n++] = i;
        struct value args[2] = {some_value(fixture, elem, rank), some_value(fixture, elem, 0)};
        check_reduce(fixture, args, op, n, dims);
    }
}

static void test_select_clamp(void **state)
{
    struct fixture *fixture = *state;
    struct value value = ints(fixture, ELEM_I32, 3, (int64_t[]){3, 13, 23});
    struct value b = ints(fixture, ELEM_I32, 3, (int64_t[]){5, 10, 15});
    struct value c = ints(fixture, ELEM_I32, 3, (int64_t[]){10, 15, 20});
    struct value p = ints(fixture, ELEM_I1, 3, (int64_t[]){0, 1, 0});
    struct value lo = rank0(fixture, ELEM_I32, 7), hi = rank0(fixture, ELEM_I32, 20);
    struct value args[3] = {b, value, c};
    expect_text(fixture, run(fixture, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<[5, 13, 20]> : tensor<3xi32>");
    args[0] = lo, args[2] = hi;
    expect_text(fixture, run(fixture, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<[7, 13, 20]> : tensor<3xi32>");
    args[0] = hi, args[2] = lo; // bounds crossed: the upper one wins
    expect_text(fixture, run(fixture, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<7> : tensor<3xi32>");
    args[0] = p, args[2] = b;
    expect_text(fixture, run(fixture, OP_SELECT, 0, NULL, NO_TYPE, 3, args),
                "dense<[5, 13, 15]> : tensor<3xi32>");
    args[0] = rank0(fixture, ELEM_I1, 1);
    expect_text(fixture, run(fixture, OP_SELECT, 0, NULL, NO_TYPE, 3, args),
                "dense<[3, 13, 23]> : tensor<3xi32>");
    args[0] = value, args[1] = b;
    expect_text(fixture,
                run(fixture, OP_COMPARE, 2, (int64_t[]){CMP_LT, CMPT_SIGNED}, NO_TYPE, 2, args),
                "dense<[true, false, false]> : tensor<3xi1>");
    args[0] = value_random(&fixture->pool, type_of(fixture, ELEM_F32, 1, (int64_t[]){0}),
                           &fixture->rng, true, &fixture->mem);
    expect_text(fixture, run(fixture, OP_IS_FINITE, 0, NULL, NO_TYPE, 1, args),
                "dense<> : tensor<0xi1>");
}

static void test_failures(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct value out, value = ints(fixture, ELEM_I32, 3, (int64_t[]){1, 2, 3});
    struct value bad[2] = {value, ints(fixture, ELEM_I32, 1, (int64_t[]){1})};
    // Ill-typed nodes fail instead of reading past their operands.
    assert_false(eval_node(&fixture->pool, (struct operation){OP_ADD, NO_ATTR, value.type, 2}, bad,
                           &fixture->mem, &out, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_clear(&err);
    attr_id wide = attr_make(&fixture->pool, 3, (int64_t[]){0, 9, 1});
    assert_false(eval_node(&fixture->pool, (struct operation){OP_SLICE, wide, value.type, 1}, bad,
                           &fixture->mem, &out, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_clear(&err);
    type_id huge = type_of(fixture, ELEM_F64, 1, (int64_t[]){INT64_C(1) << 40});
    attr_id zero = attr_make(&fixture->pool, 1, (int64_t[]){0});
    assert_false(eval_node(&fixture->pool, (struct operation){OP_IOTA, zero, huge, 0}, NULL,
                           &fixture->mem, &out, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
}

static void test_same(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_F32, 1, (int64_t[]){4});
    float a[4] = {1000, NAN, 0, INFINITY}, b[4] = {1000, NAN, 0, INFINITY};
    struct value va = {.type = type, .data = a}, vb = {.type = type, .data = b};
    int64_t i;
    assert_true(value_same(&fixture->pool, &va, &vb, 0, &i));
    b[2] = 0.5f; // small against 1000
    assert_false(value_same(&fixture->pool, &va, &vb, 0, &i));
    assert_int_equal(i, 2);
    assert_true(value_same(&fixture->pool, &va, &vb, 1e-3, &i));
    assert_false(value_same(&fixture->pool, &va, &vb, 1e-4, &i));
    b[2] = -0.0f;
    assert_false(value_same(&fixture->pool, &va, &vb, 0, &i));
    assert_true(value_same(&fixture->pool, &va, &vb, 1e-9, &i));
    b[3] = -INFINITY;
    assert_false(value_same(&fixture->pool, &va, &vb, 1e-3, &i));
    assert_int_equal(i, 3);
    b[3] = INFINITY, b[1] = 3;
    assert_false(value_same(&fixture->pool, &va, &vb, 1e-3, &i));
    assert_int_equal(i, 1);
    vb = ints(fixture, ELEM_I32, 4, (int64_t[]){0, 0, 0, 0});
    assert_false(value_same(&fixture->pool, &va, &vb, 1, &i));
    assert_int_equal(i, -1);
}

static void test_print(void **state)
{
    struct fixture *fixture = *state;
    float f[4] = {1, 0.1f, -INFINITY, 16777216};
    struct value value = {.type = type_of(fixture, ELEM_F32, 2, (int64_t[]){2, 2}), .data = f};
    expect_text(fixture, value,
                "dense<[[1.000000e+00, 1.000000e-01], [0xFF800000, "
                "1.6777216e+07]]> : tensor<2x2xf32>");
    f[0] = 1.0f / 3;
    value.type = type_of(fixture, ELEM_F32, 0, NULL);
    expect_text(fixture, value, "dense<3.3333334e-01> : tensor<f32>");
    expect_text(fixture, ints(fixture, ELEM_I8, 2, (int64_t[]){-7, -7}),
                "dense<-7> : tensor<2xi8>");
    expect_text(fixture, ints(fixture, ELEM_UI64, 2, (int64_t[]){-1, 2}),
                "dense<[18446744073709551615, 2]> : tensor<2xui64>");
    expect_text(fixture, ints(fixture, ELEM_I1, 2, (int64_t[]){1, 0}),
                "dense<[true, false]> : tensor<2xi1>");
    value = ints(fixture, ELEM_I32, 4, (int64_t[]){1, 2, 3, 4});
    value.type = type_of(fixture, ELEM_I32, 3, (int64_t[]){2, 1, 2});
    expect_text(fixture, value, "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>");
    value = ints(fixture, ELEM_F16, 2, (int64_t[]){-3, 0});
    expect_text(fixture, value, "dense<[-3.000000e+00, 0.000000e+00]> : tensor<2xf16>");
}

static void test_random(void **state)
{
    struct fixture *fixture = *state;
    bool nan = false, inf = false, minus_zero = false;
    type_id type = type_of(fixture, ELEM_F32, 1, (int64_t[]){2000});
    struct value plain = value_random(&fixture->pool, type, &fixture->rng, false, &fixture->mem);
    struct value wild = value_random(&fixture->pool, type, &fixture->rng, true, &fixture->mem);
    for (size_t i = 0; i < 2000; i++) {
        float a = ((float *)plain.data)[i], b = ((float *)wild.data)[i];
        assert_true(a >= -2 && a <= 2);
        nan |= isnan(b) != 0;
        inf |= isinf(b) != 0;
        minus_zero |= b == 0 && signbit(b);
    }
    assert_true(nan && inf && minus_zero);
    struct rng r1, r2;
    rng_seed(&r1, 5);
    rng_seed(&r2, 5);
    for (enum elem elem = ELEM_I1; elem < N_ELEMS; elem++) {
        int64_t i;
        type = type_of(fixture, elem, 1, (int64_t[]){50});
        struct value value = value_random(&fixture->pool, type, &r1, true, &fixture->mem);
        struct value b = value_random(&fixture->pool, type, &r2, true, &fixture->mem);
        assert_true(value_same(&fixture->pool, &value, &b, 0, &i));
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_broadcast),    TEST(test_transpose_reverse), TEST(test_slice), TEST(test_pad),
        TEST(test_concatenate),  TEST(test_pad_huge_interior), TEST(test_iota),  TEST(test_reduce),
        TEST(test_select_clamp), TEST(test_failures),          TEST(test_same),  TEST(test_print),
        TEST(test_random),
    };
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
