// SPDX-License-Identifier: Apache-2.0
// The text of a number in formulas.
#ifndef FORMULA_PRINT_DECIMAL_H
#define FORMULA_PRINT_DECIMAL_H

#include "base/text/buf.h"

// Prints the number of a term as print.h says.
void number_text(const char *name, struct buf *out);

#endif
