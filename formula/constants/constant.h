// SPDX-License-Identifier: Apache-2.0
// Recovers constants that were written out as digits: 1.4426950216293335 is
// log2(e) rounded to f32.  docs/formulas.md has the grammar, the precisions,
// how complexity is weighed against explained digits, and when a constant is
// left alone.  A recovered constant is not equal to the text; `difference` says
// how far it is.
#ifndef FORMULA_CONSTANTS_CONSTANT_H
#define FORMULA_CONSTANTS_CONSTANT_H

#include "formula/language/formula.h"

enum precision {
    PRECISION_BF16,
    PRECISION_F16,
    PRECISION_F32,
    PRECISION_F64,
    PRECISION_DECIMAL,  // digits of the text
    PRECISION_F64_NEAR, // the last bit, or digit, is one more or less
    PRECISION_DECIMAL_NEAR
};
const char *precision_name(enum precision precision);

struct recovered {
    fterm value;              // named term: (sqrt (divide 2 pi))
    enum precision precision; // precision in which both are the same number
    double difference;        // value - constant, signed
    double complexity, digits;
};
// Recovers the constant for which the text of a number stands.  `others`: texts
// of other constants of the formula, whose products are also tried.  False: no
// constant, or no unambiguous one.
bool constant_recover(struct fterms *terms, const char *text, uint32_t n_others,
                      const char *const *others, struct recovered *out);
// Does `value` become `text` in that precision, within half a unit in the last
// place, or one more?  (The digits may also have been cut off.)  The checker of records asks
// this.  *difference: value - text.
bool constant_agrees(const struct fterms *terms, fterm value, const char *text,
                     enum precision precision, double *difference);

#endif
