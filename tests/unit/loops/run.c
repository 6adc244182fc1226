// SPDX-License-Identifier: Apache-2.0
// Kernels of tests/kernels, run at sizes that are no multiples of their tiles, against their
// definitions.
#include "tests/unit/support/kernel_run.h"
#include <math.h>

static void adds(void **state)
{
    (void)state;
    struct kernel k;
    kernel_file(&k, "scale_add");
    kernel_set(&k, "n", 150);
    kernel_set(&k, "grid.x", 3);
    kernel_set_real(&k, "a", 1.5);
    struct exec_array *x = kernel_input(&k, "x", 150), *y = kernel_input(&k, "y", 150);
    struct exec_array *out = kernel_output(&k, "out", 150);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int i = 0; i < 150; i++)
        near(out->at[i].real, 1.5 * x->at[i].real + y->at[i].real);
    kernel_release(&k);
}

// Of a grid that runs in part, the first program runs, the last one, and as many as there may be.
static void runs_in_part(void **state)
{
    (void)state;
    enum { TILE = 64, MOST = 5 };
    static const int programs[] = {1, MOST, MOST + 1, 23, 100};
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
        int all = programs[i], n = all * TILE - 7, ran = 0;
        struct kernel k;
        kernel_file(&k, "scale_add");
        kernel_set(&k, "n", n);
        kernel_set(&k, "grid.x", all);
        kernel_set_real(&k, "a", 1.5);
        struct exec_array *x = kernel_input(&k, "x", (uint64_t)n);
        kernel_input(&k, "y", (uint64_t)n);
        struct exec_array *out = kernel_output(&k, "out", (uint64_t)n);
        k.run.most = MOST;
        kernel_run(&k);
        assert_null(x->element); // no statement writes it
        assert_int_equal(exec_writes(x, 0), 0);
        assert_int_equal(exec_writes(out, 0), 1);
        assert_int_equal(exec_writes(out, (uint64_t)(n - 1)), 1);
        for (int at = 0; at < n; at += TILE)
            ran += exec_writes(out, (uint64_t)at) == 1;
        assert_int_equal(ran, all < MOST ? all : MOST);
        kernel_release(&k);
    }
}

// What is written counts, also where nothing is computed for it.
static void writes_are_work(void **state)
{
    (void)state;
    static const char text[] =
        "// arguments: %out=out:*i32, %n=n:i32\n"
        "// launch grid: (1,)\n"
        "module {\n"
        "  tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {\n"
        "    %c0 = arith.constant 0 : i32\n"
        "    %c1 = arith.constant 1 : i32\n"
        "    %l = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
        "    %os = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n"
        "    %oa = tt.addptr %os, %l : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
        "    scf.for %i = %c0 to %n step %c1 : i32 {\n"
        "      tt.store %oa, %l : tensor<64x!tt.ptr<i32>>\n"
        "    }\n"
        "    tt.return\n"
        "  }\n"
        "}\n";
    struct kernel k;
    kernel_text(&k, text, sizeof text - 1);
    assert_true(k.ok);
    k.run.limit = 10000;
    kernel_set(&k, "grid.x", 1);
    kernel_output(&k, "out", 64);
    for (int n = 100; n <= 1000; n += 900) {
        kernel_set(&k, "n", n);
        assert_int_equal(exec_all(&k.run), n * 64 < 10000);
    }
    kernel_release(&k);
}

static void softmax(const char *name, int n)
{
    enum { ROWS = 3, STRIDE = 210 };
    struct kernel k;
    kernel_file(&k, name);
    kernel_set(&k, "n", n);
    kernel_set(&k, "x_stride", STRIDE);
    kernel_set(&k, "out_stride", n);
    kernel_set(&k, "rows", ROWS);
    kernel_set(&k, "grid.x", ROWS);
    struct exec_array *x = kernel_input(&k, "x", ROWS * STRIDE);
    struct exec_array *out = kernel_output(&k, "out", (uint64_t)(ROWS * n));
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += exp(x->at[r * STRIDE + j].real);
        for (int j = 0; j < n; j++)
            near(out->at[r * n + j].real, exp(x->at[r * STRIDE + j].real) / sum);
    }
    kernel_release(&k);
}

