// SPDX-License-Identifier: Apache-2.0
// Small numbers in place of large ones: order, equality, sums and relations stay, as
// tensor/resize/sizes.h promises.
#include "base/rng.h"
#include "tensor/resize/sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MOST 8

struct set {
    struct sizes sizes;
    uint32_t n, at[MOST];
    int64_t before[MOST];
};

static void set_start(struct set *set, struct rng *rng)
{
    *set = (struct set){.n = (uint32_t)rng_range(rng, 2, MOST)};
    for (uint32_t k = 0; k < set->n; k++) {
        set->before[k] = rng_range(rng, 0, 3) == 0 ? rng_range(rng, 0, 4) : rng_range(rng, 5, 5000);
        // some are sums or equal
        if (k >= 2 && rng_below(rng, 3) == 0)
            set->before[k] = set->before[k - 1] + set->before[k - 2];
        else if (k >= 1 && rng_below(rng, 5) == 0)
            set->before[k] = set->before[k - 1];
        set->at[k] = number_new(&set->sizes, set->before[k]);
        if (k > 0)
            number_link(&set->sizes, set->at[0], set->at[k]);
    }
}

static void check(const struct set *set)
{
    int64_t now[MOST];
    for (uint32_t k = 0; k < set->n; k++)
        now[k] = number_now(&set->sizes, set->at[k]);
    for (uint32_t a = 0; a < set->n; a++) {
        assert_true(now[a] <= set->before[a]);
        assert_true(set->before[a] > NUMBER_KEPT ? now[a] >= NUMBER_LEAST
                                                 : now[a] == set->before[a]);
        for (uint32_t b = 0; b < set->n; b++) {
            assert_int_equal(set->before[a] < set->before[b], now[a] < now[b]);
            for (uint32_t c = 0; c < set->n; c++)
                if (set->before[a] + set->before[b] == set->before[c])
                    assert_int_equal(now[a] + now[b], now[c]);
        }
    }
}

static void test_order_and_sums(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t smaller = 0;
    rng_seed(&rng, 11);
    for (int round = 0; round < 500; round++) {
        struct set set;
        set_start(&set, &rng);
        sizes_shrink(&set.sizes, 20000);
        check(&set);
        for (uint32_t k = 0; k < set.n; k++)
            smaller += number_now(&set.sizes, set.at[k]) < set.before[k];
        sizes_release(&set.sizes);
    }
    assert_true(smaller > 1000);
}

// A slice with a stride: limit - start - stride * size keeps its value, also where the stride is
// a number of the set.
static void test_relation(void **state)
{
    (void)state;
    struct sizes sizes = {0};
    uint32_t n = number_new(&sizes, 32), limit = number_new(&sizes, 1024);
    uint32_t stride = number_new(&sizes, 33), size = number_new(&sizes, 32);
    struct number_term product[2] = {{1, 1, {limit}}, {-1, 2, {n, n}}};
    struct number_term slice[3] = {{1, 1, {limit}}, {-1, 2, {stride, size}}, {1, 1, {stride}}};
    number_same(&sizes, n, size);
    number_relate(&sizes, 2, product);
    number_relate(&sizes, 3, slice);
    sizes_shrink(&sizes, 20000);
    assert_int_equal(number_now(&sizes, n), NUMBER_LEAST);
    assert_int_equal(number_now(&sizes, limit), NUMBER_LEAST * NUMBER_LEAST);
    assert_int_equal(number_now(&sizes, stride), NUMBER_LEAST + 1);
    sizes_release(&sizes);
}

static void test_fixed(void **state)
{
    (void)state;
    struct sizes sizes = {0};
    uint32_t a = number_new(&sizes, 100), b = number_new(&sizes, 300), c = number_new(&sizes, 100);
    number_link(&sizes, a, b);
    number_fix(&sizes, a);
    sizes_shrink(&sizes, 20000);
    assert_int_equal(number_now(&sizes, a), 100);
    assert_int_equal(number_now(&sizes, b), 101);
    assert_int_equal(number_now(&sizes, c), NUMBER_LEAST); // of a set of its own
    sizes_release(&sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_and_sums),
                                       cmocka_unit_test(test_relation),
                                       cmocka_unit_test(test_fixed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
