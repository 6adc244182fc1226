// SPDX-License-Identifier: Apache-2.0
// Records of lifted kernels: lines `key N`, each with N bytes of text and a newline behind it.
#include "api/kernel/kernel.h"
#include "loops/run/sample.h"
#include <stdlib.h>

enum { CHECK_CELLS = 1 << 20, CHECK_SAMPLES = 4 }; // of the search for sizes

static const char first_line[] = "rankwright kernel record 1\n";

static void put_part(const char *key, const char *text, size_t n, struct buf *out)
{
    buf_printf(out, "%s %zu\n", key, n);
    buf_write(out, text, n);
    buf_putc(out, '\n');
}

void kernel_record(const struct kernel_job *job, const struct kernel_source *source,
                   struct buf *out)
{
    buf_puts(out, first_line);
    put_part("kernel", source->text, source->n, out);
    if (source->kernel != NULL)
        put_part("name", source->kernel, strlen(source->kernel), out);
    if (source->grid != NULL)
        put_part("grid", source->grid, strlen(source->grid), out);
    struct buf assume = {0};
    if (source->assume != NULL)
        buf_puts(&assume, source->assume);
    if (job->proposed.len > 0)
        buf_printf(&assume, "%s%s", assume.len > 0 ? ", " : "", job->proposed.at);
    if (assume.len > 0)
        put_part("assume", assume.at, assume.len, out);
    buf_release(&assume);
    put_part("claim", buf_text(&job->claim_text), job->claim_text.len, out);
}

bool is_kernel_record(const char *text, size_t n)
{
    size_t k = sizeof first_line - 1;
    return n >= k && memcmp(text, first_line, k) == 0;
}

// ---- reading

struct parts {
    struct buf kernel, name, grid, assume, claim;
};

struct part_name {
    const char *key;
    struct buf *to;
};

static void parts_release(struct parts *parts)
{
    buf_release(&parts->kernel);
    buf_release(&parts->name);
    buf_release(&parts->grid);
    buf_release(&parts->assume);
    buf_release(&parts->claim);
}

static uint32_t line_of(const char *text, const char *at)
{
    uint32_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

// One part; *at moves behind it.
static bool read_part(struct parts *parts, const char **at, const char *end)
{
    const struct part_name names[] = {{"kernel ", &parts->kernel},
                                      {"name ", &parts->name},
                                      {"grid ", &parts->grid},
                                      {"assume ", &parts->assume},
                                      {"claim ", &parts->claim}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].key);
        if ((size_t)(end - *at) < n || memcmp(*at, names[i].key, n) != 0 || names[i].to->len > 0)
            continue;
        uint64_t size = 0;
        const char *digit = *at + n;
        for (; digit < end && *digit >= '0' && *digit <= '9' && size < UINT64_C(1) << 32; digit++)
            size = size * 10 + (uint64_t)(*digit - '0');
        if (digit == *at + n || digit == end || *digit != '\n' ||
            (uint64_t)(end - digit - 1) < size + 1 || digit[1 + size] != '\n')
            return false;
        if (memchr(digit + 1, '\0', size) != NULL)
            return false;
        buf_write(names[i].to, digit + 1, size);
        *at = digit + size + 2;
        return true;
    }
    return false;
}

static bool read_parts(const char *text, size_t n, const char *file, struct parts *parts,
                       struct err *err)
{
    const char *at = text + (sizeof first_line - 1), *end = text + n;
    if (!is_kernel_record(text, n))
        return err_at(err, ERR_INPUT, file, 1, 1, "expected a record of a lifted kernel");
    while (at < end)
        if (!read_part(parts, &at, end))
            return err_at(err, ERR_INPUT, file, line_of(text, at), 1,
                          "expected kernel, name, grid, assume or claim, each once, with its size "
                          "and as many bytes");
    if (parts->kernel.len > 0 && parts->claim.len > 0)
        return true;
    return err_at(err, ERR_INPUT, file, 1, 1, "expected a record with a kernel and a claim");
}

