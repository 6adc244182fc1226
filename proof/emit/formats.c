// SPDX-License-Identifier: Apache-2.0
#include "proof/emit/emit.h"

static const struct record_emitter *const formats[] = {&text_emitter, &json_emitter, &html_emitter};

const struct record_emitter *emitter_at(uint32_t i)
{
    return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

const struct record_emitter *emitter_by_name(const char *name)
{
    const struct record_emitter *format;
    for (uint32_t i = 0; (format = emitter_at(i)) != NULL; i++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

static const struct emit_request nothing;

bool record_write(const struct record *record, struct buf *out, struct err *err)
{
    return emit_program(record, &json_emitter, &nothing, out, err);
}

bool formula_record_write(const struct formula_record *record, struct buf *out, struct err *err)
{
    return emit_formula(record, &json_emitter, &nothing, out, err);
}

bool record_explain(const struct record *record, struct buf *out, struct err *err)
{
    return emit_program(record, &text_emitter, &nothing, out, err);
}

bool formula_record_explain(const struct formula_record *record, struct buf *out, struct err *err)
{
    return emit_formula(record, &text_emitter, &nothing, out, err);
}
