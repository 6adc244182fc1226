// SPDX-License-Identifier: Apache-2.0
// Records of kernels that were spoiled: a byte, a digit or a word is another one, a line is gone or
// stands twice.  Each is rejected with a reason, or harmless: what it still proves is the same, or
// true of the kernel that it holds, which runs of that kernel do not refute.
//
//   kernel_records [NUMBER [SEED]]
#include "api/kernel/expect.h"
#include "api/kernel/record.h"
#include "base/rng.h"
#include "include/rankwright.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t wanted = 100;
static uint64_t seed = 1;
static struct rw_context *context;

// Of one output each.
static const char *const kernels[] = {"scale_add", "softmax_online", "sum_lanes", "matmul_blocks",
                                      "cross_entropy"};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static bool lift(struct kernel_job *job, struct kernel_source *source, const char *text, size_t n)
{
    struct err err = {0};
    *source = (struct kernel_source){.text = text, .n = n, .file = "k.ttir", .runs = 2};
    return kernel_read(job, source, &err) && kernel_lift_proposing(job, source, &err);
}

static void make_record(const char *name, struct buf *out)
{
    struct buf path = {0}, text = {0};
    struct err err = {0};
    struct kernel_job job;
    struct kernel_source source;
    buf_printf(&path, "tests/kernels/%s.ttir", name);
    assert_true(file_read_text(buf_text(&path), 1 << 22, &text, &err));
    assert_true(lift(&job, &source, buf_text(&text), text.len));
    assert_int_equal(job.answer.len, 1);
    kernel_record(&job, &source, out);
    kernel_record_expect(kernel_formula(&job, &job.answer.at[0]), NULL, out);
    kernel_release(&job);
    buf_release(&path);
    buf_release(&text);
}

static bool check(const struct buf *record, struct buf *lines)
{
    struct err err = {0};
    struct rw_check_options options = {.size = sizeof options};
    struct kernel_record_check how = {.context = context, .options = &options};
    bool valid = false;
    bool read = kernel_check_record(buf_text(record), record->len, "r", &how, lines, &valid, &err);
    assert_true(read || err.kind == ERR_INPUT || err.kind == ERR_LIMIT);
    assert_true(read || err.msg[0] != '\0');
    return read && valid;
}

// ---- spoiling

static size_t line_start(const struct buf *text, size_t at)
{
    while (at > 0 && text->at[at - 1] != '\n')
        at--;
    return at;
}

static void replace(const struct buf *from, size_t at, size_t n, const char *by, size_t m,
                    struct buf *out)
{
    buf_write(out, from->at, at);
    buf_write(out, by, m);
    buf_write(out, from->at + at + n, from->len - at - n);
}

// A digit near the place; the place itself if there is none.
static size_t digit_near(const struct buf *text, size_t at)
{
    for (size_t i = at; i < text->len && i < at + 200; i++)
        if (text->at[i] >= '0' && text->at[i] <= '9')
            return i;
    return at;
}

static void spoil(const struct buf *from, struct rng *rng, struct buf *out)
{
    static const char *const words[] = {"u", "p 0", "s n", "n 0", "n 1", "-1", "7", "i", "x"};
    size_t at = (size_t)rng_below(rng, from->len), start = line_start(from, at);
    size_t end = start + strcspn(from->at + start, "\n") + 1;
    end = end < from->len ? end : from->len;
    char byte = (char)(' ' + rng_below(rng, 95));
    const char *word = words[rng_below(rng, sizeof words / sizeof *words)];
    switch (rng_below(rng, 5)) {
    case 0:
        replace(from, at, 1, &byte, 1, out);
        break;
    case 1:
        byte = (char)('0' + rng_below(rng, 10));
        replace(from, digit_near(from, at), 1, &byte, 1, out);
        break;
    case 2: { // a word
        while (at > start && from->at[at - 1] != ' ')
            at--;
        size_t n = strcspn(from->at + at, " \n");
        replace(from, at, n, word, strlen(word), out);
        break;
    }
    case 3:
        replace(from, start, end - start, "", 0, out);
        break;
    default:
        replace(from, start, 0, from->at + start, end - start, out);
        break;
    }
}

