// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "egraph/plain/ac/core.h"

void mset_map_release(struct mset_map *m)
{
    vec_release(&m->pool);
    vec_release(&m->at);
    vec_release(&m->n);
    vec_release(&m->tag);
    vec_release(&m->slot);
}

// The slot of the entry, or a free one.
static uint32_t slot_of(const struct mset_map *m, uint32_t tag, uint32_t n,
                        const uint32_t *set)
{
    uint32_t mask = m->slot.len - 1;
    uint32_t s = (uint32_t)hash_bytes(set, n * sizeof *set, tag) & mask;
    for (;; s = (s + 1) & mask) {
        uint32_t i = m->slot.at[s];
        if (i == CC_NONE ||
            (m->tag.at[i] == tag && m->n.at[i] == n &&
             memcmp(m->pool.at + m->at.at[i], set, n * sizeof *set) == 0))
            return s;
    }
}

static void grow(struct mset_map *m)
{
    uint32_t size = m->slot.len == 0 ? 64 : 2 * m->slot.len;
    vec_reserve(&m->slot, size);
    m->slot.len = size;
    memset(m->slot.at, 0xFF, size * sizeof *m->slot.at);
    for (uint32_t i = 0; i < m->at.len; i++)
        m->slot.at[slot_of(m, m->tag.at[i], m->n.at[i],
                           m->pool.at + m->at.at[i])] = i;
}

uint32_t mset_map_find(const struct mset_map *m, uint32_t tag, uint32_t n,
                       const uint32_t *set)
{
    return m->slot.len == 0 ? CC_NONE : m->slot.at[slot_of(m, tag, n, set)];
}

uint32_t mset_map_add(struct mset_map *m, uint32_t tag, uint32_t n,
                      const uint32_t *set)
{
    if (2 * (m->at.len + 1) > m->slot.len)
        grow(m);
    uint32_t s = slot_of(m, tag, n, set);
    if (m->slot.at[s] != CC_NONE)
        return m->slot.at[s];
    m->slot.at[s] = m->at.len;
    vec_push(&m->at, m->pool.len);
    vec_push(&m->n, n);
    vec_push(&m->tag, tag);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&m->pool, set[i]);
    return m->at.len - 1;
}
