// SPDX-License-Identifier: Apache-2.0
// Which terms are finite when floats are read as reals, and which folds hold
// over the reals: no infinity and no bit may come in unseen.
#include "tests/unit/support/tensor_values.h"
#include "tensor/fold/finite.h"
#include "tensor/fold/fold.h"
#include <math.h>

static term_id build(struct fixture *fixture, enum op op, uint32_t n_attr, const int64_t *v,
                     type_id want, uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id out;
    if (!term_build(&fixture->terms,
                    (struct operation){op, attr_make(&fixture->pool, n_attr, v), want, n}, args,
                    &out, &err))
        fail_msg("%s", err.msg);
    return out;
}

static term_id constant(struct fixture *fixture, enum elem elem, double v)
{
    struct scalar scalar =
        elem_kind(elem) == KIND_FLOAT ? scalar_of_double(elem, v) : scalar_of_int(elem, (int64_t)v);
    return term_constant(&fixture->terms, literal_splat(&fixture->pool, elem, scalar),
                         type_of(fixture, elem, 0, NULL));
}

static term_id parameter(struct fixture *fixture, type_id type)
{
    return build(fixture, OP_PARAMETER, 2, (int64_t[]){0, 0}, type, 0, NULL);
}

static bool finite(struct fixture *fixture, term_id term)
{
    struct finite memo = {0};
    bool yes = finite_term(&memo, &fixture->terms, term);
    finite_release(&memo);
    return yes;
}

// A maximum or minimum from `init` of a parameter with n elements.
static bool finite_reduce(struct fixture *fixture, enum op op, int64_t n, double init)
{
    term_id args[2] = {parameter(fixture, type_of(fixture, ELEM_F32, 1, &n)),
                       constant(fixture, ELEM_F32, init)};
    return finite(fixture, build(fixture, OP_REDUCE, 2, (int64_t[]){op, 0}, NO_TYPE, 2, args));
}

static void test_reduce(void **state)
{
    struct fixture *fixture = *state;
    double inf = (double)INFINITY;
    assert_true(finite_reduce(fixture, OP_MAXIMUM, 3, -inf));
    assert_true(finite_reduce(fixture, OP_MINIMUM, 3, inf));
    assert_true(finite_reduce(fixture, OP_MAXIMUM, 0, 7));
    assert_false(finite_reduce(fixture, OP_MAXIMUM, 0, -inf));
    // It is the initial value that wins.
    assert_false(finite_reduce(fixture, OP_MAXIMUM, 3, inf));
    assert_false(finite_reduce(fixture, OP_MINIMUM, 3, -inf));
    assert_false(finite_reduce(fixture, OP_ADD, 3, -inf));
    assert_false(finite_reduce(fixture, OP_MAXIMUM, 3, (double)NAN));
}

// Windows of `size` on 4 elements, padded in front.
static bool finite_window(struct fixture *fixture, enum op op, int64_t size, int64_t low,
                          double init)
{
    int64_t n = 4, v[] = {op, size, 1, low, 0, 1, 1};
    term_id args[2] = {parameter(fixture, type_of(fixture, ELEM_F32, 1, &n)),
                       constant(fixture, ELEM_F32, init)};
    return finite(fixture, build(fixture, OP_REDUCE_WINDOW, 7, v, NO_TYPE, 2, args));
}

static void test_window(void **state)
{
    struct fixture *fixture = *state;
    double inf = (double)INFINITY;
    assert_true(finite_window(fixture, OP_MAXIMUM, 2, 1, -inf));
    assert_false(finite_window(fixture, OP_MAXIMUM, 2, 2, -inf)); // all padding
    assert_true(finite_window(fixture, OP_MAXIMUM, 2, 2, 0));
    assert_false(finite_window(fixture, OP_MAXIMUM, 2, 1, inf));
    assert_true(finite_window(fixture, OP_ADD, 2, 2, 0));
    assert_false(finite_window(fixture, OP_ADD, 2, 0, inf));
}

static void test_others(void **state)
{
    struct fixture *fixture = *state;
    int64_t n = 4, one = 1;
    type_id vec = type_of(fixture, ELEM_F32, 1, &n);
    type_id bits = type_of(fixture, ELEM_I32, 1, &n);
    term_id i8 = parameter(fixture, type_of(fixture, ELEM_I8, 0, NULL));
    term_id good = parameter(fixture, vec);
    term_id bad = build(fixture, OP_BROADCAST_IN_DIM, 0, NULL, vec, 1,
                        (term_id[]){constant(fixture, ELEM_F32, INFINITY)});
    int64_t dot[] = {0, 1, 0, 0};
    for (int k = 0; k < 2; k++) {
        term_id term = k ? bad : good;
        assert_int_equal(finite(fixture, build(fixture, OP_DOT_GENERAL, 4, dot, NO_TYPE, 2,
                                               (term_id[]){good, term})),
                         !k);
        assert_int_equal(finite(fixture, build(fixture, OP_DYNAMIC_SLICE, 1, &one, NO_TYPE, 2,
                                               (term_id[]){term, i8})),
                         !k);
        assert_int_equal(finite(fixture, build(fixture, OP_DYNAMIC_UPDATE_SLICE, 0, NULL, NO_TYPE,
                                               3, (term_id[]){good, term, i8})),
                         !k);
    }
    // Any bits may be those of an infinity, but the same elements are not.
    term_id ints = parameter(fixture, bits);
    assert_false(
        finite(fixture, build(fixture, OP_BITCAST_CONVERT, 0, NULL, vec, 1, (term_id[]){ints})));
    assert_true(
        finite(fixture, build(fixture, OP_BITCAST_CONVERT, 0, NULL, vec, 1, (term_id[]){good})));
    assert_true(
        finite(fixture, build(fixture, OP_BITCAST_CONVERT, 0, NULL, bits, 1, (term_id[]){bad})));
}

