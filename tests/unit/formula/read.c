// SPDX-License-Identifier: Apache-2.0
// Formulas are read: terms and shapes against expected text, and what is
// printed of them reads back, of random terms too.
#include "tests/unit/support/formula_world.h"

#include "base/rng.h"
#include <stdlib.h>

struct reads {
    const char *text, *term, *shape;
};

static void check_shape(const struct world *world, const char *text, const char *want)
{
    struct buf got = {0};
    for (uint32_t i = 0; i < world->formula.shape.len; i++)
        buf_printf(&got, "%s%s", i > 0 ? "," : "",
                   world->formula.shape.at[i] != NULL ? world->formula.shape.at[i] : "1");
    if (strcmp(buf_text(&got), want) != 0)
        fail_msg("%s: shape [%s], not [%s]", text, buf_text(&got), want);
    buf_release(&got);
}

static uint32_t named_axes(const struct formula *formula, const char **out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < formula->shape.len; i++)
        if (formula->shape.at[i] != NULL)
            out[n++] = formula->shape.at[i];
    return n;
}

// What is printed of it means the same; extents of 1 may be gone.
static void check_again(struct world *world, const struct reads *reads)
{
    struct buf text = {0};
    struct formula first = world->formula;
    formula_print_head(&world->formula, &text);
    formula_print(&world->formula, &world->defs, world->formula.term, NOTATION_TEXT, false, &text);
    if (!formula_read(&world->formula, &world->terms, &world->defs, "in", buf_text(&text),
                      &world->err))
        fail_msg("%s\n%s\n%u:%u: %s", reads->text, buf_text(&text), world->err.line, world->err.col,
                 world->err.msg);
    if (world->formula.term != first.term)
        fail_msg("%s\n%s\nis   %s\nnot  %s", reads->text, buf_text(&text),
                 term_text(world, world->formula.term), reads->term);
    const char *before[8], *now[8];
    uint32_t n = named_axes(&first, before);
    assert_int_equal(named_axes(&world->formula, now), n);
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(before[i], now[i]);
    buf_release(&text);
    formula_release(&first);
}

static void check_reads(const struct reads *reads)
{
    struct world world;
    if (!open(&world, reads->text))
        fail_msg("%s\n%u:%u: %s", reads->text, world.err.line, world.err.col, world.err.msg);
    if (strcmp(term_text(&world, world.formula.term), reads->term) != 0)
        fail_msg("%s\nis   %s\nnot  %s", reads->text, buf_text(&world.text), reads->term);
    check_shape(&world, reads->text, reads->shape);
    check_again(&world, reads);
    close(&world);
}

