// SPDX-License-Identifier: Apache-2.0
#include "base/memory/intern.h"
#include "base/err.h"
#include "base/hash.h"
#include <assert.h>

static void grow_slots(struct intern *interned)
{
    uint32_t n = interned->n_slots ? interned->n_slots * 2 : 16;
    uint32_t *slot = mem_alloc(n * sizeof *slot);
    for (uint32_t id = 0; id < interned->entry.len; id++) {
        uint32_t i = interned->entry.at[id].hash & (n - 1);
        while (slot[i])
            i = (i + 1) & (n - 1);
        slot[i] = id + 1;
    }
    mem_free(interned->slot);
    interned->slot = slot;
    interned->n_slots = n;
}

void intern_init(struct intern *interned)
{
    *interned = (struct intern){0};
    grow_slots(interned);
    intern_bytes(interned, "", 0);
}

void intern_release(struct intern *interned)
{
    arena_release(&interned->mem);
    vec_release(&interned->entry);
    mem_free(interned->slot);
    *interned = (struct intern){0};
}

// Slot that holds the key, or the free slot where it belongs.
static uint32_t *find_slot(const struct intern *interned, const void *data, size_t n, uint32_t hash)
{
    uint32_t mask = interned->n_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        if (!interned->slot[i])
            return &interned->slot[i];
        const struct intern_entry *entry = &interned->entry.at[interned->slot[i] - 1];
        if (entry->hash == hash && entry->len == n && (!n || !memcmp(entry->at, data, n)))
            return &interned->slot[i];
    }
}

uint32_t intern_bytes(struct intern *interned, const void *data, size_t n)
{
    if (n >= UINT32_MAX || interned->entry.len >= UINT32_MAX / 4)
        BUG("out of memory (a string of %zu bytes among %u)", n, interned->entry.len);
    uint32_t hash = (uint32_t)hash_bytes(data, n, 0);
    uint32_t *slot = find_slot(interned, data, n, hash);
    if (*slot)
        return *slot - 1;
    if (2 * (interned->entry.len + 1) > interned->n_slots) {
        grow_slots(interned);
        slot = find_slot(interned, data, n, hash);
    }
    struct intern_entry entry = {arena_strndup(&interned->mem, data, n), (uint32_t)n, hash};
    vec_push(&interned->entry, entry);
    *slot = interned->entry.len;
    return interned->entry.len - 1;
}

uint32_t intern_str(struct intern *interned, const char *text)
{
    return intern_bytes(interned, text, strlen(text));
}

const char *intern_text(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id].at;
}

uint32_t intern_len(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id].len;
}
