// SPDX-License-Identifier: Apache-2.0
#include "base/memory/arena.h"
#include "base/err.h"
#include "base/memory/vec.h"

enum { ALIGN = 16, FIRST_BLOCK = 4096, LAST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *below;
    size_t size; // bytes of data behind this header
};

// The data starts at the first aligned byte behind the header.
#define HEADER ((sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN)

static char *block_data(struct arena_block *b)
{
    return (char *)b + HEADER;
}

static void drop_block(struct arena *a, struct arena_block *b)
{
    a->total -= b->size;
    mem_free(b);
}

static void push_block(struct arena *a, size_t size)
{
    struct arena_block *b = a->spare;
    if (b && b->size >= size) {
        a->spare = NULL;
    } else {
        size_t room = a->top ? a->top->size * 2 : FIRST_BLOCK;
        if (room > LAST_BLOCK)
            room = LAST_BLOCK;
        if (room < size)
            room = size;
        if (room > SIZE_MAX - HEADER)
            BUG("out of memory (%zu bytes wanted)", size);
        b = mem_resize(NULL, HEADER + room);
        b->size = room;
        a->total += room;
    }
    b->below = a->top;
    a->top = b;
    a->used = 0;
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        BUG("out of memory (%zu bytes wanted)", size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (!a->top || size > a->top->size - a->used)
        push_block(a, size);
    void *p = block_data(a->top) + a->used;
    a->used += size;
    return memset(p, 0, size);
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->top, a->used};
}

// One freed block is kept, so that a loop of mark and reset that crosses the
// end of a block does not allocate in each round.
void arena_reset(struct arena *a, struct arena_mark m)
{
    while (a->top != m.top) {
        struct arena_block *b = a->top;
        if (!b)
            BUG("arena reset to a mark that is gone");
        a->top = b->below;
        if (a->spare && a->spare->size >= b->size) {
            drop_block(a, b);
        } else {
            if (a->spare)
                drop_block(a, a->spare);
            a->spare = b;
        }
    }
    a->used = m.used;
}

void arena_release(struct arena *a)
{
    while (a->top) {
        struct arena_block *b = a->top;
        a->top = b->below;
        mem_free(b);
    }
    mem_free(a->spare);
    *a = (struct arena){0};
}