static bool folds(struct fixture *fixture, enum op op, uint32_t n_attr, const int64_t *v,
                  type_id type, uint32_t n, const struct value *args, bool exact)
{
    lit_id lit[3], out;
    type_id types[3];
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i].type;
        lit[i] = literal_make(&fixture->pool, type_elem(&fixture->pool, types[i]),
                              (uint64_t)type_count(&fixture->pool, types[i]), args[i].data);
    }
    return fold_node(
        &fixture->pool, (struct operation){op, attr_make(&fixture->pool, n_attr, v), type, n}, lit,
        types, (struct fold_options){exact ? READ_REAL : READ_FLOAT_SUMS, TENSOR_FOLD_ELEMENTS},
        &out);
}

// 0 and -0 are one real number: folding both would make all integers equal.
static void test_bits(void **state)
{
    struct fixture *fixture = *state;
    type_id i32 = type_of(fixture, ELEM_I32, 0, NULL);
    type_id f32 = type_of(fixture, ELEM_F32, 0, NULL);
    type_id ui32 = type_of(fixture, ELEM_UI32, 0, NULL);
    struct value zero = rank0(fixture, ELEM_F32, 0), word = rank0(fixture, ELEM_I32, 5);
    assert_true(folds(fixture, OP_BITCAST_CONVERT, 0, NULL, i32, 1, &zero, false));
    assert_false(folds(fixture, OP_BITCAST_CONVERT, 0, NULL, i32, 1, &zero, true));
    assert_false(folds(fixture, OP_BITCAST_CONVERT, 0, NULL, f32, 1, &word, true));
    assert_true(folds(fixture, OP_BITCAST_CONVERT, 0, NULL, ui32, 1, &word, true));
    scalar_store(ELEM_F32, zero.data, 0, scalar_of_double(ELEM_F32, (double)NAN));
    assert_false(folds(fixture, OP_BITCAST_CONVERT, 0, NULL, i32, 1, &zero, false));
}

static struct value pair(struct fixture *fixture, double a, double b)
{
    int64_t two = 2;
    struct value value = {.type = type_of(fixture, ELEM_F32, 1, &two)};
    value.data = arena_alloc(&fixture->mem, 8);
    scalar_store(ELEM_F32, value.data, 0, scalar_of_double(ELEM_F32, a));
    scalar_store(ELEM_F32, value.data, 1, scalar_of_double(ELEM_F32, b));
    return value;
}

// Each step must hold over the reals: a sum that loses a bit does not fold.
static void test_exact(void **state)
{
    struct fixture *fixture = *state;
    type_id f32 = type_of(fixture, ELEM_F32, 0, NULL);
    int64_t dot[] = {0, 1, 0, 0}, slice = 1;
    int64_t conv[] = {0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0};
    int64_t one = 1;
    type_id f32x1 = type_of(fixture, ELEM_F32, 1, &one);
    double inf = (double)INFINITY;
    struct {
        struct value args[2];
        bool real;
    } cases[] = {{{pair(fixture, 1, 2), pair(fixture, 3, 4)}, true},
                 {{pair(fixture, 16777216, 1), pair(fixture, 1, 1)}, false},
                 {{pair(fixture, 16777217, 1), pair(fixture, 16777217, 1)}, false},
                 {{pair(fixture, inf, 1), pair(fixture, 1, 1)}, false}};
    for (int k = 0; k < 4; k++) {
        assert_true(folds(fixture, OP_DOT_GENERAL, 4, dot, f32, 2, cases[k].args, false));
        assert_int_equal(folds(fixture, OP_DOT_GENERAL, 4, dot, f32, 2, cases[k].args, true),
                         cases[k].real);
        assert_int_equal(folds(fixture, OP_CONVOLUTION, 15, conv, f32x1, 2, cases[k].args, true),
                         cases[k].real);
    }
    // What only moves elements may move infinities.
    struct value move[2] = {pair(fixture, inf, 1), rank0(fixture, ELEM_I8, 0)};
    assert_true(folds(fixture, OP_DYNAMIC_SLICE, 1, &slice, f32x1, 2, move, true));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_reduce), CASE(test_window), CASE(test_others), CASE(test_bits), CASE(test_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
