// SPDX-License-Identifier: Apache-2.0
// Explanations of plain graphs, by the checker that shares nothing with them.
#include "tests/unit/support/egraph_why.h"

static void random_graphs(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t n = 0, kinds = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct world world;
        rng_seed(&rng, seed);
        setup(&world, rules);
        uint32_t a = cc_add(&world.graph, op(&world, "a", 0), NULL);
        uint32_t b = cc_add(&world.graph, op(&world, "b", 0), NULL);
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&world.root, random_term(&world, &rng, 3));
        rounds(&world, 2);
        why_init(&world.why, &world.graph, &world.rules);
        assert_true(why_read(&world.why, &world.err));
        n += explain_classes(&world, &rng);
        // More of everything, read on from where it was.
        if (seed % 2 == 0)
            cc_union_given(&world.graph, JOURNAL_GIVEN, a, b, 1);
        vec_push(&world.root, random_term(&world, &rng, 3));
        rounds(&world, 1);
        assert_true(why_read(&world.why, &world.err));
        n += explain_classes(&world, &rng);
        for (uint32_t i = 0; i < world.why.line.len; i++)
            kinds |= 1U << world.why.line.at[i].kind;
        drop(&world);
    }
    assert_true(n > 2000);
    assert_int_equal(kinds & 15 & ~(1U << WHY_FOLD),
                     1U << WHY_RULE | 1U << WHY_CONG | 1U << WHY_TRANS);
    assert_true(kinds & 1U << WHY_GIVEN);
}

// Terms that are not equal are not explained; neither are strangers.
static void refusals(void **state)
{
    (void)state;
    struct world world;
    setup(&world, rules);
    uint32_t a = cc_add(&world.graph, op(&world, "a", 0), NULL);
    uint32_t b = cc_add(&world.graph, op(&world, "b", 0), NULL);
    rounds(&world, 1);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    struct why_part line;
    uint32_t ta = why_term_of(&world.why, a), tb = why_term_of(&world.why, b);
    assert_false(why_explain(&world.why, ta, tb, &line, &world.err));
    assert_int_equal(world.err.kind, ERR_CHECK);
    err_clear(&world.err);
    uint32_t strange = why_term(&world.why, op(&world, "f", 1), &ta);
    assert_false(why_explain(&world.why, strange, ta, &line, &world.err));
    err_clear(&world.err);
    assert_true(why_explain(&world.why, ta, ta, &line, &world.err));
    assert_int_equal(line.line, CC_NONE);
    drop(&world);
}

// A term that the graph has only up to equality.
static void strangers(void **state)
{
    (void)state;
    struct world world;
    setup(&world, rules);
    uint32_t a = cc_add(&world.graph, op(&world, "a", 0), NULL), z;
    z = cc_add(&world.graph, op(&world, "0", 0), NULL);
    uint32_t arg[2] = {world.graph.node.at[a].cls, world.graph.node.at[z].cls};
    uint32_t m = cc_add(&world.graph, op(&world, "*", 2), arg);
    uint32_t f = cc_add(&world.graph, op(&world, "f", 1), &world.graph.node.at[m].cls);
    rounds(&world, 1);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    uint32_t zero = why_term_of(&world.why, z);
    uint32_t f0 = why_term(&world.why, op(&world, "f", 1), &zero);
    uint32_t fm = why_term_of(&world.why, f);
    struct why_part line;
    assert_true(why_explain(&world.why, fm, f0, &line, &world.err));
    assert_int_equal(why_steps(&world.why, line), 1);
    must_check(&world, rules, &no_facts, fm, f0, line);
    drop(&world);
}

// Sums that are equal without rules, among rules that merge sums.
static void order_and_brackets(void **state)
{
    (void)state;
    static const char text[] = "ac: +\n"
                               "ab: (+ a b) => c\n"
                               "f: (f ?x) => (+ ?x a)\n";
    uint32_t n = 0, uses = 0;
    for (uint32_t seed = 1; seed <= 120; seed++) {
        struct world world;
        struct rng rng;
        struct ac sums;
        rng_seed(&rng, seed);
        setup(&world, text);
        ac_init(&sums, &world.graph, AC_LIMITS);
        ac_declare(&sums, op(&world, "+", 2));
        static const char *const name[] = {"a", "b", "c", "d"};
        struct u32_vec pool = {0};
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&pool, cc_add(&world.graph, op(&world, name[i], 0), NULL));
        for (uint32_t i = 0; i < 24; i++) {
            uint32_t arg[2];
            for (uint32_t k = 0; k < 2; k++)
                arg[k] = world.graph.node.at[pool.at[rng_below(&rng, pool.len)]].cls;
            vec_push(&pool, i % 5 == 4 ? cc_add(&world.graph, op(&world, "f", 1), arg)
                                       : cc_add(&world.graph, op(&world, "+", 2), arg));
        }
        for (uint32_t i = 0; i < 2; i++) {
            ac_close(&sums);
            rounds(&world, 1);
        }
        ac_close(&sums);
        why_init(&world.why, &world.graph, &world.rules);
        assert_true(why_read(&world.why, &world.err));
        for (uint32_t i = 0; i < world.graph.node.len; i++)
            for (uint32_t k = 0; k < i; k++)
                if (cc_class(&world.graph, i) == cc_class(&world.graph, k)) {
                    explain_nodes(&world, text, i, k);
                    n++;
                }
        for (uint32_t i = 0; i < world.why.line.len; i++)
            uses += world.why.line.at[i].kind == WHY_AC;
        vec_release(&pool);
        ac_release(&sums);
        drop(&world);
    }

    assert_true(n > 500 && uses > 200);
}

