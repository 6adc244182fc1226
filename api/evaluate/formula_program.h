// SPDX-License-Identifier: Apache-2.0
#ifndef API_EVALUATE_FORMULA_PROGRAM_H
#define API_EVALUATE_FORMULA_PROGRAM_H

#include "api/context.h"
#include "tensor/program/program.h"

bool is_formula_file(const char *path); // .expr
// The additions that a formula needs to become a program.
struct formula_setting {
    const struct rw_context *context;
    const char *rules; // files with definitions, comma separated; NULL: none
    const char *sizes; // of axes, as in i=2,j=4; others are 3
};

// A program, or a formula as one over f64.  The caller releases *out.
bool read_formula_program(const struct formula_setting *setting, const char *path,
                          struct pool *pool, struct program *out, struct err *err);

#endif
