// SPDX-License-Identifier: Apache-2.0
// Programs: any bytes are read or refused with a place; what is read satisfies the program's
// invariants, and its text reads back to the same text.
#ifndef TESTS_FUZZ_REREAD_H
#define TESTS_FUZZ_REREAD_H

#include "base/text/buf.h"
#include "io/program/program.h"
#include <stdio.h>
#include <stdlib.h>

typedef bool program_reader(const char *text, size_t n, const char *file, struct program *out,
                            struct err *err);

static inline void fault(const char *what, const struct err *err, const struct buf *text)
{
    fprintf(stderr, "%s: %u:%u: %s\n%s\n", what, err->line, err->col, err->msg, buf_text(text));
    abort();
}

static inline void reread(program_reader *read, const struct buf *text)
{
    struct pool pool;
    struct program program;
    struct buf again = {0};
    struct err err = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    if (!read(buf_text(text), text->len, "printed", &program, &err))
        fault("the text that was printed is refused", &err, text);
    program_text_print(&program, &again);
    if (again.len != text->len || memcmp(buf_text(&again), buf_text(text), text->len) != 0) {
        fprintf(stderr, "%s\n", buf_text(text));
        fault("the second text differs", &err, &again);
    }
    buf_release(&again);
    program_release(&program);
    pool_release(&pool);
}

// Reads the bytes.  A message has a place, unless `placeless`.
static inline void read_twice(program_reader *read, const char *data, size_t size, bool placeless)
{
    struct pool pool;
    struct program program;
    struct buf text = {0};
    struct err err = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    if (read(data, size, "input", &program, &err)) {
        if (!program_check(&program, &err))
            fault("the program is not well-formed", &err, &text);
        program_text_print(&program, &text);
        reread(read, &text);
    } else if (err.kind == ERR_NONE || err.msg[0] == '\0' || (err.line == 0 && !placeless)) {
        fault("a failure without place or message", &err, &text);
    }
    buf_release(&text);
    program_release(&program);
    pool_release(&pool);
}

#endif
