// SPDX-License-Identifier: Apache-2.0
// The facts about order that stand for arithmetic on floats: true of the interpreter's results in
// every format, proved by the solver of its own arithmetic in a tiny format, and false of other
// results.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/arithmetic/machine.h"
#include <math.h>

static const enum op ops[] = {OP_ADD,   OP_SUBTRACT, OP_MULTIPLY,           OP_DIVIDE,
                              OP_FLOOR, OP_CEIL,     OP_ROUND_NEAREST_EVEN, OP_ROUND_NEAREST_AFZ};
enum { N = sizeof ops / sizeof *ops, ONE_OPERAND = 4 };
static const enum elem formats[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};

struct computed {
    enum op op;
    struct scalar a[2], r;
};

static Z3_ast numeral(Z3_context context, enum elem elem, struct scalar scalar)
{
    static const unsigned bits[][2] = {{5, 11}, {8, 8}, {8, 24}, {11, 53}};
    const unsigned *format = bits[elem - ELEM_F16];
    Z3_sort sort = Z3_mk_fpa_sort(context, format[0], format[1]);
    if (scalar_is_nan(elem, scalar))
        return Z3_mk_fpa_nan(context, sort);
    Z3_sort word = Z3_mk_bv_sort(context, elem_bits(elem));
    return Z3_mk_fpa_to_fp_bv(context, Z3_mk_unsigned_int64(context, scalar.bits, word), sort);
}

static bool is_true(Z3_context context, Z3_ast a)
{
    return Z3_get_bool_value(context, Z3_simplify(context, a)) == Z3_L_TRUE;
}

static bool fact_of_one(Z3_context context, enum elem elem, const struct computed *computed)
{
    Z3_ast a[] = {numeral(context, elem, computed->a[0]), numeral(context, elem, computed->a[1])};
    return is_true(
        context, machine_order_fact(context, computed->op, a, numeral(context, elem, computed->r)));
}

static bool fact_of_two(Z3_context context, enum elem elem, const struct computed *first,
                        const struct computed *second)
{
    Z3_ast a[] = {numeral(context, elem, first->a[0]), numeral(context, elem, first->a[1])};
    Z3_ast b[] = {numeral(context, elem, second->a[0]), numeral(context, elem, second->a[1])};
    return is_true(context, machine_order_fact_of_two(context, (enum op[]){first->op, second->op},
                                                      a, numeral(context, elem, first->r), b,
                                                      numeral(context, elem, second->r)));
}

static void compute(enum elem elem, struct computed *computed)
{
    struct err err = {0};
    assert_true(
        computed->op == OP_ADD || computed->op == OP_SUBTRACT || computed->op == OP_MULTIPLY ||
                computed->op == OP_DIVIDE
            ? eval_binary(computed->op, elem, computed->a[0], computed->a[1], &computed->r, &err)
            : eval_unary(computed->op, elem, computed->a[0], &computed->r, &err));
}

static struct scalar sample(enum elem elem, struct rng *rng)
{
    static const double special[] = {NAN, 0, -0.0, 1, -1, 0.5, 3, -3, INFINITY, -INFINITY, 1.5};
    uint64_t any = rng_u64(rng) >> (64 - elem_bits(elem)); // tiny and huge numbers among them
    switch (rng_below(rng, 5)) {
    case 0:
        return (struct scalar){.bits = any};
    case 1: // the numbers beside 0, 1 and infinity
        any = scalar_of_double(elem, special[rng_below(rng, 11)]).bits;
        return (struct scalar){.bits = any + (any != 0 && rng_below(rng, 2) ? -1ULL : 1)};
    case 2:
        return scalar_of_double(elem, (double)rng_range(rng, -70, 70) / 8);
    default:
        return scalar_of_double(elem, special[rng_below(rng, 11)]);
    }
}

static struct computed sample_of(enum elem elem, enum op op, struct rng *rng)
{
    struct computed computed = {.op = op};
    computed.a[0] = sample(elem, rng);
    computed.a[1] = sample(elem, rng);
    compute(elem, &computed);
    return computed;
}

// An operand that is near one of `near`, or its negative, or another.
static struct scalar operand(enum elem elem, const struct scalar *near, struct rng *rng)
{
    uint64_t sign = UINT64_C(1) << (elem_bits(elem) - 1);
    struct scalar out = near[rng_below(rng, 2)];
    if (rng_below(rng, 3) == 0)
        return sample(elem, rng);
    out.bits ^= rng_below(rng, 2) ? sign : 0;
    if (rng_below(rng, 2) && (out.bits & ~sign) != 0)
        out.bits += rng_below(rng, 2) ? 1 : -1ULL;
    return out;
}