static void reads_operators(void **state)
{
    (void)state;
    static const struct reads list[] = {
        {"a + b - c", "(subtract (add a b) c)", ""},
        {"a - b*c/d", "(subtract a (divide (multiply b c) d))", ""},
        {"-a^2", "(negate (power a 2))", ""},
        {"a^-b^c", "(power a (negate (power b c)))", ""},
        {"-2*a", "(multiply -2 a)", ""},
        {"-2^a", "(negate (power 2 a))", ""},
        {"-(2)", "(negate 2)", ""},
        {"- 2", "(negate 2)", ""},
        {"a -2", "(subtract a 2)", ""},
        {"a^-2", "(power a -2)", ""},
        {"2/6", "1/3", ""},
        {"-2/6*a", "(multiply -1/3 a)", ""},
        {"a*1/3", "(divide (multiply a 1) 3)", ""},
        {"(1)/(3)", "(divide 1 3)", ""},
        {"1/3^2", "(divide 1 (power 3 2))", ""},
        {"1/0", "(divide 1 0)", ""},
        {"1/2/3", "(divide 1/2 3)", ""},
        {"0.5", "1/2", ""},
        {".5e1 + 1e-2 + 1.25", "(add (add 5 1/100) 5/4)", ""},
        {"007", "7", ""},
        {"where(a > b and not c <= d or a != d, 1, 0)",
         "(select (or (and (lt b a) (not (le c d))) (ne a d)) 1 0)", ""},
        {"where(a >= b, a, b)", "(select (le b a) a b)", ""},
        {"exp2(a) + log2(b)", "(add (exponential (multiply a (log 2))) (divide (log b) (log 2)))",
         ""},
        {"a*log2e + pi", "(add (multiply a (divide 1 (log 2))) pi)", ""},
        {"max(a, b) + min(a, b)", "(add (maximum a b) (minimum a b))", ""},
        {"sq(a) # a comment\n // and one", "(sq a)", ""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_reads(&list[i]);
}

static void reads_reductions(void **state)
{
    (void)state;
    static const struct reads list[] = {
        {"sum(x)", "(reduce_add {j} x{j})", "1"},
        {"max(max(x))", "(reduce_maximum {j} x{j})", "1"},
        {"exp(x - max(x))", "(exponential (subtract x{j} (reduce_maximum {j} x{j})))", "j"},
        // What is combined with a row is one; beside extent 1 nothing is.
        {"x*w - sum(x)*c", "(subtract (multiply x{j} w{j}) (multiply (reduce_add {j} x{j}) c))",
         "j"},
        {"sum(x)*c", "(multiply (reduce_add {j} x{j}) c)", "1"},
        {"sum(x*x)/N + eps", "(add (divide (reduce_add {j} (multiply x{j} x{j})) (count {j})) eps)",
         "1"},
        {"x + eps - max(x)", "(subtract (add x{j} eps) (reduce_maximum {j} x{j}))", "j"},
        {"sum(x1) + sum(x2)", "(add (reduce_add {j} x1{j}) (reduce_add {k} x2{k}))", "1"},
        {"prod(x)*min(y)", "(multiply (reduce_multiply {j} x{j}) (reduce_minimum {k} y{k}))", "1"},
        {"where(any(x > 0) or all(x < 1), 1, 0)",
         "(select (or (reduce_or {j} (lt 0 x{j})) (reduce_and {j} (lt x{j} "
         "1))) 1 0)",
         "1"},
        {"mean(x) + softmax(y)", "(add (mean {j} x{j}) (softmax {k} y{k}))", "k"},
        // A definition's scalar stays one.
        {"scaled(x, w, c)", "(scaled {j} x{j} w{j} c)", "j"},
        {"scaled(x, w, max(x))", "(scaled {j} x{j} w{j} (reduce_maximum {j} x{j}))", "j"},
        {"masked(a < b, c)", "(masked (lt a b) c)", ""},
        {"cross(x, t)", "(cross {j} x{j} t{j})", "1"},
        {"cat(x, y)", "(concatenate {l} {j} {k} x{j} y{k})", "l"},
        {"cat(x, y)*w", "(multiply (concatenate {l} {j} {k} x{j} y{k}) w{l})", "l"},
        {"sum(cat(x, y)) - sum(cat(x, y)*w)",
         "(subtract (reduce_add {l} (concatenate {l} {j} {k} x{j} y{k})) "
         "(reduce_add {l} (multiply (concatenate {l} {j} {k} x{j} y{k}) "
         "w{l})))",
         "1"},
        {"sum(cat(x, x))", "(reduce_add {k} (concatenate {k} {j} {j} x{j} x{j}))", "1"},
        {"let m = max(x); let d = x - m; exp(d)/sum(exp(d))",
         "(divide (exponential (subtract x{j} (reduce_maximum {j} x{j}))) "
         "(reduce_add {j} (exponential (subtract x{j} (reduce_maximum {j} "
         "x{j})))))",
         "j"},
        {"let N = 3; sum(x)/N", "(divide (reduce_add {j} x{j}) 3)", "1"},
        {"scalar N; sum(x)/N", "(divide (reduce_add {j} x{j}) N)", "1"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_reads(&list[i]);
}

static void reads_matrices(void **state)
{
    (void)state;
    static const struct reads list[] = {
        {"matmul(A, B)", "(reduce_add {j} (multiply A{i,j} B{j,k}))", "i,k"},
        {"matmul(A, tr(A))", "(reduce_add {j} (multiply A{i,j} A{k,j}))", "i,k"},
        // Nothing is captured: all three axes have one size.
        {"matmul(A, A)", "(reduce_add {l} (multiply A{i,l} A{l,k}))", "i,k"},
        {"A + tr(A)", "(add A{i,k} A{k,i})", "i,k"},
        {"matmul(matmul(A, A), A)",
         "(reduce_add {l} (multiply (reduce_add {k} (multiply A{i,k} A{k,l})) "
         "A{l,k}))",
         "i,k"},
        {"sum(matmul(A, A))", "(reduce_add {k,l} (multiply A{i,l} A{l,k}))", "i,1"},
        {"matmul(A, B)*b + c", // a bias has the last axis
         "(add (multiply (reduce_add {j} (multiply A{i,j} B{j,k})) b{k}) c{k})", "i,k"},
        {"matmul(A - m, B)", "(reduce_add {j} (multiply (subtract A{i,j} m{i,j}) B{j,k}))", "i,k"},
        {"matmul(max(A), tr(max(B)))",
         "(multiply (reduce_maximum {j} A{i,j}) (reduce_maximum {l} B{k,l}))", "i,k"},
        {"tensor A[b, i, k], B[b, k, j]; matmul(A, B)",
         "(reduce_add {k} (multiply A{b,i,k} B{b,k,j}))", "b,i,j"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_reads(&list[i]);
}

static void reads_axes(void **state)
{
    (void)state;
    static const struct reads list[] = {
        {"sum[j] x[i,j]*w[j] + b[i]", "(add (reduce_add {j} (multiply x{i,j} w{j})) b{i})", "i"},
        {"sum[j](x[i,j])*w[i]", "(multiply (reduce_add {j} x{i,j}) w{i})", "i"},
        {"sum[j] sum[i] x[i,j]", "(reduce_add {i,j} x{i,j})", ""},
        {"sum[j,i](x[i,j])", "(reduce_add {i,j} x{i,j})", ""},
        {"c*sum[j] x[j]*c", "(multiply c (reduce_add {j} (multiply x{j} c)))", ""},
        {"tensor x[i,j], w[j]; sum[i](x*w)", "(reduce_add {i} (multiply x{i,j} w{j}))", "j"},
        {"tensor x[i,j], w[j]; x[i,j]*w", "(multiply x{i,j} w{j})", "i,j"},
        {"tensor x[i,j], w[i]; x*w[i]", "(multiply x{i,j} w{i})", "i,j"},
        {"tensor x[i,j]; x - max(x)", "(subtract x{i,j} (reduce_maximum {j} x{i,j}))", "i,j"},
        {"x[i,j]/size(j) + size(i,j)", "(add (divide x{i,j} (count {j})) (count {i,j}))", "i,j"},
        {"sum[j](1) + x[j]", "(add (reduce_add {j} 1) x{j})", "j"},
        {"mean[j](x[i,j]) + softmax[i](x[i,j])", "(add (mean {j} x{i,j}) (softmax {i} x{i,j}))",
         "i,j"},
        {"tensor x[i,j]; mean[i](x)*softmax[i](x)",
         "(multiply (mean {i} x{i,j}) (softmax {i} x{i,j}))", "i,j"},
        {"tensor x[j]; sum[k] x[j]*x[k]", "(reduce_add {k} (multiply x{j} x{k}))", "j"},
        {"sum[j] x[j]/N", "(reduce_add {j} (divide x{j} (count {j})))", ""},
        {"cat[a, b, c](x[b], y[c])", "(concatenate {a} {b} {c} x{b} y{c})", "a"},
        {"let p = x[i]*y[i]; sum[i] p", "(reduce_add {i} (multiply x{i} y{i}))", ""},
        // The x of the maximum is another one than that of the sum.
        {"sum[j] (x[j]*max[j](x[j]))", "(reduce_add {j} (multiply x{j} (reduce_maximum {j} x{j})))",
         ""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_reads(&list[i]);
}

// ---- random terms are printed and read back

// Axes: i and j, k of the size of i, p twice as long as j.
enum { AXIS_I = 1, AXIS_J = 2, AXIS_K = 4, AXIS_P = 8, ALL_AXES = 15 };
static const char axis_letters[] = "ijkp";

struct grower {
    struct fterms *terms;
    struct rng *rng;
};

static fterm grow(struct grower *grower, uint32_t depth, uint32_t axes);

static fterm axis_set(struct grower *grower, uint32_t axes)
{
    char text[16] = "{";
    size_t n = 1;
    for (uint32_t i = 0; i < 4; i++)
        if (axes >> i & 1) {
            if (n > 1)
                text[n++] = ',';
            text[n++] = axis_letters[i];
        }
    text[n++] = '}';
    return fterm_make_n(grower->terms, text, (uint32_t)n, 0, NULL);
}

static fterm grow_leaf(struct grower *grower, uint32_t axes)
{
    static const struct {
        uint32_t axes;
        const char *name;
    } leaves[] = {
        {AXIS_I | AXIS_J, "x{i,j}"},
        {AXIS_K | AXIS_J, "x{k,j}"},
        {AXIS_J, "w{j}"},
        {AXIS_I, "v{i}"},
        {AXIS_P, "c{p}"},
        {0, "a"},
        {0, "b"},
        {0, "pi"},
        {0, "3"},
        {0, "-2"},
        {0, "1/3"},
        {0, "-5/8"},
        {0, "1/1000"},
        {AXIS_K, "v{k}"},
    };
    for (;;) {
        uint64_t i = rng_below(grower->rng, sizeof leaves / sizeof *leaves);
        if ((leaves[i].axes & ~axes) == 0)
            return fterm_make(grower->terms, leaves[i].name, 0, NULL);
    }
}

static fterm grow_condition(struct grower *grower, uint32_t depth, uint32_t axes)
{
    static const char *const ops[] = {"lt", "le", "eq", "ne"};
    fterm term[2];
    if (depth > 0 && rng_below(grower->rng, 3) == 0) {
        bool not = rng_below(grower->rng, 3) == 0;
        term[0] = grow_condition(grower, depth - 1, axes);
        term[1] = grow_condition(grower, depth - 1, axes);
        if (not )
            return fterm_make(grower->terms, "not", 1, term);
        return fterm_make(grower->terms, rng_below(grower->rng, 2) ? "and" : "or", 2, term);
    }
    term[0] = grow(grower, depth, axes);
    term[1] = grow(grower, depth, axes);
    return fterm_make(grower->terms, ops[rng_below(grower->rng, 4)], 2, term);
}

// Sums directly in sums would be read as one sum.
static fterm grow_reduce(struct grower *grower, uint32_t depth, uint32_t axes)
{
    static const char *const ops[] = {
        "reduce_add", "reduce_multiply", "reduce_maximum", "reduce_minimum", "mean", "softmax"};
    uint32_t set = 1 + (uint32_t)rng_below(grower->rng, ALL_AXES);
    const char *op = ops[rng_below(grower->rng, 6)];
    if (strcmp(op, "softmax") == 0) {
        set &= axes;
        if (set == 0)
            return grow_leaf(grower, axes);
    }
    fterm term[2] = {axis_set(grower, set), grow(grower, depth, axes | set)};
    if (fterm_is(grower->terms, term[1], op, 2))
        term[1] = fterm_make(grower->terms, "negate", 1, &term[1]);
    return fterm_make(grower->terms, op, 2, term);
}

static fterm grow(struct grower *grower, uint32_t depth, uint32_t axes)
{
    static const char *const one[] = {"negate", "exponential", "log",      "sqrt", "rsqrt",
                                      "abs",    "tanh",        "logistic", "sq",   "softplus"};
    static const char *const two[] = {"add",     "subtract", "multiply", "divide", "power",
                                      "maximum", "minimum",  "multiply", "add"};
    fterm term[5];
    if (depth == 0 || rng_below(grower->rng, 8) == 0)
        return grow_leaf(grower, axes);
    switch (rng_below(grower->rng, 12)) {
    case 0:
    case 1:
    case 2:
        term[0] = grow(grower, depth - 1, axes);
        return fterm_make(grower->terms, one[rng_below(grower->rng, 10)], 1, term);
    case 3:
        term[0] = grow_condition(grower, depth - 1, axes);
        term[1] = grow(grower, depth - 1, axes);
        term[2] = grow(grower, depth - 1, axes);
        return fterm_make(grower->terms, "select", 3, term);
    case 4:
    case 5:
        return grow_reduce(grower, depth - 1, axes);
    case 6:
        term[0] = axis_set(grower, 1 + (uint32_t)rng_below(grower->rng, ALL_AXES));
        return fterm_make(grower->terms, "count", 1, term);
    case 7:
        if ((axes & AXIS_P) == 0)
            return grow_leaf(grower, axes);
        term[0] = axis_set(grower, AXIS_P);
        term[1] = term[2] = axis_set(grower, AXIS_J);
        term[3] = grow(grower, depth - 1, (axes | AXIS_J) & ~(uint32_t)AXIS_P);
        term[4] = grow(grower, depth - 1, (axes | AXIS_J) & ~(uint32_t)AXIS_P);
        return fterm_make(grower->terms, "concatenate", 5, term);
    default:
        term[0] = grow(grower, depth - 1, axes);
        term[1] = grow(grower, depth - 1, axes);
        return fterm_make(grower->terms, two[rng_below(grower->rng, 9)], 2, term);
    }
}

static const char frame[] = "tensor x[i, j], w[j], v[i], c[p]; scalar a, b; given a > 0, x < 2;"
                            "x[i,j]*w[j]*v[i]*a*b*cat[p, j, j](w[j], w[j])*c[p]*x[k,j]*v[k]";

static void check_trip(struct world *world, fterm term, bool lets)
{
    struct formula again;
    struct buf text = {0};
    world->formula.shape.len = 0;
    for (uint32_t i = 0; i < 4; i++) {
        static const char *const names[] = {"i", "j", "k", "p"};
        vec_push(&world->formula.shape, names[i]);
    }
    formula_print_head(&world->formula, &text);
    formula_print(&world->formula, &world->defs, term, NOTATION_TEXT, lets, &text);
    if (!formula_read(&again, &world->terms, &world->defs, "again", buf_text(&text), &world->err))
        fail_msg("%s\n%s\n%u:%u: %s", term_text(world, term), buf_text(&text), world->err.line,
                 world->err.col, world->err.msg);
    if (again.term != term) {
        print_error("%s\n%s\n", term_text(world, term), buf_text(&text));
        fail_msg("reads back as %s", term_text(world, again.term));
    }
    formula_release(&again);
    buf_release(&text);
}

static uint64_t seed = 1;

static void reads_what_is_printed(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint32_t round = 0; round < 40; round++) {
        struct world world;
        if (!open(&world, frame))
            fail_msg("%u: %s", world.err.col, world.err.msg);
        struct grower grower = {.terms = &world.terms, .rng = &rng};
        for (uint32_t i = 0; i < 25; i++) {
            fterm term = grow(&grower, 1 + (uint32_t)rng_below(&rng, 5), ALL_AXES);
            check_trip(&world, term, i % 2 == 0);
        }
        close(&world);
    }
}

static void lists_parts(void **state)
{
    (void)state;
    struct world world;
    assert_true(open(&world, "tensor x[i, j], w[j];\nx*w*0.5 + sum(x)/N*-0.25"));
    assert_int_equal(world.formula.variables.len, 2);
    assert_string_equal(world.formula.variables.at[0].name, "x");
    assert_int_equal(world.formula.variables.at[0].n, 2);
    assert_string_equal(world.formula.axes.at[world.formula.variables.at[0].at], "i");
    assert_string_equal(world.formula.axes.at[world.formula.variables.at[0].at + 1], "j");
    assert_string_equal(world.formula.axes.at[world.formula.variables.at[1].at], "j");
    assert_int_equal(world.formula.extents.len, 2);
    assert_string_equal(world.formula.extents.at[0], "N");
    assert_string_equal(world.formula.extents.at[1], "j");
    assert_int_equal(world.formula.constants.len, 2);
    assert_string_equal(world.formula.constants.at[0].text, "0.5");
    assert_int_equal(world.formula.constants.at[0].line, 2);
    assert_int_equal(world.formula.constants.at[0].col, 5);
    assert_string_equal(term_text(&world, world.formula.constants.at[0].term), "1/2");
    assert_string_equal(world.formula.constants.at[1].text, "-0.25");
    assert_string_equal(term_text(&world, world.formula.constants.at[1].term), "-1/4");
    close(&world);
}

// Spellings of other languages: each means what the second text means.
static void reads_spellings(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"x**2", "x^2"},
        {"x**-2", "x^-2"},
        {"x \xc3\x97 y \xc2\xb7 z", "x*y*z"},
        {"x \xe2\x88\x92 y \xc3\xb7 z", "x - y/z"},
        {"\xe2\x88\x92"
         "2*x",
         "-2*x"},
        {"x\xc2\xb2 + y\xc2\xb3", "x^2 + y^3"},
        {"-x\xc2\xb2", "-(x^2)"},
        {"\xe2\x88\x9a(x)*\xcf\x80", "sqrt(x)*pi"},
        {"where(x \xe2\x89\xa4 y, x, y)", "where(x <= y, x, y)"},
        {"where(x \xe2\x89\xa0 y && y >= 0 || x < 0, x, y)",
         "where((x != y and y >= 0) or x < 0, x, y)"},
        {"where(!(x < y), x, y)", "where(not (x < y), x, y)"},
        {"x < y ? x : y", "where(x < y, x, y)"},
        {"x < y ? x : x < z ? y : z", "where(x < y, x, where(x < z, y, z))"},
        {"2*(x > 0 ? x : 0.1f*x)", "2*where(x > 0, x, 0.1*x)"},
        {"1.0f*x + 2.f*y + 1e-5F", "1.0*x + 2.*y + 1e-5"},
        {"max(x, y, z)", "max(max(x, y), z)"},
        {"min(x, y, z, 1)", "min(min(min(x, y), z), 1)"},
        {"fmaxf(x, 0, y)", "max(max(x, 0), y)"},
        {"expf(x) + sqrtf(y)*powf(x, 2)", "exp(x) + sqrt(y)*pow(x, 2)"},
        {"ln(fabs(x)) + exp2f(y)", "log(abs(x)) + exp2(y)"},
        {"given k > 0; scalar k; sum(k*x)", "scalar k; given k > 0; sum(k*x)"},
        {"given m > 0; let m = max(x); m*x", "let m = max(x); given m > 0; m*x"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct world world;
        struct formula other;
        if (!open(&world, pairs[i][0]))
            fail_msg("%s: %s", pairs[i][0], world.err.msg);
        if (!formula_read(&other, &world.terms, &world.defs, "in", pairs[i][1], &world.err))
            fail_msg("%s: %s", pairs[i][1], world.err.msg);
        if (world.formula.term != other.term || world.formula.givens.len != other.givens.len)
            fail_msg("%s is %s", pairs[i][0], term_text(&world, world.formula.term));
        for (uint32_t k = 0; k < other.givens.len; k++)
            assert_int_equal(world.formula.givens.at[k].cond, other.givens.at[k].cond);
        formula_release(&other);
        close(&world);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_operators),       cmocka_unit_test(reads_reductions),
        cmocka_unit_test(reads_matrices),        cmocka_unit_test(reads_axes),
        cmocka_unit_test(reads_what_is_printed), cmocka_unit_test(lists_parts),
        cmocka_unit_test(reads_spellings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
