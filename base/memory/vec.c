// SPDX-License-Identifier: Apache-2.0
#include "base/memory/vec.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/memory/pages.h"

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *check_memory(void *block, size_t size)
{
    if (!block)
        out_of_memory("%zu bytes wanted", size);
    return block;
}

void *mem_alloc(size_t size)
{
    return check_memory(calloc(1, size ? size : 1), size);
}

void *mem_resize(void *block, size_t size)
{
    return check_memory(realloc(block, size ? size : 1), size);
}

void mem_free(void *block)
{
    free(block);
}

void mem_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, BASE_HEAP_KEPT << 20);
    mallopt(M_MMAP_THRESHOLD, BASE_HEAP_BLOCK << 20);
#endif
    pages_keep();
}

// Arrays live on the heap while they are small, then in the pool, then each in
// a mapping of large pages, for an array that is read at random needs fewer
// walks through the page tables then.  Which of the three the size says.

enum { POOLED = PAGES_LEAST, MAPPED = PAGES_MOST };

static size_t rounded(size_t bytes)
{
    return (bytes + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1);
}

// The pages move; nothing is copied.
static void *map_grow(void *at, size_t old, size_t bytes)
{
    size_t from = rounded(old), to = rounded(bytes);
    if (from == to)
        return at;
    if (mremap(at, from, to, 0) != MAP_FAILED) {
        pages_touch((char *)at + from);
        return at;
    }
    char *text = pages_space(to);
    if (mremap(at, from, to, MREMAP_MAYMOVE | MREMAP_FIXED, text) == MAP_FAILED)
        out_of_memory("%zu bytes wanted", bytes);
    pages_touch(text + from);
    return text;
}

void *map_resize(void *at, size_t old, size_t bytes)
{
    if (bytes < POOLED && old < POOLED)
        return mem_resize(at, bytes);
    if (bytes >= MAPPED && old >= MAPPED)
        return map_grow(at, old, bytes);
    if (old >= POOLED && old < MAPPED && bytes >= POOLED && bytes < MAPPED &&
        pages_resize(at, old, bytes))
        return at;
    void *p = bytes < POOLED   ? mem_resize(NULL, bytes)
              : bytes < MAPPED ? pages_new(bytes)
                               : pages_map(rounded(bytes), false);
    if (old > 0)
        memcpy(p, at, old < bytes ? old : bytes);
    map_free(at, old);
    return p;
}

void map_free(void *at, size_t size)
{
    if (size < POOLED)
        mem_free(at);
    else if (size < MAPPED)
        pages_free(at, size);
    else
        pages_unmap(at, rounded(size));
}

void vec_free(void *at, uint32_t cap, size_t size)
{
    map_free(at, cap * size);
}

void *vec_zeroed(uint32_t *cap, uint32_t n, size_t size)
{
    *cap = n;
    if (n * size < POOLED)
        return mem_alloc(n * size);
    if (n * size >= MAPPED)
        return pages_map(rounded(n * size), true);
    return memset(map_resize(NULL, 0, n * size), 0, n * size);
}

// The largest capacity is UINT32_MAX - 1, so that len + 1 never wraps.
static const uint32_t MOST = UINT32_MAX - 1;

// Twice as many.
static uint32_t grown(uint32_t cap, uint32_t need)
{
    uint32_t want = cap > MOST / 2 ? MOST : cap * 2;
    if (want < 8)
        want = 8;
    return want < need ? need : want;
}

uint64_t map_held(uint64_t size, uint64_t used)
{
    return size < POOLED ? size : size < MAPPED ? pages_rounded(size) : rounded(used);
}

uint64_t map_held_grown(uint64_t old, uint64_t size, uint64_t used)
{
    bool pooled = size >= POOLED && size < MAPPED;
    uint64_t n = pooled ? pages_need(size) : map_held(size, used);
    // A block that is left may stay with the pool.
    return old >= POOLED && old < MAPPED ? n + pages_rounded(old) : n;
}

uint64_t vec_held(uint32_t len, uint32_t cap, size_t size)
{
    uint64_t old = (uint64_t)cap * size, used = (uint64_t)len * size;
    if (len <= cap)
        return map_held(old, used);
    return map_held_grown(old, (uint64_t)grown(cap, len) * size, used);
}

uint64_t vec_slack(void)
{
    return pages_slack();
}

void *vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size)
{
    if (need <= *cap)
        return at;
    if (need > MOST)
        out_of_memory("an array of %u elements", need);
    uint32_t want = grown(*cap, need);
    if (size && want > SIZE_MAX / size)
        out_of_memory("%u elements of %zu bytes", want, size);
    at = map_resize(at, *cap * size, want * size);
    *cap = want;
    return at;
}
