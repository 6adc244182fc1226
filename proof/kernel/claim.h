// SPDX-License-Identifier: Apache-2.0
// What a lifted kernel claims, as data and as text.
//
// The text has a line for each item; polynomials and terms are words in prefix order.  Symbols of
// members of W (loops/grid/output.h) are `member'0`, .., of elements `axis'0`, ..
#ifndef PROOF_KERNEL_CLAIM_H
#define PROOF_KERNEL_CLAIM_H

#include "loops/lift/lift.h"

struct claim_closed {
    uint32_t carried;
    struct closed closed;
};
struct claim_output {
    uint32_t statement; // of the program
    uint32_t n_members, n_axes;
    ipoly base, stride[OUTPUT_AXES], index[OUTPUT_AXES], extent[OUTPUT_AXES];
    ipoly witness[OUTPUT_MEMBERS];
    VEC(struct written_axis) axis; // the first n_axes are those of the output
    VEC(struct written_tensor) tensor;
    char *formula; // of the arena
};
struct claim {
    struct integers in;
    struct lterms terms;
    struct arena mem;
    VEC(struct claim_closed) closed;
    VEC(struct claim_output) outputs;
};

// Appends the lines of the outputs that have a formula, and of all closed forms.
void claim_print(struct lifting *lifting, struct buf *out);
// Reads them.  Fails with ERR_INPUT and a line.
bool claim_read(const char *text, struct claim *out, struct err *err);
void claim_release(struct claim *claim);

#endif
