// SPDX-License-Identifier: Apache-2.0
// The check of lifted kernels: what is lifted is proved; planted faults (a wrong closed form, inverse,
// extent, stride or formula) are not; random changes of the claim's words are hardly ever proved.
#include "base/rng.h"
#include "io/ttir/ttir.h"
#include "proof/kernel/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct code_program program;
static struct buf claim_text;

static void lift(const char *name)
{
    struct buf path = {0}, text = {0};
    struct err err = {0};
    struct lifting lifting;
    buf_printf(&path, "tests/kernels/%s.ttir", name);
    assert_true(file_read_text(buf_text(&path), 1 << 22, &text, &err));
    code_init(&program);
    assert_true(ttir_read(buf_text(&text), text.len, buf_text(&path), NULL, &program, &err));
    lifting_run(&lifting, &program);
    buf_clear(&claim_text);
    claim_print(&lifting, &claim_text);
    lifting_release(&lifting);
    buf_release(&path);
    buf_release(&text);
}

// The number of outputs that are proved; -1: the text is no claim.
static int proved(const char *text)
{
    struct claim claim;
    struct err err = {0};
    int n = -1;
    if (claim_read(text, &claim, &err)) {
        struct kernel_check check;
        kernel_check(&program, &claim, &check);
        n = 0;
        for (uint32_t i = 0; i < check.outputs.len; i++)
            n += check.outputs.at[i].proved;
        kernel_check_release(&check);
    } else {
        assert_int_equal(err.kind, ERR_INPUT);
    }
    claim_release(&claim);
    return n;
}

static void shut(void)
{
    code_release(&program);
    buf_release(&claim_text);
}

