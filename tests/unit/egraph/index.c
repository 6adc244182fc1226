// SPDX-License-Identifier: Apache-2.0
// Sizes, excesses, distances and news of a small graph, worked out by hand; a
// saturated graph has no match left that the bounds allow; effort is a limit.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "egraph/saturate.h"

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph g;
    struct match_index x;
};

static void world_init(struct world *w)
{
    *w = (struct world){0};
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    egraph_init(&w->g, &w->terms, egraph_defaults());
}

static void world_release(struct world *w)
{
    match_index_release(&w->x);
    egraph_release(&w->g);
    terms_release(&w->terms);
    pool_release(&w->pool);
}

static term_id make(struct world *w, enum op op, attr_id attr, uint32_t n,
                    const term_id *args)
{
    struct err e = {0};
    term_id t;
    if (!egraph_add(&w->g, op, attr, NO_TYPE, n, args, &t, &e))
        fail_msg("%s", e.msg);
    return t;
}

static term_id parameter(struct world *w, int64_t number)
{
    static const int64_t dims[2] = {3, 5};
    struct err e = {0};
    type_id type;
    term_id t;
    int64_t at[2] = {0, number};
    attr_id attr = attr_make(&w->pool, 2, at);
    assert_true(type_tensor(&w->pool, ELEM_F64, 2, dims, &type, &e));
    assert_true(egraph_add(&w->g, OP_PARAMETER, attr, type, 0, NULL, &t, &e));
    return t;
}

static term_id unary(struct world *w, enum op op, term_id a)
{
    return make(w, op, NO_ATTR, 1, &a);
}

static term_id binary(struct world *w, enum op op, term_id a, term_id b)
{
    return make(w, op, NO_ATTR, 2, (term_id[]){a, b});
}

static term_id turn(struct world *w, term_id a)
{
    return make(w, OP_TRANSPOSE, attr_make(&w->pool, 2, (int64_t[]){1, 0}), 1,
                &a);
}

static void merge(struct world *w, term_id a, term_id b)
{
    struct err e = {0};
    struct reason why = {REASON_RULE, 0, 0};
    assert_true(egraph_merge(&w->g, a, b, why, &e));
}

static uint64_t size_of(const struct world *w, unsigned measure, term_id t)
{
    return w->x.by[measure].size.at[w->x.lead.at[egraph_node(&w->g, t)]];
}

static uint32_t away_of(const struct world *w, unsigned measure, term_id t)
{
    return w->x.by[measure].away.at[w->x.lead.at[egraph_node(&w->g, t)]];
}

static void test_sizes(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = parameter(&w, 0), b = parameter(&w, 1);
    term_id n = unary(&w, OP_NEGATE, turn(&w, b));
    term_id back = unary(&w, OP_NEGATE, turn(&w, n)); // is b
    term_id root = binary(&w, OP_ADD, a, back);
    vec_push(&w.x.roots, root.v);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_int_equal(size_of(&w, MEASURE_TREE, root), 3);
    assert_int_equal(away_of(&w, MEASURE_TREE, n), 0);
    assert_true(w.x.present >> OP_NEGATE & 1);
    assert_false(w.x.present >> OP_SUBTRACT & 1);
    merge(&w, back, b);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    // Transposes are free; a term over n has two operators more than needed.
    assert_int_equal(size_of(&w, MEASURE_TREE, root), 1);
    assert_int_equal(size_of(&w, MEASURE_TREE, n), 1);
    assert_int_equal(w.x.by[MEASURE_TREE].over.at[egraph_node(&w.g, back)], 2);
    assert_int_equal(away_of(&w, MEASURE_TREE, root), 0);
    assert_int_equal(away_of(&w, MEASURE_TREE, b), 0);
    assert_int_equal(away_of(&w, MEASURE_TREE, n), 2);
    assert_int_equal(w.x.least.at[egraph_node(&w.g, n)], 2);
    world_release(&w);
}

