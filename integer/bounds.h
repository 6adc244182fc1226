// SPDX-License-Identifier: Apache-2.0
#ifndef INTEGER_BOUNDS_H
#define INTEGER_BOUNDS_H

#include "integer/facts.h"

// Does goal >= 0 follow for a goal with a product of three atoms or more, because it does with upper
// bounds in the place of symbols, one after the other?  The goal is linear in each of them, with a
// factor that is not positive, so it is at least what it becomes.  Part of int_prove.
bool int_prove_by_bounds(struct integers *in, struct ifacts *facts, ipoly goal);

#endif
