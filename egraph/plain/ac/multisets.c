// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "egraph/plain/ac/core.h"

void mset_map_release(struct mset_map *map)
{
    vec_release(&map->pool);
    vec_release(&map->at);
    vec_release(&map->list);
    vec_release(&map->tag);
    vec_release(&map->slot);
}

// Own table: asked for every sum that is rewritten and every critical pair.
// The slot of the entry, or a free one.
static uint32_t slot_of(const struct mset_map *map, uint32_t tag, uint32_t n, const uint32_t *set)
{
    uint32_t mask = map->slot.len - 1;
    uint32_t s = (uint32_t)hash_bytes(set, n * sizeof *set, tag) & mask;
    for (;; s = (s + 1) & mask) {
        uint32_t i = map->slot.at[s];
        if (i == CC_NONE || (map->tag.at[i] == tag && map->list.at[i] == n &&
                             memcmp(map->pool.at + map->at.at[i], set, n * sizeof *set) == 0))
            return s;
    }
}

static void grow(struct mset_map *map)
{
    uint32_t size = map->slot.len == 0 ? 64 : 2 * map->slot.len;
    vec_reserve(&map->slot, size);
    map->slot.len = size;
    memset(map->slot.at, 0xFF, size * sizeof *map->slot.at);
    for (uint32_t i = 0; i < map->at.len; i++)
        map->slot.at[slot_of(map, map->tag.at[i], map->list.at[i], map->pool.at + map->at.at[i])] =
            i;
}

uint32_t mset_map_find(const struct mset_map *map, uint32_t tag, uint32_t n, const uint32_t *set)
{
    return map->slot.len == 0 ? CC_NONE : map->slot.at[slot_of(map, tag, n, set)];
}

uint32_t mset_map_add(struct mset_map *map, uint32_t tag, uint32_t n, const uint32_t *set)
{
    if (2 * (map->at.len + 1) > map->slot.len)
        grow(map);
    uint32_t s = slot_of(map, tag, n, set);
    if (map->slot.at[s] != CC_NONE)
        return map->slot.at[s];
    map->slot.at[s] = map->at.len;
    vec_push(&map->at, map->pool.len);
    vec_push(&map->list, n);
    vec_push(&map->tag, tag);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&map->pool, set[i]);
    return map->at.len - 1;
}