// Values and conditions: the checker computes and judges for itself.

static bool number(const struct plain_check_terms *terms, uint32_t x, double *v)
{
    struct plain_word name = terms->term.at[x].name;
    char text[32], *end;
    if (terms->term.at[x].n > 0 || name.len >= sizeof text)
        return false;
    memcpy(text, name.at, name.len);
    text[name.len] = 0;
    *v = strtod(text, &end);
    return *end == 0;
}

static bool folds(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    (void)ctx;
    const struct plain_check_term *term = &terms->term.at[a];
    double u, v, w;
    if (term->n != 2 || term->name.len != 1 || !number(terms, term->arg[0], &u) ||
        !number(terms, term->arg[1], &v) || !number(terms, b, &w))
        return false;
    switch (term->name.at[0]) {
    case '+':
        return w == u + v;
    case '-':
        return w == u - v;
    case '*':
        return w == u * v;
    default:
        return term->name.at[0] == '/' && v != 0 && w == u / v;
    }
}

// is_const and is_sym need a witness; is_not_zero is a fact about the class.
static bool holds(void *ctx, const struct plain_check_terms *terms,
                  const struct plain_check_condition *condition, bool wanted)
{
    (void)ctx;
    uint32_t other = condition->proved[0];
    uint32_t x = other == PLAIN_CHECK_NONE ? condition->arg[0] : other;
    double v = 0;
    bool value = number(terms, x, &v);
    if (!wanted || condition->n != 1)
        return false;
    if (condition->name.len == 8)
        return value;
    if (condition->name.len == 6)
        return !value && terms->term.at[x].n == 0;
    return !value || v != 0;
}

static void values_and_conditions(void **state)
{
    (void)state;
    static const char text[] = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                               "sub: (- ?a ?b) => (+ ?a (* -1 ?b))\n"
                               "zero: (* ?a 0) => 0\n"
                               "add: (+ ?a 0) => ?a\n"
                               "div: (/ ?a ?a) => 1 if is_not_zero(?a)\n"
                               "const: (c ?a) => (+ ?a 1) if is_const(?a)\n"
                               "sym: (c ?a) => (s ?a) if is_sym(?a)\n"
                               "distribute: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n";
    static const struct plain_check_facts facts = {.fold = folds, .guard = holds};
    static const char *const name[] = {"1", "2", "0", "x", "y", "c", "+", "*", "-", "/"};
    uint32_t n = 0, witnesses = 0, folded = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct world world = {0};
        struct rng rng;
        struct plain_fold fold;
        struct u32_vec pool = {0};
        rng_seed(&rng, seed);
        cc_init(&world.graph, true);
        plain_init(&world.rules);
        assert_true(
            plain_read(&world.rules, &world.graph, "rules", text, plain_fold_guards, &world.err));
        plain_fold_init(&fold, PLAIN_FOLD_MATH, &world.graph, &world.rules);
        for (uint32_t i = 0; i < 30; i++) {
            uint32_t k = i < 5 ? i : 5 + (uint32_t)rng_below(&rng, 5), arg[2];
            uint32_t arity = k < 5 ? 0 : k == 5 ? 1 : 2;
            for (uint32_t j = 0; j < arity; j++)
                arg[j] = world.graph.node.at[pool.at[rng_below(&rng, pool.len)]].cls;
            vec_push(&pool, cc_add(&world.graph, op(&world, name[k], arity), arg));
        }
        struct run run;
        struct run_options options = {
            .max_rounds = 3, .max_nodes = 2000, .guard = plain_fold_guard, .ctx = &fold};
        run_init(&run, &world.graph, &world.rules, options);
        run_rounds(&run);
        why_init(&world.why, &world.graph, &world.rules);
        world.why.witness = plain_fold_witness;
        world.why.value = plain_fold_by_values;
        world.why.ctx = &fold;
        assert_true(why_read(&world.why, &world.err));
        for (uint32_t i = 0; i < pool.len && !fold.conflict; i++)
            for (uint32_t k = 0; k < i; k++) {
                uint32_t a = pool.at[i], b = pool.at[k];
                if (a == b || cc_class(&world.graph, a) != cc_class(&world.graph, b))
                    continue;
                explain_with(&world, text, &facts, a, b);
                n++;
            }
        for (uint32_t i = 0; i < world.why.line.len; i++) {
            folded += world.why.line.at[i].kind == WHY_FOLD;
            witnesses += world.why.line.at[i].kind == WHY_RULE && world.why.line.at[i].n > 0;
        }
        vec_release(&pool);
        run_release(&run);
        plain_fold_release(&fold);
        drop(&world);
    }
    assert_true(n > 300 && folded > 100 && witnesses > 10);
}

