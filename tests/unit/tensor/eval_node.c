// SPDX-License-Identifier: Apache-2.0
// The interpreter on tensors: data movement and reductions against the
// definitions of the specification written index by index, terms, opaque
// nodes, and the functions on values.
#include <math.h>
#include "tests/unit/support/tensor_values.h"

static enum elem some_elem(struct fixture *x)
{
    return (enum elem)(1 + rng_below(&x->r, N_ELEMS - 1));
}

static struct value some_value(struct fixture *x, enum elem t, uint32_t rank)
{
    int64_t dims[4];
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = rng_below(&x->r, 12) ? rng_range(&x->r, 1, 4) : 0;
    return value_random(&x->p, type_of(x, t, rank, dims), &x->r, true, &x->mem);
}

static void test_broadcast(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&x->r, 4), n = 0;
        struct value in = some_value(x, some_elem(x), rank);
        int64_t to[8], dims[4], index[MAX_RANK];
        // New axes in between, old ones of size 1 stretched, order kept.
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&x->p, in.type)[i];
            if (rng_below(&x->r, 2))
                to[n++] = rng_range(&x->r, 0, 3);
            dims[i] = n;
            to[n++] = size == 1 ? rng_range(&x->r, 0, 3) : size;
        }
        if (rank == 2 && rng_below(&x->r, 2)) { // and swapped
            int64_t d = dims[0], s = to[dims[0]];
            to[dims[0]] = to[dims[1]], to[dims[1]] = s;
            dims[0] = dims[1], dims[1] = d;
        }
        type_id type = type_of(x, type_elem(&x->p, in.type), n, to);
        struct value out =
            run(x, OP_BROADCAST_IN_DIM, rank, dims, type, 1, &in);
        EACH_INDEX(x, type, index)
        {
            int64_t from[MAX_RANK];
            for (uint32_t i = 0; i < rank; i++)
                from[i] =
                    type_dims(&x->p, in.type)[i] == 1 ? 0 : index[dims[i]];
            assert_same(x, &out, index, at(x, &in, from));
        }
    }
}

static void test_transpose_reverse(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&x->r, 5), n = 0;
        struct value in = some_value(x, some_elem(x), rank);
        int64_t perm[4] = {0, 1, 2, 3}, dims[4], index[MAX_RANK];
        int64_t from[MAX_RANK];
        for (uint32_t i = rank; i > 1; i--) {
            uint64_t j = rng_below(&x->r, i);
            int64_t k = perm[i - 1];
            perm[i - 1] = perm[j], perm[j] = k;
        }
        struct value out = run(x, OP_TRANSPOSE, rank, perm, NO_TYPE, 1, &in);
        EACH_INDEX(x, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[perm[i]] = index[i];
            assert_same(x, &out, index, at(x, &in, from));
        }
        bool turned[4] = {false};
        for (uint32_t i = 0; i < rank; i++)
            if (rng_below(&x->r, 2)) {
                dims[n++] = i;
                turned[i] = true;
            }
        out = run(x, OP_REVERSE, n, dims, NO_TYPE, 1, &in);
        EACH_INDEX(x, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] = turned[i]
                              ? type_dims(&x->p, in.type)[i] - 1 - index[i]
                              : index[i];
            assert_same(x, &out, index, at(x, &in, from));
        }
    }
}

static void test_slice(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t rank = (uint32_t)rng_below(&x->r, 4);
        struct value in = some_value(x, some_elem(x), rank);
        int64_t v[12], index[MAX_RANK], from[MAX_RANK];
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&x->p, in.type)[i];
            v[i] = rng_range(&x->r, 0, size);
            v[rank + i] = rng_range(&x->r, v[i], size);
            v[2 * rank + i] =
                rng_below(&x->r, 4) ? rng_range(&x->r, 1, 3) : INT64_C(1) << 61;
        }
        struct value out = run(x, OP_SLICE, 3 * rank, v, NO_TYPE, 1, &in);
        EACH_INDEX(x, out.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] = v[i] + index[i] * v[2 * rank + i];
            assert_same(x, &out, index, at(x, &in, from));
        }
    }
}

