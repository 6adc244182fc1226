// SPDX-License-Identifier: Apache-2.0
// Sizes, excesses, distances and news of a small graph, worked out by hand; a
// saturated graph has no match left that the bounds allow; effort is a limit.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "egraph/saturate.h"
#include "tests/unit/support/egraph_rules.h"

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct match_index news;
};

static void world_init(struct world *world)
{
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, egraph_defaults());
}

static void world_release(struct world *world)
{
    match_index_release(&world->news);
    egraph_release(&world->graph);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static term_id make(struct world *world, enum op op, attr_id attr, uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id term;
    if (!egraph_add(&world->graph, (struct operation){op, attr, NO_TYPE, n}, args, &term, &err))
        fail_msg("%s", err.msg);
    return term;
}

static term_id parameter(struct world *world, int64_t number)
{
    static const int64_t dims[2] = {3, 5};
    struct err err = {0};
    type_id type;
    term_id term;
    int64_t at[2] = {0, number};
    attr_id attr = attr_make(&world->pool, 2, at);
    assert_true(type_tensor(&world->pool, ELEM_F64, 2, dims, &type, &err));
    assert_true(egraph_add(&world->graph, (struct operation){OP_PARAMETER, attr, type, 0}, NULL,
                           &term, &err));
    return term;
}

static term_id unary(struct world *world, enum op op, term_id term)
{
    return make(world, op, NO_ATTR, 1, &term);
}

static term_id binary(struct world *world, enum op op, term_id a, term_id b)
{
    return make(world, op, NO_ATTR, 2, (term_id[]){a, b});
}

static term_id turn(struct world *world, term_id term)
{
    return make(world, OP_TRANSPOSE, attr_make(&world->pool, 2, (int64_t[]){1, 0}), 1, &term);
}

static void merge(struct world *world, term_id a, term_id b)
{
    struct err err = {0};
    struct reason why = {REASON_RULE, 0, 0};
    assert_true(egraph_merge(&world->graph, a, b, why, &err));
}

static uint64_t size_of(const struct world *world, unsigned measure, term_id term)
{
    return world->news.by[measure].size.at[world->news.lead.at[egraph_node(&world->graph, term)]];
}

static uint32_t away_of(const struct world *world, unsigned measure, term_id term)
{
    return world->news.by[measure].away.at[world->news.lead.at[egraph_node(&world->graph, term)]];
}

static void test_sizes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0), b = parameter(&world, 1);
    term_id n = unary(&world, OP_NEGATE, turn(&world, b));
    term_id back = unary(&world, OP_NEGATE, turn(&world, n)); // is b
    term_id root = binary(&world, OP_ADD, term, back);
    vec_push(&world.news.roots, root.v);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_int_equal(size_of(&world, MEASURE_TREE, root), 3);
    assert_int_equal(away_of(&world, MEASURE_TREE, n), 0);
    assert_true(world.news.present >> OP_NEGATE & 1);
    assert_false(world.news.present >> OP_SUBTRACT & 1);
    merge(&world, back, b);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    // Transposes are free; a term over n has two operators more than needed.
    assert_int_equal(size_of(&world, MEASURE_TREE, root), 1);
    assert_int_equal(size_of(&world, MEASURE_TREE, n), 1);
    assert_int_equal(world.news.by[MEASURE_TREE].over.at[egraph_node(&world.graph, back)], 2);
    assert_int_equal(away_of(&world, MEASURE_TREE, root), 0);
    assert_int_equal(away_of(&world, MEASURE_TREE, b), 0);
    assert_int_equal(away_of(&world, MEASURE_TREE, n), 2);
    assert_int_equal(world.news.least.at[egraph_node(&world.graph, n)], 2);
    world_release(&world);
}

