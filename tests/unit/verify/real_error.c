// SPDX-License-Identifier: Apache-2.0
// Bounds of the errors of floats that stand for reals (verify/symbolic/real_error.h), against
// MPFR: operands anywhere within their bounds give a number within the bound of the result.
#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/symbolic/real_error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <mpfr.h>

#define ROUNDS 20000
#define BITS 1400 // no digit of a sum or product of the operands is lost

typedef int (*unary)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*binary)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static int logistic(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_neg(out, x, round);
    mpfr_exp(out, out, round);
    mpfr_add_ui(out, out, 1, round);
    return mpfr_ui_div(out, 1, out, round);
}

static int sign(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
    return mpfr_set_si(out, mpfr_sgn(x), round);
}

static int floor_of(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
    (void)round;
    return mpfr_floor(out, x);
}

static int ceil_of(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
    (void)round;
    return mpfr_ceil(out, x);
}

static int round_of(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
    (void)round;
    return mpfr_round(out, x);
}

static const struct {
    enum op op;
    unary real;
} unaries[] = {{OP_EXPONENTIAL, mpfr_exp},
               {OP_EXPONENTIAL_MINUS_ONE, mpfr_expm1},
               {OP_LOG, mpfr_log},
               {OP_LOG_PLUS_ONE, mpfr_log1p},
               {OP_SQRT, mpfr_sqrt},
               {OP_RSQRT, mpfr_rec_sqrt},
               {OP_CBRT, mpfr_cbrt},
               {OP_SINE, mpfr_sin},
               {OP_COSINE, mpfr_cos},
               {OP_TAN, mpfr_tan},
               {OP_TANH, mpfr_tanh},
               {OP_ERF, mpfr_erf},
               {OP_LOGISTIC, logistic},
               {OP_SIGN, sign},
               {OP_FLOOR, floor_of},
               {OP_CEIL, ceil_of},
               {OP_ROUND_NEAREST_AFZ, round_of},
               {OP_ABS, mpfr_abs},
               {OP_NEGATE, mpfr_neg}};
static const struct {
    enum op op;
    binary real;
} binaries[] = {{OP_ADD, mpfr_add},     {OP_SUBTRACT, mpfr_sub}, {OP_MULTIPLY, mpfr_mul},
                {OP_DIVIDE, mpfr_div},  {OP_POWER, mpfr_pow},    {OP_ATAN2, mpfr_atan2},
                {OP_MAXIMUM, mpfr_max}, {OP_MINIMUM, mpfr_min},  {OP_REMAINDER, mpfr_fmod}};

// Numbers as candidates have them, and numbers beside those where functions end or jump.
static struct real_operand operand(struct rng *rng)
{
    static const double places[] = {0,   1,    -1,   0.5, 2,    -2,   3, 1.5, 3.141592653589793,
                                    100, -0.0, 0.01, 165, -700, -1000};
    static const double offs[] = {0, 0, 0, 1e-300, 1e-15, 1e-9, 1e-3, 0.0065, 0.3, 400};
    double x = places[rng_below(rng, sizeof places / sizeof *places)];
    if (rng_below(rng, 3) == 0)
        x += ldexp((double)rng_range(rng, -1000, 1000), -(int)rng_below(rng, 60));
    if (rng_below(rng, 8) == 0)
        x *= rng_below(rng, 4) == 0 ? 1e7 : 37;
    return (struct real_operand){x, offs[rng_below(rng, sizeof offs / sizeof *offs)]};
}

// A real number within the bounds.
static void real_of(mpfr_t out, struct real_operand a, struct rng *rng)
{
    double t = rng_below(rng, 3) == 0 ? 1 : (double)rng_range(rng, -1000, 1000) / 1000;
    mpfr_set_d(out, a.off, MPFR_RNDN);
    mpfr_mul_d(out, out, t, MPFR_RNDN);
    mpfr_add_d(out, out, a.x == 0 ? 0 : a.x, MPFR_RNDN); // no real zero has a sign
    if (mpfr_zero_p(out))
        mpfr_set_ui(out, 0, MPFR_RNDN);
}

static void compare(enum op op, struct real_operand a, struct real_operand b, double r,
                    const mpfr_t real, uint32_t *told)
{
    double off = real_error_up_to(REAL_LARGEST, op, a, b, r);
    if (!(off < REAL_UNKNOWN))
        return;
    ++*told;
    mpfr_t distance;
    mpfr_init2(distance, BITS);
    mpfr_sub_d(distance, real, r, MPFR_RNDN);
    mpfr_abs(distance, distance, MPFR_RNDN);
    if (!mpfr_number_p(real) || mpfr_cmp_d(distance, off) > 0)
        fail_msg("%s(%.17g +- %g, %.17g +- %g) = %.17g +- %g, but %.17g", op_name(op), a.x, a.off,
                 b.x, b.off, r, off, mpfr_get_d(real, MPFR_RNDN));
    mpfr_clear(distance);
}

static void test_unary(void **state)
{
    (void)state;
    struct rng rng;
    struct err err = {0};
    mpfr_t x, real;
    mpfr_inits2(BITS, x, real, (mpfr_ptr)0);
    rng_seed(&rng, 1);
    for (uint32_t k = 0; k < sizeof unaries / sizeof *unaries; k++) {
        uint32_t told = 0;
        for (uint32_t i = 0; i < ROUNDS / 10; i++) {
            struct real_operand a = operand(&rng);
            struct scalar r;
            real_of(x, a, &rng);
            unaries[k].real(real, x, MPFR_RNDN);
            if (eval_unary(unaries[k].op, ELEM_F64, scalar_of_double(ELEM_F64, a.x), &r, &err))
                compare(unaries[k].op, a, a, scalar_to_double(ELEM_F64, r), real, &told);
        }
        assert_true(told > ROUNDS / 100);
    }
    mpfr_clears(x, real, (mpfr_ptr)0);
}

static void test_binary(void **state)
{
    (void)state;
    struct rng rng;
    struct err err = {0};
    mpfr_t x, y, real;
    mpfr_inits2(BITS, x, y, real, (mpfr_ptr)0);
    rng_seed(&rng, 2);
    for (uint32_t k = 0; k < sizeof binaries / sizeof *binaries; k++) {
        uint32_t told = 0;
        for (uint32_t i = 0; i < ROUNDS; i++) {
            struct real_operand a = operand(&rng), b = operand(&rng);
            struct scalar r;
            real_of(x, a, &rng);
            real_of(y, b, &rng);
            binaries[k].real(real, x, y, MPFR_RNDN);
            if (eval_binary(binaries[k].op, ELEM_F64, scalar_of_double(ELEM_F64, a.x),
                            scalar_of_double(ELEM_F64, b.x), &r, &err))
                compare(binaries[k].op, a, b, scalar_to_double(ELEM_F64, r), real, &told);
        }
        assert_true(told > ROUNDS / 100);
    }
    mpfr_clears(x, y, real, (mpfr_ptr)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unary), cmocka_unit_test(test_binary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