static void test_pad(void **state)
{
    struct fixture *x = *state;
    int checked = 0;
    for (int round = 0; round < 1500; round++) {
        uint32_t rank = (uint32_t)rng_below(&x->r, 4);
        enum elem t = some_elem(x);
        struct value args[2] = {some_value(x, t, rank), some_value(x, t, 0)};
        int64_t v[12], index[MAX_RANK], from[MAX_RANK];
        bool fits = true;
        for (uint32_t i = 0; i < rank; i++) {
            int64_t size = type_dims(&x->p, args[0].type)[i], n;
            v[i] = rng_range(&x->r, -4, 3);
            v[rank + i] = rng_range(&x->r, -4, 3);
            v[2 * rank + i] = rng_range(&x->r, 0, 3);
            fits &= pad_size(size, v[i], v[rank + i], v[2 * rank + i], &n);
        }
        if (!fits)
            continue;
        checked++;
        struct value out = run(x, OP_PAD, 3 * rank, v, NO_TYPE, 2, args);
        EACH_INDEX(x, out.type, index)
        {
            bool inside = true;
            for (uint32_t i = 0; i < rank; i++) {
                int64_t size = type_dims(&x->p, args[0].type)[i], j = 0;
                while (j < size && v[i] + j * (v[2 * rank + i] + 1) != index[i])
                    j++;
                from[i] = j;
                inside &= j < size;
            }
            assert_same(x, &out, index,
                        inside ? at(x, &args[0], from) : at(x, &args[1], NULL));
        }
    }
    assert_true(checked > 400);
}

// An interior that nothing bounds: there are no two elements to part.
static void test_pad_huge_interior(void **state)
{
    struct fixture *x = *state;
    struct value args[2] = {
        value_random(&x->p, type_of(x, ELEM_I32, 1, (int64_t[]){1}), &x->r,
                     false, &x->mem),
        some_value(x, ELEM_I32, 0)};
    int64_t v[3] = {1, 2, INT64_C(1) << 60}, two = 1;
    struct value out = run(x, OP_PAD, 3, v, NO_TYPE, 2, args);
    assert_int_equal(type_count(&x->p, out.type), 4);
    assert_same(x, &out, &two, at(x, &args[0], (int64_t[]){0}));
}

static void test_concatenate(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 300; round++) {
        uint32_t rank = 1 + (uint32_t)rng_below(&x->r, 3), n;
        int64_t dim = (int64_t)rng_below(&x->r, rank), dims[4];
        int64_t index[MAX_RANK];
        enum elem t = some_elem(x);
        struct value args[4];
        for (uint32_t i = 0; i < rank; i++)
            dims[i] = rng_range(&x->r, 1, 3);
        n = 1 + (uint32_t)rng_below(&x->r, 4);
        for (uint32_t i = 0; i < n; i++) {
            dims[dim] = rng_range(&x->r, 0, 3);
            args[i] = value_random(&x->p, type_of(x, t, rank, dims), &x->r,
                                   true, &x->mem);
        }
        struct value out = run(x, OP_CONCATENATE, 1, &dim, NO_TYPE, n, args);
        EACH_INDEX(x, out.type, index)
        {
            int64_t from[MAX_RANK];
            uint32_t k = 0;
            memcpy(from, index, sizeof from);
            while (from[dim] >= type_dims(&x->p, args[k].type)[dim])
                from[dim] -= type_dims(&x->p, args[k++].type)[dim];
            assert_same(x, &out, index, at(x, &args[k], from));
        }
    }
}