// On terms that cannot grow the least number of rewritings is found by looking
// at all of them, breadth first: an explanation never claims less, and is not
// much longer on the whole.

enum { LEAVES = 5, STATES = 2000 };

struct shape {
    uint8_t code[2 * LEAVES]; // prefix notation: 0 is +, else a symbol
};
struct shapes {
    struct shape at[STATES];
    uint32_t steps[STATES], len;
};

static uint32_t part_end(const uint8_t *code, uint32_t i)
{
    for (uint32_t open = 1; open > 0; i++)
        open = code[i] == 0 ? open + 1 : open - 1;
    return i;
}

static void visit(struct shapes *shapes, struct shape shape, uint32_t steps)
{
    for (uint32_t i = 0; i < shapes->len; i++)
        if (memcmp(&shapes->at[i], &shape, sizeof shape) == 0)
            return;
    assert_true(shapes->len < STATES);
    shapes->steps[shapes->len] = steps;
    shapes->at[shapes->len++] = shape;
}

// All that one use of comm or assoc, either way, anywhere, makes of it.
static void neighbours(struct shapes *shapes, uint32_t from)
{
    struct shape shape = shapes->at[from];
    uint32_t steps = shapes->steps[from] + 1;
    for (uint32_t i = 0; i < 2 * LEAVES - 1; i++) {
        if (shape.code[i] != 0)
            continue;
        uint32_t a = i + 1, b = part_end(shape.code, a), e = part_end(shape.code, b);
        struct shape y = shape;
        memcpy(y.code + i + 1, shape.code + b, e - b);
        memcpy(y.code + i + 1 + e - b, shape.code + a, b - a);
        visit(shapes, y, steps);
        if (shape.code[b] == 0) { // + a + b c => + + a b c
            y = shape;
            y.code[i + 1] = 0;
            memcpy(y.code + i + 2, shape.code + a, b - a);
            visit(shapes, y, steps);
        }
        if (shape.code[a] == 0) { // + + a b c => + a + b c
            uint32_t m = part_end(shape.code, a + 1);
            y = shape;
            memcpy(y.code + i + 1, shape.code + a + 1, m - a - 1);
            y.code[i + 1 + m - a - 1] = 0;
            visit(shapes, y, steps);
        }
    }
}

static uint32_t add_shape(struct world *world, const struct shape *shape, uint32_t *i)
{
    static const char *const name[] = {"+", "a", "b", "c", "d", "e"};
    uint8_t k = shape->code[(*i)++];
    uint32_t arg[2];
    for (uint32_t j = 0; j < 2 && k == 0; j++) {
        uint32_t node = add_shape(world, shape, i);
        arg[j] = world->graph.node.at[node].cls;
    }
    return cc_add(&world->graph, op(world, name[k], k == 0 ? 2 : 0), arg);
}

// The term of the shape itself, which no node may have.
static uint32_t shape_term(struct world *world, const struct shape *shape, uint32_t *i)
{
    static const char *const name[] = {"+", "a", "b", "c", "d", "e"};
    uint8_t k = shape->code[(*i)++];
    uint32_t arg[2];
    for (uint32_t j = 0; j < 2 && k == 0; j++)
        arg[j] = shape_term(world, shape, i);
    return why_term(&world->why, op(world, name[k], k == 0 ? 2 : 0), arg);
}

static void near_the_least(void **state)
{
    (void)state;
    static const char text[] = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                               "assoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n";
    struct shapes *shapes = mem_alloc(sizeof *shapes);
    visit(shapes, (struct shape){{0, 1, 0, 2, 0, 3, 0, 4, 5}}, 0);
    for (uint32_t i = 0; i < shapes->len; i++)
        neighbours(shapes, i);
    assert_int_equal(shapes->len, 120 * 14); // orders of 5, brackets of 5
    struct world world;
    setup(&world, text);
    uint32_t at = 0, first = add_shape(&world, &shapes->at[0], &at);
    rounds(&world, 20);
    why_init(&world.why, &world.graph, &world.rules);
    assert_true(why_read(&world.why, &world.err));
    uint64_t least = 0, ours = 0;
    for (uint32_t i = 1; i < shapes->len; i += 7) {
        at = 0;
        struct why_part line;
        uint32_t a = why_term_of(&world.why, first);
        uint32_t b = shape_term(&world, &shapes->at[i], &at);
        assert_true(why_explain(&world.why, a, b, &line, &world.err));
        must_check(&world, text, &no_facts, a, b, line);
        uint64_t steps = why_steps(&world.why, line);
        assert_true(steps >= shapes->steps[i]);
        least += shapes->steps[i];
        ours += steps;
    }
    print_message("%.2f times the least number of rewritings\n", (double)ours / (double)least);
    assert_true(2 * ours <= 3 * least);
    drop(&world);
    mem_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(refusals),
        cmocka_unit_test(strangers),
        cmocka_unit_test(order_and_brackets),
        cmocka_unit_test(values_and_conditions),
        cmocka_unit_test(near_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
