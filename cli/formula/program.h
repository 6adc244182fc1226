// SPDX-License-Identifier: Apache-2.0
#ifndef CLI_FORMULA_PROGRAM_H
#define CLI_FORMULA_PROGRAM_H

#include "cli/cli.h"
#include "tensor/program/program.h"

bool is_formula_file(const char *path); // .expr
// A program, or a formula as one over f64: functions as --rules (or the
// library) define them, axes as long as --sizes says.  Like read_program.
bool read_formula_program(const struct command_line *command, const char *path, struct pool *pool,
                          struct program *out, struct err *err);

#endif
