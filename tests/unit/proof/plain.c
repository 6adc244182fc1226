// SPDX-License-Identifier: Apache-2.0
// The checker of plain explanations: a right text is accepted, each alteration
// of it is not.
#include "base/text/buf.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>

static const char rules[] = "# rules\n"
                            "ac: &\n"
                            "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                            "twice: (+ ?a ?a) => (* 2 ?a)\n"
                            "div: (/ ?a ?a) => 1 if nonzero(?a)\n"
                            "both: ?v = (p ?x) and ?v = (q ?y) => ?v = (r ?x ?y)\n"
                            "merge: (f ?x ?y) => ?x if same((g ?x), (g ?y))\n"
                            "pick: (s ?x) => 0 if nonzero(?x) else 1 if zero(?x)\n"
                            "name: (n ?x) => (m ?fresh ?x)\n";

static const char right[] = "term 0 a\n"
                            "term 1 b\n"
                            "term 2 + 0 1\n"
                            "term 3 + 1 0\n"
                            "term 4 + 2 3\n"
                            "term 5 + 3 3\n"
                            "term 6 2\n"
                            "term 7 * 6 3\n"
                            "rule 0 2 3 by comm\n"
                            "cong 1 4 5 0:0\n"
                            "rule 2 5 7 by twice\n"
                            "trans 3 4 7 1 2\n";
static const char from[] = "(+ (+ a b) (+ b a))", to[] = "(* 2 (+ b a))";

static bool is_digit(const struct plain_check_terms *terms, uint32_t x, char c)
{
    return terms->term.at[x].n == 0 && terms->term.at[x].name.len == 1 &&
           terms->term.at[x].name.at[0] == c;
}

static bool fold(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    (void)ctx;
    const struct plain_check_term *term = &terms->term.at[a];
    return term->n == 2 && term->name.len == 1 && term->name.at[0] == '+' &&
           is_digit(terms, term->arg[0], '1') && is_digit(terms, term->arg[1], '1') &&
           is_digit(terms, b, '2');
}

static bool guard(void *ctx, const struct plain_check_terms *terms,
                  const struct plain_check_condition *condition, bool holds)
{
    (void)ctx;
    uint32_t other = condition->proved[0];
    uint32_t x = other == PLAIN_CHECK_NONE ? condition->arg[0] : other;
    if (condition->name.len == 5) // fresh
        return condition->n == 2 && terms->term.at[condition->arg[1]].name.at[0] == '_';
    bool zero = is_digit(terms, x, '0'), two = is_digit(terms, x, '2');
    return (condition->name.len == 4) == holds ? zero : two; // zero, nonzero
}

static bool given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                  uint32_t number)
{
    (void)ctx;
    return number == 7 && is_digit(terms, a, 'c') && is_digit(terms, b, '2');
}

static const struct plain_check_facts facts = {.fold = fold, .guard = guard, .given = given};

static bool ok(const char *proof, const char *a, const char *b)
{
    struct err err = {0};
    bool good = plain_check(rules, proof, a, b, &facts, &err);
    assert_true(good || err.kind == ERR_CHECK || err.kind == ERR_INPUT);
    return good;
}

static void accepts(void **state)
{
    (void)state;
    assert_true(ok(right, from, to));
    assert_true(ok(right, to, from));
    assert_false(ok(right, from, "(* 2 (+ a b))"));
    assert_false(ok(right, "?x", to));
    assert_false(ok("", from, to));
}

