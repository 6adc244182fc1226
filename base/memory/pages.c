// SPDX-License-Identifier: Apache-2.0
#include "base/memory/pages.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/memory/vec.h"

#include <sys/mman.h>
#include <sys/prctl.h>

// A large page of 32 units; a block is some of them in a row.
enum { UNIT = PAGES_LEAST, UNITS = LARGE_PAGE / UNIT };
struct chunk {
    char *at;
    uint32_t free; // a bit for each unit
};
static struct chunk *chunks;
static uint32_t n_chunks, n_room;
static size_t on_heap; // bytes of blocks that are there

// With checks of memory all are.
#ifdef POOL_OFF
static const size_t MOST_ON_HEAP = SIZE_MAX / 2;
#else
static const size_t MOST_ON_HEAP = LARGE_PAGE / 2;
#endif

static bool dear; // large pages are

// Pages without an array, for the next ones: the system would clear them again.
enum { MOST_KEPT = BASE_PAGES_KEPT << 20, KEPT = MOST_KEPT / LARGE_PAGE };
static struct kept {
    char *at;
    size_t bytes;
} kept[KEPT];
static uint32_t n_kept;
static size_t kept_bytes, most_kept;

void pages_keep(void)
{
#ifndef POOL_OFF
    most_kept = MOST_KEPT;
#endif
}

void pages_unmap(void *at, size_t bytes)
{
    if (kept_bytes + bytes > most_kept) {
        munmap(at, bytes);
        return;
    }
    kept[n_kept++] = (struct kept){at, bytes};
    kept_bytes += bytes;
}

// A part of the smallest block that is large enough, or NULL.
static char *kept_pages(size_t bytes)
{
    uint32_t best = n_kept;
    for (uint32_t i = 0; i < n_kept; i++)
        if (kept[i].bytes >= bytes && (best == n_kept || kept[i].bytes < kept[best].bytes))
            best = i;
    if (best == n_kept)
        return NULL;
    char *text = kept[best].at;
    kept[best].at += bytes;
    kept[best].bytes -= bytes;
    kept_bytes -= bytes;
    if (kept[best].bytes == 0)
        kept[best] = kept[--n_kept];
    return text;
}

static uint32_t units_of(size_t bytes)
{
    return (uint32_t)((bytes + UNIT - 1) / UNIT);
}

static uint32_t bits(uint32_t from, uint32_t n)
{
    return (n < 32 ? (UINT32_C(1) << n) - 1 : UINT32_MAX) << from;
}

size_t pages_rounded(size_t bytes)
{
    return (size_t)units_of(bytes) * UNIT;
}

void *pages_space(size_t bytes)
{
    size_t size = bytes + LARGE_PAGE;
    char *text = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        out_of_memory("%zu bytes wanted", bytes);
    size_t before = (0 - (uintptr_t)text) & (LARGE_PAGE - 1);
    if (before > 0)
        munmap(text, before);
    if (size - before > bytes)
        munmap(text + before + bytes, size - before - bytes);
    return text + before;
}

// Gives kept blocks back to the system, before a new one of so many bytes: a process
// that grows holds no pages that it cannot use.
static void drop_kept(size_t bytes)
{
    for (size_t dropped = 0; n_kept > 0 && dropped < bytes;) {
        struct kept block = kept[--n_kept];
        munmap(block.at, block.bytes);
        kept_bytes -= block.bytes;
        dropped += block.bytes;
    }
}

void *pages_map(size_t bytes, bool zeroed)
{
    char *text = kept_pages(bytes);
    if (text != NULL)
        return zeroed ? memset(text, 0, bytes) : text;
    drop_kept(bytes);
    text = pages_space(bytes);
#ifdef MADV_HUGEPAGE
    if (!dear)
        madvise(text, bytes, MADV_HUGEPAGE);
#endif
    pages_touch(text);
    return text;
}

