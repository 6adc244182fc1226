// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "base/err.h"

static void *check_memory(void *p, size_t size)
{
    if (!p)
        BUG("out of memory (%zu bytes wanted)", size);
    return p;
}

void *mem_alloc(size_t size)
{
    return check_memory(calloc(1, size ? size : 1), size);
}

void *mem_resize(void *p, size_t size)
{
    return check_memory(realloc(p, size ? size : 1), size);
}

void mem_free(void *p)
{
    free(p);
}

void *vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size)
{
    // The largest capacity is UINT32_MAX - 1, so that len + 1 never wraps.
    const uint32_t most = UINT32_MAX - 1;
    if (need <= *cap)
        return at;
    if (need > most)
        BUG("out of memory (an array of %u elements)", need);
    uint32_t want = *cap > most / 2 ? most : *cap * 2;
    if (want < 8)
        want = 8;
    if (want < need)
        want = need;
    if (size && want > SIZE_MAX / size)
        BUG("out of memory (%u elements of %zu bytes)", want, size);
    at = mem_resize(at, want * size);
    *cap = want;
    return at;
}
