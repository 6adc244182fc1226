// SPDX-License-Identifier: Apache-2.0
// Equal up to order and brackets: against the rules that say so, run to
// saturation, on random graphs; and every merge by the path the journal gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/support/ac_journal.h"
#include "base/text/buf.h"
#include "base/rng.h"
#include "egraph/plain/ac/ac.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"
#include "proof/plain/check.h"

static const char both[] = "c1: (+ ?a ?b) => (+ ?b ?a)\n"
                           "c2: (* ?a ?b) => (* ?b ?a)\n"
                           "a1: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                           "a2: (* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)\n";

struct graph {
    struct cc graph;
    struct plain_rules rules;
    struct ac ac;
    uint32_t n_terms, term[64];
};

static bool binary(const struct cc *graph, uint32_t op)
{
    return graph->op.at[op].arity == 2;
}

static void graph_init(struct graph *graph, const char *rules, struct ac_limits limits)
{
    struct err err = {0};
    cc_init(&graph->graph, true);
    plain_init(&graph->rules);
    ac_init(&graph->ac, &graph->graph, limits);
    ac_declare(&graph->ac, plain_op(&graph->rules, &graph->graph, "+", 1, 2));
    ac_declare(&graph->ac, plain_op(&graph->rules, &graph->graph, "*", 1, 2));
    graph->n_terms = 0;
    if (!plain_read(&graph->rules, &graph->graph, "rules", rules, NULL, &err))
        fail_msg("%s", err.msg);
}

static void graph_release(struct graph *graph)
{
    ac_release(&graph->ac);
    plain_release(&graph->rules);
    cc_release(&graph->graph);
}

static uint32_t add(struct graph *graph, const char *text)
{
    struct err err = {0};
    uint32_t node = CC_NONE;
    if (!plain_term(&graph->rules, &graph->graph, "term", text, &node, &err))
        fail_msg("%s", err.msg);
    graph->term[graph->n_terms++] = node;
    return node;
}

static void join(struct graph *graph, uint32_t a, uint32_t b)
{
    struct cc *g = &graph->graph;
    if (cc_union(g, cc_class(g, a), cc_class(g, b)))
        journal_given(&g->journal, JOURNAL_GIVEN, a, b, 0);
}

static bool same(struct graph *graph, uint32_t a, uint32_t b)
{
    return cc_class(&graph->graph, a) == cc_class(&graph->graph, b);
}

static bool replays(struct graph *graph, uint32_t *n_ac)
{
    struct replay replay;
    replay_begin(&replay, &graph->graph);
    bool ok = replay_journal(&replay, binary);
    *n_ac += replay.n_ac;
    replay_end(&replay);
    return ok;
}

static bool believe(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                    uint32_t number)
{
    (void)terms, (void)a, (void)b;
    ++*(uint32_t *)ctx;
    return number == 0;
}

// The explanation of a = b must be one by these rules; and none where order and
// brackets are not free, if it makes use of that.
static void explain(struct graph *graph, const char *rules, uint32_t a, uint32_t b, uint32_t *n_ac)
{
    struct why why;
    struct why_part line;
    struct err err = {0};
    struct buf text = {0}, left = {0}, right = {0}, all = {0};
    uint32_t n_given = 0;
    struct plain_check_facts facts = {.given = believe, .ctx = &n_given};
    why_init(&why, &graph->graph, &graph->rules);
    if (!why_read(&why, &err) ||
        !why_explain(&why, why_term_of(&why, a), why_term_of(&why, b), &line, &err))
        fail_msg("%s", err.msg);
    if (line.line != CC_NONE) {
        why_print(&why, line.line, &text);
        why_print_term(&why, why_term_of(&why, a), &left);
        why_print_term(&why, why_term_of(&why, b), &right);
        buf_printf(&all, "ac: + *\n%s", rules);
        if (!plain_check(buf_text(&all), buf_text(&text), buf_text(&left), buf_text(&right), &facts,
                         &err))
            fail_msg("%u: %s\n%s", err.line, err.msg, buf_text(&text));
        bool uses = strstr(buf_text(&text), "\nac ") != NULL;
        *n_ac += uses;
        assert_int_equal(!uses, plain_check(rules, buf_text(&text), buf_text(&left),
                                            buf_text(&right), &facts, &err));
    }
    buf_release(&text);
    buf_release(&left);
    buf_release(&right);
    buf_release(&all);
    why_release(&why);
}

