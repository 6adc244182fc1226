// SPDX-License-Identifier: Apache-2.0
// Formulas as programs: values by hand, and pairs of formulas that are equal
// over the reals on random values.
#include "base/rng.h"
#include "formula/tensor.h"
#include "tensor/eval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 64 };

struct world {
    struct fterms t;
    struct formula f;
    struct pool pool;
    struct program p;
    struct arena mem;
    struct err e;
};

static const struct fsize sizes[] = {
    {"i", 2}, {"j", 3}, {"k", 4}, {"l", 2}, {"m", 2}};

static bool open(struct world *w, const char *text, enum elem elem)
{
    memset(w, 0, sizeof *w);
    fterms_init(&w->t);
    pool_init(&w->pool);
    program_init(&w->p, &w->pool);
    if (!formula_read(&w->f, &w->t, NULL, "in", text, &w->e))
        fail_msg("%s\n%u:%u: %s", text, w->e.line, w->e.col, w->e.msg);
    struct fsize given[MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t k = 0; k < w->f.axes.len; k++)
            if (strcmp(w->f.axes.at[k], sizes[i].axis) == 0 && n < MOST)
                given[n++] = sizes[i];
    return formula_program(&w->f, w->f.term, elem, n, given, &w->p, &w->e);
}

static void close(struct world *w)
{
    formula_release(&w->f);
    fterms_release(&w->t);
    program_release(&w->p);
    pool_release(&w->pool);
    arena_release(&w->mem);
}

// The values of the variables, one after another, in their order.
static uint32_t run(struct world *w, const char *text, const double *values,
                    double out[MOST])
{
    const struct function *f = &w->p.functions.at[0];
    struct value params[16], result;
    assert_true(f->params.len <= 16);
    for (uint32_t i = 0; i < f->params.len; i++) {
        type_id t = f->params.at[i].type;
        enum elem elem = type_elem(&w->pool, t);
        size_t n = (size_t)type_count(&w->pool, t);
        params[i] = (struct value){t, arena_alloc(&w->mem, n * 8)};
        for (size_t k = 0; k < n; k++)
            scalar_store(elem, params[i].data, k,
                         scalar_of_double(elem, *values++));
    }
    if (!program_check(&w->p, &w->e) ||
        !eval_terms(&w->p.terms, 1, &f->results.at[0].term, f->params.len,
                    params, &w->mem, &result, &w->e))
        fail_msg("%s: %s", text, w->e.msg);
    enum elem elem = type_elem(&w->pool, result.type);
    uint32_t n = (uint32_t)type_count(&w->pool, result.type);
    assert_true(n <= MOST);
    for (uint32_t k = 0; k < n; k++) {
        struct scalar s = scalar_load(elem, result.data, k);
        out[k] = elem == ELEM_I1 ? (double)s.bits : scalar_to_double(elem, s);
    }
    return n;
}

struct hand {
    const char *text, *type;
    const double in[24];
    uint32_t n;
    double out[14];
};

