// SPDX-License-Identifier: Apache-2.0
// Terms as text, LaTeX and MathML: the exact strings; and every text reads back
// to the term and the shape that it was printed from.
#include "base/rng.h"
#include "formula/limits.h"
#include "formula/print/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>

static struct fdefines defs;

static int set_up(void **state)
{
    (void)state;
    static const struct fdefine some[] = {
        {.name = "sq", .n_args = 1, .squares = true},
        {.name = "mean", .n_axes = 1, .n_args = 1, .along = 1, .reduces = true},
        {.name = "var", .n_axes = 1, .n_args = 1, .along = 1, .reduces = true},
        {.name = "softmax", .n_axes = 1, .n_args = 1, .along = 1},
        {.name = "logsumexp", .n_axes = 1, .n_args = 1, .along = 1, .reduces = true},
        {.name = "softplus", .n_args = 1},
        {.name = "layer_norm", .n_axes = 1, .n_args = 4, .along = 15},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        vec_push(&defs.at, some[i]);
    return 0;
}

// Whether a function is a square says its rule, not its name.
static void squares(void **state)
{
    (void)state;
    static const char rules[] = "rule r1 { axes x; map n on x; claims real; tensor A[x: n] : float;"
                                " A + A => define sq(A); }"
                                "rule r2 { axes x; map n on x; claims real; tensor A[x: n] : float;"
                                " A * A => define f(A); }"
                                "rule r3 { axes x; map n on x; claims real; tensor A[x: n] : float;"
                                " power(A, 2) => define g(A); }"
                                "rule r4 { axes x; map n on x; claims real; tensor A[x: n] : float;"
                                " where all(A > 0); A * A => define h(A); }"
                                "rule r5 { axes x; map n on x; claims real; tensor A[x: n] : float;"
                                " tensor B[x: n] : float; A * B => define k(A, B); }";
    static const char want[] = "\\operatorname{sq}\\left(x\\right) + x^{2} + "
                               "\\left(x + 1\\right)^{2} + \\operatorname{h}\\left(x\\right) + "
                               "\\operatorname{k}\\left(x, x\\right)";
    struct ruleset set;
    struct err_list errs = {0};
    struct err err = {0};
    struct fdefines d;
    struct fterms terms;
    struct formula formula;
    struct buf text = {0};
    ruleset_init(&set);
    if (!ruleset_parse(&set, rules, strlen(rules), "t", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    assert_true(fdefines_of(&d, set.rules.len, (const struct rule *const *)set.rules.at, &err));
    fterms_init(&terms);
    assert_true(
        formula_read(&formula, &terms, &d, "t", "sq(x) + f(x) + g(x + 1) + h(x) + k(x, x)", &err));
    formula_print(&formula, &d, formula.term, NOTATION_LATEX, false, &text);
    assert_string_equal(buf_text(&text), want);
    buf_release(&text);
    formula_release(&formula);
    fterms_release(&terms);
    fdefines_release(&d);
    vec_release(&errs.at);
    ruleset_release(&set);
}

static int tear_down(void **state)
{
    (void)state;
    vec_release(&defs.at);
    return 0;
}

static void read(struct formula *formula, struct fterms *terms, const char *text)
{
    struct err err = {0};
    fterms_init(terms);
    if (!formula_read(formula, terms, &defs, "test", text, &err))
        fail_msg("%s\n%s", err.msg, text);
}

static void done(struct formula *formula, struct fterms *terms)
{
    formula_release(formula);
    fterms_release(terms);
}

static bool same_text(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

// Head and text give the term again, and its shape if it is the whole formula.
static void reads_back(const struct formula *formula, fterm term, const char *text)
{
    struct buf all = {0}, want = {0}, have = {0};
    struct formula g;
    struct fterms terms;
    formula_print_head(formula, &all);
    buf_puts(&all, text);
    read(&g, &terms, buf_text(&all));
    fterm_print(formula->terms, term, &want);
    fterm_print(&terms, g.term, &have);
    assert_string_equal(buf_text(&have), buf_text(&want));
    if (term == formula->term) {
        assert_int_equal(g.shape.len, formula->shape.len);
        for (uint32_t i = 0; i < g.shape.len; i++)
            if (!same_text(g.shape.at[i], formula->shape.at[i]))
                fail_msg("another shape: %s", buf_text(&all));
    }
    done(&g, &terms);
    buf_release(&all);
    buf_release(&want);
    buf_release(&have);
}

static void is(const char *in, enum notation notation, bool lets, const char *want)
{
    struct formula formula;
    struct fterms terms;
    struct buf have = {0};
    read(&formula, &terms, in);
    formula_print(&formula, &defs, formula.term, notation, lets, &have);
    assert_string_equal(buf_text(&have), want);
    if (notation == NOTATION_TEXT)
        reads_back(&formula, formula.term, buf_text(&have));
    buf_release(&have);
    done(&formula, &terms);
}

static void text(const char *in, const char *want)
{
    is(in, NOTATION_TEXT, false, want);
}

// Printed as it was read.
static void stays(const char *in)
{
    text(in, in);
}

static void latex(const char *in, const char *want)
{
    is(in, NOTATION_LATEX, false, want);
}

// What stands between <math> and </math>.
static void mathml(const char *in, const char *want)
{
    struct buf all = {0};
    buf_printf(&all, "<math display=\"block\">%s</math>", want);
    is(in, NOTATION_MATHML, false, buf_text(&all));
    buf_release(&all);
}

static void brackets(void **state)
{
    (void)state;
    stays("a - (b - c) - (d + e)");
    stays("a/(b/c)/(d*e)");
    stays("a*(b*c)*(d/e)");
    text("((a*b)*c)/d + ((e))", "a*b*c/d + e");
    stays("(a^b)^c + a^b^c");
    stays("-x^2 + (-x)^2");
    text("-(a*b) + (-a)*b + a*(-b) - -c", "-(a*b) + (-a*b) + a*(-b) - (-c)");
    stays("-(-x) + (-(-y))");
    stays("where(not (a < b) and c < d or e == f, -a, b)");
    text("where((a < b and c < d) or (e < f and not (a != b)), 0, 1)",
         "where(a < b and c < d or e < f and not (a != b), 0, 1)");
    stays("where(a < b and (c < d or e < f), 0, 1)");
    text("where(0 < x, x, 0)", "where(x > 0, x, 0)");
    text("where(2 <= x, x, 0)", "where(x >= 2, x, 0)");
}

static void numbers(void **state)
{
    (void)state;
    stays("-2*x");
    stays("-(2)*x");
    text("x - -2", "x - (-2)");
    text("x^-2 + (-2)^x + -2^x", "x^(-2) + (-2)^x + (-2^x)");
    text("1/3 + (1)/(3) + 2/4 + x*1/3", "1/3 + 1/(3) + 0.5 + x*1/3");
    text("1/3*x + x*(1/3)", "(1/3)*x + x*(1/3)");
    text("(1/3)^x + -(1/3) + -1/3", "(1/3)^x + (-(1/3)) + (-1/3)");
    text("0.50*x + 1.25e2 + .5e-3", "0.5*x + 125 + 0.0005");
    text("0.00000001 + 25000000000*x + 123456789", "1e-8 + 2.5e10*x + "
                                                   "123456789");
    stays("0.044715*x + 1.4426950216293335");
    text("x*0.00999999977648258209228515625", "x*(5368709/536870912)");
    text("-0.0000025*x", "-2.5e-6*x");
}

static void axes(void **state)
{
    (void)state;
    text("tensor x[i, j], w[j]; scalar b; sum[j] x[i,j]*w[j] + b", "sum[j](x*w) + b");
    text("tensor x[i, j]; sum(x)", "sum(x)");
    text("tensor x[i, j]; sum[j](x)", "sum[j](x)");
    text("tensor x[i, j]; sum[i](x)", "sum[i](x)");
    text("tensor x[i, j]; sum[i](sum[j](x))", "sum[i, j](x)");
    text("tensor x[i, j], v[i]; sum[j](x) + v", "sum[j](x) + v");
    text("tensor x[i, j], v[i]; x[i,j]*v[i]", "x[i, j]*v[i]");
    text("tensor x[i, j], v[j, i]; x[i,j]*v[j,i]", "x*tr(v)");
    text("tensor x[i, j]; softmax[i](x) + mean[i](x)", "softmax[i](x) + mean[i](x)");
    text("tensor x[i, j]; mean[j](softmax(x))", "mean[j](softmax(x))");
    text("tensor x[i, j]; sum[i,j](x)/size(i,j)*size(j)", "sum[i, j](x)/size(i, j)*size(j)");
    stays("sum(x)/N*mean(x)");
    stays("layer_norm(x, w, b, eps)");
    stays("sum(cat(x1, x2)) + max(cat(x2, x1))");
    stays("max(max(x1), max(x2))");
    stays("all(x > 0) or any(x < 1)");
}

static void matrices(void **state)
{
    (void)state;
    stays("matmul(exp(matmul(Q, tr(K))), V)/sum(exp(matmul(Q, tr(K))))");
    text("tensor X[i, k]; matmul(X, tr(X))", "matmul(X, tr(X))");
    text("tensor X[i, k]; sum[k](X[i,k]*X[l,k])", "matmul(X, tr(X))");
    text("tensor A[i,k], B[k,j]; tr(matmul(A, B))", "tr(matmul(A, B))");
    text("tensor A[i,k], B[k,j]; matmul(tr(B), tr(A))", "matmul(tr(B), tr(A))");
    text("tensor A[i,k], B[k,j]; sum[k](A[i,k]*B[k,j])", "matmul(A, B)");
    text("tensor A[i,k], B[k,j]; sum[k](B[k,j]*A[i,k])", "sum[k](B[k, j]*A[i, k])");
    text("tensor b[n, i, k], c[n, k, j]; matmul(b, c)", "matmul(b, c)");
    text("tensor x[i,j], y[j,i]; cat(x, tr(y))", "cat(x, tr(y))");
    text("tensor x[i,j], y[k,i]; sum(cat(x, tr(y)))", "sum(cat(x, tr(y)))");
}

static void heads(void **state)
{
    (void)state;
    struct formula formula;
    struct fterms terms;
    struct buf buf = {0};
    read(&formula, &terms, "given 0 <= t <= 1, N > 1; t*sum(x*x)/(N - 1) + eps + x_mean");
    formula_print_head(&formula, &buf);
    assert_string_equal(buf_text(&buf), "scalar t;\ntensor x[j];\nscalar eps, x_mean;\n"
                                        "let N = size(j);\ngiven t >= 0;\ngiven t <= 1;\n"
                                        "given N > 1;\ngiven eps > 0;\n");
    reads_back(&formula, formula.term, "t*sum(x*x)/(N - 1) + eps + x_mean");
    buf_release(&buf);
    done(&formula, &terms);
}

static void definitions(void **state)
{
    (void)state;
    is("exp(x - max(x + 1))/sum(exp(x - max(x + 1)))", NOTATION_TEXT, true,
       "let m = exp(x - max(x + 1));\nm/sum(m)");
    // Small terms stay, taken names are not used.
    is("(m - mean(x))*(m - mean(x))", NOTATION_TEXT, true, "(m - mean(x))*(m - mean(x))");
    is("m*(exp(s + 2*m*s) + sqrt(exp(s + 2*m*s)))", NOTATION_TEXT, true,
       "let u = exp(s + 2*m*s);\nm*(u + sqrt(u))");
    is("m*(exp(s + 2*m*s) + sqrt(exp(s + 2*m*s)))", NOTATION_LATEX, true,
       "\\begin{array}{l} m \\cdot \\left(u + \\sqrt{u}\\right) \\\\ "
       "\\text{where }u = e^{s + 2 \\, m \\, s} \\end{array}");
    // Larger than any page: definitions come by themselves.
    struct buf in = {0}, out = {0};
    buf_puts(&in, "let a0 = x + y*z; ");
    for (int i = 0; i < 14; i++)
        buf_printf(&in, "let a%d = a%d*a%d; ", i + 1, i, i);
    buf_puts(&in, "a14 + a14");
    struct formula formula;
    struct fterms terms;
    read(&formula, &terms, buf_text(&in));
    formula_print(&formula, &defs, formula.term, NOTATION_TEXT, false, &out);
    assert_true(out.len < 2000);
    reads_back(&formula, formula.term, buf_text(&out));
    done(&formula, &terms);
    buf_release(&in);
    buf_release(&out);
}

static void in_latex(void **state)
{
    (void)state;
    latex("exp(x - max(x))/sum(exp(x - max(x)))", "\\frac{e^{x - \\max\\left(x\\right)}}"
                                                  "{\\sum e^{x - \\max\\left(x\\right)}}");
    latex("(x - mean(x))/sqrt(var(x) + eps)*w + b",
          "\\frac{x - \\operatorname{mean}\\left(x\\right)}"
          "{\\sqrt{\\operatorname{var}\\left(x\\right) + \\epsilon}} \\, w + b");
    latex("where(x < 0, -x, where(x >= 1, sq(x), x1/mu))",
          "\\begin{cases} -x & \\text{if } x < 0 \\\\ x^{2} & \\text{if } x "
          "\\ge 1 \\\\ \\frac{x_{1}}{\\mu} & \\text{otherwise} \\end{cases}");
    latex("0.5*x*(1 + tanh(sqrt(2/pi)*x^3))",
          "0.5 \\, x \\cdot \\left(1 + "
          "\\tanh\\left(\\sqrt{\\frac{2}{\\pi}} \\, x^{3}\\right)\\right)");
    latex("x_mean*mom + x1^2 + 2*3*y + 1e-8",
          "x_{\\mathrm{mean}} \\, \\mathrm{mom} + {x_{1}}^{2} + 2 \\cdot 3 "
          "\\, y + 10^{-8}");
    latex("(a + b)^c*(-a)*sum(x)*abs(y)",
          "\\left(a + b\\right)^{c} \\, \\left(-a\\right) \\, \\left(\\sum "
          "x\\right) \\, \\left|y\\right|");
    latex("tensor x[i, j], w[j]; scalar b; sum[j] x[i,j]*w[j] + b*softmax[i](x)",
          "\\sum x \\, w + b \\, "
          "\\operatorname{softmax}_{i}\\left(x\\right)");
    latex("matmul(exp(matmul(Q, tr(K)))/sum(exp(matmul(Q, tr(K)))), V)",
          "\\frac{e^{Q \\, K^{\\top}}}{\\sum e^{Q \\, K^{\\top}}} \\, V");
    latex("tensor A[i, j], B[j, k], C[i, k]; matmul(A, B)*C*2",
          "\\left(A \\, B\\right) \\odot C \\cdot 2");
    latex("where(not (a < b) and c != 1, floor(a), rsqrt(b) + cbrt(c))",
          "\\begin{cases} \\left\\lfloor a\\right\\rfloor & \\text{if } "
          "\\lnot \\left(a < b\\right) \\land c \\ne 1 \\\\ "
          "\\frac{1}{\\sqrt{b}} + \\sqrt[3]{c} & \\text{otherwise} "
          "\\end{cases}");
    latex("layer_norm(x, w, b, eps)",
          "\\operatorname{layer\\_norm}\\left(x, w, b, \\epsilon\\right)");
    latex("exp(sum(x)/N)", "\\exp\\left(\\frac{\\sum x}{N}\\right)");
}

static void in_mathml(void **state)
{
    (void)state;
    mathml("x1/2 - eps", "<mrow><mfrac><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></mfrac>"
                         "<mo>−</mo><mi>ϵ</mi></mrow>");
    mathml("a < b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>");
    mathml("tensor x[i, j]; sum[j](x)",
           "<mrow><munder><mo largeop=\"true\" movablelimits=\"false\">∑</mo>"
           "<mi>j</mi></munder><mi>x</mi></mrow>");
    mathml("where(a < 0, 1, sqrt(a))",
           "<mrow><mo form=\"prefix\" fence=\"true\" stretchy=\"true\">{</mo>"
           "<mtable displaystyle=\"true\"><mtr><mtd style=\"text-align: "
           "left\"><mn>1</mn></mtd><mtd style=\"text-align: left\"><mrow>"
           "<mtext>if\u00a0</mtext><mrow><mi>a</mi><mo>&lt;</mo><mn>0</mn>"
           "</mrow></mrow></mtd></mtr><mtr><mtd style=\"text-align: left\">"
           "<msqrt><mi>a</mi></msqrt></mtd><mtd style=\"text-align: left\">"
           "<mrow><mtext>otherwise</mtext></mrow></mtd></mtr></mtable></mrow>");
    mathml("exp(a)*log(b)", "<mrow><msup><mi>e</mi><mi>a</mi></msup><mo lspace=\"0.08em\" "
                            "rspace=\"0.08em\">\u2062</mo><mrow><mi "
                            "mathvariant=\"normal\">log</mi><mrow><mo form=\"prefix\" "
                            "fence=\"true\" stretchy=\"true\">(</mo><mi>b</mi><mo "
                            "form=\"postfix\" fence=\"true\" stretchy=\"true\">)</mo></mrow>"
                            "</mrow></mrow>");
}

// The place that a path leads to, and nothing else.
static void marks(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        uint32_t n, path[4];
        const char *marked;
    } cases[] = {
        {"a + b", 0, {0}, "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"},
        {"a + b", 1, {1}, "<mi>b</mi>"},
        {"a*a + a*a", 2, {1, 0}, "<mi>a</mi>"},
        {"where(c > 0, a, b)", 2, {0, 1}, "<mi>c</mi>"},
        {"sum(exp(x))", 2, {1, 0}, "<mi>x</mi>"},
        // The product within matmul has no place of its own.
        {"matmul(A, B)",
         1,
         {1},
         "<mrow><mi>A</mi><mo lspace=\"0.08em\" "
         "rspace=\"0.08em\">\u2062</mo><mi>B</mi></mrow>"},
        {"matmul(A, B)", 2, {1, 1}, "<mi>B</mi>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula formula;
        struct fterms terms;
        struct buf have = {0}, want = {0};
        struct print_options options = {.path = cases[i].path, .n_path = cases[i].n};
        read(&formula, &terms, cases[i].in);
        formula_print_marked(&formula, &defs, formula.term, NOTATION_MATHML, &options, &have);
        buf_printf(&want, "<mrow class=\"changed\">%s</mrow>", cases[i].marked);
        const char *at = strstr(buf_text(&have), "<mrow class=\"changed\">");
        assert_non_null(at);
        assert_memory_equal(at, buf_text(&want), want.len);
        assert_null(strstr(at + want.len, "\"changed\""));
        buf_release(&have);
        buf_release(&want);
        done(&formula, &terms);
    }
}

static void costs(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        double cost;
    } cases[] = {
        {"x", 1},
        {"x + y", 3},
        {"-x", 2},
        {"pi*N*sum(x)", 6},
        {"0.5*x", 3},
        {"0.125*x", 3.5},
        {"0.044715*x", 5},
        {"where(a < b, a, b)", 7},
        {"cat(x1, x2)", 4},
        {"softmax(x)", 2},
        {"1e-8 + x", 3},
        {"(2/3)*x", 3},
        {"sq(x) + x^2", 6},
        {"x - log(sum(exp(x)))", 6},
        {"log(exp(x)/sum(exp(x)))", 7},
        {"matmul(A, B)", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula formula;
        struct fterms terms;
        struct u32_vec waiting = {0};
        double have = 0;
        read(&formula, &terms, cases[i].in);
        vec_push(&waiting, formula.term);
        while (waiting.len > 0) {
            fterm term = vec_pop(&waiting);
            have += formula_cost(&terms, term);
            for (uint32_t k = 0; k < fterm_n(&terms, term); k++)
                vec_push(&waiting, fterm_args(&terms, term)[k]);
        }
        if (have != cases[i].cost)
            fail_msg("%s costs %g, not %g", cases[i].in, have, cases[i].cost);
        vec_release(&waiting);
        done(&formula, &terms);
    }
}

// Short integers cost what any term without arguments costs: their texts are short too.
static void short_integers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct fterms terms;
        struct err err = {0};
        struct buf text = {0};
        char name[16];
        fterm term;
        snprintf(name, sizeof name, i < 10000 ? "%u" : "0%u", i % 10000);
        fterms_init(&terms);
        assert_true(fterm_read(&terms, name, &term, &err));
        number_text(name, &text);
        double over = text.len > PRINT_FREE_DIGITS ? (double)(text.len - PRINT_FREE_DIGITS) : 0;
        assert_true(formula_cost(&terms, term) == 1 + 0.5 * over);
        buf_release(&text);
        fterms_release(&terms);
    }
}

// Those of a list, also with definitions.
static void known_formulas(void **state)
{
    (void)state;
    struct buf all = {0};
    struct err err = {0};
    uint32_t n = 0;
    assert_true(file_read("tests/formulas/notation.txt", 1 << 20, &all, &err));
    for (char *string = all.at, *end; *string != 0; string = end + 1) {
        end = string + strcspn(string, "\n");
        *end = 0;
        if (*string == '#')
            continue;
        for (int lets = 0; lets < 2; lets++) {
            struct formula formula;
            struct fterms terms;
            struct buf have = {0};
            read(&formula, &terms, string);
            formula_print(&formula, &defs, formula.term, NOTATION_TEXT, lets, &have);
            reads_back(&formula, formula.term, buf_text(&have));
            buf_clear(&have);
            formula_print(&formula, &defs, formula.term, NOTATION_LATEX, lets, &have);
            // Braces and fences are balanced.
            int depth = 0, fences = 0;
            for (const char *c = buf_text(&have); *c != 0; c++) {
                depth += (*c == '{') - (*c == '}');
                fences += (strncmp(c, "\\left", 5) == 0) - (strncmp(c, "\\right", 6) == 0);
                assert_true(depth >= 0 && fences >= 0);
            }
            assert_int_equal(depth, 0);
            assert_int_equal(fences, 0);
            buf_release(&have);
            done(&formula, &terms);
        }
        n++;
    }
    assert_true(n > 200);
    buf_release(&all);
}

// Random terms over matrices, rows, columns and scalars; with any axes.
struct random {
    struct rng rng;
    struct fterms *terms;
};

static fterm leaf(struct random *random, const char *name)
{
    return fterm_make(random->terms, name, 0, NULL);
}

static fterm random_term(struct random *random, uint32_t depth)
{
    static const char *const leaves[] = {"x{i,j}", "w{j}", "v{i}", "s",  "y{j,i}",
                                         "2",      "-1/3", "1/2",  "-3", "pi"};
    static const char *const ones[] = {"exponential", "negate", "sqrt",    "abs",
                                       "sq",          "rsqrt",  "logistic"};
    static const char *const twos[] = {"add", "subtract", "multiply", "divide", "power", "maximum"};
    static const char *const sets[] = {"{i}", "{j}"};
    static const char *const along[] = {"reduce_add", "reduce_maximum", "reduce_minimum", "mean",
                                        "softmax"};
    if (depth == 0 || rng_below(&random->rng, 8) == 0)
        return leaf(random, leaves[rng_below(&random->rng, 10)]);
    fterm term[3];
    switch (rng_below(&random->rng, 8)) {
    case 0:
    case 1:
        term[0] = random_term(random, depth - 1);
        return fterm_make(random->terms, ones[rng_below(&random->rng, 7)], 1, term);
    case 2:
        term[0] = leaf(random, sets[rng_below(&random->rng, 2)]);
        term[1] = random_term(random, depth - 1);
        return fterm_make(random->terms, along[rng_below(&random->rng, 5)], 2, term);
    case 3:
        term[0] = leaf(random, sets[rng_below(&random->rng, 2)]);
        return fterm_make(random->terms, "count", 1, term);
    case 4:
        term[1] = random_term(random, depth - 1);
        term[2] = random_term(random, depth - 1);
        term[0] = fterm_make(random->terms, rng_below(&random->rng, 2) ? "lt" : "ne", 2, term + 1);
        return fterm_make(random->terms, "select", 3, term);
    default:
        term[0] = random_term(random, depth - 1);
        term[1] = random_term(random, depth - 1);
        return fterm_make(random->terms, twos[rng_below(&random->rng, 6)], 2, term);
    }
}

static void random_terms(void **state)
{
    (void)state;
    struct formula formula;
    struct fterms terms;
    read(&formula, &terms,
         "tensor x[i, j], w[j], v[i], y[j, i]; scalar s;"
         "x[i,j]*w[j]*v[i]*y[j,i]*s");
    struct random random = {.terms = &terms};
    rng_seed(&random.rng, 7);
    uint32_t n = 0;
    for (int i = 0; i < 1500; i++) {
        struct buf out = {0}, other = {0};
        fterm term = random_term(&random, 1 + (uint32_t)i % 5);
        bool one = false; // reductions directly within each other are united
        struct u32_vec all = {0};
        fterms_reach(&terms, 1, &term, &all);
        for (uint32_t k = 0; k < all.len; k++) {
            fterm y = all.at[k];
            const char *name = fterm_name(&terms, y);
            one = one || (strncmp(name, "reduce", 6) == 0 &&
                          fterm_is(&terms, fterm_args(&terms, y)[1], name, 2));
        }
        vec_release(&all);
        if (one)
            continue;
        n++;
        formula_print(&formula, &defs, term, NOTATION_TEXT, i % 2, &out);
        reads_back(&formula, term, buf_text(&out));
        formula_print(&formula, &defs, term, NOTATION_LATEX, i % 2, &other);
        assert_true(other.len > 0);
        buf_release(&out);
        buf_release(&other);
    }
    print_message("%u terms\n", n);
    assert_true(n > 1300);
    done(&formula, &terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares),        cmocka_unit_test(brackets),
        cmocka_unit_test(numbers),        cmocka_unit_test(axes),
        cmocka_unit_test(matrices),       cmocka_unit_test(heads),
        cmocka_unit_test(definitions),    cmocka_unit_test(in_latex),
        cmocka_unit_test(in_mathml),      cmocka_unit_test(marks),
        cmocka_unit_test(costs),          cmocka_unit_test(short_integers),
        cmocka_unit_test(known_formulas), cmocka_unit_test(random_terms),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
