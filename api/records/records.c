// SPDX-License-Identifier: Apache-2.0
#include "api/records/records.h"

#include "base/text/sniff.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

static bool explained(bool ok, const char *text, size_t size, struct err *err)
{
    if (!ok)
        sniff_explain(text, size, TEXT_RECORD, err);
    return ok;
}

static bool read_formula(struct rw_record *record, const char *text, size_t size, const char *file,
                         struct err *err)
{
    record->is_formula = true;
    formula_record_init(&record->formula);
    return explained(formula_record_read(&record->formula, text, size, file, err), text, size, err);
}

static bool read_program(struct rw_record *record, const char *text, size_t size, const char *file,
                         struct err *err)
{
    record_init(&record->program, &record->pool);
    return explained(record_read(&record->program, text, size, file, err), text, size, err);
}

static struct rw_record *record_new(struct rw_context *context)
{
    struct rw_record *record = mem_alloc(sizeof *record);
    record->context = context;
    pool_init(&record->pool);
    return record;
}

struct rw_record *record_from_text(struct rw_context *context, const char *text, size_t size,
                                   const char *file, struct err *err)
{
    struct rw_record *record = record_new(context);
    if (formula_record_is(text, size) ? read_formula(record, text, size, file, err)
                                      : read_program(record, text, size, file, err))
        return record;
    rw_record_free(record);
    return NULL;
}

struct rw_record *record_of_file(struct rw_context *context, const char *path, struct err *err)
{
    struct buf text = {0};
    struct rw_record *record = NULL;
    if (file_read(path, MAX_RECORD_BYTES, &text, err))
        record = record_from_text(context, buf_text(&text), text.len, path, err);
    buf_release(&text);
    return record;
}

struct rw_record *rw_record_read(struct rw_context *context, const char *text, size_t size,
                                 const char *file, struct rw_error *error)
{
    struct err err = {0};
    struct rw_record *record = record_from_text(context, text, size, file, &err);
    if (record == NULL)
        error_give(&err, error);
    return record;
}

void rw_record_free(struct rw_record *record)
{
    if (record == NULL)
        return;
    if (record->is_formula)
        formula_record_release(&record->formula);
    else
        record_release(&record->program);
    pool_release(&record->pool);
    mem_free(record->fault);
    mem_free(record);
}

void rw_record_mark(struct rw_record *record, const struct rw_check *check)
{
    mem_free(record->fault);
    record->fault = NULL;
    if (check->valid)
        return;
    struct buf fault = {0};
    buf_puts(&fault, check->reason);
    record->fault = buf_detach(&fault);
}

bool rw_record_is_formula(const struct rw_record *record)
{
    return record->is_formula;
}

bool record_emit(const struct rw_record *record, const struct record_emitter *format,
                 const struct emit_request *request, struct buf *out, struct err *err)
{
    struct arena mem = {0};
    struct emit_places places;
    struct emit_request full = *request;
    if (format->shows_places && full.places == NULL && record_places(record, &mem, &places))
        full.places = &places;
    bool ok = record->is_formula ? emit_formula(&record->formula, format, &full, out, err)
                                 : emit_program(&record->program, format, &full, out, err);
    arena_release(&mem);
    return ok;
}
