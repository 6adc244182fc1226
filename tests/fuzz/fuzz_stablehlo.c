// SPDX-License-Identifier: Apache-2.0
// Any bytes are read or refused with a place; what is read satisfies the
// program's invariants, and its text reads back to the same text.
#include "io/stablehlo/stablehlo.h"
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fault(const char *what, const struct err *e, const struct buf *text)
{
    fprintf(stderr, "%s: %u:%u: %s\n%s\n", what, e->line, e->col, e->msg,
            buf_text(text));
    abort();
}

static void reread(const struct buf *text)
{
    struct pool pool;
    struct program p;
    struct buf again = {0};
    struct err e = {0};
    pool_init(&pool);
    program_init(&p, &pool);
    if (!stablehlo_read(buf_text(text), text->len, "printed", &p, &e))
        fault("the text that was printed is refused", &e, text);
    stablehlo_print(&p, &again);
    if (again.len != text->len ||
        memcmp(buf_text(&again), buf_text(text), text->len) != 0)
        fault("the second text differs", &e, &again);
    buf_release(&again);
    program_release(&p);
    pool_release(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pool pool;
    struct program p;
    struct buf text = {0};
    struct err e = {0};
    pool_init(&pool);
    program_init(&p, &pool);
    if (stablehlo_read((const char *)data, size, "input", &p, &e)) {
        if (!program_check(&p, &e))
            fault("the program is not well-formed", &e, &text);
        stablehlo_print(&p, &text);
        reread(&text);
    } else if (e.kind == ERR_NONE || e.line == 0 || e.msg[0] == '\0') {
        fault("a failure without place or message", &e, &text);
    }
    buf_release(&text);
    program_release(&p);
    pool_release(&pool);
    return 0;
}
