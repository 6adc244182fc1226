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

static const char rules[] =
    "comm: (+ ?a ?b) => (+ ?b ?a)\n"
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
    struct cc g;
    struct plain_rules p;
    struct why w;
    struct u32_vec root;
    struct err e;
};

static void setup(struct world *x, const char *text)
{
    memset(x, 0, sizeof *x);
    cc_init(&x->g, true);
    plain_init(&x->p);
    if (!plain_read(&x->p, &x->g, "rules", text, NULL, &x->e))
        fail_msg("%s", x->e.msg);
}

static void drop(struct world *x)
{
    why_release(&x->w);
    plain_release(&x->p);
    vec_release(&x->root);
    cc_release(&x->g);
}

static void rounds(struct world *x, uint32_t n)
{
    struct run r;
    struct run_options o = {.max_rounds = n, .max_nodes = 3000};
    run_init(&r, &x->g, &x->p, o);
    run_rounds(&r);
    run_release(&r);
}

static uint32_t op(struct world *x, const char *name, uint32_t n)
{
    return plain_op(&x->p, &x->g, name, (uint32_t)strlen(name), n);
}

static uint32_t random_term(struct world *x, struct rng *r, uint32_t depth)
{
    static const char *const name[] = {"a", "b", "0", "f", "g",
                                       "+", "*", "-", "if"};
    static const uint32_t arity[] = {0, 0, 0, 1, 1, 2, 2, 2, 4};
    uint32_t k = (uint32_t)rng_below(r, depth == 0 ? 3 : 9), arg[4];
    for (uint32_t i = 0; i < arity[k]; i++) {
        uint32_t node = random_term(x, r, depth - 1);
        arg[i] = x->g.cls.at[node];
    }
    return cc_add(&x->g, op(x, name[k], arity[k]), arg);
}

static bool given(void *ctx, const struct plain_check_terms *t, uint32_t a,
                  uint32_t b, uint32_t number)
{
    // a = b was stated with number 1 for the symbols a and b only.
    (void)ctx;
    return number == 1 && t->term.at[a].n == 0 && t->term.at[b].n == 0 &&
           t->term.at[a].name.at[0] == 'a' && t->term.at[b].name.at[0] == 'b';
}

static const struct plain_check_facts no_facts = {.given = given};

// The line, printed, is a proof of a = b for one who knows the rules only.
static void must_check(struct world *x, const char *text,
                       const struct plain_check_facts *facts, uint32_t a,
                       uint32_t b, struct why_part line)
{
    struct buf proof = {0}, l = {0}, r = {0};
    why_print(&x->w, line.line, &proof);
    why_print_term(&x->w, a, &l);
    why_print_term(&x->w, b, &r);
    struct err e = {0};
    if (!plain_check(text, proof.at, l.at, r.at, facts, &e))
        fail_msg("%s: line %u: %s\n%s", l.at, e.line, e.msg, proof.at);
    buf_release(&proof);
    buf_release(&l);
    buf_release(&r);
}

static uint64_t explain_with(struct world *x, const char *text,
                             const struct plain_check_facts *facts, uint32_t m,
                             uint32_t n)
{
    struct why_part line;
    uint32_t a = why_term_of(&x->w, m), b = why_term_of(&x->w, n);
    if (!why_explain(&x->w, a, b, &line, &x->e))
        fail_msg("%s", x->e.msg);
    must_check(x, text, facts, a, b, line);
    return why_steps(&x->w, line);
}

static uint64_t explain_nodes(struct world *x, const char *text, uint32_t m,
                              uint32_t n)
{
    return explain_with(x, text, &no_facts, m, n);
}

// Every pair of neighbours in the lists of the classes, and some others.
static uint32_t explain_classes(struct world *x, struct rng *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->g.node.len; i++) {
        uint32_t k = x->g.next.at[i];
        if (rng_below(r, 4) == 0)
            k = x->g.next.at[x->g.next.at[k]];
        if (k == i || cc_class(&x->g, k) != cc_class(&x->g, i))
            continue;
        explain_nodes(x, rules, i, k);
        n++;
    }
    return n;
}