// Terms, equations between them, and two terms to compare.
static void decides(void **state)
{
    (void)state;
    static const struct {
        const char *equal[3][2];
        const char *a, *b;
        bool same;
    } cases[] = {
        {{{0}}, "(+ a (+ b c))", "(+ c (+ b a))", true},
        {{{0}}, "(+ a (+ b c))", "(+ c (+ b b))", false},
        {{{0}}, "(+ a (* b c))", "(+ (* c b) a)", true},
        {{{0}}, "(g (+ a (+ b c)))", "(g (+ (+ c a) b))", true},
        {{{0}}, "(+ a (+ a b))", "(+ a (+ b b))", false},
        {{{"(+ a b)", "c"}}, "(+ a (+ d b))", "(+ c d)", true},
        {{{"(+ a b)", "c"}}, "(+ a (+ a b))", "(+ c b)", false},
        // A sum with itself in it.
        {{{"(+ a b)", "a"}}, "(+ (+ b b) (+ b a))", "a", true},
        {{{"(+ a b)", "a"}}, "(+ a (+ c b))", "(+ a c)", true},
        {{{"(+ a b)", "a"}}, "(+ b c)", "c", false},
        {{{"(+ a b)", "a"}, {"(+ a b)", "b"}}, "a", "b", true},
        // Overlaps: c + d = a + b + d = b + e.
        {{{"(+ a b)", "c"}, {"(+ a d)", "e"}}, "(+ c d)", "(+ b e)", true},
        {{{"(+ a b)", "(+ c d)"}, {"(+ a e)", "(+ c f)"}}, "(+ d (+ a e))", "(+ f (+ a b))", true},
        {{{"(+ a b)", "(+ c d)"}, {"(+ a e)", "(+ c f)"}}, "(+ (+ c d) e)", "(+ (+ c f) b)", true},
        // Through another operator.
        {{{"(+ a b)", "(* c d)"}, {"(+ b a)", "e"}}, "(* f (* d c))", "(* e f)", true},
        {{{"(g (+ a b))", "c"}}, "(* c (g (+ b a)))", "(* c c)", true},
        // 3a = b, 2a = b: b + a = b, 2b = ...
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}}, "(+ b b)", "(+ a a)", true},
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}}, "(+ a b)", "a", false},
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}}, "(+ b a)", "b", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct graph graph;
        uint32_t n = 0;
        graph_init(&graph, "", AC_LIMITS);
        for (uint32_t k = 0; k < 3 && cases[i].equal[k][0] != NULL; k++) {
            uint32_t l = add(&graph, cases[i].equal[k][0]);
            join(&graph, l, add(&graph, cases[i].equal[k][1]));
        }
        uint32_t a = add(&graph, cases[i].a), b = add(&graph, cases[i].b);
        ac_close(&graph.ac);
        if (same(&graph, a, b) != cases[i].same)
            fail_msg("case %zu", i);
        assert_true(replays(&graph, &n));
        if (cases[i].same)
            explain(&graph, "", a, b, &n);
        assert_false(graph.ac.cut);
        graph_release(&graph);
    }
}

static void random_term(struct rng *rng, struct buf *buf, uint32_t size)
{
    if (size <= 1) {
        buf_printf(buf, "%c", (char)('a' + rng_below(rng, 4)));
        return;
    }
    uint32_t kind = (uint32_t)rng_below(rng, 8);
    if (kind == 7) {
        buf_printf(buf, "(g ");
        random_term(rng, buf, size - 1);
    } else {
        uint32_t left = 1 + (uint32_t)rng_below(rng, size - 1);
        buf_printf(buf, kind < 5 ? "(+ " : "(* ");
        random_term(rng, buf, left);
        buf_printf(buf, " ");
        random_term(rng, buf, size - left);
    }
    buf_printf(buf, ")");
}

