// SPDX-License-Identifier: Apache-2.0
// The facts about correctly rounded functions that the solver is told agree with
// the interpreter: for every f16 and bf16, for neighbours in order, and for random
// f32 and f64.  So do the powers that become products.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"
#include "verify/arithmetic/machine.h"
#include <math.h>

static const enum elem types[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};

// All NaNs are one value.
static bool same(enum elem elem, struct scalar a, struct scalar b)
{
    return scalar_same(elem, a, b) || (scalar_is_nan(elem, a) && scalar_is_nan(elem, b));
}

static struct scalar unary(enum op op, enum elem elem, struct scalar scalar)
{
    struct scalar out;
    struct err err = {0};
    assert_true(eval_unary(op, elem, scalar, &out, &err));
    return out;
}

static struct scalar power(enum elem elem, struct scalar scalar, double y)
{
    struct scalar out;
    struct err err = {0};
    assert_true(eval_binary(OP_POWER, elem, scalar, scalar_of_double(elem, y), &out, &err));
    return out;
}

static bool nan_expected(const struct float_fact *float_fact, double x)
{
    return isnan(x) || (float_fact->nan == FACT_NAN_BELOW && x < float_fact->below) ||
           (float_fact->nan == FACT_NAN_INFINITE && isinf(x));
}

static bool number_holds(const struct float_fact *float_fact, double x, double r)
{
    bool negative = signbit(r) != 0;
    if ((float_fact->has_least && r < float_fact->least) ||
        (float_fact->has_most && r > float_fact->most))
        return false;
    if (float_fact->sign == RESULT_POSITIVE)
        return !negative;
    if (float_fact->sign == RESULT_OPERAND)
        return negative == (signbit(x) != 0);
    if (float_fact->sign == RESULT_ABOVE_1)
        return negative == (x < 1) && (r == 0) == (x == 1);
    return true;
}

static void check_one(const struct float_fact *float_fact, enum elem elem, struct scalar scalar)
{
    struct scalar got = unary(float_fact->op, elem, scalar);
    double x = scalar_to_double(elem, scalar), r = scalar_to_double(elem, got);
    if (nan_expected(float_fact, x) != (isnan(r) != 0) ||
        (!isnan(r) && !number_holds(float_fact, x, r)))
        fail_msg("%s of %a in %s is %a", op_name(float_fact->op), x, elem_text(elem), r);
    if (float_fact->parity != PARITY_NEITHER) {
        struct scalar other = unary(float_fact->op, elem, unary(OP_NEGATE, elem, scalar));
        if (float_fact->parity == PARITY_ODD)
            other = unary(OP_NEGATE, elem, other);
        if (!same(elem, got, other))
            fail_msg("%s of %a and its negation", op_name(float_fact->op), x);
    }
}

static void check_order(const struct float_fact *float_fact, enum elem elem, struct scalar a,
                        struct scalar b)
{
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    double p = scalar_to_double(elem, unary(float_fact->op, elem, a));
    double q = scalar_to_double(elem, unary(float_fact->op, elem, b));
    if (float_fact->rises && x <= y && p > q)
        fail_msg("%s: %a <= %a, but %a > %a", op_name(float_fact->op), x, y, p, q);
}

// Of 16 bits every value; in order of magnitude the next one is a neighbour.
static void every_narrow_value(void **state)
{
    (void)state;
    unsigned functions = 0;
    for (int op = 0; op < N_OPS; op++) {
        struct float_fact fact;
        const struct float_fact *float_fact = &fact;
        bool some = float_fact_of((enum op)op, &fact);
        functions += some;
        for (uint32_t k = 0; some && k < 2; k++) {
            for (uint64_t bits = 0; bits < 0x10000; bits++) {
                struct scalar scalar = {.bits = bits}, b = {.bits = bits + 1};
                check_one(float_fact, types[k], scalar);
                if (bits < 0x7fff)
                    check_order(float_fact, types[k], scalar, b);
                else if (bits < 0xffff) // negative ones descend
                    check_order(float_fact, types[k], b, scalar);
            }
        }
    }
    assert_int_equal(functions, 13);
}

static struct scalar random_float(struct rng *rng, enum elem elem)
{
    static const double special[] = {0.0, -0.0, 1, -1, NAN, INFINITY, -INFINITY};
    uint64_t bits = rng_u64(rng);
    if (rng_below(rng, 8) == 0)
        return scalar_of_double(elem, special[rng_below(rng, 7)]);
    if (rng_below(rng, 2) == 0)
        return scalar_of_double(elem, (double)rng_range(rng, -4000, 4000) / 512);
    return (struct scalar){.bits = elem_bits(elem) == 64 ? bits : bits & 0xffffffff};
}

static void random_wide_values(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 11);
    for (unsigned i = 0; i < 20000; i++) {
        enum elem elem = types[2 + i % 2];
        struct scalar scalar = random_float(&rng, elem), b = random_float(&rng, elem);
        struct scalar near = {.bits = scalar.bits ^ 1};
        for (int op = 0; op < N_OPS; op++) {
            struct float_fact fact;
            const struct float_fact *float_fact = &fact;
            if (!float_fact_of((enum op)op, &fact))
                continue;
            check_one(float_fact, elem, scalar);
            check_order(float_fact, elem, scalar, b);
            check_order(float_fact, elem, scalar, near);
            check_order(float_fact, elem, near, scalar);
        }
    }
}

