// SPDX-License-Identifier: Apache-2.0
// A value over elements as a formula (docs/formulas.md), and what its names stand for.
//
//   axis     a name with a size
//   tensor   a name for elements of an array: at base + sum of stride * index; a name without
//            axes is one element
//
// The text declares tensors and scalars and is a formula by axes.  Terms that the language cannot
// say are refused with a reason.
#ifndef LOOPS_WRITTEN_WRITTEN_H
#define LOOPS_WRITTEN_WRITTEN_H

#include "loops/grid/output.h"

struct written_axis {
    char name[16];
    ipoly size;
};
// array NO_CODE: the elements are the integers base + sum of stride * index themselves.
struct written_tensor {
    char name[80];
    uint32_t array, n;
    ipoly base, stride[OUTPUT_AXES]; // base: also over symbols index'i, the index at place i
    uint32_t axis[OUTPUT_AXES];      // of axes
    iatom symbol[OUTPUT_AXES];       // of the writer
};
struct written {
    VEC(struct written_axis) axis;
    VEC(struct written_tensor) tensor;
    struct u32_vec scalar; // parameters, real and integer
    uint32_t n_output;     // the first axes are those of the output
    struct buf text;       // declarations and formula
    const char *reason;    // NULL: written
};

void written_output(struct symbolic *s, const struct output *output, struct written *out);
void written_release(struct written *written);

#endif
