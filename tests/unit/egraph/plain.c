// SPDX-License-Identifier: Apache-2.0
// Rules and terms from text, what is known of classes, and runs that are interrupted.
#include "tests/unit/support/egraph_plain.h"

static void bad_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *msg;
        uint32_t line, col;
    } bad[] = {
        {"nothing", "expected `name: left => right`", 1, 1},
        {"# c\n\n a: (f ?x) => ?y", "the left side does not bind ?y", 3, 15},
        {"a: (f ?x)", "expected =>", 1, 10},
        {"a: (f ?x => ?x", "expected )", 1, 15},
        {"a: (f ?x) => ?x junk", "unexpected text behind the rule", 1, 17},
        {"a: (f ?x) => ?x if", "expected a condition", 1, 19},
        {"a: (f ?x) => ?x if big(?x)", "no condition is named big", 1, 20},
        {"analysis: math\nanalysis: prop", "a second analysis", 2, 1},
        {"a: (f ?x) => ?fresh", "a right side that is only what is computed", 1, 20},
        {"a: (f ?x) => ?y if ?y = fresh(?x)", "a right side that is only what is computed", 1, 34},
        {"a: (f ?x) => ?x if is_sym(?z)", "the left side does not bind ?z", 1, 27},
        {"a: (f ?x) => ?x if is_sym(?x", "expected )", 1, 29},
        {"a: (f ?x) => ?f if ?f = is_sym(?x)", "is_sym computes nothing", 1, 20},
        {"a: ?x => (f ?x) if is_sym(?x)", "conditions on a variable that matches everything", 1,
         30},
        {"a: (?f ?x) => ?x", "expected an operator", 1, 5},
        {"a: (f ?) => 1", "expected a name behind ?", 1, 7},
        {"a: ?x = ?y => 1", "two variables for one class: one name will do", 1, 9},
        {"a: ?x = (f ?y) and ?z = (g ?y) => ?y",
         "the left side has several patterns: expected ?v = pattern", 1, 35},
        {"a: (f ?x) => ?x else 1",
         "nothing that `else` could be the other "
         "case of",
         1, 17},
        {"a: (f ?x) => 1 if same((g ?x), ?x) else 2",
         "nothing that `else` could be the other "
         "case of",
         1, 36},
        {"a: (f ?x) => 1 if same(?x, ?x)", "expected a term, not two variables", 1, 23},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cc graph;
        struct plain_rules rules;
        struct err err = {0};
        cc_init(&graph, false);
        plain_init(&rules);
        assert_false(plain_read(&rules, &graph, "r", bad[i].text, plain_fold_guards, &err));
        assert_string_equal(err.msg, bad[i].msg);
        if (err.line != bad[i].line || err.col != bad[i].col)
            fail_msg("%s: at %u:%u", bad[i].text, err.line, err.col);
        plain_release(&rules);
        cc_release(&graph);
    }
}

static void bad_terms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *msg;
        uint32_t line, col;
    } bad[] = {
        {"(f x", "the term has no end", 1, 5},
        {"x\n ) y", "a ) without its (", 2, 2},
        {"(f ())", "expected an operator", 1, 5},
        {"# no\nx,", "expected a term", 2, 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cc graph;
        struct plain_rules rules;
        struct err err = {0};
        struct u32_vec root = {0};
        cc_init(&graph, false);
        plain_init(&rules);
        assert_false(plain_terms(&rules, &graph, "t", bad[i].text, &root, &err));
        assert_string_equal(err.msg, bad[i].msg);
        if (err.line != bad[i].line || err.col != bad[i].col)
            fail_msg("%s: at %u:%u", bad[i].text, err.line, err.col);
        vec_release(&root);
        plain_release(&rules);
        cc_release(&graph);
    }
}

