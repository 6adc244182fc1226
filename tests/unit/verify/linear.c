// SPDX-License-Identifier: Apache-2.0
// Linear reasoning: canonical forms keep values, lemmas are true, what is
// proved has no counterexample, and what must be proved is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "verify/symbolic/eval.h"
#include "verify/integers/linear.h"

#define N_VARS 5
#define N_LEMMAS 50000
#define N_FORMS 20000
#define N_GOALS 150

static uint64_t seed = 1;

struct fixture {
    struct rng rng;
    struct exprs x;
    struct polys p;
    struct smt smt;
    struct linear l;
    expr_id var[N_VARS];
    int64_t value[N_VARS];
};

static void start(struct fixture *f, uint64_t salt)
{
    rng_seed(&f->rng, seed + salt);
    exprs_init(&f->x);
    polys_init(&f->p, &f->x);
    smt_init(&f->smt, 400000, 1000);
    linear_init(&f->l, &f->x, &f->p, &f->smt, NULL);
    for (uint32_t i = 0; i < N_VARS; i++)
        f->var[i] = expr_var(&f->x, VAR_FRESH, 0, 0, i, 0);
}

static void stop(struct fixture *f)
{
    linear_release(&f->l);
    smt_release(&f->smt);
    polys_release(&f->p);
    exprs_release(&f->x);
}

static expr_id random_truth(struct fixture *f, unsigned depth);

static expr_id random_int(struct fixture *f, unsigned depth)
{
    struct exprs *x = &f->x;
    uint64_t k = depth == 0 ? rng_below(&f->rng, 2) : rng_below(&f->rng, 10);
    if (k == 0)
        return expr_int(x, rng_range(&f->rng, -3, 3));
    if (k == 1)
        return f->var[rng_below(&f->rng, N_VARS)];
    expr_id a = random_int(f, depth - 1), b = random_int(f, depth - 1);
    switch (k) {
    case 2:
    case 3:
        return expr_add(x, a, b);
    case 4:
        return expr_mul(x, a, b);
    case 5:
        return expr_div(x, a, b);
    case 6:
        return expr_mod(x, a, b);
    case 7:
        return expr_min(x, a, b);
    case 8:
        return expr_max(x, a, b);
    default:
        return expr_if(x, random_truth(f, depth - 1), a, b);
    }
}

static expr_id random_truth(struct fixture *f, unsigned depth)
{
    struct exprs *x = &f->x;
    uint64_t k = depth == 0 ? rng_below(&f->rng, 3) : rng_below(&f->rng, 6);
    if (k < 3) {
        expr_id a = random_int(f, depth), b = random_int(f, depth);
        return k == 0   ? expr_eq(x, a, b)
               : k == 1 ? expr_le(x, a, b)
                        : expr_lt(x, a, b);
    }
    expr_id a = random_truth(f, depth - 1), b = random_truth(f, depth - 1);
    return k == 3   ? expr_not(x, a)
           : k == 4 ? expr_and2(x, a, b)
                    : expr_or2(x, a, b);
}

static struct eval_env random_values(struct fixture *f)
{
    int64_t range = 1 + (int64_t)rng_below(&f->rng, 6);
    for (uint32_t i = 0; i < N_VARS; i++)
        f->value[i] = rng_range(&f->rng, -range, range);
    return (struct eval_env){.x = &f->x, .value = f->value, .n_values = N_VARS};
}

static void test_canonical_forms_keep_values(void **state)
{
    struct fixture f;
    uint32_t checked = 0;
    (void)state;
    start(&f, 1);
    while (checked < N_FORMS) {
        expr_id e = random_int(&f, 3), c = canon(&f.p, e);
        assert_int_equal(canon(&f.p, c), c);
        for (int k = 0; k < 8; k++) {
            struct eval_env v = random_values(&f);
            int64_t a, b;
            // An undefined quotient may disappear from a canonical form.
            if (!eval_int(&v, e, &a))
                continue;
            if (!eval_int(&v, c, &b) || a != b) {
                struct buf t = {0};
                expr_print(&f.x, NULL, e, &t);
                buf_puts(&t, "  became  ");
                expr_print(&f.x, NULL, c, &t);
                fail_msg("%s", buf_text(&t));
            }
            checked++;
        }
    }
    stop(&f);
}