static void gives_values(void **state)
{
    (void)state;
    static const struct hand list[] = {
        {"a - 2*b", "tensor<f64>", {7, 2}, 1, {3}},
        {"1/3*a + pi", "tensor<f64>", {3}, 1, {4.141592653589793}},
        {"where(a > b, a, b)^2", "tensor<f64>", {3, -5}, 1, {9}},
        {"a < b and not b <= a or a != a", "tensor<i1>", {1, 2}, 1, {1}},
        {"sum(x)", "tensor<1xf64>", {1, 2, 4}, 1, {7}},
        {"x - max(x)", "tensor<3xf64>", {1, 4, 2}, 3, {-3, 0, -2}},
        {"x*w/N + 0*sum(x)", "tensor<3xf64>", {1, 2, 3, 9, 6, 3}, 3, {3, 4, 3}},
        // A row beside a matrix, and a matrix transposed.
        {"tensor A[i,j], w[j]; A*w - max(A)",
         "tensor<2x3xf64>",
         {1, 2, 3, 4, 5, 6, 1, 0, 2},
         6,
         {-2, -3, 3, -2, -6, 6}},
        {"tr(A)", "tensor<3x2xf64>", {1, 2, 3, 4, 5, 6}, 6, {1, 4, 2, 5, 3, 6}},
        {"matmul(A, tr(A))",
         "tensor<2x2xf64>",
         {1, 2, 3, 4, 5, 6},
         4,
         {14, 32, 32, 77}},
        {"tensor A[l,l]; matmul(A, A)",
         "tensor<2x2xf64>",
         {1, 2, 3, 4},
         4,
         {7, 10, 15, 22}},
        {"tensor A[l,l]; A - tr(A)",
         "tensor<2x2xf64>",
         {1, 2, 3, 5},
         4,
         {0, -1, 1, 0}},
        {"x[i]*y[j]",
         "tensor<2x3xf64>",
         {1, 2, 3, 4, 5},
         6,
         {3, 4, 5, 6, 8, 10}},
        {"tensor x[j], y[i]; y[i]*x[j]",
         "tensor<3x2xf64>",
         {3, 4, 5, 1, 2},
         6,
         {3, 6, 4, 8, 5, 10}},
        {"sum[i] x[i,j]", "tensor<3xf64>", {1, 2, 3, 4, 5, 6}, 3, {5, 7, 9}},
        // A sum over an axis that is not there, and a product.
        {"tensor x[j]; sum[j](2) + prod[j](2) + 0*sum(x)",
         "tensor<1xf64>",
         {1, 1, 1},
         1,
         {14}},
        {"cat(x, y)",
         "tensor<7xf64>",
         {1, 2, 3, 8, 9, 7, 6},
         7,
         {1, 2, 3, 8, 9, 7, 6}},
        {"tensor x[i,j], y[m]; cat(x, y)",
         "tensor<2x5xf64>",
         {1, 2, 3, 4, 5, 6, 8, 9},
         10,
         {1, 2, 3, 8, 9, 4, 5, 6, 8, 9}},
        {"cat[a, b, c](x[i]*y[b], z[c])", "", {0}, 0, {0}},
        {"tensor y[j], z[k], x[i]; cat[a, j, k](x[i]*y[j], z[k])",
         "tensor<2x7xf64>",
         {1, 2, 3, 4, 5, 6, 7, 1, 10},
         14,
         {1, 2, 3, 4, 5, 6, 7, 10, 20, 30, 4, 5, 6, 7}},
        {"tensor x[j]; where(any(x > 2), 1, 0) + size(j)",
         "tensor<1xf64>",
         {1, 3, 2},
         1,
         {4}},
        {"where(all(x > 2), 1, 0)*N", "tensor<1xf64>", {1, 3, 2}, 1, {0}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const struct hand *h = &list[i];
        struct world w;
        double out[MOST];
        if (h->type[0] == 0) { // the size of b is nowhere given
            assert_false(open(&w, h->text, ELEM_F64));
            assert_non_null(strstr(w.e.msg, "the size of axis b is missing"));
            close(&w);
            continue;
        }
        if (!open(&w, h->text, ELEM_F64))
            fail_msg("%s: %s", h->text, w.e.msg);
        struct buf type = {0};
        type_print(&w.pool, w.p.functions.at[0].results.at[0].type, &type);
        if (strcmp(buf_text(&type), h->type) != 0)
            fail_msg("%s: %s, not %s", h->text, buf_text(&type), h->type);
        buf_release(&type);
        uint32_t n = run(&w, h->text, h->in, out);
        for (uint32_t k = 0; k < h->n && n == h->n; k++)
            if (fabs(out[k] - h->out[k]) > 1e-15)
                fail_msg("%s: [%u] is %.17g, not %.17g", h->text, k, out[k],
                         h->out[k]);
        close(&w);
    }
}

// Equal over the reals, the variables occurring in the same order.
static void agrees_on_pairs(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"exp(x - max(x))/sum(exp(x - max(x)))", "exp(x)/sum(exp(x))"},
        {"max(x) + log(sum(exp(x - max(x))))", "log(sum(exp(x)))"},
        {"sum(x1) + sum(x2)", "sum(cat(x1, x2))"},
        {"max(max(x1), max(x2))", "max(cat(x1, x2))"},
        {"matmul(exp(matmul(Q, tr(K)) - max(matmul(Q, tr(K)))), V)/"
         "sum(exp(matmul(Q, tr(K)) - max(matmul(Q, tr(K)))))",
         "matmul(exp(matmul(Q, tr(K)))/sum(exp(matmul(Q, tr(K)))), V)"},
        {"matmul(matmul(A, B), C)", "matmul(A, matmul(B, C))"},
        {"matmul(A, tr(B))", "0*matmul(A, tr(B)) + tr(matmul(B, tr(A)))"},
        {"sum(x*x)/N - sum(x)/N*(sum(x)/N)",
         "sum((x - sum(x)/N)*(x - sum(x)/N))/N"},
        {"matmul(A, B)", "sum[j](A[i,j]*B[j,k])"},
        {"exp(x1 - max(max(x1), max(x2)))/(sum(exp(x1 - max(x1)))*exp(max(x1) "
         "- max(max(x1), max(x2))) + sum(exp(x2 - max(max(x1), max(x2)))))",
         "exp(x1)/(sum(exp(x1)) + sum(exp(x2)))"},
        {"exp2(x*log2e)", "exp(x)"},
        {"log2(exp(x))*log(2)", "x"},
    };
    struct rng rng;
    rng_seed(&rng, 7);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (uint32_t round = 0; round < 5; round++) {
            struct world a, b;
            double in[200], x[MOST], y[MOST];
            for (uint32_t k = 0; k < 200; k++)
                in[k] = 4 * rng_unit(&rng) - 2;
            bool both =
                open(&a, list[i][0], ELEM_F64) & open(&b, list[i][1], ELEM_F64);
            if (!both)
                fail_msg("%s: %s%s", list[i][0], a.e.msg, b.e.msg);
            uint32_t n = run(&a, list[i][0], in, x);
            assert_int_equal(run(&b, list[i][1], in, y), n);
            for (uint32_t k = 0; k < n; k++)
                if (!(fabs(x[k] - y[k]) <= 1e-12 * (1 + fabs(x[k]))))
                    fail_msg("%s: %.17g, %s: %.17g", list[i][0], x[k],
                             list[i][1], y[k]);
            close(&a);
            close(&b);
        }
}

