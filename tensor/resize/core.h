// SPDX-License-Identifier: Apache-2.0
// Internal to resize/: the sizes and attributes of terms as numbers.
#ifndef TENSOR_RESIZE_CORE_H
#define TENSOR_RESIZE_CORE_H

#include "tensor/resize/sizes.h"
#include "tensor/resize/resize.h"

// A number with a sign, or an integer that stays (number = NO_NUMBER).
struct place {
    uint32_t number;
    bool negative;
};

// The terms of one program.  Places of term t: one for each dimension from dim[t] on, one for each
// attribute from attr[t] on (UINT32_MAX: its attributes stay), one for its value in `literal`.
struct sized_terms {
    const struct terms *terms;
    struct u32_vec reach;              // ascending
    struct u32_vec dim, attr, literal; // by term; UINT32_MAX or NO_NUMBER: none
    struct u32_vec
        counts; // by term: a number of the axis whose places its elements are compared with
};
struct resizer {
    struct pool *pool;
    struct sizes numbers;
    VEC(struct place) places;
    struct sized_terms side[2];
    struct u32_vec param; // first place of each parameter
};

// ties.c: makes the numbers of all terms that both functions reach, and their relations.
void resizer_tie(struct resizer *resizer, uint32_t side, const struct function *function);
// The places of a type's dimensions.
uint32_t resizer_type(struct resizer *resizer, type_id type);

#endif
