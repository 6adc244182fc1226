// SPDX-License-Identifier: Apache-2.0
// Linear reasoning: canonical forms keep values, lemmas are true, a proved query has
// no counterexample, lemmas asserted one by one refute what all of them do, and queries that
// must be proved are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "verify/symbolic/eval.h"
#include "verify/integers/lemma_pool.h"
#include "verify/integers/translate.h"

#define N_VARS 5
#define N_LEMMAS 50000
#define N_FORMS 20000
#define N_GOALS 150
#define N_POOLS 400

static uint64_t seed = 1;

struct fixture {
    struct rng rng;
    struct exprs exprs;
    struct polys polys;
    struct smt smt;
    struct linear linear;
    expr_id var[N_VARS];
    int64_t value[N_VARS];
};

static void start(struct fixture *fixture, uint64_t salt)
{
    rng_seed(&fixture->rng, seed + salt);
    exprs_init(&fixture->exprs);
    polys_init(&fixture->polys, &fixture->exprs);
    smt_init(&fixture->smt, &(struct smt_limits){.query_steps = 400000});
    linear_init(&fixture->linear, &fixture->exprs, &fixture->polys, &fixture->smt, NULL);
    for (uint32_t i = 0; i < N_VARS; i++)
        fixture->var[i] = expr_var(&fixture->exprs, VAR_FRESH, 0, 0, i, 0);
}

static void stop(struct fixture *fixture)
{
    linear_release(&fixture->linear);
    smt_release(&fixture->smt);
    polys_release(&fixture->polys);
    exprs_release(&fixture->exprs);
}

static expr_id random_truth(struct fixture *fixture, unsigned depth);

static expr_id random_int(struct fixture *fixture, unsigned depth)
{
    struct exprs *exprs = &fixture->exprs;
    uint64_t k = depth == 0 ? rng_below(&fixture->rng, 2) : rng_below(&fixture->rng, 10);
    if (k == 0)
        return expr_int(exprs, rng_range(&fixture->rng, -3, 3));
    if (k == 1)
        return fixture->var[rng_below(&fixture->rng, N_VARS)];
    expr_id a = random_int(fixture, depth - 1), b = random_int(fixture, depth - 1);
    switch (k) {
    case 2:
    case 3:
        return expr_add(exprs, a, b);
    case 4:
        return expr_mul(exprs, a, b);
    case 5:
        return expr_div(exprs, a, b);
    case 6:
        return expr_mod(exprs, a, b);
    case 7:
        return expr_min(exprs, a, b);
    case 8:
        return expr_max(exprs, a, b);
    default:
        return expr_if(exprs, random_truth(fixture, depth - 1), a, b);
    }
}

static expr_id random_truth(struct fixture *fixture, unsigned depth)
{
    struct exprs *exprs = &fixture->exprs;
    uint64_t k = depth == 0 ? rng_below(&fixture->rng, 3) : rng_below(&fixture->rng, 6);
    if (k < 3) {
        expr_id a = random_int(fixture, depth), b = random_int(fixture, depth);
        return k == 0 ? expr_eq(exprs, a, b) : k == 1 ? expr_le(exprs, a, b) : expr_lt(exprs, a, b);
    }
    expr_id a = random_truth(fixture, depth - 1), b = random_truth(fixture, depth - 1);
    return k == 3 ? expr_not(exprs, a) : k == 4 ? expr_and2(exprs, a, b) : expr_or2(exprs, a, b);
}

static struct eval_env random_values(struct fixture *fixture)
{
    int64_t range = 1 + (int64_t)rng_below(&fixture->rng, 6);
    for (uint32_t i = 0; i < N_VARS; i++)
        fixture->value[i] = rng_range(&fixture->rng, -range, range);
    return (struct eval_env){.exprs = &fixture->exprs, .value = fixture->value, .n_values = N_VARS};
}

