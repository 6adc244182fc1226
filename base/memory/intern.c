// SPDX-License-Identifier: Apache-2.0
#include "base/memory/intern.h"
#include "base/memory/table.h"

enum { FIRST_SLOTS = 64 }; // a power of two, as all numbers of slots

void intern_init(struct intern *interned)
{
    *interned = (struct intern){0};
    intern_bytes(interned, "", 0);
}

void intern_release(struct intern *interned)
{
    arena_release(&interned->mem);
    vec_release(&interned->entry);
    vec_release(&interned->slot);
}

// The slot of the string, or the free one where it belongs.
static uint32_t find_slot(const struct intern *interned, const void *data, size_t n, uint32_t hash)
{
    uint32_t mask = interned->slot.len - 1, at = hash & mask;
    for (; interned->slot.at[at] != 0; at = (at + 1) & mask) {
        const struct intern_entry *entry = &interned->entry.at[interned->slot.at[at] - 1];
        if (entry->hash == hash && entry->len == n && memcmp(entry->at, data, n) == 0)
            break;
    }
    return at;
}

// Twice as many slots.
static void grow(struct intern *interned)
{
    uint32_t n = 2 * interned->slot.len;
    vec_release(&interned->slot);
    vec_zero(&interned->slot, n);
    for (uint32_t id = 0; id < interned->entry.len; id++) {
        uint32_t at = interned->entry.at[id].hash & (n - 1);
        while (interned->slot.at[at] != 0)
            at = (at + 1) & (n - 1);
        interned->slot.at[at] = 1 + id;
    }
}

uint32_t intern_bytes(struct intern *interned, const void *data, size_t n)
{
    if (n >= UINT32_MAX || interned->entry.len >= UINT32_MAX / 4)
        out_of_memory("a string of %zu bytes among %u", n, interned->entry.len);
    if (n == 0) // the data of nothing may be NULL
        data = "";
    if (interned->slot.len == 0) // of an intern that is all zero
        vec_zero(&interned->slot, FIRST_SLOTS);
    uint64_t wide = hash_bytes(data, n, 0);
    uint32_t hash = (uint32_t)(wide ^ wide >> 32), at = find_slot(interned, data, n, hash);
    if (interned->slot.at[at] != 0)
        return interned->slot.at[at] - 1;
    struct intern_entry entry = {arena_strndup(&interned->mem, data, n), (uint32_t)n, hash};
    vec_push(&interned->entry, entry);
    interned->slot.at[at] = interned->entry.len;
    if (interned->entry.len > interned->slot.len / 2)
        grow(interned);
    return interned->entry.len - 1;
}

uint32_t intern_str(struct intern *interned, const char *text)
{
    return intern_bytes(interned, text, strlen(text));
}
