// SPDX-License-Identifier: Apache-2.0
// What must be small enough for integers of 32 bits to be those of mathematics.
#ifndef PROOF_KERNEL_WIDTH_H
#define PROOF_KERNEL_WIDTH_H

#include "loops/grid/output.h"

#define WIDTH_LIMIT INT64_C(2147483648) // 2^31

struct width_lane {
    iatom symbol;
    ipoly extent;
};
struct widths {
    VEC(ipoly) bound;       // over sizes: each below WIDTH_LIMIT is enough
    struct u32_vec unknown; // lines of integers that have no bound
    VEC(uint8_t) seen;      // by node
    VEC(struct width_lane) lane;
};

// Adds what the addresses, masks or bounds of a statement need; the facts are those of its place.
void widths_of_statement(struct symbolic *s, const struct code_statement *statement,
                         uint32_t n_loops, const uint32_t *loops, struct widths *out);
// Drops what follows from the others.  The facts are those of the launch.
void widths_finish(struct symbolic *s, struct widths *out);
void widths_release(struct widths *widths);

#endif