// A million levels do not use the stack; a side of a rule has a limit.
static void deep_text(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *text = mem_alloc(4 * DEPTH + 64);
    for (int i = 0; i < DEPTH; i++)
        memcpy(text + 3 * i, "(f ", 3);
    text[3 * DEPTH] = 'x';
    memset(text + 3 * DEPTH + 1, ')', DEPTH);
    struct cc graph;
    struct plain_rules rules;
    struct err err = {0};
    struct u32_vec root = {0};
    cc_init(&graph, false);
    plain_init(&rules);
    assert_true(plain_terms(&rules, &graph, "t", text, &root, &err));
    assert_int_equal(graph.n_live, DEPTH + 1);
    memcpy(text, "r: (f (", 7);
    assert_false(plain_read(&rules, &graph, "r", text, NULL, &err));
    assert_string_equal(err.msg, "a side of more than 64 nodes");
    vec_release(&root);
    plain_release(&rules);
    cc_release(&graph);
    mem_free(text);
}

// (f x x) within itself, `levels` deep; the last leaf is `last`.
static void put_tree(struct buf *out, uint32_t levels, const char *leaf, const char *last)
{
    if (levels == 0) {
        buf_puts(out, last);
        return;
    }
    buf_puts(out, "(f ");
    put_tree(out, levels - 1, leaf, leaf);
    buf_putc(out, ' ');
    put_tree(out, levels - 1, leaf, last);
    buf_putc(out, ')');
}

// A node that stands in several places of the left side counts once, and matches where all of
// these are one class.
static void repeated_nodes(void **state)
{
    (void)state;
    enum { LEVELS = 7 }; // 127 nodes of a tree
    struct buf rules = {0}, all = {0}, other = {0};
    buf_puts(&rules, "swap: (h ?a) => ?a\nr: (g ");
    put_tree(&rules, LEVELS, "?x", "?x");
    buf_puts(&rules, ") => ?x\n");
    buf_puts(&all, "(g ");
    put_tree(&all, LEVELS, "a", "(h a)");
    buf_putc(&all, ')');
    buf_puts(&other, "(g ");
    put_tree(&other, LEVELS, "a", "b");
    buf_putc(&other, ')');
    assert_true(equal(buf_text(&rules), buf_text(&all), "a"));
    assert_false(equal(buf_text(&rules), buf_text(&other), "a"));
    const char *twice = "r: (p (f ?x) (f ?y) (f ?x)) => (q ?x ?y)\n";
    assert_true(equal(twice, "(p (f a) (f b) (f a))", "(q a b)"));
    assert_false(equal(twice, "(p (f a) (f b) (f b))", "(q a b)"));
    const char *parts = "two: ?v = (p (f ?x) (f ?x)) and ?w = (f ?x) => ?v = ?w\n";
    assert_true(equal(parts, "(p (f a) (f a))", "(f a)"));
    assert_false(equal(parts, "(p (f a) (f b))", "(f a)"));
    buf_release(&rules);
    buf_release(&all);
    buf_release(&other);
}

static void several_patterns(void **state)
{
    (void)state;
    const char *rules = "two: ?v = (f ?x) and ?w = (g ?x) => ?v = ?w\n";
    assert_true(equal(rules, "(f a)", "(g a)"));
    assert_false(equal(rules, "(f a)", "(g b)"));
    const char *both = "one: (f ?x) => ?n = (h ?x) and ?x = (k ?n)\n";
    assert_true(equal(both, "(g (f a))", "(g (f (k (h a))))"));
    assert_true(equal("one: (f ?x) => (h ?x)\nlast: (h ?x) => ?x\n", "(f a)", "a"));
}

static void cases(void **state)
{
    (void)state;
    const char *rules = "analysis: math\n"
                        "c: (f ?x) => yes if is_const(?x) else no\n";
    assert_true(equal(rules, "(f 3)", "yes"));
    assert_false(equal(rules, "(f 3)", "no"));
    assert_true(equal(rules, "(f x)", "no"));
    // It becomes true later: the match is found again.
    const char *late = "analysis: math\n"
                       "c: (f ?x) => yes if is_const(?x)\n"
                       "s1: a => b\ns2: b => c\ns3: c => (+ 1 2)\n";
    assert_true(equal(late, "(f a)", "yes"));
    const char *same = "s: (if ?c ?t ?e) => ?e if same((g ?t), (g ?e))\n"
                       "g: (g ?x) => k\n";
    assert_true(equal(same, "(if c x y)", "y"));
    assert_false(equal("s: (if ?c ?t ?e) => ?e if same((g ?t), (g ?e))\n", "(if c x y)", "y"));
    // Each class has its own fresh symbol.
    const char *fresh = "n: (new ?x) => (pair ?x ?fresh)\n";
    assert_false(equal(fresh, "(new a)", "(new b)"));
}