// The same terms and merges in two graphs.
static void random_pair(struct rng *rng, struct graph *x, struct graph *y, uint32_t n_terms,
                        uint32_t n_joins, uint32_t max_size)
{
    for (uint32_t i = 0; i < n_terms; i++) {
        struct buf buf = {0};
        random_term(rng, &buf, 1 + (uint32_t)rng_below(rng, max_size));
        add(x, buf_text(&buf));
        add(y, buf_text(&buf));
        buf_release(&buf);
    }
    for (uint32_t i = 0; i < n_joins; i++) {
        uint32_t a = (uint32_t)rng_below(rng, n_terms);
        uint32_t b = (uint32_t)rng_below(rng, n_terms);
        join(x, x->term[a], x->term[b]);
        join(y, y->term[a], y->term[b]);
    }
}

// Nothing the rules make equal is missed; and nothing else is equal, where they
// came to an end.
static void as_the_rules_say(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    uint32_t n_saturated = 0, n_ac = 0, n_equal = 0, n_said = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        struct graph graph, y;
        graph_init(&graph, "", AC_LIMITS);
        graph_init(&y, both, AC_LIMITS);
        random_pair(&rng, &graph, &y, 3 + (uint32_t)rng_below(&rng, 6),
                    (uint32_t)rng_below(&rng, 4), 2 + (uint32_t)rng_below(&rng, 4));
        ac_close(&graph.ac);
        struct run run;
        run_init(&run, &y.graph, &y.rules,
                 (struct run_options){.max_rounds = 8, .max_nodes = 1500});
        bool over = run_rounds(&run) == RUN_SATURATED;
        n_saturated += over;
        for (uint32_t i = 0; i < graph.n_terms; i++)
            for (uint32_t k = 0; k < i; k++) {
                bool got = same(&graph, graph.term[i], graph.term[k]);
                bool rules = same(&y, y.term[i], y.term[k]);
                n_equal += rules;
                if (got)
                    explain(&graph, "", graph.term[i], graph.term[k], &n_said);
                if ((rules && !got) || (over && got && !rules))
                    fail_msg("round %u: terms %u %u: rules %d, here %d", round, i, k, rules, got);
            }
        assert_true(replays(&graph, &n_ac));
        run_release(&run);
        graph_release(&graph);
        graph_release(&y);
    }
    print_message("the rules end on %u of 3000\n", n_saturated);
    assert_true(n_saturated > 1000 && n_ac > 500 && n_equal > 1000 && n_said > 200);
}

// A path that is not one is found out.
static void tampered(void **state)
{
    (void)state;
    uint32_t n_found = 0, n_tried = 0, n = 0;
    struct graph graph;
    graph_init(&graph, "", AC_LIMITS);
    join(&graph, add(&graph, "(+ a b)"), add(&graph, "c"));
    add(&graph, "(+ (+ a d) b)");
    add(&graph, "(+ c d)");
    ac_close(&graph.ac);
    assert_true(replays(&graph, &n) && n > 0);
    // A step's direction or its node: the last three bytes of the entry.
    uint8_t *j = graph.graph.journal.at;
    for (uint64_t i = graph.graph.journal.len - 3; i < graph.graph.journal.len; i++)
        for (uint8_t bit = 1; bit < 16; bit = (uint8_t)(2 * bit)) {
            uint8_t old = j[i];
            j[i] ^= bit;
            struct replay replay;
            replay_begin(&replay, &graph.graph);
            n_tried++;
            n_found += !replay_journal(&replay, binary);
            replay_end(&replay);
            j[i] = old;
        }
    assert_int_equal(n_found, n_tried);
    graph_release(&graph);
}

// With rules that hold for numbers: what is equal has equal values, and nothing
// is missed that the rules with order and brackets spelt out find.
static const char ring[] = "r1: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
                           "r2: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n"
                           "r3: (+ ?a 0) => ?a\n"
                           "r4: (* ?a 1) => ?a\n"
                           "r5: (+ ?a (* m ?a)) => 0\n"
                           "r6: (g (+ ?a ?b)) => (+ (g ?a) (g ?b))\n"
                           "r7: (* (g ?a) ?b) => (g (* ?a ?b))\n";

