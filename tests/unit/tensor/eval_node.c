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

static term_id node(struct fixture *fixture, enum op op, uint32_t n_attr, const int64_t *attr,
                    type_id want, uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id id;
    attr_id a = attr_make(&fixture->pool, n_attr, attr);
    if (!term_build(&fixture->terms, (struct operation){op, a, want, n}, args, &id, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return id;
}

static term_id parameter(struct fixture *fixture, int64_t function, int64_t index, type_id type)
{
    return node(fixture, OP_PARAMETER, 2, (int64_t[]){function, index}, type, 0, NULL);
}

static void test_deep(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct value value = ints(fixture, ELEM_I32, 2, (int64_t[]){1, 3}), out[2];
    term_id term = parameter(fixture, 0, 0, value.type), top = term;
    for (int i = 0; i < 30000; i++)
        top = node(fixture, OP_ADD, 0, NULL, NO_TYPE, 2, (term_id[]){top, term});
    term_id roots[2] = {top, term};
    assert_true(eval_terms(&(struct eval_input){&fixture->terms, 1, &value, &fixture->mem}, 2,
                           roots, out, &err));
    expect_text(fixture, out[0], "dense<[30001, 90003]> : tensor<2xi32>");
    expect_text(fixture, out[1], "dense<[1, 3]> : tensor<2xi32>");
}

static void test_parameters(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct value value = ints(fixture, ELEM_I32, 2, (int64_t[]){1, 3}), out;
    type_id other = type_of(fixture, ELEM_I32, 1, (int64_t[]){3});
    term_id bad[3] = {parameter(fixture, 0, 1, value.type), parameter(fixture, 0, 0, other)};
    bad[2] = node(
        fixture, OP_ADD, 0, NULL, NO_TYPE, 2,
        (term_id[]){parameter(fixture, 0, 0, value.type), parameter(fixture, 1, 0, value.type)});
    for (int i = 0; i < 3; i++) {
        err_clear(&err);
        assert_false(eval_terms(&(struct eval_input){&fixture->terms, 1, &value, &fixture->mem}, 1,
                                &bad[i], &out, &err));
        assert_int_equal(err.kind, ERR_INPUT);
    }
}

static term_id opaque(struct fixture *fixture, const char *text, int64_t n_results, int64_t serial,
                      type_id type, uint32_t n, const term_id *args)
{
    int64_t v[3] = {sym_make(&fixture->pool, text).v, n_results, serial};
    return node(fixture, OP_OPAQUE, 3, v, type, n, args);
}

static struct value eval_one(struct fixture *fixture, term_id root, uint32_t n,
                             const struct value *params)
{
    struct err err = {0};
    struct value out;
    if (!eval_terms(&(struct eval_input){&fixture->terms, n, params, &fixture->mem}, 1, &root, &out,
                    &err))
        fail_msg("%s", err.msg);
    return out;
}

static double distance(struct fixture *fixture, const struct value *a, const struct value *b)
{
    enum elem elem = type_elem(&fixture->pool, a->type);
    double d = 0;
    for (int64_t i = 0; i < type_count(&fixture->pool, a->type); i++)
        d = fmax(d, fabs(scalar_to_double(elem, scalar_load(elem, a->data, (size_t)i)) -
                         scalar_to_double(elem, scalar_load(elem, b->data, (size_t)i))));
    return d;
}

// Every element of every operand moves the result, a little if it moves a
// little, also through a value without data.
static void test_opaque_floats(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_F64, 2, (int64_t[]){5, 7});
    type_id hidden = type_other(&fixture->pool, "tensor<35xcomplex<f64>>");
    term_id term[2] = {parameter(fixture, 0, 0, type), parameter(fixture, 0, 1, type)};
    term_id direct = opaque(fixture, "dot {0} {1}", 1, 0, type, 2, term);
    term_id z = opaque(fixture, "complex {0} {1}", 1, 0, hidden, 2, term);
    term_id through = opaque(fixture, "abs {0}", 1, 0, type, 1, &z);
    struct value value[2] = {
        value_random(&fixture->pool, type, &fixture->rng, false, &fixture->mem),
        value_random(&fixture->pool, type, &fixture->rng, false, &fixture->mem)};
    for (int k = 0; k < 2; k++) {
        term_id root = k ? through : direct;
        struct value before = eval_one(fixture, root, 2, value);
        struct value again = eval_one(fixture, root, 2, value);
        assert_true(distance(fixture, &before, &again) == 0);
        for (size_t i = 0; i < 70; i++) {
            double *cell = (double *)value[i / 35].data + i % 35, old = *cell;
            *cell = old + 1e-9;
            struct value near = eval_one(fixture, root, 2, value);
            *cell = old + 0.5;
            struct value far = eval_one(fixture, root, 2, value);
            *cell = old;
            assert_true(distance(fixture, &before, &near) < 1e-7);
            assert_true(distance(fixture, &before, &near) > 0);
            assert_true(distance(fixture, &before, &far) > 1e-4);
        }
    }
    assert_null(eval_one(fixture, z, 2, value).data);
}

// In large tensors most single elements still move some result by much.
static void test_opaque_large(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_F64, 1, (int64_t[]){4096});
    term_id term = parameter(fixture, 0, 0, type);
    term_id root = opaque(fixture, "cumsum {0}", 1, 0, type, 1, &term);
    struct value value = value_random(&fixture->pool, type, &fixture->rng, false, &fixture->mem);
    struct value before = eval_one(fixture, root, 1, &value);
    int moved = 0;
    for (size_t i = 0; i < 4096; i += 64) {
        double *cell = (double *)value.data + i, old = *cell;
        *cell = old + 0.5;
        struct value after = eval_one(fixture, root, 1, &value);
        *cell = old;
        moved += distance(fixture, &before, &after) > 0.03;
    }
    assert_true(moved > 32);
}