static void softmaxes(void **state)
{
    (void)state;
    softmax("softmax_row", 100);
    softmax("softmax_row", 1);
    softmax("softmax_online", 200);
    softmax("softmax_online", 64);
}

static void normalizes(void **state)
{
    (void)state;
    enum { N = 90, STRIDE = 95 };
    struct kernel k;
    kernel_file(&k, "layer_norm");
    kernel_set(&k, "n", N);
    kernel_set(&k, "stride", STRIDE);
    kernel_set(&k, "rows", 1);
    kernel_set(&k, "grid.x", 1);
    kernel_set_real(&k, "eps", 1e-3);
    struct exec_array *x = kernel_input(&k, "x", N), *w = kernel_input(&k, "w", N);
    struct exec_array *b = kernel_input(&k, "b", N), *out = kernel_output(&k, "out", N);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    double mean = 0, variance = 0;
    for (int j = 0; j < N; j++)
        mean += x->at[j].real / N;
    for (int j = 0; j < N; j++)
        variance += (x->at[j].real - mean) * (x->at[j].real - mean) / N;
    for (int j = 0; j < N; j++)
        near(out->at[j].real,
             (x->at[j].real - mean) / sqrt(variance + 1e-3) * w->at[j].real + b->at[j].real);
    kernel_release(&k);
}

static void product(const char *name, bool strides)
{
    enum { M = 37, N = 70, K = 41 };
    struct kernel k;
    kernel_file(&k, name);
    kernel_set(&k, "M", M);
    kernel_set(&k, "N", N);
    kernel_set(&k, "K", K);
    kernel_set(&k, "am", K);
    kernel_set(&k, "bk", N);
    kernel_set(&k, "cm", N);
    if (strides) {
        kernel_set(&k, "ak", 1);
        kernel_set(&k, "bn", 1);
        kernel_set(&k, "cn", 1);
        kernel_set(&k, "grid.x", 9);
    } else {
        kernel_set(&k, "grid.x", 3);
        kernel_set(&k, "grid.y", 5);
    }
    struct exec_array *a = kernel_input(&k, "a", M * K), *b = kernel_input(&k, "b", K * N);
    struct exec_array *c = kernel_output(&k, "c", M * N);
    kernel_run(&k);
    kernel_is_clean(&k, c);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int t = 0; t < K; t++)
                sum += a->at[i * K + t].real * b->at[t * N + j].real;
            near(c->at[i * N + j].real, sum);
        }
    kernel_release(&k);
}

static void multiplies(void **state)
{
    (void)state;
    product("matmul_grouped", true);
    product("matmul_blocks", false);
}

static void attends(void **state)
{
    (void)state;
    enum { N = 64, D = 16, H = 2 };
    struct kernel k;
    kernel_file(&k, "attention_causal");
    kernel_set(&k, "N_CTX", N);
    kernel_set(&k, "head_stride", N * D);
    kernel_set(&k, "H", H);
    kernel_set(&k, "grid.x", 2);
    kernel_set(&k, "grid.y", H);
    kernel_set_real(&k, "scale", 0.5);
    struct exec_array *q = kernel_input(&k, "q", H * N * D),
                      *key = kernel_input(&k, "k", H * N * D);
    struct exec_array *v = kernel_input(&k, "v", H * N * D),
                      *out = kernel_output(&k, "out", H * N * D);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int h = 0; h < H; h++)
        for (int i = 0; i < N; i++) {
            double weights = 0, sum[D] = {0};
            for (int j = 0; j <= i; j++) {
                double score = 0;
                for (int d = 0; d < D; d++)
                    score += q->at[(h * N + i) * D + d].real * key->at[(h * N + j) * D + d].real;
                weights += exp(0.5 * score);
                for (int d = 0; d < D; d++)
                    sum[d] += exp(0.5 * score) * v->at[(h * N + j) * D + d].real;
            }
            for (int d = 0; d < D; d++)
                near(out->at[(h * N + i) * D + d].real, sum[d] / weights);
        }
    kernel_release(&k);
}

