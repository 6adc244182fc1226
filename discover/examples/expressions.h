// SPDX-License-Identifier: Apache-2.0
// Internal to examples/: expressions over known integers, told apart by their values.
//
// X1  No two expressions of a list have equal values everywhere.
#ifndef DISCOVER_EXAMPLES_EXPRESSIONS_H
#define DISCOVER_EXAMPLES_EXPRESSIONS_H

#include "base/memory/arena.h"
#include "base/memory/vec.h"

struct candidate {
    const char *text;
    int64_t *value;       // by place: some points, then the pair's axes
    uint32_t size, alone; // alone: how often it may be right
};
struct expressions {
    struct arena *mem;
    uint32_t n_points, n_values;
    uint32_t n_wanted;
    const int64_t *const *wanted; // on the pair's axes
    VEC(struct candidate) made;
    uint32_t n_leaves, n_pairs; // of one operand; of at most two
    int64_t *scratch;           // values of one expression
    uint32_t *hashed;           // hash table over made, by value: index + 1
};

void expressions_start(struct expressions *list, struct arena *mem, uint32_t n_points,
                       uint32_t n_values);
void expressions_release(struct expressions *list);
// Adds an expression with values of its own.
void expressions_add(struct expressions *list, const char *text, const int64_t *value,
                     uint32_t size);
// Adds all of two operands out of those that were added, and those of three that are wanted.
void expressions_join(struct expressions *list);
// Adds minima and maxima that are wanted of longer expressions, as clamps have them.
void expressions_clamp(struct expressions *list);

#endif
