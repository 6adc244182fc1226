// SPDX-License-Identifier: Apache-2.0
// Records of lifted kernels: lines `key N`, each with N bytes of text and a newline behind it.
//
//   kernel, claim     the text and what was found
//   name, grid, assume  what the caller said; only if he did
//   expect, about     what was expected, and of which array
//   simplify          a record of a formula, whose input is the formula of an output; any number
#include "api/kernel/record.h"
#include "api/kernel/page.h"
#include "loops/run/sample.h"
#include <stdlib.h>

enum {
    CHECK_CELLS = 1 << 20, // of the search for sizes
    CHECK_SAMPLES = 4,
    RECORD_FORMULAS = 64, // that one record simplifies
};

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

void kernel_record_expect(const char *text, const char *array, struct buf *out)
{
    put_part("expect", text, strlen(text), out);
    if (array != NULL)
        put_part("about", array, strlen(array), out);
}

void kernel_record_simplify(const char *record, size_t n, struct buf *out)
{
    put_part("simplify", record, n, out);
}

bool is_kernel_record(const char *text, size_t n)
{
    size_t k = sizeof first_line - 1;
    return n >= k && memcmp(text, first_line, k) == 0;
}

// ---- reading

struct parts {
    struct buf kernel, name, grid, assume, claim, expect, about;
    VEC(struct buf) simplify;
};

static void parts_release(struct parts *parts)
{
    struct buf *all[] = {&parts->kernel, &parts->name,   &parts->grid, &parts->assume,
                         &parts->claim,  &parts->expect, &parts->about};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buf_release(all[i]);
    for (uint32_t i = 0; i < parts->simplify.len; i++)
        buf_release(&parts->simplify.at[i]);
    vec_release(&parts->simplify);
}

static uint32_t line_of(const char *text, const char *at)
{
    uint32_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

// Where the text of the part goes; NULL: no such part, or it is there.
static struct buf *part_named(struct parts *parts, const char *key, size_t n)
{
    const struct {
        const char *key;
        struct buf *to;
    } names[] = {{"kernel", &parts->kernel}, {"name", &parts->name},   {"grid", &parts->grid},
                 {"assume", &parts->assume}, {"claim", &parts->claim}, {"expect", &parts->expect},
                 {"about", &parts->about}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].key) == n && memcmp(key, names[i].key, n) == 0)
            return names[i].to->len == 0 ? names[i].to : NULL;
    if (n != strlen("simplify") || memcmp(key, "simplify", n) != 0 ||
        parts->simplify.len == RECORD_FORMULAS)
        return NULL;
    vec_push(&parts->simplify, (struct buf){0});
    return &vec_last(&parts->simplify);
}

// One part; *at moves behind it.
static bool read_part(struct parts *parts, const char **at, const char *end)
{
    size_t n = 0;
    while (n < (size_t)(end - *at) && (*at)[n] != ' ' && (*at)[n] != '\n')
        n++;
    struct buf *to = part_named(parts, *at, n);
    const char *digit = *at + n + 1;
    if (to == NULL || digit >= end)
        return false;
    uint64_t size = 0;
    const char *first = digit;
    for (; digit < end && *digit >= '0' && *digit <= '9' && size < UINT64_C(1) << 32; digit++)
        size = size * 10 + (uint64_t)(*digit - '0');
    if (digit == first || digit == end || *digit != '\n' ||
        (uint64_t)(end - digit - 1) < size + 1 || digit[1 + size] != '\n' ||
        memchr(digit + 1, '\0', size) != NULL)
        return false;
    buf_write(to, digit + 1, size);
    *at = digit + size + 2;
    return true;
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
                          "expected kernel, name, grid, assume, claim, expect or about, each once, "
                          "or simplify, with its size and as many bytes");
    if (parts->kernel.len > 0 && parts->claim.len > 0)
        return true;
    return err_at(err, ERR_INPUT, file, 1, 1, "expected a record with a kernel and a claim");
}

// ---- checking

struct checking {
    const struct kernel_record_check *check;
    const char *file;
    struct parts parts;
    struct kernel_job job;
    struct kernel_expected expected;
    struct buf *lines;
    VEC(struct kernel_simpler) simpler;
    bool valid;
};

