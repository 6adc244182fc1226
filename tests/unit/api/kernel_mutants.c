// SPDX-License-Identifier: Apache-2.0
// Random changes of kernels: operators, predicates, constants, operands, masks.  Nothing that is
// proved of a changed kernel may differ from a run of it, be it the formula that was found or
// that of the kernel before the change.
//
//   kernel_mutants [NUMBER [SEED]]
#include "api/kernel/expect.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 12, FEW = 40 };
static uint32_t wanted = FEW;
static uint64_t seed = 1;

static const char *const kernels[] = {
    "scale_add",
    "softmax_row",
    "softmax_online",
    "layer_norm",
    "sum_lanes",
    "grid_stride",
    "transpose_descriptors",
    "permute_tiles",
    "matmul_blocks",
    "call_private",
    "argmax_row",
    "choose_array",
    "cumulative",
    "early_return",
    "softmax_columns",
    "rotate_halves",
    "rotate_pairs",
    "convolution",
    "transpose_convolution",
    "softmax_lanes",
    "rms_norm_programs",
    "dropout_given",
    "matmul_int8",
    "matmul_programs",
    "average_pool",
    "strided_product",
    "transpose_heads",
    "rotate_tiles",
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

// Words that may stand in each other's place.
static const char *const families[][9] = {
    {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maxnumf", "arith.minnumf"},
    {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remsi", "arith.minsi",
     "arith.divui", "arith.remui"},
    {"math.exp", "math.sqrt", "math.absf", "math.log", "math.exp2"},
    {" slt,", " sle,", " sgt,", " sge,", " eq,", " ne,", " ult,", " uge,"},
    {"arith.extsi", "arith.extui"},
    {"arith.sitofp", "arith.uitofp"},
    {"arith.andi", "arith.ori"},
    {"0.000000e+00", "1.000000e+00", "0xFF800000"},
};
enum { N_FAMILIES = sizeof families / sizeof *families };

struct line {
    const char *at;
    size_t n;
};
struct source {
    struct buf text;
    VEC(struct line) line;
    struct rng *rng;
};

static void split(struct source *source)
{
    const char *at = buf_text(&source->text);
    while (*at != '\0') {
        size_t n = strcspn(at, "\n");
        struct line line = {at, n};
        if (n > 2 && at[0] == ' ' && memchr(at, '%', n) != NULL)
            vec_push(&source->line, line);
        at += n + (at[n] == '\n');
    }
}

// The text with n bytes at `at` replaced.
static void replace(const struct source *source, const char *at, size_t n, const char *to,
                    size_t n_to, struct buf *out)
{
    const char *text = buf_text(&source->text);
    buf_write(out, text, (size_t)(at - text));
    buf_write(out, to, n_to);
    buf_puts(out, at + n);
}

static const char *find_in(struct line line, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= line.n; i++)
        if (memcmp(line.at + i, word, n) == 0)
            return line.at + i;
    return NULL;
}

// ---- changes of a line; false: there is nothing to change

static bool change_word(const struct source *source, struct line line, struct buf *out)
{
    uint32_t start = (uint32_t)rng_below(source->rng, N_FAMILIES);
    for (uint32_t f = 0; f < N_FAMILIES; f++) {
        const char *const *family = families[(start + f) % N_FAMILIES];
        uint32_t n = 0;
        while (n < 8 && family[n] != NULL)
            n++;
        for (uint32_t i = 0; i < n; i++) {
            const char *at = find_in(line, family[i]);
            if (at == NULL || (at[strlen(family[i])] != ' ' && f == 0))
                continue;
            const char *to = family[(i + 1 + rng_below(source->rng, n - 1)) % n];
            replace(source, at, strlen(family[i]), to, strlen(to), out);
            return true;
        }
    }
    return false;
}

static bool change_integer(const struct source *source, struct line line, struct buf *out)
{
    const char *at = find_in(line, "arith.constant ");
    if (at == NULL)
        return false;
    const char *end = line.at + line.n, *digit = at + 15;
    if (strncmp(digit, "dense<", 6) == 0)
        digit += 6;
    char *behind;
    long value = strtol(digit, &behind, 10);
    if (behind == digit || behind >= end || (*behind != ' ' && *behind != '>'))
        return false;
    static const int by[] = {-1, 1, 2, -2, 16};
    char text[32];
    long other = rng_below(source->rng, 4) == 0 ? value * 2 : value + by[rng_below(source->rng, 5)];
    int n = snprintf(text, sizeof text, "%ld", other);
    replace(source, digit, (size_t)(behind - digit), text, (size_t)n, out);
    return true;
}

struct operands {
    uint32_t n;
    const char *at[6];
    size_t size[6];
};

static struct operands operands_of(struct line line)
{
    struct operands operands = {0};
    const char *end = line.at + line.n, *at = memchr(line.at, '=', line.n);
    for (at = at != NULL ? at : line.at; at < end && operands.n < 6; at++) {
        if (*at != '%')
            continue;
        size_t n = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_0123456789#");
        operands.at[operands.n] = at;
        operands.size[operands.n++] = n;
        at += n - 1;
    }
    return operands;
}

// Two operands change places.
static bool swap_operands(const struct source *source, struct line line, struct buf *out)
{
    struct operands o = operands_of(line);
    if (o.n < 2)
        return false;
    uint32_t i = (uint32_t)rng_below(source->rng, o.n - 1), k = i + 1;
    struct buf text = {0};
    buf_write(&text, o.at[k], o.size[k]);
    buf_write(&text, o.at[i] + o.size[i], (size_t)(o.at[k] - o.at[i] - (ptrdiff_t)o.size[i]));
    buf_write(&text, o.at[i], o.size[i]);
    replace(source, o.at[i], (size_t)(o.at[k] + o.size[k] - o.at[i]), buf_text(&text), text.len,
            out);
    buf_release(&text);
    return true;
}

// An operand becomes one of another line; if types differ, the reader refuses the text.
static bool other_operand(const struct source *source, struct line line, struct buf *out)
{
    struct operands o = operands_of(line);
    struct operands from = operands_of(source->line.at[rng_below(source->rng, source->line.len)]);
    if (o.n == 0 || from.n == 0)
        return false;
    uint32_t i = (uint32_t)rng_below(source->rng, o.n),
             k = (uint32_t)rng_below(source->rng, from.n);
    replace(source, o.at[i], o.size[i], from.at[k], from.size[k], out);
    return true;
}

// A load loses its mask or what masked lanes are, a store its mask.
static bool drop_mask(const struct source *source, struct line line, struct buf *out)
{
    struct operands o = operands_of(line);
    bool load = find_in(line, "tt.load") != NULL;
    bool store = find_in(line, "tt.store") != NULL;
    uint32_t keep = load ? 1 + (uint32_t)rng_below(source->rng, 2) : 2;
    if (!(load || store) || o.n <= keep)
        return false;
    const char *from = o.at[keep - 1] + o.size[keep - 1], *to = o.at[o.n - 1] + o.size[o.n - 1];
    replace(source, from, (size_t)(to - from), "", 0, out);
    return true;
}

static bool change(const struct source *source, struct buf *out)
{
    static bool (*const changes[])(const struct source *, struct line, struct buf *) = {
        change_word, change_word, change_integer, swap_operands, other_operand, drop_mask};
    struct line line = source->line.at[rng_below(source->rng, source->line.len)];
    return changes[rng_below(source->rng, sizeof changes / sizeof *changes)](source, line, out);
}

// ---- what is proved of the changed kernel

struct tally {
    uint32_t made, same, other, open, unreadable;
};

static void expectations_of(const char *text, size_t n, const char *name, struct buf *out)
{
    struct kernel_job job;
    struct kernel_source source = {.text = text, .n = n, .file = name, .seed = seed, .runs = 3};
    struct err err = {0};
    assert_true(kernel_read(&job, &source, &err) && kernel_lift(&job, &source, &err));
    for (uint32_t i = 0; i < job.answer.len; i++)
        if (job.answer.at[i].word == KERNEL_PROVED)
            kernel_put_expectation(&job, &job.answer.at[i], out);
    assert_true(out->len > 0);
    kernel_release(&job);
}

static void must_agree(struct kernel_job *job, const char *name, const struct buf *text)
{
    for (uint32_t i = 0; i < job->answer.len; i++) {
        struct validation validation = {0};
        if (job->answer.at[i].checked == NULL || !job->answer.at[i].checked->proved)
            continue;
        uint32_t facts = job->program.fact.len;
        kernel_assume_needs(job, job->answer.at[i].checked);
        lifting_validate(&job->lifting, 1,
                         &(struct validation_of){job->answer.at[i].lifted, false, &validation},
                         seed + 7, RUNS);
        job->program.fact.len = facts;
        if (validation.kind == VALIDATED_DIFFERS)
            fail_msg("%s: proved, but %s\n%s", name, buf_text(&validation.text), buf_text(text));
        validation_release(&validation);
    }
}

// Is the formula of the kernel before the change proved?  Then no run may differ.
static bool is_same(struct kernel_job *job, const char *name, const struct buf *expectation,
                    const struct buf *text)
{
    struct kernel_expected expected;
    struct err err = {0};
    bool read = kernel_check_expected(&job->program, buf_text(&job->claim_text),
                                      buf_text(expectation), NULL, &expected, &err);
    bool proved = read && kernel_expected_proved(&expected);
    kernel_expected_release(&expected);
    if (!proved)
        return false;
    struct kernel_source source = {.file = name, .seed = seed + 11, .runs = RUNS};
    assert_true(kernel_expect(job, &source, buf_text(expectation), NULL, &expected, &err));
    if (expected.word == EXPECTED_REFUTED)
        fail_msg("%s: proved equal, but %s\n%s", name, buf_text(&expected.validation.text),
                 buf_text(text));
    kernel_expected_release(&expected);
    return true;
}

static bool any_proved(const struct kernel_job *job)
{
    for (uint32_t i = 0; i < job->answer.len; i++)
        if (job->answer.at[i].word == KERNEL_PROVED)
            return true;
    return false;
}

static void judge(const char *name, const struct buf *text, const struct buf *expectation,
                  struct tally *tally)
{
    struct kernel_job job;
    struct kernel_source source = {
        .text = buf_text(text), .n = text->len, .file = name, .seed = seed, .runs = 1};
    struct err err = {0};
    if (!kernel_read(&job, &source, &err) || !kernel_lift(&job, &source, &err)) {
        assert_int_not_equal(err.kind, ERR_BUG);
        tally->unreadable++;
    } else {
        tally->made++;
        must_agree(&job, name, text);
        bool same = is_same(&job, name, expectation, text);
        tally->same += same;
        tally->other += !same && any_proved(&job);
        tally->open += !same && !any_proved(&job);
    }
    kernel_release(&job);
}

static void change_kernel(const char *name, uint32_t n, struct rng *rng, struct tally *tally)
{
    struct source source = {.rng = rng};
    struct buf path = {0}, expectation = {0};
    struct err err = {0};
    buf_printf(&path, "tests/kernels/%s.ttir", name);
    assert_true(file_read_text(buf_text(&path), 1 << 22, &source.text, &err));
    expectations_of(buf_text(&source.text), source.text.len, name, &expectation);
    split(&source);
    for (uint32_t made = tally->made; tally->made < made + n;) {
        struct buf text = {0};
        if (change(&source, &text) && strcmp(buf_text(&text), buf_text(&source.text)) != 0)
            judge(name, &text, &expectation, tally);
        buf_release(&text);
    }
    vec_release(&source.line);
    buf_release(&source.text);
    buf_release(&path);
    buf_release(&expectation);
}

static void nothing_false_is_proved(void **state)
{
    (void)state;
    struct rng rng;
    struct tally tally = {0};
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < N_KERNELS; i++)
        change_kernel(kernels[i], (wanted + N_KERNELS - 1 - i) / N_KERNELS, &rng, &tally);
    print_message("%u changed kernels: %u proved equal, %u proved to compute something else, "
                  "%u not proved; %u texts that the reader refuses\n",
                  tally.made, tally.same, tally.other, tally.open, tally.unreadable);
    // The changes are of all kinds.
    assert_true(tally.same > 0 && tally.other > 0 && tally.open > 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_false_is_proved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