static void test_canonical_forms_keep_values(void **state)
{
    struct fixture fixture;
    uint32_t checked = 0;
    (void)state;
    start(&fixture, 1);
    while (checked < N_FORMS) {
        expr_id e = random_int(&fixture, 3), c = canon(&fixture.polys, e);
        assert_int_equal(canon(&fixture.polys, c), c);
        for (int k = 0; k < 8; k++) {
            struct eval_env env = random_values(&fixture);
            int64_t a, b;
            // An undefined quotient may disappear from a canonical form.
            if (!eval_int(&env, e, &a))
                continue;
            if (!eval_int(&env, c, &b) || a != b) {
                struct buf buf = {0};
                expr_print(&fixture.exprs, NULL, e, &buf);
                buf_puts(&buf, "  became  ");
                expr_print(&fixture.exprs, NULL, c, &buf);
                fail_msg("%s", buf_text(&buf));
            }
            checked++;
        }
    }
    stop(&fixture);
}

static void test_canonical_truth(void **state)
{
    struct fixture fixture;
    uint32_t checked = 0;
    (void)state;
    start(&fixture, 2);
    while (checked < N_FORMS) {
        expr_id e = random_truth(&fixture, 3), c = canon(&fixture.polys, e);
        for (int k = 0; k < 8; k++) {
            struct eval_env env = random_values(&fixture);
            bool a, b;
            // Both must be defined everywhere to be compared.
            if (!eval_truth(&env, e, &a) || !eval_truth(&env, c, &b))
                continue;
            assert_int_equal(a, b);
            checked++;
        }
    }
    stop(&fixture);
}

static bool implies(bool a, bool b)
{
    return !a || b;
}

// The assertions of linear.c about q = l * d.
static bool lemma_holds(int64_t l, int64_t d, int64_t q)
{
    bool up = implies(l >= 0, q >= 0) && implies(l <= 0, q <= 0) && implies(l >= 1, q >= d) &&
              implies(l <= -1, q <= -d);
    bool down = implies(l >= 0, q <= 0) && implies(l <= 0, q >= 0) && implies(l >= 1, q <= d) &&
                implies(l <= -1, q >= -d);
    return implies(d >= 1, up) && implies(d <= -1, down) && implies(d == 0, q == 0);
}

static void test_lemmas_are_true(void **state)
{
    struct fixture fixture;
    uint32_t checked = 0;
    (void)state;
    start(&fixture, 3);
    assert_false(lemma_holds(2, 3, 2)); // the check can fail
    while (checked < N_LEMMAS) {
        expr_id conj[3];
        struct lemmas ls = {{0}};
        for (int i = 0; i < 3; i++)
            conj[i] = random_truth(&fixture, 2);
        for (unsigned slack = 0; slack < 3; slack++)
            linear_lemmas(&fixture.linear, 3, conj, slack, &ls);
        for (uint32_t i = 0; i < ls.at.len; i++) {
            const struct lemma *lemma = &ls.at.at[i];
            struct eval_env env = random_values(&fixture);
            int64_t a, b, c;
            if (!eval_int(&env, poly_expr(&fixture.polys, lemma->l), &a) ||
                !eval_int(&env, poly_expr(&fixture.polys, lemma->d), &b) ||
                !eval_int(&env, poly_expr(&fixture.polys, lemma->q), &c))
                continue;
            assert_true(c == a * b && lemma_holds(a, b, c));
            checked++;
        }
        lemmas_release(&ls);
        assert_false(fixture.polys.overflow);
    }
    print_message("%u lemma instances\n", (unsigned)checked);
    stop(&fixture);
}

// Undefined divisions are excluded by hypotheses in all real use.
static bool refuted_by(struct fixture *fixture, const expr_id *hyps, uint32_t n, expr_id goal)
{
    struct eval_env env = random_values(fixture);
    bool truth;
    for (uint32_t i = 0; i < n; i++)
        if (!eval_truth(&env, hyps[i], &truth) || !truth)
            return false;
    return eval_truth(&env, goal, &truth) && !truth;
}

