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
    struct cc g;
    struct plain_rules p;
    struct ac ac;
    uint32_t n_terms, term[64];
};

static bool binary(const struct cc *g, uint32_t op)
{
    return g->op.at[op].arity == 2;
}

static void graph_init(struct graph *x, const char *rules,
                       struct ac_limits limits)
{
    struct err e = {0};
    cc_init(&x->g, true);
    plain_init(&x->p);
    ac_init(&x->ac, &x->g, limits);
    ac_declare(&x->ac, plain_op(&x->p, &x->g, "+", 1, 2));
    ac_declare(&x->ac, plain_op(&x->p, &x->g, "*", 1, 2));
    x->n_terms = 0;
    if (!plain_read(&x->p, &x->g, "rules", rules, NULL, &e))
        fail_msg("%s", e.msg);
}

static void graph_release(struct graph *x)
{
    ac_release(&x->ac);
    plain_release(&x->p);
    cc_release(&x->g);
}

static uint32_t add(struct graph *x, const char *text)
{
    struct err e = {0};
    uint32_t line = 1, node = CC_NONE;
    if (!plain_term(&x->p, &x->g, "term", &text, &line, &node, &e))
        fail_msg("%s", e.msg);
    x->term[x->n_terms++] = node;
    return node;
}

static void join(struct graph *x, uint32_t a, uint32_t b)
{
    struct cc *g = &x->g;
    if (cc_union(g, cc_class(g, a), cc_class(g, b)))
        journal_given(&g->journal, JOURNAL_GIVEN, a, b, 0);
}

static bool same(struct graph *x, uint32_t a, uint32_t b)
{
    return cc_class(&x->g, a) == cc_class(&x->g, b);
}

static bool replays(struct graph *x, uint32_t *n_ac)
{
    struct replay r;
    replay_begin(&r, &x->g);
    bool ok = replay_journal(&r, binary);
    *n_ac += r.n_ac;
    replay_end(&r);
    return ok;
}

static bool believe(void *ctx, const struct plain_check_terms *t, uint32_t a,
                    uint32_t b, uint32_t number)
{
    (void)t, (void)a, (void)b;
    ++*(uint32_t *)ctx;
    return number == 0;
}

// The explanation of a = b must be one by these rules; and none where order and
// brackets are not free, if it makes use of that.
static void explain(struct graph *x, const char *rules, uint32_t a, uint32_t b,
                    uint32_t *n_ac)
{
    struct why w;
    struct why_part line;
    struct err e = {0};
    struct buf text = {0}, left = {0}, right = {0}, all = {0};
    uint32_t n_given = 0;
    struct plain_check_facts facts = {.given = believe, .ctx = &n_given};
    why_init(&w, &x->g, &x->p);
    if (!why_read(&w, &e) ||
        !why_explain(&w, why_term_of(&w, a), why_term_of(&w, b), &line, &e))
        fail_msg("%s", e.msg);
    if (line.line != CC_NONE) {
        why_print(&w, line.line, &text);
        why_print_term(&w, why_term_of(&w, a), &left);
        why_print_term(&w, why_term_of(&w, b), &right);
        buf_printf(&all, "ac: + *\n%s", rules);
        if (!plain_check(buf_text(&all), buf_text(&text), buf_text(&left),
                         buf_text(&right), &facts, &e))
            fail_msg("%u: %s\n%s", e.line, e.msg, buf_text(&text));
        bool uses = strstr(buf_text(&text), "\nac ") != NULL;
        *n_ac += uses;
        assert_int_equal(!uses,
                         plain_check(rules, buf_text(&text), buf_text(&left),
                                     buf_text(&right), &facts, &e));
    }
    buf_release(&text);
    buf_release(&left);
    buf_release(&right);
    buf_release(&all);
    why_release(&w);
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
        {{{"(+ a b)", "(+ c d)"}, {"(+ a e)", "(+ c f)"}},
         "(+ d (+ a e))",
         "(+ f (+ a b))",
         true},
        {{{"(+ a b)", "(+ c d)"}, {"(+ a e)", "(+ c f)"}},
         "(+ (+ c d) e)",
         "(+ (+ c f) b)",
         true},
        // Through another operator.
        {{{"(+ a b)", "(* c d)"}, {"(+ b a)", "e"}},
         "(* f (* d c))",
         "(* e f)",
         true},
        {{{"(g (+ a b))", "c"}}, "(* c (g (+ b a)))", "(* c c)", true},
        // 3a = b, 2a = b: b + a = b, 2b = ...
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}},
         "(+ b b)",
         "(+ a a)",
         true},
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}}, "(+ a b)", "a", false},
        {{{"(+ a (+ a a))", "b"}, {"(+ a a)", "b"}}, "(+ b a)", "b", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct graph x;
        uint32_t n = 0;
        graph_init(&x, "", AC_LIMITS);
        for (uint32_t k = 0; k < 3 && cases[i].equal[k][0] != NULL; k++) {
            uint32_t l = add(&x, cases[i].equal[k][0]);
            join(&x, l, add(&x, cases[i].equal[k][1]));
        }
        uint32_t a = add(&x, cases[i].a), b = add(&x, cases[i].b);
        ac_close(&x.ac);
        if (same(&x, a, b) != cases[i].same)
            fail_msg("case %zu", i);
        assert_true(replays(&x, &n));
        if (cases[i].same)
            explain(&x, "", a, b, &n);
        assert_false(x.ac.cut);
        graph_release(&x);
    }
}

