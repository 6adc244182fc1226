// SPDX-License-Identifier: Apache-2.0
// Runs of a program against what somebody expects of it: where its arrays end, which elements
// it writes, and their values.
#ifndef LOOPS_VALIDATE_EXPECTED_H
#define LOOPS_VALIDATE_EXPECTED_H

#include "loops/validate/validate.h"

// Elements of an array: base + sum of stride*index, 0 <= index < size.
struct expected_place {
    uint32_t array, n;
    bool written;
    ipoly base, stride[OUTPUT_AXES], size[OUTPUT_AXES];
};
struct expected_run {
    const struct code_program *program;
    struct lterms *terms;
    uint32_t n_outputs;
    const struct output *const *outputs; // statement, axes, places, element symbols and value
    uint32_t n_compared;                 // the first outputs have a value
    uint32_t n_places;
    const struct expected_place *places; // of outputs and of what is read
    // By parameter: integers in memory point to its elements.  That they lie inside is the caller's
    // to guarantee, so a run where they do not says nothing.
    const uint8_t *gathered;
    bool all; // the places are all that the program may touch
};

// Differs: a fault of the program, an element that is not written or has another value, or, if
// `all`, a write of what is no element.  Its text has sizes, program and lane.
void expected_compare(const struct expected_run *expected, uint64_t seed, uint32_t runs,
                      struct validation *out);

#endif