static void random_graphs(void **state)
{
    (void)state;
    struct rng r;
    uint32_t n = 0, kinds = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct world x;
        rng_seed(&r, seed);
        setup(&x, rules);
        uint32_t a = cc_add(&x.g, op(&x, "a", 0), NULL);
        uint32_t b = cc_add(&x.g, op(&x, "b", 0), NULL);
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&x.root, random_term(&x, &r, 3));
        rounds(&x, 2);
        why_init(&x.w, &x.g, &x.p);
        assert_true(why_read(&x.w, &x.e));
        n += explain_classes(&x, &r);
        // More of everything, read on from where it was.
        if (seed % 2 == 0)
            cc_union_given(&x.g, JOURNAL_GIVEN, a, b, 1);
        vec_push(&x.root, random_term(&x, &r, 3));
        rounds(&x, 1);
        assert_true(why_read(&x.w, &x.e));
        n += explain_classes(&x, &r);
        for (uint32_t i = 0; i < x.w.line.len; i++)
            kinds |= 1U << x.w.line.at[i].kind;
        drop(&x);
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
    struct world x;
    setup(&x, rules);
    uint32_t a = cc_add(&x.g, op(&x, "a", 0), NULL);
    uint32_t b = cc_add(&x.g, op(&x, "b", 0), NULL);
    rounds(&x, 1);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    struct why_part line;
    uint32_t ta = why_term_of(&x.w, a), tb = why_term_of(&x.w, b);
    assert_false(why_explain(&x.w, ta, tb, &line, &x.e));
    assert_int_equal(x.e.kind, ERR_CHECK);
    err_clear(&x.e);
    uint32_t strange = why_term(&x.w, op(&x, "f", 1), &ta);
    assert_false(why_explain(&x.w, strange, ta, &line, &x.e));
    err_clear(&x.e);
    assert_true(why_explain(&x.w, ta, ta, &line, &x.e));
    assert_int_equal(line.line, CC_NONE);
    drop(&x);
}

// A term that the graph has only up to equality.
static void strangers(void **state)
{
    (void)state;
    struct world x;
    setup(&x, rules);
    uint32_t a = cc_add(&x.g, op(&x, "a", 0), NULL), z;
    z = cc_add(&x.g, op(&x, "0", 0), NULL);
    uint32_t arg[2] = {x.g.cls.at[a], x.g.cls.at[z]};
    uint32_t m = cc_add(&x.g, op(&x, "*", 2), arg);
    uint32_t f = cc_add(&x.g, op(&x, "f", 1), &x.g.cls.at[m]);
    rounds(&x, 1);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    uint32_t zero = why_term_of(&x.w, z);
    uint32_t f0 = why_term(&x.w, op(&x, "f", 1), &zero);
    uint32_t fm = why_term_of(&x.w, f);
    struct why_part line;
    assert_true(why_explain(&x.w, fm, f0, &line, &x.e));
    assert_int_equal(why_steps(&x.w, line), 1);
    must_check(&x, rules, &no_facts, fm, f0, line);
    drop(&x);
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
        struct world x;
        struct rng r;
        struct ac sums;
        rng_seed(&r, seed);
        setup(&x, text);
        ac_init(&sums, &x.g, AC_LIMITS);
        ac_declare(&sums, op(&x, "+", 2));
        static const char *const name[] = {"a", "b", "c", "d"};
        struct u32_vec pool = {0};
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&pool, cc_add(&x.g, op(&x, name[i], 0), NULL));
        for (uint32_t i = 0; i < 24; i++) {
            uint32_t arg[2];
            for (uint32_t k = 0; k < 2; k++)
                arg[k] = x.g.cls.at[pool.at[rng_below(&r, pool.len)]];
            vec_push(&pool, i % 5 == 4 ? cc_add(&x.g, op(&x, "f", 1), arg)
                                       : cc_add(&x.g, op(&x, "+", 2), arg));
        }
        for (uint32_t i = 0; i < 2; i++) {
            ac_close(&sums);
            rounds(&x, 1);
        }
        ac_close(&sums);
        why_init(&x.w, &x.g, &x.p);
        assert_true(why_read(&x.w, &x.e));
        for (uint32_t i = 0; i < x.g.node.len; i++)
            for (uint32_t k = 0; k < i; k++)
                if (cc_class(&x.g, i) == cc_class(&x.g, k)) {
                    explain_nodes(&x, text, i, k);
                    n++;
                }
        for (uint32_t i = 0; i < x.w.line.len; i++)
            uses += x.w.line.at[i].kind == WHY_AC;
        vec_release(&pool);
        ac_release(&sums);
        drop(&x);
    }

    assert_true(n > 500 && uses > 200);
}