// Each line changed, one at a time.
static void alterations(void **state)
{
    (void)state;
    static const char *const change[][2] = {
        {"rule 0 2 3 by comm", "rule 0 2 2 by comm"},
        {"rule 0 2 3 by comm", "rule 0 2 4 by comm"},
        {"rule 0 2 3 by comm", "rule 0 2 3 by twice"},
        {"rule 0 2 3 by comm", "rule 0 2 3 by com"},
        {"rule 0 2 3 by comm", "rule 0 2 3"},
        {"rule 0 2 3 by comm", "rule 0 2 3 if:0 by comm"},
        {"rule 0 2 3 by comm", "rule 1 2 3 by comm"},
        {"rule 0 2 3 by comm", "rule 0 2 9 by comm"},
        {"rule 0 2 3 by comm", "cong 0 2 3"},
        {"rule 0 2 3 by comm", "trans 0 2 3"},
        {"rule 0 2 3 by comm", "fold 0 2 3"},
        {"rule 0 2 3 by comm", "given 0 2 3 7"},
        {"rule 0 2 3 by comm", "because 0 2 3"},
        {"0:0", "0:-0"},
        {"0:0", "1:0"},
        {"0:0", "2:0"},
        {"0:0", "0:1"},
        {"0:0", ""},
        {"0:0", "0:0 0:0"},
        {"0:0", "0:0 x"},
        {"cong 1 4 5", "cong 1 4 7"},
        {"cong 1 4 5", "cong 1 4 2"},
        {"rule 2 5 7 by twice", "rule 2 4 7 by twice"},
        {"rule 2 5 7 by twice", "rule 2 7 5 by twice"},
        {"7 1 2\n", "7 2 1\n"},
        {"7 1 2\n", "7 1\n"},
        {"7 1 2\n", "7 1 -2\n"},
        {"7 1 2\n", "7 1 2 3\n"},
        {"trans 3 4 7", "trans 3 5 7"},
        {"trans 3 4 7", "trans 3 4 5"},
        {"term 7 * 6 3", "term 7 * 3 6"},
        {"term 7 * 6 3", "term 7 * 6 7"},
        {"term 7 * 6 3", "term 8 * 6 3"},
        {"term 6 2", "term 6 3"},
        {"term 3 + 1 0", "term 3 + 1 1"},
        {"term 1 b", "term 1 a"},
        {"trans 3 4 7 1 2\n", ""},
    };
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const char *at = strstr(right, change[i][0]);
        assert_non_null(at);
        struct buf buf = {0};
        buf_write(&buf, right, (size_t)(at - right));
        buf_puts(&buf, change[i][1]);
        buf_puts(&buf, at + strlen(change[i][0]));
        if (ok(buf.at, from, to))
            fail_msg("accepted with %s for %s", change[i][1], change[i][0]);
        buf_release(&buf);
    }
}

struct one {
    const char *proof, *a, *b;
    bool good;
};

