// SPDX-License-Identifier: Apache-2.0
// Interned byte strings: equal contents, equal id; ids are dense from 0 in
// order of first use.  Id 0 is always the empty string.  Pointers handed out
// stay valid until release.  (Keys may hold NUL bytes; each has a NUL behind.)
#ifndef BASE_MEMORY_INTERN_H
#define BASE_MEMORY_INTERN_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include <assert.h>

struct intern_entry {
    const char *at;
    uint32_t len, hash;
};
struct intern {
    struct arena mem;
    VEC(struct intern_entry) entry; // by id
    struct u32_vec slot;            // 1 + id, at its hash or behind it; 0: none
};

void intern_init(struct intern *interned);
void intern_release(struct intern *interned);
uint32_t intern_bytes(struct intern *interned, const void *data, size_t n);
uint32_t intern_str(struct intern *interned, const char *text);

static inline const char *intern_text(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id].at;
}
static inline uint32_t intern_len(const struct intern *interned, uint32_t id)
{
    assert(id < interned->entry.len);
    return interned->entry.at[id].len;
}

#endif