static void random_term(struct rng *r, struct buf *b, uint32_t size)
{
    if (size <= 1) {
        buf_printf(b, "%c", (char)('a' + rng_below(r, 4)));
        return;
    }
    uint32_t kind = (uint32_t)rng_below(r, 8);
    if (kind == 7) {
        buf_printf(b, "(g ");
        random_term(r, b, size - 1);
    } else {
        uint32_t left = 1 + (uint32_t)rng_below(r, size - 1);
        buf_printf(b, kind < 5 ? "(+ " : "(* ");
        random_term(r, b, left);
        buf_printf(b, " ");
        random_term(r, b, size - left);
    }
    buf_printf(b, ")");
}

// The same terms and merges in two graphs.
static void random_pair(struct rng *r, struct graph *x, struct graph *y,
                        uint32_t n_terms, uint32_t n_joins, uint32_t max_size)
{
    for (uint32_t i = 0; i < n_terms; i++) {
        struct buf b = {0};
        random_term(r, &b, 1 + (uint32_t)rng_below(r, max_size));
        add(x, buf_text(&b));
        add(y, buf_text(&b));
        buf_release(&b);
    }
    for (uint32_t i = 0; i < n_joins; i++) {
        uint32_t a = (uint32_t)rng_below(r, n_terms);
        uint32_t b = (uint32_t)rng_below(r, n_terms);
        join(x, x->term[a], x->term[b]);
        join(y, y->term[a], y->term[b]);
    }
}

// Nothing the rules make equal is missed; and nothing else is equal, where they
// came to an end.
static void as_the_rules_say(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    uint32_t n_saturated = 0, n_ac = 0, n_equal = 0, n_said = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        struct graph x, y;
        graph_init(&x, "", AC_LIMITS);
        graph_init(&y, both, AC_LIMITS);
        random_pair(&r, &x, &y, 3 + (uint32_t)rng_below(&r, 6),
                    (uint32_t)rng_below(&r, 4), 2 + (uint32_t)rng_below(&r, 4));
        ac_close(&x.ac);
        struct run run;
        run_init(&run, &y.g, &y.p,
                 (struct run_options){.max_rounds = 8, .max_nodes = 1500});
        bool over = run_rounds(&run) == RUN_SATURATED;
        n_saturated += over;
        for (uint32_t i = 0; i < x.n_terms; i++)
            for (uint32_t k = 0; k < i; k++) {
                bool got = same(&x, x.term[i], x.term[k]);
                bool rules = same(&y, y.term[i], y.term[k]);
                n_equal += rules;
                if (got)
                    explain(&x, "", x.term[i], x.term[k], &n_said);
                if ((rules && !got) || (over && got && !rules))
                    fail_msg("round %u: terms %u %u: rules %d, here %d", round,
                             i, k, rules, got);
            }
        assert_true(replays(&x, &n_ac));
        run_release(&run);
        graph_release(&x);
        graph_release(&y);
    }
    print_message("the rules end on %u of 3000\n", n_saturated);
    assert_true(n_saturated > 1000 && n_ac > 500 && n_equal > 1000 &&
                n_said > 200);
}

