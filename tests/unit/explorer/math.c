// SPDX-License-Identifier: Apache-2.0
// Texts of rules as MathML.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "explorer/math/math.h"

static void expect_math(const char *text, const char *expected)
{
    struct buf out = {0};
    math_line(text, &out);
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
}

static void lines(void **state)
{
    (void)state;
    expect_math("A <= 12", "<math><mi>A</mi><mo>≤</mo><mn>12</mn></math>");
    expect_math("i_x - 1e-3",
                "<math><msub><mi>i</mi><mi>x</mi></msub><mo>−</mo><mn>1e-3</mn></math>");
    expect_math("0 <= l or t",
                "<math><mn>0</mn><mo>≤</mo><mi>l</mi></math> or <math><mi>t</mi></math>");
    expect_math("if a", "if <math><mi>a</mi></math>");
    expect_math("sqrt(a)", "<math><msqrt><mi>a</mi></msqrt></math>");
    expect_math("abs(a)", "<math><mrow><mo>|</mo><mi>a</mi><mo>|</mo></mrow></math>");
    expect_math("f({x})", "<math><msub><mi>f</mi><mtable><mtr><mtd><mi>x</mi></mtd></mtr></mtable>"
                          "</msub><mrow><mo>(</mo><mo>)</mo></mrow></math>");
    expect_math("reduce(add, A, {x})",
                "<math><munder><mo movablelimits=\"false\">∑</mo><mtable><mtr><mtd><mi>x</mi></mtd>"
                "</mtr></mtable></munder><mrow><mo>(</mo><mi>A</mi><mo>)</mo></mrow></math>");
    expect_math("s(A, start={x: n})",
                "<math><msub><mi>s</mi><mtable><mtr><mtd><mi>start</mi><mspace width=\"0.3em\"/>"
                "<mi>x</mi><mo>:</mo><mi>n</mi></mtd></mtr></mtable></msub><mrow><mo>(</mo>"
                "<mi>A</mi><mo>)</mo></mrow></math>");
}

// Whatever the text is, tags are closed and nothing of the text is one.
static void any_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "(",
                                        ")",
                                        "f(",
                                        "f(((",
                                        "]]])",
                                        "{}",
                                        "f(a, {x",
                                        "<b>\"&'",
                                        "ä(ö)",
                                        "1e",
                                        "1e+",
                                        "a_",
                                        "_",
                                        "i_",
                                        "f(,,)",
                                        "=",
                                        "reduce(add,{x})",
                                        "reduce(add, {x}, {y})",
                                        "if",
                                        "if if"};
    struct buf deep = {0};
    for (int i = 0; i < 5000; i++)
        buf_puts(&deep, i % 2 ? "f(" : "(");
    for (size_t i = 0; i <= sizeof texts / sizeof *texts; i++) {
        struct buf out = {0};
        math_line(i < sizeof texts / sizeof *texts ? texts[i] : buf_text(&deep), &out);
        unsigned open = 0, closed = 0, alone = 0;
        for (const char *at = buf_text(&out); *at; at++) {
            closed += at[0] == '<' && at[1] == '/';
            open += at[0] == '<' && at[1] != '/';
            alone += at[0] == '/' && at[1] == '>';
        }
        assert_int_equal(open - alone, closed);
        assert_null(strstr(buf_text(&out), "<b>"));
        buf_release(&out);
    }
    buf_release(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(any_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
