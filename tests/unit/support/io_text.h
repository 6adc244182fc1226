// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the readers of programs: a text that was read, and what
// must hold of every good one.
#ifndef TESTS_UNIT_SUPPORT_IO_TEXT_H
#define TESTS_UNIT_SUPPORT_IO_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/program/program.h"

struct file {
    struct pool pool;
    struct program program;
    struct err err;
    struct buf text; // printed
    bool ok;
};

static inline void release(struct file *file)
{
    program_release(&file->program);
    pool_release(&file->pool);
    buf_release(&file->text);
}

static inline void read_bytes(struct file *file, const char *text, size_t n)
{
    memset(file, 0, sizeof *file);
    pool_init(&file->pool);
    program_init(&file->program, &file->pool);
    file->ok = program_text_read(text, n, "t.mlir", &file->program, &file->err);
    if (file->ok)
        program_text_print(&file->program, &file->text);
}

// The program in its own text (tensor/program/source.h): without what nothing needs.
static inline void print_source(const char *text, struct buf *out)
{
    struct file file = {0};
    struct u32_vec regions = {0};
    pool_init(&file.pool);
    program_init(&file.program, &file.pool);
    file.program.source = source_new(text, strlen(text));
    assert_true(program_text_read(text, strlen(text), "t.mlir", &file.program, &file.err));
    program_text_print_regions(&file.program, out, &regions);
    vec_release(&regions);
    release(&file);
}

// Printed in its own text, and that text printed again, it is the same program.
static inline void check_source(const char *text, const char *printed)
{
    struct buf own = {0}, again = {0};
    struct file file;
    print_source(text, &own);
    read_bytes(&file, buf_text(&own), own.len);
    if (!file.ok)
        fail_msg("%u:%u: %s\nin: %s", file.err.line, file.err.col, file.err.msg, buf_text(&own));
    assert_string_equal(buf_text(&file.text), printed);
    print_source(buf_text(&own), &again);
    assert_string_equal(buf_text(&again), buf_text(&own));
    release(&file);
    buf_release(&own);
    buf_release(&again);
}

// Reads a text that must be good, and checks what holds of every program: its
// invariants, and that its text reads back to an equal program.
static inline void read_good(struct file *file, const char *text)
{
    read_bytes(file, text, strlen(text));
    if (!file->ok)
        fail_msg("%u:%u: %s\nin: %s", file->err.line, file->err.col, file->err.msg, text);
    if (!program_check(&file->program, &file->err))
        fail_msg("%s\nin: %s", file->err.msg, text);
    struct file y;
    read_bytes(&y, buf_text(&file->text), file->text.len);
    if (!y.ok)
        fail_msg("%u:%u: %s\nin: %s", y.err.line, y.err.col, y.err.msg, buf_text(&file->text));
    assert_string_equal(buf_text(&file->text), buf_text(&y.text));
    assert_int_equal(file->program.functions.len, y.program.functions.len);
    for (uint32_t f = 0; f < file->program.functions.len; f++)
        assert_int_equal(function_size(&file->program, &file->program.functions.at[f]),
                         function_size(&y.program, &y.program.functions.at[f]));
    release(&y);
    check_source(text, buf_text(&file->text));
}

static inline void expect_text(const struct file *file, const char *part)
{
    if (strstr(buf_text(&file->text), part) == NULL)
        fail_msg("no '%s' in\n%s", part, buf_text(&file->text));
}

static inline void expect_no_text(const struct file *file, const char *part)
{
    if (strstr(buf_text(&file->text), part) != NULL)
        fail_msg("'%s' in\n%s", part, buf_text(&file->text));
}

static inline term_id result_of(const struct file *file, uint32_t f, uint32_t k)
{
    return file->program.functions.at[f].results.at[k].term;
}

static inline enum op result_op(const struct file *file, uint32_t f, uint32_t k)
{
    return term_op(&file->program.terms, result_of(file, f, k));
}

// A function of the usual arguments that returns %r : TYPE.
static inline void read_body(struct file *file, const char *body, const char *type)
{
    struct buf buf = {0};
    buf_printf(&buf,
               "func.func @f(%%x: tensor<2x3xf32>, %%y: tensor<2x3xf32>, "
               "%%p: tensor<2x3xi1>, %%i: tensor<2x3xi32>, "
               "%%s: tensor<f32>, %%v: tensor<3xf32>, %%b: tensor<i1>, "
               "%%u: tensor<2x3xui8>, %%z: tensor<2xcomplex<f32>>) -> %s {\n"
               "%s\nreturn %%r : %s\n}\n",
               type, body, type);
    read_good(file, buf_text(&buf));
    buf_release(&buf);
}

#define T "tensor<2x3xf32>"
#define F "tensor<f32>"
#define I "tensor<2x3xi32>"
#define P "tensor<2x3xi1>"
#define U "tensor<2x3xui8>"

#endif