// A path that is not one is found out.
static void tampered(void **state)
{
    (void)state;
    uint32_t n_found = 0, n_tried = 0, n = 0;
    struct graph x;
    graph_init(&x, "", AC_LIMITS);
    join(&x, add(&x, "(+ a b)"), add(&x, "c"));
    add(&x, "(+ (+ a d) b)");
    add(&x, "(+ c d)");
    ac_close(&x.ac);
    assert_true(replays(&x, &n) && n > 0);
    // A step's direction or its node: the last three bytes of the entry.
    uint8_t *j = x.g.journal.at;
    for (uint64_t i = x.g.journal.len - 3; i < x.g.journal.len; i++)
        for (uint8_t bit = 1; bit < 16; bit = (uint8_t)(2 * bit)) {
            uint8_t old = j[i];
            j[i] ^= bit;
            struct replay r;
            replay_begin(&r, &x.g);
            n_tried++;
            n_found += !replay_journal(&r, binary);
            replay_end(&r);
            j[i] = old;
        }
    assert_int_equal(n_found, n_tried);
    graph_release(&x);
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
static uint64_t value(struct graph *x, const struct replay *own,
                      uint64_t *known, uint32_t node)
{
    enum { PRIME = 1000003 };
    if (known[node] != UINT64_MAX)
        return known[node];
    const struct cc *g = &x->g;
    uint32_t len, op = g->node.at[node].op & CC_OP;
    const char *name = plain_op_name(&x->p, op, &len);
    uint64_t v[2] = {0, 0};
    for (uint32_t k = 0; k < cc_arity(g, node); k++)
        v[k] = value(x, own, known, own->arg[2 * node + k]);
    uint64_t r = name[0] == '+'                     ? v[0] + v[1]
                 : name[0] == '*'                   ? v[0] * v[1]
                 : name[0] == 'g'                   ? 5 * v[0]
                 : name[0] == 'm'                   ? PRIME - 1
                 : name[0] == '0' || name[0] == '1' ? (uint64_t)(name[0] - '0')
                                                    : (uint64_t)name[0] * 8123;
    return known[node] = r % PRIME;
}

static void check_values(struct graph *x)
{
    struct replay own;
    replay_begin(&own, &x->g);
    uint64_t *known = mem_alloc(x->g.node.len * sizeof *known);
    memset(known, 0xFF, x->g.node.len * sizeof *known);
    for (uint32_t i = 0; i < x->g.node.len; i++) {
        uint32_t founder = x->g.class_.at[cc_class(&x->g, i)].founder;
        assert_int_equal(value(x, &own, known, i),
                         value(x, &own, known, founder));
    }
    mem_free(known);
    replay_end(&own);
}

static void saturate(struct graph *x, struct ac *ac, uint32_t rounds,
                     uint32_t nodes)
{
    struct run run;
    run_init(&run, &x->g, &x->p,
             (struct run_options){
                 .max_rounds = rounds, .max_nodes = nodes, .ac = ac});
    run_rounds(&run);
    run_release(&run);
}

struct tree {
    char op[256];
    uint32_t arg[256][2], n;
};

static uint32_t node(struct tree *t, char op, uint32_t a, uint32_t b)
{
    t->op[t->n] = op;
    t->arg[t->n][0] = a;
    t->arg[t->n][1] = b;
    return t->n++;
}

static uint32_t random_tree(struct rng *r, struct tree *t, uint32_t size)
{
    if (size <= 1)
        return node(t, "abc01m"[rng_below(r, 6)], 0, 0);
    uint32_t kind = (uint32_t)rng_below(r, 8);
    if (kind == 7) {
        uint32_t a = random_tree(r, t, size - 1);
        return node(t, 'g', a, 0);
    }
    uint32_t left = 1 + (uint32_t)rng_below(r, size - 1);
    uint32_t a = random_tree(r, t, left);
    uint32_t b = random_tree(r, t, size - left);
    return node(t, kind < 4 ? '+' : '*', a, b);
}

// Another tree with the same value: `steps` random uses of the rules.
static uint32_t rewrite(struct rng *r, struct tree *t, uint32_t x)
{
    char op = t->op[x];
    uint32_t a = t->arg[x][0], b = t->arg[x][1], k = (uint32_t)rng_below(r, 2);
    if ((op == '+' || op == '*') && rng_below(r, 2))
        return node(t, op, k ? rewrite(r, t, a) : a, k ? b : rewrite(r, t, b));
    if (op == 'g' && rng_below(r, 2))
        return node(t, 'g', rewrite(r, t, a), 0);
    if (op == '*' && t->op[b] == '+')
        return node(t, '+', node(t, '*', a, t->arg[b][0]),
                    node(t, '*', a, t->arg[b][1]));
    if (op == 'g' && t->op[a] == '+')
        return node(t, '+', node(t, 'g', t->arg[a][0], 0),
                    node(t, 'g', t->arg[a][1], 0));
    if (op == '*' && t->op[a] == 'g')
        return node(t, 'g', node(t, '*', t->arg[a][0], b), 0);
    if ((op == '+' || op == '*') && t->op[b] == op && k)
        return node(t, op, node(t, op, a, t->arg[b][0]), t->arg[b][1]);
    if (op == '+' || op == '*')
        return node(t, op, b, a);
    return x;
}

static void say_tree(const struct tree *t, uint32_t x, struct buf *b)
{
    if (strchr("+*g", t->op[x]) == NULL) {
        buf_putc(b, t->op[x]);
        return;
    }
    buf_printf(b, "(%c ", t->op[x]);
    say_tree(t, t->arg[x][0], b);
    if (t->op[x] != 'g') {
        buf_putc(b, ' ');
        say_tree(t, t->arg[x][1], b);
    }
    buf_putc(b, ')');
}

static void random_equal(struct rng *r, struct graph *x, struct graph *y)
{
    struct tree t = {.n = 0};
    uint32_t root = random_tree(r, &t, 3 + (uint32_t)rng_below(r, 5));
    for (uint32_t i = 0; i < 2; i++) {
        struct buf b = {0};
        say_tree(&t, root, &b);
        add(x, buf_text(&b));
        add(y, buf_text(&b));
        buf_release(&b);
        for (uint32_t k = 0; k < 8; k++)
            root = rewrite(r, &t, root);
    }
}

// In as many rounds, every equality that is found with order and brackets
// spelt out is found; and the classes hold terms of one value only, whatever
// the limits.
static void with_rules(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 2);
    struct buf all = {0};
    buf_puts(&all, both);
    buf_puts(&all, ring);
    uint32_t n_rules = 0, n_got = 0, n_cut = 0, n_said = 0;
    for (uint32_t round = 0; round < 300; round++) {
        struct graph x, y;
        struct ac_limits limits = AC_LIMITS;
        bool tight = round % 3 == 2;
        if (tight)
            limits = (struct ac_limits){
                .size = 3, .tasks = 1, .steps = 6, .offers = 20};
        graph_init(&x, buf_text(&all), limits);
        graph_init(&y, buf_text(&all), AC_LIMITS);
        ac_rules(&x.ac, &x.p);
        random_equal(&r, &x, &y);
        saturate(&x, &x.ac, tight ? 2 : 1, 800);
        saturate(&y, NULL, 1, 800);
        check_values(&x);
        bool got = same(&x, x.term[0], x.term[1]);
        bool rules = same(&y, y.term[0], y.term[1]);
        if (got)
            explain(&x, ring, x.term[0], x.term[1], &n_said);
        n_got += got && !tight;
        n_rules += rules && !tight;
        n_cut += tight && x.ac.cut;
        if (rules && !got && !tight)
            fail_msg("round %u: missed", round);
        graph_release(&x);
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
        struct err e = {0};
        struct buf b = {0};
        buf_printf(&b, "%sac 0 %u %u\n", terms, cases[i].a, cases[i].b);
        if (plain_check("ac: + *\n", buf_text(&b), cases[i].left,
                        cases[i].right, NULL, &e) != cases[i].ok)
            fail_msg("case %zu: %s", i, e.msg);
        buf_release(&b);
    }
}

