// SPDX-License-Identifier: Apache-2.0
#ifndef API_EVALUATE_FORMULA_PROGRAM_H
#define API_EVALUATE_FORMULA_PROGRAM_H

#include "api/context.h"
#include "tensor/program/program.h"

bool is_formula_file(const char *path); // .expr

// A program, or a formula, and what messages call it.
struct formula_text {
    const char *text, *file;
    size_t size;
    bool formula;
};

// Sizes of axes, as in i=2,j=4.
struct given_size {
    const char *name;
    int64_t n;
    bool used; // a formula has this axis
};
struct given_sizes {
    VEC(struct given_size) at;
    VEC(const char *) axes; // of all formulas that were read
    struct arena mem;       // of the names
};
bool given_sizes_read(struct given_sizes *sizes, const char *text, struct err *err); // NULL: none
void given_sizes_release(struct given_sizes *sizes);
// After all formulas were read: fails if a size is of an axis that none has.
bool given_sizes_check(const struct given_sizes *sizes, struct err *err);

// The additions that a formula needs to become a program.
struct formula_setting {
    const struct ruleset *definitions; // NULL: none
    struct given_sizes *sizes;         // axes that it does not name have size 3
};

// A program, or a formula as one over f64.  The caller releases *out.
bool read_formula_program(const struct formula_setting *setting, const struct formula_text *from,
                          struct pool *pool, struct program *out, struct err *err);

#endif
