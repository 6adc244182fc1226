// SPDX-License-Identifier: Apache-2.0
// Searches of graphs of several windows: every place is looked at once, wherever a search is cut
// short, and a limit on effort treats all places alike.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "egraph/limits.h"
#include "egraph/saturate.h"
#include "tests/unit/support/egraph_rules.h"

static const char text[] =
    "rule nested { axes x; map n on x; tensor A[x: n] : num; negate(negate(A)) => A; }"
    "rule one { axes x; map n on x; tensor A[x: n] : num; A * 1 => A; }"
    "rule back { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; (A + B) - B => A; }"
    "rule left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num, C[x: n] : num;"
    " (A + B) * C => A * C + B * C; }";
enum { RULES = 4, BLOCKS = EGRAPH_WINDOW };

static struct ruleset rules;

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct saturation saturation;
    uint32_t n_parameters;
};

// A chain of equal blocks.  Each rule matches once in each.
static void start(struct world *world, struct saturate_options options)
{
    struct rule_status all = {0xff, 0xff, 0};
    struct egraph_options graph_options = egraph_defaults();
    graph_options.max_nodes = 0;
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, graph_options);
    saturation_init(&world->saturation, &world->graph, options);
    for (uint32_t i = 0; i < RULES; i++)
        saturation_add(&world->saturation, (struct rule_use){rules.rules.at[i], false, all});
    lit_id literal = literal_splat(&world->pool, ELEM_F64, scalar_of_int(ELEM_F64, 1));
    term_id one = term_constant(&world->terms, literal, vector_type(&world->terms)),
            at = next_parameter(&world->terms, &world->n_parameters);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        term_id other = next_parameter(&world->terms, &world->n_parameters),
                factor = next_parameter(&world->terms, &world->n_parameters);
        at = build(&world->terms, OP_NEGATE, 1, build(&world->terms, OP_NEGATE, 1, at, NO_TERM),
                   NO_TERM);
        at = build(&world->terms, OP_MULTIPLY, 2, at, one);
        at =
            build(&world->terms, OP_SUBTRACT, 2, build(&world->terms, OP_ADD, 2, at, other), other);
        at = build(&world->terms, OP_MULTIPLY, 2, build(&world->terms, OP_ADD, 2, other, at),
                   factor);
    }
    egraph_add_term(&world->graph, at);
    egraph_rebuild(&world->graph);
    saturation_root(&world->saturation, at);
    assert_true(egraph_nodes(&world->graph) > 4 * EGRAPH_WINDOW);
}

static void finish(struct world *world)
{
    saturation_release(&world->saturation);
    egraph_release(&world->graph);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static struct match_request request_of(struct world *world, uint32_t rule,
                                       struct match_cursor *cursor)
{
    return (struct match_request){
        .pattern = &world->saturation.rules.at[rule].pattern,
        .status = {0xff, 0xff, 0},
        .finite = &world->saturation.finite,
        .reading = READ_REAL,
        .max_matches = UINT32_MAX,
        .max_steps = UINT64_MAX / 2,
        .cursor = cursor,
        .index = &world->saturation.index,
    };
}

// Adds the places of the matches that one search finds.  Returns how many it found.
static uint32_t search(struct world *world, const struct match_request *request, bool complete,
                       struct match_set *places)
{
    struct match_result result = {0};
    struct arena mem = {0};
    match_all(&world->graph, request, &mem, &result);
    assert_true(result.complete == complete);
    assert_true(result.steps <= request->max_steps);
    uint32_t n = result.found.len;
    for (uint32_t i = 0; i < n; i++)
        match_set_add(places, result.found.at[i].place + 1U);
    match_result_release(&result);
    arena_release(&mem);
    return n;
}

static void every_place_once(void **state)
{
    (void)state;
    struct world world;
    start(&world, saturate_defaults());
    match_index_build(&world.graph, &world.saturation.index);
    for (uint32_t rule = 0; rule < RULES; rule++) {
        struct match_cursor cursor = {0};
        struct match_set places = {0};
        struct match_request request = request_of(&world, rule, &cursor);
        assert_int_equal(search(&world, &request, true, &places), BLOCKS);
        assert_int_equal(places.n, BLOCKS);
        assert_true(cursor.variant == 0 && cursor.op == 0 && cursor.node == 0);
        match_set_release(&places);
    }
    finish(&world);
}

// Each search goes on behind the place where the one before was cut, so no match is found again
// before all other places were looked at.
static void cut_searches_go_on(void **state)
{
    (void)state;
    struct world world;
    start(&world, saturate_defaults());
    match_index_build(&world.graph, &world.saturation.index);
    for (uint32_t rule = 0; rule < RULES; rule++) {
        struct match_cursor cursor = {0};
        struct match_set places = {0};
        struct match_request request = request_of(&world, rule, &cursor);
        uint32_t found = 0, searches = 0;
        request.max_steps = 701;
        for (; found == places.n; searches++)
            found += search(&world, &request, false, &places);
        assert_true(searches > 4 && places.n + searches >= BLOCKS);
        match_set_release(&places);
    }
    finish(&world);
}

// The second pass of a search that began in the middle ends where it began.
static void second_pass_ends(void **state)
{
    (void)state;
    struct world world;
    start(&world, saturate_defaults());
    match_index_build(&world.graph, &world.saturation.index);
    for (uint32_t rule = 0; rule < RULES; rule++)
        for (uint32_t node = 1; node < egraph_nodes(&world.graph); node += EGRAPH_WINDOW / 3) {
            struct match_cursor cursor = {.node = node};
            struct match_set places = {0};
            struct match_request request = request_of(&world, rule, &cursor);
            assert_int_equal(search(&world, &request, true, &places), BLOCKS);
            assert_int_equal(places.n, BLOCKS);
            match_set_release(&places);
        }
    finish(&world);
}

// Wherever the effort ends: a rule is used in all blocks or in none.
static void effort_is_even(void **state)
{
    (void)state;
    uint32_t partly = 0;
    for (uint64_t steps = 1000; steps < 60000; steps += 977) {
        struct saturate_options options = saturate_defaults();
        struct world world;
        options.reading = READ_REAL;
        options.max_steps = steps;
        options.match_limit = 4 * BLOCKS;
        start(&world, options);
        saturate(&world.saturation, NULL, NULL);
        uint32_t used = 0;
        for (uint32_t rule = 0; rule < RULES; rule++) {
            uint64_t applied = world.saturation.rules.at[rule].stats.applied;
            if (applied % BLOCKS != 0)
                fail_msg("%lu steps, rule %u: %lu applied", (unsigned long)steps, rule,
                         (unsigned long)applied);
            used += applied > 0;
        }
        partly += used > 0 && used < RULES;
        finish(&world);
    }
    assert_true(partly > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_once),
        cmocka_unit_test(cut_searches_go_on),
        cmocka_unit_test(second_pass_ends),
        cmocka_unit_test(effort_is_even),
    };
    if (!rules_read(&rules, text))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    return failed;
}
