// SPDX-License-Identifier: Apache-2.0
// Float terms that are numbers when floats are read as reals.  Arguments of the program
// and results of opaque operations are assumed to be finite.  Every term computed from
// finite terms is finite: infinities and NaNs come from constants only.  (x / 0,
// log(-1) and the like are unspecified reals.)
#ifndef TENSOR_FOLD_FINITE_H
#define TENSOR_FOLD_FINITE_H

#include "tensor/program/term.h"

struct finite {
    VEC(uint8_t) known; // per term looked at so far: is the term finite?
};

// Are all elements of the term known to be finite?
//   - A maximum from -inf, or a minimum from inf, of finite elements is finite if every
//     element of the result (and every window) has at least one element.
//   - A float with the bits of another type is never known to be finite.
//   - A term that is no float is finite.
bool finite_term(struct finite *memo, const struct terms *terms, term_id id);
void finite_release(struct finite *memo);

#endif
