// SPDX-License-Identifier: Apache-2.0
// A program over arrays as text for people: loops and assignments like those of C.
//
// Tiles are written as their elements at the lanes: splats and stretches have no text.  A
// value that is used once stands where it is used; others get names t0, t1, ..
#ifndef LOOPS_PRINT_PRINT_H
#define LOOPS_PRINT_PRINT_H

#include "loops/program/program.h"

void code_print(const struct code_program *program, struct buf *out);
// One value, with the names of parameters and the texts of constants; values that statements bind
// are v and their number.
void code_print_value(const struct code_program *program, code_value value, struct buf *out);

#endif
