// SPDX-License-Identifier: Apache-2.0
// Proofs of integer inequalities: what follows is proved, what does not is not; the lemmas of tiled
// kernels, with symbolic divisors and grouped orders; random implications against small values.
#include "base/rng.h"
#include "integer/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct integers in;
static struct ifacts facts;

static ipoly c(int64_t value)
{
    return int_constant(&in, value);
}
static ipoly s(const char *name)
{
    return int_symbol(&in, name);
}
static ipoly add(ipoly a, ipoly b)
{
    return int_add(&in, a, b);
}
static ipoly sub(ipoly a, ipoly b)
{
    return int_subtract(&in, a, b);
}
static ipoly mul(ipoly a, ipoly b)
{
    return int_multiply(&in, a, b);
}
static void fact_less(ipoly a, ipoly b)
{
    ifacts_push(&facts, int_shift(&in, sub(b, a), -1), NO_ORIGIN);
}
static void range(ipoly a, ipoly end)
{
    ifacts_push(&facts, a, NO_ORIGIN);
    fact_less(a, end);
}
static bool less(ipoly a, ipoly b)
{
    return int_prove_less(&in, &facts, a, b);
}
static bool same(ipoly a, ipoly b)
{
    return int_prove_zero(&in, &facts, sub(a, b));
}
static ipoly quotient(ipoly a, ipoly b)
{
    return int_divide(&in, &facts, a, b);
}
static ipoly remainder_of(ipoly a, ipoly b)
{
    return int_remainder(&in, &facts, a, b);
}

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

static void polynomials(void **state)
{
    (void)state;
    ipoly x = s("x"), y = s("y");
    assert_int_equal(mul(add(x, y), sub(x, y)), sub(mul(x, x), mul(y, y)));
    assert_int_equal(sub(x, x), 0);
    ipoly big = c(INT64_MAX / 2);
    assert_int_not_equal(mul(big, c(4)), mul(big, c(8)));
    struct buf text = {0};
    int_print(&in, add(mul(c(1024), x), sub(y, c(3))), &text);
    assert_string_equal(buf_text(&text), "1024*x + y - 3");
    buf_release(&text);
}

static void tiles(void **state)
{
    (void)state;
    ipoly p = s("p"), l = s("l"), n = s("n"), end = s("end");
    range(l, c(1024));
    ifacts_push(&facts, p, NO_ORIGIN);
    fact_less(c(0), n);
    ipoly at = add(mul(c(1024), p), l);
    assert_int_equal(quotient(at, c(1024)), p);
    assert_int_equal(remainder_of(at, c(1024)), l);
    ipoly tiles = quotient(add(n, c(1023)), c(1024));
    assert_true(less(sub(n, c(1)), mul(tiles, c(1024))));
    assert_false(less(n, mul(tiles, c(1024))));
    range(end, n);
    assert_true(less(quotient(end, c(1024)), tiles));
    assert_false(less(quotient(end, c(1024)), sub(tiles, c(1))));
    assert_false(less(quotient(end, c(1023)), tiles));
}

// Row-major addresses are distinct if the stride is at least the length of a row.
static void strides(void **state)
{
    (void)state;
    ipoly i = s("i"), j = s("j"), n = s("n"), m = s("m"), stride = s("stride");
    range(i, m), range(j, n);
    ipoly at = add(mul(i, stride), j), end = mul(m, stride);
    assert_false(less(at, end));
    ifacts_push(&facts, sub(stride, n), NO_ORIGIN);
    assert_true(less(at, end));
}

