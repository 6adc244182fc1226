// SPDX-License-Identifier: Apache-2.0
// Explanations of many steps, deep ones, and lines that are used more than once.
#include "tests/unit/support/egraph_why.h"

// A node of each of two towers is equal because of the ones below: the proof
// is as deep as the tower.
static void deep(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct world world;
    setup(&world, rules);
    uint32_t a = cc_add(&world.graph, op(&world, "a", 0), NULL), top[2];
    uint32_t b = cc_add(&world.graph, op(&world, "b", 0), NULL);
    uint32_t f = op(&world, "f", 1);
    top[0] = a;
    top[1] = b;
    for (uint32_t i = 0; i < 2 * N; i++)
        top[i % 2] = cc_add(&world.graph, f, &world.graph.node.at[top[i % 2]].cls);
    cc_rebuild(&world.graph);
    cc_union_given(&world.graph, JOURNAL_GIVEN, a, b, 1);
    cc_rebuild(&world.graph);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    assert_int_equal(explain_nodes(&world, rules, top[0], top[1]), 1);
    assert_int_equal(world.why.line.len, N + 1); // the given one, and one a storey
    drop(&world);
}

// Neighbours of a row of symbols were stated equal, with number 2.
static bool in_row(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                   uint32_t number)
{
    (void)ctx;
    const struct plain_check_term *term = &terms->term.at[a], *y = &terms->term.at[b];
    long i = strtol(term->name.at + 1, NULL, 10);
    long k = strtol(y->name.at + 1, NULL, 10);
    return number == 2 && term->n == 0 && y->n == 0 && (i == k + 1 || k == i + 1);
}

static const struct plain_check_facts row_facts = {.given = in_row};

enum { ROW = 41 };

static void add_row(struct world *world, uint32_t *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char name[8];
        snprintf(name, sizeof name, "k%u", (unsigned)i);
        row[i] = cc_add(&world->graph, op(world, name, 0), NULL);
    }
}

static void join_row(struct world *world, const uint32_t *row, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        cc_union_given(&world->graph, JOURNAL_GIVEN, row[i - 1], row[i], 2);
    cc_rebuild(&world->graph);
}

// Steps enough to be made fewer, but too deep to look at them: there the stack
// would end.
static void deep_steps(void **state)
{
    (void)state;
    enum { N = 100000, STEPS = 3 };
    struct world world;
    setup(&world, rules);
    uint32_t row[STEPS + 1], f = op(&world, "f", 1);
    add_row(&world, row, STEPS + 1);
    uint32_t top[2] = {row[0], row[STEPS]};
    for (uint32_t i = 0; i < 2 * N; i++)
        top[i % 2] = cc_add(&world.graph, f, &world.graph.node.at[top[i % 2]].cls);
    cc_rebuild(&world.graph);
    join_row(&world, row, STEPS + 1);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    assert_int_equal(explain_with(&world, rules, &row_facts, top[0], top[1]), STEPS);
    drop(&world);
}

// Of (f first) and (f last), which are equal by a row of n symbols, the graph
// uses the rule at one only, whichever it is.  What a rule makes of either is
// one step from it all the same.  (g symbol) is there for the first or last, or
// both.
static void one_use(uint32_t n, bool first, bool last)
{
    static const char text[] = "use: (f ?x) => (g ?x)\n";
    struct world world;
    setup(&world, text);
    uint32_t row[ROW], f[2], g[2];
    add_row(&world, row, n);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t cls = world.graph.node.at[row[i * (n - 1)]].cls; // the nodes may move
        f[i] = cc_add(&world.graph, op(&world, "f", 1), &cls);
        g[i] = (i == 0 ? first : last) ? cc_add(&world.graph, op(&world, "g", 1), &cls) : CC_NONE;
    }
    join_row(&world, row, n);
    rounds(&world, 1);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    for (uint32_t i = 0; i < 2; i++)
        if (g[i] != CC_NONE)
            assert_int_equal(explain_with(&world, text, &row_facts, f[i], g[i]), 1);
    drop(&world);
}

// A short way there and back is found when the proof is written.
static void swapped(void **state)
{
    (void)state;
    one_use(6, true, true);
    one_use(12, true, true);
}

// A long one because the use is copied to the other node.
static void copied(void **state)
{
    (void)state;
    one_use(ROW, true, false);
    one_use(ROW, false, true);
}

// A long way of given equalities, and one whose steps double with each level:
// counted, not written out.
static void many_steps(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct world world;
    setup(&world, rules);
    uint32_t f = op(&world, "f", 1), plus = op(&world, "+", 2);
    uint32_t a = cc_add(&world.graph, op(&world, "a", 0), NULL), end = a;
    struct u32_vec tower = {0};
    for (uint32_t i = 0; i < N; i++)
        vec_push(&tower,
                 i == 0 ? a : cc_add(&world.graph, f, &world.graph.node.at[tower.at[i - 1]].cls));
    for (uint32_t i = 1; i < N; i++)
        cc_union_given(&world.graph, JOURNAL_GIVEN, tower.at[i - 1], tower.at[i], 2);
    end = tower.at[N - 1];
    uint32_t l = cc_add(&world.graph, op(&world, "b", 0), NULL);
    uint32_t r = cc_add(&world.graph, op(&world, "0", 0), NULL), b = l, z = r;
    for (uint32_t i = 0; i < 80; i++) {
        uint32_t u[2] = {world.graph.node.at[l].cls, world.graph.node.at[l].cls};
        uint32_t v[2] = {world.graph.node.at[r].cls, world.graph.node.at[r].cls};
        l = cc_add(&world.graph, plus, u);
        r = cc_add(&world.graph, plus, v);
    }
    cc_rebuild(&world.graph);
    cc_union_given(&world.graph, JOURNAL_GIVEN, b, z, 3);
    cc_rebuild(&world.graph);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    struct why_part line;
    assert_true(why_explain(&world.why, why_term_of(&world.why, l), why_term_of(&world.why, r),
                            &line, &world.err));
    assert_true(why_steps(&world.why, line) == UINT64_MAX);
    assert_true(world.why.line.len < 200);
    assert_true(why_explain(&world.why, why_term_of(&world.why, a), why_term_of(&world.why, end),
                            &line, &world.err));
    assert_true(why_steps(&world.why, line) >= 1);
    vec_release(&tower);
    drop(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep),   cmocka_unit_test(deep_steps), cmocka_unit_test(swapped),
        cmocka_unit_test(copied), cmocka_unit_test(many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
