// SPDX-License-Identifier: Apache-2.0
// Evaluation of parameters and of opaque operators.
#include <math.h>
#include "tests/unit/support/tensor_values.h"

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

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_deep),          TEST(test_parameters),  TEST(test_opaque_large),
        TEST(test_opaque_floats), TEST(test_opaque_text), TEST(test_opaque_fixed),
        TEST(test_opaque_tuple),
    };
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
