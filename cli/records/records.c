// SPDX-License-Identifier: Apache-2.0
#include "cli/records/records.h"

#include "base/hash.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

static bool program_record(const char *path, const struct buf *text, struct pool *pool,
                           struct record *out, struct err *err)
{
    record_init(out, pool);
    bool ok = record_read(out, buf_text(text), text->len, path, err);
    if (!ok)
        record_release(out);
    return ok;
}

bool read_record(const char *path, struct pool *pool, struct record *out, char id[65],
                 struct err *err)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, err);
    if (ok && id)
        sha256_hex(buf_text(&text), text.len, id);
    ok = ok && program_record(path, &text, pool, out, err);
    buf_release(&text);
    return ok;
}

bool read_any_record(const char *path, struct pool *pool, struct any_record *out, struct err *err)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, err);
    out->is_formula = ok && formula_record_is(buf_text(&text), text.len);
    if (out->is_formula) {
        formula_record_init(&out->formula);
        ok = formula_record_read(&out->formula, buf_text(&text), text.len, path, err);
        if (!ok)
            formula_record_release(&out->formula);
    } else {
        ok = ok && program_record(path, &text, pool, &out->program, err);
    }
    buf_release(&text);
    return ok;
}

void any_record_release(struct any_record *record)
{
    if (record->is_formula)
        formula_record_release(&record->formula);
    else
        record_release(&record->program);
}
