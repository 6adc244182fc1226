// SPDX-License-Identifier: Apache-2.0
// Explanations of plain graphs, by the checker that shares nothing with them.
#include "base/rng.h"
#include "egraph/plain/ac/ac.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static const char rules[] = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                            "assoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                            "distribute: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
                            "factor: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n"
                            "zero: (* ?a 0) => 0\n"
                            "sub: (- ?a ?a) => 0\n"
                            "add: ?a => (+ ?a 0)\n"
                            "wide: (if ?a ?b ?b ?c) => (if ?c ?b ?a ?a)\n"
                            "both: ?v = (f ?x) and ?v = (g ?y) => ?v = (if ?x ?y ?x ?y)\n"
                            "same: (* ?a ?b) => (f ?b) if same((g ?a), (g ?b))\n"
                            "f: (f (g ?a)) => (g (f ?a))\n";

struct world {
    struct cc graph;
    struct plain_rules rules;
    struct why why;
    struct u32_vec root;
    struct err err;
};

static void setup(struct world *world, const char *text)
{
    memset(world, 0, sizeof *world);
    cc_init(&world->graph, true);
    plain_init(&world->rules);
    if (!plain_read(&world->rules, &world->graph, "rules", text, NULL, &world->err))
        fail_msg("%s", world->err.msg);
}

static void drop(struct world *world)
{
    why_release(&world->why);
    plain_release(&world->rules);
    vec_release(&world->root);
    cc_release(&world->graph);
}

static void rounds(struct world *world, uint32_t n)
{
    struct run run;
    struct run_options options = {.max_rounds = n, .max_nodes = 3000};
    run_init(&run, &world->graph, &world->rules, options);
    run_rounds(&run);
    run_release(&run);
}

static uint32_t op(struct world *world, const char *name, uint32_t n)
{
    return plain_op(&world->rules, &world->graph, name, (uint32_t)strlen(name), n);
}

static uint32_t random_term(struct world *world, struct rng *rng, uint32_t depth)
{
    static const char *const name[] = {"a", "b", "0", "f", "g", "+", "*", "-", "if"};
    static const uint32_t arity[] = {0, 0, 0, 1, 1, 2, 2, 2, 4};
    uint32_t k = (uint32_t)rng_below(rng, depth == 0 ? 3 : 9), arg[4];
    for (uint32_t i = 0; i < arity[k]; i++) {
        uint32_t node = random_term(world, rng, depth - 1);
        arg[i] = world->graph.cls.at[node];
    }
    return cc_add(&world->graph, op(world, name[k], arity[k]), arg);
}

static bool given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                  uint32_t number)
{
    // a = b was stated with number 1 for the symbols a and b only.
    (void)ctx;
    return number == 1 && terms->term.at[a].n == 0 && terms->term.at[b].n == 0 &&
           terms->term.at[a].name.at[0] == 'a' && terms->term.at[b].name.at[0] == 'b';
}

static const struct plain_check_facts no_facts = {.given = given};

// The line, printed, is a proof of a = b for one who knows the rules only.
static void must_check(struct world *world, const char *text, const struct plain_check_facts *facts,
                       uint32_t a, uint32_t b, struct why_part line)
{
    struct buf proof = {0}, buf = {0}, r = {0};
    why_print(&world->why, line.line, &proof);
    why_print_term(&world->why, a, &buf);
    why_print_term(&world->why, b, &r);
    struct err err = {0};
    if (!plain_check(text, proof.at, buf.at, r.at, facts, &err))
        fail_msg("%s: line %u: %s\n%s", buf.at, err.line, err.msg, proof.at);
    buf_release(&proof);
    buf_release(&buf);
    buf_release(&r);
}

static uint64_t explain_with(struct world *world, const char *text,
                             const struct plain_check_facts *facts, uint32_t m, uint32_t n)
{
    struct why_part line;
    uint32_t a = why_term_of(&world->why, m), b = why_term_of(&world->why, n);
    if (!why_explain(&world->why, a, b, &line, &world->err))
        fail_msg("%s", world->err.msg);
    must_check(world, text, facts, a, b, line);
    return why_steps(&world->why, line);
}

static uint64_t explain_nodes(struct world *world, const char *text, uint32_t m, uint32_t n)
{
    return explain_with(world, text, &no_facts, m, n);
}

// Every pair of neighbours in the lists of the classes, and some others.
static uint32_t explain_classes(struct world *world, struct rng *rng)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->graph.node.len; i++) {
        uint32_t k = world->graph.next.at[i];
        if (rng_below(rng, 4) == 0)
            k = world->graph.next.at[world->graph.next.at[k]];
        if (k == i || cc_class(&world->graph, k) != cc_class(&world->graph, i))
            continue;
        explain_nodes(world, rules, i, k);
        n++;
    }
    return n;
}

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
    uint32_t arg[2] = {world.graph.cls.at[a], world.graph.cls.at[z]};
    uint32_t m = cc_add(&world.graph, op(&world, "*", 2), arg);
    uint32_t f = cc_add(&world.graph, op(&world, "f", 1), &world.graph.cls.at[m]);
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
                arg[k] = world.graph.cls.at[pool.at[rng_below(&rng, pool.len)]];
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
        top[i % 2] = cc_add(&world.graph, f, &world.graph.cls.at[top[i % 2]]);
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
        top[i % 2] = cc_add(&world.graph, f, &world.graph.cls.at[top[i % 2]]);
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
        uint32_t *cls = &world.graph.cls.at[row[i * (n - 1)]];
        f[i] = cc_add(&world.graph, op(&world, "f", 1), cls);
        g[i] = (i == 0 ? first : last) ? cc_add(&world.graph, op(&world, "g", 1), cls) : CC_NONE;
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
                 i == 0 ? a : cc_add(&world.graph, f, &world.graph.cls.at[tower.at[i - 1]]));
    for (uint32_t i = 1; i < N; i++)
        cc_union_given(&world.graph, JOURNAL_GIVEN, tower.at[i - 1], tower.at[i], 2);
    end = tower.at[N - 1];
    uint32_t l = cc_add(&world.graph, op(&world, "b", 0), NULL);
    uint32_t r = cc_add(&world.graph, op(&world, "0", 0), NULL), b = l, z = r;
    for (uint32_t i = 0; i < 80; i++) {
        uint32_t u[2] = {world.graph.cls.at[l], world.graph.cls.at[l]};
        uint32_t v[2] = {world.graph.cls.at[r], world.graph.cls.at[r]};
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
                arg[j] = world.graph.cls.at[pool.at[rng_below(&rng, pool.len)]];
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
        arg[j] = world->graph.cls.at[node];
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
        cmocka_unit_test(random_graphs),  cmocka_unit_test(refusals),
        cmocka_unit_test(strangers),      cmocka_unit_test(order_and_brackets),
        cmocka_unit_test(deep),           cmocka_unit_test(deep_steps),
        cmocka_unit_test(swapped),        cmocka_unit_test(copied),
        cmocka_unit_test(many_steps),     cmocka_unit_test(values_and_conditions),
        cmocka_unit_test(near_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
