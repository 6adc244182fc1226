// SPDX-License-Identifier: Apache-2.0
// Formulas as programs: values by hand, and pairs of formulas that are equal
// over the reals on random values.
#include "base/rng.h"
#include "formula/program.h"
#include "tensor/eval/eval.h"

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
        if (n == 0 || n != h->n)
            fail_msg("%s: %u elements", h->text, n);
        for (uint32_t k = 0; k < n; k++)
            if (!(fabs(out[k] - h->out[k]) <= 1e-15))
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

// ---- random formulas by position, and what arrays that broadcast give

// Rank 0 to 2; n[0] and d[0] are of the last axis.  An axis is named by its
// size: i j, p for two j, q for two i, 1 where a reduction kept it.
struct array {
    uint32_t rank, n[2];
    char d[2];
    double at[36];
};
static const char head[] =
    "tensor A[i, j], B[i, j], S[i, i], w[j], v[i]; scalar a; ";
static const struct {
    const char *name, *axes;
} inputs[] = {{"A", "ij"}, {"B", "ij"}, {"S", "ii"},
              {"w", "j"},  {"v", "i"},  {"a", ""}};
enum { N_INPUTS = sizeof inputs / sizeof *inputs };

struct maker {
    struct rng rng;
    struct array input[N_INPUTS];
};

static uint32_t size_of(char d)
{
    return d == 'i' ? 2 : d == 'j' ? 3 : d == 'p' ? 6 : d == 'q' ? 4 : 1;
}

static struct array empty(uint32_t rank, char last, char above)
{
    struct array x = {.rank = rank, .n = {1, 1}, .d = {'1', '1'}};
    if (rank > 0)
        x.n[0] = size_of(x.d[0] = last);
    if (rank > 1)
        x.n[1] = size_of(x.d[1] = above);
    return x;
}

static double get(const struct array *x, uint32_t row, uint32_t col)
{
    return x->at[(x->n[1] == 1 ? 0 : row) * x->n[0] + (x->n[0] == 1 ? 0 : col)];
}

static bool fit(const struct array *x, const struct array *y)
{
    for (uint32_t q = 0; q < x->rank && q < y->rank; q++)
        if (x->d[q] != y->d[q] && x->d[q] != '1' && y->d[q] != '1')
            return false;
    return true;
}

static struct array broadcast(const struct array *x, const struct array *y)
{
    uint32_t rank = x->rank > y->rank ? x->rank : y->rank;
    return empty(rank, x->d[0] != '1' ? x->d[0] : y->d[0],
                 x->d[1] != '1' ? x->d[1] : y->d[1]);
}

static struct array random_formula(struct maker *m, uint32_t depth,
                                   struct buf *text);

static struct array random_binary(struct maker *m, struct array x,
                                  const char *left, const struct array *y,
                                  const char *right, struct buf *text)
{
    struct array z = broadcast(&x, y);
    uint64_t op = rng_below(&m->rng, 5);
    static const char *const forms[] = {"(%s + %s)", "(%s - %s)", "%s*%s",
                                        "max(%s, %s)", "where(%s < %s, 2, 1)"};
    const char *form = forms[op];
    for (uint32_t r = 0; r < z.n[1]; r++)
        for (uint32_t c = 0; c < z.n[0]; c++) {
            double a = get(&x, r, c), b = get(y, r, c);
            z.at[r * z.n[0] + c] = op == 0   ? a + b
                                   : op == 1 ? a - b
                                   : op == 2 ? a * b
                                   : op == 3 ? fmax(a, b)
                                   : a < b   ? 2
                                             : 1;
        }
    for (; *form != 0; form++)
        if (form[0] == '%') {
            buf_puts(text, left);
            left = right;
            form++;
        } else {
            buf_putc(text, *form);
        }
    return z;
}

static struct array random_reduction(struct maker *m, struct array x,
                                     const char *of, struct buf *text)
{
    static const char *const names[] = {"sum", "max", "min"};
    uint64_t op = rng_below(&m->rng, 3);
    struct array z = empty(x.rank, '1', x.d[1]);
    for (uint32_t r = 0; r < z.n[1]; r++) {
        double all = x.at[r * x.n[0]];
        for (uint32_t c = 1; c < x.n[0]; c++) {
            double b = x.at[r * x.n[0] + c];
            all = op == 0 ? all + b : op == 1 ? fmax(all, b) : fmin(all, b);
        }
        z.at[r] = all;
    }
    buf_printf(text, "%s(%s)", names[op], of);
    return z;
}

static struct array turned(const struct array *x)
{
    struct array z = empty(2, x->d[1], x->d[0]);
    for (uint32_t r = 0; r < z.n[1]; r++)
        for (uint32_t c = 0; c < z.n[0]; c++)
            z.at[r * z.n[0] + c] = x->at[c * x->n[0] + r];
    return z;
}