static void test_iota(void **state)
{
    struct fixture *x = *state;
    for (enum elem t = ELEM_I2; t < N_ELEMS; t++) {
        int64_t dims[3] = {2, 300, 1}, index[MAX_RANK];
        for (int64_t d = 0; d < 3; d++) {
            struct value out =
                run(x, OP_IOTA, 1, &d, type_of(x, t, 3, dims), 0, NULL);
            EACH_INDEX(x, out.type, index)
            {
                struct err e = {0};
                struct scalar i = {.bits = (uint64_t)index[d]}, want;
                assert_true(eval_convert(ELEM_I32, t, i, &want, &e));
                assert_same(x, &out, index, want);
            }
        }
    }
}

// For each result element, walk the whole input and take what belongs to it.
static void check_reduce(struct fixture *x, const struct value *args,
                         enum op op, uint32_t n, const int64_t *dims)
{
    enum elem t = type_elem(&x->p, args[0].type);
    int64_t v[5] = {op}, index[MAX_RANK], from[MAX_RANK];
    bool reduced[4] = {false};
    for (uint32_t i = 0; i < n; i++) {
        v[1 + i] = dims[i];
        reduced[dims[i]] = true;
    }
    struct value out = run(x, OP_REDUCE, 1 + n, v, NO_TYPE, 2, args);
    EACH_INDEX(x, out.type, index)
    {
        struct err e = {0};
        struct scalar acc = at(x, &args[1], NULL);
        EACH_INDEX(x, args[0].type, from)
        {
            bool mine = true;
            uint32_t k = 0;
            for (uint32_t i = 0; i < type_rank(&x->p, args[0].type); i++)
                if (!reduced[i])
                    mine &= from[i] == index[k++];
            if (mine)
                assert_true(
                    eval_binary(op, t, acc, at(x, &args[0], from), &acc, &e));
        }
        assert_same(x, &out, index, acc);
    }
}

static void test_reduce(void **state)
{
    struct fixture *x = *state;
    static const enum op reducers[] = {OP_ADD,     OP_MULTIPLY, OP_MAXIMUM,
                                       OP_MINIMUM, OP_AND,      OP_OR};
    for (int round = 0; round < 1000; round++) {
        enum op op = reducers[rng_below(&x->r, 6)];
        enum elem t = some_elem(x);
        uint32_t rank = (uint32_t)rng_below(&x->r, 4), n = 0;
        int64_t dims[4];
        // Products of many rationals do not fit.
        if (!(op_kinds(op) & (unsigned)elem_kind(t)) || elem_is_ideal(t))
            continue;
        for (uint32_t i = 0; i < rank; i++)
            if (rng_below(&x->r, 2))
                dims[n++] = i;
        struct value args[2] = {some_value(x, t, rank), some_value(x, t, 0)};
        check_reduce(x, args, op, n, dims);
    }
}