// Of the node's own term, modulo a prime; g is multiplication by 5.
static uint64_t value(struct graph *graph, const struct replay *own, uint64_t *known, uint32_t node)
{
    enum { PRIME = 1000003 };
    if (known[node] != UINT64_MAX)
        return known[node];
    const struct cc *g = &graph->graph;
    uint32_t len, op = g->node.at[node].op & CC_OP;
    const char *name = plain_op_name(&graph->rules, op, &len);
    uint64_t v[2] = {0, 0};
    for (uint32_t k = 0; k < cc_arity(g, node); k++)
        v[k] = value(graph, own, known, own->arg[2 * node + k]);
    uint64_t r = name[0] == '+'                     ? v[0] + v[1]
                 : name[0] == '*'                   ? v[0] * v[1]
                 : name[0] == 'g'                   ? 5 * v[0]
                 : name[0] == 'm'                   ? PRIME - 1
                 : name[0] == '0' || name[0] == '1' ? (uint64_t)(name[0] - '0')
                                                    : (uint64_t)name[0] * 8123;
    return known[node] = r % PRIME;
}

static void check_values(struct graph *graph)
{
    struct replay own;
    replay_begin(&own, &graph->graph);
    uint64_t *known = mem_alloc(graph->graph.node.len * sizeof *known);
    memset(known, 0xFF, graph->graph.node.len * sizeof *known);
    for (uint32_t i = 0; i < graph->graph.node.len; i++) {
        uint32_t founder = graph->graph.class_.at[cc_class(&graph->graph, i)].founder;
        assert_int_equal(value(graph, &own, known, i), value(graph, &own, known, founder));
    }
    mem_free(known);
    replay_end(&own);
}

static void saturate(struct graph *graph, struct ac *ac, uint32_t rounds, uint32_t nodes)
{
    struct run run;
    run_init(&run, &graph->graph, &graph->rules,
             (struct run_options){.max_rounds = rounds, .max_nodes = nodes, .ac = ac});
    run_rounds(&run);
    run_release(&run);
}

struct tree {
    char op[256];
    uint32_t arg[256][2], n;
};

static uint32_t node(struct tree *tree, char op, uint32_t a, uint32_t b)
{
    tree->op[tree->n] = op;
    tree->arg[tree->n][0] = a;
    tree->arg[tree->n][1] = b;
    return tree->n++;
}

static uint32_t random_tree(struct rng *rng, struct tree *tree, uint32_t size)
{
    if (size <= 1)
        return node(tree, "abc01m"[rng_below(rng, 6)], 0, 0);
    uint32_t kind = (uint32_t)rng_below(rng, 8);
    if (kind == 7) {
        uint32_t a = random_tree(rng, tree, size - 1);
        return node(tree, 'g', a, 0);
    }
    uint32_t left = 1 + (uint32_t)rng_below(rng, size - 1);
    uint32_t a = random_tree(rng, tree, left);
    uint32_t b = random_tree(rng, tree, size - left);
    return node(tree, kind < 4 ? '+' : '*', a, b);
}

// Another tree with the same value: `steps` random uses of the rules.
static uint32_t rewrite(struct rng *rng, struct tree *tree, uint32_t x)
{
    char op = tree->op[x];
    uint32_t a = tree->arg[x][0], b = tree->arg[x][1], k = (uint32_t)rng_below(rng, 2);
    if ((op == '+' || op == '*') && rng_below(rng, 2))
        return node(tree, op, k ? rewrite(rng, tree, a) : a, k ? b : rewrite(rng, tree, b));
    if (op == 'g' && rng_below(rng, 2))
        return node(tree, 'g', rewrite(rng, tree, a), 0);
    if (op == '*' && tree->op[b] == '+')
        return node(tree, '+', node(tree, '*', a, tree->arg[b][0]),
                    node(tree, '*', a, tree->arg[b][1]));
    if (op == 'g' && tree->op[a] == '+')
        return node(tree, '+', node(tree, 'g', tree->arg[a][0], 0),
                    node(tree, 'g', tree->arg[a][1], 0));
    if (op == '*' && tree->op[a] == 'g')
        return node(tree, 'g', node(tree, '*', tree->arg[a][0], b), 0);
    if ((op == '+' || op == '*') && tree->op[b] == op && k)
        return node(tree, op, node(tree, op, a, tree->arg[b][0]), tree->arg[b][1]);
    if (op == '+' || op == '*')
        return node(tree, op, b, a);
    return x;
}

