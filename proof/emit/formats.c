// SPDX-License-Identifier: Apache-2.0
#include "proof/emit/emit.h"

#define X(name) &name##_emitter,
static const struct record_emitter *const formats[] = {RECORD_FORMATS(X)};
#undef X
#define X(name) #name,
const char *const format_names[] = {RECORD_FORMATS(X) NULL};
#undef X

const struct record_emitter *emitter_by_name(const char *name)
{
    for (uint32_t i = 0; format_names[i] != NULL; i++)
        if (strcmp(format_names[i], name) == 0)
            return formats[i];
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
