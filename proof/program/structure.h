// SPDX-License-Identifier: Apache-2.0
// Lines about the structure of the input: calls, loops, branches.
//
// Why they are true.  A term with parameters of regions stands for its value at any moment of a run
// of the input at which these parameters have values.
//   CALL     A function without effects that calls itself in no number of steps is a term over its
//            parameters.  Its regions get numbers that nothing else has, so their parameters
//            are new bound variables.
//   CARRIED  A loop whose body, or a call in it, returns a parameter unchanged gives it the value
//            of its operand at every step, by induction, and as result.  So does one that returns
//            the parameter of a twin in its place, for twins are equal whenever the body is about
//            to run.  The loop must be the one of the input (or of a call's copy) that has the
//            region: of another operation with the same number the parameter would be another
//            variable.
//   TWIN     Values of a loop that begin alike and come back alike where they were alike are equal
//            at every step, and as results (tensor/program/twins.h).  The loop must be one of the
//            input, as above.  A call in the loop is what an earlier CALL line says of it, if that
//            has no region: copies of regions are never equal.
//   BRANCH   A case or if on a constant gives what that branch returns; one whose branches all
//            return one term gives that term.  A loop whose condition is false gives its operands.
//            The operation must be pure, so that what a branch returns may be computed anywhere.
#ifndef PROOF_PROGRAM_STRUCTURE_H
#define PROOF_PROGRAM_STRUCTURE_H

#include "proof/program/record.h"
#include "tensor/fold/finite.h"

struct call_copy {
    term_id call; // of the record
    uint32_t first_region, n_regions;
};

struct structure {
    const struct program *input;
    struct record *record;
    struct u32_vec memo; // term of the input: of the record
    // Region -> the operation that has it, of the record, + 1; OWNER_MANY: several have.
    struct u32_vec owner;
    VEC(struct call_copy) copies;
    struct u32_vec values; // plain result of a call: what a CALL line says it is, + 1
    // The loop that was looked at last, and its twins: with calls as they stand, and with `values`.
    // A call may have a value where an equal one has none.
    term_id twins_of;
    struct u32_vec twins, called_twins;
    // The input and the copies of its functions alone, without what the record says of them.
    struct terms seen;
    struct u32_vec seen_input, seen_record;
};

void structure_init(struct structure *structure, struct record *record,
                    const struct program *input);
void structure_release(struct structure *structure);
// Has neither the input nor a copy of a function this region?
bool structure_new_region(const struct structure *structure, uint32_t region);
// Enters the copies of functions of all lines; ERR_CHECK if a line is wrong.  Before the lines are
// checked, since later lines may speak of regions of these copies.
bool structure_calls(struct structure *structure, struct finite *finite, struct err *err);
// The line's kind must be CARRIED, TWIN or BRANCH.  NULL, or what is wrong.
const char *structure_wrong(struct structure *structure, const struct record_line *line);

#endif