// ---- checking

static const char *or_null(const struct buf *buf)
{
    return buf->len > 0 ? buf_text(buf) : NULL;
}

// Of a claim the reader needs all that lift says: where elements are, what tensors are, the facts.
static void put_output(const struct kernel_job *job, uint32_t which, struct buf *out)
{
    const struct kernel_checked *checked = &job->check.outputs.at[which];
    const struct claim_output *claimed = &job->claim.outputs.at[which];
    const struct code_statement *statement = &job->program.statement.at[checked->statement];
    struct kernel_elements of = {.program = &job->program,
                                 .in = &job->claim.in,
                                 .array = statement->array,
                                 .n_axes = claimed->n_axes,
                                 .n_all_axes = claimed->axis.len,
                                 .n_tensors = claimed->tensor.len,
                                 .base = claimed->base,
                                 .stride = claimed->stride,
                                 .extent = claimed->extent,
                                 .axis = claimed->axis.at,
                                 .tensor = claimed->tensor.at};
    buf_puts(out, checked->proved ? "proved " : "not proved ");
    kernel_put_elements(&of, out);
    buf_printf(out, ", line %u\n  %s\n", statement->place.line, checked->formula);
    kernel_put_tensors(&of, out);
    kernel_put_facts(&job->program, out);
    for (uint32_t i = 0; i < checked->needs.len; i++)
        buf_printf(out, "  needs %s\n", checked->needs.at[i]);
    for (uint32_t i = 0; i < checked->obligations.len; i++)
        if (!checked->obligations.at[i].holds)
            buf_printf(out, "  does not hold: %s: %s\n", checked->obligations.at[i].name,
                       checked->obligations.at[i].about);
}

// Facts that no sizes meet would prove anything.
static bool has_sizes(struct kernel_job *job)
{
    struct execution run;
    struct rng rng;
    bool found = false;
    for (uint32_t i = 0; i < job->check.outputs.len; i++)
        kernel_assume_needs(job, &job->check.outputs.at[i]);
    rng_seed(&rng, 1);
    exec_init(&run, &job->program, CHECK_CELLS);
    for (uint32_t i = 0; i < CHECK_SAMPLES && !found; i++)
        found = sample_scalars(&run, &rng, &sample_usual);
    exec_release(&run);
    return found;
}

bool kernel_check_record(const char *text, size_t n, const char *file, const char *kernel,
                         struct buf *lines, bool *valid, struct err *err)
{
    struct parts parts = {0};
    struct kernel_job job = {0};
    bool ok = read_parts(text, n, file, &parts, err);
    *valid = false;
    if (ok) {
        struct kernel_source source = {.text = buf_text(&parts.kernel),
                                       .n = parts.kernel.len,
                                       .file = file,
                                       .kernel = or_null(&parts.name),
                                       .grid = or_null(&parts.grid),
                                       .assume = or_null(&parts.assume)};
        ok = kernel_read(&job, &source, err);
        job.claimed = ok;
        ok = ok && claim_read(buf_text(&parts.claim), &job.claim, err);
        if (ok) {
            kernel_check(&job.program, &job.claim, &job.check);
            *valid = job.check.outputs.len > 0;
            for (uint32_t i = 0; i < job.check.outputs.len; i++) {
                *valid = *valid && job.check.outputs.at[i].proved;
                put_output(&job, i, lines);
            }
            if (!has_sizes(&job)) {
                *valid = false;
                buf_puts(lines, "no sizes were found that meet what is given and needed\n");
            }
            if (kernel != NULL && strcmp(kernel, buf_text(&parts.kernel)) != 0) {
                *valid = false;
                buf_puts(lines, "the record is of another kernel\n");
            }
        }
        kernel_release(&job);
    }
    parts_release(&parts);
    return ok;
}
