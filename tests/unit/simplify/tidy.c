// SPDX-License-Identifier: Apache-2.0
// Factors and summands in the order of people; every proof is one.
#include "simplify/limits.h"
#include "simplify/tidy.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char commute[] = "order: (multiply ?x ?y) => (multiply ?y ?x)\n"
                              "no: (multiply ?x ?x) => (multiply ?x ?x)\n"
                              "sum_order: (add ?A ?B) => (add ?B ?A)\n"
                              "no: (add ?A (add ?B ?C)) => (add (add ?A ?C) ?B)\n"
                              "top: (maximum ?A ?B) => (maximum ?B ?A)\n"
                              "not: (minimum ?A ?B) => (minimum ?B ?A) if free_of(?A, ?B)\n"
                              "other: (subtract ?A ?B) => (add ?B ?A)\n";

// The same, and brackets.
static const char chains[] = "order: (multiply ?x ?y) => (multiply ?y ?x)\n"
                             "sum_order: (add ?A ?B) => (add ?B ?A)\n"
                             "right: (add (add ?A ?B) ?C) => (add ?A (add ?B ?C))\n"
                             "left: (add ?A (add ?B ?C)) => (add (add ?A ?B) ?C)\n"
                             "r: (multiply (multiply ?A ?B) ?C) => (multiply ?A (multiply ?B ?C))\n"
                             "l: (multiply ?u (multiply ?v ?w)) => (multiply (multiply ?u ?v) ?w)\n"
                             "top: (maximum ?A ?B) => (maximum ?B ?A)\n";

static void read(struct formula *formula, struct fterms *terms, const char *text)
{
    struct err err = {0};
    if (!formula_read(formula, terms, NULL, "test", text, &err))
        fail_msg("%s\n%s", err.msg, text);
}

// `names` gives the formula its names and what was written in it.
static void is(const char *names, const char *in, const char *rules, const char *want)
{
    struct fterms terms;
    struct formula formula, g;
    struct err err = {0};
    struct buf proof = {0}, have = {0}, left = {0}, right = {0}, all = {0};
    fterms_init(&terms);
    read(&formula, &terms, names);
    formula_print_head(&formula, &all);
    buf_puts(&all, in);
    read(&g, &terms, buf_text(&all));
    fterm term = tidy(&formula, NULL, rules, true, g.term, &proof);
    formula_print(&formula, NULL, term, NOTATION_TEXT, false, &have);
    assert_string_equal(buf_text(&have), want);
    fterm_print(&terms, g.term, &left);
    fterm_print(&terms, term, &right);
    assert_int_equal(proof.len == 0, term == g.term);
    if (proof.len > 0 &&
        !plain_check(rules, buf_text(&proof), buf_text(&left), buf_text(&right), NULL, &err))
        fail_msg("%s\n%s", err.msg, buf_text(&proof));
    formula_release(&formula);
    formula_release(&g);
    fterms_release(&terms);
    buf_release(&proof);
    buf_release(&have);
    buf_release(&left);
    buf_release(&right);
    buf_release(&all);
}

static void order(void **state)
{
    (void)state;
    static const char names[] = "x + y + z";
    is(names, "x*2 + exp(x*3)*x", commute, "2*x + x*exp(3*x)");
    is(names, "(z + x)*y*sqrt(2)", commute, "(x + z)*y*sqrt(2)");
    is(names, "z*sqrt(pi)", commute, "sqrt(pi)*z");
    is(names, "z*(y*x)", commute, "x*y*z");
    is(names, "z*(y/x)", commute, "y/x*z");
    is(names, "z + (y + x)", commute, "x + y + z");
    is(names, "x + (y + z)", commute, "x + (y + z)");
    is(names, "max(0, x)*max(y, 1)", commute, "max(x, 0)*max(y, 1)");
    is(names, "1 + x - (y + 2)", commute, "1 + x - (y + 2)");
    // The same term in several places; and nothing to do.
    is(names, "exp(y*x)/(1 + exp(y*x))", commute, "exp(x*y)/(1 + exp(x*y))");
    is(names, "x*y", commute, "x*y");
    is(names, "x", commute, "x");
}