static void test_opaque_text(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_F32, 1, (int64_t[]){6});
    type_id b = type_of(fixture, ELEM_I1, 1, (int64_t[]){40});
    struct value value = value_random(&fixture->pool, type, &fixture->rng, true, &fixture->mem);
    int64_t index;
    term_id term = parameter(fixture, 0, 0, type);
    term_id one = opaque(fixture, "sort {0}", 1, 0, type, 1, &term);
    term_id two = opaque(fixture, "sort {0} x", 1, 0, type, 1, &term);
    term_id effect = opaque(fixture, "sort {0}", 1, 9, type, 1, &term);
    struct value a = eval_one(fixture, one, 1, &value), c = eval_one(fixture, two, 1, &value);
    struct value d = eval_one(fixture, effect, 1, &value);
    assert_false(value_same(&fixture->pool, &a, &c, 1e-3, &index));
    assert_true(value_same(&fixture->pool, &a, &d, 0, &index));
    for (int64_t i = 0; i < 6; i++)
        assert_true(isfinite(scalar_to_double(ELEM_F32, scalar_load(ELEM_F32, a.data, (size_t)i))));
    // Discrete results do not see floats, but they see integers.
    term_id mask = opaque(fixture, "mask {0}", 1, 0, b, 1, &term);
    struct value w = value_random(&fixture->pool, type, &fixture->rng, true, &fixture->mem);
    a = eval_one(fixture, mask, 1, &value), c = eval_one(fixture, mask, 1, &w);
    assert_true(value_same(&fixture->pool, &a, &c, 0, &index));
    term_id q = parameter(fixture, 0, 0, b);
    mask = opaque(fixture, "mask {0}", 1, 0, b, 1, &q);
    value = value_random(&fixture->pool, b, &fixture->rng, false, &fixture->mem);
    a = eval_one(fixture, mask, 1, &value);
    ((unsigned char *)value.data)[17] ^= 1;
    c = eval_one(fixture, mask, 1, &value);
    assert_false(value_same(&fixture->pool, &a, &c, 0, &index));
}

// The numbers are part of what programs print: fixed for all machines.
static void test_opaque_fixed(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_I32, 1, (int64_t[]){5});
    term_id root = opaque(fixture, "rng", 1, 3, type, 0, NULL);
    expect_text(fixture, eval_one(fixture, root, 0, NULL),
                "dense<[0, 2, -1, 4, 3]> : tensor<5xi32>");
}

static void test_opaque_tuple(void **state)
{
    struct fixture *fixture = *state;
    type_id type = type_of(fixture, ELEM_F32, 1, (int64_t[]){6});
    type_id types[3] = {type, type_other(&fixture->pool, "!stablehlo.token"), type};
    type_id tuple = type_tuple(&fixture->pool, 3, types);
    struct value value = value_random(&fixture->pool, type, &fixture->rng, true, &fixture->mem);
    int64_t index;
    term_id term = parameter(fixture, 0, 0, type);
    term_id call = opaque(fixture, "f {0}", 3, 0, tuple, 1, &term), part[3];
    for (int64_t k = 0; k < 3; k++)
        part[k] = node(fixture, OP_RESULT, 1, &k, types[k], 1, &call);
    struct value a = eval_one(fixture, part[0], 1, &value);
    struct value b = eval_one(fixture, part[2], 1, &value);
    assert_false(value_same(&fixture->pool, &a, &b, 1e-3, &index));
    assert_null(eval_one(fixture, part[1], 1, &value).data);
    struct value all = eval_one(fixture, call, 1, &value);
    assert_true(value_same(&fixture->pool, &((struct value *)all.data)[2], &b, 0, &index));
    term_id g = opaque(fixture, "g {0}", 1, 0, type, 1, &part[1]);
    assert_int_equal(eval_one(fixture, g, 1, &value).type.v, type.v);
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
        TEST(test_broadcast),    TEST(test_transpose_reverse),
        TEST(test_slice),        TEST(test_pad),
        TEST(test_concatenate),  TEST(test_pad_huge_interior),
        TEST(test_iota),         TEST(test_reduce),
        TEST(test_select_clamp), TEST(test_failures),
        TEST(test_deep),         TEST(test_parameters),
        TEST(test_opaque_large), TEST(test_opaque_floats),
        TEST(test_opaque_text),  TEST(test_opaque_fixed),
        TEST(test_opaque_tuple), TEST(test_same),
        TEST(test_print),        TEST(test_random),
    };
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
