// SPDX-License-Identifier: Apache-2.0
// Closed forms of the states of sequential loops.
//
// The body gives the next state as a term over the states (LT_STATE) and the iteration k.  Kinds:
//   constant     x' = x
//   progression  x' = x + c, integers
//   fold         x' = x (+) g(k), for +, *, max, min: x_k = x_0 (+) fold of g(t) over t < k; integers
//                that are no progression, too, as the numbers they are
//   weighted     x' = x*exp(m - m') + g for a state m that is solved: with u = x*exp(m), a fold
// This module finds; proof/kernel proves by induction.
#ifndef LOOPS_RECURRENCE_RECURRENCE_H
#define LOOPS_RECURRENCE_RECURRENCE_H

#include "loops/symbolic/symbolic.h"

// States the closed form of every state of every loop, or CLOSED_ERROR with a reason.
void recurrences_solve(struct symbolic *s);

#endif