// Rows whose flag is 0 are not written; those with 2 are doubled.
static void returns_early(void **state)
{
    (void)state;
    enum { ROWS = 3, N = 70 };
    struct kernel k;
    kernel_file(&k, "early_return");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", ROWS);
    kernel_set(&k, "grid.x", ROWS);
    struct exec_array *x = kernel_input(&k, "x", ROWS * N), *keep = kernel_input(&k, "keep", ROWS);
    struct exec_array *out = kernel_output(&k, "out", ROWS);
    for (int r = 0; r < ROWS; r++)
        keep->at[r].whole = r;
    kernel_run(&k);
    assert_int_equal(k.run.fault.len, 0);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += x->at[r * N + j].real;
        assert_int_equal(out->element[r].writes, r > 0);
        if (r > 0)
            near(out->at[r].real, r * sum);
    }
    kernel_release(&k);
}

static void chooses_arrays(void **state)
{
    (void)state;
    enum { N = 100 };
    struct kernel k;
    kernel_file(&k, "choose_array");
    kernel_set(&k, "n", N);
    kernel_set(&k, "grid.x", 2);
    kernel_set(&k, "grid.y", 2);
    struct exec_array *x = kernel_input(&k, "x", N), *y = kernel_input(&k, "y", N);
    struct exec_array *out = kernel_output(&k, "out", 2 * N);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int i = 0; i < N; i++) {
        near(out->at[i].real, x->at[i].real);
        near(out->at[N + i].real, y->at[i].real);
    }
    kernel_release(&k);
}

// What the reader defines by other functions is what the C library computes, at halves too.
static void defines_functions(void **state)
{
    (void)state;
    enum { N = 70 };
    struct kernel k;
    kernel_file(&k, "library_functions");
    kernel_set(&k, "n", N);
    kernel_set(&k, "grid.x", 2);
    struct exec_array *x = kernel_input(&k, "x", N);
    for (int i = 0; i < N; i++)
        x->at[i].real = i < 40 ? 0.5 * (i - 20) : x->at[i].real;
    struct exec_array *hyperbolic = kernel_output(&k, "hyperbolic", N);
    struct exec_array *inverse = kernel_output(&k, "inverse", N);
    struct exec_array *powers = kernel_output(&k, "powers", N);
    struct exec_array *rounded = kernel_output(&k, "rounded", N);
    kernel_run(&k);
    kernel_is_clean(&k, rounded);
    for (int i = 0; i < N; i++) {
        double v = x->at[i].real, a = fabs(v);
        near(hyperbolic->at[i].real, 3 * sinh(v) + cosh(v));
        near(inverse->at[i].real, asinh(v) + 2 * acosh(1.5 + a) + 3 * atanh(v / (1 + a)));
        near(powers->at[i].real,
             log10(1 + a) + 2 * pow(10, v) + 3 * erfc(v) + 5 * fmin(fmax(v, 0), 1) + 7 / (2 + a));
        near(rounded->at[i].real,
             trunc(v) + 100 * round(v) + 10000 * rint(v) + 1000000 * rint(v + 1));
    }
    kernel_release(&k);
}

// Rounding to integers: to the even one of two neighbours, and towards zero.
static void quantizes(void **state)
{
    (void)state;
    enum { ROWS = 3, N = 50 };
    struct kernel k;
    kernel_file(&k, "quantize_rows");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", ROWS);
    kernel_set(&k, "grid.x", ROWS);
    struct exec_array *x = kernel_input(&k, "x", ROWS * N), *q = kernel_output(&k, "q", ROWS * N);
    struct exec_array *low = kernel_output(&k, "low", ROWS * N);
    struct exec_array *scale = kernel_output(&k, "scale", ROWS);
    kernel_run(&k);
    kernel_is_clean(&k, q);
    for (int r = 0; r < ROWS; r++) {
        double most = 1e-10;
        for (int j = 0; j < N; j++)
            most = fmax(most, fabs(x->at[N * r + j].real));
        near(scale->at[r].real, most / 127);
        for (int j = 0; j < N; j++) {
            double v = x->at[N * r + j].real / (most / 127);
            assert_int_equal(q->at[N * r + j].whole, (int64_t)rint(v));
            assert_int_equal(low->at[N * r + j].whole, (int64_t)v);
        }
    }
    kernel_release(&k);
}

