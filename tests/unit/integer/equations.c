// SPDX-License-Identifier: Apache-2.0
// Equations that no integers solve: remainders that contradict each other are found; random systems
// with a solution never count as having none.
#include "base/rng.h"
#include "integer/equations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct integers in;
static struct ifacts facts;

static int open(void **state)
{
    (void)state;
    integers_init(&in);
    facts = (struct ifacts){0};
    return 0;
}

static int shut(void **state)
{
    (void)state;
    ifacts_release(&facts);
    integers_release(&in);
    return 0;
}

static void remainder_is(ipoly a, int64_t divisor, int64_t rest)
{
    ipoly atom = int_of_atom(&in, INT_REMAINDER, a, int_constant(&in, divisor));
    ifacts_push_zero(&in, &facts, int_shift(&in, atom, -rest), NO_ORIGIN);
}

static void remainders(void **state)
{
    (void)state;
    ipoly n = int_symbol(&in, "n"), m = int_symbol(&in, "m");
    ifacts_push(&facts, int_shift(&in, n, -1), NO_ORIGIN);
    remainder_is(n, 4, 2);
    assert_false(int_no_solution(&in, &facts));
    uint32_t mark = ifacts_mark(&facts);
    remainder_is(n, 2, 0);
    remainder_is(n, 3, 1);
    assert_false(int_no_solution(&in, &facts));
    ifacts_pop(&facts, mark);
    remainder_is(n, 2, 1);
    assert_true(int_no_solution(&in, &facts));
    ifacts_pop(&facts, mark);
    remainder_is(n, 6, 3); // odd, and 2 more than a multiple of 4
    assert_true(int_no_solution(&in, &facts));
    ifacts_pop(&facts, mark);
    // n = 2*m + 1
    ifacts_push_zero(&in, &facts, int_subtract(&in, n, int_shift(&in, int_scale(&in, m, 2), 1)),
                     NO_ORIGIN);
    assert_true(int_no_solution(&in, &facts));
    ifacts_pop(&facts, mark);
    remainder_is(int_add(&in, n, m), 2, 1);
    assert_false(int_no_solution(&in, &facts));
    remainder_is(m, 10, 4);
    assert_true(int_no_solution(&in, &facts));
}

// 1 <= n mod 2 is an equation, too.
static void bounds(void **state)
{
    (void)state;
    ipoly n = int_symbol(&in, "n");
    ipoly odd = int_of_atom(&in, INT_REMAINDER, n, int_constant(&in, 2));
    ifacts_push(&facts, int_shift(&in, n, -1), NO_ORIGIN);
    ifacts_push(&facts, int_shift(&in, odd, -1), NO_ORIGIN);
    assert_false(int_no_solution(&in, &facts));
    remainder_is(n, 4, 2);
    assert_true(int_no_solution(&in, &facts));
}

static void random_systems(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t none = 0;
    rng_seed(&rng, 11);
    for (int round = 0; round < 2000; round++) {
        int64_t value[4];
        ipoly unknown[4];
        bool solved = round % 4 != 0; // by `value`
        uint32_t mark = ifacts_mark(&facts), n = 1 + (uint32_t)rng_below(&rng, 4);
        for (uint32_t i = 0; i < 4; i++) {
            char name[] = "x0";
            name[1] = (char)('0' + i);
            value[i] = rng_range(&rng, -30, 30);
            unknown[i] = int_symbol(&in, name);
        }
        for (uint32_t e = 0; e < n; e++) {
            ipoly sum = 0;
            int64_t at = 0;
            for (uint32_t i = 0; i < 4; i++) {
                int64_t c = rng_range(&rng, -9, 9);
                sum = int_add(&in, sum, int_scale(&in, unknown[i], c));
                at += c * value[i];
            }
            int64_t off = solved ? 0 : rng_range(&rng, -2, 2);
            ifacts_push_zero(&in, &facts, int_shift(&in, sum, off - at), NO_ORIGIN);
        }
        bool no = int_no_solution(&in, &facts);
        none += no;
        assert_false(solved && no);
        ifacts_pop(&facts, mark);
    }
    print_message("%u of 500 random systems have no solution\n", none);
    assert_true(none > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(remainders, open, shut),
        cmocka_unit_test_setup_teardown(bounds, open, shut),
        cmocka_unit_test_setup_teardown(random_systems, open, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
