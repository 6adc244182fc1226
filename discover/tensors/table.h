// SPDX-License-Identifier: Apache-2.0
// A table of values of many right sides, for all small values of their slots,
// in a few worlds.  Values of a left side look up right sides that agree.
#ifndef DISCOVER_TENSORS_TABLE_H
#define DISCOVER_TENSORS_TABLE_H

#include "base/rng.h"
#include "discover/sketch/enumerate.h"
#include "discover/tensors/solve.h"

struct table_hit {
    struct sketch rhs; // the right side, in names of the left side
    uint32_t count;    // values of the left side that it equals
    uint32_t thin;     // equal values of single elements, counted separately
    struct agreement at;
    uint64_t left_moved, right_moved; // elements that each side moves in the best hit
    bool constant; // a scalar that stands for a tensor of the shape of the left side
};
struct hit_vec {
    struct table_hit *at;
    uint32_t len, cap;
};
struct table;
// Makes a table of the sketches in `from`.  Sketches of more than `plain`
// operators are added only if they have no slots.
struct table *table_new(const struct enumerate_options *options, const struct sketch_vec *from,
                        unsigned n_from, unsigned plain, uint64_t seed);
void table_free(struct table *table);
uint64_t table_entries(const struct table *table);
// Finds right sides that agree with the sketch somewhere, in no particular
// order.  *samples: the number of values that were looked up.
void table_find(struct table *table, const struct sketch *sketch, struct rng *rng,
                struct hit_vec *out, uint32_t *samples);

#endif
