// SPDX-License-Identifier: Apache-2.0
// Private to egraph/plain/ac/.
#ifndef EGRAPH_PLAIN_AC_CORE_H
#define EGRAPH_PLAIN_AC_CORE_H

#include "egraph/plain/ac/ac.h"

// state: nothing of the operator; in a sum, or has one, not decided; an atom;
// defined by def[].
enum { AC_AWAY, AC_OPEN, AC_ATOM, AC_DEFINED };

// Multisets with a number each, told apart: index by (number, multiset).
struct mset_map {
    struct u32_vec pool, at, list, tag, slot;
};
void mset_map_release(struct mset_map *map);
static inline uint64_t mset_map_bytes(const struct mset_map *map)
{
    return 4 *
           ((uint64_t)map->pool.cap + map->at.cap + map->list.cap + map->tag.cap + map->slot.cap);
}
// The entry, or CC_NONE.
uint32_t mset_map_find(const struct mset_map *map, uint32_t tag, uint32_t n, const uint32_t *set);
// The entry, which is new when it is the last and `len` grew.
uint32_t mset_map_add(struct mset_map *map, uint32_t tag, uint32_t n, const uint32_t *set);

// Normal forms of the touched classes: by entry of `form` its first class.
struct ac_normals {
    struct mset_map form;
    struct u32_vec cls;
    struct u32_vec entry;      // by touched class
    struct u32_vec use, n_use; // the uses of rules that led to it, in `uses`
    struct u32_vec uses;
};

// A node counts if it has the operator and is not dead.  Hidden nodes count: their
// equalities hold.
static inline bool ac_is_sum(const struct ac *ac, uint32_t op, uint32_t node)
{
    return (ac->graph->node.at[node].op & ~CC_HIDDEN) == op;
}
bool ac_has_other(const struct ac *ac, uint32_t op, uint32_t cls);
// The form of x + y at the end of `out`; its length.
uint32_t ac_add_forms(const struct ac *ac, uint32_t x, uint32_t y, struct u32_vec *out);
// egraph/plain/ac/offer.c: adds the nodes that rules may want to match.
void ac_offer(struct ac *ac, uint32_t op, struct monoid *monoid, struct ac_normals *normals);

static inline bool ac_late(const struct ac *ac, uint64_t bytes)
{
    return ac->late != NULL && ac->late(ac->late_ctx, bytes);
}

#endif