static void test_shared(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = parameter(&w, 0);
    term_id e = unary(&w, OP_EXPONENTIAL, unary(&w, OP_ABS, a));
    term_id root = binary(&w, OP_MULTIPLY, e, unary(&w, OP_NEGATE, e));
    vec_push(&w.x.roots, root.v);
    vec_push(&w.x.shared, e.v);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_int_equal(size_of(&w, MEASURE_TREE, root), 6);
    assert_int_equal(size_of(&w, MEASURE_SHARED, root), 2);
    assert_int_equal(size_of(&w, MEASURE_SHARED, e), 2);
    // Wanted by itself, also where the roots no longer lead to it.
    merge(&w, root, a);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_int_equal(away_of(&w, MEASURE_TREE, e), 6);
    assert_int_equal(away_of(&w, MEASURE_SHARED, e), 0);
    world_release(&w);
}

// Doubling: sizes run out of range, and then no excess is known to be small.
static void test_huge_sizes(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id t = parameter(&w, 0);
    for (int i = 0; i < 70; i++)
        t = binary(&w, OP_ADD, t, t);
    vec_push(&w.x.roots, t.v);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_true(size_of(&w, MEASURE_TREE, t) == SIZE_MOST);
    assert_int_equal(w.x.by[MEASURE_TREE].over.at[egraph_node(&w.g, t)],
                     OVER_MOST);
    assert_int_equal(w.x.by[MEASURE_SHARED].over.at[egraph_node(&w.g, t)],
                     OVER_MOST);
    world_release(&w);
}

static void test_news(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = parameter(&w, 0), b = parameter(&w, 1);
    term_id one = unary(&w, OP_ABS, a), two = unary(&w, OP_NEGATE, one);
    w.x.depth = 2;
    egraph_rebuild(&w.g);
    uint32_t since = w.g.round;
    match_index_build(&w.g, &w.x);
    for (uint32_t k = 0; k <= 2; k++)
        assert_true(index_news(&w.x, egraph_node(&w.g, two), k) < since);
    assert_int_equal(index_news(&w.x, egraph_node(&w.g, two), 3), UINT32_MAX);
    merge(&w, a, b);
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_true(index_news(&w.x, egraph_node(&w.g, one), 0) < since);
    assert_true(index_news(&w.x, egraph_node(&w.g, one), 1) >= since);
    assert_true(index_news(&w.x, egraph_node(&w.g, two), 1) < since);
    assert_true(index_news(&w.x, egraph_node(&w.g, two), 2) >= since);
    assert_true(w.x.latest[2][OP_NEGATE] >= since);
    assert_true(w.x.latest[1][OP_NEGATE] < since);
    since = w.g.round;
    term_id top = unary(&w, OP_SINE, two); // new nodes are news themselves
    egraph_rebuild(&w.g);
    match_index_build(&w.g, &w.x);
    assert_true(index_news(&w.x, egraph_node(&w.g, top), 0) >= since);
    assert_true(index_news(&w.x, egraph_node(&w.g, two), 2) < since);
    world_release(&w);
}

static const char text[] =
    "rule swap { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    " A + B => B + A; }"
    "rule left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
    " C[x: n] : num; A + (B + C) => A + B + C; }"
    "rule twice { axes x; map n on x; tensor A[x: n] : num;"
    " negate(negate(A)) => A; }"
    "rule spread { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    " negate(A + B) => negate(A) + negate(B); }";

static struct ruleset rules;

static term_id sum(struct world *w)
{
    term_id t = parameter(w, 0);
    for (int64_t i = 1; i < 5; i++)
        t = unary(w, OP_NEGATE, binary(w, OP_ADD, parameter(w, i), t));
    return t;
}

static void start(struct world *w, struct saturation *s,
                  struct saturate_options o)
{
    struct rule_status all = {0xff, 0xff, 0};
    term_id root = sum(w);
    saturation_init(s, &w->g, o);
    saturation_root(s, root);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(s, (struct rule_use){rules.rules.at[i], false, all});
}

