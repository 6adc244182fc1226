// SPDX-License-Identifier: Apache-2.0
// A formula at given sizes as a program over the operators of StableHLO: what
// the interpreter and the verifier work on.  Named axes become positions, by
// broadcast_in_dim where operands have different ones.
#ifndef FORMULA_PROGRAM_H
#define FORMULA_PROGRAM_H

#include "formula/language/formula.h"
#include "tensor/program/program.h"

struct fsize {
    const char *axis;
    int64_t n; // at least 1
};

// Makes `out` (initialised, empty) one function @main: a parameter for each
// variable of formula, in their order, axes as declared; one result, term, whose
// dimensions are those of formula->shape, extents that were kept being 1.  `term` is a
// term over f's variables; defined functions must be written out before
// (formula_expand).  Sizes are given for all axes of formula->axes; those of other
// names follow.  elem: ELEM_F32 or ELEM_F64.
// ERR_INPUT: a size is missing or wrong, term has an operator without a program;
// ERR_LIMIT: tensors of more than 16 axes.
bool formula_program(const struct formula *formula, fterm term, enum elem elem, uint32_t n_sizes,
                     const struct fsize *sizes, struct program *out, struct err *err);

#endif
