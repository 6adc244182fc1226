// SPDX-License-Identifier: Apache-2.0
// Precisions in which the text of a number may have been carried, as intervals;
// and values of terms without variables, which may lie in them.
#ifndef FORMULA_CONSTANTS_PRECISION_H
#define FORMULA_CONSTANTS_PRECISION_H

#include "formula/constants/constant.h"
#include <mpfr.h>

// One precision: the numbers that become the text in it are [low, high].
struct carried {
    enum precision precision;
    mpfr_t low, high;
    double allowed; // if at most so many candidates are as simple, one may be accepted
    long place;     // decimal: the power of ten of the text's last digit
};

void carried_init(struct carried *interval);
void carried_release(struct carried *interval);

// Texts have no sign here.  Reads the number; false: it is not positive or has
// too few significant digits.
bool carried_number(const char *text, mpq_t out);
// Significant digits: without leading zeros, and without trailing zeros of a
// whole number.
uint32_t carried_digits(const char *text);
// Computes the interval.  False: the text is no number of that precision.
bool carried_as(const char *text, const mpq_t value, enum precision precision,
                struct carried *interval);

// Evaluates a term.  False: the term has variables, other operators, or no
// value.
bool carried_value(const struct fterms *terms, fterm term, mpfr_t out);
// Does the interval contain the value, or its negative if `minus`?  A decimal stands for no other
// number that so many digits write as well: 0.9999999 is not 1.
bool carried_holds(const struct carried *interval, const struct fterms *terms, fterm term,
                   bool minus);
// Returns value - text; NAN if there is no value.
double carried_difference(const struct fterms *terms, fterm value, const mpq_t text);

#endif
