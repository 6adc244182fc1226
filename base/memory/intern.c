// SPDX-License-Identifier: Apache-2.0
#include "base/memory/intern.h"
#include "base/err.h"
#include "base/hash.h"
#include <assert.h>

static void grow_slots(struct intern *t)
{
    uint32_t n = t->n_slots ? t->n_slots * 2 : 16;
    uint32_t *slot = mem_alloc(n * sizeof *slot);
    for (uint32_t id = 0; id < t->entry.len; id++) {
        uint32_t i = t->entry.at[id].hash & (n - 1);
        while (slot[i])
            i = (i + 1) & (n - 1);
        slot[i] = id + 1;
    }
    mem_free(t->slot);
    t->slot = slot;
    t->n_slots = n;
}

void intern_init(struct intern *t)
{
    *t = (struct intern){0};
    grow_slots(t);
    intern_bytes(t, "", 0);
}

void intern_release(struct intern *t)
{
    arena_release(&t->mem);
    vec_release(&t->entry);
    mem_free(t->slot);
    *t = (struct intern){0};
}

// Slot that holds the key, or the free slot where it belongs.
static uint32_t *find_slot(const struct intern *t, const void *p, size_t n,
                           uint32_t hash)
{
    uint32_t mask = t->n_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        if (!t->slot[i])
            return &t->slot[i];
        const struct intern_entry *k = &t->entry.at[t->slot[i] - 1];
        if (k->hash == hash && k->len == n && (!n || !memcmp(k->at, p, n)))
            return &t->slot[i];
    }
}

uint32_t intern_bytes(struct intern *t, const void *p, size_t n)
{
    if (n >= UINT32_MAX || t->entry.len >= UINT32_MAX / 4)
        BUG("out of memory (a string of %zu bytes among %u)", n, t->entry.len);
    uint32_t hash = (uint32_t)hash_bytes(p, n, 0);
    uint32_t *slot = find_slot(t, p, n, hash);
    if (*slot)
        return *slot - 1;
    if (2 * (t->entry.len + 1) > t->n_slots) {
        grow_slots(t);
        slot = find_slot(t, p, n, hash);
    }
    struct intern_entry k = {arena_strndup(&t->mem, p, n), (uint32_t)n, hash};
    vec_push(&t->entry, k);
    *slot = t->entry.len;
    return t->entry.len - 1;
}

uint32_t intern_str(struct intern *t, const char *s)
{
    return intern_bytes(t, s, strlen(s));
}

const char *intern_text(const struct intern *t, uint32_t id)
{
    assert(id < t->entry.len);
    return t->entry.at[id].at;
}

uint32_t intern_len(const struct intern *t, uint32_t id)
{
    assert(id < t->entry.len);
    return t->entry.at[id].len;
}