static void test_canonical_truth(void **state)
{
    struct fixture f;
    uint32_t checked = 0;
    (void)state;
    start(&f, 2);
    while (checked < N_FORMS) {
        expr_id e = random_truth(&f, 3), c = canon(&f.p, e);
        for (int k = 0; k < 8; k++) {
            struct eval_env v = random_values(&f);
            bool a, b;
            // Both must be defined everywhere to be compared.
            if (!eval_truth(&v, e, &a) || !eval_truth(&v, c, &b))
                continue;
            assert_int_equal(a, b);
            checked++;
        }
    }
    stop(&f);
}

static bool implies(bool a, bool b)
{
    return !a || b;
}

// What linear.c asserts of q = l * d.
static bool lemma_holds(int64_t l, int64_t d, int64_t q)
{
    bool up = implies(l >= 0, q >= 0) && implies(l <= 0, q <= 0) &&
              implies(l >= 1, q >= d) && implies(l <= -1, q <= -d);
    bool down = implies(l >= 0, q <= 0) && implies(l <= 0, q >= 0) &&
                implies(l >= 1, q <= d) && implies(l <= -1, q >= -d);
    return implies(d >= 1, up) && implies(d <= -1, down) &&
           implies(d == 0, q == 0);
}

static void test_lemmas_are_true(void **state)
{
    struct fixture f;
    uint32_t checked = 0;
    (void)state;
    start(&f, 3);
    assert_false(lemma_holds(2, 3, 2)); // the check can fail
    while (checked < N_LEMMAS) {
        expr_id conj[3];
        struct lemmas ls = {{0}};
        for (int i = 0; i < 3; i++)
            conj[i] = random_truth(&f, 2);
        for (unsigned slack = 0; slack < 3; slack++)
            linear_lemmas(&f.l, 3, conj, slack, &ls);
        for (uint32_t i = 0; i < ls.at.len; i++) {
            const struct lemma *m = &ls.at.at[i];
            struct eval_env v = random_values(&f);
            int64_t a, b, c;
            if (!eval_int(&v, poly_expr(&f.p, m->l), &a) ||
                !eval_int(&v, poly_expr(&f.p, m->d), &b) ||
                !eval_int(&v, poly_expr(&f.p, m->q), &c))
                continue;
            assert_true(c == a * b && lemma_holds(a, b, c));
            checked++;
        }
        lemmas_release(&ls);
        assert_false(f.p.overflow);
    }
    print_message("%u lemma instances\n", (unsigned)checked);
    stop(&f);
}

// Undefined divisions are excluded by hypotheses in all real use.
static bool refuted_by(struct fixture *f, const expr_id *hyps, uint32_t n,
                       expr_id goal)
{
    struct eval_env v = random_values(f);
    bool truth;
    for (uint32_t i = 0; i < n; i++)
        if (!eval_truth(&v, hyps[i], &truth) || !truth)
            return false;
    return eval_truth(&v, goal, &truth) && !truth;
}

static void test_proofs_have_no_counterexample(void **state)
{
    struct fixture f;
    uint32_t proved = 0, refuted = 0;
    (void)state;
    for (int g = 0; g < N_GOALS; g++) {
        start(&f, 100 + (uint64_t)g);
        expr_id hyps[3], goal = random_truth(&f, 2);
        for (int i = 0; i < 3; i++)
            hyps[i] = random_truth(&f, 2);
        bool yes = linear_proves(&f.l, 3, hyps, goal), no = false;
        for (int k = 0; k < 3000 && !no; k++)
            no = refuted_by(&f, hyps, 3, goal);
        if (yes && no) {
            struct buf t = {0};
            expr_print(&f.x, NULL, goal, &t);
            fail_msg("proved, but false: %s", buf_text(&t));
        }
        proved += yes;
        refuted += no;
        stop(&f);
    }
    print_message("%u proved, %u refuted of %d\n", (unsigned)proved,
                  (unsigned)refuted, N_GOALS);
    assert_true(proved > 20 && refuted > 20);
}