// Sizes of parts that were not meant become right again, so that the rest is read at all.
static void set_sizes(struct buf *record, const struct buf *old)
{
    static const char *const keys[] = {"\nkernel ", "\nclaim ", "\nexpect "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *key = strstr(record->at, keys[i]), *before = strstr(old->at, keys[i]);
        const char *next = i + 1 < sizeof keys / sizeof *keys && key ? strstr(key + 1, keys[i + 1])
                                                                     : record->at + record->len - 1;
        if (key == NULL || before == NULL || next == NULL)
            continue;
        size_t from = (size_t)(key - record->at) + strlen(keys[i]);
        size_t digits = strspn(record->at + from, "0123456789");
        size_t body = from + digits + 1;
        size_t to = (size_t)(next - record->at);
        if (to < body)
            continue;
        struct buf made = {0};
        buf_write(&made, record->at, from);
        buf_printf(&made, "%zu", to - body);
        buf_write(&made, record->at + from + digits, record->len - from - digits);
        buf_release(record);
        *record = made;
        (void)buf_text(record);
    }
}

// ---- what a valid record claims

static bool part_of(const struct buf *record, const char *key, const char **at, size_t *n)
{
    const char *found = strstr(record->at, key);
    char *end;
    if (found == NULL)
        return false;
    *n = strtoul(found + strlen(key), &end, 10);
    *at = end + 1;
    return true;
}

static void must_be_true(const struct buf *record)
{
    const char *kernel = NULL, *claim = NULL;
    size_t n = 0, m = 0;
    struct kernel_job job;
    struct kernel_source source;
    assert_true(part_of(record, "\nkernel ", &kernel, &n));
    assert_true(part_of(record, "\nclaim ", &claim, &m));
    char *text = strndup(kernel, n), *claimed = strndup(claim, m);
    char *formula = strstr(claimed, "formula ");
    assert_non_null(formula);
    formula += strlen("formula ");
    formula[strcspn(formula, "\n")] = '\0';
    if (lift(&job, &source, text, n)) {
        struct kernel_expected expected;
        struct err err = {0};
        bool read = kernel_expect(&job, &source, formula, NULL, &expected, &err);
        if (read && expected.word == EXPECTED_REFUTED)
            print_message("%s\n%s\n", formula, buf_text(&expected.validation.text));
        assert_false(read && expected.word == EXPECTED_REFUTED);
        kernel_expected_release(&expected);
    }
    kernel_release(&job);
    free(text);
    free(claimed);
}

static void spoiled_records(void **state)
{
    struct rng rng;
    uint32_t rejected = 0, same = 0, other = 0;
    (void)state;
    rng_seed(&rng, seed);
    for (uint32_t k = 0; k < N_KERNELS; k++) {
        struct buf record = {0}, lines = {0};
        make_record(kernels[k], &record);
        assert_true(check(&record, &lines));
        for (uint32_t i = 0; i < (wanted + N_KERNELS - 1) / N_KERNELS; i++) {
            struct buf changed = {0}, now = {0};
            spoil(&record, &rng, &changed);
            (void)buf_text(&changed);
            if (rng_below(&rng, 4) != 0)
                set_sizes(&changed, &record);
            if (!check(&changed, &now)) {
                rejected++;
            } else if (strcmp(buf_text(&now), buf_text(&lines)) == 0) {
                same++;
            } else {
                other++;
                must_be_true(&changed);
            }
            buf_release(&changed);
            buf_release(&now);
        }
        buf_release(&record);
        buf_release(&lines);
    }
    print_message("%u rejected, %u the same, %u true of another kernel\n", rejected, same, other);
    assert_true(rejected > wanted / 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoiled_records)};
    if (argc > 1)
        wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    context = rw_context_new();
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_free(context);
    return status;
}
