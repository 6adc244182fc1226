// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "base/err.h"

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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

void mem_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

// Mappings.  Large pages are asked for: an array that is read at random then
// needs fewer walks through the page tables.  That is advice; refused, nothing
// is lost.

enum { MAPPED = 1 << 20 };
static const size_t LARGE_PAGE = (size_t)2 << 20;

static size_t rounded(size_t bytes)
{
    size_t unit = bytes < LARGE_PAGE ? 4096 : LARGE_PAGE;
    return (bytes + unit - 1) & ~(unit - 1);
}

// Address space for `bytes`, at a multiple of the large page.
static char *map_space(size_t bytes)
{
    size_t size = bytes + LARGE_PAGE;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        BUG("out of memory (%zu bytes wanted)", bytes);
    size_t before =
        (LARGE_PAGE - ((uintptr_t)p & (LARGE_PAGE - 1))) & (LARGE_PAGE - 1);
    if (before > 0)
        munmap(p, before);
    if (size - before > bytes)
        munmap(p + before + bytes, size - before - bytes);
    return p + before;
}

static void *map_new(size_t bytes)
{
    char *p = map_space(rounded(bytes));
#ifdef MADV_HUGEPAGE
    madvise(p, rounded(bytes), MADV_HUGEPAGE);
#endif
    return p;
}

// The pages move; nothing is copied.
static void *map_grow(void *at, size_t old, size_t bytes)
{
    size_t from = rounded(old), to = rounded(bytes);
    if (from == to || mremap(at, from, to, 0) != MAP_FAILED)
        return at;
    char *p = map_space(to);
    if (mremap(at, from, to, MREMAP_MAYMOVE | MREMAP_FIXED, p) == MAP_FAILED)
        BUG("out of memory (%zu bytes wanted)", bytes);
    return p;
}

void *map_resize(void *at, size_t old, size_t bytes)
{
    if (bytes < MAPPED)
        return mem_resize(at, bytes);
    if (old >= MAPPED)
        return map_grow(at, old, bytes);
    void *p = map_new(bytes);
    if (old > 0)
        memcpy(p, at, old);
    mem_free(at);
    return p;
}

void map_free(void *at, size_t size)
{
    if (size < MAPPED)
        mem_free(at);
    else
        munmap(at, rounded(size));
}

void vec_free(void *at, uint32_t cap, size_t size)
{
    map_free(at, cap * size);
}

void *vec_zeroed(uint32_t *cap, uint32_t n, size_t size)
{
    *cap = n;
    return n * size < MAPPED ? mem_alloc(n * size) : map_new(n * size);
}

// The largest capacity is UINT32_MAX - 1, so that len + 1 never wraps.
static const uint32_t MOST = UINT32_MAX - 1;

static uint32_t grown(uint32_t cap, uint32_t need)
{
    uint32_t want = cap > MOST / 2 ? MOST : cap * 2;
    if (want < 8)
        want = 8;
    return want < need ? need : want;
}

uint64_t vec_held(uint32_t len, uint32_t cap, size_t size)
{
    uint64_t full = (uint64_t)(len > cap ? grown(cap, len) : cap) * size;
    return full < MAPPED ? full : rounded(len * size);
}

void *vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size)
{
    if (need <= *cap)
        return at;
    if (need > MOST)
        BUG("out of memory (an array of %u elements)", need);
    uint32_t want = grown(*cap, need);
    if (size && want > SIZE_MAX / size)
        BUG("out of memory (%u elements of %zu bytes)", want, size);
    at = map_resize(at, *cap * size, want * size);
    *cap = want;
    return at;
}
