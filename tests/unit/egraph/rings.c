// SPDX-License-Identifier: Apache-2.0
// Lists of the nodes of large classes: a search finds the same matches with them as without, in
// the same order, also after the graph has changed.
#include "tests/unit/support/egraph_plain.h"

#include "base/rng.h"

static const char joins[] = "factor: (max (min ?a ?b) (min ?a ?c)) => (min ?a (max ?b ?c))\n"
                            "spread: (min ?a (max ?b ?c)) => (max (min ?a ?b) (min ?a ?c))\n"
                            "absorb: (max ?a (min ?a ?b)) => ?a\n"
                            "second: (max ?a (min ?b ?a)) => ?a\n"
                            "twice: (max ?a (min ?b ?b)) => ?a\n"
                            "one: (max ?a (not ?b)) => ?a\n"
                            "three: (max ?a (if ?a ?b ?c)) => ?a\n";

static bool note(void *ctx, const struct plain_search *search)
{
    struct u32_vec *list = ctx;
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        vec_push(list, search->node[i]);
    return true;
}

static void search_with(struct world *world, uint32_t rule, struct rings *rings,
                        struct u32_vec *list)
{
    static const struct seen_mark never = {0};
    struct plain_search search = {.graph = &world->graph,
                                  .rule = &world->rules.rule.at[rule],
                                  .since = &never,
                                  .n_frozen = world->graph.n_entered,
                                  .rings = rings,
                                  .found = note,
                                  .ctx = list};
    vec_clear(list);
    assert_true(search_rule(&search));
}

static uint32_t op_of(struct world *world, const char *name, uint32_t arity)
{
    return plain_op(&world->rules, &world->graph, name, (uint32_t)strlen(name), arity);
}

// So many symbols; nodes over them join the classes of the first four.
enum { SYMBOLS = 40, LARGE = 4 };

static const char symbols[] = "a b c d e f g h i j k l m n o p q r s t u v w x y z "
                              "A B C D E F G H I J K L M N\n";

static void grow(struct world *world, struct rng *rng)
{
    enum { NODES = 400 };
    static const char *const names[] = {"max", "min", "not", "if"};
    static const uint32_t arity[] = {2, 2, 1, 3};
    struct cc *graph = &world->graph;
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t arg[3], op = (uint32_t)rng_below(rng, 8);
        op = op < 4 ? op : op & 1;
        for (uint32_t k = 0; k < 3; k++)
            arg[k] = graph->node.at[rng_below(rng, rng_below(rng, 5) ? LARGE : SYMBOLS)].cls;
        uint32_t node = cc_add(graph, op_of(world, names[op], arity[op]), arg);
        cc_union_given(graph, JOURNAL_GIVEN, (arg[0] + arity[op]) % LARGE, node, 0);
    }
    cc_rebuild(graph);
}

static void same_matches(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct world world;
        struct rng rng;
        struct rings rings = {0};
        struct u32_vec plain = {0}, listed = {0};
        uint64_t matches = 0;
        rng_seed(&rng, seed);
        begin(&world, joins, symbols, (struct run_options){0});
        for (uint32_t round = 0; round < 3; round++) {
            grow(&world, &rng);
            rings_clear(&rings);
            for (uint32_t i = 0; i < 2 * world.rules.rule.len; i++) {
                uint32_t rule = i % world.rules.rule.len;
                search_with(&world, rule, NULL, &plain);
                search_with(&world, rule, &rings, &listed);
                assert_int_equal(plain.len, listed.len);
                if (plain.len > 0)
                    assert_memory_equal(plain.at, listed.at, plain.len * sizeof *plain.at);
                matches += plain.len;
            }
        }
        assert_true(matches > 10000);
        assert_true(rings.nodes.len > 100 && rings.heads.len > 100);
        assert_true(rings_bytes(&rings) > 0);
        rings_release(&rings);
        vec_release(&plain);
        vec_release(&listed);
        end(&world);
    }
}

// A list takes the place of another one, and there is no room for more than so many nodes.
static void bounded(void **state)
{
    (void)state;
    struct world world;
    struct rings rings = {0};
    struct rng rng;
    rng_seed(&rng, 7);
    begin(&world, joins, symbols, (struct run_options){0});
    grow(&world, &rng);
    uint32_t cls = cc_find(&world.graph, 0), op = op_of(&world, "max", 2);
    assert_null(rings_find(&rings, &world.graph, cls, op, 0)); // is seen once
    uint32_t before = 0;
    for (uint32_t i = 0; i < 100000 && (before == 0 || rings.nodes.len > before); i++) {
        before = rings.nodes.len;
        for (uint32_t via = 0; via < 2; via++)
            for (uint32_t k = 0; k < 1100; k++) // others with the same place among them
                (void)rings_find(&rings, &world.graph, cls, op + 1000 * k, via);
        (void)rings_find(&rings, &world.graph, cls, op, 1);
        (void)rings_find(&rings, &world.graph, cls, op, 1);
    }
    assert_true(rings.nodes.len > EGRAPH_RING_NODES / 2);
    assert_true(rings.nodes.len <= EGRAPH_RING_NODES);
    rings_release(&rings);
    end(&world);
}

// A run forgets lists when the graph changes: after each round it counts the matches that a search
// without lists finds, and the last graph is that of other engines.
static void run_forgets(void **state)
{
    (void)state;
    static const char rules[] =
        "min-comm: (min ?a ?b) => (min ?b ?a)\n"
        "max-comm: (max ?a ?b) => (max ?b ?a)\n"
        "min-assoc: (min ?a (min ?b ?c)) => (min (min ?a ?b) ?c)\n"
        "max-assoc: (max ?a (max ?b ?c)) => (max (max ?a ?b) ?c)\n"
        "min-absorb: (min ?a (max ?a ?b)) => ?a\n"
        "max-absorb: (max ?a (min ?a ?b)) => ?a\n"
        "min-dist: (min ?a (max ?b ?c)) => (max (min ?a ?b) (min ?a ?c))\n"
        "max-dist: (max ?a (min ?b ?c)) => (min (max ?a ?b) (max ?a ?c))\n"
        "min-factor: (min (max ?a ?b) (max ?a ?c)) => (max ?a (min ?b ?c))\n"
        "max-factor: (max (min ?a ?b) (min ?a ?c)) => (min ?a (max ?b ?c))\n";
    static const char terms[] = "(max (min a b) (max (min b c) (min a c)))\n"
                                "(max (min a (max b (min c d))) (min d (max a b)))\n";
    struct world world;
    struct u32_vec plain = {0};
    begin(&world, rules, terms, (struct run_options){.max_rounds = 1});
    for (uint32_t round = 0; round < 5; round++) {
        run_rounds(&world.run);
        uint64_t matches = run_count(&world.run, false);
        uint64_t again = 0;
        for (uint32_t i = 0; i < world.rules.rule.len; i++) {
            search_with(&world, i, NULL, &plain);
            again += plain.len / world.rules.rule.at[i].n_atoms;
        }
        assert_int_equal(matches, again);
    }
    assert_true(world.run.rings.nodes.len > 100);
    assert_int_equal(world.graph.n_live, 7223);
    assert_int_equal(world.graph.n_classes, 1611);
    vec_release(&plain);
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_matches), cmocka_unit_test(bounded),
                                       cmocka_unit_test(run_forgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
