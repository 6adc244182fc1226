// SPDX-License-Identifier: Apache-2.0
// Interned byte strings: equal contents, equal id; ids are dense from 0 in
// order of first use.  Id 0 is always the empty string.  Pointers handed out
// stay valid until release.  (Keys may hold NUL bytes; each has a NUL behind.)
#ifndef BASE_MEMORY_INTERN_H
#define BASE_MEMORY_INTERN_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"

struct intern_entry;
struct intern {
    struct arena mem;
    VEC(struct intern_entry *) entry;
    struct intern_entry *table; // a uthash
};

void intern_init(struct intern *interned);
void intern_release(struct intern *interned);
uint32_t intern_bytes(struct intern *interned, const void *data, size_t n);
uint32_t intern_str(struct intern *interned, const char *text);
const char *intern_text(const struct intern *interned, uint32_t id);
uint32_t intern_len(const struct intern *interned, uint32_t id);

#endif