static void test_proofs_have_no_counterexample(void **state)
{
    struct fixture fixture;
    uint32_t proved = 0, refuted = 0;
    (void)state;
    for (int g = 0; g < N_GOALS; g++) {
        start(&fixture, 100 + (uint64_t)g);
        expr_id hyps[3], goal = random_truth(&fixture, 2);
        for (int i = 0; i < 3; i++)
            hyps[i] = random_truth(&fixture, 2);
        bool yes = linear_proves(&fixture.linear, 3, hyps, goal), no = false;
        for (int k = 0; k < 3000 && !no; k++)
            no = refuted_by(&fixture, hyps, 3, goal);
        if (yes && no) {
            struct buf buf = {0};
            expr_print(&fixture.exprs, NULL, goal, &buf);
            fail_msg("proved, but false: %s", buf_text(&buf));
        }
        proved += yes;
        refuted += no;
        stop(&fixture);
    }
    print_message("%u proved, %u refuted of %d\n", (unsigned)proved, (unsigned)refuted, N_GOALS);
    assert_true(proved > 20 && refuted > 20);
}

// A model that is called genuine satisfies the conjuncts.
static void test_genuine_models(void **state)
{
    struct fixture fixture;
    uint32_t genuine = 0;
    (void)state;
    for (int g = 0; g < 200; g++) {
        start(&fixture, 1000 + (uint64_t)g);
        expr_id conj[2] = {random_truth(&fixture, 2), random_truth(&fixture, 2)};
        struct linear_model model = {.genuine = false};
        if (linear_refute(&fixture.linear, 2, conj, &model) == SMT_SAT && model.genuine) {
            struct eval_env env = {
                .exprs = &fixture.exprs, .value = model.value.at, .n_values = model.value.len};
            for (int i = 0; i < 2; i++) {
                bool truth;
                if (eval_truth(&env, conj[i], &truth))
                    assert_true(truth);
            }
            genuine++;
        }
        linear_model_release(&model);
        stop(&fixture);
    }
    assert_true(genuine > 50);
}

// A product of two of three variables, and more.
static expr_id random_product(struct fixture *fixture)
{
    expr_id a = fixture->var[rng_below(&fixture->rng, 3)];
    expr_id b = fixture->var[rng_below(&fixture->rng, 3)];
    expr_id k = expr_int(&fixture->exprs, rng_range(&fixture->rng, -2, 2));
    expr_id product = expr_mul(&fixture->exprs, expr_add(&fixture->exprs, a, k), b);
    return rng_below(&fixture->rng, 2) ? product : expr_add(&fixture->exprs, product, a);
}

// The answer about the conjuncts with no lemma, and with all of them at once.
static void ask_whole(struct fixture *fixture, uint32_t n, const expr_id *conj,
                      enum smt_answer *without, enum smt_answer *with)
{
    struct linear *linear = &fixture->linear;
    struct gather gather;
    struct lemma_pool pool;
    gather_init(&gather, linear);
    for (uint32_t i = 0; i < n; i++)
        gather_conjunct(&gather, canon(&fixture->polys, conj[i]));
    gather_hints(&gather);
    lemma_pool_init(&pool, linear, &gather);
    for (unsigned slack = 0; slack <= 1; slack++)
        lemma_pool_add(&pool, &gather, slack);
    smt_open(&fixture->smt);
    for (uint32_t i = 0; i < n; i++)
        smt_assert(&fixture->smt, emit_truth(linear, canon(&fixture->polys, conj[i])));
    *without = smt_check(&fixture->smt);
    lemma_pool_assert_all(&pool);
    *with = smt_check(&fixture->smt);
    smt_close(&fixture->smt);
    lemma_pool_release(&pool);
    gather_release(&gather);
}

// Lemmas that are asserted when a model violates them refute what all of them together refute.
static void test_violated_lemmas_are_enough(void **state)
{
    uint32_t by_lemmas = 0;
    (void)state;
    for (int g = 0; g < N_POOLS; g++) {
        struct fixture fixture;
        enum smt_answer without, with;
        expr_id conj[6];
        start(&fixture, 5000 + (uint64_t)g);
        for (int i = 0; i < 6; i++)
            conj[i] =
                expr_le(&fixture.exprs, i < 3 ? random_int(&fixture, 0) : random_product(&fixture),
                        i % 2 == 0 ? random_product(&fixture) : random_int(&fixture, 0));
        ask_whole(&fixture, 6, conj, &without, &with);
        if (with == SMT_UNSAT)
            assert_int_equal(linear_refute(&fixture.linear, 6, conj, NULL), SMT_UNSAT);
        by_lemmas += without == SMT_SAT && with == SMT_UNSAT;
        stop(&fixture);
    }
    print_message("%u of %d are refuted by lemmas\n", (unsigned)by_lemmas, N_POOLS);
    assert_true(by_lemmas > 20);
}

