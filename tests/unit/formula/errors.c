// SPDX-License-Identifier: Apache-2.0
// Formulas that are not read: errors with their places, and limits.
#include "tests/unit/support/formula_world.h"

struct fails {
    const char *text;
    uint32_t line, col;
    const char *part; // of the message or the hint
};

static void reports_errors(void **state)
{
    (void)state;
    static const struct fails list[] = {
        {"", 1, 1, "expected a formula, found the end"},
        {"x +", 1, 4, "expected a number, a name or `(`, found the end"},
        {"(x", 1, 3, "expected an operator or `)`, found the end"},
        {"x y", 1, 3, "expected an operator or the end, found y"},
        {"x; y", 1, 4, "the formula comes last"},
        {"2x", 1, 1, "a product is written 2*x"},
        {"1.2.3", 1, 1, "another number"},
        {"x ? y", 1, 6, "expected an operator or `:`"},
        {"x + \xce\xb1", 1, 5, "character: \xce\xb1"},
        {"x\n + \xff", 2, 4, "expected UTF-8 text, found the byte 0xff"},
        {"x + \x01", 1, 5, "byte 1"},
        {"x + inf", 1, 5, "inf is not a real number"},
        {"true[j]", 1, 1, "true has no axes"},
        {"sum(x)/N + N[i]", 1, 12, "N has a meaning already"},
        {"nan", 1, 1, "nan is not a real number"},
        {"1e999", 1, 1, "the number is too long"},
        {"softmx(x)", 1, 1, "did you mean `softmax`?"},
        {"sum[](x[j])", 1, 1, "name no axis"},
        {"softm(x)", 1, 1, "did you mean `softmax`?"},
        {"logsum(x)", 1, 1, "did you mean `logsumexp`?"},
        {"x + gelu(x)", 1, 5, "unknown function gelu: it is neither built in"},
        {"exp(x, y)", 1, 1, "exp takes 1 argument, not 2"},
        {"where(x, y)", 1, 1, "where takes 3 arguments, not 2"},
        {"max()", 1, 1, "or 2, not 0"},
        {"mean(x, y)", 1, 1, "mean takes 1 argument, not 2"},
        {"exp[j](x)", 1, 1, "takes no axes"},
        {"max[j](x, y)", 1, 1, "max with 2 arguments takes no axes"},
        {"sum(x1)/N + sum(x2)", 1, 9, "N is ambiguous"},
        {"tensor x[i,j]; sum[j](x[i,j])/N + sum[i](x[i,j])", 1, 31, "N is ambiguous"},
        {"x/N", 1, 3, "nothing is"},
        {"tensor x[i], y[j]; x*y", 1, 21, "axes i and j are declared as different"},
        {"tensor A[i,j], B[k,l]; matmul(A, B)", 1, 24, "axes j and k"},
        {"tensor x[i]; matmul(x, x)", 1, 14, "matmul takes matrices"},
        {"tensor x[i]; sum[k](x)", 1, 18, "no axis k"},
        {"tensor x[i], y[j]; y[j] + sum[j](x)", 1, 27, "axis j is not in the shape"},
        {"sum[j](x)", 1, 5, "no axis j"},
        {"size(j)", 1, 6, "no axis j"},
        {"x + cat(x, y)", 1, 5, "longer than its parts"},
        {"scaled(x, w, x)", 1, 14, "argument 3 of scaled may not depend"},
        {"scaled[j](x[j], w[j], x[j])", 1, 23, "argument 3 of scaled"},
        {"tensor x[i, j]; scaled[i](x, x, x)", 1, 33, "argument 3 of scaled"},
        {"masked(a, b)", 1, 8, "expected a condition"},
        {"mean(max(x))", 1, 1, "has extent 1"},
        {"sum(3)", 1, 1, "this has no axis"},
        {"sum(x[i])", 1, 1, "sum[j](..)"},
        {"cat(x, sum(y))", 1, 1, "has extent 1"},
        {"x[i] + x[i,j]", 1, 8, "x has 1 axes where it is used before, not 2"},
        {"tensor x[i]; x[i,j]", 1, 14, "x has 1 axes, not 2"},
        {"x[i,i]", 1, 5, "no diagonals"},
        {"sum[j,j](x[j])", 1, 7, "axis j twice"},
        {"sum(y) + x[i]*y", 1, 15, "its axes must be named too"},
        {"sum[j] (x[j])*y[j]", 1, 8, "does this parenthesis"},
        {"a < b < c", 1, 7, "comparisons do not chain"},
        {"where(x, y, z)", 1, 7, "expected a condition"},
        {"x + (y < z)", 1, 8, "expected a number, found a condition"},
        {"x and y < z", 1, 1, "expected a condition"},
        {"given a < b or b < c; a", 1, 13, "there is no `or`"},
        {"given a; a", 1, 8, "expected a comparison, found ;"},
        {"let a = 1; let a = 2; a", 1, 16, "declared twice"},
        {"let b = a; scalar a; a", 1, 19, "after its use in line 1"},
        {"let pi = 3; pi", 1, 5, "has a meaning already"},
        {"let a = x; a[i]", 1, 12, "a definition takes no axes"},
        {"tensor x; x", 1, 9, "expected `[` and the axes"},
        {"a + let", 1, 5, "found let"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const struct fails *fails = &list[i];
        struct world world;
        if (open(&world, fails->text))
            fail_msg("%s: was read", fails->text);
        bool said = strstr(world.err.msg, fails->part) != NULL ||
                    strstr(world.err.hint, fails->part) != NULL;
        if (!said || world.err.line != fails->line || world.err.col != fails->col ||
            world.err.kind != ERR_INPUT)
            fail_msg("%s\n%u:%u: %s\nnot %u:%u: %s", fails->text, world.err.line, world.err.col,
                     world.err.msg, fails->line, fails->col, fails->part);
        close(&world);
    }
}

// `n` times a, then b, n times c.
static char *repeated(uint32_t n, const char *a, const char *b, const char *c)
{
    struct buf buf = {0};
    for (uint32_t i = 0; i < n; i++)
        buf_puts(&buf, a);
    buf_puts(&buf, b);
    for (uint32_t i = 0; i < n; i++)
        buf_puts(&buf, c);
    return buf_detach(&buf);
}

static void keeps_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        const char *a, *b, *c, *part; // NULL: it is read
    } list[] = {
        {300, "(", "x", ")", NULL},
        {301, "(", "x", ")", "too deep"},
        {64, "x", "", "", NULL},
        {65, "x", "", "", "longer than 64"},
        {100000, "(", "x", ")", "too long"},
        {10000, "(", "x", ")", "too deep"},
        {10000, "-", "x", "", "too deep"},
        {5000, "not ", "x", "", "too deep"},
        {5000, "x^", "x", "", "too deep"},
        {300, "", "x", " + x", NULL},
        {5000, "", "x", " + x", "too deep"},
        {5000, "", "x", "*x", "too deep"},
        {300000, "", "x", " ", "too long"},
        {150, "sum[j] ", "x[j]", "", NULL},
        {5000, "sum[j] ", "x[j]", "", "too deep"},
        {20, "exp(", "x", ")", NULL},
        {153, "9", "", "", NULL}, // 509 bits, and 1 below the line
        {154, "9", "", "", "the number is too long"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct world world;
        char *text = repeated(list[i].n, list[i].a, list[i].b, list[i].c);
        bool ok = open(&world, text);
        if (ok != (list[i].part == NULL) || (!ok && strstr(world.err.msg, list[i].part) == NULL))
            fail_msg("%u %s%s: %s", list[i].n, list[i].a, list[i].c, world.err.msg);
        close(&world);
        mem_free(text);
    }
}

