// SPDX-License-Identifier: Apache-2.0
// Kernels whose text was spoiled: lines that are gone, doubled or elsewhere, words in each other's
// place, huge numbers, bytes of any kind, a text that ends early.  Each is lifted, or refused with
// one message and its place.  Under sanitizers this is a test of all parts that lifting has.
//
//   kernel_texts [NUMBER [SEED]]
#include "api/kernel/kernel.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t wanted = 96;
static uint64_t seed = 1;

static const char *const kernels[] = {
    "scale_add",     "softmax_row",  "softmax_online",  "layer_norm",     "sum_lanes",
    "matmul_blocks", "argmax_row",   "choose_array",    "early_return",   "cross_entropy",
    "cumulative",    "spin_lock",    "permute_tiles",   "rotate_halves",  "transpose_descriptors",
    "integers",      "grid_stride",  "softmax_columns", "matmul_grouped", "moments",
    "embedding",     "call_private",
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static const char *const numbers[] = {
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999999",
    "2147483648",
    "4294967296",
    "1e400",
    "0",
    "-1",
    "65536",
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

struct part {
    size_t at, n;
};
struct parts {
    VEC(struct part) is;
};

static void part_push(struct parts *parts, const char *text, const char *from, size_t n)
{
    struct part part = {(size_t)(from - text), n};
    vec_push(&parts->is, part);
}

// Lines with their ends; or words, those of digits only if `digits`.
static void lines_of(const char *text, struct parts *out)
{
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        part_push(out, text, at, n);
        at += n;
    }
}

static void words_of(const char *text, bool digits, struct parts *out)
{
    const char *letters = "%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.#0123456789";
    for (const char *at = text; *at != '\0';) {
        size_t n = strspn(at, letters);
        if (n > 0 && (!digits || strspn(at, "0123456789") == n))
            part_push(out, text, at, n);
        at += n + (n == 0);
    }
}

// The text with part a replaced by the n bytes at `by`.
static void put(const struct buf *text, struct part a, const char *by, size_t n, struct buf *out)
{
    const char *from = buf_text(text);
    buf_write(out, from, a.at);
    buf_write(out, by, n);
    buf_write(out, from + a.at + a.n, text->len - a.at - a.n);
}

enum way { LINE_GONE, LINE_ELSEWHERE, WORD_ELSEWHERE, NUMBER, CUT, BYTE, WAYS };

static void spoil(const struct buf *text, enum way way, struct rng *rng, struct buf *out)
{
    struct parts parts = {0};
    const char *from = buf_text(text);
    if (way == LINE_GONE || way == LINE_ELSEWHERE)
        lines_of(from, &parts);
    else
        words_of(from, way == NUMBER, &parts);
    struct part a = {0}, b = {0};
    if (parts.is.len > 0) {
        a = parts.is.at[rng_below(rng, parts.is.len)];
        b = parts.is.at[rng_below(rng, parts.is.len)];
    }
    const char *number = numbers[rng_below(rng, N_NUMBERS)];
    char byte = (char)(1 + rng_below(rng, 255));
    if (way == CUT)
        buf_write(out, from, a.at);
    else if (way == BYTE)
        put(text, (struct part){a.at, 1}, &byte, 1, out);
    else if (way == NUMBER)
        put(text, a, number, strlen(number), out);
    else
        put(text, a, from + b.at, way == LINE_GONE ? 0 : b.n, out);
    vec_release(&parts.is);
}

// True: the text was read.
static bool lifted_or_refused(const char *name, const struct buf *text)
{
    struct kernel_job job;
    struct kernel_source source = {
        .text = buf_text(text), .n = text->len, .file = name, .seed = seed, .runs = 1};
    struct err err = {0};
    bool read = kernel_read(&job, &source, &err) && kernel_lift(&job, &source, &err);
    if (!read && (err.kind != ERR_INPUT || err.msg[0] == '\0' || err.line == 0))
        fail_msg("%s: a failure without place or message\n%s", name, buf_text(text));
    kernel_release(&job);
    return read;
}

static void spoiled_texts(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t read = 0;
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < wanted; i++) {
        struct buf path = {0}, text = {0}, spoiled = {0};
        struct err err = {0};
        const char *name = kernels[i % N_KERNELS];
        buf_printf(&path, "tests/kernels/%s.ttir", name);
        assert_true(file_read_text(buf_text(&path), 1 << 22, &text, &err));
        spoil(&text, (enum way)rng_below(&rng, WAYS), &rng, &spoiled);
        read += lifted_or_refused(name, &spoiled);
        buf_release(&path);
        buf_release(&text);
        buf_release(&spoiled);
    }
    print_message("%u spoiled texts: %u lifted, %u refused\n", wanted, read, wanted - read);
    assert_true(read > 0 && read < wanted);
}

// Two folds by functions of different lengths share one scratch.
static void folds_of_two_lengths(void **state)
{
    (void)state;
    struct buf text = {0};
    buf_puts(&text, "module {\n"
                    "  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {\n"
                    "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
                    "    %p = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n"
                    "    %q = tt.addptr %p, %r : tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
                    "    %v = tt.load %q : tensor<4x!tt.ptr<f32>>\n");
    for (int more = 0; more < 2; more++) {
        buf_printf(&text,
                   "    %%s%d = \"tt.reduce\"(%%v) <{axis = 0 : i32}> ({\n"
                   "    ^bb0(%%a: f32, %%b: f32):\n"
                   "      %%c = arith.addf %%a, %%b : f32\n",
                   more);
        for (int i = 0; more && i < 20; i++)
            buf_printf(&text, "      %%u%d = arith.addf %%a, %%b : f32\n", i);
        buf_puts(&text, "      tt.reduce.return %c : f32\n    }) : (tensor<4xf32>) -> f32\n");
        buf_printf(&text,
                   "    %%o%d = tt.addptr %%y, %%n%d : !tt.ptr<f32>, i32\n"
                   "    tt.store %%o%d, %%s%d : !tt.ptr<f32>\n",
                   more, more, more, more);
    }
    buf_puts(&text, "    tt.return\n  }\n}\n");
    struct buf whole = {0};
    const char *from = buf_text(&text), *first = strstr(from, "    %r = ");
    buf_write(&whole, from, (size_t)(first - from));
    buf_puts(&whole, "    %n0 = arith.constant 0 : i32\n    %n1 = arith.constant 1 : i32\n");
    buf_puts(&whole, first);
    assert_true(lifted_or_refused("folds", &whole));
    buf_release(&whole);
    buf_release(&text);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spoiled_texts),
        cmocka_unit_test(folds_of_two_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
