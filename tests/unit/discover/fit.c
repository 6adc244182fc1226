// SPDX-License-Identifier: Apache-2.0
// Functions and preconditions that are planted in samples are found again, and
// nothing is found where there is nothing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/rng.h"
#include "base/memory/vec.h"
#include "discover/fit/fit.h"

#define N 160

struct plant {
    uint32_t n_known, n_unknown;
    const char *const *known;
    int64_t lo, hi;
    // Fills the solutions; false: none.
    bool (*solve)(const int64_t *k, int64_t *u);
};

static void sample(const struct plant *plant, uint64_t seed, uint32_t noise, struct arena *mem,
                   struct fit_problem *problem)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct fit_sample *s = ARENA_NEW(mem, struct fit_sample, N);
    for (uint32_t i = 0; i < N; i++) {
        int64_t *k = ARENA_NEW(mem, int64_t, plant->n_known);
        int64_t *u = ARENA_NEW(mem, int64_t, 8 * plant->n_unknown);
        for (uint32_t j = 0; j < plant->n_known; j++)
            k[j] = rng_range(&rng, plant->lo, plant->hi);
        s[i] = (struct fit_sample){.known = k, .solutions = u};
        if (!plant->solve(k, u))
            continue;
        // Others that agree by accident stand around the one that is meant.
        uint32_t n = 1 + (uint32_t)rng_below(&rng, noise + 1);
        uint32_t at = (uint32_t)rng_below(&rng, n);
        for (uint32_t a = n; a-- > 0;)
            for (uint32_t j = 0; j < plant->n_unknown; j++)
                u[a * plant->n_unknown + j] = u[j];
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t j = 0; j < plant->n_unknown && a != at; j++)
                u[a * plant->n_unknown + j] += rng_range(&rng, -3, 3);
        s[i].n_solutions = n;
    }
    *problem = (struct fit_problem){.n_known = plant->n_known,
                                    .n_unknown = plant->n_unknown,
                                    .n_samples = N,
                                    .known = plant->known,
                                    .samples = s};
}

// ---- the attributes of a convolution whose input is padded

static const char *const pad_names[] = {"l", "p", "i", "d"};
static bool pad_solve(const int64_t *k, int64_t *u)
{
    u[0] = k[0] + k[3] * k[1];
    u[1] = k[3] + k[3] * k[2];
    return true;
}