// The grouped order of a tiled matrix product is a bijection.
static void grouped(void **state)
{
    (void)state;
    ipoly pid = s("pid"), rows = s("M"), width = s("N");
    fact_less(c(0), rows), fact_less(c(0), width);
    ipoly nm = quotient(add(rows, c(63)), c(64)), nn = quotient(add(width, c(31)), c(32));
    range(pid, mul(nm, nn));
    ipoly group = mul(c(8), nn), g = quotient(pid, group);
    ipoly first = mul(c(8), g), gs = int_minimum(&in, &facts, sub(nm, first), c(8));
    assert_true(less(c(0), gs));
    ipoly r = remainder_of(pid, group);
    ipoly pm = add(first, remainder_of(r, gs)), pn = quotient(r, gs);
    assert_true(less(pm, nm));
    assert_true(less(pn, nn));
    assert_true(same(add(mul(gs, pn), remainder_of(r, gs)), r));
    // The inverse: i, j give pid.
    ipoly i = s("i"), j = s("j");
    range(i, rows), range(j, width);
    ipoly tile = quotient(i, c(64)), gi = quotient(tile, c(8)), ri = remainder_of(tile, c(8));
    ipoly pj = quotient(j, c(32));
    ipoly gsi = int_minimum(&in, &facts, sub(nm, mul(c(8), gi)), c(8));
    ipoly inner = add(mul(gsi, pj), ri), made = add(mul(group, gi), inner);
    assert_true(less(ri, gsi));
    assert_true(less(c(-1), made));
    assert_true(less(inner, group));
    assert_true(less(made, mul(nm, nn)));
    assert_int_equal(quotient(made, group), gi);
    assert_int_equal(remainder_of(made, group), inner);
    assert_int_equal(quotient(inner, gsi), pj);
}

static int64_t value_at(ipoly a, int64_t x, int64_t y)
{
    struct int_substitution by = {2, (iatom[2]){0}, (ipoly[2]){c(x), c(y)}};
    iatom from[2];
    int_is_atom(&in, s("x"), &from[0]);
    int_is_atom(&in, s("y"), &from[1]);
    by.from = from;
    int64_t value = 0;
    assert_true(
        int_is_constant(&in, int_simplify(&in, &facts, int_substitute(&in, a, &by)), &value));
    return value;
}

static ipoly random_poly(struct rng *rng)
{
    ipoly x = s("x"), y = s("y"), out = c((int64_t)rng_below(rng, 9) - 4);
    out = add(out, mul(c((int64_t)rng_below(rng, 7) - 3), x));
    out = add(out, mul(c((int64_t)rng_below(rng, 7) - 3), y));
    if (rng_below(rng, 2))
        out = add(out, mul(c((int64_t)rng_below(rng, 3) - 1), mul(x, y)));
    if (rng_below(rng, 3) == 0)
        out = add(out, int_of_atom(&in, INT_MINIMUM, x, y));
    if (rng_below(rng, 3) == 0)
        out = add(out, int_of_atom(&in, INT_QUOTIENT, x, c(3)));
    return out;
}

// Whatever is proved holds at all small values that satisfy the facts.
static void random_implications(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    uint32_t proved = 0;
    for (int round = 0; round < 400; round++) {
        ipoly given[3] = {random_poly(&rng), random_poly(&rng), random_poly(&rng)};
        ipoly goal = random_poly(&rng);
        struct ifacts own = {0};
        for (int i = 0; i < 3; i++)
            ifacts_push(&own, given[i], NO_ORIGIN);
        bool yes = int_prove(&in, &own, goal);
        proved += yes;
        for (int64_t x = -6; x <= 6 && yes; x++)
            for (int64_t y = -6; y <= 6; y++) {
                bool holds = true;
                for (int i = 0; i < 3; i++)
                    holds = holds && value_at(given[i], x, y) >= 0;
                assert_false(holds && value_at(goal, x, y) < 0);
            }
        ifacts_release(&own);
    }
    print_message("%u of 400 proved\n", proved);
    assert_true(proved > 20);
}

// Strides that are products of sizes.
static void products(void **state)
{
    (void)state;
    ipoly g = s("groups"), ch = s("channels"), h = s("hidden"), i = s("i");
    ipoly address = add(mul(mul(mul(g, ch), h), i), mul(mul(ch, h), i));
    range(i, s("batch"));
    assert_false(int_prove(&in, &facts, address));
    fact_less(c(0), g);
    fact_less(c(0), ch);
    fact_less(c(0), h);
    assert_true(int_prove(&in, &facts, address));
    assert_true(int_prove(&in, &facts, int_shift(&in, address, 3)));
    assert_false(int_prove(&in, &facts, int_shift(&in, address, -1)));
    assert_false(int_prove(&in, &facts, sub(address, mul(mul(ch, h), s("other")))));
}