static void check_powers(enum elem elem, struct scalar scalar)
{
    struct scalar one = scalar_of_int(elem, 1), square, inverse;
    struct err err = {0};
    assert_true(eval_binary(OP_MULTIPLY, elem, scalar, scalar, &square, &err));
    assert_true(eval_binary(OP_DIVIDE, elem, one, scalar, &inverse, &err));
    assert_true(same(elem, power(elem, scalar, 0), one));
    assert_true(same(elem, power(elem, scalar, -0.0), one));
    assert_true(same(elem, power(elem, one, scalar_to_double(elem, scalar)), one));
    assert_true(same(elem, power(elem, scalar, 1), scalar));
    assert_true(same(elem, power(elem, scalar, 2), square));
    assert_true(same(elem, power(elem, scalar, -1), inverse));
}

static void powers(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 12);
    for (uint32_t k = 0; k < 2; k++)
        for (uint64_t bits = 0; bits < 0x10000; bits++)
            check_powers(types[k], (struct scalar){.bits = bits});
    for (unsigned i = 0; i < 200000; i++) {
        enum elem elem = types[2 + i % 2];
        check_powers(elem, random_float(&rng, elem));
    }
}

// No result of 16 bits is known to be other than the correctly rounded one,
// and next to all are known to be it.
static void correctly_rounded(void **state)
{
    (void)state;
    unsigned open = 0, all = 0;
    for (int op = 0; op < N_OPS; op++) {
        struct float_fact fact;
        for (uint32_t k = 0; float_fact_of((enum op)op, &fact) && k < 2; k++) {
            enum elem elem = types[k];
            for (uint64_t bits = 0; bits < 0x10000; bits++) {
                struct scalar scalar = {.bits = bits}, r = unary((enum op)op, elem, scalar);
                double x = scalar_to_double(elem, scalar);
                all++;
                open += !cex_rounds_right((enum op)op, elem, x, 0, r);
            }
        }
    }
    assert_true(all > 1500000);
    assert_true(open * 1000 < all);
}

static struct scalar extremum(enum op op, enum elem elem, struct scalar a, struct scalar b)
{
    struct scalar out;
    struct err err = {0};
    assert_true(eval_binary(op, elem, a, b, &out, &err));
    return out;
}

// Is f(max(a, b)) = max(f(a), f(b)), and the same of the minimum?
static bool passes(enum op op, enum elem elem, struct scalar a, struct scalar b)
{
    static const enum op which[] = {OP_MAXIMUM, OP_MINIMUM};
    bool ok = true;
    for (int i = 0; i < 2; i++)
        ok = ok && same(elem, unary(op, elem, extremum(which[i], elem, a, b)),
                        extremum(which[i], elem, unary(op, elem, a), unary(op, elem, b)));
    return ok;
}

// Functions that move into extrema do so for all values, special ones and neighbours included.
// Others that rise must not: for each some values differ.
static void moves_into_extrema(void **state)
{
    static const double special[] = {0, -0.0, 1, -1, 0.5, -0.5, 2, INFINITY, -INFINITY, NAN};
    enum { N_SPECIAL = sizeof special / sizeof *special };
    uint32_t n = 0, left = 0, n_from = 0;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 8);
    for (enum op op = 0; op < N_OPS; op++) {
        struct float_fact fact;
        bool moves = extremum_passes(DOMAIN_FLOAT, op), all = true, above = true;
        int least = 0;
        bool from = extremum_passes_from(op, &least);
        if (!float_fact_of(op, &fact) || !fact.rises)
            continue;
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            enum elem elem = types[t];
            for (int i = 0; i < N_SPECIAL * N_SPECIAL; i++) {
                double x = special[i / N_SPECIAL], y = special[i % N_SPECIAL];
                bool ok = passes(op, elem, scalar_of_double(elem, x), scalar_of_double(elem, y));
                all &= ok;
                above &= ok || !(x >= least && y >= least);
            }
            for (int i = 0; i < 400; i++) {
                struct scalar a = {.bits = rng_u64(&rng) >> (64 - elem_bits(elem))}, b = a;
                b.bits ^= i % 2 == 0 ? 1 : rng_below(&rng, 256);
                double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
                bool ok = passes(op, elem, a, b);
                all &= ok;
                above &= ok || !(x >= least && y >= least);
            }
        }
        n_from += from;
        if ((moves && !all) || (from && !above))
            fail_msg("%s does not move", op_name(op));
        n += moves;
        left += !moves && !all;
        assert_false(moves && !extremum_passes(DOMAIN_REAL, op));
    }
    assert_true(n >= 4);
    assert_true(n_from >= 2);
    assert_true(left >= 2); // sqrt, log: NaN below 0
    assert_false(extremum_passes(DOMAIN_FLOAT, OP_SQRT));
    assert_false(extremum_passes(DOMAIN_REAL, OP_LOG));
    assert_false(extremum_passes(DOMAIN_REAL, OP_COSINE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_narrow_value),
        cmocka_unit_test(random_wide_values),
        cmocka_unit_test(powers),
        cmocka_unit_test(moves_into_extrema),
        cmocka_unit_test(correctly_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
