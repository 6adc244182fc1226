// SPDX-License-Identifier: Apache-2.0
// Values of many sketches, for all small values of their slots, in a few
// worlds; looked up by the values of a left side.
#ifndef DISCOVER_TENSORS_TABLE_H
#define DISCOVER_TENSORS_TABLE_H

#include "base/rng.h"
#include "discover/sketch/enumerate.h"
#include "discover/tensors/solve.h"

struct table_hit {
    struct sketch rhs; // in the names of the left side
    uint32_t count;    // values of the left side that it takes
    uint32_t thin;     // of those of single elements, counted apart
    struct agreement at;
    uint64_t left_moved, right_moved; // elements, there
    bool constant;                    // a scalar for the left side's shape
};
struct hit_vec {
    struct table_hit *at;
    uint32_t len, cap;
};
struct table;
// Right sides: the sketches of `from`; those of more than `plain` operators
// only if they have no slots.
struct table *table_new(const struct enumerate_options *options, const struct sketch_vec *from,
                        unsigned n_from, unsigned plain, uint64_t seed);
void table_free(struct table *table);
uint64_t table_entries(const struct table *table);
// Right sides that agree with sketch somewhere, in no order that matters; *samples:
// how many values of sketch were looked up.
void table_find(struct table *table, const struct sketch *sketch, struct rng *rng,
                struct hit_vec *out, uint32_t *samples);

#endif
