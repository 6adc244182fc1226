// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/cost_file.h"
#include "base/text/buf.h"
#include "base/text/cursor.h"
#include "base/text/excerpt.h"
#include "base/text/suggest.h"
#include "egraph/limits.h"

#include <math.h>

static const char others[] = "others";
// Parts of the least number in a file that costs are multiples of, and how small it may be.
static const double PARTS = 1024, LEAST = 1e-30;

struct cost_reader {
    const char *path;
    struct cursor at;
    struct cost_file *out;
    struct err *err;
};

bool cost_is_file(const char *name)
{
    return strpbrk(name, "./") != NULL;
}

static bool at_blank(const struct cost_reader *reader)
{
    char c = cursor_peek(&reader->at, 0);
    return c == ' ' || c == '\t' || c == '\r';
}

// Blanks, and a remark up to the end of the line.
static void skip_blanks(struct cost_reader *reader)
{
    while (at_blank(reader))
        cursor_advance(&reader->at);
    if (cursor_peek(&reader->at, 0) == '#')
        cursor_skip_line(&reader->at);
}

static bool at_line_end(const struct cost_reader *reader)
{
    return reader->at.at == reader->at.end || *reader->at.at == '\n';
}

// Up to the next blank or the end of the line.
static uint32_t word_length(const struct cost_reader *reader)
{
    size_t n = 0, left = (size_t)(reader->at.end - reader->at.at);
    while (n < left && strchr(" \t\r\n#", reader->at.at[n]) == NULL)
        n++;
    return (uint32_t)n;
}

static void skip_word(struct cost_reader *reader, uint32_t n)
{
    for (uint32_t i = 0; i < n && reader->at.at < reader->at.end; i++)
        cursor_advance(&reader->at);
}

static bool in_range(double number)
{
    return number == 0 || (number >= LEAST && number <= EGRAPH_COST_MOST);
}

// A number such as 12, 0.5 or 1e-3.
static bool read_number(struct cost_reader *reader, double *out)
{
    uint32_t n = word_length(reader);
    char text[EGRAPH_COST_DIGITS + 1], *end = text;
    bool plain = n <= EGRAPH_COST_DIGITS;
    if (plain) {
        snprintf(text, sizeof text, "%.*s", (int)n, reader->at.at);
        plain = n > 0 && strspn(text, "0123456789.eE+-") == n;
        *out = strtod(text, &end);
    }
    if (!plain || *end != '\0' || !in_range(*out))
        return err_at(reader->err, ERR_INPUT, reader->path, reader->at.line, reader->at.col,
                      "expected 0 or a number from %g to %g", LEAST, (double)EGRAPH_COST_MOST);
    skip_word(reader, n);
    skip_blanks(reader);
    return true;
}

static struct cost_row *row_named(struct cost_file *file, const char *name, uint32_t n)
{
    char text[SUGGEST_LETTERS + 1];
    enum op op;
    if (n >= sizeof text)
        return NULL;
    snprintf(text, sizeof text, "%.*s", (int)n, name);
    if (strcmp(text, others) == 0)
        return &file->others;
    return op_by_name(text, &op) ? &file->of[op] : NULL;
}

static bool unknown_name(const struct cost_reader *reader, uint32_t n)
{
    struct nearest nearest = nearest_to(reader->at.at, n);
    nearest_consider(&nearest, others, strlen(others));
    for (uint32_t op = 0; op < N_OPS; op++) {
        enum op same;
        const char *name = op_name((enum op)op);
        if (op_by_name(name, &same))
            nearest_consider(&nearest, name, strlen(name));
    }
    err_at(reader->err, ERR_INPUT, reader->path, reader->at.line, reader->at.col,
           "expected an operator or `others`");
    const char *dialect = memchr(reader->at.at, '.', n);
    if (dialect != NULL)
        err_hint(reader->err, "write it without its dialect");
    nearest_hint(&nearest, reader->err);
    err_hint(reader->err, "operations that are kept as text cost what `others` do");
    return false;
}

// NAME FIXED [ELEMENT [BYTE]]
static bool read_row(struct cost_reader *reader)
{
    uint32_t n = word_length(reader), line = reader->at.line;
    struct cost_row *row = row_named(reader->out, reader->at.at, n);
    if (row == NULL)
        return unknown_name(reader, n);
    if (row->line != 0)
        return err_at(reader->err, ERR_INPUT, reader->path, line, reader->at.col,
                      "this name is on line %u, too", row->line);
    *row = (struct cost_row){.line = line};
    skip_word(reader, n);
    skip_blanks(reader);
    double *part[] = {&row->fixed, &row->element, &row->byte};
    for (size_t i = 0; i < sizeof part / sizeof part[0] && (i == 0 || !at_line_end(reader)); i++)
        if (!read_number(reader, part[i]))
            return false;
    if (!at_line_end(reader))
        return err_at(reader->err, ERR_INPUT, reader->path, line, reader->at.col,
                      "expected the end of the line after three numbers");
    return true;
}

static bool read_rows(struct cost_reader *reader)
{
    while (reader->at.at < reader->at.end) {
        skip_blanks(reader);
        if (!at_line_end(reader) && !read_row(reader))
            return false;
        if (reader->at.at < reader->at.end)
            cursor_advance(&reader->at);
    }
    return true;
}

static void find_scale(struct cost_file *file)
{
    double least = INFINITY;
    for (uint32_t op = 0; op <= N_OPS; op++) {
        const struct cost_row *row = op < N_OPS ? &file->of[op] : &file->others;
        const double part[] = {row->fixed, row->element, row->byte};
        for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
            least = part[i] > 0 && part[i] < least ? part[i] : least;
        file->unsized = fmax(file->unsized, row->fixed);
    }
    // A power of two, by which numbers are multiplied without rounding.
    file->parts = isfinite(least) ? PARTS * exp2(-floor(log2(least))) : PARTS;
}

bool cost_file_read(const char *path, struct cost_file *out, struct err *err)
{
    struct buf text = {0};
    *out = (struct cost_file){.others = {.fixed = 1}};
    struct cost_reader reader = {.path = path, .out = out, .err = err};
    if (!file_read_text(path, EGRAPH_COST_FILE_BYTES, &text, err))
        return false;
    const char *at = buf_text(&text);
    reader.at = (struct cursor){at, at + text.len, 1, 1};
    bool ok = read_rows(&reader);
    find_scale(out);
    if (!ok)
        excerpt_attach(err, at, text.len);
    buf_release(&text);
    return ok;
}

static double node_by_file(const struct cost *model, const struct terms *terms, term_id id)
{
    const struct cost_file *file = model->user;
    enum op op = term_op(terms, id);
    if (op == OP_PARAMETER || op == OP_RESULT)
        return 0;
    const struct cost_row *row = file->of[op].line != 0 ? &file->of[op] : &file->others;
    double cost = row->fixed + row->byte * cost_bytes_moved(terms, id);
    if (op != OP_CONSTANT) // its elements are there
        cost +=
            row->element * cost_elements_made(terms, id) + file->unsized * cost_unsized(terms, id);
    return floor(cost * file->parts + 0.5) / file->parts;
}

struct cost cost_of_file(const struct cost_file *file, const char *name)
{
    return (struct cost){name, node_by_file, file};
}