static void finds_linear_and_products(void **state)
{
    (void)state;
    struct plant plant = {4, 2, pad_names, -3, 5, pad_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    sample(&plant, 1, 0, &mem, &problem);
    uint32_t n = fit_solve(&problem, 4, &mem, answer);
    assert_true(n > 0);
    assert_int_equal(answer[0].covered, N);
    assert_string_equal(answer[0].where, "");
    assert_string_equal(answer[0].expr[0], "l + p * d");
    assert_int_equal(answer[0].size, 10);
    arena_release(&mem);
}

static void finds_them_among_accidents(void **state)
{
    (void)state;
    struct plant plant = {4, 2, pad_names, -3, 5, pad_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    sample(&plant, 2, 3, &mem, &problem);
    assert_true(fit_solve(&problem, 4, &mem, answer) > 0);
    assert_int_equal(answer[0].covered, N);
    assert_string_equal(answer[0].expr[0], "l + p * d");
    arena_release(&mem);
}

// ---- the limit of a slice of a slice

static const char *const slice_names[] = {"s", "e", "f", "p"};
static bool slice_solve(const int64_t *k, int64_t *u)
{
    int64_t x = k[0] + k[2] * k[3];
    u[0] = x < k[1] ? x : k[1];
    return true;
}

static void finds_a_minimum(void **state)
{
    (void)state;
    struct plant plant = {4, 1, slice_names, 0, 7, slice_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    sample(&plant, 3, 0, &mem, &problem);
    problem.max_size = 7;
    assert_true(fit_solve(&problem, 4, &mem, answer) > 0);
    assert_int_equal(answer[0].covered, N);
    assert_int_equal(answer[0].size, 7);
    // Not within five nodes.
    problem.max_size = 5;
    if (fit_solve(&problem, 4, &mem, answer) > 0)
        assert_true(answer[0].covered < N);
    arena_release(&mem);
}

static const char *const size_names[] = {"a", "b", "p"};
static bool count_solve(const int64_t *k, int64_t *u)
{
    u[0] = (k[1] - k[0]) / k[2] + ((k[1] - k[0]) % k[2] > 0);
    return true;
}

static void finds_a_ceiling(void **state)
{
    (void)state;
    struct plant plant = {3, 1, size_names, 1, 9, count_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    sample(&plant, 4, 0, &mem, &problem);
    assert_true(fit_solve(&problem, 4, &mem, answer) > 0);
    assert_string_equal(answer[0].expr[0], "ceildiv(b - a, p)");
    assert_int_equal(answer[0].covered, N);
    arena_release(&mem);
}

// ---- preconditions

static const char *const edge_names[] = {"pl", "ph", "l", "h", "d"};
static bool edge_holds(const int64_t *k)
{
    return (k[0] >= 0 || k[2] < k[4]) && (k[1] >= 0 || k[3] < k[4]);
}
static bool edge_solve(const int64_t *k, int64_t *u)
{
    u[0] = k[2] + k[0];
    return edge_holds(k);
}

static void finds_a_precondition(void **state)
{
    (void)state;
    struct plant plant = {5, 1, edge_names, -4, 5, edge_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    sample(&plant, 5, 0, &mem, &problem);
    assert_true(fit_solve(&problem, 4, &mem, answer) > 0);
    assert_string_equal(answer[0].expr[0], "pl + l");
    uint32_t holds = 0;
    for (uint32_t i = 0; i < N; i++)
        holds += edge_holds(problem.samples[i].known);
    assert_int_equal(answer[0].covered, holds);
    assert_non_null(strstr(answer[0].where, " or "));
    arena_release(&mem);
}

// What one literal about an expression says, and two about maps: the two are
// taken.  A sum that is right by accident is not.
static void maps_before_expressions(void **state)
{
    static const char *const names[] = {"n", "h", "p", "(div(n + h - n, p))"};
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct arena mem = {0};
        struct fit_sample s[2 * N];
        struct fit_where answer;
        struct rng rng;
        bool good[2 * N];
        rng_seed(&rng, seed);
        for (uint32_t i = 0; i < 2 * N; i++) {
            int64_t *k = ARENA_NEW(&mem, int64_t, 4);
            k[0] = rng_range(&rng, 0, 8);
            k[1] = rng_range(&rng, -5, 8);
            k[2] = rng_range(&rng, 1, 4);
            k[3] = k[1] >= 0 ? k[1] / k[2] : -((-k[1] + k[2] - 1) / k[2]);
            s[i] = (struct fit_sample){.known = k};
            good[i] = k[3] == 0;
        }
        struct fit_problem problem = {
            .n_known = 4, .n_samples = 2 * N, .known = names, .samples = s};
        assert_true(fit_where(&problem, good, &mem, &answer));
        assert_int_equal(answer.n_terms, 2);
        assert_null(strstr(answer.where, "div"));
        assert_non_null(strstr(answer.where, "h < p"));
        assert_non_null(strstr(answer.where, "h >= 0"));
        arena_release(&mem);
    }
}

// A sum that is not negative is one literal about two maps.
static void finds_a_sum(void **state)
{
    static const char *const names[] = {"n", "l", "h"};
    struct arena mem = {0};
    struct fit_sample s[N];
    struct fit_where answer;
    struct rng rng;
    bool good[N];
    (void)state;
    rng_seed(&rng, 3);
    for (uint32_t i = 0; i < N; i++) {
        int64_t *k = ARENA_NEW(&mem, int64_t, 3);
        k[0] = rng_range(&rng, 0, 6);
        k[1] = rng_range(&rng, -5, 5);
        k[2] = rng_range(&rng, -5, 5);
        s[i] = (struct fit_sample){.known = k};
        good[i] = k[0] + k[1] >= 0;
    }
    struct fit_problem problem = {.n_known = 3, .n_samples = N, .known = names, .samples = s};
    assert_true(fit_where(&problem, good, &mem, &answer));
    assert_string_equal(answer.where, "n + l >= 0");
    arena_release(&mem);
}

// `p == 1 or mod(s, f) == 0` is false where f is 0, whatever p is.
static void divides_by_no_zero(void **state)
{
    static const char *const names[] = {"p", "s", "f"};
    struct arena mem = {0};
    struct fit_sample s[2 * N];
    struct fit_where answer;
    struct rng rng;
    bool good[2 * N];
    (void)state;
    rng_seed(&rng, 4);
    for (uint32_t i = 0; i < 2 * N; i++) {
        int64_t *k = ARENA_NEW(&mem, int64_t, 3);
        k[0] = rng_range(&rng, 1, 3);
        k[1] = rng_range(&rng, 0, 9);
        k[2] = rng_range(&rng, 0, 4);
        s[i] = (struct fit_sample){.known = k};
        good[i] = k[0] == 1 || (k[2] != 0 && k[1] % k[2] == 0);
    }
    struct fit_problem problem = {.n_known = 3, .n_samples = 2 * N, .known = names, .samples = s};
    if (fit_where(&problem, good, &mem, &answer)) {
        bool divides = strstr(answer.where, "or mod(s, f)") != NULL ||
                       strstr(answer.where, "mod(s, f) == 0 or") != NULL;
        assert_false(divides);
    }
    arena_release(&mem);
}

// No bad sample meets it, and none of the terms could be left out (F2).
static void precondition_forbids_all_bad(void **state)
{
    uint32_t found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct plant plant = {3, 1, size_names, 1, 4, count_solve};
        struct arena mem = {0};
        struct fit_problem problem;
        struct fit_where answer;
        struct rng rng;
        bool good[N];
        sample(&plant, seed, 0, &mem, &problem);
        rng_seed(&rng, seed);
        uint64_t modulus = 2 + rng_below(&rng, 3);
        for (uint32_t i = 0; i < N; i++) {
            const int64_t *k = problem.samples[i].known;
            good[i] = k[0] <= k[1] || (uint64_t)k[2] % modulus == 0;
            // Some agree by accident.
            good[i] = good[i] || rng_below(&rng, 8) == 0;
        }
        problem.max_terms = 12;
        if (!fit_where(&problem, good, &mem, &answer)) {
            arena_release(&mem);
            continue;
        }
        uint32_t covered = 0;
        found++;
        for (uint32_t i = 0; i < N; i++) {
            assert_true(good[i] || !answer.meets[i]);
            covered += answer.meets[i];
        }
        assert_int_equal(covered, answer.covered);
        assert_true(covered > 0);
        arena_release(&mem);
    }
    assert_true(found >= 15);
}

static void nothing_from_nothing(void **state)
{
    (void)state;
    struct plant plant = {4, 1, pad_names, -3, 5, pad_solve};
    struct arena mem = {0};
    struct fit_problem problem;
    struct fit_answer answer[4];
    struct fit_where w;
    bool good[N] = {false};
    plant.n_unknown = 2;
    sample(&plant, 6, 0, &mem, &problem);
    assert_false(fit_where(&problem, good, &mem, &w));
    struct fit_sample *s = ARENA_NEW(&mem, struct fit_sample, N);
    for (uint32_t i = 0; i < N; i++)
        s[i] = (struct fit_sample){.known = problem.samples[i].known};
    problem.samples = s;
    assert_int_equal(fit_solve(&problem, 4, &mem, answer), 0);
    arena_release(&mem);
}

// Random values are no function: what is found covers few of them.
static void noise_is_no_function(void **state)
{
    (void)state;
    struct arena mem = {0};
    struct rng rng;
    struct fit_sample s[N];
    struct fit_answer answer[4];
    rng_seed(&rng, 7);
    for (uint32_t i = 0; i < N; i++) {
        int64_t *v = ARENA_NEW(&mem, int64_t, 3);
        for (int j = 0; j < 3; j++)
            v[j] = rng_range(&rng, -1000, 1000);
        s[i] = (struct fit_sample){v, 1, v + 2};
    }
    struct fit_problem problem = {
        .n_known = 2, .n_unknown = 1, .n_samples = N, .known = size_names, .samples = s};
    assert_int_equal(fit_solve(&problem, 4, &mem, answer), 0);
    arena_release(&mem);
}

static void equal_problems_have_equal_answers(void **state)
{
    (void)state;
    struct plant plant = {5, 1, edge_names, -4, 5, edge_solve};
    for (uint64_t seed = 10; seed < 14; seed++) {
        struct arena mem = {0};
        struct fit_problem problem, q;
        struct fit_answer answer[4], b[4];
        sample(&plant, seed, 2, &mem, &problem);
        sample(&plant, seed, 2, &mem, &q);
        uint32_t n = fit_solve(&problem, 4, &mem, answer);
        assert_int_equal(n, fit_solve(&q, 4, &mem, b));
        for (uint32_t i = 0; i < n; i++) {
            assert_string_equal(answer[i].expr[0], b[i].expr[0]);
            assert_string_equal(answer[i].where, b[i].where);
        }
        arena_release(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_linear_and_products),
        cmocka_unit_test(finds_them_among_accidents),
        cmocka_unit_test(finds_a_minimum),
        cmocka_unit_test(finds_a_ceiling),
        cmocka_unit_test(finds_a_precondition),
        cmocka_unit_test(maps_before_expressions),
        cmocka_unit_test(finds_a_sum),
        cmocka_unit_test(divides_by_no_zero),
        cmocka_unit_test(precondition_forbids_all_bad),
        cmocka_unit_test(nothing_from_nothing),
        cmocka_unit_test(noise_is_no_function),
        cmocka_unit_test(equal_problems_have_equal_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
