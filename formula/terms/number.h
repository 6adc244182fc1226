// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic on rationals, and their spelling in terms: `-3/7`, in lowest
// terms with a positive denominator, which is left out when it is 1.  Numbers
// of more than NUMBER_MAX_BITS bits have no spelling, so that nothing grows
// without bound.
#ifndef FORMULA_TERMS_NUMBER_H
#define FORMULA_TERMS_NUMBER_H

#include "base/text/buf.h"
#include <gmp.h>
#include <stdbool.h>

// A name in lowest terms (of fname_is_number); false: it is none.
bool number_parse(const char *text, uint32_t len, mpq_t out);
// A decimal as people write it: 12, 0.5, 1e-8, .5, 1.5e+3.  Exact.
bool number_parse_decimal(const char *text, uint32_t len, mpq_t out);
// False: too long.
bool number_print(const mpq_t x, struct buf *out);
// As a finite decimal if it has one of at most `digits` digits; else false.
bool number_print_decimal(const mpq_t x, uint32_t digits, struct buf *out);

// What an operator of term.h makes of numbers: number, true or false as a name.
// False: not a number over the reals (division by zero, the root of what is no
// square, log, exp but at obvious points, ...), or too long.  Used by the
// analysis of the e-graph and, again, by the checker.
bool number_fold(const char *op, uint32_t len, uint32_t n, const char *const *names,
                 const uint32_t *lens, struct buf *out);

#endif