// `n` times a text with a number in it, between two others.
static char *numbered(uint32_t n, const char *first, const char *each, const char *last)
{
    struct buf buf = {0};
    buf_puts(&buf, first);
    for (uint32_t i = 0; i < n; i++)
        for (const char *text = each; *text != 0; text++)
            if (*text == '#')
                buf_printf(&buf, "%u", i);
            else if (*text != ',' || text > each || i > 0) // a comma between
                buf_putc(&buf, *text);
    buf_puts(&buf, last);
    return buf_detach(&buf);
}

// Exactly as docs/formulas.md has them.
static void limits_are_exact(void **state)
{
    (void)state;
    static const struct {
        uint32_t most;
        const char *first, *each, *last, *part;
        bool unread; // for another reason
    } list[] = {
        {8, "tensor x[", ",a#", "]; x", "more than 8 axes", false},
        {256, "scalar y; ", "tensor x#[a#]; ", "y", "more than 256 axes", false},
        {1000, "scalar ", ",x#", "; 1", "more than 1000 names", false},
        {1000, "", "let l# = x#; ", "1", "more than 1000 names", false},
        {100, "", "let b# = cat(x#, y#);", "1", "more than 100 uses of cat", false},
        {64, "given ", ",x > #", "; x", "more than 64 conditions", false},
        {16, "exp(", ",x#", ")", "more than 16 arguments", true},
        {40000, "", "x ", "", "the formula is too long", true},
        {(1 << 18) - 1, "x", " ", "", "the text is too long", false},
        {400, "x", " + x", "", "too deep", false},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (uint32_t over = 0; over < 2; over++) {
            struct world world;
            char *text = numbered(list[i].most + over, list[i].first, list[i].each, list[i].last);
            bool ok = open(&world, text);
            bool refused = !ok && strstr(world.err.msg, list[i].part) != NULL;
            if (refused != (over > 0) || (over == 0 && ok == list[i].unread))
                fail_msg("%s, %u: %s", list[i].part, list[i].most + over,
                         ok ? "read" : world.err.msg);
            close(&world);
            mem_free(text);
        }
}

// A term that is small by itself may be endless written out.
static void refuses_doubling(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct world world;
    buf_puts(&buf, "let a0 = x + x;");
    for (uint32_t i = 1; i < 180; i++)
        buf_printf(&buf, "let a%u = a%u + a%u;", i, i - 1, i - 1);
    buf_puts(&buf, "a179");
    assert_false(open(&world, buf_text(&buf)));
    assert_non_null(strstr(world.err.msg, "too long, definitions written out"));
    close(&world);
    buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_errors),
        cmocka_unit_test(keeps_limits),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(refuses_doubling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