static void calls_private_functions(void **state)
{
    (void)state;
    enum { N = 70 };
    static const double bounds[][2] = {{-0.25, 0.25}, {1, -1}};
    for (int which = 0; which < 2; which++) {
        struct kernel k;
        kernel_file(&k, "call_private");
        kernel_set(&k, "n", N);
        kernel_set(&k, "grid.x", 2);
        kernel_set_real(&k, "low", bounds[which][0]);
        kernel_set_real(&k, "high", bounds[which][1]);
        struct exec_array *x = kernel_input(&k, "x", N), *out = kernel_output(&k, "out", N);
        kernel_run(&k);
        kernel_is_clean(&k, out);
        double factor = x->at[0].real;
        if (which == 0)
            factor = fmin(fmax(factor, -0.25), 0.25);
        for (int i = 0; i < N; i++)
            near(out->at[i].real, x->at[i].real * factor);
        kernel_release(&k);
    }
}

static void folds(void **state)
{
    (void)state;
    enum { N = 50 };
    struct kernel k;
    kernel_file(&k, "cumulative");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", 1);
    kernel_set(&k, "grid.x", 1);
    struct exec_array *x = kernel_input(&k, "x", N), *out = kernel_output(&k, "out", N);
    struct exec_array *back = kernel_output(&k, "back", N);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    kernel_is_clean(&k, back);
    for (int i = 0; i < N; i++) {
        double before = 0, behind = 0;
        for (int j = 0; j < N; j++)
            *(j <= i ? &before : &behind) += x->at[j].real;
        near(out->at[i].real, before);
        near(back->at[i].real, behind + x->at[i].real);
    }
    kernel_release(&k);
}

static void finds_greatest(void **state)
{
    (void)state;
    enum { N = 50 };
    struct kernel k;
    kernel_file(&k, "argmax_row");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", 1);
    kernel_set(&k, "grid.x", 1);
    struct exec_array *x = kernel_input(&k, "x", N), *value = kernel_output(&k, "value", 1);
    struct exec_array *at = kernel_output(&k, "index", 1);
    x->at[17].real = x->at[31].real = 5;
    kernel_run(&k);
    near(value->at[0].real, 5);
    assert_int_equal(at->at[0].whole, 17);
    kernel_release(&k);
}

static void merges_moments(void **state)
{
    (void)state;
    enum { N = 50 };
    struct kernel k;
    kernel_file(&k, "moments");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", 1);
    kernel_set(&k, "grid.x", 1);
    struct exec_array *x = kernel_input(&k, "x", N), *mean = kernel_output(&k, "mean", 1);
    struct exec_array *variance = kernel_output(&k, "variance", 1);
    kernel_run(&k);
    double m = 0, v = 0;
    for (int i = 0; i < N; i++)
        m += x->at[i].real / N;
    for (int i = 0; i < N; i++)
        v += (x->at[i].real - m) * (x->at[i].real - m) / N;
    near(mean->at[0].real, m);
    near(variance->at[0].real, v);
    kernel_release(&k);
}

static void moves_tiles(void **state)
{
    (void)state;
    enum { Z = 2, M = 11, N = 13 };
    struct kernel k;
    kernel_file(&k, "permute_tiles");
    kernel_set(&k, "M", M);
    kernel_set(&k, "N", N);
    kernel_set(&k, "Z", Z);
    kernel_set(&k, "grid.x", Z);
    kernel_set(&k, "grid.y", 2);
    struct exec_array *x = kernel_input(&k, "x", Z * M * N),
                      *out = kernel_output(&k, "out", Z * M * N);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int z = 0; z < Z; z++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                near(out->at[z * M * N + j * M + i].real, x->at[z * M * N + i * N + j].real);
    kernel_release(&k);
    kernel_file(&k, "transpose_descriptors");
    kernel_set(&k, "M", M);
    kernel_set(&k, "N", 2 * N);
    kernel_set(&k, "xs", 2 * N);
    kernel_set(&k, "os", M);
    kernel_set(&k, "grid.x", 1);
    kernel_set(&k, "grid.y", 2);
    x = kernel_input(&k, "x", 2 * M * N);
    out = kernel_output(&k, "out", 2 * M * N);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < 2 * N; j++)
            near(out->at[j * M + i].real, x->at[i * 2 * N + j].real);
    kernel_release(&k);
}

