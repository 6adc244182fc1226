// SPDX-License-Identifier: Apache-2.0
// simplify for formulas: -e TEXT, or a file that ends with .expr.
#ifndef CLI_FORMULA_FORMULA_H
#define CLI_FORMULA_FORMULA_H

#include "cli/cli.h"

bool formula_wanted(const struct command_line *command);
int formula_simplify(struct command_line *command);

#endif
