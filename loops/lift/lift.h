// SPDX-License-Identifier: Apache-2.0
// From a program to the formulas of its outputs: closed forms of loops, axes and inverse of each
// write, the formula.  All of it is found, none of it proved (proof/kernel).
#ifndef LOOPS_LIFT_LIFT_H
#define LOOPS_LIFT_LIFT_H

#include "loops/written/written.h"

struct lifted {
    struct output output;
    struct written written; // if output.reason is NULL
};
struct lifting {
    struct integers in;
    struct lterms terms;
    struct symbolic s;
    VEC(struct lifted) outputs;
    struct u32_vec assumed; // integer parameters that are taken to be at least 1
};

void lifting_run(struct lifting *lifting, const struct code_program *program);
void lifting_release(struct lifting *lifting);

#endif