static void interleaves(void **state)
{
    (void)state;
    enum { N = 100 };
    struct kernel k;
    kernel_file(&k, "interleave");
    kernel_set(&k, "n", N);
    kernel_set(&k, "grid.x", 2);
    struct exec_array *x = kernel_input(&k, "x", N / 2), *y = kernel_input(&k, "y", N / 2);
    struct exec_array *out = kernel_output(&k, "out", N), *sums = kernel_output(&k, "sums", N / 2);
    kernel_run(&k);
    kernel_is_clean(&k, out);
    kernel_is_clean(&k, sums);
    for (int i = 0; i < N; i++)
        near(out->at[i].real, (i % 2 ? y : x)->at[i / 2].real);
    for (int i = 0; i < N / 2; i++)
        near(sums->at[i].real, x->at[i].real + y->at[i].real);
    kernel_release(&k);
}

static void sorts(void **state)
{
    (void)state;
    enum { N = 40 };
    struct kernel k;
    kernel_file(&k, "sort_row");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", 1);
    kernel_set(&k, "grid.x", 1);
    kernel_input(&k, "x", N);
    struct exec_array *out = kernel_output(&k, "out", N);
    kernel_output(&k, "count", 16);
    kernel_run(&k);
    for (int i = 0; i + 1 < N; i++)
        assert_true(out->at[i].real <= out->at[i + 1].real);
    // The histogram has no meaning here: what it gives is not known, and it is written.
    assert_non_null(kernel_fault(&k, EXEC_UNDEFINED));
    kernel_release(&k);
}

// Every program adds to one element: no race, and no order.
static void updates(void **state)
{
    (void)state;
    enum { N = 50, ROWS = 4 };
    struct kernel k;
    kernel_file(&k, "atomic_total");
    kernel_set(&k, "n", N);
    kernel_set(&k, "rows", ROWS);
    kernel_set(&k, "grid.x", ROWS);
    struct exec_array *x = kernel_input(&k, "x", ROWS * N), *out = kernel_input(&k, "out", 1);
    double sum = out->at[0].real;
    for (int i = 0; i < ROWS * N; i++)
        sum += x->at[i].real;
    kernel_run(&k);
    assert_int_equal(k.run.fault.len, 0);
    near(out->at[0].real, sum);
    kernel_release(&k);
}

// The grid may have any size.
static void strides_over_the_grid(void **state)
{
    (void)state;
    enum { N = 300 };
    for (int64_t programs = 1; programs < 8; programs += 3) {
        struct kernel k;
        kernel_file(&k, "grid_stride");
        kernel_set(&k, "n", N);
        kernel_set(&k, "G", programs);
        kernel_set(&k, "grid.x", programs);
        struct exec_array *x = kernel_input(&k, "x", N), *out = kernel_output(&k, "out", N);
        kernel_run(&k);
        kernel_is_clean(&k, out);
        for (int i = 0; i < N; i++)
            near(out->at[i].real, fabs(x->at[i].real));
        kernel_release(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds),
        cmocka_unit_test(runs_in_part),
        cmocka_unit_test(writes_are_work),
        cmocka_unit_test(softmaxes),
        cmocka_unit_test(normalizes),
        cmocka_unit_test(multiplies),
        cmocka_unit_test(attends),
        cmocka_unit_test(returns_early),
        cmocka_unit_test(chooses_arrays),
        cmocka_unit_test(calls_private_functions),
        cmocka_unit_test(defines_functions),
        cmocka_unit_test(quantizes),
        cmocka_unit_test(folds),
        cmocka_unit_test(finds_greatest),
        cmocka_unit_test(merges_moments),
        cmocka_unit_test(moves_tiles),
        cmocka_unit_test(interleaves),
        cmocka_unit_test(sorts),
        cmocka_unit_test(updates),
        cmocka_unit_test(strides_over_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
