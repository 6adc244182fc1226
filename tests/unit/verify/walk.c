// SPDX-License-Identifier: Apache-2.0
// Walks over random expressions, against their definitions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "verify/symbolic/expr.h"

enum { EXPRESSIONS = 300, WALKS = 400 };

static expr_id random_expression(struct exprs *exprs, struct rng *rng, const struct u32_vec *made)
{
    if (made->len < 4 || rng_below(rng, 6) == 0)
        return expr_fresh(exprs, NONE);
    expr_id a = made->at[rng_below(rng, made->len)], b = made->at[rng_below(rng, made->len)];
    switch (rng_below(rng, 4)) {
    case 0:
        return expr_add(exprs, a, b);
    case 1:
        return expr_mul(exprs, a, b);
    case 2:
        return expr_min(exprs, a, b);
    default:
        return expr_sub(exprs, a, expr_int(exprs, (int64_t)rng_below(rng, 9)));
    }
}

static bool contains(const struct exprs *exprs, expr_id e, expr_id part)
{
    bool found = e == part;
    for (uint32_t k = 0; k < expr_at(exprs, e)->n && !found && e > part; k++)
        found = contains(exprs, expr_arg(exprs, e, k), part);
    return found;
}

// What is below, each once, ascending; as many walks in a row as reuse the marks.
static void check_walk(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    uint32_t at = 1;
    vec_push(&reach, 77); // what was there stays
    expr_reach(exprs, e, &reach);
    assert_int_equal(reach.at[0], 77);
    for (expr_id i = 0; i < exprs->node.len; i++) {
        bool below = contains(exprs, e, i);
        assert_int_equal(expr_contains(exprs, e, i), below);
        if (below)
            assert_int_equal(reach.at[at++], i);
    }
    assert_int_equal(at, reach.len);
    vec_release(&reach);
}

static expr_id substituted(struct exprs *exprs, expr_id e, expr_id from, expr_id to)
{
    struct u32_vec args = {0};
    bool changed = false;
    if (e == from)
        return to;
    for (uint32_t k = 0; k < expr_at(exprs, e)->n; k++) {
        expr_id a = expr_arg(exprs, e, k);
        vec_push(&args, substituted(exprs, a, from, to));
        changed |= args.at[k] != a;
    }
    if (changed)
        e = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return e;
}

static void walks(void **state)
{
    struct exprs exprs;
    struct u32_vec made = {0};
    struct rng rng;
    (void)state;
    rng_seed(&rng, 11);
    exprs_init(&exprs);
    for (int i = 0; i < EXPRESSIONS; i++)
        vec_push(&made, random_expression(&exprs, &rng, &made));
    for (int i = 0; i < WALKS; i++) {
        // Deep ones would take the definitions long.
        expr_id e = made.at[rng_below(&rng, 60)], from = made.at[rng_below(&rng, 60)];
        expr_id to = made.at[rng_below(&rng, made.len)];
        if (i % 40 == 0)
            check_walk(&exprs, e);
        assert_int_equal(expr_subst(&exprs, e, 1, &from, &to), substituted(&exprs, e, from, to));
    }
    vec_release(&made);
    exprs_release(&exprs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