// k * e
static expr_id times(struct fixture *fixture, int64_t k, expr_id e)
{
    return expr_mul(&fixture->exprs, expr_int(&fixture->exprs, k), e);
}

// |l * d| >= |d| if l is not 0, the sign of l * d is that of both, and l * 0 is 0: for all signs.
static void test_every_part_of_a_lemma(void **state)
{
    (void)state;
    for (int signs = 0; signs < 4; signs++) {
        struct fixture fixture;
        start(&fixture, 9000);
        struct exprs *exprs = &fixture.exprs;
        int64_t sl = signs & 1 ? -1 : 1, sd = signs & 2 ? -1 : 1;
        expr_id l = times(&fixture, sl, fixture.var[0]), d = times(&fixture, sd, fixture.var[1]);
        expr_id q = times(&fixture, sl * sd, expr_mul(exprs, fixture.var[0], fixture.var[1]));
        expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1);
        expr_id magnitude[] = {expr_le(exprs, one, l), expr_le(exprs, one, d),
                               expr_lt(exprs, q, d)};
        expr_id sign[] = {expr_le(exprs, zero, l), expr_le(exprs, one, d), expr_lt(exprs, q, zero)};
        expr_id other[] = {expr_le(exprs, l, zero), expr_le(exprs, one, d),
                           expr_lt(exprs, zero, q)};
        expr_id none[] = {expr_le(exprs, zero, d), expr_le(exprs, d, zero),
                          expr_lt(exprs, q, zero)};
        assert_int_equal(linear_refute(&fixture.linear, 3, magnitude, NULL), SMT_UNSAT);
        assert_int_equal(linear_refute(&fixture.linear, 3, sign, NULL), SMT_UNSAT);
        assert_int_equal(linear_refute(&fixture.linear, 3, other, NULL), SMT_UNSAT);
        assert_int_equal(linear_refute(&fixture.linear, 3, none, NULL), SMT_UNSAT);
        assert_int_equal(linear_refute(&fixture.linear, 2, magnitude, NULL), SMT_SAT);
        stop(&fixture);
    }
}

static expr_id le(struct fixture *fixture, expr_id a, expr_id b)
{
    return expr_le(&fixture->exprs, a, b);
}

// i * d = q * d + r with 0 <= r < d: r = 0 and q = i.
static void test_interior_padding(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 5);
    struct exprs *exprs = &fixture.exprs;
    expr_id i = fixture.var[0], d = fixture.var[1], n = fixture.var[2];
    expr_id id = expr_mul(exprs, i, d), one = expr_int(exprs, 1), zero = expr_int(exprs, 0);
    expr_id hyps[] = {le(&fixture, one, d), le(&fixture, zero, i), expr_lt(exprs, i, n)};
    assert_true(linear_proves(&fixture.linear, 3, hyps, expr_eq(exprs, expr_div(exprs, id, d), i)));
    assert_true(
        linear_proves(&fixture.linear, 3, hyps, expr_eq(exprs, expr_mod(exprs, id, d), zero)));
    assert_true(linear_proves(&fixture.linear, 3, hyps, expr_lt(exprs, id, expr_mul(exprs, n, d))));
    assert_false(linear_proves(&fixture.linear, 3, hyps,
                               le(&fixture, expr_add(exprs, id, one), expr_mul(exprs, i, n))));
    stop(&fixture);
}

