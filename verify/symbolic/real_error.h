// SPDX-License-Identifier: Apache-2.0
// How far a float is from the real number for which it stands: a bound that is carried through
// the operators (running error analysis; N. J. Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 3.3).
#ifndef VERIFY_SYMBOLIC_REAL_ERROR_H
#define VERIFY_SYMBOLIC_REAL_ERROR_H

#include "tensor/language/op.h"

#include <math.h>

#define REAL_UNIT 0x1p-50     // relative error of one operation, those of the C library included
#define REAL_LEAST 1e-300     // absolute error of one operation, by underflow
#define REAL_LARGE 1e6        // greatest magnitude of floats that stand for reals
#define REAL_LARGEST 1e15     // the same in conditions; less than 2^53, so integers are exact
#define REAL_UNKNOWN HUGE_VAL // floats do not tell

// A multiple of 1/64 of moderate size: where operands and result are such, the operations of
// rings, quotients and roots are exact.
static inline bool real_is_short(double x)
{
    return fabs(x) <= REAL_LARGE && floor(x * 64) == x * 64;
}

// The error of one rounding to x.
static inline double real_rounding(double x)
{
    return fabs(x) * REAL_UNIT + REAL_LEAST;
}

struct real_operand {
    double x, off; // the real number is in [x - off, x + off]
};

// The error of result r of an operator of elements; 0: it is the real number itself.  REAL_UNKNOWN
// if the bound says nothing: of a truth value, a jump or a number behind one.  An operator of one
// operand has b = a.  Select has the two elements between which it chooses; its predicate must be
// exact.  The caller looks at clamp, which gives one of three.
double real_error(enum op op, struct real_operand a, struct real_operand b, double r);
// The same for results up to `most` in magnitude, at most REAL_LARGEST.
double real_error_up_to(double most, enum op op, struct real_operand a, struct real_operand b,
                        double r);

#endif