static void test_select_clamp(void **state)
{
    struct fixture *x = *state;
    struct value a = ints(x, ELEM_I32, 3, (int64_t[]){3, 13, 23});
    struct value b = ints(x, ELEM_I32, 3, (int64_t[]){5, 10, 15});
    struct value c = ints(x, ELEM_I32, 3, (int64_t[]){10, 15, 20});
    struct value p = ints(x, ELEM_I1, 3, (int64_t[]){0, 1, 0});
    struct value lo = rank0(x, ELEM_I32, 7), hi = rank0(x, ELEM_I32, 20);
    struct value args[3] = {b, a, c};
    expect_text(x, run(x, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<[5, 13, 20]> : tensor<3xi32>");
    args[0] = lo, args[2] = hi;
    expect_text(x, run(x, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<[7, 13, 20]> : tensor<3xi32>");
    args[0] = hi, args[2] = lo; // bounds crossed: the upper one wins
    expect_text(x, run(x, OP_CLAMP, 0, NULL, NO_TYPE, 3, args),
                "dense<7> : tensor<3xi32>");
    args[0] = p, args[2] = b;
    expect_text(x, run(x, OP_SELECT, 0, NULL, NO_TYPE, 3, args),
                "dense<[5, 13, 15]> : tensor<3xi32>");
    args[0] = rank0(x, ELEM_I1, 1);
    expect_text(x, run(x, OP_SELECT, 0, NULL, NO_TYPE, 3, args),
                "dense<[3, 13, 23]> : tensor<3xi32>");
    args[0] = a, args[1] = b;
    expect_text(x,
                run(x, OP_COMPARE, 2, (int64_t[]){CMP_LT, CMPT_SIGNED}, NO_TYPE,
                    2, args),
                "dense<[true, false, false]> : tensor<3xi1>");
    args[0] = value_random(&x->p, type_of(x, ELEM_F32, 1, (int64_t[]){0}),
                           &x->r, true, &x->mem);
    expect_text(x, run(x, OP_IS_FINITE, 0, NULL, NO_TYPE, 1, args),
                "dense<> : tensor<0xi1>");
}

static void test_failures(void **state)
{
    struct fixture *x = *state;
    struct err e = {0};
    struct value out, a = ints(x, ELEM_I32, 3, (int64_t[]){1, 2, 3});
    struct value bad[2] = {a, ints(x, ELEM_I32, 1, (int64_t[]){1})};
    // Ill-typed nodes fail instead of reading past their operands.
    assert_false(
        eval_node(&x->p, OP_ADD, NO_ATTR, a.type, 2, bad, &x->mem, &out, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    err_clear(&e);
    attr_id wide = attr_make(&x->p, 3, (int64_t[]){0, 9, 1});
    assert_false(
        eval_node(&x->p, OP_SLICE, wide, a.type, 1, bad, &x->mem, &out, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    err_clear(&e);
    type_id huge = type_of(x, ELEM_F64, 1, (int64_t[]){INT64_C(1) << 40});
    attr_id zero = attr_make(&x->p, 1, (int64_t[]){0});
    assert_false(
        eval_node(&x->p, OP_IOTA, zero, huge, 0, NULL, &x->mem, &out, &e));
    assert_int_equal(e.kind, ERR_LIMIT);
}

static term_id node(struct fixture *x, enum op op, uint32_t n_attr,
                    const int64_t *attr, type_id want, uint32_t n,
                    const term_id *args)
{
    struct err e = {0};
    term_id id;
    attr_id a = attr_make(&x->p, n_attr, attr);
    if (!term_build(&x->t, op, a, want, n, args, &id, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
    return id;
}

static term_id parameter(struct fixture *x, int64_t function, int64_t index,
                         type_id t)
{
    return node(x, OP_PARAMETER, 2, (int64_t[]){function, index}, t, 0, NULL);
}

static void test_deep(void **state)
{
    struct fixture *x = *state;
    struct err e = {0};
    struct value v = ints(x, ELEM_I32, 2, (int64_t[]){1, 3}), out[2];
    term_id p = parameter(x, 0, 0, v.type), top = p;
    for (int i = 0; i < 30000; i++)
        top = node(x, OP_ADD, 0, NULL, NO_TYPE, 2, (term_id[]){top, p});
    term_id roots[2] = {top, p};
    assert_true(eval_terms(&x->t, 2, roots, 1, &v, &x->mem, out, &e));
    expect_text(x, out[0], "dense<[30001, 90003]> : tensor<2xi32>");
    expect_text(x, out[1], "dense<[1, 3]> : tensor<2xi32>");
}

static void test_parameters(void **state)
{
    struct fixture *x = *state;
    struct err e = {0};
    struct value v = ints(x, ELEM_I32, 2, (int64_t[]){1, 3}), out;
    type_id other = type_of(x, ELEM_I32, 1, (int64_t[]){3});
    term_id bad[3] = {parameter(x, 0, 1, v.type), parameter(x, 0, 0, other)};
    bad[2] = node(
        x, OP_ADD, 0, NULL, NO_TYPE, 2,
        (term_id[]){parameter(x, 0, 0, v.type), parameter(x, 1, 0, v.type)});
    for (int i = 0; i < 3; i++) {
        err_clear(&e);
        assert_false(eval_terms(&x->t, 1, &bad[i], 1, &v, &x->mem, &out, &e));
        assert_int_equal(e.kind, ERR_INPUT);
    }
}

static term_id opaque(struct fixture *x, const char *text, int64_t n_results,
                      int64_t serial, type_id type, uint32_t n,
                      const term_id *args)
{
    int64_t v[3] = {sym_make(&x->p, text).v, n_results, serial};
    return node(x, OP_OPAQUE, 3, v, type, n, args);
}

static struct value eval_one(struct fixture *x, term_id root, uint32_t n,
                             const struct value *params)
{
    struct err e = {0};
    struct value out;
    if (!eval_terms(&x->t, 1, &root, n, params, &x->mem, &out, &e))
        fail_msg("%s", e.msg);
    return out;
}

static double distance(struct fixture *x, const struct value *a,
                       const struct value *b)
{
    enum elem t = type_elem(&x->p, a->type);
    double d = 0;
    for (int64_t i = 0; i < type_count(&x->p, a->type); i++)
        d = fmax(d,
                 fabs(scalar_to_double(t, scalar_load(t, a->data, (size_t)i)) -
                      scalar_to_double(t, scalar_load(t, b->data, (size_t)i))));
    return d;
}

// Every element of every operand moves the result, a little if it moves a
// little, also through a value without data.
static void test_opaque_floats(void **state)
{
    struct fixture *x = *state;
    type_id t = type_of(x, ELEM_F64, 2, (int64_t[]){5, 7});
    type_id hidden = type_other(&x->p, "tensor<35xcomplex<f64>>");
    term_id p[2] = {parameter(x, 0, 0, t), parameter(x, 0, 1, t)};
    term_id direct = opaque(x, "dot {0} {1}", 1, 0, t, 2, p);
    term_id z = opaque(x, "complex {0} {1}", 1, 0, hidden, 2, p);
    term_id through = opaque(x, "abs {0}", 1, 0, t, 1, &z);
    struct value v[2] = {value_random(&x->p, t, &x->r, false, &x->mem),
                         value_random(&x->p, t, &x->r, false, &x->mem)};
    for (int k = 0; k < 2; k++) {
        term_id root = k ? through : direct;
        struct value before = eval_one(x, root, 2, v);
        struct value again = eval_one(x, root, 2, v);
        assert_true(distance(x, &before, &again) == 0);
        for (size_t i = 0; i < 70; i++) {
            double *cell = (double *)v[i / 35].data + i % 35, old = *cell;
            *cell = old + 1e-9;
            struct value near = eval_one(x, root, 2, v);
            *cell = old + 0.5;
            struct value far = eval_one(x, root, 2, v);
            *cell = old;
            assert_true(distance(x, &before, &near) < 1e-7);
            assert_true(distance(x, &before, &near) > 0);
            assert_true(distance(x, &before, &far) > 1e-4);
        }
    }
    assert_null(eval_one(x, z, 2, v).data);
}

// In large tensors most single elements still move some result by much.
static void test_opaque_large(void **state)
{
    struct fixture *x = *state;
    type_id t = type_of(x, ELEM_F64, 1, (int64_t[]){4096});
    term_id p = parameter(x, 0, 0, t);
    term_id root = opaque(x, "cumsum {0}", 1, 0, t, 1, &p);
    struct value v = value_random(&x->p, t, &x->r, false, &x->mem);
    struct value before = eval_one(x, root, 1, &v);
    int moved = 0;
    for (size_t i = 0; i < 4096; i += 64) {
        double *cell = (double *)v.data + i, old = *cell;
        *cell = old + 0.5;
        struct value after = eval_one(x, root, 1, &v);
        *cell = old;
        moved += distance(x, &before, &after) > 0.03;
    }
    assert_true(moved > 32);
}

static void test_opaque_text(void **state)
{
    struct fixture *x = *state;
    type_id f = type_of(x, ELEM_F32, 1, (int64_t[]){6});
    type_id b = type_of(x, ELEM_I1, 1, (int64_t[]){40});
    struct value v = value_random(&x->p, f, &x->r, true, &x->mem);
    int64_t index;
    term_id p = parameter(x, 0, 0, f);
    term_id one = opaque(x, "sort {0}", 1, 0, f, 1, &p);
    term_id two = opaque(x, "sort {0} x", 1, 0, f, 1, &p);
    term_id effect = opaque(x, "sort {0}", 1, 9, f, 1, &p);
    struct value a = eval_one(x, one, 1, &v), c = eval_one(x, two, 1, &v);
    struct value d = eval_one(x, effect, 1, &v);
    assert_false(value_same(&x->p, &a, &c, 1e-3, &index));
    assert_true(value_same(&x->p, &a, &d, 0, &index));
    for (int64_t i = 0; i < 6; i++)
        assert_true(isfinite(scalar_to_double(
            ELEM_F32, scalar_load(ELEM_F32, a.data, (size_t)i))));
    // Discrete results do not see floats, but they see integers.
    term_id mask = opaque(x, "mask {0}", 1, 0, b, 1, &p);
    struct value w = value_random(&x->p, f, &x->r, true, &x->mem);
    a = eval_one(x, mask, 1, &v), c = eval_one(x, mask, 1, &w);
    assert_true(value_same(&x->p, &a, &c, 0, &index));
    term_id q = parameter(x, 0, 0, b);
    mask = opaque(x, "mask {0}", 1, 0, b, 1, &q);
    v = value_random(&x->p, b, &x->r, false, &x->mem);
    a = eval_one(x, mask, 1, &v);
    ((unsigned char *)v.data)[17] ^= 1;
    c = eval_one(x, mask, 1, &v);
    assert_false(value_same(&x->p, &a, &c, 0, &index));
}

// The numbers are part of what programs print: fixed for all machines.
static void test_opaque_fixed(void **state)
{
    struct fixture *x = *state;
    type_id t = type_of(x, ELEM_I32, 1, (int64_t[]){5});
    term_id root = opaque(x, "rng", 1, 3, t, 0, NULL);
    expect_text(x, eval_one(x, root, 0, NULL),
                "dense<[0, 2, -1, 4, 3]> : tensor<5xi32>");
}

static void test_opaque_tuple(void **state)
{
    struct fixture *x = *state;
    type_id f = type_of(x, ELEM_F32, 1, (int64_t[]){6});
    type_id types[3] = {f, type_other(&x->p, "!stablehlo.token"), f};
    type_id tuple = type_tuple(&x->p, 3, types);
    struct value v = value_random(&x->p, f, &x->r, true, &x->mem);
    int64_t index;
    term_id p = parameter(x, 0, 0, f);
    term_id call = opaque(x, "f {0}", 3, 0, tuple, 1, &p), part[3];
    for (int64_t k = 0; k < 3; k++)
        part[k] = node(x, OP_RESULT, 1, &k, types[k], 1, &call);
    struct value a = eval_one(x, part[0], 1, &v);
    struct value b = eval_one(x, part[2], 1, &v);
    assert_false(value_same(&x->p, &a, &b, 1e-3, &index));
    assert_null(eval_one(x, part[1], 1, &v).data);
    struct value all = eval_one(x, call, 1, &v);
    assert_true(
        value_same(&x->p, &((struct value *)all.data)[2], &b, 0, &index));
    term_id g = opaque(x, "g {0}", 1, 0, f, 1, &part[1]);
    assert_int_equal(eval_one(x, g, 1, &v).type.v, f.v);
}

static void test_same(void **state)
{
    struct fixture *x = *state;
    type_id t = type_of(x, ELEM_F32, 1, (int64_t[]){4});
    float a[4] = {1000, NAN, 0, INFINITY}, b[4] = {1000, NAN, 0, INFINITY};
    struct value va = {.type = t, .data = a}, vb = {.type = t, .data = b};
    int64_t i;
    assert_true(value_same(&x->p, &va, &vb, 0, &i));
    b[2] = 0.5f; // small against 1000
    assert_false(value_same(&x->p, &va, &vb, 0, &i));
    assert_int_equal(i, 2);
    assert_true(value_same(&x->p, &va, &vb, 1e-3, &i));
    assert_false(value_same(&x->p, &va, &vb, 1e-4, &i));
    b[2] = -0.0f;
    assert_false(value_same(&x->p, &va, &vb, 0, &i));
    assert_true(value_same(&x->p, &va, &vb, 1e-9, &i));
    b[3] = -INFINITY;
    assert_false(value_same(&x->p, &va, &vb, 1e-3, &i));
    assert_int_equal(i, 3);
    b[3] = INFINITY, b[1] = 3;
    assert_false(value_same(&x->p, &va, &vb, 1e-3, &i));
    assert_int_equal(i, 1);
    vb = ints(x, ELEM_I32, 4, (int64_t[]){0, 0, 0, 0});
    assert_false(value_same(&x->p, &va, &vb, 1, &i));
    assert_int_equal(i, -1);
}

static void test_print(void **state)
{
    struct fixture *x = *state;
    float f[4] = {1, 0.1f, -INFINITY, 16777216};
    struct value v = {.type = type_of(x, ELEM_F32, 2, (int64_t[]){2, 2}),
                      .data = f};
    expect_text(x, v,
                "dense<[[1.000000e+00, 1.000000e-01], [0xFF800000, "
                "1.6777216e+07]]> : tensor<2x2xf32>");
    f[0] = 1.0f / 3;
    v.type = type_of(x, ELEM_F32, 0, NULL);
    expect_text(x, v, "dense<3.3333334e-01> : tensor<f32>");
    expect_text(x, ints(x, ELEM_I8, 2, (int64_t[]){-7, -7}),
                "dense<-7> : tensor<2xi8>");
    expect_text(x, ints(x, ELEM_UI64, 2, (int64_t[]){-1, 2}),
                "dense<[18446744073709551615, 2]> : tensor<2xui64>");
    expect_text(x, ints(x, ELEM_I1, 2, (int64_t[]){1, 0}),
                "dense<[true, false]> : tensor<2xi1>");
    v = ints(x, ELEM_I32, 4, (int64_t[]){1, 2, 3, 4});
    v.type = type_of(x, ELEM_I32, 3, (int64_t[]){2, 1, 2});
    expect_text(x, v, "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>");
    v = ints(x, ELEM_F16, 2, (int64_t[]){-3, 0});
    expect_text(x, v, "dense<[-3.000000e+00, 0.000000e+00]> : tensor<2xf16>");
}

static void test_random(void **state)
{
    struct fixture *x = *state;
    bool nan = false, inf = false, minus_zero = false;
    type_id t = type_of(x, ELEM_F32, 1, (int64_t[]){2000});
    struct value plain = value_random(&x->p, t, &x->r, false, &x->mem);
    struct value wild = value_random(&x->p, t, &x->r, true, &x->mem);
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
    for (enum elem e = ELEM_I1; e < N_ELEMS; e++) {
        int64_t i;
        t = type_of(x, e, 1, (int64_t[]){50});
        struct value a = value_random(&x->p, t, &r1, true, &x->mem);
        struct value b = value_random(&x->p, t, &r2, true, &x->mem);
        assert_true(value_same(&x->p, &a, &b, 0, &i));
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