// Two orders of a sum stay two chains of nodes; and a limit on nodes holds.
static void few_nodes(void **state)
{
    (void)state;
    for (uint32_t limit = 0; limit < 2; limit++) {
        struct graph x;
        graph_init(&x, both, AC_LIMITS);
        ac_rules(&x.ac, &x.p);
        assert_int_equal(x.p.rule.len, 0);
        add(&x, "(+ a (+ b (+ c (+ d (+ e (+ f (+ g h)))))))");
        add(&x, "(+ h (+ g (+ f (+ e (+ d (+ c (+ b a)))))))");
        saturate(&x, &x.ac, 10, 0);
        assert_true(same(&x, x.term[0], x.term[1]));
        assert_int_equal(x.g.n_live, 8 + 7 + 7);
        graph_release(&x);
        struct ac_limits limits = AC_LIMITS;
        limits.nodes = limit ? 60 : limits.nodes;
        graph_init(&x, ring, limits);
        ac_rules(&x.ac, &x.p);
        add(&x, "(* (+ a (+ b c)) (* (+ d (+ e f)) (+ g h)))");
        saturate(&x, &x.ac, 3, limit ? 60 : 0);
        check_values(&x);
        assert_true(limit ? x.g.n_live <= 61 : x.g.n_live > 100);
        graph_release(&x);
    }
}

static bool has_value(void *ctx, uint32_t cls)
{
    const struct plain_fold *f = ctx;
    return plain_fold_has_value(f, cls);
}

// Values within sums are found, and what they hide stays equal, though it is in
// no list of its class any more.
static void values(void **state)
{
    (void)state;
    static const char rules[] =
        "d1: (d ?x (+ ?a ?b)) => (+ (d ?x ?a) (d ?x ?b))\n"
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
        struct graph x;
        struct plain_fold f;
        graph_init(&x, rules, AC_LIMITS);
        plain_fold_init(&f, PLAIN_FOLD_MATH, &x.g, &x.p);
        x.ac.has_value = has_value;
        x.ac.ctx = &f;
        ac_rules(&x.ac, &x.p);
        uint32_t a = add(&x, cases[i][0]), b = add(&x, cases[i][1]);
        saturate(&x, &x.ac, 8, 2000);
        if (!same(&x, a, b) || f.conflict)
            fail_msg("case %zu", i);
        graph_release(&x);
        plain_fold_release(&f);
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
