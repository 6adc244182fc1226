// SPDX-License-Identifier: Apache-2.0
// Enumerates all sketches with a given number of operators, from smaller ones.
// Sketches are equal up to names of tensors, scalars and classes, and up to the
// order of operands of sums, products and maxima.
#ifndef DISCOVER_SKETCH_ENUMERATE_H
#define DISCOVER_SKETCH_ENUMERATE_H

#include "base/memory/vec.h"
#include "discover/sketch/sketch.h"

struct sketch_vec {
    struct sketch *at;
    uint32_t len, cap;
};
struct enumerate_options {
    unsigned kinds;    // mask of enum sketch_kind: operators that may occur
    unsigned binaries; // mask of enum sketch_binary
    unsigned tensors, scalars, classes;
    bool literals;
};
struct enumeration {
    struct enumerate_options options;
    uint64_t *seen; // signatures; open addressing
    uint32_t n_seen, n_slots;
    unsigned most; // limit of slices and paddings in one sketch
};
// The number of slices and paddings, the operators whose slots are solved for.
unsigned sketch_attributed(const struct sketch *sketch);
void enumeration_init(struct enumeration *sketches, const struct enumerate_options *options);
void enumeration_release(struct enumeration *sketches);
// Appends new sketches of `size` operators, with parts from less[0 .. size-1].
void enumerate(struct enumeration *sketches, const struct sketch_vec *less, unsigned size,
               struct sketch_vec *out);
// A hash that is equal for sketches that differ in names and the order of
// operands only.
uint64_t sketch_signature(const struct sketch *sketch);
// Renumbers tensors and scalars by first occurrence.
void sketch_renumber(struct sketch *sketch);
// Renames tensors, scalars and classes.
void sketch_rename(struct sketch *sketch, const uint8_t *tensor, const uint8_t *scalar,
                   const uint8_t *cls);

#endif
