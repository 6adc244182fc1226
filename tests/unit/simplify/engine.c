// SPDX-License-Identifier: Apache-2.0
// Lifting without files: which rules run, what the analysis knows of axes and
// numbers, proofs in a row.  Every proof is given to the checker, with folding
// and freedom decided here by other means.
#include "formula/terms/number.h"
#include "simplify/chain.h"
#include "simplify/choose.h"
#include "simplify/engine/engine.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double cost(const void *ctx, const struct fterms *terms, fterm x)
{
    (void)ctx;
    return fterm_n(terms, x) == 0 && fterm_name(terms, x)[0] == '{' ? 0 : 1;
}

static fterm term(struct fterms *terms, const char *text)
{
    struct err err = {0};
    fterm x;
    if (!fterm_read(terms, text, &x, &err))
        fail_msg("%s: %s", text, err.msg);
    return x;
}

struct facts {
    uint32_t n_givens;
    const char *given;
};

static bool is_name(struct plain_word name, const char *text)
{
    return strlen(text) == name.len && memcmp(name.at, text, name.len) == 0;
}

// Letters of the axes that are free in the term as it stands: bits.
static unsigned axes(const struct plain_check_terms *terms, uint32_t x)
{
    const struct plain_check_term *p = &terms->term.at[x];
    unsigned all = 0;
    if (p->n == 0) {
        const char *open = memchr(p->name.at, '{', p->name.len);
        for (const char *text = open; text && text < p->name.at + p->name.len; text++)
            if (*text >= 'a' && *text <= 'z')
                all |= 1u << (*text - 'a');
        return all;
    }
    if (is_name(p->name, "count"))
        return 0;
    for (uint32_t k = 0; k < p->n; k++)
        all |= axes(terms, p->arg[k]);
    if (p->name.len > 7 && memcmp(p->name.at, "reduce_", 7) == 0)
        all = axes(terms, p->arg[1]) & ~axes(terms, p->arg[0]);
    return all;
}

static bool fact_guard(void *ctx, const struct plain_check_terms *terms,
                       const struct plain_check_condition *condition, bool holds)
{
    uint32_t other = condition->proved[1];
    uint32_t x = other != PLAIN_CHECK_NONE ? other : condition->arg[1];
    (void)ctx;
    return holds && condition->n == 2 && is_name(condition->name, "free_of") &&
           (axes(terms, condition->arg[0]) & axes(terms, x)) == 0;
}

static bool fact_fold(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    const struct plain_check_term *p = &terms->term.at[a], *q = &terms->term.at[b];
    const char *names[3];
    uint32_t lens[3];
    struct buf out = {0};
    (void)ctx;
    for (uint32_t k = 0; k < p->n && k < 3; k++) {
        names[k] = terms->term.at[p->arg[k]].name.at;
        lens[k] = terms->term.at[p->arg[k]].name.len;
    }
    bool ok = p->n <= 3 && q->n == 0 &&
              number_fold(p->name.at, p->name.len, p->n, names, lens, &out) &&
              out.len == q->name.len && memcmp(buf_text(&out), q->name.at, out.len) == 0;
    buf_release(&out);
    return ok;
}

static bool fact_given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                       uint32_t number)
{
    const struct facts *facts = ctx;
    return number < facts->n_givens &&
           (is_name(terms->term.at[a].name, "true") || is_name(terms->term.at[b].name, "true"));
}

static void checked(const char *rules, const char *proof, const char *from, const char *to,
                    uint32_t n_givens)
{
    struct facts ctx = {n_givens, NULL};
    struct plain_check_facts facts = {
        .fold = fact_fold, .guard = fact_guard, .given = fact_given, .ctx = &ctx};
    struct err err = {0};
    if (!plain_check(rules, proof, from, to, &facts, &err))
        fail_msg("%s = %s, line %u: %s\n%s", from, to, err.line, err.msg, proof);
}

// Runs the rules; the result must be `to`, with a proof that is right.
static void run_once(const char *rules, const char *from, const char *to, uint32_t n,
                     const char *const *givens, struct engine_kept *kept, struct buf *proof)
{
    struct fterms terms;
    struct err err = {0};
    fterm given[4];
    fterms_init(&terms);
    for (uint32_t i = 0; i < n; i++)
        given[i] = term(&terms, givens[i]);
    struct engine_rules r = {rules, n, given, kept};
    struct engine_options options = {.max_nodes = 1000, .max_rounds = 20, .cost = cost};
    struct engine_result out;
    struct buf text = {0};
    if (!engine_run(&terms, term(&terms, from), &r, &options, &out, &err))
        fail_msg("%s: %s", from, err.msg);
    fterm_print(&terms, out.term, &text);
    assert_string_equal(buf_text(&text), to);
    if (out.proof.len > 0)
        checked(rules, buf_text(&out.proof), from, to, n);
    else
        assert_string_equal(from, to);
    buf_puts(proof, buf_text(&out.proof));
    buf_release(&text);
    engine_release(&out);
    fterms_release(&terms);
}

