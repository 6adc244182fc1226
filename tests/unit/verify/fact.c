// SPDX-License-Identifier: Apache-2.0
// What the solver is told of correctly rounded functions is what the
// interpreter computes: of every f16 and bf16, of neighbours in order, and of
// random f32 and f64; and so are the powers that become products.
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
static bool same(enum elem t, struct scalar a, struct scalar b)
{
    return scalar_same(t, a, b) || (scalar_is_nan(t, a) && scalar_is_nan(t, b));
}

static struct scalar unary(enum op op, enum elem t, struct scalar a)
{
    struct scalar out;
    struct err e = {0};
    assert_true(eval_unary(op, t, a, &out, &e));
    return out;
}

static struct scalar power(enum elem t, struct scalar a, double y)
{
    struct scalar out;
    struct err e = {0};
    assert_true(eval_binary(OP_POWER, t, a, scalar_of_double(t, y), &out, &e));
    return out;
}

static bool nan_expected(const struct float_fact *f, double x)
{
    return isnan(x) || (f->nan == FACT_NAN_BELOW && x < f->below) ||
           (f->nan == FACT_NAN_INFINITE && isinf(x));
}

static bool number_holds(const struct float_fact *f, double x, double r)
{
    bool negative = signbit(r) != 0;
    if ((f->has_least && r < f->least) || (f->has_most && r > f->most))
        return false;
    if (f->sign == FACT_SIGN_PLUS)
        return !negative;
    if (f->sign == FACT_SIGN_OPERAND)
        return negative == (signbit(x) != 0);
    if (f->sign == FACT_SIGN_BELOW_1)
        return negative == (x < 1) && (r == 0) == (x == 1);
    return true;
}

static void check_one(const struct float_fact *f, enum elem t, struct scalar a)
{
    struct scalar got = unary(f->op, t, a);
    double x = scalar_to_double(t, a), r = scalar_to_double(t, got);
    if (nan_expected(f, x) != (isnan(r) != 0) ||
        (!isnan(r) && !number_holds(f, x, r)))
        fail_msg("%s of %a in %s is %a", op_name(f->op), x, elem_text(t), r);
    if (f->parity != FACT_NEITHER) {
        struct scalar other = unary(f->op, t, unary(OP_NEGATE, t, a));
        if (f->parity == FACT_ODD)
            other = unary(OP_NEGATE, t, other);
        if (!same(t, got, other))
            fail_msg("%s of %a and its negation", op_name(f->op), x);
    }
}

static void check_order(const struct float_fact *f, enum elem t,
                        struct scalar a, struct scalar b)
{
    double x = scalar_to_double(t, a), y = scalar_to_double(t, b);
    double p = scalar_to_double(t, unary(f->op, t, a));
    double q = scalar_to_double(t, unary(f->op, t, b));
    if (f->rises && x <= y && p > q)
        fail_msg("%s: %a <= %a, but %a > %a", op_name(f->op), x, y, p, q);
}

// Of 16 bits every value; in order of magnitude the next one is a neighbour.
static void every_narrow_value(void **state)
{
    (void)state;
    unsigned functions = 0;
    for (int op = 0; op < N_OPS; op++) {
        const struct float_fact *f = float_fact_of((enum op)op);
        functions += f != NULL;
        for (uint32_t k = 0; f != NULL && k < 2; k++) {
            for (uint64_t bits = 0; bits < 0x10000; bits++) {
                struct scalar a = {.bits = bits}, b = {.bits = bits + 1};
                check_one(f, types[k], a);
                if (bits < 0x7fff)
                    check_order(f, types[k], a, b);
                else if (bits < 0xffff) // negative ones descend
                    check_order(f, types[k], b, a);
            }
        }
    }
    assert_int_equal(functions, 13);
}

static struct scalar random_float(struct rng *g, enum elem t)
{
    static const double special[] = {0.0, -0.0,     1,        -1,
                                     NAN, INFINITY, -INFINITY};
    uint64_t bits = rng_u64(g);
    if (rng_below(g, 8) == 0)
        return scalar_of_double(t, special[rng_below(g, 7)]);
    if (rng_below(g, 2) == 0)
        return scalar_of_double(t, (double)rng_range(g, -4000, 4000) / 512);
    return (struct scalar){.bits =
                               elem_bits(t) == 64 ? bits : bits & 0xffffffff};
}

static void random_wide_values(void **state)
{
    (void)state;
    struct rng g;
    rng_seed(&g, 11);
    for (unsigned i = 0; i < 20000; i++) {
        enum elem t = types[2 + i % 2];
        struct scalar a = random_float(&g, t), b = random_float(&g, t);
        struct scalar near = {.bits = a.bits ^ 1};
        for (int op = 0; op < N_OPS; op++) {
            const struct float_fact *f = float_fact_of((enum op)op);
            if (f == NULL)
                continue;
            check_one(f, t, a);
            check_order(f, t, a, b);
            check_order(f, t, a, near);
            check_order(f, t, near, a);
        }
    }
}

static void check_powers(enum elem t, struct scalar a)
{
    struct scalar one = scalar_of_int(t, 1), square, inverse;
    struct err e = {0};
    assert_true(eval_binary(OP_MULTIPLY, t, a, a, &square, &e));
    assert_true(eval_binary(OP_DIVIDE, t, one, a, &inverse, &e));
    assert_true(same(t, power(t, a, 0), one));
    assert_true(same(t, power(t, a, -0.0), one));
    assert_true(same(t, power(t, one, scalar_to_double(t, a)), one));
    assert_true(same(t, power(t, a, 1), a));
    assert_true(same(t, power(t, a, 2), square));
    assert_true(same(t, power(t, a, -1), inverse));
}

static void powers(void **state)
{
    (void)state;
    struct rng g;
    rng_seed(&g, 12);
    for (uint32_t k = 0; k < 2; k++)
        for (uint64_t bits = 0; bits < 0x10000; bits++)
            check_powers(types[k], (struct scalar){.bits = bits});
    for (unsigned i = 0; i < 200000; i++) {
        enum elem t = types[2 + i % 2];
        check_powers(t, random_float(&g, t));
    }
}

// No result of 16 bits is known to be other than the correctly rounded one,
// and next to all are known to be it.
static void correctly_rounded(void **state)
{
    (void)state;
    unsigned open = 0, all = 0;
    for (int op = 0; op < N_OPS; op++) {
        for (uint32_t k = 0; float_fact_of((enum op)op) && k < 2; k++) {
            enum elem t = types[k];
            for (uint64_t bits = 0; bits < 0x10000; bits++) {
                struct scalar a = {.bits = bits}, r = unary((enum op)op, t, a);
                double x = scalar_to_double(t, a);
                all++;
                open += !cex_rounds_right((enum op)op, t, x, 0, r);
            }
        }
    }
    assert_true(all > 1500000);
    assert_true(open * 1000 < all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_narrow_value),
        cmocka_unit_test(random_wide_values),
        cmocka_unit_test(powers),
        cmocka_unit_test(correctly_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