static void say_tree(const struct tree *tree, uint32_t x, struct buf *buf)
{
    if (strchr("+*g", tree->op[x]) == NULL) {
        buf_putc(buf, tree->op[x]);
        return;
    }
    buf_printf(buf, "(%c ", tree->op[x]);
    say_tree(tree, tree->arg[x][0], buf);
    if (tree->op[x] != 'g') {
        buf_putc(buf, ' ');
        say_tree(tree, tree->arg[x][1], buf);
    }
    buf_putc(buf, ')');
}

static void random_equal(struct rng *rng, struct graph *x, struct graph *y)
{
    struct tree tree = {.n = 0};
    uint32_t root = random_tree(rng, &tree, 3 + (uint32_t)rng_below(rng, 5));
    for (uint32_t i = 0; i < 2; i++) {
        struct buf buf = {0};
        say_tree(&tree, root, &buf);
        add(x, buf_text(&buf));
        add(y, buf_text(&buf));
        buf_release(&buf);
        for (uint32_t k = 0; k < 8; k++)
            root = rewrite(rng, &tree, root);
    }
}

// In as many rounds, every equality that is found with order and brackets
// spelt out is found; and the classes hold terms of one value only, whatever
// the limits.
static void with_rules(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2);
    struct buf all = {0};
    buf_puts(&all, both);
    buf_puts(&all, ring);
    uint32_t n_rules = 0, n_got = 0, n_cut = 0, n_said = 0;
    for (uint32_t round = 0; round < 300; round++) {
        struct graph graph, y;
        struct ac_limits limits = AC_LIMITS;
        bool tight = round % 3 == 2;
        if (tight)
            limits = (struct ac_limits){.size = 3, .tasks = 1, .steps = 6, .offers = 20};
        graph_init(&graph, buf_text(&all), limits);
        graph_init(&y, buf_text(&all), AC_LIMITS);
        ac_rules(&graph.ac, &graph.rules);
        random_equal(&rng, &graph, &y);
        saturate(&graph, &graph.ac, tight ? 2 : 1, 800);
        saturate(&y, NULL, 1, 800);
        check_values(&graph);
        bool got = same(&graph, graph.term[0], graph.term[1]);
        bool rules = same(&y, y.term[0], y.term[1]);
        if (got)
            explain(&graph, ring, graph.term[0], graph.term[1], &n_said);
        n_got += got && !tight;
        n_rules += rules && !tight;
        n_cut += tight && graph.ac.cut;
        if (rules && !got && !tight)
            fail_msg("round %u: missed", round);
        graph_release(&graph);
        graph_release(&y);
    }
    buf_release(&all);
    print_message("equal in a round: %u, by the rules %u\n", n_got, n_rules);
    assert_true(n_rules > 100 && n_got > n_rules && n_cut > 20 && n_said > 100);
}

