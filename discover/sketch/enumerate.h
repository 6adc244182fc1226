// SPDX-License-Identifier: Apache-2.0
// All sketches of one number of operators, from smaller ones, modulo names of
// tensors, scalars and classes and the order of the operands of sums, products
// and maxima.
#ifndef DISCOVER_SKETCH_ENUMERATE_H
#define DISCOVER_SKETCH_ENUMERATE_H

#include "base/memory/vec.h"
#include "discover/sketch/sketch.h"

struct sketch_vec {
    struct sketch *at;
    uint32_t len, cap;
};
struct enumerate_options {
    unsigned kinds;    // mask of enum sketch_kind that may occur
    unsigned binaries; // mask of enum sketch_binary
    unsigned tensors, scalars, classes;
    bool literals;
};
struct enumeration {
    struct enumerate_options options;
    uint64_t *seen; // signatures; open addressing
    uint32_t n_seen, n_slots;
    unsigned most; // slices and paddings in a sketch
};
// Slices and paddings: the operators that are solved for.
unsigned sketch_attributed(const struct sketch *sketch);
void enumeration_init(struct enumeration *sketches, const struct enumerate_options *options);
void enumeration_release(struct enumeration *sketches);
// Appends the sketches of `size` operators whose parts are in less[0 .. size-1]
// and that were not made before.
void enumerate(struct enumeration *sketches, const struct sketch_vec *less, unsigned size,
               struct sketch_vec *out);
// Equal for sketches that are one but for names and the order of operands.
uint64_t sketch_signature(const struct sketch *sketch);
// Renumbers tensors and scalars by first occurrence.
void sketch_renumber(struct sketch *sketch);
// Tensors, scalars and classes renamed.
void sketch_rename(struct sketch *sketch, const uint8_t *tensor, const uint8_t *scalar,
                   const uint8_t *cls);

#endif
