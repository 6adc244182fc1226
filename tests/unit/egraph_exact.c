// SPDX-License-Identifier: Apache-2.0
// The exact extraction against all choices there are, on small problems.
#include "base/clock.h"
#include "base/rng.h"
#include "egraph/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum cost_kind { COST_ONE, COST_SMALL, COST_ZERO, COST_NEGATIVE, COST_TENTHS };

static double random_cost(struct rng *r, enum cost_kind kind)
{
    switch (kind) {
    case COST_ONE:
        return 1;
    case COST_SMALL:
        return (double)rng_range(r, 1, 6);
    case COST_ZERO:
        return (double)rng_range(r, 0, 2);
    case COST_NEGATIVE:
        return (double)rng_range(r, -3, 3);
    case COST_TENTHS:
        return (double)rng_range(r, 0, 30) * 0.1 + rng_unit(r) * 1e-3;
    }
    return 0;
}

// Cyclic where `forward` is false: children are any classes.
static void random_problem(struct rng *r, struct problem *p,
                           enum cost_kind kind)
{
    bool forward = rng_below(r, 3) == 0;
    uint32_t n = 2 + (uint32_t)rng_below(r, 8);
    *p = (struct problem){.n_classes = n};
    for (uint32_t c = 0; c < n; c++) {
        vec_push(&p->node_at, p->n_nodes);
        uint32_t nodes = 1 + (uint32_t)rng_below(r, 3);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&p->child_at, p->child.len);
            vec_push(&p->cost, random_cost(r, kind));
            p->n_nodes++;
            uint32_t arity = (uint32_t)rng_below(r, 4);
            if (forward && c + 1 == n)
                arity = 0;
            while (arity--) {
                uint32_t from = forward ? c + 1 : 0;
                vec_push(&p->child, from + (uint32_t)rng_below(r, n - from));
            }
        }
    }
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
    uint32_t roots = 1 + (uint32_t)rng_below(r, 2);
    while (roots--)
        vec_push(&p->root, (uint32_t)rng_below(r, n));
}

// Little can be taken away here: demands that share what meets them.
static void random_cover(struct rng *r, struct problem *p, enum cost_kind kind)
{
    uint32_t demands = 3 + (uint32_t)rng_below(r, 5);
    uint32_t means = 3 + (uint32_t)rng_below(r, 6);
    *p = (struct problem){.n_classes = demands + means};
    for (uint32_t c = 0; c < demands + means; c++) {
        vec_push(&p->node_at, p->n_nodes);
        uint32_t nodes = c < demands ? 2 + (uint32_t)rng_below(r, 2) : 1;
        if (c < demands)
            vec_push(&p->root, c);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&p->child_at, p->child.len);
            vec_push(&p->cost, c < demands ? 0 : random_cost(r, kind));
            p->n_nodes++;
            for (uint32_t i = 0; c < demands && i < 2; i++)
                vec_push(&p->child, demands + (uint32_t)rng_below(r, means));
            if (rng_below(r, 4) == 0) // a way back: loops
                vec_push(&p->child, (uint32_t)rng_below(r, demands));
        }
    }
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
}

// Least DAG cost of all choices; INFINITY: there is none.
static double least_of_all(const struct problem *p)
{
    struct solution s;
    struct err e;
    solution_init(&s, p);
    uint32_t *node = mem_alloc(sizeof *node * p->n_classes);
    for (uint32_t c = 0; c < p->n_classes; c++)
        node[c] = p->node_at.at[c];
    double least = INFINITY;
    for (uint32_t c = 0; c < p->n_classes;) {
        memcpy(s.node, node, sizeof *node * p->n_classes);
        solution_trim(p, &s);
        e = (struct err){0};
        if (solution_check(p, &s, &e) && s.dag_cost < least)
            least = s.dag_cost;
        for (c = 0; c < p->n_classes; c++) {
            if (++node[c] < p->node_at.at[c + 1])
                break;
            node[c] = p->node_at.at[c];
        }
    }
    mem_free(node);
    solution_release(&s);
    return least;
}

static void compare(uint64_t seed, enum cost_kind kind)
{
    struct rng r;
    rng_seed(&r, seed);
    struct problem p;
    if (seed % 2)
        random_cover(&r, &p, kind);
    else
        random_problem(&r, &p, kind);
    struct solution s = {0};
    struct err e = {0};
    double least = least_of_all(&p);
    bool ok = solve_exact(&p, 20, NULL, &s, &e);
    if (ok != (least < INFINITY))
        fail_msg("seed %u, costs %d: a term or none", (unsigned)seed, kind);
    if (ok) {
        if (fabs(s.dag_cost - least) > 1e-9)
            fail_msg("seed %u, costs %d: %g instead of %g", (unsigned)seed,
                     kind, s.dag_cost, least);
        if (!s.optimal || fabs(s.bound - least) > 1e-9)
            fail_msg("seed %u, costs %d: bound %g of %g", (unsigned)seed, kind,
                     s.bound, least);
        assert_true(solution_check(&p, &s, &e));
    } else {
        assert_int_equal(e.kind, ERR_CHECK);
    }
    solution_release(&s);
    problem_release(&p);
}

static void all_choices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++)
        for (int kind = COST_ONE; kind <= COST_TENTHS; kind++)
            compare(seed, (enum cost_kind)kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