// The same, also with rules that an earlier run has read, on this term and on another one with
// operators of its own: proofs are the same, letter by letter.
static void simplifies(const char *rules, const char *from, const char *to, uint32_t n,
                       const char *const *givens)
{
    struct engine_kept kept = {0};
    struct buf want = {0};
    run_once(rules, from, to, n, givens, NULL, &want);
    for (int i = 0; i < 3; i++) {
        struct buf proof = {0};
        if (i == 2)
            run_once(rules, "(own (other 77 b) a)", "(own (other 77 b) a)", 0, NULL, &kept, &proof);
        buf_clear(&proof);
        run_once(rules, from, to, n, givens, &kept, &proof);
        assert_true(kept.full);
        assert_string_equal(buf_text(&proof), buf_text(&want));
        buf_release(&proof);
    }
    engine_kept_release(&kept);
    buf_release(&want);
}

static const char sums[] =
    "out: (reduce_add ?y (multiply ?c ?a)) => (multiply ?c (reduce_add ?y ?a)) "
    "if free_of(?y, ?c)\n"
    "one: (multiply ?a 1) => ?a\n"
    "cancel: (divide (multiply ?a ?b) ?b) => ?a if same((ne ?b 0), true)\n"
    "self: (subtract (add ?a ?b) ?b) => ?a\n"
    "exp: (ne (exponential ?a) 0) => true\n"
    "flat: (reduce_add ?y (zero ?a)) => (zero (reduce_add ?y ?a))\n";

static void free_axes(void **state)
{
    (void)state;
    simplifies(sums,
               "(divide (reduce_add {j} (multiply (exponential b{i}) "
               "x{i,j})) (exponential b{i}))",
               "(divide (reduce_add {j} (multiply (exponential b{i}) x{i,j})) "
               "(exponential b{i}))",
               0, NULL); // the factor stands first there: nothing cancels
    simplifies("swap: (multiply ?a ?b) => (multiply ?b ?a)\n"
               "out: (reduce_add ?y (multiply ?c ?a)) => (multiply (reduce_add "
               "?y ?a) ?c) if free_of(?y, ?c)\n"
               "cancel: (divide (multiply ?a ?b) ?b) => ?a if same((ne ?b 0), "
               "true)\n"
               "exp: (ne (exponential ?a) 0) => true\n",
               "(divide (reduce_add {j} (multiply x{i,j} (exponential b{i}))) "
               "(exponential b{i}))",
               "(reduce_add {j} x{i,j})", 0, NULL);
    // c depends on j: it does not leave the sum
    simplifies(sums, "(reduce_add {j} (multiply c{j} 1))", "(reduce_add {j} c{j})", 0, NULL);
    simplifies("out: (reduce_add ?y (multiply ?c ?a)) => (multiply ?c "
               "(reduce_add ?y ?a)) if free_of(?y, ?c)\n"
               "short: (multiply ?c (reduce_add ?y ?a)) => (done ?c ?a)\n",
               "(reduce_add {j} (multiply c{j} x{j}))", "(reduce_add {j} (multiply c{j} x{j}))", 0,
               NULL);
}

// Free by another term of its class: the proof says which.
static void freedom_is_proved(void **state)
{
    (void)state;
    simplifies("self: (subtract (add ?a ?b) ?b) => ?a\n"
               "out: (reduce_add ?y (multiply ?c ?a)) => (multiply ?c "
               "(reduce_add ?y ?a)) if free_of(?y, ?c)\n"
               "short: (multiply ?c (reduce_add ?y ?a)) => (done ?c ?a)\n",
               "(reduce_add {j} (multiply (subtract (add c x{j}) x{j}) x{j}))", "(done c x{j})", 0,
               NULL);
}

static void givens_and_numbers(void **state)
{
    static const char *const positive[] = {"(ne x 0)"};
    (void)state;
    simplifies("self: (divide ?a ?a) => 1 if same((ne ?a 0), true)\n", "(divide x x)", "1", 1,
               positive);
    simplifies("self: (divide ?a ?a) => 1 if same((ne ?a 0), true)\n", "(divide x x)",
               "(divide x x)", 0, NULL);
    simplifies("zero: (add ?a 0) => ?a\n", "(add (sqrt (add 4 5)) (subtract 1/3 (divide 1 3)))",
               "3", 0, NULL);
}

