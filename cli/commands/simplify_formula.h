// SPDX-License-Identifier: Apache-2.0
// `simplify` for formulas: -e TEXT, or a file that ends with .expr.
#ifndef CLI_COMMANDS_SIMPLIFY_FORMULA_H
#define CLI_COMMANDS_SIMPLIFY_FORMULA_H

#include "cli/door.h"

int formula_simplify(struct command_line *command);

// simplify.c: writes the record to the file of --proof, and stores the record's
// uses of rules in the database.
bool write_record(const struct command_line *command, struct rw_result *result,
                  struct rw_database *database, struct err *err);
// Writes the record's page to the file of --html.
bool write_page(const struct command_line *command, struct rw_context *context,
                struct rw_result *result, struct rw_database *database, struct err *err);

#endif