static const char *or_null(const struct buf *buf)
{
    return buf->len > 0 ? buf_text(buf) : NULL;
}

static void reject(struct checking *c, const char *why)
{
    c->valid = false;
    buf_printf(c->lines, "%s\n", why);
}

static void keep_simpler(struct checking *c, uint32_t output, const struct rw_record *record)
{
    struct kernel_simpler made = {.output = output};
    buf_puts(&made.text, record->formula.output);
    kernel_record_mathml(&record->formula, &made.mathml);
    vec_push(&c->simpler, made);
}

static bool replay(struct checking *c, uint32_t output, const struct rw_record *record,
                   const struct buf *part, struct err *err)
{
    struct rw_error error;
    struct rw_check *check = rw_check_record(c->check->context, buf_text(part), part->len,
                                             "simplify", c->check->options, &error);
    if (check == NULL)
        return err_at(err, ERR_DB, error.file, 0, 0, "%s", error.message);
    if (check->valid) {
        kernel_put_simplified(record->formula.output, c->lines);
        keep_simpler(c, output, record);
    } else
        buf_printf(c->lines, "  not proved = %s: %s\n", record->formula.output, check->reason);
    for (size_t i = 0; check->valid && i < check->n_functions; i++)
        if (check->functions[i].database != RW_SAME)
            buf_printf(c->lines, "  %s is as the record defines it\n", check->functions[i].name);
    c->valid = c->valid && check->valid;
    rw_check_free(check);
    return true;
}

// Replays the formula records that start at the formula; marks them.
static bool check_simplified(struct checking *c, uint32_t output, uint8_t *used, struct err *err)
{
    const char *formula = c->job.check.outputs.at[output].formula;
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->parts.simplify.len; i++) {
        const struct buf *part = &c->parts.simplify.at[i];
        struct rw_record *record =
            record_from_text(c->check->context, buf_text(part), part->len, c->file, err);
        ok = record != NULL;
        if (ok && record->is_formula && strcmp(record->formula.input, formula) == 0) {
            used[i] = 1;
            ok = replay(c, output, record, part, err);
        }
        rw_record_free(record);
    }
    return ok;
}

// Of a claim the reader needs all that lift says: where elements are, what tensors are, the facts.
static bool put_output(struct checking *c, uint32_t which, uint8_t *used, struct err *err)
{
    const struct kernel_job *job = &c->job;
    const struct kernel_checked *checked = &job->check.outputs.at[which];
    const struct claim_output *claimed = &job->claim.outputs.at[which];
    uint32_t array = job->program.statement.at[checked->statement].array;
    struct kernel_elements of =
        kernel_claimed_elements(&job->program, &job->claim.in, claimed, array);
    buf_puts(c->lines, checked->proved ? "proved " : "not proved ");
    kernel_put_elements(&of, c->lines);
    buf_printf(c->lines, ", line %u\n  %s\n",
               job->program.statement.at[checked->statement].place.line, checked->formula);
    if (!check_simplified(c, which, used, err))
        return false;
    kernel_put_tensors(&of, c->lines);
    kernel_put_facts(job, c->lines);
    for (uint32_t i = 0; i < checked->needs.len; i++)
        buf_printf(c->lines, "  needs %s\n", checked->needs.at[i]);
    for (uint32_t i = 0; i < checked->obligations.len; i++)
        if (!checked->obligations.at[i].holds)
            buf_printf(c->lines, "  does not hold: %s: %s\n", checked->obligations.at[i].name,
                       checked->obligations.at[i].about);
    return true;
}

static bool put_outputs(struct checking *c, struct err *err)
{
    VEC(uint8_t) used = {0};
    bool ok = true;
    vec_zero(&used, c->parts.simplify.len + 1);
    c->valid = c->job.check.outputs.len > 0;
    for (uint32_t i = 0; ok && i < c->job.check.outputs.len; i++) {
        c->valid = c->valid && c->job.check.outputs.at[i].proved;
        ok = put_output(c, i, used.at, err);
    }
    for (uint32_t i = 0; ok && i < c->parts.simplify.len; i++)
        if (!used.at[i])
            reject(c, "the record simplifies what is no formula of the kernel");
    vec_release(&used);
    return ok;
}

