// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic on rationals, and their spelling in terms: `-3/7`, in lowest
// terms with a positive denominator, which is omitted if it is 1.  Numbers of
// more than NUMBER_MAX_BITS bits have no spelling, so numbers cannot grow
// without bound.
#ifndef FORMULA_TERMS_NUMBER_H
#define FORMULA_TERMS_NUMBER_H

#include "base/text/buf.h"
#include <gmp.h>
#include <stdbool.h>

// Reads a name in lowest terms (see fname_is_number).  False: the name is no
// number.
bool number_parse(const char *text, uint32_t len, mpq_t out);
// Reads a decimal exactly: 12, 0.5, 1e-8, .5, 1.5e+3.
bool number_parse_decimal(const char *text, uint32_t len, mpq_t out);
// Prints the name of a decimal, which may have a minus sign.  False: it is none, or too long.
bool number_name_of_decimal(const char *text, uint32_t len, struct buf *out);
// Prints the name of the number.  False: the number is too long.
bool number_print(const mpq_t x, struct buf *out);
// Prints a finite decimal of at most `digits` digits.  False: there is none.
bool number_print_decimal(const mpq_t x, uint32_t digits, struct buf *out);

// Folds an operator of term.h on numbers; the result is a number, true or
// false, as a name.  False: the value is no rational (division by zero,
// irrational roots, log and exp except at obvious points, ...), or too long.
// The analysis of the e-graph and the checker both use this function.
bool number_fold(const char *op, uint32_t len, uint32_t n, const char *const *names,
                 const uint32_t *lens, struct buf *out);

#endif
