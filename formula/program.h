// SPDX-License-Identifier: Apache-2.0
// A formula at given sizes as a program over the operators of StableHLO, the
// form for the interpreter and the verifier.  Named axes become positions;
// operands with different axes get a broadcast_in_dim.
#ifndef FORMULA_PROGRAM_H
#define FORMULA_PROGRAM_H

#include "formula/language/formula.h"
#include "tensor/program/program.h"

struct fsize {
    const char *axis;
    int64_t n; // at least 1
};

struct program_request {
    const struct formula *formula;
    fterm term;       // over the formula's variables, without defined functions (formula_expand)
    enum elem elem;   // ELEM_F32 or ELEM_F64
    uint32_t n_sizes; // all axes of formula->axes; those of other names follow
    const struct fsize *sizes;
};

// Makes `out` (initialised, empty) one function @main.  Its parameters are the
// variables of the formula, in their order, axes as declared.  Its result is
// the term, with the dimensions of formula->shape; extents that were kept are 1.
// ERR_INPUT: a size is missing or wrong, or the term has an operator without a
// program.  ERR_LIMIT: a tensor has more than PROGRAM_AXES axes.
bool formula_program(const struct program_request *request, struct program *out, struct err *err);

#endif
