// SPDX-License-Identifier: Apache-2.0
// Coefficient functions: equality of reductions at every rank, decided without hints.
//
// The element of a side at a symbolic index is written as a sum of terms
//
//     c * Sum over binders [guards] * weight * product of reads head[J = e]
//
// in a commutative ring (int, word, real), in the boolean semiring, or as a formal sum in
// any commutative monoid (where a term has one read and c is a multiplicity).  Every read
// is anchored at fresh indices J, and the other binders are eliminated exactly.  Integer
// functions of J remain to be compared, for each multiset of tensors.  docs/proving.md has
// the argument, also for all ranks.
#ifndef VERIFY_SUMS_COEFFICIENTS_H
#define VERIFY_SUMS_COEFFICIENTS_H

#include "verify/obligations/session.h"

// Are both sides the same element at every rank, in the domain?  -1: in every
// domain.  Records an obligation; on failure session->reason says why.
bool coeff_prove(struct session *session, int domain);
// The note on ranks of a proof by this method.
const char *coeff_bound(void);

#endif