// A node of each of two towers is equal because of the ones below: the proof
// is as deep as the tower.
static void deep(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct world x;
    setup(&x, rules);
    uint32_t a = cc_add(&x.g, op(&x, "a", 0), NULL), top[2];
    uint32_t b = cc_add(&x.g, op(&x, "b", 0), NULL);
    uint32_t f = op(&x, "f", 1);
    top[0] = a;
    top[1] = b;
    for (uint32_t i = 0; i < 2 * N; i++)
        top[i % 2] = cc_add(&x.g, f, &x.g.cls.at[top[i % 2]]);
    cc_rebuild(&x.g);
    cc_union_given(&x.g, JOURNAL_GIVEN, a, b, 1);
    cc_rebuild(&x.g);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    assert_int_equal(explain_nodes(&x, rules, top[0], top[1]), 1);
    assert_int_equal(x.w.line.len, N + 1); // the given one, and one a storey
    drop(&x);
}

// Neighbours of a row of symbols were stated equal, with number 2.
static bool in_row(void *ctx, const struct plain_check_terms *t, uint32_t a,
                   uint32_t b, uint32_t number)
{
    (void)ctx;
    const struct plain_check_term *x = &t->term.at[a], *y = &t->term.at[b];
    long i = strtol(x->name.at + 1, NULL, 10);
    long k = strtol(y->name.at + 1, NULL, 10);
    return number == 2 && x->n == 0 && y->n == 0 && (i == k + 1 || k == i + 1);
}

static const struct plain_check_facts row_facts = {.given = in_row};

enum { ROW = 41 };

static void add_row(struct world *x, uint32_t *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char name[8];
        snprintf(name, sizeof name, "k%u", (unsigned)i);
        row[i] = cc_add(&x->g, op(x, name, 0), NULL);
    }
}

static void join_row(struct world *x, const uint32_t *row, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        cc_union_given(&x->g, JOURNAL_GIVEN, row[i - 1], row[i], 2);
    cc_rebuild(&x->g);
}

// Steps enough to be made fewer, but too deep to look at them: there the stack
// would end.
static void deep_steps(void **state)
{
    (void)state;
    enum { N = 100000, STEPS = 3 };
    struct world x;
    setup(&x, rules);
    uint32_t row[STEPS + 1], f = op(&x, "f", 1);
    add_row(&x, row, STEPS + 1);
    uint32_t top[2] = {row[0], row[STEPS]};
    for (uint32_t i = 0; i < 2 * N; i++)
        top[i % 2] = cc_add(&x.g, f, &x.g.cls.at[top[i % 2]]);
    cc_rebuild(&x.g);
    join_row(&x, row, STEPS + 1);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    assert_int_equal(explain_with(&x, rules, &row_facts, top[0], top[1]),
                     STEPS);
    drop(&x);
}