static void rounds_once(void **state)
{
    (void)state;
    struct world w;
    double out[MOST];
    // 1 + 2^-24 + 2^-60: to f64 and then to f32 it would be 1.
    assert_true(open(&w, "1.000000059604644775390625000001", ELEM_F32));
    assert_int_equal(run(&w, "", NULL, out), 1);
    assert_true(out[0] == 1 + ldexp(1, -23));
    close(&w);
}

static void refuses(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"x[p]", "the size of axis p is missing"},
        {"tensor x[i], y[j]; x[i]*y[j] + sum[q](x[i]*z[q])",
         "the size of axis q is missing"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct world w;
        assert_false(open(&w, list[i][0], ELEM_F64));
        assert_non_null(strstr(w.e.msg, list[i][1]));
        close(&w);
    }
    struct world w;
    fterm x;
    assert_true(open(&w, "tensor x[j]; sum(x)", ELEM_F64));
    static const char *const terms[][2] = {
        {"(softmax {j} x{j})", "softmax has no program; write it out"},
        {"x{j}", "an axis that the formula has not"},
        {"(add x{j} nonsense)", "no such name: nonsense"},
        {"x{j,j}", "x has 1 axes"},
        {"(concatenate {j} {j} {j} x{j} x{j})", "two sizes"},
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct program p;
        struct err e = {0};
        program_init(&p, &w.pool);
        assert_true(fterm_read(&w.t, terms[i][0], &x, &e));
        if (formula_program(&w.f, x, ELEM_F64, 1, &(struct fsize){"j", 3}, &p,
                            &e) ||
            strstr(e.msg, terms[i][1]) == NULL)
            fail_msg("%s: %s", terms[i][0], e.msg);
        program_release(&p);
    }
    close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_values),
        cmocka_unit_test(agrees_on_pairs),
        cmocka_unit_test(rounds_once),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