// The incremental search misses nothing that a search of every place finds.
static void test_saturated_means_all(void **state)
{
    (void)state;
    struct world w;
    struct saturation s;
    struct saturate_options o = saturate_defaults();
    o.float_mode = DOMAIN_REAL;
    o.max_rounds = 100;
    world_init(&w);
    start(&w, &s, o);
    assert_int_equal(saturate(&s, NULL, NULL), STOP_SATURATED);
    assert_true(s.instances.len > 10);
    uint32_t nodes = egraph_nodes(&w.g), merges = egraph_merges(&w.g);
    uint64_t steps = s.steps;
    assert_int_equal(saturate(&s, NULL, NULL), STOP_SATURATED);
    assert_int_equal(egraph_nodes(&w.g), nodes);
    assert_int_equal(egraph_merges(&w.g), merges);
    assert_true(s.steps > steps);
    struct err e = {0};
    assert_true(egraph_check(&w.g, &e));
    saturation_release(&s);
    world_release(&w);
}

// Slack lets more be found.
static void test_slack(void **state)
{
    (void)state;
    uint32_t nodes[3];
    for (uint32_t k = 0; k < 3; k++) {
        struct world w;
        struct saturation s;
        struct saturate_options o = saturate_defaults();
        o.float_mode = DOMAIN_REAL;
        o.slack = 2 * k;
        o.max_rounds = 100;
        world_init(&w);
        start(&w, &s, o);
        assert_int_equal(saturate(&s, NULL, NULL), STOP_SATURATED);
        nodes[k] = egraph_nodes(&w.g);
        saturation_release(&s);
        world_release(&w);
    }
    assert_true(nodes[0] < nodes[1] && nodes[0] < nodes[2]);
}

static void test_effort(void **state)
{
    (void)state;
    uint32_t nodes[2];
    for (int again = 0; again < 2; again++) {
        struct world w;
        struct saturation s;
        struct saturate_options o = saturate_defaults();
        o.float_mode = DOMAIN_REAL;
        o.max_steps = 300;
        world_init(&w);
        start(&w, &s, o);
        assert_int_equal(saturate(&s, NULL, NULL), STOP_EFFORT);
        assert_string_equal(stop_text(s.stop), "effort");
        assert_true(w.g.closed && s.instances.len > 0);
        assert_true(s.steps >= 300 && s.steps <= 303);
        struct err e = {0};
        assert_true(egraph_check(&w.g, &e));
        nodes[again] = egraph_nodes(&w.g);
        saturation_release(&s);
        world_release(&w);
    }
    assert_int_equal(nodes[0], nodes[1]);
}

// Rules without end, cut in the middle: the limit holds to 1%, and what was
// found and not used is found again.
static void test_nodes(void **state)
{
    (void)state;
    for (uint32_t limit = 200; limit <= 3200; limit *= 2) {
        struct world w;
        struct saturation s;
        struct saturate_options o = saturate_defaults();
        struct err e = {0};
        o.float_mode = DOMAIN_REAL;
        o.bounded = false;
        o.scheduler = SCHEDULE_SIMPLE;
        world_init(&w);
        term_id t = parameter(&w, 0);
        for (int64_t i = 1; i < 12; i++)
            t = binary(&w, OP_ADD, parameter(&w, i), t);
        struct rule_status all = {0xff, 0xff, 0};
        saturation_init(&s, &w.g, o);
        for (uint32_t i = 0; i < rules.rules.len; i++)
            saturation_add(&s,
                           (struct rule_use){rules.rules.at[i], false, all});
        uint32_t most = w.g.opt.max_nodes = limit / 2;
        assert_int_equal(saturate(&s, NULL, NULL), STOP_NODES);
        assert_true(egraph_nodes(&w.g) >= most);
        assert_true(egraph_nodes(&w.g) <= most + 3 + most / 100);
        most = w.g.opt.max_nodes = limit;
        assert_int_equal(saturate(&s, NULL, NULL), STOP_NODES);
        assert_true(egraph_nodes(&w.g) >= most);
        assert_true(egraph_nodes(&w.g) <= most + 3 + most / 100);
        assert_true(egraph_check(&w.g, &e));
        saturation_release(&s);
        world_release(&w);
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
    struct err_list errs = {0};
    ruleset_init(&rules);
    if (!ruleset_parse(&rules, text, strlen(text), "test.rw", &errs)) {
        printf("%s\n", errs.at.at[0].msg);
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    vec_release(&errs.at);
    return failed;
}
