// SPDX-License-Identifier: Apache-2.0
// Texts of the rule language and of index notation as MathML, token by token: every text has a
// formula, with the same words in the same order.  Attributes of a call stand below its name;
// sums, products and roots have their signs.
#ifndef EXPLORER_MATH_MATH_H
#define EXPLORER_MATH_MATH_H

#include "base/text/buf.h"

// One line as <math> elements, with the words between them that stand in no parentheses ("if",
// "then", "or"): a line may break there.
void math_line(const char *text, struct buf *out);

#endif
