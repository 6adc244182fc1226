// SPDX-License-Identifier: Apache-2.0
// Any bytes are read or refused with a place; what is read satisfies the
// program's invariants, and its text reads back to the same text.
#include "base/text/sniff.h"
#include "io/program/program.h"
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fault(const char *what, const struct err *err, const struct buf *text)
{
    fprintf(stderr, "%s: %u:%u: %s\n%s\n", what, err->line, err->col, err->msg, buf_text(text));
    abort();
}

static void reread(const struct buf *text)
{
    struct pool pool;
    struct program program;
    struct buf again = {0};
    struct err err = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    if (!program_text_read(buf_text(text), text->len, "printed", &program, &err))
        fault("the text that was printed is refused", &err, text);
    program_text_print(&program, &again);
    if (again.len != text->len || memcmp(buf_text(&again), buf_text(text), text->len) != 0)
        fault("the second text differs", &err, &again);
    buf_release(&again);
    program_release(&program);
    pool_release(&pool);
}

// Is the text plainly no program?  The message then has no place.
static bool is_other(const char *data, size_t size)
{
    enum text_kind kind = text_sniff(data, size);
    return kind != TEXT_UNKNOWN && kind != TEXT_PROGRAM && kind != TEXT_HLO;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pool pool;
    struct program program;
    struct buf text = {0};
    struct err err = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    if (program_text_read((const char *)data, size, "input", &program, &err)) {
        if (!program_check(&program, &err))
            fault("the program is not well-formed", &err, &text);
        program_text_print(&program, &text);
        reread(&text);
    } else if (err.kind == ERR_NONE || err.msg[0] == '\0' ||
               (err.line == 0 && !is_other((const char *)data, size))) {
        fault("a failure without place or message", &err, &text);
    }
    buf_release(&text);
    program_release(&program);
    pool_release(&pool);
    return 0;
}
