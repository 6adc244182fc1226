// SPDX-License-Identifier: Apache-2.0
// Precisions that the text of a number may have been carried in, as intervals,
// and the values of terms without variables that may lie in them.
#ifndef FORMULA_CONSTANTS_PRECISION_H
#define FORMULA_CONSTANTS_PRECISION_H

#include "formula/constants/constant.h"
#include <mpfr.h>

// A precision that the text may have been carried in: the numbers that become
// the text are in [low, high].
struct carried {
    enum precision precision;
    mpfr_t low, high;
    double allowed; // candidates among which one may be taken
};

void carried_init(struct carried *interval);
void carried_release(struct carried *interval);

// Texts here have no sign.  The number, if it is positive and has enough
// significant digits.
bool carried_number(const char *text, mpq_t out);
// Significant digits: without zeros in front, and those behind of a whole
// number.
uint32_t carried_digits(const char *text);
// False: the text is no number of that precision.
bool carried_as(const char *text, const mpq_t value, enum precision precision,
                struct carried *interval);

// False: it has variables, other operators, or no value.
bool carried_value(const struct fterms *terms, fterm term, mpfr_t out);
// Does the interval hold the value, or with `minus` its negative?
bool carried_holds(const struct carried *interval, const struct fterms *terms, fterm term,
                   bool minus);
// value - text; NAN if there is no value.
double carried_difference(const struct fterms *terms, fterm value, const mpq_t text);

#endif
