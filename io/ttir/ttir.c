// SPDX-License-Identifier: Apache-2.0
#include "io/ttir/ttir.h"
#include "io/ttir/reader.h"

static void find_lines(struct ttir_reader *reader, const char *text, size_t n)
{
    vec_push(&reader->lines, 0);
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\n')
            vec_push(&reader->lines, (uint32_t)i + 1);
}

static void release(struct ttir_reader *reader)
{
    mlir_release(&reader->mlir);
    vec_release(&reader->lines);
    vec_release(&reader->meaning);
    vec_release(&reader->count);
    vec_release(&reader->of_name);
    vec_release(&reader->changes);
    vec_release(&reader->function);
}

bool ttir_read(const char *text, size_t n, const char *file, const char *kernel,
               struct code_program *out, struct err *err)
{
    struct ttir_reader reader = {.out = out};
    struct pool pool;
    pool_init(&pool);
    bool ok = mlir_open(&reader.mlir, &pool, text, n, file, err);
    if (ok) {
        find_lines(&reader, text, n);
        ttir_find_comments(&reader);
        ttir_read_constants(&reader);
        ok = ttir_find_functions(&reader) && ttir_kernel(&reader, kernel);
    }
    release(&reader);
    pool_release(&pool);
    return ok;
}
