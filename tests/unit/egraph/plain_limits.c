// SPDX-License-Identifier: Apache-2.0
// The limits of runs on plain graphs, and how often the time is asked for.
#include "tests/unit/support/egraph_plain.h"

// The ids that places have no room for.
static void limit_places(void **state)
{
    (void)state;
    struct cc graph;
    cc_init(&graph, false);
    assert_false(cc_full(&graph, CC_MAX_NODES, CC_MAX_WIDE));
    assert_true(cc_full(&graph, (uint64_t)CC_MAX_NODES + 1, 0));
    assert_true(cc_full(&graph, 0, (uint64_t)CC_MAX_WIDE + 1));
    assert_true(2 * (CC_MAX_NODES - 1) + 1 < CC_WIDE);
    assert_true(((CC_MAX_WIDE - 1) | CC_WIDE) <= CC_NONE);
    cc_release(&graph);
}

// The graph never has more live nodes than allowed, and nearly as many.
static void limit_nodes(void **state)
{
    (void)state;
    for (int s = RUN_SIMPLE; s <= RUN_RATION; s++)
        for (uint32_t most = 100; most <= 100000; most *= 10) {
            struct world world;
            begin(&world, explosive, sum,
                  (struct run_options){.scheduler = (enum run_scheduler)s,
                                       .match_limit = 100000,
                                       .max_nodes = most});
            assert_int_equal(run_rounds(&world.run), RUN_NODES);
            assert_in_range(world.graph.n_live, most / 4, most);
            end(&world);
        }
}

// In the middle of a rule the limit is exact until the graph is closed; asked
// between rules, it lets the rule come to its end: then more is made.
static void limit_made(void **state)
{
    (void)state;
    for (uint64_t most = 1000; most <= 100000; most *= 10) {
        uint64_t made[2];
        for (int whole = 0; whole < 2; whole++) {
            struct world world;
            begin(&world, explosive, sum,
                  (struct run_options){.max_made = most, .whole_rules = whole == 1});
            assert_int_equal(run_rounds(&world.run), RUN_MADE);
            made[whole] = run_made(&world.graph);
            assert_true(world.graph.node.len >= world.graph.n_live);
            assert_true(made[whole] >= world.graph.node.len);
            if (whole == 0)
                assert_true(world.graph.node.len <= most);
            // It is asked before a round, too: nothing is done any more.
            uint32_t nodes = world.graph.node.len, rounds = world.run.rounds;
            world.run.opt.max_made = made[whole] - 1;
            assert_int_equal(run_rounds(&world.run), RUN_MADE);
            assert_int_equal(world.graph.node.len, nodes);
            assert_int_equal(world.run.rounds, rounds);
            end(&world);
        }
        assert_in_range(made[0], most * 9 / 10, made[1]);
    }
}

// Counting applies nothing, and finds what the next round is going to find.
static void counts_alone(void **state)
{
    (void)state;
    struct world world;
    begin(&world, explosive, sum, (struct run_options){.max_rounds = 2});
    assert_int_equal(run_rounds(&world.run), RUN_ROUNDS);
    uint64_t before = world.run.n_matches;
    uint32_t nodes = world.graph.node.len;
    uint64_t all = run_count(&world.run, false), next = run_count(&world.run, true);
    assert_true(next > 0 && all > next);
    assert_int_equal(run_count(&world.run, true), next);
    assert_int_equal(world.graph.node.len, nodes);
    assert_int_equal(world.run.n_matches, before);
    world.run.opt.max_rounds = 1;
    assert_int_equal(run_rounds(&world.run), RUN_ROUNDS);
    assert_int_equal(world.run.n_matches, before + next);
    end(&world);
}

static void limit_bytes(void **state)
{
    (void)state;
    for (uint64_t most = 1 << 18; most <= 1 << 24; most *= 4) {
        struct world world;
        begin(&world, explosive, sum, (struct run_options){.max_bytes = most});
        assert_int_equal(run_rounds(&world.run), RUN_BYTES);
        assert_true(cc_bytes(&world.graph) <= most);
        assert_true(cc_bytes(&world.graph) >= most / 4);
        end(&world);
    }
}

#ifndef __SANITIZE_ADDRESS__
// As the system sees it, with what an analysis and the rebuild take.
static void limit_memory(void **state)
{
    (void)state;
    static const char *const kinds[] = {"", "analysis: math\n", "analysis: lambda\n"};
    static const char terms[] =
        "(+ (var a) (+ (var b) (+ c (+ d (+ e (+ f (+ g (+ h (+ i (+ j (+ k (+ "
        "l (+ m (+ n (+ o p)))))))))))))))";
    const uint64_t most = (uint64_t)64 << 20;
    uint64_t before = memory_peak();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct world world;
        char rules[256];
        snprintf(rules, sizeof rules, "%s%s", kinds[i], explosive);
        begin(&world, rules, terms, (struct run_options){.max_bytes = most});
        assert_int_equal(run_rounds(&world.run), RUN_BYTES);
        assert_in_range(memory_peak() - before, most / 2, most + most / 100);
        end(&world);
    }
}
#endif

