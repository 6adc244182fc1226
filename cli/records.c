// SPDX-License-Identifier: Apache-2.0
#include "cli/records.h"

#include "base/hash.h"

#define MAX_RECORD_BYTES ((size_t)1 << 32)

bool read_record(const char *path, struct pool *pool, struct record *out,
                 char id[65], struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_RECORD_BYTES, &text, e);
    if (ok && id)
        sha256_hex(buf_text(&text), text.len, id);
    if (ok) {
        record_init(out, pool);
        ok = record_read(out, buf_text(&text), text.len, path, e);
        if (!ok)
            record_release(out);
    }
    buf_release(&text);
    return ok;
}