static struct array product(const struct array *x, const struct array *y)
{
    struct array z = empty(2, y->d[0], x->d[1]);
    for (uint32_t r = 0; r < z.n[1]; r++)
        for (uint32_t c = 0; c < z.n[0]; c++)
            for (uint32_t k = 0; k < x->n[0]; k++)
                z.at[r * z.n[0] + c] +=
                    x->at[r * x->n[0] + k] * y->at[k * y->n[0] + c];
    return z;
}

static struct array joined(const struct array *x, const struct array *y)
{
    struct array above = broadcast(x, y);
    struct array z = empty(above.rank, x->d[0] == 'j' ? 'p' : 'q', above.d[1]);
    for (uint32_t r = 0; r < z.n[1]; r++)
        for (uint32_t c = 0; c < z.n[0]; c++)
            z.at[r * z.n[0] + c] =
                c < x->n[0] ? get(x, r, c) : get(y, r, c - x->n[0]);
    return z;
}

static struct array random_pair(struct maker *m, uint32_t depth, struct array x,
                                const char *left, struct buf *text)
{
    struct buf right = {0};
    struct array y = random_formula(m, depth - 1, &right), z;
    bool matrices = x.rank == 2 && y.rank == 2;
    bool short_last = x.rank > 0 && y.rank > 0 && x.d[0] == y.d[0] &&
                      (x.d[0] == 'i' || x.d[0] == 'j');
    if (matrices && x.d[0] == y.d[1] && rng_below(&m->rng, 2) == 0) {
        buf_printf(text, "matmul(%s, %s)", left, buf_text(&right));
        z = product(&x, &y);
    } else if (matrices && x.d[0] == y.d[0] && rng_below(&m->rng, 2) == 0) {
        struct array t = turned(&y);
        buf_printf(text, "matmul(%s, tr(%s))", left, buf_text(&right));
        z = product(&x, &t);
    } else if (short_last && fit(&x, &y) && rng_below(&m->rng, 4) == 0) {
        buf_printf(text, "cat(%s, %s)", left, buf_text(&right));
        z = joined(&x, &y);
    } else if (fit(&x, &y)) {
        z = random_binary(m, x, left, &y, buf_text(&right), text);
    } else {
        buf_puts(text, left);
        z = x;
    }
    buf_release(&right);
    return z;
}

static struct array random_formula(struct maker *m, uint32_t depth,
                                   struct buf *text)
{
    struct buf left = {0};
    if (depth == 0 || rng_below(&m->rng, 6) == 0) {
        uint64_t i = rng_below(&m->rng, N_INPUTS);
        buf_puts(text, inputs[i].name);
        return m->input[i];
    }
    struct array x = random_formula(m, depth - 1, &left);
    uint64_t way = rng_below(&m->rng, 6);
    if (way == 0 && x.rank > 0) {
        x = random_reduction(m, x, buf_text(&left), text);
    } else if (way == 1 && x.rank == 2) {
        buf_printf(text, "tr(%s)", buf_text(&left));
        x = turned(&x);
    } else if (way == 2) {
        buf_printf(text, "tanh(%s)", buf_text(&left));
        for (uint32_t k = 0; k < x.n[0] * x.n[1]; k++)
            x.at[k] = tanh(x.at[k]);
    } else {
        x = random_pair(m, depth, x, buf_text(&left), text);
    }
    buf_release(&left);
    return x;
}

static uint64_t seed = 1;

static void broadcasts_like_arrays(void **state)
{
    (void)state;
    struct maker m;
    rng_seed(&m.rng, seed);
    for (uint32_t round = 0; round < 500; round++) {
        double values[MOST], out[MOST];
        uint32_t n_values = 0;
        for (uint32_t i = 0; i < N_INPUTS; i++) {
            const char *axes = inputs[i].axes;
            uint32_t rank = (uint32_t)strlen(axes);
            m.input[i] = empty(rank, rank > 0 ? axes[rank - 1] : '1',
                               rank > 1 ? axes[0] : '1');
            for (uint32_t k = 0; k < m.input[i].n[0] * m.input[i].n[1]; k++)
                values[n_values++] = m.input[i].at[k] =
                    2 * rng_unit(&m.rng) - 1;
        }
        struct buf text = {0};
        struct world w;
        buf_puts(&text, head);
        struct array want =
            random_formula(&m, 1 + (uint32_t)rng_below(&m.rng, 5), &text);
        if (!open(&w, buf_text(&text), ELEM_F64))
            fail_msg("%s: %s", buf_text(&text), w.e.msg);
        assert_int_equal(w.f.shape.len, want.rank);
        uint32_t n = run(&w, buf_text(&text), values, out);
        if (n != want.n[0] * want.n[1])
            fail_msg("%s: %u elements", buf_text(&text), n);
        for (uint32_t k = 0; k < n; k++)
            if (!(fabs(out[k] - want.at[k]) <= 1e-9 * (1 + fabs(want.at[k]))))
                fail_msg("%s: [%u] is %.17g, not %.17g", buf_text(&text), k,
                         out[k], want.at[k]);
        close(&w);
        buf_release(&text);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_values),
        cmocka_unit_test(agrees_on_pairs),
        cmocka_unit_test(broadcasts_like_arrays),
        cmocka_unit_test(rounds_once),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