// Of (f first) and (f last), which are equal by a row of n symbols, the graph
// uses the rule at one only, whichever it is.  What a rule makes of either is
// one step from it all the same.  (g symbol) is there for the first or last, or
// both.
static void one_use(uint32_t n, bool first, bool last)
{
    static const char text[] = "use: (f ?x) => (g ?x)\n";
    struct world x;
    setup(&x, text);
    uint32_t row[ROW], f[2], g[2];
    add_row(&x, row, n);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *cls = &x.g.cls.at[row[i * (n - 1)]];
        f[i] = cc_add(&x.g, op(&x, "f", 1), cls);
        g[i] = (i == 0 ? first : last) ? cc_add(&x.g, op(&x, "g", 1), cls)
                                       : CC_NONE;
    }
    join_row(&x, row, n);
    rounds(&x, 1);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    for (uint32_t i = 0; i < 2; i++)
        if (g[i] != CC_NONE)
            assert_int_equal(explain_with(&x, text, &row_facts, f[i], g[i]), 1);
    drop(&x);
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
    struct world x;
    setup(&x, rules);
    uint32_t f = op(&x, "f", 1), plus = op(&x, "+", 2);
    uint32_t a = cc_add(&x.g, op(&x, "a", 0), NULL), end = a;
    struct u32_vec tower = {0};
    for (uint32_t i = 0; i < N; i++)
        vec_push(&tower,
                 i == 0 ? a : cc_add(&x.g, f, &x.g.cls.at[tower.at[i - 1]]));
    for (uint32_t i = 1; i < N; i++)
        cc_union_given(&x.g, JOURNAL_GIVEN, tower.at[i - 1], tower.at[i], 2);
    end = tower.at[N - 1];
    uint32_t l = cc_add(&x.g, op(&x, "b", 0), NULL);
    uint32_t r = cc_add(&x.g, op(&x, "0", 0), NULL), b = l, z = r;
    for (uint32_t i = 0; i < 80; i++) {
        uint32_t u[2] = {x.g.cls.at[l], x.g.cls.at[l]};
        uint32_t v[2] = {x.g.cls.at[r], x.g.cls.at[r]};
        l = cc_add(&x.g, plus, u);
        r = cc_add(&x.g, plus, v);
    }
    cc_rebuild(&x.g);
    cc_union_given(&x.g, JOURNAL_GIVEN, b, z, 3);
    cc_rebuild(&x.g);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    struct why_part line;
    assert_true(why_explain(&x.w, why_term_of(&x.w, l), why_term_of(&x.w, r),
                            &line, &x.e));
    assert_true(why_steps(&x.w, line) == UINT64_MAX);
    assert_true(x.w.line.len < 200);
    assert_true(why_explain(&x.w, why_term_of(&x.w, a), why_term_of(&x.w, end),
                            &line, &x.e));
    assert_true(why_steps(&x.w, line) >= 1);
    vec_release(&tower);
    drop(&x);
}

// Values and conditions: the checker computes and judges for itself.

static bool number(const struct plain_check_terms *t, uint32_t x, double *v)
{
    struct plain_word w = t->term.at[x].name;
    char text[32], *end;
    if (t->term.at[x].n > 0 || w.len >= sizeof text)
        return false;
    memcpy(text, w.at, w.len);
    text[w.len] = 0;
    *v = strtod(text, &end);
    return *end == 0;
}

static bool folds(void *ctx, const struct plain_check_terms *t, uint32_t a,
                  uint32_t b)
{
    (void)ctx;
    const struct plain_check_term *x = &t->term.at[a];
    double u, v, w;
    if (x->n != 2 || x->name.len != 1 || !number(t, x->arg[0], &u) ||
        !number(t, x->arg[1], &v) || !number(t, b, &w))
        return false;
    switch (x->name.at[0]) {
    case '+':
        return w == u + v;
    case '-':
        return w == u - v;
    case '*':
        return w == u * v;
    default:
        return x->name.at[0] == '/' && v != 0 && w == u / v;
    }
}