static void contradictions(void **state)
{
    struct fterms terms;
    struct err err = {0};
    struct engine_rules rules = {"bad: (f ?a) => (add ?a 1)\n"
                                 "other: (g ?a) => ?a\nid: (f ?a) => ?a\n",
                                 0, NULL, NULL};
    struct buf names = {0};
    struct engine_options options = {.max_nodes = 1000, .max_rounds = 20, .cost = cost};
    struct engine_result out;
    (void)state;
    fterms_init(&terms);
    fterm x = term(&terms, "(f 2)");
    assert_true(engine_run(&terms, x, &rules, &options, &out, &err));
    assert_true(out.stop == RUN_CONFLICT);
    engine_release(&out);
    // Which values, and by which rules.
    assert_true(engine_contradiction(&terms, x, &rules, &options, &names, &err));
    assert_non_null(strstr(err.msg, "2"));
    assert_non_null(strstr(err.msg, "3"));
    assert_string_equal(buf_text(&names), "bad, id");
    buf_release(&names);
    fterms_release(&terms);
}

static void facts_follow(void **state)
{
    static const char rules[] =
        "sum: (lt 0 (add ?a ?b)) => true if same((lt 0 ?a), true) and same((lt "
        "0 ?b), true)\n"
        "exp: (lt 0 (exponential ?a)) => true\n"
        "ne: (ne ?a 0) => true if same((lt 0 ?a), true)\n";
    struct fterms terms;
    struct err err = {0};
    (void)state;
    fterms_init(&terms);
    fterm given = term(&terms, "(lt 0 eps)");
    fterm conds[2] = {term(&terms, "(ne (add eps (exponential x)) 0)"),
                      term(&terms, "(ne (add eps x) 0)")};
    struct engine_rules r = {rules, 1, &given, NULL};
    struct engine_options options = {.max_nodes = 1000, .max_rounds = 20};
    struct engine_fact facts[2] = {{.condition = conds[0]}, {.condition = conds[1]}};
    assert_true(engine_facts(&terms, 2, facts, &r, &options, &err));
    assert_true(facts[0].proof.len > 0 && facts[1].proof.len == 0);
    checked(rules, buf_text(&facts[0].proof), "(ne (add eps (exponential x)) 0)", "true", 1);
    buf_release(&facts[0].proof);
    fterms_release(&terms);
}

// Two proofs become one, a fact takes the place of what is given, and givens
// that are left are numbered anew.
static void chains(void **state)
{
    static const char rules[] = "self: (divide ?a ?a) => 1 if same((ne ?a 0), true)\n"
                                "one: (multiply ?b 1) => ?b\n"
                                "exp: (ne (exponential ?a) 0) => true\n";
    static const char fact[] = "term 0 true\nterm 1 x\nterm 2 exponential 1\n"
                               "term 3 0\nterm 4 ne 2 3\nrule 0 4 0 by exp\n";
    static const char first[] = "term 0 x\nterm 1 exponential 0\nterm 2 divide 1 1\nterm 3 1\n"
                                "term 4 y\nterm 5 divide 4 4\nterm 6 multiply 5 2\nterm 7 0\n"
                                "term 8 ne 1 7\nterm 9 true\nterm 10 multiply 5 3\n"
                                "given 0 9 8 5\nrule 1 2 3 and:-0 by self\ncong 2 10 6 1:-1\n";
    static const char second[] = "term 0 y\nterm 1 divide 0 0\nterm 2 1\nterm 3 multiply 1 2\n"
                                 "term 4 0\nterm 5 ne 0 4\nterm 6 true\nrule 0 3 1 by one\n"
                                 "given 1 5 6 7\nrule 2 1 2 and:1 by self\ntrans 3 3 2 0 2\n";
    const char *from = "(multiply (divide y y) (divide (exponential x) "
                       "(exponential x)))";
    struct proof_chain chain;
    struct buf out = {0};
    struct err err = {0};
    (void)state;
    chain_init(&chain);
    assert_true(chain_fact(&chain, 5, fact, false, &err));
    assert_true(chain_add(&chain, first, true, &err));
    assert_true(chain_add(&chain, second, false, &err));
    chain_print(&chain, &out);
    checked(rules, buf_text(&out), from, "1", 1);
    assert_true(chain.given.len == 1 && chain.given.at[0] == 7);
    assert_null(strstr(buf_text(&out), "given 0"));
    chain_release(&chain);
    buf_clear(&out);
    // Without the fact both are given, as 0 and 1.
    chain_init(&chain);
    assert_true(chain_add(&chain, first, true, &err));
    assert_true(chain_add(&chain, second, false, &err));
    chain_print(&chain, &out);
    checked(rules, buf_text(&out), from, "1", 2);
    assert_int_equal(chain.given.len, 2);
    chain_release(&chain);
    buf_release(&out);
    chain_init(&chain);
    assert_false(chain_add(&chain, "term 0 x\nrule 0 0 1 by no\n", false, &err));
    chain_release(&chain);
}

