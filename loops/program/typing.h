// SPDX-License-Identifier: Apache-2.0
// Which operands an operator may have.
#ifndef LOOPS_PROGRAM_TYPING_H
#define LOOPS_PROGRAM_TYPING_H

#include "loops/program/program.h"

// Would a node of this operator, type and number obey P2?  All operands are nodes of the program.
bool code_fits(const struct code_program *program, enum code_op op, const struct code_type *type,
               int64_t number, uint32_t n, const code_value *operands);

#endif
