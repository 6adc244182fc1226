// SPDX-License-Identifier: Apache-2.0
// Has a formula a value, at the sizes and contents of a run?
//
// The symbolic meaning of a formula takes for granted that arithmetic has a value (loops/symbolic,
// S2), so that 0/(x - x) is 0 there.  Here nothing is simplified: terms are those that the text
// says, and every value comes with a bound of its rounding error.  A divisor that is 0 within its
// error has no inverse, so 1/(sin(x)^2 + cos(x)^2 - 1) has no value either.
#ifndef LOOPS_VALIDATE_DEFINED_H
#define LOOPS_VALIDATE_DEFINED_H

#include "loops/validate/numbers.h"

enum defined {
    DEFINED_VALUE,
    DEFINED_NOT,
    DEFINED_UNKNOWN, // it reads what the run does not have, or takes too many steps
};

// Of a term whose symbols have values in `numbers`.  Uses up numbers->steps.
enum defined numbers_defined(struct numbers *numbers, lterm term);

#endif
