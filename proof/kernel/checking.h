// SPDX-License-Identifier: Apache-2.0
// The state of kernel_check, for its parts.
#ifndef PROOF_KERNEL_CHECKING_H
#define PROOF_KERNEL_CHECKING_H

#include "proof/kernel/steps.h"

struct loops_around {
    uint32_t n, loop[OUTPUT_MEMBERS];
};

struct checking {
    struct symbolic *s;
    struct claim *claim;
    struct kernel_check *out;
    const struct claim_output *output; // the one that is checked now
    struct obligation_list list;
    uint32_t base; // facts of the launch
    bool found;
    VEC(uint8_t) induction;          // by state of a loop: 1 holds, 2 does not, 0 not asked yet
    uint32_t writers;                // statements that write what they must not
    VEC(uint64_t) used;              // by output, the tensors that its formula names
    VEC(struct loops_around) around; // by output, the loops around its write
    struct loops_around read_loops;  // around the read that is checked now
    struct u32_vec others;           // outputs that write an array that the formula reads
};

// Which tensors the formulas name.
void find_used(struct checking *checking);
// Which loops are around the writes.
void find_around(struct checking *checking);
// bounds, order: of a read; for each_statement.
bool check_read(void *ctx, struct symbolic *s, const struct code_statement *statement,
                uint32_t n_loops, const uint32_t *loops, const char *reason);
// bounds: of the tensors of the output's formula.
void check_tensors(struct checking *checking, struct code_place place);
// No element of a is one of b.  What no fact decides is a need.
bool claims_apart(struct checking *checking, const struct claim_output *a,
                  const struct claim_output *b);

#endif
