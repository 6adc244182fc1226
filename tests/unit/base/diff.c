// SPDX-License-Identifier: Apache-2.0
// What two sequences have in common, against definitions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include "base/memory/vec.h"
#include "base/rng.h"
#include "base/text/diff.h"

#define LONGEST 40u
#define MANY UINT64_C(1000000)

// Matches ascend, and what they match is equal.
static void valid(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
                  const struct diff *diff)
{
    for (uint32_t i = 0; i < diff->len; i++) {
        assert_true(diff->at[i].a < n && diff->at[i].b < m);
        assert_int_equal(a[diff->at[i].a], b[diff->at[i].b]);
        if (i > 0) {
            assert_true(diff->at[i - 1].a < diff->at[i].a);
            assert_true(diff->at[i - 1].b < diff->at[i].b);
        }
    }
}

static uint32_t longest(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    uint32_t table[LONGEST + 1][LONGEST + 1] = {{0}};
    for (uint32_t i = 1; i <= n; i++)
        for (uint32_t k = 1; k <= m; k++) {
            uint32_t up = table[i - 1][k], left = table[i][k - 1];
            table[i][k] = a[i - 1] == b[k - 1] ? table[i - 1][k - 1] + 1 : up > left ? up : left;
        }
    return table[n][m];
}

// Never more than the longest common subsequence, and something if anything is common.
static void random_sequences(void **state)
{
    (void)state;
    struct rng rng;
    struct diff diff = {0};
    rng_seed(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        uint32_t a[LONGEST], b[LONGEST], n_keys = 1 + (uint32_t)rng_below(&rng, 12);
        uint32_t n = (uint32_t)rng_below(&rng, LONGEST + 1);
        uint32_t m = (uint32_t)rng_below(&rng, LONGEST + 1);
        for (uint32_t i = 0; i < n; i++)
            a[i] = (uint32_t)rng_below(&rng, n_keys);
        for (uint32_t i = 0; i < m; i++)
            b[i] = (uint32_t)rng_below(&rng, n_keys);
        diff_find(a, n, b, m, MANY, &diff);
        valid(a, n, b, m, &diff);
        uint32_t most = longest(a, n, b, m);
        assert_true(diff.len <= most && (diff.len > 0) == (most > 0));
    }
    vec_release(&diff);
}

// An element that went, one that came, and one that moved.
static void known_sequences(void **state)
{
    (void)state;
    static const uint32_t a[] = {1, 2, 3, 4, 5, 6, 7, 7, 8};
    static const uint32_t b[] = {1, 3, 4, 9, 5, 7, 7, 6, 8};
    static const struct diff_match want[] = {{0, 0}, {2, 1}, {3, 2}, {4, 4}, {8, 8}};
    struct diff diff = {0};
    diff_find(a, 9, b, 9, MANY, &diff);
    valid(a, 9, b, 9, &diff);
    for (size_t i = 0, k = 0; i < sizeof want / sizeof *want; i++, k++) {
        while (k < diff.len && diff.at[k].a != want[i].a)
            k++;
        assert_true(k < diff.len && diff.at[k].b == want[i].b);
    }
    // Equal sequences match whole, without any steps.
    diff_find(a, 9, a, 9, 0, &diff);
    assert_int_equal(diff.len, 9);
    // Without steps the ends alone match.
    diff_find(a, 9, b, 9, 0, &diff);
    assert_int_equal(diff.len, 2);
    diff_find(a, 0, b, 9, MANY, &diff);
    assert_int_equal(diff.len, 0);
    vec_release(&diff);
}

// Repeated elements alone: the longest sequence.
static void longest_sequences(void **state)
{
    (void)state;
    static const uint32_t a[] = {1, 2, 1, 1, 2, 2, 1, 2};
    static const uint32_t b[] = {2, 2, 1, 2, 1, 1, 1, 2, 1};
    struct diff diff = {0};
    diff_find(a, 8, b, 9, MANY, &diff);
    valid(a, 8, b, 9, &diff);
    assert_int_equal(diff.len, longest(a, 8, b, 9));
    vec_release(&diff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(known_sequences),
        cmocka_unit_test(longest_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
