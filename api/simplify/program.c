// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/program.h"

#include "base/text/utf8.h"
#include "io/program/program.h"

// Can the text be shown as it is?  One with hidden characters is always spelled anew.
static bool is_plain(const struct buf *text)
{
    struct buf shown = {0};
    utf8_lines(buf_text(text), text->len, &shown);
    bool plain = shown.len == text->len && memcmp(shown.at, buf_text(text), text->len) == 0;
    buf_release(&shown);
    return plain;
}

struct parsed_program *program_parse(const struct rw_program *program, const char *pinned,
                                     struct err *err)
{
    struct parsed_program *parsed = mem_alloc(sizeof *parsed);
    const char *file = strcmp(program->file, "-") == 0 ? "<stdin>" : program->file;
    pool_init(&parsed->pool);
    program_init(&parsed->at, &parsed->pool);
    parsed->at.pinned = sym_make(&parsed->pool, pinned);
    if (is_plain(&program->text))
        parsed->at.source = source_new(buf_text(&program->text), program->text.len);
    if (program_text_read(buf_text(&program->text), program->text.len, file, &parsed->at, err))
        return parsed;
    parsed_program_free(parsed);
    return NULL;
}

void parsed_program_free(struct parsed_program *parsed)
{
    if (parsed == NULL)
        return;
    program_release(&parsed->at);
    pool_release(&parsed->pool);
    mem_free(parsed);
}

struct rw_program *rw_program_read(struct rw_context *context, const char *text, size_t size,
                                   const char *file, struct rw_error *error)
{
    struct err err = {0};
    struct rw_program *program = mem_alloc(sizeof *program);
    program->context = context;
    buf_write(&program->text, text, size);
    program->file = text_copy(file);
    program->parsed = program_parse(program, "", &err);
    if (program->parsed != NULL) {
        program->remark = text_copy(sym_text(&program->parsed->pool, program->parsed->at.remark));
        return program;
    }
    rw_program_free(program);
    error_give(&err, error);
    return NULL;
}

void rw_program_free(struct rw_program *program)
{
    if (program == NULL)
        return;
    parsed_program_free(program->parsed);
    buf_release(&program->text);
    mem_free(program->file);
    mem_free(program->remark);
    mem_free(program);
}

const char *rw_program_remark(const struct rw_program *program)
{
    return program->remark[0] != '\0' ? program->remark : NULL;
}

struct parsed_program *program_take(struct rw_program *program, const char *pinned, struct err *err)
{
    struct parsed_program *parsed = program->parsed;
    if (parsed == NULL || pinned[0] != '\0')
        return program_parse(program, pinned, err);
    program->parsed = NULL;
    return parsed;
}

bool rw_program_convert(struct rw_program *program, enum rw_program_format format,
                        struct rw_error *error)
{
    static const enum program_format formats[] = {
        [RW_PROGRAM_STABLEHLO] = PROGRAM_STABLEHLO, [RW_PROGRAM_HLO] = PROGRAM_HLO};
    struct err err = {0};
    struct buf text = {0};
    if (program->parsed == NULL)
        program->parsed = program_take(program, "", &err);
    bool ok = program->parsed != NULL;
    if (ok && program->parsed->at.format != formats[format]) {
        ok = program_text_convert(&program->parsed->at, formats[format], &text, &err);
        if (ok) {
            parsed_program_free(program->parsed);
            buf_release(&program->text);
            program->text = text;
            program->parsed = program_parse(program, "", &err);
            return program->parsed != NULL || error_give(&err, error);
        }
        err_in(&err, program->file);
        buf_release(&text);
    }
    return ok || error_give(&err, error);
}

char *rw_program_print(struct rw_program *program, struct rw_error *error)
{
    struct err err = {0};
    struct buf text = {0};
    if (program->parsed == NULL)
        program->parsed = program_take(program, "", &err);
    if (program->parsed == NULL) {
        error_give(&err, error);
        return NULL;
    }
    program_text_print(&program->parsed->at, &text);
    return text_give(&text);
}