// ceil(ceil(a / p) / q) = ceil(a / (p * q))
static void test_nested_quotients(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 6);
    struct exprs *exprs = &fixture.exprs;
    expr_id a = fixture.var[0], p = fixture.var[1], q = fixture.var[2], one = expr_int(exprs, 1);
    expr_id hyps[] = {le(&fixture, one, p), le(&fixture, one, q)};
    expr_id two = expr_ceildiv(exprs, expr_ceildiv(exprs, a, p), q);
    expr_id direct = expr_ceildiv(exprs, a, expr_mul(exprs, p, q));
    assert_true(linear_proves(&fixture.linear, 2, hyps, expr_eq(exprs, two, direct)));
    assert_false(linear_proves(&fixture.linear, 2, hyps,
                               expr_eq(exprs, two, expr_div(exprs, a, expr_mul(exprs, p, q)))));
    stop(&fixture);
}

// Coefficients that do not fit make the answer "no", never a wrong "yes".
static void test_overflow(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 7);
    struct exprs *exprs = &fixture.exprs;
    expr_id big = expr_int(exprs, INT64_MAX);
    expr_id e = expr_mul(exprs, big, expr_mul(exprs, big, fixture.var[0]));
    assert_false(linear_proves(&fixture.linear, 0, NULL, expr_eq(exprs, e, fixture.var[1])));
    assert_true(fixture.polys.overflow);
    assert_false(linear_proves(&fixture.linear, 0, NULL, expr_true(exprs)));
    stop(&fixture);
}

// A lemma that is asserted only when a model violates it may have coefficients that do not fit:
// then nothing is refuted.  The conjuncts hold of n = 1, m = 4, s = t = 0, w = u = -k, y = -k - 1.
static void test_overflow_of_a_lemma(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 4; more++) {
        struct fixture fixture;
        struct u32_vec conj = {0};
        exprs_init(&fixture.exprs);
        polys_init(&fixture.polys, &fixture.exprs);
        smt_init(&fixture.smt, &(struct smt_limits){.query_steps = 400000});
        linear_init(&fixture.linear, &fixture.exprs, &fixture.polys, &fixture.smt, NULL);
        struct exprs *exprs = &fixture.exprs;
        expr_id v[7];
        for (uint32_t i = 0; i < 7; i++)
            v[i] = expr_var(exprs, VAR_FRESH, 0, 0, i, 0);
        expr_id y = v[0], n = v[1], m = v[2], s = v[3], t = v[4], w = v[5], u = v[6];
        expr_id one = expr_int(exprs, 1), k = expr_int(exprs, -INT64_C(3074457345618258602));
        expr_id d = expr_sub(exprs, m, expr_mul(exprs, expr_int(exprs, 3), n));
        vec_push(&conj, expr_le(exprs, one, n));
        vec_push(&conj, expr_le(exprs, n, expr_int(exprs, 5)));
        vec_push(&conj, expr_le(exprs, one, d));
        vec_push(&conj, expr_le(exprs, d, expr_int(exprs, 10)));
        vec_push(&conj, expr_le(exprs, w, expr_add(exprs, y, one)));
        vec_push(&conj, expr_le(exprs, k, w));
        vec_push(&conj, expr_lt(exprs, y, u));
        vec_push(&conj, expr_le(exprs, u, k));
        vec_push(&conj, expr_le(exprs, y, k));
        vec_push(&conj,
                 expr_le(exprs, expr_int(exprs, 0), expr_add(exprs, s, expr_div(exprs, t, d))));
        for (unsigned i = 0; i < 2; i++) {
            expr_id size = i == 0 ? n : m, bound = i == 0 ? s : t;
            if (more >> i & 1) {
                vec_push(&conj, expr_le(exprs, expr_mul(exprs, y, size), bound));
                vec_push(&conj, expr_le(exprs, expr_mul(exprs, w, size), bound));
            }
        }
        vec_push(&conj, expr_le(exprs, expr_mul(exprs, y, d), t));
        assert_int_not_equal(linear_refute(&fixture.linear, conj.len, conj.at, NULL), SMT_UNSAT);
        vec_release(&conj);
        stop(&fixture);
    }
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
        cmocka_unit_test(test_violated_lemmas_are_enough),
        cmocka_unit_test(test_every_part_of_a_lemma),
        cmocka_unit_test(test_interior_padding),
        cmocka_unit_test(test_nested_quotients),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_overflow_of_a_lemma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
