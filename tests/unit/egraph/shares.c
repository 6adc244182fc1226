// SPDX-License-Identifier: Apache-2.0
// The limit on nodes is divided among the parts of a program: a part that grows without
// end does not keep another from its end, and what one leaves another gets.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "egraph/limits.h"
#include "egraph/saturate.h"
#include "tests/unit/support/egraph_rules.h"

static const char text[] =
    "rule swap { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; A + B => B + A; }"
    "rule left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num, C[x: n] : num;"
    " A + (B + C) => A + B + C; }"
    "rule spread { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    " negate(A * B) => negate(A) * B; }";

static struct ruleset rules;

enum { SUMMANDS = 300, FACTORS = 200, ROUNDS = 25 };

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct saturation saturation;
    term_id factors[FACTORS]; // the product up to here
    uint32_t n_parameters;
};

static term_id sum(struct world *world)
{
    term_id term = next_parameter(&world->terms, &world->n_parameters);
    for (uint32_t i = 1; i < SUMMANDS; i++)
        term = build(&world->terms, OP_ADD, 2, next_parameter(&world->terms, &world->n_parameters),
                     term);
    return term;
}

static term_id product(struct world *world)
{
    term_id term = next_parameter(&world->terms, &world->n_parameters);
    for (uint32_t i = 0; i < FACTORS; i++)
        world->factors[i] = term = build(&world->terms, OP_MULTIPLY, 2, term,
                                         next_parameter(&world->terms, &world->n_parameters));
    return build(&world->terms, OP_NEGATE, 1, term, NO_TERM);
}

static void want(struct world *world, term_id root)
{
    egraph_add_term(&world->graph, root);
    saturation_root(&world->saturation, root);
}

static void world_init(struct world *world, bool sum_first, uint32_t nodes)
{
    struct saturate_options options = saturate_defaults();
    struct egraph_options graph_options = egraph_defaults();
    struct rule_status all = {0xff, 0xff, 0};
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    options.reading = READ_REAL;
    options.bounded = false;
    options.match_limit = nodes;
    options.max_rounds = ROUNDS;
    graph_options.max_nodes = nodes;
    egraph_init(&world->graph, &world->terms, graph_options);
    saturation_init(&world->saturation, &world->graph, options);
    term_id first = sum_first ? sum(world) : product(world);
    term_id second = sum_first ? product(world) : sum(world);
    want(world, first);
    want(world, second);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(&world->saturation, (struct rule_use){rules.rules.at[i], false, all});
}

static void world_release(struct world *world)
{
    saturation_release(&world->saturation);
    egraph_release(&world->graph);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

// The sign of a product moves inwards by a factor in each round; meanwhile a sum beside it
// has more orders than any limit allows.
static void test_no_part_starves(void **state)
{
    (void)state;
    for (int sum_first = 0; sum_first < 2; sum_first++) {
        struct world world;
        struct err err = {0};
        uint32_t most = 20000;
        world_init(&world, sum_first, most);
        enum stop_reason stop = saturate(&world.saturation, NULL, NULL);
        assert_true(stop == STOP_ROUNDS || stop == STOP_NODES);
        term_id in = world.factors[FACTORS - 1 - (ROUNDS - 5)];
        assert_true(egraph_known(&world.graph, build(&world.terms, OP_NEGATE, 1, in, NO_TERM)));
        assert_true(egraph_nodes(&world.graph) > most / 4);
        assert_true(egraph_nodes(&world.graph) <= most + most / 100);
        assert_true(egraph_check(&world.graph, &err));
        world_release(&world);
    }
}

static uint32_t nodes_of(const struct shares *shares, uint32_t part)
{
    return shares->part.at[part].nodes;
}

// What is left is divided among the closed parts, and all that they have is news.
static void test_division(void **state)
{
    (void)state;
    struct world world;
    struct shares shares = {0};
    world_init(&world, true, 2000);
    uint32_t n = world.graph.node.len, n_parts = n / EGRAPH_PART;
    shares_start(&shares, &world.graph);
    assert_int_equal(shares.part.len, n_parts);
    assert_int_equal(shares_part(&shares, 0), 0);
    assert_int_equal(shares_part(&shares, n - 1), n_parts - 1);
    uint32_t total = 0, most = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        assert_false(shares_closed(&shares, i));
        total += nodes_of(&shares, i);
        most += shares.part.at[i].most;
    }
    assert_int_equal(total, n);
    assert_in_range(most, 2000 - n_parts, 2000);
    while (!shares_closed(&shares, 1)) {
        egraph_add_term(&world.graph,
                        build(&world.terms, OP_NEGATE, 1,
                              next_parameter(&world.terms, &world.n_parameters), NO_TERM));
        shares_own(&shares, &world.graph, 1);
    }
    egraph_rebuild(&world.graph);
    shares_count(&shares, &world.graph);
    assert_true(shares_closed(&shares, 1) && !shares_closed(&shares, 0));
    uint32_t left = 2000 - egraph_nodes(&world.graph);
    assert_true(shares.due);
    shares_divide(&shares, &world.graph);
    assert_false(shares_closed(&shares, 1) || shares.due);
    assert_int_equal(shares.part.at[1].most, nodes_of(&shares, 1) + 1 + left);
    for (uint32_t i = 0; i < world.graph.node.len; i++)
        assert_int_equal(world.graph.node.at[i].news == world.graph.round,
                         shares_part(&shares, i) == 1);
    // When next to nothing is left, only the limit on the whole counts.
    world.graph.opt.max_nodes = egraph_nodes(&world.graph) + 1;
    shares.part.at[0].most = 1;
    assert_true(shares_closed(&shares, 0));
    shares_divide(&shares, &world.graph);
    assert_false(shares_closed(&shares, 0));
    shares_release(&shares);
    world_release(&world);
}

// A program that is not longer than two parts is one, and none is ever closed.
static void test_small(void **state)
{
    (void)state;
    struct world world;
    struct shares shares = {0};
    world_init(&world, true, 0); // no limit
    shares_start(&shares, &world.graph);
    assert_int_equal(shares.part.len, 0);
    assert_false(shares_closed(&shares, shares_part(&shares, 7)));
    shares_release(&shares);
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_part_starves),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_small),
    };
    if (!rules_read(&rules, text))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    return failed;
}
