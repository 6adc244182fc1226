// SPDX-License-Identifier: Apache-2.0
// Types with sizes "?", and the operators that operations on them are.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tensor/language/attr.h"
#include "tensor/program/complex.h"
#include "tensor/program/form.h"

struct typed {
    const char *text;
    int rank; // -1: no shape
    enum elem elem;
    int64_t dims[3];
};

static const struct typed types[] = {
    {"tensor<?xf32>", 1, ELEM_F32, {-1}},
    {"tensor<2x?x3xi8>", 3, ELEM_I8, {2, -1, 3}},
    {"tensor<?x0xi1>", 2, ELEM_I1, {-1, 0}},
    {"tensor<f64>", 0, ELEM_F64, {0}},
    {"tensor<*xf32>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<4>>", 1, ELEM_F32, {-1}},
    {"tensor<?x3x?xi8, #stablehlo.bounds<4, ?, ?>>", 3, ELEM_I8, {-1, 3, -1}},
    {"tensor<?xf32, #stablehlo.bounds<4, ?>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<0>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<-4>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<4>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #stablehlo.bounds<99999999999999999999>>", -1, ELEM_OTHER, {0}},
    {"tensor<?x3xf32, #stablehlo.bounds<?, 3>>", -1, ELEM_OTHER, {0}},
    {"tensor<3xf32, #stablehlo.bounds<?>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32, #other.bounds<4>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xcomplex<f32>>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf8E4M3FN>", -1, ELEM_OTHER, {0}},
    {"tensor<?xint>", -1, ELEM_OTHER, {0}},
    {"tensor<?xf32", -1, ELEM_OTHER, {0}},
    {"tensor<?x?>", -1, ELEM_OTHER, {0}},
    {"tensor<99999999999999999999xf32>", -1, ELEM_OTHER, {0}},
    {"tensor<-1xf32>", -1, ELEM_OTHER, {0}},
    {"tensor<>", -1, ELEM_OTHER, {0}},
    {"tensor<", -1, ELEM_OTHER, {0}},
    {"memref<?xf32>", -1, ELEM_OTHER, {0}},
    {"", -1, ELEM_OTHER, {0}},
};

static void test_shapes(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        enum elem elem;
        uint32_t rank;
        int64_t dims[TENSOR_MAX_RANK];
        type_id type = type_other(&pool, types[i].text);
        bool known = shape_of_type(&pool, type, &elem, &rank, dims);
        assert_int_equal(known, types[i].rank >= 0);
        if (!known)
            continue;
        assert_int_equal(rank, types[i].rank);
        assert_int_equal(elem, types[i].elem);
        assert_memory_equal(dims, types[i].dims, rank * sizeof *dims);
    }
    pool_release(&pool);
}

static type_id tensor(struct pool *pool, enum elem elem, uint32_t rank, const int64_t *dims)
{
    struct err err = {0};
    type_id type;
    assert_true(type_tensor(pool, elem, rank, dims, &type, &err));
    return type;
}

static void test_allows(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    type_id type = type_other(&pool, "tensor<?x3xf32>");
    assert_true(type_allows(&pool, type, tensor(&pool, ELEM_F32, 2, (int64_t[]){0, 3})));
    assert_false(type_allows(&pool, type, tensor(&pool, ELEM_F32, 2, (int64_t[]){3, 2})));
    assert_false(type_allows(&pool, type, tensor(&pool, ELEM_F64, 2, (int64_t[]){2, 3})));
    assert_false(type_allows(&pool, type, tensor(&pool, ELEM_F32, 1, (int64_t[]){3})));
    assert_false(type_allows(&pool, type, type));
    type = type_other(&pool, "tensor<?x3xf32, #stablehlo.bounds<4, ?>>");
    assert_true(type_allows(&pool, type, tensor(&pool, ELEM_F32, 2, (int64_t[]){4, 3})));
    assert_false(type_allows(&pool, type, tensor(&pool, ELEM_F32, 2, (int64_t[]){5, 3})));
    pool_release(&pool);
}

static void test_parts(void **state)
{
    (void)state;
    struct pool pool;
    type_id part;
    pool_init(&pool);
    assert_true(complex_part_type(&pool, type_other(&pool, "tensor<2x3xcomplex<f64>>"), &part));
    assert_int_equal(part.v, tensor(&pool, ELEM_F64, 2, (int64_t[]){2, 3}).v);
    assert_true(complex_part_type(&pool, type_other(&pool, "tensor<complex<f32>>"), &part));
    assert_int_equal(part.v, tensor(&pool, ELEM_F32, 0, NULL).v);
    static const char *const none[] = {"tensor<?xcomplex<f32>>", "tensor<2xcomplex<i32>>",
                                       "tensor<2xcomplex<f16>>", "tensor<2xcomplex<f32>, 1>",
                                       "tensor<2xcomplex<f32>",  "complex<f32>",
                                       "memref<2xcomplex<f32>>", "tensor<2xcomplex<complex<f32>>>",
                                       "tensor<*xcomplex<f32>>", "tensor<2xcomplex<>>"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(complex_part_type(&pool, type_other(&pool, none[i]), &part));
    pool_release(&pool);
}

// Numbers that stand for attributes: as many as there are, or nothing.
static void test_lists(void **state)
{
    (void)state;
    struct pool pool;
    struct operation operation;
    pool_init(&pool);
    type_id from = tensor(&pool, ELEM_F32, 2, (int64_t[]){2, 3});
    type_id to = type_other(&pool, "tensor<?x?xf32>");
    struct op_form slice = {OP_SLICE, attr_make(&pool, 0, NULL), 1};
    for (int lacks = -1; lacks < 3; lacks++) {
        struct form_operands operands = {.n = 4, .type = (type_id[]){from, from, from, from}};
        static const int64_t list[3][2] = {{0, 1}, {2, 3}, {1, 2}};
        for (int k = 0; k < 3; k++) {
            operands.given[k] = k != lacks;
            for (int i = 0; i < 2; i++)
                vec_push(&operands.list[k], list[k][i]);
        }
        assert_int_equal(form_operation(&pool, &slice, &operands, to, &operation), lacks < 0);
        if (lacks < 0)
            assert_int_equal(operation.type.v, tensor(&pool, ELEM_F32, 2, (int64_t[]){2, 1}).v);
        operands.given[0] = operands.given[1] = operands.given[2] = true;
        operands.list[1].len = 1; // too few
        assert_false(form_operation(&pool, &slice, &operands, to, &operation));
        form_operands_release(&operands);
    }
    pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_allows),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
