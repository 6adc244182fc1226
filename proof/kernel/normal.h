// SPDX-License-Identifier: Apache-2.0
// Equality of symbolic values, by a normal form: sums of products of atoms with whole exponents,
// times the exponential of a normal form.
//
//   exp(a + b) is exp(a)*exp(b), so shifts cancel; factors without the index leave a sum, addends
//   leave a maximum; maxima are flat and sorted; a quotient is a product with a negative exponent.
//
// A quotient x/x is 1: values are compared where they have one (loops/symbolic/symbolic.h, S2).
#ifndef PROOF_KERNEL_NORMAL_H
#define PROOF_KERNEL_NORMAL_H

#include "loops/symbolic/symbolic.h"

// Are the terms equal under the facts?  Trees are compared path by path.  "No" means unknown.
bool normal_equal(struct symbolic *s, lterm a, lterm b);
// The term with every fold over [0, end), end mentioning k, as the fold over [0, end at k - 1)
// joined with the fold over the rest.  False: a part may have a negative length.
bool normal_split(struct symbolic *s, lterm term, iatom k, lterm *out);

#endif
