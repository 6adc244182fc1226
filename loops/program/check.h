// SPDX-License-Identifier: Apache-2.0
// The invariants of programs over arrays (program.h), for tests.
#ifndef LOOPS_PROGRAM_CHECK_H
#define LOOPS_PROGRAM_CHECK_H

#include "loops/program/program.h"

// Are P1 to P6 true?  If not, *what names the first that is not, and *at the node, statement or
// block.
bool code_check(const struct code_program *program, const char **what, uint32_t *at);

#endif
