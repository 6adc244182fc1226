// SPDX-License-Identifier: Apache-2.0
#include "cli/records/records.h"

#include "base/hash.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

static bool program_record(const char *path, const struct buf *text,
                         struct pool *pool, struct record *out, struct err *e)
{
    record_init(out, pool);
    bool ok = record_read(out, buf_text(text), text->len, path, e);
    if (!ok)
        record_release(out);
    return ok;
}

bool read_record(const char *path, struct pool *pool, struct record *out,
                 char id[65], struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, e);
    if (ok && id)
        sha256_hex(buf_text(&text), text.len, id);
    ok = ok && program_record(path, &text, pool, out, e);
    buf_release(&text);
    return ok;
}

bool read_any_record(const char *path, struct pool *pool,
                     struct any_record *out, struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, e);
    out->is_formula = ok && formula_record_is(buf_text(&text), text.len);
    if (out->is_formula) {
        formula_record_init(&out->formula);
        ok = formula_record_read(&out->formula, buf_text(&text), text.len, path,
                                 e);
        if (!ok)
            formula_record_release(&out->formula);
    } else {
        ok = ok && program_record(path, &text, pool, &out->program, e);
    }
    buf_release(&text);
    return ok;
}

void any_record_release(struct any_record *r)
{
    if (r->is_formula)
        formula_record_release(&r->formula);
    else
        record_release(&r->program);
}
