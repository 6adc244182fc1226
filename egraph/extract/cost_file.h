// SPDX-License-Identifier: Apache-2.0
// Cost models that a file describes (docs/cost.md, Files).
#ifndef EGRAPH_EXTRACT_COST_FILE_H
#define EGRAPH_EXTRACT_COST_FILE_H

#include "base/err.h"
#include "egraph/extract/cost.h"

// An operation costs `fixed`, `element` for each element that it computes, and `byte` for each
// byte that it reads or writes.
struct cost_row {
    double fixed, element, byte;
    uint32_t line; // of the file; 0: the file has none
};
struct cost_file {
    struct cost_row of[N_OPS], others;
    double parts;   // costs are multiples of 1 / parts, so that equal programs cost the same
    double unsized; // what cost_unsized is multiplied with: the largest `fixed`
};

// Does the name of a model mean a file?  It has a point or a slash then, as no model has.
bool cost_is_file(const char *name);
// Fails with ERR_IO, or with ERR_INPUT at the place of what is wrong.
bool cost_file_read(const char *path, struct cost_file *out, struct err *err);
// Both are borrowed.
struct cost cost_of_file(const struct cost_file *file, const char *name);

#endif
