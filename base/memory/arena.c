// SPDX-License-Identifier: Apache-2.0
#include "base/memory/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/memory/vec.h"

enum { ALIGN = 16 };

struct arena_block {
    struct arena_block *below;
    size_t size; // bytes of data behind this header
};

// The data starts at the first aligned byte behind the header.
#define HEADER ((sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN)

static char *block_data(struct arena_block *block)
{
    return (char *)block + HEADER;
}

static void drop_block(struct arena *arena, struct arena_block *block)
{
    arena->total -= block->size;
    mem_free(block);
}

static void push_block(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->spare;
    if (block && block->size >= size) {
        arena->spare = NULL;
    } else {
        size_t room = arena->top ? arena->top->size * 2 : BASE_ARENA_FIRST_BLOCK;
        if (room > BASE_ARENA_LAST_BLOCK)
            room = BASE_ARENA_LAST_BLOCK;
        if (room < size)
            room = size;
        if (room > SIZE_MAX - HEADER)
            out_of_memory("%zu bytes wanted", size);
        block = mem_resize(NULL, HEADER + room);
        block->size = room;
        arena->total += room;
    }
    block->below = arena->top;
    arena->top = block;
    arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        out_of_memory("%zu bytes wanted", size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (!arena->top || size > arena->top->size - arena->used)
        push_block(arena, size);
    void *p = block_data(arena->top) + arena->used;
    arena->used += size;
    return memset(p, 0, size);
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
    char *string = arena_alloc(arena, n + 1);
    if (n)
        memcpy(string, text, n);
    return string;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->top, arena->used};
}

// One freed block is kept, so that a loop of mark and reset that crosses the
// end of a block does not allocate in each round.
void arena_reset(struct arena *arena, struct arena_mark mark)
{
    while (arena->top != mark.top) {
        struct arena_block *block = arena->top;
        if (!block)
            BUG("arena reset to a mark that is gone");
        arena->top = block->below;
        if (arena->spare && arena->spare->size >= block->size) {
            drop_block(arena, block);
        } else {
            if (arena->spare)
                drop_block(arena, arena->spare);
            arena->spare = block;
        }
    }
    arena->used = mark.used;
}

void arena_release(struct arena *arena)
{
    while (arena->top) {
        struct arena_block *block = arena->top;
        arena->top = block->below;
        mem_free(block);
    }
    mem_free(arena->spare);
    *arena = (struct arena){0};
}
