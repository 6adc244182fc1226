// SPDX-License-Identifier: Apache-2.0
// Memory that is freed all at once, or back to a mark.  Zeroed on allocation.
#ifndef BASE_MEMORY_ARENA_H
#define BASE_MEMORY_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;
struct arena {
    struct arena_block *top;
    size_t used;               // bytes used in the top block
    size_t total;              // bytes held by all blocks
    struct arena_block *spare; // freed by a reset and kept for the next block
};
struct arena_mark {
    struct arena_block *top;
    size_t used;
};

void *arena_alloc(struct arena *arena, size_t size); // 16-byte aligned
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t n);
struct arena_mark arena_mark(const struct arena *arena);
void arena_reset(struct arena *arena, struct arena_mark mark);
void arena_release(struct arena *arena);

#define ARENA_NEW(a, T, n) ((T *)arena_alloc(a, sizeof(T) * (size_t)(n)))

#endif
