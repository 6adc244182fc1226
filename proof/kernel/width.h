// SPDX-License-Identifier: Apache-2.0
// What must be small enough for integers of words to be those of mathematics.
#ifndef PROOF_KERNEL_WIDTH_H
#define PROOF_KERNEL_WIDTH_H

#include "loops/grid/output.h"
#include "loops/program/reach.h"
#include "proof/kernel/range.h"

struct width_lane {
    iatom symbol;
    ipoly extent;
};
struct width_bound {
    ipoly bound;  // over sizes
    uint8_t bits; // 32 or 64: it is below 2^(bits - 1)
    uint32_t line;
};
// The facts that a node was asked under: how many, and what they say.
struct width_seen {
    uint32_t n;
    uint64_t hash;
};
struct widths {
    VEC(struct width_bound) bound; // what is enough
    struct u32_vec unknown;        // lines of integers that have no bound
    VEC(struct width_seen) seen;   // by node
    VEC(uint64_t) facts;           // of the place now: hashes of the first 0, 1, .. facts
    VEC(struct width_lane) lane;
    struct ranges ranges;
    struct reached reached;
};

void widths_init(struct widths *widths, const struct code_program *program);
// Adds what the addresses, masks, bounds or conditions of a statement need, and what states of a loop and
// results of a branch do; the facts are those of its place.
void widths_of_statement(struct symbolic *s, const struct code_statement *statement,
                         uint32_t n_loops, const uint32_t *loops, struct widths *out);
// Drops what follows from the others.  The facts are those of the launch.
void widths_finish(struct symbolic *s, struct widths *out);
// "n + 62 < 2147483648"
void width_print(struct integers *in, const struct width_bound *bound, struct buf *out);
// Do the facts say that the bound does not hold, whatever the sizes are?
bool width_never(struct symbolic *s, const struct width_bound *bound);
void widths_release(struct widths *widths);

#endif
