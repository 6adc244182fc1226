// SPDX-License-Identifier: Apache-2.0
// What runs have shown of a program: a run says nothing of the second iteration of a loop that had
// one, of a mask that was true in all lanes, or of the side of a branch that nobody took.
#ifndef LOOPS_VALIDATE_COVERAGE_H
#define LOOPS_VALIDATE_COVERAGE_H

#include "loops/run/run.h"

struct coverage {
    struct u32_vec trips; // by loop: the most iterations of it
    struct u32_vec sides; // by statement: enum exec_side
};

void coverage_add(struct coverage *coverage, const struct execution *run);
// Two iterations of every loop, and of the grid two programs along every axis; masks with lanes of
// both kinds; both sides of branches.  A program may have no run that shows it.
bool coverage_complete(const struct coverage *coverage, const struct code_program *program);
void coverage_release(struct coverage *coverage);

#endif
