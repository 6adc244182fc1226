// SPDX-License-Identifier: Apache-2.0
// Ranges of integers as numbers: from the widths of parameters and of what memory holds, and from
// constants.  They are those of mathematics as long as no integer leaves its type.
#ifndef PROOF_KERNEL_RANGE_H
#define PROOF_KERNEL_RANGE_H

#include "loops/program/program.h"

struct range {
    double low, high; // rounded outwards, where a double does not hold them
};
struct ranges {
    const struct code_program *program;
    VEC(struct range) known; // by node
    VEC(uint8_t) is_known;
    struct u32_vec loop; // by node: 1 + the loop whose variable it is; 0: none
};

void ranges_init(struct ranges *ranges, const struct code_program *program);
void ranges_release(struct ranges *ranges);
// What the operator of an integer gives before it is put into its type.
struct range range_before(struct ranges *ranges, code_value value);
// Is that always a number of the type?
bool range_fits(struct ranges *ranges, code_value value);

#endif
