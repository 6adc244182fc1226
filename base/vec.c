// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "base/err.h"

#include <malloc.h>
#include <sys/mman.h>

static void *check_memory(void *p, size_t size)
{
    if (!p)
        BUG("out of memory (%zu bytes wanted)", size);
    return p;
}

// Large arrays are read at random: with large pages most addresses are found
// without a walk through the page tables.  Advice only, so failure is no error.
static void *advise(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)2 << 20;
    if (p != NULL && size >= 2 * page) {
        uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1);
        uintptr_t to = ((uintptr_t)p + size) & ~(page - 1);
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
    }
#endif
    return p;
}

void mem_setup(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

void *mem_alloc(size_t size)
{
    return check_memory(advise(calloc(1, size ? size : 1), size), size);
}

void *mem_resize(void *p, size_t size)
{
    return check_memory(advise(realloc(p, size ? size : 1), size), size);
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
