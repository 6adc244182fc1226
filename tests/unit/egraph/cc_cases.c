// SPDX-License-Identifier: Apache-2.0
// Small graphs in which the core, the search and the rounds have to get one
// thing right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"

static uint32_t leaf(struct cc *g)
{
    uint32_t node = cc_add(g, cc_op_new(g, 0), NULL);
    return cc_class(g, node);
}

static uint32_t unary(struct cc *g, uint32_t op, uint32_t arg)
{
    uint32_t node = cc_add(g, op, &arg);
    return cc_class(g, node);
}

// Each node that gets another argument leaves a mark in the table of nodes; the
// table must not fill up with them, or a search in it does not end.
static void table_keeps_room(void **state)
{
    (void)state;
    enum { LEAVES = 16, ABOVE = 11 }; // 192 nodes: 3/4 of 256
    struct cc g;
    cc_init(&g, true);
    uint32_t cls[LEAVES], op[LEAVES][ABOVE];
    for (uint32_t i = 0; i < LEAVES; i++) {
        cls[i] = leaf(&g);
        for (uint32_t k = 0; k < ABOVE; k++)
            unary(&g, op[i][k] = cc_op_new(&g, 1), cls[i]);
    }
    cc_rebuild(&g);
    for (uint32_t gap = 1; gap < LEAVES; gap *= 2) {
        for (uint32_t i = 0; i < LEAVES; i += 2 * gap)
            cc_union(&g, cls[i], cls[i + gap]);
        cc_rebuild(&g);
        assert_true(4 * (uint64_t)g.n_used <= 3 * ((uint64_t)g.slot_mask + 1));
    }
    uint32_t root = cc_find(&g, cls[0]);
    for (uint32_t i = 0; i < LEAVES; i++)
        for (uint32_t k = 0; k < ABOVE; k++)
            assert_int_not_equal(cc_lookup(&g, op[i][k], &root), CC_NONE);
    cc_release(&g);
}

struct bench {
    struct cc g;
    struct plain_rules p;
    struct run r;
};

static uint32_t begin(struct bench *b, const char *rules, const char *term,
                      struct run_options o)
{
    struct err e = {0};
    uint32_t line = 1, node = CC_NONE;
    cc_init(&b->g, true);
    plain_init(&b->p);
    if (!plain_read(&b->p, &b->g, "rules", rules, NULL, &e) ||
        !plain_term(&b->p, &b->g, "term", &term, &line, &node, &e))
        fail_msg("%s", e.msg);
    run_init(&b->r, &b->g, &b->p, o);
    return node;
}

static void end(struct bench *b)
{
    run_release(&b->r);
    plain_release(&b->p);
    cc_release(&b->g);
}

static uint32_t term(struct bench *b, const char *text)
{
    struct err e = {0};
    uint32_t line = 1, node = CC_NONE;
    if (!plain_term(&b->p, &b->g, "term", &text, &line, &node, &e))
        fail_msg("%s", e.msg);
    return node;
}

// A class that an earlier rule made in the same round is any class too, in the
// next round.
static void any_class_made_in_a_round(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, "a: (f ?x) => (g (h ?x))\nb: ?x => (k ?x)\n", "(f c)",
          (struct run_options){.max_rounds = 2});
    run_rounds(&b.r);
    uint32_t n = b.g.node.len;
    term(&b, "(k (h c))");
    assert_int_equal(b.g.node.len, n);
    end(&b);
}

// A node that is dead from birth founds a class that never had a ring.
static void any_class_of_an_exact_node(void **state)
{
    (void)state;
    struct bench b;
    uint32_t c = begin(&b, "a: ?x => (k ?x)\n", "(f c)",
                       (struct run_options){.max_rounds = 1});
    uint32_t arg = cc_args(&b.g, c)[0];
    cc_insert_exact(&b.g, b.g.node.at[c].op & CC_OP, &arg);
    run_rounds(&b.r);
    assert_int_equal(b.g.n_live, 4);
    end(&b);
}

// What a rule matches in a cycle has no term of its own: ?x = (f ?x).
static void explanation_of_a_cycle(void **state)
{
    (void)state;
    struct bench b;
    struct err e = {0};
    struct why w;
    struct why_part line;
    uint32_t f = begin(&b, "a: ?x = (f ?x) => ?x = (g ?x)\n", "(f c)",
                       (struct run_options){.max_rounds = 1});
    cc_union_given(&b.g, JOURNAL_GIVEN, f, term(&b, "c"), 0);
    run_rounds(&b.r);
    uint32_t g = term(&b, "(g c)");
    assert_int_equal(cc_class(&b.g, f), cc_class(&b.g, g));
    cc_rebuild(&b.g);
    why_init(&w, &b.g, &b.p);
    assert_true(why_read(&w, &e) && why_check(&w, &e));
    uint32_t x = why_term_of(&w, f), y = why_term_of(&w, g);
    assert_true(why_explain(&w, x, y, &line, &e));
    assert_true(line.line != CC_NONE);
    why_release(&w);
    end(&b);
}

// A pause that ends when nothing else is left to do is not the end.
static void pause_before_the_end(void **state)
{
    (void)state;
    for (uint32_t pause = 0; pause < 7; pause++) {
        struct bench b;
        begin(&b, "a: (f ?x) => (g ?x)\n", "(t (f a) (t (f b) (f c)))",
              (struct run_options){.scheduler = RUN_BACKOFF,
                                   .match_limit = 1,
                                   .pause = pause,
                                   .max_rounds = 1000});
        assert_int_equal(run_rounds(&b.r), RUN_SATURATED);
        uint32_t n = b.g.node.len;
        term(&b, "(g c)");
        assert_int_equal(b.g.node.len, n);
        end(&b);
    }
}

// Counts: the value of a leaf is given, f adds one; 0 is unknown.
static bool count_learn(void *ctx, struct cc *g, uint32_t node)
{
    uint32_t *value = ctx, *mine = &value[cc_class(g, node)];
    if (cc_arity(g, node) != 1 || *mine > 0)
        return false;
    uint32_t below = value[cc_find(g, cc_args(g, node)[0])];
    *mine = below > 0 ? below + 1 : 0;
    return *mine > 0;
}

static unsigned count_join(void *ctx, struct cc *g, uint32_t keep,
                           uint32_t lose)
{
    (void)g;
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
        struct cc g;
        cc_init(&g, true);
        g.analysis = (struct cc_analysis){
            .ctx = value, .learn = count_learn, .join = count_join};
        uint32_t f = cc_op_new(&g, 1), x = leaf(&g), three = leaf(&g);
        value[three] = 3;
        uint32_t above = unary(&g, f, unary(&g, f, x));
        for (int i = 0; i < 10; i++)
            unary(&g, cc_op_new(&g, 1), wide ? x : three);
        cc_rebuild(&g);
        assert_int_equal(value[cc_find(&g, above)], 0);
        cc_union(&g, x, three);
        cc_rebuild(&g);
        assert_int_equal(value[cc_find(&g, above)], 5);
        cc_release(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_keeps_room),
        cmocka_unit_test(any_class_made_in_a_round),
        cmocka_unit_test(any_class_of_an_exact_node),
        cmocka_unit_test(explanation_of_a_cycle),
        cmocka_unit_test(pause_before_the_end),
        cmocka_unit_test(knowledge_reaches_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
