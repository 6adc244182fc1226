// SPDX-License-Identifier: Apache-2.0
#include "formula/memory.h"

#include "base/memory/vec.h"
#include <gmp.h>

static void *resize(void *block, size_t old, size_t size)
{
    (void)old;
    return mem_resize(block, size);
}

static void *allocate(size_t size)
{
    return mem_resize(NULL, size);
}

static void release(void *block, size_t size)
{
    (void)size;
    mem_free(block);
}

void formula_memory_init(void)
{
    mp_set_memory_functions(allocate, resize, release);
}