static void folding(void **state)
{
    (void)state;
    const char *math = "analysis: math\nz: (z ?x) => (- ?x ?x)\n";
    assert_true(equal(math, "(* (+ 1 2) 4)", "12"));
    assert_true(equal(math, "(/ 1 4)", "0.25"));
    assert_true(equal(math, "(+ 1.0 1)", "2"));
    assert_false(equal(math, "(/ 1 0)", "0"));
    assert_true(equal(math, "(z 3)", "0"));
    assert_true(equal("analysis: prop\n", "(-> false (& x true))", "(-> false (& x true))"));
    assert_true(equal("analysis: prop\n", "(| (~ true) true)", "true"));
    const char *lambda = "analysis: lambda\n"
                         "f: (let ?v ?e ?b) => closed if is_not_free(?v, ?b)\n";
    assert_true(equal(lambda, "(let x 1 (lam x (var x)))", "closed"));
    assert_false(equal(lambda, "(let x 1 (lam y (var x)))", "closed"));
    assert_false(equal(lambda, "(+ 2147483647 1)", "-2147483648"));
    // Contradicting rules end the run.
    struct world world;
    struct err err = {0};
    begin(&world, "analysis: math\nbad: (f ?x) => 1\nworse: (f ?x) => 2\n", "(f a)",
          (struct run_options){0});
    assert_int_equal(run_rounds(&world.run), RUN_CONFLICT);
    assert_false(plain_fold_fail(&world.fold, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    end(&world);
}

// Of a right side that is not taken no symbol is made.
static void symbols_of_their_own(void **state)
{
    (void)state;
    static const char rules[] =
        "analysis: lambda\n"
        "d: (let ?v ?e (lam ?w ?b)) => (lam ?w (let ?v ?e ?b)) if "
        "is_not_same_var(?v, ?w) and is_not_free(?w, ?e) else (lam ?fresh (let "
        "?v ?e (let ?w (var ?fresh) ?b))) if is_not_same_var(?v, ?w)\n";
    static const struct {
        const char *term;
        uint32_t nodes;
    } cases[] = {
        // Four leaves, var, lam, let; then a let and a lam.
        {"(let x (var z) (lam y 1))", 7 + 2},
        // Three leaves; the symbol, its var, two let, a lam.
        {"(let x (var y) (lam y 1))", 6 + 5},
        {"(let x (var y) (lam x 1))", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        begin(&world, rules, cases[i].term, (struct run_options){0});
        assert_int_equal(run_rounds(&world.run), RUN_SATURATED);
        assert_int_equal(world.graph.n_live, cases[i].nodes);
        end(&world);
    }
}

static bool take_node(void *ctx, const struct plain_search *search)
{
    *(uint32_t *)ctx = search->node[0];
    return false;
}

// A goal that is a variable is found at a node of its class.
static void any_goal(void **state)
{
    (void)state;
    struct world world;
    struct plain_rule rule;
    uint32_t node = CC_NONE;
    begin(&world, "", "(f (g x))", (struct run_options){0});
    cc_rebuild(&world.graph);
    assert_true(plain_pattern(&world.rules, &world.graph, "goal", "?x", &rule, &world.err));
    struct plain_search search = {.graph = &world.graph,
                                  .rule = &rule,
                                  .n_frozen = world.graph.n_entered,
                                  .found = take_node,
                                  .ctx = &node};
    assert_false(search_class(&search, cc_class(&world.graph, world.root.at[0])));
    assert_int_equal(cc_class(&world.graph, node), cc_class(&world.graph, world.root.at[0]));
    end(&world);
}

// However often a run is interrupted, and whoever gets how much: it ends with
// the graph of a run without limits.
static void nothing_is_lost(void **state)
{
    (void)state;
    static const char ac[] = "c: (+ ?a ?b) => (+ ?b ?a)\n"
                             "a: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n";
    static const char seven[] = "(+ 1 (+ 2 (+ 3 (+ 4 (+ 5 (+ 6 7))))))";
    enum { NODES = 1939, CLASSES = 127 }; // 3^7 - 2^8 + 1 + 7, 2^7 - 1
    for (int s = RUN_SIMPLE; s <= RUN_RATION; s++)
        for (uint64_t step = 0; step < 400; step += 133) {
            struct world world;
            begin(&world, ac, seven,
                  (struct run_options){
                      .scheduler = (enum run_scheduler)s, .match_limit = 10, .max_matches = step});
            enum run_stop stop = run_rounds(&world.run);
            for (uint64_t more = step; stop == RUN_MATCHES; more += more / 2) {
                world.run.opt.max_matches = world.run.n_matches + more;
                stop = run_rounds(&world.run);
            }
            assert_int_equal(stop, RUN_SATURATED);
            assert_int_equal(world.graph.n_live, NODES);
            assert_int_equal(world.graph.n_classes, CLASSES);
            end(&world);
        }
}

// Rules of which some merge what others have built upon, with a condition that
// becomes false within a round, and numbers that fold.
static const char merging[] = "analysis: math\n"
                              "d: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n"
                              "a: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n"
                              "c: (+ ?a ?b) => (+ ?b ?a)\n"
                              "m: (* ?a ?b) => (* ?b ?a)\n"
                              "f: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n"
                              "z: (* ?a 0) => 0\n"
                              "s: (- ?a ?a) => 0\n"
                              "q: (/ ?a ?b) => (* ?a (pow ?b -1)) if "
                              "is_not_zero(?b)\n"
                              "i: (* ?a 1) => ?a\n"
                              "n: ?a => (* ?a 1)\n";

// A round ends with the same graph whether matches are held or applied as they
// are found, in whatever order; held ones make fewer nodes.
static void same_graph(const char *rules, const char *terms, uint32_t rounds, uint32_t at_least)
{
    struct world held, order;
    struct run_options options = {.max_rounds = rounds};
    begin(&held, rules, terms, options);
    options.whole_rules = true;
    begin(&order, rules, terms, options);
    assert_int_equal(run_rounds(&held.run), run_rounds(&order.run));
    assert_int_equal(held.graph.n_live, order.graph.n_live);
    assert_int_equal(held.graph.n_classes, order.graph.n_classes);
    assert_true(rounds < 4 || run_made(&held.graph) < run_made(&order.graph));
    assert_true(held.graph.n_live >= at_least);
    if (!cc_check(&held.graph, &held.err))
        fail_msg("%s", held.err.msg);
    end(&held);
    end(&order);
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static const char terms[] = "(/ (* x (+ 2 (+ y (* 3 (+ x 4))))) (- (+ y x) (* 1 (+ x y))))"
                                "(* (+ a b) (+ (* c 0) (+ 2 (* d (+ a c)))))";
    for (uint32_t rounds = 1; rounds <= 12; rounds++)
        same_graph(merging, terms, rounds, 10);
    // So many nodes that the graph is closed within a rule.
    same_graph(explosive, sum, 5, 20000);
}

static void last_rules(void **state)
{
    (void)state;
    struct world all, first;
    begin(&all, explosive, sum, (struct run_options){.max_rounds = 1, .last_rules = 1});
    run_rounds(&all.run);
    begin(&first, "c: (+ ?a ?b) => (+ ?b ?a)\n", sum, (struct run_options){.max_rounds = 1});
    run_rounds(&first.run);
    assert_int_equal(all.graph.n_live, first.graph.n_live);
    assert_int_equal(all.graph.node.len, first.graph.node.len);
    uint32_t before = all.graph.n_live;
    // What was left out is done when the run goes on.
    run_rounds(&all.run);
    assert_int_equal(all.graph.n_live, before);
    all.run.opt.last_rules = 0;
    run_rounds(&all.run);
    assert_true(all.graph.n_live > before);
    end(&all);
    end(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_text),
        cmocka_unit_test(bad_terms),
        cmocka_unit_test(deep_text),
        cmocka_unit_test(repeated_nodes),
        cmocka_unit_test(several_patterns),
        cmocka_unit_test(cases),
        cmocka_unit_test(folding),
        cmocka_unit_test(symbols_of_their_own),
        cmocka_unit_test(any_goal),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(last_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
