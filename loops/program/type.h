// SPDX-License-Identifier: Apache-2.0
// Types of values: a kind of element and the extents of a tile.
//
//   tile     a value with one element for each index (i_0, .., i_r-1) with
//            0 <= i_d < extent[d]; every extent is a constant >= 1
//   scalar   a tile of rank 0
//   lane     one index of a tile
//
// Elements are mathematical: booleans, integers without bounds, real numbers
// with -inf and +inf.  `bits` is the width in which the source stores an element.
// A width never changes a value: it says which obligations a value has (an
// integer of w bits lies in [-2^(w-1), 2^(w-1)), but for unsigned operations).
#ifndef LOOPS_PROGRAM_TYPE_H
#define LOOPS_PROGRAM_TYPE_H

#include "base/text/buf.h"
#include "loops/limits.h"

enum code_kind {
    CODE_BOOL, // true and false; one bit
    CODE_INT,  // bits: 8, 16, 32, 64
    CODE_REAL, // bits: 8, 16, 32, 64; 16 is also bfloat
};

struct code_type {
    uint8_t kind, bits, rank;
    uint32_t extent[CODE_RANK]; // those behind the rank are 0
};

struct code_type code_scalar(enum code_kind kind, unsigned bits);
// The same elements in the shape of `shape`.
struct code_type code_shaped(struct code_type element, const struct code_type *shape);
bool code_type_same(const struct code_type *a, const struct code_type *b);
bool code_shape_same(const struct code_type *a, const struct code_type *b);
// The product of all extents; 1 for a scalar.
uint64_t code_elements(const struct code_type *type);
// i32, bool, real32, i32[64][32]
void code_type_print(const struct code_type *type, struct buf *out);

#endif
