// SPDX-License-Identifier: Apache-2.0
// Float terms that are numbers when floats are read as reals.  Arguments of the program
// are assumed to be finite, and what opaque operations without regions make of finite operands.
// Every term computed from finite terms is finite: infinities and NaNs come from constants only.  So
// what a region of an operation of the program computes is finite, its parameters and the
// operation's results too, unless such a constant reaches the operation or its body: by
// induction over the steps of a loop.  (x / 0,
// log(-1) and the like are unspecified reals.)
#ifndef TENSOR_FOLD_FINITE_H
#define TENSOR_FOLD_FINITE_H

#include "tensor/program/program.h"

struct finite {
    VEC(uint8_t) known;            // per term looked at so far: is the term finite?
    struct u32_vec infinite;       // per region: 1 where a constant that is not finite reaches it
    struct u32_vec function;       // the same per function that is called
    const struct program *program; // borrowed, for what is called; NULL: nothing is known
};

// Looks for the regions, and the functions that are called, which constants that are not finite
// reach.  `terms` are those of the program as it was read, or with calls inlined; before the first
// finite_term.
void finite_program(struct finite *memo, const struct program *program, const struct terms *terms);

// The parameters of the region stand for parts of the operands (tensor/dynamic/slices.h). After
// finite_program. True if the parameters were taken for finite and are not: then it is to be asked
// again for the regions whose operands may be computed of them.
bool finite_region(struct finite *memo, const struct terms *terms, uint32_t region, uint32_t n,
                   const term_id *operands);

// Are all elements of the term known to be finite?
//   - A maximum from -inf, or a minimum from inf, of finite elements is finite if every
//     element of the result (and every window) has at least one element.
//   - A float with the bits of another type is never known to be finite.
//   - A complex number is finite if its parts are (tensor/program/complex.h).
//   - A constant that is text is finite if the text says no infinity and no NaN.
//   - What another operation without a region gives is finite if its operands are.
//   - Another term that is no float is finite.
bool finite_term(struct finite *memo, const struct terms *terms, term_id id);
void finite_release(struct finite *memo);

#endif
