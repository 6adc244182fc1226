// SPDX-License-Identifier: Apache-2.0
// Small graphs in which the core, the search and the rounds have to get one
// thing right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "egraph/core/tables.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"

static uint32_t leaf(struct cc *graph)
{
    uint32_t node = cc_add(graph, cc_op_new(graph, 0), NULL);
    return cc_class(graph, node);
}

static uint32_t unary(struct cc *graph, uint32_t op, uint32_t arg)
{
    uint32_t node = cc_add(graph, op, &arg);
    return cc_class(graph, node);
}

// Each node that gets another argument leaves a mark in the table of nodes; the
// table must not fill up with them, or a search in it does not end.
static void table_keeps_room(void **state)
{
    (void)state;
    enum { LEAVES = 16, ABOVE = 11 }; // 192 nodes of 256 slots
    struct cc graph;
    cc_init(&graph, true);
    uint32_t cls[LEAVES], op[LEAVES][ABOVE];
    for (uint32_t i = 0; i < LEAVES; i++) {
        cls[i] = leaf(&graph);
        for (uint32_t k = 0; k < ABOVE; k++)
            unary(&graph, op[i][k] = cc_op_new(&graph, 1), cls[i]);
    }
    cc_rebuild(&graph);
    for (uint32_t gap = 1; gap < LEAVES; gap *= 2) {
        for (uint32_t i = 0; i < LEAVES; i += 2 * gap)
            cc_union(&graph, cls[i], cls[i + gap]);
        cc_rebuild(&graph);
        assert_true(!cc_crowded(graph.n_used, graph.slot.len));
    }
    uint32_t root = cc_find(&graph, cls[0]);
    for (uint32_t i = 0; i < LEAVES; i++)
        for (uint32_t k = 0; k < ABOVE; k++)
            assert_int_not_equal(cc_lookup(&graph, op[i][k], &root), CC_NONE);
    cc_release(&graph);
}

struct bench {
    struct cc graph;
    struct plain_rules rules;
    struct run run;
};

static uint32_t begin(struct bench *bench, const char *rules, const char *term,
                      struct run_options options)
{
    struct err err = {0};
    uint32_t node = CC_NONE;
    cc_init(&bench->graph, true);
    plain_init(&bench->rules);
    if (!plain_read(&bench->rules, &bench->graph, "rules", rules, NULL, &err) ||
        !plain_term(&bench->rules, &bench->graph, "term", term, &node, &err))
        fail_msg("%s", err.msg);
    run_init(&bench->run, &bench->graph, &bench->rules, options);
    return node;
}

static void end(struct bench *bench)
{
    run_release(&bench->run);
    plain_release(&bench->rules);
    cc_release(&bench->graph);
}

static uint32_t term(struct bench *bench, const char *text)
{
    struct err err = {0};
    uint32_t node = CC_NONE;
    if (!plain_term(&bench->rules, &bench->graph, "term", text, &node, &err))
        fail_msg("%s", err.msg);
    return node;
}

// A class that an earlier rule made in the same round is any class too, in the
// next round.
static void any_class_made_in_a_round(void **state)
{
    (void)state;
    struct bench bench;
    begin(&bench, "a: (f ?x) => (g (h ?x))\nb: ?x => (k ?x)\n", "(f c)",
          (struct run_options){.max_rounds = 2});
    run_rounds(&bench.run);
    uint32_t n = bench.graph.node.len;
    term(&bench, "(k (h c))");
    assert_int_equal(bench.graph.node.len, n);
    end(&bench);
}

// A node that is dead from birth founds a class that never had a ring.
static void any_class_of_an_exact_node(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t c = begin(&bench, "a: ?x => (k ?x)\n", "(f c)", (struct run_options){.max_rounds = 1});
    uint32_t arg = cc_args(&bench.graph, c)[0];
    cc_insert_exact(&bench.graph, bench.graph.node.at[c].op & CC_OP, &arg);
    run_rounds(&bench.run);
    assert_int_equal(bench.graph.n_live, 4);
    end(&bench);
}

