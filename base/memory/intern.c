// SPDX-License-Identifier: Apache-2.0
#include "base/memory/intern.h"
#include "base/memory/table.h"
#include <assert.h>

struct intern_entry {
    UT_hash_handle hh;
    const char *at;
    uint32_t id, len;
};

void intern_init(struct intern *interned)
{
    *interned = (struct intern){0};
    intern_bytes(interned, "", 0);
}

void intern_release(struct intern *interned)
{
    HASH_CLEAR(hh, interned->table);
    arena_release(&interned->mem);
    vec_release(&interned->entry);
}

uint32_t intern_bytes(struct intern *interned, const void *data, size_t n)
{
    if (n >= UINT32_MAX || interned->entry.len >= UINT32_MAX / 4)
        out_of_memory("a string of %zu bytes among %u", n, interned->entry.len);
    struct intern_entry *entry;
    if (n == 0) // the data of nothing may be NULL
        data = "";
    unsigned hash = (unsigned)hash_bytes(data, n, 0);
    HASH_FIND_BYHASHVALUE(hh, interned->table, data, (unsigned)n, hash, entry);
    if (entry)
        return entry->id;
    entry = ARENA_NEW(&interned->mem, struct intern_entry, 1);
    entry->at = arena_strndup(&interned->mem, data, n);
    entry->id = interned->entry.len;
    entry->len = (uint32_t)n;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, interned->table, entry->at, (unsigned)n, hash, entry);
    vec_push(&interned->entry, entry);
    return entry->id;
}

uint32_t intern_str(struct intern *interned, const char *text)
{
    return intern_bytes(interned, text, strlen(text));
}

const char *intern_text(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id]->at;
}

uint32_t intern_len(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id]->len;
}
