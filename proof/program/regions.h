// SPDX-License-Identifier: Apache-2.0
// What corresponds to what in the two programs of a record.
//
// The output has the functions of the input in the same order; private ones that nothing names
// any more may be left out.  Side effects have numbers in the order of the text.
//
// A text numbers its regions from the first to the last, and so does a reader.  The record says
// which region of the input each region of the output is: the parameters of both are the
// same bound variables.  Renaming bound variables changes no meaning, if no region is named
// like one around it.
#ifndef PROOF_PROGRAM_REGIONS_H
#define PROOF_PROGRAM_REGIONS_H

#include "proof/program/record.h"
#include "tensor/program/import.h"

// How the output's terms become terms of the record; out->function[g] is the function of the input
// that function g of the output is.  Callers must release *out, even after a failure (ERR_CHECK).
bool output_renaming(const struct record *record, const struct program *input,
                     const struct program *output, struct renaming *out, struct err *err);
// Are the two terms one operation with a side effect, whose regions have the same operations
// with side effects in the same order?
bool effects_same(const struct terms *terms, term_id a, term_id b);

#endif
