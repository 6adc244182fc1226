// SPDX-License-Identifier: Apache-2.0
// Equations among facts that no integers solve, as n mod 4 = 2 and n mod 2 = 1: unknowns are
// eliminated one by one, and an equation whose coefficients have a common divisor that the constant
// does not have is none.
#ifndef INTEGER_EQUATIONS_H
#define INTEGER_EQUATIONS_H

#include "integer/facts.h"

// Is there no solution?  "No" means unknown.  A fact whose negative holds, too, is an equation; every
// monomial is an unknown, and a remainder by b is what it is of minus b times the quotient.
bool int_no_solution(struct integers *in, struct ifacts *facts);

#endif