static void test_shared(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0);
    term_id e = unary(&world, OP_EXPONENTIAL, unary(&world, OP_ABS, term));
    term_id root = binary(&world, OP_MULTIPLY, e, unary(&world, OP_NEGATE, e));
    vec_push(&world.news.roots, root.v);
    vec_push(&world.news.shared, e.v);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_int_equal(size_of(&world, MEASURE_TREE, root), 6);
    assert_int_equal(size_of(&world, MEASURE_SHARED, root), 2);
    assert_int_equal(size_of(&world, MEASURE_SHARED, e), 2);
    // Wanted by itself, also where the roots no longer lead to it.
    merge(&world, root, term);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_int_equal(away_of(&world, MEASURE_TREE, e), 6);
    assert_int_equal(away_of(&world, MEASURE_SHARED, e), 0);
    world_release(&world);
}

// Doubling: sizes run out of range, and then no excess is known to be small.
static void test_huge_sizes(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0);
    for (int i = 0; i < 70; i++)
        term = binary(&world, OP_ADD, term, term);
    vec_push(&world.news.roots, term.v);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_true(size_of(&world, MEASURE_TREE, term) == SIZE_MOST);
    assert_int_equal(world.news.by[MEASURE_TREE].over.at[egraph_node(&world.graph, term)],
                     OVER_MOST);
    assert_int_equal(world.news.by[MEASURE_SHARED].over.at[egraph_node(&world.graph, term)],
                     OVER_MOST);
    world_release(&world);
}

static void test_news(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0), b = parameter(&world, 1);
    term_id one = unary(&world, OP_ABS, term), two = unary(&world, OP_NEGATE, one);
    world.news.depth = 2;
    egraph_rebuild(&world.graph);
    uint32_t since = world.graph.round;
    match_index_build(&world.graph, &world.news);
    for (uint32_t k = 0; k <= 2; k++)
        assert_true(index_news(&world.news, egraph_node(&world.graph, two), k) < since);
    assert_int_equal(index_news(&world.news, egraph_node(&world.graph, two), 3), UINT32_MAX);
    merge(&world, term, b);
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_true(index_news(&world.news, egraph_node(&world.graph, one), 0) < since);
    assert_true(index_news(&world.news, egraph_node(&world.graph, one), 1) >= since);
    assert_true(index_news(&world.news, egraph_node(&world.graph, two), 1) < since);
    assert_true(index_news(&world.news, egraph_node(&world.graph, two), 2) >= since);
    assert_true(world.news.latest[2][OP_NEGATE] >= since);
    assert_true(world.news.latest[1][OP_NEGATE] < since);
    since = world.graph.round;
    term_id top = unary(&world, OP_SINE, two); // new nodes are news themselves
    egraph_rebuild(&world.graph);
    match_index_build(&world.graph, &world.news);
    assert_true(index_news(&world.news, egraph_node(&world.graph, top), 0) >= since);
    assert_true(index_news(&world.news, egraph_node(&world.graph, two), 2) < since);
    world_release(&world);
}

static const char text[] = "rule swap { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
                           " A + B => B + A; }"
                           "rule left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
                           " C[x: n] : num; A + (B + C) => A + B + C; }"
                           "rule twice { axes x; map n on x; tensor A[x: n] : num;"
                           " negate(negate(A)) => A; }"
                           "rule spread { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
                           " negate(A + B) => negate(A) + negate(B); }";

static struct ruleset rules;

static term_id sum(struct world *world)
{
    term_id term = parameter(world, 0);
    for (int64_t i = 1; i < 5; i++)
        term = unary(world, OP_NEGATE, binary(world, OP_ADD, parameter(world, i), term));
    return term;
}

static void start(struct world *world, struct saturation *saturation,
                  struct saturate_options options)
{
    struct rule_status all = {0xff, 0xff, 0};
    term_id root = sum(world);
    saturation_init(saturation, &world->graph, options);
    saturation_root(saturation, root);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(saturation, (struct rule_use){rules.rules.at[i], false, all});
}