// is_const and is_sym need a witness; is_not_zero is a fact about the class.
static bool holds(void *ctx, const struct plain_check_terms *t,
                  struct plain_word name, uint32_t n, const uint32_t *arg,
                  const uint32_t *proved, bool wanted)
{
    (void)ctx;
    uint32_t x = proved[0] == PLAIN_CHECK_NONE ? arg[0] : proved[0];
    double v = 0;
    bool value = number(t, x, &v);
    if (!wanted || n != 1)
        return false;
    if (name.len == 8)
        return value;
    if (name.len == 6)
        return !value && t->term.at[x].n == 0;
    return !value || v != 0;
}

static void values_and_conditions(void **state)
{
    (void)state;
    static const char text[] =
        "comm: (+ ?a ?b) => (+ ?b ?a)\n"
        "sub: (- ?a ?b) => (+ ?a (* -1 ?b))\n"
        "zero: (* ?a 0) => 0\n"
        "add: (+ ?a 0) => ?a\n"
        "div: (/ ?a ?a) => 1 if is_not_zero(?a)\n"
        "const: (c ?a) => (+ ?a 1) if is_const(?a)\n"
        "sym: (c ?a) => (s ?a) if is_sym(?a)\n"
        "distribute: (* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))\n";
    static const struct plain_check_facts facts = {.fold = folds,
                                                   .guard = holds};
    static const char *const name[] = {"1", "2", "0", "x", "y",
                                       "c", "+", "*", "-", "/"};
    uint32_t n = 0, witnesses = 0, folded = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct world x = {0};
        struct rng r;
        struct plain_fold f;
        struct u32_vec pool = {0};
        rng_seed(&r, seed);
        cc_init(&x.g, true);
        plain_init(&x.p);
        assert_true(plain_read(&x.p, &x.g, "rules", text, plain_fold_guards, &x.e));
        plain_fold_init(&f, PLAIN_FOLD_MATH, &x.g, &x.p);
        for (uint32_t i = 0; i < 30; i++) {
            uint32_t k = i < 5 ? i : 5 + (uint32_t)rng_below(&r, 5), arg[2];
            uint32_t arity = k < 5 ? 0 : k == 5 ? 1 : 2;
            for (uint32_t j = 0; j < arity; j++)
                arg[j] = x.g.cls.at[pool.at[rng_below(&r, pool.len)]];
            vec_push(&pool, cc_add(&x.g, op(&x, name[k], arity), arg));
        }
        struct run run;
        struct run_options o = {
            .max_rounds = 3, .max_nodes = 2000, .guard = plain_fold_guard, .ctx = &f};
        run_init(&run, &x.g, &x.p, o);
        run_rounds(&run);
        why_init(&x.w, &x.g, &x.p);
        x.w.witness = plain_fold_witness;
        x.w.value = plain_fold_by_values;
        x.w.ctx = &f;
        assert_true(why_read(&x.w, &x.e));
        for (uint32_t i = 0; i < pool.len && !f.conflict; i++)
            for (uint32_t k = 0; k < i; k++) {
                uint32_t a = pool.at[i], b = pool.at[k];
                if (a == b || cc_class(&x.g, a) != cc_class(&x.g, b))
                    continue;
                explain_with(&x, text, &facts, a, b);
                n++;
            }
        for (uint32_t i = 0; i < x.w.line.len; i++) {
            folded += x.w.line.at[i].kind == WHY_FOLD;
            witnesses +=
                x.w.line.at[i].kind == WHY_RULE && x.w.line.at[i].n > 0;
        }
        vec_release(&pool);
        run_release(&run);
        plain_fold_release(&f);
        drop(&x);
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

static void visit(struct shapes *s, struct shape x, uint32_t steps)
{
    for (uint32_t i = 0; i < s->len; i++)
        if (memcmp(&s->at[i], &x, sizeof x) == 0)
            return;
    assert_true(s->len < STATES);
    s->steps[s->len] = steps;
    s->at[s->len++] = x;
}

// All that one use of comm or assoc, either way, anywhere, makes of it.
static void neighbours(struct shapes *s, uint32_t from)
{
    struct shape x = s->at[from];
    uint32_t steps = s->steps[from] + 1;
    for (uint32_t i = 0; i < 2 * LEAVES - 1; i++) {
        if (x.code[i] != 0)
            continue;
        uint32_t a = i + 1, b = part_end(x.code, a), e = part_end(x.code, b);
        struct shape y = x;
        memcpy(y.code + i + 1, x.code + b, e - b);
        memcpy(y.code + i + 1 + e - b, x.code + a, b - a);
        visit(s, y, steps);
        if (x.code[b] == 0) { // + a + b c => + + a b c
            y = x;
            y.code[i + 1] = 0;
            memcpy(y.code + i + 2, x.code + a, b - a);
            visit(s, y, steps);
        }
        if (x.code[a] == 0) { // + + a b c => + a + b c
            uint32_t m = part_end(x.code, a + 1);
            y = x;
            memcpy(y.code + i + 1, x.code + a + 1, m - a - 1);
            y.code[i + 1 + m - a - 1] = 0;
            visit(s, y, steps);
        }
    }
}

static uint32_t add_shape(struct world *x, const struct shape *s, uint32_t *i)
{
    static const char *const name[] = {"+", "a", "b", "c", "d", "e"};
    uint8_t k = s->code[(*i)++];
    uint32_t arg[2];
    for (uint32_t j = 0; j < 2 && k == 0; j++) {
        uint32_t node = add_shape(x, s, i);
        arg[j] = x->g.cls.at[node];
    }
    return cc_add(&x->g, op(x, name[k], k == 0 ? 2 : 0), arg);
}

// The term of the shape itself, which no node may have.
static uint32_t shape_term(struct world *x, const struct shape *s, uint32_t *i)
{
    static const char *const name[] = {"+", "a", "b", "c", "d", "e"};
    uint8_t k = s->code[(*i)++];
    uint32_t arg[2];
    for (uint32_t j = 0; j < 2 && k == 0; j++)
        arg[j] = shape_term(x, s, i);
    return why_term(&x->w, op(x, name[k], k == 0 ? 2 : 0), arg);
}

static void near_the_least(void **state)
{
    (void)state;
    static const char text[] = "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                               "assoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\n";
    struct shapes *s = mem_alloc(sizeof *s);
    visit(s, (struct shape){{0, 1, 0, 2, 0, 3, 0, 4, 5}}, 0);
    for (uint32_t i = 0; i < s->len; i++)
        neighbours(s, i);
    assert_int_equal(s->len, 120 * 14); // orders of 5, brackets of 5
    struct world x;
    setup(&x, text);
    uint32_t at = 0, first = add_shape(&x, &s->at[0], &at);
    rounds(&x, 20);
    why_init(&x.w, &x.g, &x.p);
    assert_true(why_read(&x.w, &x.e));
    uint64_t least = 0, ours = 0;
    for (uint32_t i = 1; i < s->len; i += 7) {
        at = 0;
        struct why_part line;
        uint32_t a = why_term_of(&x.w, first);
        uint32_t b = shape_term(&x, &s->at[i], &at);
        assert_true(why_explain(&x.w, a, b, &line, &x.e));
        must_check(&x, text, &no_facts, a, b, line);
        uint64_t steps = why_steps(&x.w, line);
        assert_true(steps >= s->steps[i]);
        least += s->steps[i];
        ours += steps;
    }
    print_message("%.2f times the least number of rewritings\n",
                  (double)ours / (double)least);
    assert_true(2 * ours <= 3 * least);
    drop(&x);
    mem_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(refusals),
        cmocka_unit_test(strangers),
        cmocka_unit_test(order_and_brackets),
        cmocka_unit_test(deep),
        cmocka_unit_test(deep_steps),
        cmocka_unit_test(swapped),
        cmocka_unit_test(copied),
        cmocka_unit_test(many_steps),
        cmocka_unit_test(values_and_conditions),
        cmocka_unit_test(near_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
