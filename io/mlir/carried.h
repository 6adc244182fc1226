// SPDX-License-Identifier: Apache-2.0
// Elements of types that terms do not have and carry as text: complex numbers, floats and integers
// of other formats.  Nothing is made of them, but they must be numbers.
#ifndef IO_MLIR_CARRIED_H
#define IO_MLIR_CARRIED_H

#include "io/mlir/mlir.h"

enum carried_kind {
    CARRIED_FLOAT,
    CARRIED_SIGNLESS,
    CARRIED_SIGNED,
    CARRIED_UNSIGNED,
    CARRIED_TRUTH
};

struct carried {
    bool pairs; // complex numbers
    enum carried_kind kind;
    unsigned bits; // of a number, of one part of a pair
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    int64_t count; // INT64_MAX: that or more
};

// Reads the type at the token, which was read before.  False if it is no tensor of known sizes, or
// if its elements are none of the above.
bool carried_type(struct mlir *mlir, uint32_t at, struct carried *out);
// One element at *at.
bool carried_element(struct mlir *mlir, uint32_t *at, const struct carried *carried);
// The bytes of an element in a string of hexadecimal digits; 0 = not known.
size_t carried_bytes(const struct carried *carried);

#endif