// A clock that goes on when it is asked, however busy the machine is.
static double ticking;

static double tick(void)
{
    return ticking += 0.001;
}

static void limit_matches_steps_and_time(void **state)
{
    (void)state;
    for (int s = RUN_SIMPLE; s <= RUN_RATION; s++) {
        struct world world;
        struct run_options options = {
            .scheduler = (enum run_scheduler)s, .match_limit = 1000000, .max_matches = 12345};
        begin(&world, explosive, sum, options);
        assert_int_equal(run_rounds(&world.run), RUN_MATCHES);
        assert_int_equal(world.run.n_matches, 12345);
        end(&world);
        options.max_matches = 0;
        options.max_rounds = 3;
        begin(&world, explosive, sum, options);
        assert_int_equal(run_rounds(&world.run), RUN_ROUNDS);
        assert_int_equal(world.run.rounds, 3);
        end(&world);
        options.max_rounds = 0;
        begin(&world, explosive, sum, options);
        ticking = 0;
        world.run.opt.clock = tick;
        world.run.opt.deadline = 0.1;
        assert_int_equal(run_rounds(&world.run), RUN_TIME);
        // At once, though the round has far more to do.
        assert_true(ticking < 0.2);
        end(&world);
        uint64_t steps = 0;
        for (int again = 0; again < 2; again++) {
            begin(&world, explosive, sum, options);
            world.run.opt.max_steps = 1000000;
            assert_int_equal(run_rounds(&world.run), RUN_STEPS);
            assert_in_range(run_steps(&world.run), 1000000, 3000000);
            assert_true(!again || run_steps(&world.run) == steps);
            steps = run_steps(&world.run);
            end(&world);
        }
    }
}

// Closing modulo order and brackets is stopped too, and says so.
static void limits_of_sums(void **state)
{
    (void)state;
    static const char rules[] =
        "ac: + *\nd: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
        "f: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\nn: ?a => (* ?a 1)\n";
    static const char term[] =
        "(* (+ a (+ b (+ c d))) (* (+ a (+ e (+ f g))) (+ b (+ e (+ h i)))))";
    for (uint32_t bytes = 0; bytes < 2; bytes++) {
        struct world world;
        struct ac ac;
        const uint64_t most = (uint64_t)4 << 20;
        begin(&world, rules, "", (struct run_options){.max_bytes = bytes ? most : 0});
        ac_init(&ac, &world.graph, AC_LIMITS);
        for (uint32_t i = 0; i < world.rules.ac.len; i++)
            ac_declare(&ac, world.rules.ac.at[i]);
        ac_rules(&ac, &world.rules);
        assert_true(
            plain_terms(&world.rules, &world.graph, "terms", term, &world.root, &world.err));
        run_release(&world.run);
        struct run_options options = world.run.opt;
        run_init(&world.run, &world.graph, &world.rules, options);
        world.run.opt.ac = &ac;
        ticking = 0;
        world.run.opt.clock = tick;
        world.run.opt.deadline = bytes ? 0 : 2;
        assert_int_equal(run_rounds(&world.run), bytes ? RUN_BYTES : RUN_TIME);
        assert_true(world.graph.closed && ac.cut);
        assert_true(!bytes || cc_bytes(&world.graph) <= most + most / 100);
        assert_true(bytes || ticking < 3);
        ac_release(&ac);
        end(&world);
    }
}

static bool count_ticks(void *ctx)
{
    ++*(uint32_t *)ctx;
    return true;
}

static bool no_match(void *ctx, const struct plain_search *search)
{
    (void)ctx;
    (void)search;
    fail();
    return false;
}

// Also where nothing is found, and the first atom has few nodes.
static void time_is_asked_for(void **state)
{
    (void)state;
    enum { FEW = 40, MANY = 100000 };
    struct world world;
    struct buf text = {0};
    for (uint32_t i = 0; i < FEW; i++)
        buf_printf(&text, "(f %u)\n", i);
    for (uint32_t i = 0; i < MANY; i++)
        buf_printf(&text, "(g %u b%u)\n", i, i);
    begin(&world, "r: ?a = (f ?x) and ?b = (g ?y ?y) => ?a = ?b\n", buf_text(&text),
          (struct run_options){0});
    cc_rebuild(&world.graph);
    struct seen_mark never = {0};
    uint32_t ticks = 0;
    struct plain_search search = {.graph = &world.graph,
                                  .rule = &world.rules.rule.at[0],
                                  .since = &never,
                                  .n_frozen = world.graph.n_entered,
                                  .tick = count_ticks,
                                  .found = no_match,
                                  .ctx = &ticks};
    assert_true(search_rule(&search));
    assert_in_range(ticks, 10, 1000); // 4 million nodes
    end(&world);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(limit_memory), // before others take more
#endif
        cmocka_unit_test(limit_places),   cmocka_unit_test(limit_nodes),
        cmocka_unit_test(limit_made),     cmocka_unit_test(counts_alone),
        cmocka_unit_test(limit_bytes),    cmocka_unit_test(limit_matches_steps_and_time),
        cmocka_unit_test(limits_of_sums), cmocka_unit_test(time_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
