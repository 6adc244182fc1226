// SPDX-License-Identifier: Apache-2.0
// Programs at other sizes and over other element types.
//
// Two programs with the same parameters become two small ones with the same parameters: the
// sizes of all tensors, the attributes of slices, pads, windows and the like, and constants that
// are places of an axis (starts, bounds of an iota) change together.  What the programs decide by
// comparing or adding such numbers they decide as before (tensor/resize/sizes.h), so programs
// that are equal at their sizes for a reason that does not depend on the sizes are equal at the
// small ones too.  This is no proof: callers who find a difference at small sizes know about
// these sizes alone.
//
// Sizes at operations that the table of operators does not have, and of constants whose elements
// differ, stay.
#ifndef TENSOR_RESIZE_RESIZE_H
#define TENSOR_RESIZE_RESIZE_H

#include "tensor/program/program.h"

// Function `function` of a program, which the caller keeps.
struct resize_side {
    const struct program *program;
    uint32_t function;
};
// Makes out[0] and out[1], each with one function of number 0 and without side effects.  Callers
// have initialised them over the same pool as the programs, and release them.  The types of
// results must be pairwise the same, and so must those of parameters.  *smaller is false if
// nothing became smaller.  Fails, with ERR_LIMIT, if the small programs are not well-formed: a
// relation between sizes was not seen.
bool resize_pair(const struct resize_side side[2], struct program out[2], bool *smaller,
                 struct err *err);

// The function alone, without side effects, with other element types: elem[e] in place of e, or
// none if elem is NULL.  Literals are converted; fails
// with ERR_LIMIT if one is no value of the type, or if an operation is not defined on it or is
// no operator of the table.
bool retype_function(const struct program *program, uint32_t function,
                     const enum elem elem[N_ELEMS], struct program *out, struct err *err);

#endif
