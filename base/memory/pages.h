// SPDX-License-Identifier: Apache-2.0
// Blocks of 64 KiB to 2 MiB, packed into large pages: a fault costs the system
// not much less for a small page than for a large one.  The first MiB is on
// the heap, so that small programs take no more than they need.  For arrays
// (vec.h) only.
#ifndef BASE_MEMORY_PAGES_H
#define BASE_MEMORY_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    LARGE_PAGE = 1 << 21,
    PAGES_LEAST = 1 << 16,
    PAGES_MOST = LARGE_PAGE // are not in it
};

// Address space for `bytes` at a multiple of the large page.
void *pages_space(size_t bytes);
// The same, and large pages are asked for; that is advice: refused, nothing is
// lost.  Once one took longer than small ones would (so it is where a hypervisor
// has taken back memory that was free in large pieces) the process has no more
// of them, nor have programs that it starts from then on.  That is not said of
// each mapping, because one of two kinds in a row could not grow by mremap.
void *pages_map(size_t bytes);
// A page that was never used is about to be.
void pages_touch(void *at);

// What is in a block is not defined.  Sizes need not be those of blocks.
void *pages_new(size_t bytes);
void pages_free(void *at, size_t bytes);
// True: the block now has the new size where it is.
bool pages_resize(void *at, size_t old, size_t bytes);
size_t pages_rounded(size_t bytes);
// Bytes that no block has; and how many a new block would add to all.
size_t pages_slack(void);
size_t pages_need(size_t bytes);

#endif
