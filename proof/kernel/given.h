// SPDX-License-Identifier: Apache-2.0
// Do the facts that a proof takes for granted contradict each other?  Of what no launch meets,
// everything could be proved.
#ifndef PROOF_KERNEL_GIVEN_H
#define PROOF_KERNEL_GIVEN_H

#include "loops/program/program.h"

// Appends the facts, as they were written, of which none can be left out: "n <= 0 and n >= 1".
// False: no contradiction was found.
bool given_contradiction(const struct code_program *program, struct buf *out);

#endif