// A model that is called genuine satisfies the conjuncts.
static void test_genuine_models(void **state)
{
    struct fixture f;
    uint32_t genuine = 0;
    (void)state;
    for (int g = 0; g < 200; g++) {
        start(&f, 1000 + (uint64_t)g);
        expr_id conj[2] = {random_truth(&f, 2), random_truth(&f, 2)};
        struct linear_model m = {.genuine = false};
        if (linear_refute(&f.l, 2, conj, &m) == SMT_SAT && m.genuine) {
            struct eval_env v = {
                .x = &f.x, .value = m.value.at, .n_values = m.value.len};
            for (int i = 0; i < 2; i++) {
                bool truth;
                if (eval_truth(&v, conj[i], &truth))
                    assert_true(truth);
            }
            genuine++;
        }
        linear_model_release(&m);
        stop(&f);
    }
    assert_true(genuine > 50);
}

static expr_id le(struct fixture *f, expr_id a, expr_id b)
{
    return expr_le(&f->x, a, b);
}

// i * d = q * d + r with 0 <= r < d: r = 0 and q = i.
static void test_interior_padding(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 5);
    struct exprs *x = &f.x;
    expr_id i = f.var[0], d = f.var[1], n = f.var[2];
    expr_id id = expr_mul(x, i, d), one = expr_int(x, 1), zero = expr_int(x, 0);
    expr_id hyps[] = {le(&f, one, d), le(&f, zero, i), expr_lt(x, i, n)};
    assert_true(
        linear_proves(&f.l, 3, hyps, expr_eq(x, expr_div(x, id, d), i)));
    assert_true(
        linear_proves(&f.l, 3, hyps, expr_eq(x, expr_mod(x, id, d), zero)));
    assert_true(
        linear_proves(&f.l, 3, hyps, expr_lt(x, id, expr_mul(x, n, d))));
    assert_false(linear_proves(
        &f.l, 3, hyps, le(&f, expr_add(x, id, one), expr_mul(x, i, n))));
    stop(&f);
}

// ceil(ceil(a / p) / q) = ceil(a / (p * q))
static void test_nested_quotients(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 6);
    struct exprs *x = &f.x;
    expr_id a = f.var[0], p = f.var[1], q = f.var[2], one = expr_int(x, 1);
    expr_id hyps[] = {le(&f, one, p), le(&f, one, q)};
    expr_id two = expr_ceildiv(x, expr_ceildiv(x, a, p), q);
    expr_id direct = expr_ceildiv(x, a, expr_mul(x, p, q));
    assert_true(linear_proves(&f.l, 2, hyps, expr_eq(x, two, direct)));
    assert_false(linear_proves(
        &f.l, 2, hyps, expr_eq(x, two, expr_div(x, a, expr_mul(x, p, q)))));
    stop(&f);
}

// Coefficients that do not fit make the answer "no", never a wrong "yes".
static void test_overflow(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 7);
    struct exprs *x = &f.x;
    expr_id big = expr_int(x, INT64_MAX);
    expr_id e = expr_mul(x, big, expr_mul(x, big, f.var[0]));
    assert_false(linear_proves(&f.l, 0, NULL, expr_eq(x, e, f.var[1])));
    assert_true(f.p.overflow);
    assert_false(linear_proves(&f.l, 0, NULL, expr_true(x)));
    stop(&f);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical_forms_keep_values),
        cmocka_unit_test(test_canonical_truth),
        cmocka_unit_test(test_lemmas_are_true),
        cmocka_unit_test(test_proofs_have_no_counterexample),
        cmocka_unit_test(test_genuine_models),
        cmocka_unit_test(test_interior_padding),
        cmocka_unit_test(test_nested_quotients),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