static void kinds_of_lines(void **state)
{
    (void)state;
    static const struct one one[] = {
        // Conditions, and what they rest on.
        {"term 0 2\nterm 1 / 0 0\nterm 2 1\nrule 0 1 2 by div\n", "(/ 2 2)", "1", true},
        {"term 0 0\nterm 1 / 0 0\nterm 2 1\nrule 0 1 2 by div\n", "(/ 0 0)", "1", false},
        {"term 0 c\nterm 1 / 0 0\nterm 2 1\nrule 0 1 2 by div\n", "(/ c c)", "1", false},
        {"term 0 c\nterm 1 / 0 0\nterm 2 1\nterm 3 2\ngiven 0 0 3 7\n"
         "rule 1 1 2 if:0 by div\n",
         "(/ c c)", "1", true},
        {"term 0 c\nterm 1 / 0 0\nterm 2 1\nterm 3 2\ngiven 0 0 3 7\n"
         "rule 1 1 2 if:-0 by div\n",
         "(/ c c)", "1", false},
        {"term 0 c\nterm 1 2\ngiven 0 0 1 8\n", "c", "2", false},
        // Folding.
        {"term 0 1\nterm 1 + 0 0\nterm 2 2\nfold 0 1 2\n", "(+ 1 1)", "2", true},
        {"term 0 1\nterm 1 + 0 0\nterm 2 3\nfold 0 1 2\n", "(+ 1 1)", "3", false},
        // Several patterns: the equality of the two must be there.
        {"term 0 c\nterm 1 p 0\nterm 2 q 0\nterm 3 r 0 0\n"
         "rule 0 1 3 by both\n",
         "(p c)", "(r c c)", false},
        {"term 0 c\nterm 1 2\nterm 2 r 0 1\nrule 0 1 2 by both\n", "2", "(r c 2)", false},
        // `same`.
        {"term 0 a\nterm 1 f 0 0\nterm 2 g 0\nrule 0 1 0 by merge\n", "(f a a)", "a", true},
        {"term 0 c\nterm 1 2\nterm 2 f 0 1\nterm 3 g 0\nterm 4 g 1\n"
         "given 0 0 1 7\ncong 1 3 4 0:0\nrule 2 2 0 and:1 by merge\n",
         "(f c 2)", "c", true},
        {"term 0 c\nterm 1 2\nterm 2 f 0 1\nterm 3 g 0\nterm 4 g 1\n"
         "given 0 0 1 7\nrule 1 2 0 and:0 by merge\n",
         "(f c 2)", "c", false},
        // What comes after `else` needs that the condition fails.
        {"term 0 2\nterm 1 s 0\nterm 2 0\nrule 0 1 2 by pick\n", "(s 2)", "0", true},
        {"term 0 2\nterm 1 s 0\nterm 2 1\nrule 0 1 2 by pick\n", "(s 2)", "1", false},
        {"term 0 0\nterm 1 s 0\nterm 2 1\nrule 0 1 2 by pick\n", "(s 0)", "1", true},
        {"term 0 0\nterm 1 s 0\nrule 0 1 0 by pick\n", "(s 0)", "0", false},
        // Order and brackets, of operators that the rules name.
        {"term 0 a\nterm 1 b\nterm 2 c\nterm 3 & 0 1\nterm 4 & 3 2\n"
         "term 5 & 2 0\nterm 6 & 1 5\nac 0 4 6\n",
         "(& (& a b) c)", "(& b (& c a))", true},
        {"term 0 a\nterm 1 b\nterm 2 & 0 1\nterm 3 & 2 1\nterm 4 & 2 0\n"
         "ac 0 3 4\n",
         "(& (& a b) b)", "(& (& a b) a)", false},
        {"term 0 a\nterm 1 & 0 0\nterm 2 & 1 0\nac 0 1 2\n", "(& a a)", "(& (& a a) a)", false},
        {"term 0 a\nterm 1 b\nterm 2 * 0 1\nterm 3 * 1 0\nac 0 2 3\n", "(* a b)", "(* b a)", false},
        // Fresh names are the caller's.
        {"term 0 a\nterm 1 n 0\nterm 2 _1\nterm 3 m 2 0\nrule 0 1 3 by name\n", "(n a)", "(m _1 a)",
         true},
        {"term 0 a\nterm 1 n 0\nterm 2 m 0 0\nrule 0 1 2 by name\n", "(n a)", "(m a a)", false},
    };
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (ok(one[i].proof, one[i].a, one[i].b) != one[i].good)
            fail_msg("case %zu: %s", i, one[i].proof);
}

