// SPDX-License-Identifier: Apache-2.0
// Which float terms are numbers when floats are read as reals: arguments of
// the program and results of opaque operations are taken to be finite, and so
// is all that is computed from finite terms; infinities and NaNs come in
// through constants only.  (x / 0, log(-1) and the like are unspecified reals.)
#ifndef TENSOR_FOLD_FINITE_H
#define TENSOR_FOLD_FINITE_H

#include "tensor/program/term.h"

struct finite {
    VEC(uint8_t) known; // per term, as far as it was looked at: is it finite?
};

// Are all elements finite?  A maximum from -inf or minimum from inf is, if it
// is over at least one element everywhere (in every window too).  What has
// other bits as its elements never is known to be.  Terms that are not floats
// are.
bool finite_term(struct finite *memo, const struct terms *terms, term_id id);
void finite_release(struct finite *memo);

#endif