// The incremental search misses nothing that a search of every place finds.
static void test_saturated_means_all(void **state)
{
    (void)state;
    struct world world;
    struct saturation saturation;
    struct saturate_options options = saturate_defaults();
    options.reading = READ_REAL;
    options.max_rounds = 100;
    world_init(&world);
    start(&world, &saturation, options);
    assert_int_equal(saturate(&saturation, NULL, NULL), STOP_SATURATED);
    assert_true(saturation.instances.len > 10);
    uint32_t nodes = egraph_nodes(&world.graph), merges = egraph_merges(&world.graph);
    uint64_t steps = saturation.steps;
    assert_int_equal(saturate(&saturation, NULL, NULL), STOP_SATURATED);
    assert_int_equal(egraph_nodes(&world.graph), nodes);
    assert_int_equal(egraph_merges(&world.graph), merges);
    assert_true(saturation.steps > steps);
    struct err err = {0};
    assert_true(egraph_check(&world.graph, &err));
    saturation_release(&saturation);
    world_release(&world);
}

// Slack lets more be found.
static void test_slack(void **state)
{
    (void)state;
    uint32_t nodes[3];
    for (uint32_t k = 0; k < 3; k++) {
        struct world world;
        struct saturation saturation;
        struct saturate_options options = saturate_defaults();
        options.reading = READ_REAL;
        options.slack = 2 * k;
        options.max_rounds = 100;
        world_init(&world);
        start(&world, &saturation, options);
        assert_int_equal(saturate(&saturation, NULL, NULL), STOP_SATURATED);
        nodes[k] = egraph_nodes(&world.graph);
        saturation_release(&saturation);
        world_release(&world);
    }
    assert_true(nodes[0] < nodes[1] && nodes[0] < nodes[2]);
}

static void test_effort(void **state)
{
    (void)state;
    uint32_t nodes[2];
    for (int again = 0; again < 2; again++) {
        struct world world;
        struct saturation saturation;
        struct saturate_options options = saturate_defaults();
        options.reading = READ_REAL;
        options.max_steps = 300;
        world_init(&world);
        start(&world, &saturation, options);
        assert_int_equal(saturate(&saturation, NULL, NULL), STOP_EFFORT);
        assert_string_equal(stop_text(saturation.stop), "effort");
        assert_true(world.graph.closed && saturation.instances.len > 0);
        assert_true(saturation.steps >= 300 && saturation.steps <= 303);
        struct err err = {0};
        assert_true(egraph_check(&world.graph, &err));
        nodes[again] = egraph_nodes(&world.graph);
        saturation_release(&saturation);
        world_release(&world);
    }
    assert_int_equal(nodes[0], nodes[1]);
}

// Rules without end, cut in the middle: the limit holds to 1%, and what was
// found and not used is found again.
static void test_nodes(void **state)
{
    (void)state;
    for (uint32_t limit = 200; limit <= 3200; limit *= 2) {
        struct world world;
        struct saturation saturation;
        struct saturate_options options = saturate_defaults();
        struct err err = {0};
        options.reading = READ_REAL;
        options.bounded = false;
        options.scheduler = SCHEDULE_SIMPLE;
        world_init(&world);
        term_id term = parameter(&world, 0);
        for (int64_t i = 1; i < 12; i++)
            term = binary(&world, OP_ADD, parameter(&world, i), term);
        struct rule_status all = {0xff, 0xff, 0};
        saturation_init(&saturation, &world.graph, options);
        for (uint32_t i = 0; i < rules.rules.len; i++)
            saturation_add(&saturation, (struct rule_use){rules.rules.at[i], false, all});
        uint32_t most = world.graph.opt.max_nodes = limit / 2;
        assert_int_equal(saturate(&saturation, NULL, NULL), STOP_NODES);
        assert_true(egraph_nodes(&world.graph) >= most);
        assert_true(egraph_nodes(&world.graph) <= most + 3 + most / 100);
        most = world.graph.opt.max_nodes = limit;
        assert_int_equal(saturate(&saturation, NULL, NULL), STOP_NODES);
        assert_true(egraph_nodes(&world.graph) >= most);
        assert_true(egraph_nodes(&world.graph) <= most + 3 + most / 100);
        assert_true(egraph_check(&world.graph, &err));
        saturation_release(&saturation);
        world_release(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_huge_sizes),
        cmocka_unit_test(test_news),
        cmocka_unit_test(test_saturated_means_all),
        cmocka_unit_test(test_slack),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_nodes),
    };
    if (!rules_read(&rules, text))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    return failed;
}