static void several_patterns(void **state)
{
    (void)state;
    static const char with[] = "both: ?v = (p ?x) and ?v = (q ?y) => ?v = (r ?x ?y)\n"
                               "pq: (p ?x) => (q ?x)\n"
                               "odd: ?v = (p ?x) => ?w = (q ?x)\n";
    static const struct one one[] = {
        {"and:0", "(p c)", "(r c c)", true},
        {"and:-0", "(p c)", "(r c c)", false}, // q = p is not about p
        {"", "(p c)", "(r c c)", false},
    };
    struct err err = {0};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        struct buf buf = {0};
        buf_printf(&buf,
                   "term 0 c\nterm 1 p 0\nterm 2 q 0\nterm 3 r 0 0\n"
                   "rule 0 1 2 by pq\nrule 1 1 3 %s by both\n",
                   one[i].proof);
        assert_int_equal(plain_check(with, buf.at, one[i].a, one[i].b, NULL, &err), one[i].good);
        buf_release(&buf);
    }
    // Patterns that are joined by no equality: the terms are named.
    static const char apart[] = "two: ?v = (p ?x) and ?w = (q ?y) => "
                                "?v = (r ?x ?y)\n"
                                "inner: ?w = (q ?y) and ?v = (p ?w) => "
                                "?v = ?y\n"
                                "cycle: ?w = (q ?w) and ?v = c => ?v = d\n"
                                "other: (f ?x) => c if same((p ?x), (q ?x)) "
                                "else d\n";
    static const struct one u[] = {
        {"rule 0 2 6 and:=5 by two\n", "(p c)", "(r c d)", true},
        {"rule 0 2 6 and:=4 and:=5 by two\n", "(p c)", "(r c d)", true},
        {"rule 0 2 6 and:=5 and:=4 by two\n", "(p c)", "(r c d)", true},
        {"rule 0 2 6 and:=4 by two\n", "(p c)", "(r c d)", false},
        {"rule 0 2 6 by two\n", "(p c)", "(r c d)", false},
        {"rule 0 2 6 and:=9 by two\n", "(p c)", "(r c d)", false},
        {"rule 0 2 6 and:= by two\n", "(p c)", "(r c d)", false},
        {"rule 0 2 6 if:=5 by two\n", "(p c)", "(r c d)", false},
        {"rule 0 7 1 by inner\n", "(p (q d))", "d", true},
        {"rule 0 2 1 by inner\n", "(p c)", "d", false},
        {"rule 0 0 1 and:=4 by cycle\n", "c", "d", false},
        {"rule 0 0 1 by cycle\n", "c", "d", false},
        // Nobody can be sure that two terms are not equal.
        {"rule 0 8 1 by other\n", "(f c)", "d", false},
    };
    for (size_t i = 0; i < sizeof u / sizeof *u; i++) {
        struct buf b = {0};
        buf_printf(&b,
                   "term 0 c\nterm 1 d\nterm 2 p 0\nterm 3 p 1\nterm 4 q 0\n"
                   "term 5 q 1\nterm 6 r 0 1\nterm 7 p 5\nterm 8 f 0\n%s",
                   u[i].proof);
        if (plain_check(apart, b.at, u[i].a, u[i].b, NULL, &err) != u[i].good)
            fail_msg("%s", u[i].proof);
        buf_release(&b);
    }
    // A name for what the right side builds is no class of the left one.
    static const char named[] = "term 0 c\nterm 1 d\nterm 2 q 0\nterm 3 p 0\nrule 0 1 2 by odd\n";
    assert_false(plain_check(with, named, "d", "(q c)", NULL, &err));
}

// Names and blanks as the rules' own reader has them.
static void forms_of_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *name;
        bool good;
    } t[] = {
        {"a: (f ?x) => ?x\n", "a", true},
        {"\ta:\t(f ?x)\t=>\t?x\r\n", "a", true},
        {"ac:x: (f ?x) => ?x\n", "ac:x", true},
        {"analysis:x: (f ?x) => ?x\n", "analysis:x", true},
        {"ac: x\nanalysis: y\na: (f ?x) => ?x", "a", true},
        {"ac:x: (g ?x) => ?x\n", "ac:x", false},
        // Another rule's condition.
        {"b: (g ?x) => ?x if same(?x, (f ?x))\na: (f ?x) => ?x", "a", true},
        {"b: (g ?x) => ?x if same(k,(f ?x))\na: (f ?x) => ?x", "a", true},
        {"b: (g ?x ?y) => ?x if p(?x,?y)\na: (f ?x) => ?x", "a", true},
        {"b: (g ?x) => ?x if same(?x (f ?x))\na: (f ?x) => ?x", "a", false},
        {"a\n: (f ?x) => ?x\n", "a", false},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        struct err err = {0};
        struct buf buf = {0};
        buf_printf(&buf, "term 0 c\nterm 1 f 0\nrule 0 1 0 by %s\n", t[i].name);
        bool good = plain_check(t[i].rules, buf_text(&buf), "(f c)", "c", NULL, &err);
        if (good != t[i].good)
            fail_msg("case %zu: %s", i, err.msg);
        buf_release(&buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts),        cmocka_unit_test(alterations),
        cmocka_unit_test(kinds_of_lines), cmocka_unit_test(several_patterns),
        cmocka_unit_test(forms_of_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
