// SPDX-License-Identifier: Apache-2.0
// Correctly rounded results of transcendental operators: known ones are
// accepted, their neighbours never.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "verify/counterexample/parts.h"
#include <math.h>

static const enum op ops[] = {OP_CBRT,         OP_COSINE, OP_EXPONENTIAL, OP_EXPONENTIAL_MINUS_ONE,
                              OP_ERF,          OP_LOG,    OP_RSQRT,       OP_SINE,
                              OP_LOG_PLUS_ONE, OP_POWER,  OP_ATAN2,       OP_TAN,
                              OP_TANH,         OP_SQRT,   OP_LOGISTIC};
static const enum elem types[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};

static void known_values(void **state)
{
    (void)state;
    // 1 / sqrt(2) = 0x3f3504f3.33f9.., e = 0x402df854.58a2.. in binary32
    struct scalar root = {.bits = 0x3f3504f3}, scalar = {.bits = 0x402df854};
    assert_true(cex_rounds_right(OP_RSQRT, ELEM_F32, 2, 0, root));
    assert_true(cex_rounds_right(OP_EXPONENTIAL, ELEM_F32, 1, 0, scalar));
    root.bits++;
    scalar.bits++;
    assert_false(cex_rounds_right(OP_RSQRT, ELEM_F32, 2, 0, root));
    assert_false(cex_rounds_right(OP_EXPONENTIAL, ELEM_F32, 1, 0, scalar));
    struct scalar nan = scalar_of_double(ELEM_F16, NAN);
    struct scalar inf = scalar_highest(ELEM_F16);
    assert_true(cex_rounds_right(OP_LOG, ELEM_F16, -1, 0, nan));
    assert_true(cex_rounds_right(OP_EXPONENTIAL, ELEM_F16, 100, 0, inf));
    assert_false(cex_rounds_right(OP_EXPONENTIAL, ELEM_F16, 5, 0, inf));
    assert_false(cex_rounds_right(OP_EXPONENTIAL, ELEM_F16, 5, 0, nan));
}

static void at_most_one_is_right(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < 0x7c00; bits += 7) {
        double x = scalar_to_double(ELEM_F16, (struct scalar){.bits = bits});
        struct scalar near = scalar_of_double(ELEM_F16, exp(x));
        unsigned right = 0;
        for (int64_t step = -1; step <= 1; step++)
            right += cex_rounds_right(OP_EXPONENTIAL, ELEM_F16, x, 0,
                                      (struct scalar){.bits = near.bits + (uint64_t)step});
        assert_true(right <= 1);
    }
}

static void neighbours_are_refused(void **state)
{
    (void)state;
    struct rng rng;
    unsigned right[4] = {0}, tried[4] = {0};
    rng_seed(&rng, 3);
    for (unsigned i = 0; i < 40000; i++) {
        uint32_t k = (uint32_t)rng_below(&rng, 4);
        enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
        enum elem elem = types[k];
        double a =
            scalar_to_double(elem, scalar_of_double(elem, (double)rng_range(&rng, 1, 4000) / 500));
        double b =
            scalar_to_double(elem, scalar_of_double(elem, (double)rng_range(&rng, 1, 4000) / 1000));
        double v = op == OP_EXPONENTIAL ? exp(a)
                   : op == OP_LOG       ? log(a)
                   : op == OP_RSQRT     ? 1 / sqrt(a)
                   : op == OP_SINE      ? sin(a)
                   : op == OP_POWER     ? pow(a, b)
                   : op == OP_TANH      ? tanh(a)
                   : op == OP_ERF       ? erf(a)
                                        : 0;
        if (v == 0)
            continue;
        struct scalar got = scalar_of_double(elem, v);
        tried[k]++;
        if (!cex_rounds_right(op, elem, a, b, got))
            continue;
        right[k]++;
        for (int64_t step = -3; step <= 3; step++) {
            struct scalar other = {.bits = got.bits + (uint64_t)step};
            assert_int_equal(cex_rounds_right(op, elem, a, b, other), step == 0);
        }
    }
    for (int k = 0; k < 4; k++) // mostly double is near enough
        assert_true(right[k] * 10 > tried[k] * (k == 3 ? 6 : 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(at_most_one_is_right),
        cmocka_unit_test(neighbours_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
