// SPDX-License-Identifier: Apache-2.0
// Float terms that are numbers when floats are read as reals.  Arguments of the program
// and results of opaque operations without regions are assumed to be finite.  Every term
// computed from finite terms is finite: infinities and NaNs come from constants only.  So
// what a region of an operation of the program computes is finite, its parameters and the
// operation's results too, unless such a constant reaches the operation or its body: by
// induction over the steps of a loop.  (x / 0,
// log(-1) and the like are unspecified reals.)
#ifndef TENSOR_FOLD_FINITE_H
#define TENSOR_FOLD_FINITE_H

#include "tensor/program/term.h"

struct finite {
    VEC(uint8_t) known;      // per term looked at so far: is the term finite?
    struct u32_vec infinite; // per region: 1 where a constant that is not finite reaches it
};

// Looks for the regions that constants which are not finite reach.  `terms` are those of the
// program as it was read, or as calls were inlined; before the first finite_term.
void finite_regions(struct finite *memo, const struct terms *terms);

// Are all elements of the term known to be finite?
//   - A maximum from -inf, or a minimum from inf, of finite elements is finite if every
//     element of the result (and every window) has at least one element.
//   - A float with the bits of another type is never known to be finite.
//   - A term that is no float is finite.
bool finite_term(struct finite *memo, const struct terms *terms, term_id id);
void finite_release(struct finite *memo);

#endif