// b*(a div b) + a rem b, a written in two ways: it is a, and other coefficients or divisors are not.
static void rejoined(void **state)
{
    struct rng rng;
    uint32_t whole = 0;
    (void)state;
    rng_seed(&rng, 3);
    ifacts_push(&facts, s("x"), NO_ORIGIN);
    ifacts_push(&facts, s("y"), NO_ORIGIN);
    for (uint32_t i = 0; i < 2000; i++) {
        ipoly d = c(rng_range(&rng, 2, 7)), small = c(rng_range(&rng, 2, 5));
        ipoly one = add(int_of_atom(&in, INT_REMAINDER, s("x"), small), s("y"));
        ipoly two = rng_below(&rng, 4) ? int_without_remainders(&in, one) : add(one, s("x"));
        ipoly other = rng_below(&rng, 4) ? d : c(rng_range(&rng, 2, 7));
        ipoly sum =
            add(mul(c(rng_range(&rng, 1, 2)), int_of_atom(&in, INT_REMAINDER, one, d)),
                mul(mul(c(rng_range(&rng, 1, 2)), d), int_of_atom(&in, INT_QUOTIENT, two, other)));
        ipoly made = int_simplify(&in, &facts, sum);
        whole += made == int_simplify(&in, &facts, one);
        for (uint32_t k = 0; k < 4; k++) {
            int64_t a = rng_range(&rng, 0, 40), b = rng_range(&rng, 0, 40);
            assert_int_equal(value_at(sum, a, b), value_at(made, a, b));
        }
    }
    assert_true(whole > 100);
}

// Mixed radix of three digits: the number is below the product of the sizes, no less will do, and its
// digits come out of it again, one after the other.
static void mixed_radix(void **state)
{
    (void)state;
    ipoly b = s("b"), h = s("h"), w = s("w"), i = s("i"), j = s("j"), k = s("k");
    ipoly number = add(mul(w, add(mul(h, i), j)), k), all = mul(mul(b, h), w);
    range(i, b);
    range(j, h);
    assert_false(less(number, all));
    range(k, w);
    assert_true(less(number, all));
    assert_false(less(int_shift(&in, number, 1), all));
    assert_false(less(add(number, i), all));
    assert_false(less(number, sub(all, w)));
    assert_true(same(quotient(number, mul(h, w)), i));
    assert_true(same(remainder_of(quotient(number, w), h), j));
    assert_true(same(remainder_of(number, w), k));
}

// (x div c) div b is below n where x is below n*b*c, and not for one more.
static void nested_quotients(void **state)
{
    (void)state;
    ipoly x = s("x"), n = s("n"), b = s("b"), d = s("d"), end = mul(mul(n, b), d);
    fact_less(c(0), n);
    fact_less(c(0), b);
    fact_less(c(0), d);
    ifacts_push(&facts, x, NO_ORIGIN);
    ipoly nested = quotient(quotient(x, d), b);
    uint32_t mark = ifacts_mark(&facts);
    fact_less(x, int_shift(&in, end, 1));
    assert_false(int_prove_below(&in, &facts, nested, n));
    ifacts_pop(&facts, mark);
    fact_less(x, end);
    assert_true(int_prove_below(&in, &facts, nested, n));
    assert_false(int_prove_below(&in, &facts, nested, int_shift(&in, n, -1)));
    ipoly digits = add(mul(mul(b, d), nested),
                       add(mul(d, remainder_of(quotient(x, d), b)), remainder_of(x, d)));
    assert_true(int_simplify(&in, &facts, digits) == x);
    // Also where one of the two quotients is by the product.
    ipoly flat = int_of_atom(&in, INT_QUOTIENT, x, mul(b, d));
    digits =
        add(mul(mul(b, d), flat), add(mul(d, remainder_of(quotient(x, d), b)), remainder_of(x, d)));
    assert_true(int_simplify(&in, &facts, digits) == x);
    ifacts_pop(&facts, 0);
    assert_false(int_simplify(&in, &facts, digits) == x); // divisors of any sign
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(polynomials, open, shut),
        cmocka_unit_test_setup_teardown(tiles, open, shut),
        cmocka_unit_test_setup_teardown(strides, open, shut),
        cmocka_unit_test_setup_teardown(grouped, open, shut),
        cmocka_unit_test_setup_teardown(products, open, shut),
        cmocka_unit_test_setup_teardown(random_implications, open, shut),
        cmocka_unit_test_setup_teardown(rejoined, open, shut),
        cmocka_unit_test_setup_teardown(mixed_radix, open, shut),
        cmocka_unit_test_setup_teardown(nested_quotients, open, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
