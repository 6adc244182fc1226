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
    struct fterms terms;
    struct formula formula;
    struct pool pool;
    struct program program;
    struct arena mem;
    struct err err;
};

static const struct fsize sizes[] = {{"i", 2}, {"j", 3}, {"k", 4}, {"l", 2}, {"m", 2}};

static bool open(struct world *world, const char *text, enum elem elem)
{
    memset(world, 0, sizeof *world);
    fterms_init(&world->terms);
    pool_init(&world->pool);
    program_init(&world->program, &world->pool);
    if (!formula_read(&world->formula, &world->terms, NULL, "in", text, &world->err))
        fail_msg("%s\n%u:%u: %s", text, world->err.line, world->err.col, world->err.msg);
    struct fsize given[MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t k = 0; k < world->formula.axes.len; k++)
            if (strcmp(world->formula.axes.at[k], sizes[i].axis) == 0 && n < MOST)
                given[n++] = sizes[i];
    struct program_request request = {&world->formula, world->formula.term, elem, n, given};
    return formula_program(&request, &world->program, &world->err);
}

static void close(struct world *world)
{
    formula_release(&world->formula);
    fterms_release(&world->terms);
    program_release(&world->program);
    pool_release(&world->pool);
    arena_release(&world->mem);
}

// The values of the variables, one after another, in their order.
static uint32_t run(struct world *world, const char *text, const double *values, double out[MOST])
{
    const struct function *function = &world->program.functions.at[0];
    struct value params[16], result;
    assert_true(function->params.len <= 16);
    for (uint32_t i = 0; i < function->params.len; i++) {
        type_id type = function->params.at[i].type;
        enum elem elem = type_elem(&world->pool, type);
        size_t n = (size_t)type_count(&world->pool, type);
        params[i] = (struct value){type, arena_alloc(&world->mem, n * 8)};
        for (size_t k = 0; k < n; k++)
            scalar_store(elem, params[i].data, k, scalar_of_double(elem, *values++));
    }
    if (!program_check(&world->program, &world->err) ||
        !eval_terms(
            &(struct eval_input){&world->program.terms, function->params.len, params, &world->mem},
            1, &function->results.at[0].term, &result, &world->err))
        fail_msg("%s: %s", text, world->err.msg);
    enum elem elem = type_elem(&world->pool, result.type);
    uint32_t n = (uint32_t)type_count(&world->pool, result.type);
    assert_true(n <= MOST);
    for (uint32_t k = 0; k < n; k++) {
        struct scalar scalar = scalar_load(elem, result.data, k);
        out[k] = elem == ELEM_I1 ? (double)scalar.bits : scalar_to_double(elem, scalar);
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
        {"matmul(A, tr(A))", "tensor<2x2xf64>", {1, 2, 3, 4, 5, 6}, 4, {14, 32, 32, 77}},
        {"tensor A[l,l]; matmul(A, A)", "tensor<2x2xf64>", {1, 2, 3, 4}, 4, {7, 10, 15, 22}},
        {"tensor A[l,l]; A - tr(A)", "tensor<2x2xf64>", {1, 2, 3, 5}, 4, {0, -1, 1, 0}},
        {"x[i]*y[j]", "tensor<2x3xf64>", {1, 2, 3, 4, 5}, 6, {3, 4, 5, 6, 8, 10}},
        {"tensor x[j], y[i]; y[i]*x[j]",
         "tensor<3x2xf64>",
         {3, 4, 5, 1, 2},
         6,
         {3, 6, 4, 8, 5, 10}},
        {"sum[i] x[i,j]", "tensor<3xf64>", {1, 2, 3, 4, 5, 6}, 3, {5, 7, 9}},
        // A sum over an axis that is not there, and a product.
        {"tensor x[j]; sum[j](2) + prod[j](2) + 0*sum(x)", "tensor<1xf64>", {1, 1, 1}, 1, {14}},
        {"cat(x, y)", "tensor<7xf64>", {1, 2, 3, 8, 9, 7, 6}, 7, {1, 2, 3, 8, 9, 7, 6}},
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
        {"tensor x[j]; where(any(x > 2), 1, 0) + size(j)", "tensor<1xf64>", {1, 3, 2}, 1, {4}},
        {"where(all(x > 2), 1, 0)*N", "tensor<1xf64>", {1, 3, 2}, 1, {0}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const struct hand *hand = &list[i];
        struct world world;
        double out[MOST];
        if (hand->type[0] == 0) { // the size of b is nowhere given
            assert_false(open(&world, hand->text, ELEM_F64));
            assert_non_null(strstr(world.err.msg, "the size of axis b is missing"));
            close(&world);
            continue;
        }
        if (!open(&world, hand->text, ELEM_F64))
            fail_msg("%s: %s", hand->text, world.err.msg);
        struct buf type = {0};
        type_print(&world.pool, world.program.functions.at[0].results.at[0].type, &type);
        if (strcmp(buf_text(&type), hand->type) != 0)
            fail_msg("%s: %s, not %s", hand->text, buf_text(&type), hand->type);
        buf_release(&type);
        uint32_t n = run(&world, hand->text, hand->in, out);
        if (n == 0 || n != hand->n)
            fail_msg("%s: %u elements", hand->text, n);
        for (uint32_t k = 0; k < n; k++)
            if (!(fabs(out[k] - hand->out[k]) <= 1e-15))
                fail_msg("%s: [%u] is %.17g, not %.17g", hand->text, k, out[k], hand->out[k]);
        close(&world);
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
        {"sum(x*x)/N - sum(x)/N*(sum(x)/N)", "sum((x - sum(x)/N)*(x - sum(x)/N))/N"},
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
            struct world world, b;
            double in[200], x[MOST], y[MOST];
            for (uint32_t k = 0; k < 200; k++)
                in[k] = 4 * rng_unit(&rng) - 2;
            bool both = open(&world, list[i][0], ELEM_F64) & open(&b, list[i][1], ELEM_F64);
            if (!both)
                fail_msg("%s: %s%s", list[i][0], world.err.msg, b.err.msg);
            uint32_t n = run(&world, list[i][0], in, x);
            assert_int_equal(run(&b, list[i][1], in, y), n);
            for (uint32_t k = 0; k < n; k++)
                if (!(fabs(x[k] - y[k]) <= 1e-12 * (1 + fabs(x[k]))))
                    fail_msg("%s: %.17g, %s: %.17g", list[i][0], x[k], list[i][1], y[k]);
            close(&world);
            close(&b);
        }
}

static void rounds_once(void **state)
{
    (void)state;
    struct world world;
    double out[MOST];
    // 1 + 2^-24 + 2^-60: to f64 and then to f32 it would be 1.
    assert_true(open(&world, "1.000000059604644775390625000001", ELEM_F32));
    assert_int_equal(run(&world, "", NULL, out), 1);
    assert_true(out[0] == 1 + ldexp(1, -23));
    close(&world);
}

static void refuses(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        {"x[p]", "the size of axis p is missing"},
        {"tensor x[i], y[j]; x[i]*y[j] + sum[q](x[i]*z[q])", "the size of axis q is missing"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct world world;
        assert_false(open(&world, list[i][0], ELEM_F64));
        assert_non_null(strstr(world.err.msg, list[i][1]));
        close(&world);
    }
    struct world w;
    fterm term;
    assert_true(open(&w, "tensor x[j]; sum(x)", ELEM_F64));
    static const char *const terms[][2] = {
        {"(softmax {j} x{j})", "softmax has no operator in programs"},
        {"x{j}", "an axis that the formula lacks"},
        {"(add x{j} nonsense)", "no such name: nonsense"},
        {"x{j,j}", "x has 1 axes"},
        {"(concatenate {j} {j} {j} x{j} x{j})", "two sizes"},
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct program program;
        struct err err = {0};
        program_init(&program, &w.pool);
        assert_true(fterm_read(&w.terms, terms[i][0], &term, &err));
        struct program_request request = {&w.formula, term, ELEM_F64, 1, &(struct fsize){"j", 3}};
        if (formula_program(&request, &program, &err) || strstr(err.msg, terms[i][1]) == NULL)
            fail_msg("%s: %s", terms[i][0], err.msg);
        program_release(&program);
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
static const char head[] = "tensor A[i, j], B[i, j], S[i, i], w[j], v[i]; scalar a; ";
static const struct {
    const char *name, *axes;
} inputs[] = {{"A", "ij"}, {"B", "ij"}, {"S", "ii"}, {"w", "j"}, {"v", "i"}, {"a", ""}};
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
    struct array array = {.rank = rank, .n = {1, 1}, .d = {'1', '1'}};
    if (rank > 0)
        array.n[0] = size_of(array.d[0] = last);
    if (rank > 1)
        array.n[1] = size_of(array.d[1] = above);
    return array;
}

static double get(const struct array *array, uint32_t row, uint32_t col)
{
    return array->at[(array->n[1] == 1 ? 0 : row) * array->n[0] + (array->n[0] == 1 ? 0 : col)];
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
    return empty(rank, x->d[0] != '1' ? x->d[0] : y->d[0], x->d[1] != '1' ? x->d[1] : y->d[1]);
}

static struct array random_formula(struct maker *maker, uint32_t depth, struct buf *text);

static struct array random_binary(struct maker *maker, struct array x, const char *left,
                                  const struct array *y, const char *right, struct buf *text)
{
    struct array array = broadcast(&x, y);
    uint64_t op = rng_below(&maker->rng, 5);
    static const char *const forms[] = {"(%s + %s)", "(%s - %s)", "%s*%s", "max(%s, %s)",
                                        "where(%s < %s, 2, 1)"};
    const char *form = forms[op];
    for (uint32_t r = 0; r < array.n[1]; r++)
        for (uint32_t c = 0; c < array.n[0]; c++) {
            double a = get(&x, r, c), b = get(y, r, c);
            array.at[r * array.n[0] + c] = op == 0   ? a + b
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
    return array;
}

static struct array random_reduction(struct maker *maker, struct array array, const char *of,
                                     struct buf *text)
{
    static const char *const names[] = {"sum", "max", "min"};
    uint64_t op = rng_below(&maker->rng, 3);
    struct array z = empty(array.rank, '1', array.d[1]);
    for (uint32_t r = 0; r < z.n[1]; r++) {
        double all = array.at[r * array.n[0]];
        for (uint32_t c = 1; c < array.n[0]; c++) {
            double b = array.at[r * array.n[0] + c];
            all = op == 0 ? all + b : op == 1 ? fmax(all, b) : fmin(all, b);
        }
        z.at[r] = all;
    }
    buf_printf(text, "%s(%s)", names[op], of);
    return z;
}

static struct array turned(const struct array *array)
{
    struct array z = empty(2, array->d[1], array->d[0]);
    for (uint32_t r = 0; r < z.n[1]; r++)
        for (uint32_t c = 0; c < z.n[0]; c++)
            z.at[r * z.n[0] + c] = array->at[c * array->n[0] + r];
    return z;
}

static struct array product(const struct array *x, const struct array *y)
{
    struct array array = empty(2, y->d[0], x->d[1]);
    for (uint32_t r = 0; r < array.n[1]; r++)
        for (uint32_t c = 0; c < array.n[0]; c++)
            for (uint32_t k = 0; k < x->n[0]; k++)
                array.at[r * array.n[0] + c] += x->at[r * x->n[0] + k] * y->at[k * y->n[0] + c];
    return array;
}

static struct array joined(const struct array *x, const struct array *y)
{
    struct array above = broadcast(x, y);
    struct array array = empty(above.rank, x->d[0] == 'j' ? 'p' : 'q', above.d[1]);
    for (uint32_t r = 0; r < array.n[1]; r++)
        for (uint32_t c = 0; c < array.n[0]; c++)
            array.at[r * array.n[0] + c] = c < x->n[0] ? get(x, r, c) : get(y, r, c - x->n[0]);
    return array;
}

static struct array random_pair(struct maker *maker, uint32_t depth, struct array array,
                                const char *left, struct buf *text)
{
    struct buf right = {0};
    struct array y = random_formula(maker, depth - 1, &right), z;
    bool matrices = array.rank == 2 && y.rank == 2;
    bool short_last = array.rank > 0 && y.rank > 0 && array.d[0] == y.d[0] &&
                      (array.d[0] == 'i' || array.d[0] == 'j');
    if (matrices && array.d[0] == y.d[1] && rng_below(&maker->rng, 2) == 0) {
        buf_printf(text, "matmul(%s, %s)", left, buf_text(&right));
        z = product(&array, &y);
    } else if (matrices && array.d[0] == y.d[0] && rng_below(&maker->rng, 2) == 0) {
        struct array t = turned(&y);
        buf_printf(text, "matmul(%s, tr(%s))", left, buf_text(&right));
        z = product(&array, &t);
    } else if (short_last && fit(&array, &y) && rng_below(&maker->rng, 4) == 0) {
        buf_printf(text, "cat(%s, %s)", left, buf_text(&right));
        z = joined(&array, &y);
    } else if (fit(&array, &y)) {
        z = random_binary(maker, array, left, &y, buf_text(&right), text);
    } else {
        buf_puts(text, left);
        z = array;
    }
    buf_release(&right);
    return z;
}

static struct array random_formula(struct maker *maker, uint32_t depth, struct buf *text)
{
    struct buf left = {0};
    if (depth == 0 || rng_below(&maker->rng, 6) == 0) {
        uint64_t i = rng_below(&maker->rng, N_INPUTS);
        buf_puts(text, inputs[i].name);
        return maker->input[i];
    }
    struct array array = random_formula(maker, depth - 1, &left);
    uint64_t way = rng_below(&maker->rng, 6);
    if (way == 0 && array.rank > 0) {
        array = random_reduction(maker, array, buf_text(&left), text);
    } else if (way == 1 && array.rank == 2) {
        buf_printf(text, "tr(%s)", buf_text(&left));
        array = turned(&array);
    } else if (way == 2) {
        buf_printf(text, "tanh(%s)", buf_text(&left));
        for (uint32_t k = 0; k < array.n[0] * array.n[1]; k++)
            array.at[k] = tanh(array.at[k]);
    } else {
        array = random_pair(maker, depth, array, buf_text(&left), text);
    }
    buf_release(&left);
    return array;
}

static uint64_t seed = 1;

static void broadcasts_like_arrays(void **state)
{
    (void)state;
    struct maker maker;
    rng_seed(&maker.rng, seed);
    for (uint32_t round = 0; round < 500; round++) {
        double values[MOST], out[MOST];
        uint32_t n_values = 0;
        for (uint32_t i = 0; i < N_INPUTS; i++) {
            const char *axes = inputs[i].axes;
            uint32_t rank = (uint32_t)strlen(axes);
            maker.input[i] = empty(rank, rank > 0 ? axes[rank - 1] : '1', rank > 1 ? axes[0] : '1');
            for (uint32_t k = 0; k < maker.input[i].n[0] * maker.input[i].n[1]; k++)
                values[n_values++] = maker.input[i].at[k] = 2 * rng_unit(&maker.rng) - 1;
        }
        struct buf text = {0};
        struct world world;
        buf_puts(&text, head);
        struct array want = random_formula(&maker, 1 + (uint32_t)rng_below(&maker.rng, 5), &text);
        if (!open(&world, buf_text(&text), ELEM_F64))
            fail_msg("%s: %s", buf_text(&text), world.err.msg);
        assert_int_equal(world.formula.shape.len, want.rank);
        uint32_t n = run(&world, buf_text(&text), values, out);
        if (n != want.n[0] * want.n[1])
            fail_msg("%s: %u elements", buf_text(&text), n);
        for (uint32_t k = 0; k < n; k++)
            if (!(fabs(out[k] - want.at[k]) <= 1e-9 * (1 + fabs(want.at[k]))))
                fail_msg("%s: [%u] is %.17g, not %.17g", buf_text(&text), k, out[k], want.at[k]);
        close(&world);
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
