// SPDX-License-Identifier: Apache-2.0
// Texts of a page are no markup, whatever they hold; steps name their rules.
#include "simplify/page/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static uint32_t count(const char *text, const char *what)
{
    uint32_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

static const char proof[] = "term 0 a\n"
                            "term 1 2\n"
                            "term 2 add 0 0\n"
                            "term 3 multiply 1 0\n"
                            "rule 0 2 3 by twice.add\n";

static void page(const char *hostile, struct buf *out)
{
    struct fterms terms;
    struct formula formula;
    struct fsteps steps;
    struct err err = {0};
    fterms_init(&terms);
    assert_true(formula_read(&formula, &terms, NULL, "test", "a + a", &err));
    assert_true(fsteps_of(&steps, &terms, proof, formula.term, 9, &err));
    struct html_obligation obligation = {hostile, hostile, hostile, hostile};
    struct html_rule rule = {hostile, hostile, hostile, hostile, hostile,
                             hostile, hostile, hostile, 1,       &obligation};
    struct html_use use = {.name = "twice", .backward = true};
    struct html_condition condition = {.cond = formula.term, .why = hostile};
    struct html_constant constant = {hostile, formula.term, hostile, hostile};
    struct html_page p = {.title = hostile,
                          .formula = &formula,
                          .before = formula.term,
                          .after = vec_last(&steps.step).after,
                          .remark = hostile,
                          .n_conditions = 1,
                          .n_constants = 1,
                          .n_rules = 1,
                          .n_uses = 1,
                          .condition = &condition,
                          .constant = &constant,
                          .rule = &rule,
                          .use = &use,
                          .steps = &steps};
    html_page(&p, out);
    fsteps_release(&steps);
    formula_release(&formula);
    fterms_release(&terms);
}

static void texts_are_no_markup(void **state)
{
    (void)state;
    struct buf plain = {0}, hostile = {0};
    page("plain", &plain);
    page("</pre><script>\"&x", &hostile);
    assert_int_equal(count(buf_text(&plain), "<"), count(buf_text(&hostile), "<"));
    assert_int_equal(count(buf_text(&plain), ">"), count(buf_text(&hostile), ">"));
    assert_int_equal(count(buf_text(&plain), "\""), count(buf_text(&hostile), "\""));
    assert_int_equal(count(buf_text(&hostile), "<script"), 0);
    assert_int_equal(count(buf_text(&hostile), "&x"), 0);
    // All of them are there, and in two places the name.
    assert_int_equal(count(buf_text(&plain), "plain"),
                     count(buf_text(&hostile), "&lt;/pre&gt;&lt;script&gt;"
                                               "&quot;&amp;x") +
                         2);
    assert_int_equal(count(buf_text(&hostile), "#rule-1---pre--script---x"), 1);
    assert_int_equal(count(buf_text(&hostile), "id=\"rule-1---pre--script---x\""), 1);
    buf_release(&plain);
    buf_release(&hostile);
}

static void steps_name_their_rules(void **state)
{
    (void)state;
    struct buf out = {0};
    page("r", &out);
    assert_int_equal(count(buf_text(&out), "by <a href=\"#rule-1-r\">r</a>, "
                                           "read from right to left"),
                     1);
    assert_int_equal(count(buf_text(&out), "class=\"changed\""), 1);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_no_markup),
        cmocka_unit_test(steps_name_their_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