void pages_touch(void *at)
{
#ifdef PR_SET_THP_DISABLE
    if (dear)
        return;
    double begin = clock_cpu();
    *(volatile char *)at = 0;
    dear = clock_cpu() - begin > 1e-6 * BASE_LARGE_PAGE_TIME;
    if (dear)
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
}

// The first place of so many free units, or UNITS.
static uint32_t place(uint32_t mask, uint32_t n)
{
    // A bit stays where a run of `have` begins.
    for (uint32_t have = 1; have < n && mask != 0;) {
        uint32_t more = n - have < have ? n - have : have;
        mask &= mask >> more;
        have += more;
    }
    return mask != 0 ? (uint32_t)__builtin_ctz(mask) : UNITS;
}

// Where a block has room, and the least is free; n_chunks: nowhere.
static uint32_t chunk_for(uint32_t n)
{
    uint32_t best = n_chunks, least = UNITS + 1;
    for (uint32_t i = 0; i < n_chunks; i++) {
        uint32_t free = (uint32_t)__builtin_popcount(chunks[i].free);
        if (free < least && free >= n && place(chunks[i].free, n) < UNITS) {
            best = i;
            least = free;
        }
    }
    return best;
}

size_t pages_slack(void)
{
    size_t n = 0;
    for (uint32_t i = 0; i < n_chunks; i++)
        n += (size_t)__builtin_popcount(chunks[i].free) * UNIT;
    return n;
}

size_t pages_need(size_t bytes)
{
    uint32_t n = units_of(bytes);
    if (on_heap + bytes <= MOST_ON_HEAP)
        return bytes;
    return chunk_for(n) < n_chunks ? (size_t)n * UNIT : LARGE_PAGE;
}

void *pages_new(size_t bytes)
{
    if (on_heap + bytes <= MOST_ON_HEAP) {
        on_heap += bytes;
        return mem_resize(NULL, bytes);
    }
    uint32_t n = units_of(bytes), i = chunk_for(n);
    if (i == n_chunks) {
        if (n_chunks == n_room) {
            n_room = n_room * 2 + 8;
            chunks = mem_resize(chunks, n_room * sizeof *chunks);
        }
        chunks[n_chunks++] = (struct chunk){pages_map(LARGE_PAGE, false), UINT32_MAX};
    }
    uint32_t at = place(chunks[i].free, n);
    chunks[i].free &= ~bits(at, n);
    return chunks[i].at + (size_t)at * UNIT;
}

// NULL: it is on the heap.
static struct chunk *chunk_of(const void *at)
{
    for (uint32_t i = 0; i < n_chunks; i++)
        if ((uintptr_t)at - (uintptr_t)chunks[i].at < LARGE_PAGE)
            return &chunks[i];
    return NULL;
}

static uint32_t unit_of(const struct chunk *chunk, const void *at)
{
    return (uint32_t)(((uintptr_t)at - (uintptr_t)chunk->at) / UNIT);
}

void pages_free(void *at, size_t bytes)
{
    struct chunk *chunk = chunk_of(at);
    if (chunk == NULL) {
        on_heap -= bytes;
        mem_free(at);
        return;
    }
    chunk->free |= bits(unit_of(chunk, at), units_of(bytes));
    if (chunk->free != UINT32_MAX)
        return;
    pages_unmap(chunk->at, LARGE_PAGE);
    *chunk = chunks[--n_chunks];
    if (n_chunks > 0)
        return;
    mem_free(chunks);
    chunks = NULL;
    n_room = 0;
}

bool pages_resize(void *at, size_t old, size_t bytes)
{
    struct chunk *chunk = chunk_of(at);
    if (chunk == NULL)
        return false;
    uint32_t was = units_of(old), n = units_of(bytes), from = unit_of(chunk, at);
    if (from + n > UNITS)
        return false;
    uint32_t more = n > was ? bits(from + was, n - was) : 0;
    if ((chunk->free & more) != more)
        return false;
    chunk->free &= ~more;
    if (n < was)
        chunk->free |= bits(from + n, was - n);
    return true;
}