// What a rule matches in a cycle has no term of its own: ?x = (f ?x).
static void explanation_of_a_cycle(void **state)
{
    (void)state;
    struct bench bench;
    struct err err = {0};
    struct why why;
    struct why_part line;
    uint32_t f = begin(&bench, "a: ?x = (f ?x) => ?x = (g ?x)\n", "(f c)",
                       (struct run_options){.max_rounds = 1});
    cc_union_given(&bench.graph, JOURNAL_GIVEN, f, term(&bench, "c"), 0);
    run_rounds(&bench.run);
    uint32_t g = term(&bench, "(g c)");
    assert_int_equal(cc_class(&bench.graph, f), cc_class(&bench.graph, g));
    cc_rebuild(&bench.graph);
    why_init(&why, &bench.graph, &bench.rules);
    assert_true(why_read(&why, &err) && why_check(&why, &err));
    uint32_t x = why_term_of(&why, f), y = why_term_of(&why, g);
    assert_true(why_explain(&why, x, y, &line, &err));
    assert_true(line.line != CC_NONE);
    why_release(&why);
    end(&bench);
}

// A pause that ends when nothing else is left to do is not the end.
static void pause_before_the_end(void **state)
{
    (void)state;
    for (uint32_t pause = 0; pause < 7; pause++) {
        struct bench bench;
        begin(&bench, "a: (f ?x) => (g ?x)\n", "(t (f a) (t (f b) (f c)))",
              (struct run_options){
                  .scheduler = RUN_BACKOFF, .match_limit = 1, .pause = pause, .max_rounds = 1000});
        assert_int_equal(run_rounds(&bench.run), RUN_SATURATED);
        uint32_t n = bench.graph.node.len;
        term(&bench, "(g c)");
        assert_int_equal(bench.graph.node.len, n);
        end(&bench);
    }
}

// Counts: the value of a leaf is given, f adds one; 0 is unknown.
static bool count_learn(void *ctx, struct cc *graph, uint32_t node)
{
    uint32_t *value = ctx, *mine = &value[cc_class(graph, node)];
    if (cc_arity(graph, node) != 1 || *mine > 0)
        return false;
    uint32_t below = value[cc_find(graph, cc_args(graph, node)[0])];
    *mine = below > 0 ? below + 1 : 0;
    return *mine > 0;
}

static unsigned count_join(void *ctx, struct cc *graph, uint32_t keep, uint32_t lose)
{
    (void)graph;
    uint32_t *value = ctx, a = value[keep], b = value[lose];
    value[keep] = a > 0 ? a : b;
    return a == b ? 0 : a > 0 ? CC_LOSE_LEARNED : CC_KEEP_LEARNED;
}

// What the class that stays knows reaches the nodes above the class that went.
static void knowledge_reaches_above(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        uint32_t value[64] = {0};
        struct cc graph;
        cc_init(&graph, true);
        graph.analysis =
            (struct cc_analysis){.ctx = value, .learn = count_learn, .join = count_join};
        uint32_t f = cc_op_new(&graph, 1), x = leaf(&graph), three = leaf(&graph);
        value[three] = 3;
        uint32_t above = unary(&graph, f, unary(&graph, f, x));
        for (int i = 0; i < 10; i++)
            unary(&graph, cc_op_new(&graph, 1), wide ? x : three);
        cc_rebuild(&graph);
        assert_int_equal(value[cc_find(&graph, above)], 0);
        cc_union(&graph, x, three);
        cc_rebuild(&graph);
        assert_int_equal(value[cc_find(&graph, above)], 5);
        cc_release(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_keeps_room),           cmocka_unit_test(any_class_made_in_a_round),
        cmocka_unit_test(any_class_of_an_exact_node), cmocka_unit_test(explanation_of_a_cycle),
        cmocka_unit_test(pause_before_the_end),       cmocka_unit_test(knowledge_reaches_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