// What the checker takes for order and brackets.
static void checker(void **state)
{
    (void)state;
    static const char terms[] = "term 0 a\nterm 1 b\nterm 2 c\n"
                                "term 3 + 0 1\nterm 4 + 1 0\n"
                                "term 5 + 3 2\nterm 6 + 2 4\nterm 7 g 5\n"
                                "term 8 g 6\nterm 9 + 0 2\nterm 10 + 3 1\n"
                                "term 11 - 0 1\nterm 12 - 1 0\nterm 13 g 9\n";
    static const struct {
        uint32_t a, b;
        const char *left, *right;
        bool ok;
    } cases[] = {
        {3, 4, "(+ a b)", "(+ b a)", true},
        {5, 6, "(+ (+ a b) c)", "(+ c (+ b a))", true},
        {7, 8, "(g (+ (+ a b) c))", "(g (+ c (+ b a)))", true},
        {3, 9, "(+ a b)", "(+ a c)", false},
        {3, 10, "(+ a b)", "(+ (+ a b) b)", false},
        {5, 10, "(+ (+ a b) c)", "(+ (+ a b) b)", false},
        {11, 12, "(- a b)", "(- b a)", false},
        {7, 13, "(g (+ (+ a b) c))", "(g (+ a c))", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct buf buf = {0};
        buf_printf(&buf, "%sac 0 %u %u\n", terms, cases[i].a, cases[i].b);
        if (plain_check("ac: + *\n", buf_text(&buf), cases[i].left, cases[i].right, NULL, &err) !=
            cases[i].ok)
            fail_msg("case %zu: %s", i, err.msg);
        buf_release(&buf);
    }
}

// Two orders of a sum stay two chains of nodes; and a limit on nodes holds.
static void few_nodes(void **state)
{
    (void)state;
    for (uint32_t limit = 0; limit < 2; limit++) {
        struct graph graph;
        graph_init(&graph, both, AC_LIMITS);
        ac_rules(&graph.ac, &graph.rules);
        assert_int_equal(graph.rules.rule.len, 0);
        add(&graph, "(+ a (+ b (+ c (+ d (+ e (+ f (+ g h)))))))");
        add(&graph, "(+ h (+ g (+ f (+ e (+ d (+ c (+ b a)))))))");
        saturate(&graph, &graph.ac, 10, 0);
        assert_true(same(&graph, graph.term[0], graph.term[1]));
        assert_int_equal(graph.graph.n_live, 8 + 7 + 7);
        graph_release(&graph);
        struct ac_limits limits = AC_LIMITS;
        limits.nodes = limit ? 60 : limits.nodes;
        graph_init(&graph, ring, limits);
        ac_rules(&graph.ac, &graph.rules);
        add(&graph, "(* (+ a (+ b c)) (* (+ d (+ e f)) (+ g h)))");
        saturate(&graph, &graph.ac, 3, limit ? 60 : 0);
        check_values(&graph);
        assert_true(limit ? graph.graph.n_live <= 61 : graph.graph.n_live > 100);
        graph_release(&graph);
    }
}

static bool has_value(void *ctx, uint32_t cls)
{
    const struct plain_fold *fold = ctx;
    return plain_fold_has_value(fold, cls);
}

// Values within sums are found, and what they hide stays equal, though it is in
// no list of its class any more.
static void values(void **state)
{
    (void)state;
    static const char rules[] = "d1: (d ?x (+ ?a ?b)) => (+ (d ?x ?a) (d ?x ?b))\n"
                                "d2: (d ?x (* ?a ?b)) => (+ (* ?a (d ?x ?b)) "
                                "(* ?b (d ?x ?a)))\n"
                                "g: (g z) => 3\n"
                                "d3: (d x x) => 1\nd4: (d x y) => 0\n"
                                "d5: (d x 1) => 0\nd6: (d x 2) => 0\n"
                                "m0: (* ?a 0) => 0\nm1: (* ?a 1) => ?a\n"
                                "a0: (+ ?a 0) => ?a\n"
                                "f: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n";
    static const char *const cases[][2] = {
        {"(d x (+ 1 (* 2 x)))", "2"},
        {"(+ 1 (+ y (+ 2 (+ x 4))))", "(+ (+ x 7) y)"},
        {"(* 2 (* x (* 3 (* y 5))))", "(* y (* 30 x))"},
        // The class of 1 + 2 goes into that of (g z), which is used more.
        {"(- (+ 1 2) (h (g z) (k (g z) (+ (g z) (* (g z) w)))))",
         "(- 3 (h 3 (k 3 (+ (* w 3) 3))))"},
        {"(d x (* (+ y x) (+ 2 (+ x 1))))", "(+ x (+ 3 (+ x y)))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct graph graph;
        struct plain_fold fold;
        graph_init(&graph, rules, AC_LIMITS);
        plain_fold_init(&fold, PLAIN_FOLD_MATH, &graph.graph, &graph.rules);
        graph.ac.has_value = has_value;
        graph.ac.ctx = &fold;
        ac_rules(&graph.ac, &graph.rules);
        uint32_t a = add(&graph, cases[i][0]), b = add(&graph, cases[i][1]);
        saturate(&graph, &graph.ac, 8, 2000);
        if (!same(&graph, a, b) || fold.conflict)
            fail_msg("case %zu", i);
        graph_release(&graph);
        plain_fold_release(&fold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides),  cmocka_unit_test(as_the_rules_say),
        cmocka_unit_test(tampered), cmocka_unit_test(with_rules),
        cmocka_unit_test(checker),  cmocka_unit_test(few_nodes),
        cmocka_unit_test(values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
