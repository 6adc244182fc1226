// SPDX-License-Identifier: Apache-2.0
// What memory and control depend on, and how.
#ifndef LOOPS_PROGRAM_REACH_H
#define LOOPS_PROGRAM_REACH_H

#include "loops/program/program.h"

enum reach {
    REACH_NOT,
    // Only sums and products are made of it, and addresses or lower bits of these: words of 64 bits
    // may wrap on the way, for the address of an element is the same then.
    REACH_WORD,
    REACH_VALUE, // as the number that it is
};

// By node, enum reach.
struct reached {
    VEC(uint8_t) at;
};

// values: also what is written or said to be true; otherwise only addresses, masks, loops and branches count.
void reach(const struct code_program *program, bool values, struct reached *out);
void reach_release(struct reached *reached);

#endif