static bool check_expected(struct checking *c, struct err *err)
{
    if (c->parts.expect.len == 0)
        return true;
    if (!kernel_check_expected(&c->job.program, buf_text(&c->parts.claim),
                               buf_text(&c->parts.expect), or_null(&c->parts.about), &c->expected,
                               err))
        return false;
    kernel_expected_values(&c->job, &c->expected);
    bool proved = kernel_expected_proved(&c->expected);
    c->expected.word = proved ? EXPECTED_PROVED : EXPECTED_UNKNOWN;
    c->valid = c->valid && proved;
    kernel_put_expected(&c->job, &c->expected, c->lines);
    return true;
}

// Facts that no sizes meet would prove anything.
static bool has_sizes(struct kernel_job *job)
{
    struct execution run;
    struct rng rng;
    bool found = false;
    uint32_t facts = job->program.fact.len;
    for (uint32_t i = 0; i < job->check.outputs.len; i++)
        kernel_assume_needs(job, &job->check.outputs.at[i]);
    rng_seed(&rng, 1);
    exec_init(&run, &job->program, CHECK_CELLS);
    for (uint32_t i = 0; i < CHECK_SAMPLES && !found; i++)
        found =
            sample_scalars(&run, &rng, &sample_usual) || sample_scalars(&run, &rng, &sample_part);
    exec_release(&run);
    job->program.fact.len = facts;
    return found;
}

static bool check_parts(struct checking *c, struct err *err)
{
    struct parts *parts = &c->parts;
    const char *kernel = c->check->kernel;
    struct kernel_source source = {.text = buf_text(&parts->kernel),
                                   .n = parts->kernel.len,
                                   .file = c->file,
                                   .kernel = or_null(&parts->name),
                                   .grid = or_null(&parts->grid),
                                   .assume = or_null(&parts->assume)};
    bool ok = kernel_read(&c->job, &source, err);
    c->job.claimed = ok;
    if (!ok || !claim_read(buf_text(&parts->claim), &c->job.claim, err))
        return false;
    kernel_check(&c->job.program, &c->job.claim, &c->job.check);
    if (!put_outputs(c, err) || !check_expected(c, err))
        return false;
    if (!has_sizes(&c->job))
        reject(c, "no sizes were found that meet what is given and needed");
    if (kernel != NULL && strcmp(kernel, buf_text(&parts->kernel)) != 0)
        reject(c, "the record is of another kernel");
    return true;
}

static void checking_release(struct checking *c)
{
    for (uint32_t i = 0; i < c->simpler.len; i++) {
        buf_release(&c->simpler.at[i].text);
        buf_release(&c->simpler.at[i].mathml);
    }
    vec_release(&c->simpler);
    kernel_expected_release(&c->expected);
    kernel_release(&c->job);
    parts_release(&c->parts);
}

bool kernel_check_record(const char *text, size_t n, const char *file,
                         const struct kernel_record_check *check, struct buf *lines, bool *valid,
                         struct err *err)
{
    struct checking c = {.check = check, .file = file, .lines = lines};
    bool ok = read_parts(text, n, file, &c.parts, err) && check_parts(&c, err);
    *valid = ok && c.valid;
    checking_release(&c);
    return ok;
}

bool kernel_explain_record(const char *text, size_t n, const char *file,
                           const struct kernel_record_check *check, bool html, struct buf *out,
                           bool *valid, struct err *err)
{
    struct buf lines = {0};
    struct checking c = {.check = check, .file = file, .lines = &lines};
    bool ok = read_parts(text, n, file, &c.parts, err) && check_parts(&c, err);
    struct kernel_page page = {.job = &c.job,
                               .kernel = buf_text(&c.parts.kernel),
                               .lines = buf_text(&lines),
                               .valid = c.valid,
                               .n_simpler = c.simpler.len,
                               .simpler = c.simpler.at};
    if (ok && html)
        kernel_page(&page, out);
    else if (ok)
        kernel_explanation(&page, out);
    *valid = ok && c.valid;
    checking_release(&c);
    buf_release(&lines);
    return ok;
}