static void lifted_is_proved(void **state)
{
    static const struct {
        const char *name;
        int outputs; // that are proved
    } kernels[] = {{"scale_add", 1},
                   {"softmax_row", 1},
                   {"softmax_online", 1},
                   {"layer_norm", 1},
                   {"sum_lanes", 1},
                   {"permute_tiles", 1},
                   {"call_private", 1},
                   {"matmul_blocks", 1},
                   {"transpose_descriptors", 1},
                   {"attention_causal", 1},
                   {"softmax_columns", 1},
                   {"embedding", 1},
                   {"cross_entropy", 1},
                   {"early_return", 1},
                   {"cumulative", 2},
                   {"rotate_halves", 2},
                   {"argmax_row", 2},
                   {"rotate_pairs", 2},
                   {"convolution", 1},
                   {"dropout_given", 1},
                   {"softmax_lanes", 1},
                   {"attention_masked", 2},
                   {"matmul_int8", 1},
                   {"matmul_programs", 1},
                   {"rms_norm_programs", 1},
                   {"transpose_convolution", 1},
                   {"logsumexp_rows", 1},
                   {"flip", 1},
                   {"dequantize_blocks", 1},
                   {"sum_magnitudes", 1},
                   {"attention_heads", 2},
                   {"adamw", 3},
                   {"attention_two_loops", 1},
                   {"scale_gradient", 2},
                   {"rotate_heads", 2},
                   {"moments_of_channel", 2},
                   {"convolution_causal", 1},
                   {"average_pool", 1},
                   {"rotate_tiles", 2},
                   {"convolution_padded", 1},
                   {"strided_product", 1},
                   {"transpose_heads", 1},
                   {"library_functions", 4},
                   {"quantize_rows", 3},
                   {"combine_splits", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        lift(kernels[i].name);
        if (proved(buf_text(&claim_text)) != kernels[i].outputs)
            fail_msg("%s is not proved", kernels[i].name);
        shut();
    }
}

// The claim with the n-th `from` (from 0) replaced by `to`; false: there is none.
static bool changed(const char *from, const char *to, uint32_t n, struct buf *out)
{
    const char *at = buf_text(&claim_text);
    for (; (at = strstr(at, from)); at += strlen(from)) {
        if (n-- > 0)
            continue;
        buf_clear(out);
        buf_write(out, buf_text(&claim_text), (size_t)(at - buf_text(&claim_text)));
        buf_puts(out, to);
        buf_puts(out, at + strlen(from));
        return true;
    }
    return false;
}

static void must_fail(const char *from, const char *to, uint32_t n)
{
    struct buf text = {0};
    if (!changed(from, to, n, &text))
        fail_msg("the claim has no %s", from);
    if (proved(buf_text(&text)) > 0)
        fail_msg("proved after %s became %s", from, to);
    buf_release(&text);
}

static void planted_faults(void **state)
{
    (void)state;
    lift("softmax_online");
    must_fail("formula tensor x[i, j]; exp(", "formula tensor x[i, j]; exp(-", 0);
    must_fail(")/sum[", ")*sum[", 0);
    must_fail("max[j]", "sum[j]", 0);
    must_fail("s iteration'", "s rows", 0); // a closed form that does not grow
    must_fail("p 1 64 1 s iteration'", "p 1 32 1 s iteration'", 0);
    must_fail("p 1 64 1 s iteration'", "p 2 1 0 64 1 s iteration'", 0);
    must_fail("witness p 1 1 1 s axis'0", "witness p 1 1 1 s axis'1", 0);
    must_fail("witness p 1 1 1 s axis'0", "witness p 2 1 0 1 1 s axis'0", 0);
    must_fail("axis j p 1 1 1 s n", "axis j p 2 1 0 1 1 s n", 0);
    must_fail("axis j p 1 1 1 s n", "axis j p 2 -1 0 1 1 s n", 0);
    shut();
    lift("sum_lanes");
    must_fail("sum[j]", "max[j]", 0);
    must_fail("x[i,j]", "x[i,j]*2", 0);
    shut();
    lift("matmul_blocks");
    must_fail("axis k p 1 1 1 s K", "axis k p 2 -1 0 1 1 s K", 0);
    shut();
}

// Fewer outputs are proved than without the change.
static void must_lose(const char *from, const char *to, uint32_t n)
{
    struct buf text = {0};
    if (!changed(from, to, n, &text))
        fail_msg("the claim has no %s", from);
    if (proved(buf_text(&text)) >= proved(buf_text(&claim_text)))
        fail_msg("proved after %s became %s", from, to);
    buf_release(&text);
}

// Conditions on indices, gathered elements, conditions on data, halves of one array.
static void planted_index_faults(void **state)
{
    (void)state;
    lift("attention_causal");
    must_fail("index_m[m] <= index_j[j]", "index_m[m] < index_j[j]", 0);
    must_fail("index_m[m] <= index_j[j]", "index_m[m] <= index_j[j] + 1", 1);
    must_fail("index_m[m] <= index_j[j]", "index_j[j] <= index_m[m]", 0);
    shut();
    lift("cumulative");
    must_lose("index_k[k] <= index_j[j]", "index_k[k] < index_j[j]", 0);
    must_lose("index_j[j] <= index_k[k]", "index_j[j] < index_k[k]", 0);
    must_lose(", x[i,k], 0)", ", x[i,k], 1)", 0);
    shut();
    lift("embedding");
    must_fail("table[j,i]\n", "table[j,i] + 1\n", 0);
    must_fail("s index'1", "s index'0", 0);
    must_fail("s index'1", "s rows", 0);
    shut();
    lift("cross_entropy");
    must_fail("ignore <= target[i]", "ignore < target[i]", 0);
    must_fail("loss[i], max", "0, max", 0);
    must_fail("- x_1[i]", "+ x_1[i]", 0);
    shut();
    lift("rotate_halves");
    must_lose("x[i,j]*cos[i,j] - x_1", "x_1[i,j]*cos[i,j] - x_1", 0);
    must_lose("p 1 16 0", "p 1 15 0", 0);
    shut();
    lift("argmax_row");
    must_lose("tensor x[i, j]; max[j]", "tensor x[i, j]; min[j]", 0);
    must_lose("min[j](where(", "max[j](where(", 0); // the last of equal ones
    must_lose("== max[j]", "== min[j]", 0);
    must_lose("index_j[j], 64", "index_j[j] + 1, 64", 0);
    must_lose("index_j[j], 64", "index_j[j], 0", 0);
    shut();
    lift("softmax_columns");
    must_fail("max[i]", "sum[i]", 0);
    shut();
}

// Lanes of which nothing is claimed, indices that count down, tiles that share an element.
static void planted_faults_of_lanes(void **state)
{
    (void)state;
    lift("logsumexp_rows");
    must_fail(" u t 11", " n 0 t 11", 0); // rows behind the last one have no value
    must_fail("closed 1 1 t", "closed 1 1 u\nclosed 99 1 t", 0); // nothing is claimed of any row
    must_fail("closed 0 1 t", "closed 0 1 u\nclosed 99 1 t", 0);
    shut();
    lift("flip");
    must_fail("x[i]\n", "x[i]*2\n", 0);
    must_fail("tensor x 0 p 2 -1 0 1 1 s n", "tensor x 0 p 1 1 1 s n", 0);
    must_fail("witness p 1 1 1 1", "witness p 1 1 1 2", 0);
    shut();
    lift("dequantize_blocks");
    must_fail("p 1 64 0", "p 1 32 0", 0);
    must_fail("x[i,j]*s[i,j]", "x[i,j]*s[i,j]*s[i,j]", 0);
    shut();
    lift("attention_heads");
    must_lose("index_l[l] <= index_j[j]", "index_l[l] < index_j[j]", 0);
    shut();
}

// Axes with one stride, elements that conditions on indices keep inside, numbers that data makes,
// loops in steps of the grid, truth values in memory.
static void planted_faults_of_styles(void **state)
{
    (void)state;
    lift("convolution");
    must_fail("axis k p 1 1 1 s T", "axis k p 2 1 0 1 1 s T", 0);
    must_fail(" 2 p 1 1 0\ntensor w", " 2 p 1 2 0\ntensor w", 0);
    shut();
    // The same value, but elements in front of the array are read for it.
    lift("transpose_convolution");
    must_fail(", x[i,j,k]*w[k], 0))", ", x[i,j,k]*w[k], 0) + (x[i,j,k] - x[i,j,k]))", 0);
    must_fail("index[j,k] <= 0", "index[j,k] <= 1", 0);
    shut();
    lift("matmul_int8");
    must_fail("sum[k]", "max[k]", 0);
    must_fail("p 1 32 1 s iteration'", "p 1 16 1 s iteration'", 0);
    must_fail("sa[i]*sb[j]", "sa[i] + sb[j]", 0);
    shut();
    lift("matmul_programs");
    must_fail("axis i p 1 1 1 s M", "axis i p 2 1 0 1 1 s M", 0);
    shut();
    lift("rms_norm_programs");
    must_fail("axis i p 1 1 1 s rows", "axis i p 1 1 1 s G", 0);
    shut();
    lift("rotate_pairs");
    must_lose("- x_1[i,j,k]*sin", "+ x_1[i,j,k]*sin", 0);
    shut();
    lift("quantize_rows");
    must_lose("max[j](abs(x[i,j]))", "max[j](x[i,j])", 0);
    must_lose("+ 0.5) - 1, floor(", "+ 0.5) - 1, ceil(", 0);
    must_lose("where(x[i,j]/(max(max[j](abs(x[i,j])), 1e-10)/127) < 0",
              "where(0 < x[i,j]/(max(max[j](abs(x[i,j])), 1e-10)/127)", 0);
    shut();
    lift("dropout_given");
    must_fail("0 < keep[i]", "1 < keep[i]", 0);
    shut();
}

// Blocks of rows with a shorter last one, loops that write what they have read, folds that begin
// where another loop ended.
static void planted_faults_of_blocks(void **state)
{
    (void)state;
    lift("scale_gradient");
    must_lose("axis i p 1 1 1 s rows", "axis i p 2 1 0 1 1 s rows", 0);
    must_lose("index_k[k] < index[i]", "index_k[k] <= index[i]", 0);
    must_lose("dy[i,j]*w[j]", "dy[i,j] + w[j]", 0);
    shut();
    lift("rotate_heads");
    must_lose("axis j p 1 1 1 s heads", "axis j p 2 1 0 1 1 s heads", 0);
    must_lose("axis j p 1 1 1 s heads", "axis j p 2 -1 0 1 1 s heads", 0);
    shut();
    lift("attention_two_loops");
    must_fail("index_m[m] <= index_j[j]", "index_m[m] < index_j[j]", 0);
    must_fail("p 1 32 1 s iteration'", "p 2 1 0 32 1 s iteration'", 0);
    must_fail("p 1 64 1 s program'0", "p 2 1 0 64 1 s program'0", 0);
    shut();
    lift("moments_of_channel");
    must_lose("x[l,i,m,k,j]*x[l,i,m,k,j]", "x[l,i,m,k,j]", 0);
    shut();
    lift("convolution_causal");
    must_fail("3 <= index", "2 <= index", 0);
    shut();
    lift("matmul_turned");
    assert_int_equal(proved(buf_text(&claim_text)), 0); // lanes behind K are undefined
    shut();
    // An element that the iteration before has written.
    lift("double_last");
    assert_int_equal(proved(buf_text(&claim_text)), 0);
    shut();
}

// One word of the claim becomes another one of it, or a number changes.
static void corrupt(struct rng *rng, struct buf *out)
{
    const char *text = buf_text(&claim_text);
    size_t from = rng_below(rng, claim_text.len), to = from;
    while (from > 0 && !strchr(" \n", text[from - 1]))
        from--;
    while (text[to] && !strchr(" \n", text[to]))
        to++;
    buf_clear(out);
    buf_write(out, text, from);
    if (rng_below(rng, 2)) {
        buf_printf(out, "%d", (int)rng_below(rng, 5) - 1);
    } else {
        size_t other = rng_below(rng, claim_text.len), end = other;
        while (other > 0 && !strchr(" \n", text[other - 1]))
            other--;
        while (text[end] && !strchr(" \n", text[end]))
            end++;
        buf_write(out, text + other, end - other);
    }
    buf_puts(out, text + to);
}

static void random_corruptions(void **state)
{
    (void)state;
    struct rng rng;
    struct buf text = {0};
    uint32_t unchanged = 0, accepted = 0;
    rng_seed(&rng, 3);
    lift("softmax_online");
    for (int round = 0; round < 300; round++) {
        corrupt(&rng, &text);
        if (!strcmp(buf_text(&text), buf_text(&claim_text)))
            unchanged++;
        else if (proved(buf_text(&text)) > 0)
            accepted++;
    }
    print_message("%u of 300 unchanged, %u proved\n", unchanged, accepted);
    // Some changes say the same: the order of a sum, a name that is declared and not used.
    assert_true(accepted <= 6);
    buf_release(&text);
    shut();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifted_is_proved),         cmocka_unit_test(planted_faults),
        cmocka_unit_test(planted_index_faults),     cmocka_unit_test(planted_faults_of_lanes),
        cmocka_unit_test(planted_faults_of_styles), cmocka_unit_test(planted_faults_of_blocks),
        cmocka_unit_test(random_corruptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