static void brackets(void **state)
{
    (void)state;
    static const char names[] = "x + y + z*exp(w)";
    is(names, "y + z + x", chains, "x + y + z");
    is(names, "w + (z + (y + x))", chains, "x + y + z + w");
    is(names, "(w + z) + (y + x)", chains, "x + y + z + w");
    is(names, "w*(z*(2*(y*x)))", chains, "2*x*y*z*w");
    is(names, "(z + y + x)/3 - (y + x*3)*2", chains, "(x + y + z)/3 - 2*(3*x + y)");
    is(names, "w*(z*pi)*(x*sqrt(2)*2)", chains, "2*pi*sqrt(2)*x*z*w");
    // Numbers in sums stay first, or go last; what occurs there goes by that.
    is(names, "1 + y + x", chains, "1 + x + y");
    is(names, "y + (1 + x)", chains, "x + y + 1");
    is(names, "exp(w) + w + exp(y)", chains, "exp(y) + exp(w) + w");
    // Of the same names what is simple.
    is(names, "exp(x)*x*exp(exp(x))", chains, "x*exp(x)*exp(exp(x))");
    // The same operand twice.
    is(names, "y + x + y + x", chains, "x + x + y + y");
    // No rule for brackets, or just one.
    is(names, "y + (z + x)", commute, "x + z + y");
    is(names, "y + z + x",
       "c: (add ?A ?B) => (add ?B ?A)\n"
       "r: (add ?A (add ?B ?C)) => (add (add ?A ?B) ?C)\n",
       "y + z + x");
    // What goes beyond the limit stays where it is.
    enum { MORE = SIMPLIFY_CHAIN + 16 };
    struct buf all = {0}, in = {0}, want = {0};
    for (int i = 0; i < MORE; i++) {
        buf_printf(&all, "%sx%d", i ? " + " : "", i);
        buf_printf(&in, "%sx%d", i ? "*" : "", MORE - 1 - i);
    }
    for (int i = 0; i < MORE; i++)
        buf_printf(&want, "%sx%d", i ? "*" : "", i < SIMPLIFY_CHAIN ? 16 + i : MORE - 1 - i);
    is(buf_text(&all), buf_text(&in), chains, buf_text(&want));
    buf_clear(&in);
    buf_clear(&want);
    for (int i = 0; i < SIMPLIFY_CHAIN; i++) {
        buf_printf(&in, "%sx%d", i ? "*" : "", SIMPLIFY_CHAIN - 1 - i);
        buf_printf(&want, "%sx%d", i ? "*" : "", i);
    }
    is(buf_text(&all), buf_text(&in), chains, buf_text(&want));
    buf_release(&all);
    buf_release(&in);
    buf_release(&want);
}

static void what_is_written_stays(void **state)
{
    (void)state;
    is("y*x + z*2", "exp(y*x) + z*2 + z*y*x", commute, "exp(y*x) + z*2 + y*z*x");
}

static void powers_of_e(void **state)
{
    static const char rule[] =
        "d: (divide ?t0 (exponential ?t1)) => (multiply ?t0 (exponential (negate ?t1)))\n";
    (void)state;
    is("exp(-x)*y + z", "y/exp(x) + y/exp(z)", rule, "y*exp(-x) + y/exp(z)");
    is("exp(x)*y", "y/exp(x)", rule, "y/exp(x)");
    is("exp(-x)*y", "y/exp(x)", commute, "y/exp(x)");
}

static void matrices(void **state)
{
    (void)state;
    is("tensor A[i, k], B[k, j]; matmul(A, B)", "sum[k](B[k, j]*A[i, k])", commute, "matmul(A, B)");
    is("tensor Q[i, k], K[j, k], V[j, l]; matmul(matmul(Q, tr(K)), V)",
       "sum[j](V[j, l]*exp(sum[k](K[j, k]*Q[i, k])))", commute, "matmul(exp(matmul(Q, tr(K))), V)");
}

// Only what a rule says, and all that it says.
static void rules(void **state)
{
    (void)state;
    static const char names[] = "x + y";
    is(names, "y*x + min(y, x) + (y - x)", commute, "x*y + min(y, x) + (y - x)");
    is(names, "y*x + max(y, x)", "", "y*x + max(y, x)");
    is(names, "y*x + max(y, x)", "m: (maximum ?p ?q) => (maximum ?q ?p)\n", "y*x + max(x, y)");
    is(names, "y*x", "m: (multiply ?p ?q) => (multiply ?p ?q)\n", "y*x");
    is(names, "y*x", "m: (multiply ?p p) => (multiply p ?p)\n", "y*x");
    is(names, "y*x", "m: (multiply ?p ?q) => (multiply ?q ?p) else 1\n", "y*x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(brackets),
        cmocka_unit_test(what_is_written_stays),
        cmocka_unit_test(powers_of_e),
        cmocka_unit_test(matrices),
        cmocka_unit_test(rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
