// SPDX-License-Identifier: Apache-2.0
// Blocks of 64 KiB to 2 MiB, packed into large pages, because a page fault costs
// almost as much for a small page as for a large one.  The first MiB of blocks is
// on the heap, so that small programs take no more memory than they need.  Only
// the arrays of vec.h use these blocks.
#ifndef BASE_MEMORY_PAGES_H
#define BASE_MEMORY_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    LARGE_PAGE = 1 << 21,
    PAGES_LEAST = 1 << 16,
    PAGES_MOST = LARGE_PAGE // larger blocks are mappings of their own
};

// Address space for `bytes` at a multiple of the large page.
void *pages_space(size_t bytes);
// The same, with advice to the system to use large pages; a refusal does no harm.
// Pages that were given back come first, if `zeroed` with zeros.
// A large page can take longer than small ones, for example where a hypervisor
// has taken back free memory.  After the first such page (BASE_LARGE_PAGE_TIME)
// this process, and every program that it starts, uses small pages only.  The
// choice holds for the whole process, because mremap cannot grow a mapping whose
// neighbour has the other kind of advice.
void *pages_map(size_t bytes, bool zeroed);
// Gives back a block of pages_map that may have grown since.
void pages_unmap(void *at, size_t bytes);
// Keeps pages that are given back, up to BASE_PAGES_KEPT.
void pages_keep(void);
// Callers must call this before the first use of a page.
void pages_touch(void *at);

// The contents of a new block are undefined.  Any size is allowed.
void *pages_new(size_t bytes);
void pages_free(void *at, size_t bytes);
// Returns true if the block could be resized in place.
bool pages_resize(void *at, size_t old, size_t bytes);
size_t pages_rounded(size_t bytes);
// Bytes of pages that belong to no block; bytes that a new block would add.
size_t pages_slack(void);
size_t pages_need(size_t bytes);

#endif
