// SPDX-License-Identifier: Apache-2.0
// Constants that were written out as digits: 1.4426950216293335 is log2(e)
// rounded to f32.  The grammar, the precisions, how complexity is weighed
// against the digits that are explained, and when a constant is left alone:
// docs/formulas.md.  Nothing here is an equality: what is recovered differs
// from what was written, by `difference`.
#ifndef FORMULA_CONSTANTS_CONSTANT_H
#define FORMULA_CONSTANTS_CONSTANT_H

#include "formula/language/formula.h"

enum precision {
    PRECISION_BF16,
    PRECISION_F16,
    PRECISION_F32,
    PRECISION_F64,
    PRECISION_DECIMAL /* digits of the text */
};
const char *precision_name(enum precision precision);

struct recovered {
    fterm value;              // named term: (sqrt (divide 2 pi))
    enum precision precision; // in which both are the same number
    double difference;        // value - constant, signed
    double complexity, digits;
};
// What the text of a number stands for; `others`: texts of other constants of
// the formula, products with which are tried too.  False: nothing, or nothing
// unambiguous.
bool constant_recover(struct fterms *terms, const char *text, uint32_t n_others,
                      const char *const *others, struct recovered *out);
// Does `value` become `text` in that precision?  (Within half a unit in the last
// place; digits may have been cut as well.)  The checker's question.
// *difference: value - text.
bool constant_agrees(const struct fterms *terms, fterm value, const char *text,
                     enum precision precision, double *difference);

#endif