static void of_the_interpreter(void **state)
{
    Z3_context context = *state;
    struct rng rng;
    rng_seed(&rng, 9);
    for (int i = 0; i < 4000; i++) {
        enum elem elem = formats[i % 4];
        struct computed first = sample_of(elem, ops[i / 4 % N], &rng), second = first;
        if (!fact_of_one(context, elem, &first))
            fail_msg("%s of %llx, %llx in %s", op_name(first.op),
                     (unsigned long long)first.a[0].bits, (unsigned long long)first.a[1].bits,
                     elem_text(elem));
        second.op = ops[(unsigned)i / 4 % N / 4 * 4 + rng_below(&rng, 4)];
        for (int k = 0; k < 2; k++)
            second.a[k] = operand(elem, first.a, &rng);
        compute(elem, &second);
        if (!fact_of_two(context, elem, &first, &second))
            fail_msg("%s of %llx, %llx and %s of %llx, %llx in %s", op_name(first.op),
                     (unsigned long long)first.a[0].bits, (unsigned long long)first.a[1].bits,
                     op_name(second.op), (unsigned long long)second.a[0].bits,
                     (unsigned long long)second.a[1].bits, elem_text(elem));
    }
}

// All roundings of f16.
static void of_every_rounding(void **state)
{
    Z3_context context = *state;
    for (size_t i = ONE_OPERAND; i < N; i++)
        for (uint64_t bits = i; bits < 1 << 16; bits += 31) {
            struct computed computed = {.op = ops[i], .a = {{.bits = bits}}};
            compute(ELEM_F16, &computed);
            assert_true(fact_of_one(context, ELEM_F16, &computed));
        }
}

static Z3_ast arithmetic(Z3_context context, enum op op, const Z3_ast *a)
{
    Z3_ast rne = Z3_mk_fpa_rne(context);
    return op == OP_ADD        ? Z3_mk_fpa_add(context, rne, a[0], a[1])
           : op == OP_SUBTRACT ? Z3_mk_fpa_sub(context, rne, a[0], a[1])
           : op == OP_MULTIPLY ? Z3_mk_fpa_mul(context, rne, a[0], a[1])
                               : Z3_mk_fpa_div(context, rne, a[0], a[1]);
}

static Z3_ast named(Z3_context context, const char *name)
{
    return Z3_mk_const(context, Z3_mk_string_symbol(context, name), Z3_mk_fpa_sort(context, 3, 3));
}

static void assert_valid(Z3_context context, Z3_ast fact)
{
    Z3_solver solver = Z3_mk_solver(context);
    Z3_solver_inc_ref(context, solver);
    Z3_solver_assert(context, solver, Z3_mk_not(context, fact));
    assert_int_equal(Z3_solver_check(context, solver), Z3_L_FALSE);
    Z3_solver_dec_ref(context, solver);
}

// The solver's own circuits of a format of 6 bits, at all operands.
static void of_circuits(void **state)
{
    Z3_context context = *state;
    Z3_ast a[] = {named(context, "a"), named(context, "b")};
    Z3_ast b[] = {named(context, "c"), named(context, "d")};
    for (size_t i = 0; i < ONE_OPERAND; i++) {
        Z3_ast r = arithmetic(context, ops[i], a);
        assert_valid(context, machine_order_fact(context, ops[i], a, r));
        for (size_t k = 0; k < ONE_OPERAND; k++)
            assert_valid(context, machine_order_fact_of_two(context, (enum op[]){ops[i], ops[k]}, a,
                                                            r, b, arithmetic(context, ops[k], b)));
    }
}

// Facts that no value contradicts would prove nothing.
static void of_no_other_result(void **state)
{
    Z3_context context = *state;
    struct rng rng;
    uint32_t refused[N] = {0}, tried[N] = {0};
    rng_seed(&rng, 10);
    for (int i = 0; i < 3200; i++) {
        enum elem elem = formats[i % 4];
        struct computed first = sample_of(elem, ops[i / 4 % N], &rng), second = first;
        bool nan = scalar_is_nan(elem, first.r);
        second.r = scalar_of_double(elem, nan ? 3 : NAN);
        assert_false(fact_of_one(context, elem, &second));
        if (nan || isinf(scalar_to_double(elem, first.r)))
            continue;
        // The other sign; another result of the same operands.
        second.r.bits = first.r.bits ^ UINT64_C(1) << (elem_bits(elem) - 1);
        assert_false(fact_of_one(context, elem, &second));
        second.r.bits = first.r.bits + 1;
        tried[i / 4 % N]++;
        refused[i / 4 % N] += !fact_of_two(context, elem, &first, &second);
    }
    for (size_t i = 0; i < N; i++)
        assert_true(tried[i] > 100 && refused[i] == tried[i]);
}

int main(void)
{
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(of_the_interpreter, context),
        cmocka_unit_test_prestate(of_every_rounding, context),
        cmocka_unit_test_prestate(of_circuits, context),
        cmocka_unit_test_prestate(of_no_other_result, context),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    Z3_del_context(context);
    Z3_del_config(config);
    return failed;
}
