// SPDX-License-Identifier: Apache-2.0
// Values of a loop that are equal whenever its condition or its body is about to run, and behind it.
//
// Why they are.  Take a partition of the values of a while, and suppose that values of one part
// begin with one term, and that the body returns one term for them once each parameter in it is
// replaced by the first parameter of its part.  Then values of one part are equal at the start, and
// if they are so before a step, replacing changes no value, so they are so after it.  A value that
// the body returns as it got it is the operand at every step, so its parameter may be replaced by
// the operand, too.  So may any term by one that has its value, such as a call by what its function
// computes.  Only equal terms count: a side effect has a number of its own, and so has each
// region, so what two of them give is never taken for equal.
//
// T1  twin[k] <= k and twin[twin[k]] = twin[k].
// T2  twin has the property above: loop_twins looks at it once more after the last change.
#ifndef TENSOR_PROGRAM_TWINS_H
#define TENSOR_PROGRAM_TWINS_H

#include "tensor/program/region.h"

// The term that a term is said to be by `values` (loop_twins), and that one again, and so on.
term_id value_of_term(const struct u32_vec *values, term_id term);
// A while of n values: does it have the form that StableHLO asks for?
bool loop_is_while(const struct terms *terms, const struct opaque_view *view, uint32_t *n);
// The first value that is equal to value k, for each k.  False, and nothing in `twin`, if no two
// are found equal, or `loop` is no while.  `values`, which may be NULL, has for a term one that is
// equal to it at any moment, + 1, or 0.  Costs the terms of the body for each look, of which
// there are at most LOOP_TWIN_LOOKS.
bool loop_twins(const struct terms *terms, term_id loop, const struct u32_vec *values,
                struct u32_vec *twin);
// The number of the value of which the term is the parameter in the body of a loop with the form of
// a while; UINT32_MAX: of none.  The condition may bind the same parameters.
uint32_t loop_body_value(const struct terms *terms, const struct opaque_view *loop, term_id term);
static inline bool loop_are_twins(const struct u32_vec *twin, uint32_t a, uint32_t b)
{
    return a < twin->len && b < twin->len && twin->at[a] == twin->at[b];
}
// The number of the value of which the term is the parameter in the condition or in the body
// (*place is 0 or 1), or the result (2); UINT32_MAX: of none.
uint32_t loop_value(const struct terms *terms, term_id loop, term_id term, uint32_t *place);

#endif
