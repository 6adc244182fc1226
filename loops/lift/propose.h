// SPDX-License-Identifier: Apache-2.0
// Facts that the caller of a kernel may guarantee without saying so, as texts that
// launch_assume reads, one a line, likely ones first.
//
//   a == b*c   where the program divides a multiple of a by b: b is the stride inside a
//   a == b     of two sizes
//   t*g >= cdiv(n, block)   of the trips of a loop and the programs that the launch names
#ifndef LOOPS_LIFT_PROPOSE_H
#define LOOPS_LIFT_PROPOSE_H

#include "loops/program/program.h"

void propose_facts(const struct code_program *program, struct buf *out);

#endif
