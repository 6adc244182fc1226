// SPDX-License-Identifier: Apache-2.0
// Lines about operations on sizes "?", slice by slice (tensor/dynamic/slices.h).
//
// Why they are true.  The region of the node has a number that nothing else has, so its parameters
// are bound variables of which no line knows anything but that they are finite where the operands
// are.  Which sizes are equal is worked out again, from the input and the calls that were checked.
//   L1  It is known of runs of one function of the input, and a function that can never run would
//       make anything equal: a line that rests on the sizes of function f proves roots of f only.
#ifndef PROOF_PROGRAM_SLICES_H
#define PROOF_PROGRAM_SLICES_H

#include "proof/program/structure.h"
#include "tensor/dynamic/slices.h"

struct slice_checker {
    struct structure *structure;
    struct slice_laws laws; // facts: of the function that was asked for last
    struct size_facts facts;
    uint32_t function;       // NONE: of none yet
    struct u32_vec rests_on; // per line: a function + 1; 0: none
};

void slice_checker_init(struct slice_checker *checker, struct structure *structure);
void slice_checker_release(struct slice_checker *checker);
// NULL, or what is wrong with the line, which is SLICES.
const char *slices_wrong(struct slice_checker *checker, const struct record_line *line);
// L1: enters a line that is right.  NULL, or what is wrong: its parts rest on several functions.
const char *slices_rest(struct slice_checker *checker, const struct record_line *line);
// May the line prove a root of the function?
bool slices_prove(const struct slice_checker *checker, uint32_t line, uint32_t function);

#endif
