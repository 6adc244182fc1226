// SPDX-License-Identifier: Apache-2.0
// What was lifted, against runs of the program at random sizes.
//
// Sizes meet the facts of the program, and are mostly no multiples of its tiles.  A run that
// agrees proves nothing; one that differs is a counterexample.
#ifndef LOOPS_VALIDATE_VALIDATE_H
#define LOOPS_VALIDATE_VALIDATE_H

#include "loops/lift/lift.h"
#include "loops/run/sample.h"

enum validation_kind {
    VALIDATED_AGREES,  // at all elements that were compared
    VALIDATED_DIFFERS, // `text` says where
    VALIDATED_UNKNOWN, // nothing could be compared; `text` says why
};

struct validation {
    enum validation_kind kind;
    uint32_t runs;
    uint64_t elements; // that were compared
    bool in_part;      // of some grid only a few programs ran
    struct buf text;   // sizes, element, both values; or a fault with its program and lane
};

// An output of the lifting, and what comes of it.
struct validation_of {
    uint32_t output;
    bool doubted; // not all of it is proved: more runs may show why
    struct validation *out;
};

// Compares outputs with the same runs.  The program must be that of the lifting.
void lifting_validate(struct lifting *lifting, uint32_t n, const struct validation_of *asked,
                      uint64_t seed, uint32_t runs);
// The first fault of `runs` runs, if there is one, as a text with sizes, program and lane; faults of
// overflow and refused operations do not count.  False: none, or no sizes were found.
bool program_fault(const struct code_program *program, uint64_t seed, uint32_t runs,
                   struct buf *text);
void validation_release(struct validation *validation);
// n=150, grid.x=3
void exec_print_sizes(const struct execution *run, struct buf *out);

#endif