// What runs: by cost, not by name.
static void choices(void **state)
{
    static const char *const lines[] = {
        "zero: (add ?A 0) => ?A\n",
        "zero-back: ?A => (add ?A 0)\n",
        "share: (add (multiply ?A ?B) (multiply ?A ?C)) => (multiply ?A (add "
        "?B "
        "?C))\n",
        "share-back: (multiply ?A (add ?B ?C)) => (add (multiply ?A ?B) "
        "(multiply ?A ?C))\n",
        "split: (exponential (add ?A ?B)) => (multiply (exponential ?A) "
        "(exponential ?B))\n",
        "split-back: (multiply (exponential ?A) (exponential ?B)) => "
        "(exponential (add ?A ?B))\n",
        "anywhere: (multiply ?A ?B) => (multiply ?B (multiply ?A 1))\n",
        "idle: (multiply ?A (count ?y)) => (reduce_add ?y ?A) if free_of(?y, "
        "?A)\n",
        "again: (add ?Q 0) => ?Q\n",
        "fact: (lt 0 (exponential ?A)) => true\n",
        "longer-fact: (lt 0 (exponential ?A)) => (not (le (exponential ?A) "
        "0))\n"};
    struct choose chooser;
    struct fterms terms;
    struct buf all = {0}, simpler = {0}, facts = {0}, none = {0};
    (void)state;
    choose_init(&chooser, false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        choose_add(&chooser, lines[i], false, false);
    choose_add(&chooser, "f: (multiply ?A ?A) => (sq ?A)\n", true, false);
    choose_add(&chooser, "f-back: (sq ?A) => (multiply ?A ?A)\n", true, true);
    fterms_init(&terms);
    fterm x = term(&terms, "(lt 0 (multiply (exponential (add (multiply a b) c)) "
                           "(count {j})))");
    choose_text(&chooser, CHOOSE_ALL, &terms, 1, &x, &all);
    choose_text(&chooser, CHOOSE_ALL_SIMPLER, &terms, 1, &x, &simpler);
    choose_text(&chooser, CHOOSE_FACTS, &terms, 1, &x, &facts);
    assert_string_equal(buf_text(&facts), "fact: (lt 0 (exponential ?A)) => true\n");
    static const struct {
        const char *name;
        bool simpler, all;
    } want[] = {
        {"zero:", true, true},        {"zero-back:", false, false},   {"share:", true, true},
        {"share-back:", false, true}, {"split:", false, true},        {"split-back:", true, true},
        {"anywhere:", false, false},  {"idle:", false, false},        {"again:", false, false},
        {"fact:", true, true},        {"longer-fact:", false, false}, {"f:", true, true},
        {"f-back:", false, true}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct buf name = {0};
        buf_printf(&name, "\n%s", want[i].name);
        struct buf both = {0}, one = {0};
        buf_printf(&both, "\n%s", buf_text(&all));
        buf_printf(&one, "\n%s", buf_text(&simpler));
        bool in_all = strstr(buf_text(&both), buf_text(&name)) != NULL;
        bool in_simpler = strstr(buf_text(&one), buf_text(&name)) != NULL;
        if (in_all != want[i].all || in_simpler != want[i].simpler)
            fail_msg("%s", want[i].name);
        buf_release(&name);
        buf_release(&both);
        buf_release(&one);
    }
    // Nothing is of use for an operator of which no line says anything.
    x = term(&terms, "(negate a)");
    choose_text(&chooser, CHOOSE_ALL, &terms, 1, &x, &none);
    assert_string_equal(buf_text(&none), "");
    choose_release(&chooser);
    fterms_release(&terms);
    buf_release(&all);
    buf_release(&simpler);
    buf_release(&facts);
    buf_release(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_axes),
        cmocka_unit_test(freedom_is_proved),
        cmocka_unit_test(givens_and_numbers),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(facts_follow),
        cmocka_unit_test(chains),
        cmocka_unit_test(choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
