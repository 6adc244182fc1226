// SPDX-License-Identifier: Apache-2.0
// Copies terms from one store into another over the same pool.
#ifndef TENSOR_PROGRAM_IMPORT_H
#define TENSOR_PROGRAM_IMPORT_H

#include "tensor/program/term.h"

// New numbers for what a text numbers by itself.  A number that has none stays.
struct renaming {
    struct u32_vec region;   // by region
    struct u32_vec function; // by function
    struct i64_vec serial;   // by serial
};
void renaming_release(struct renaming *renaming);
// Regions, functions and side effects get other numbers on the way; NULL: they do not.
term_id term_import_as(struct terms *dst, const struct terms *src, struct u32_vec *memo,
                       const struct renaming *renaming, term_id root);
// The copy of `root` in dst.  `memo` maps ids in src to ids in dst (UINT32_MAX: not
// copied yet).  The function grows and fills `memo`, so that several roots share copies.
term_id term_import(struct terms *dst, const struct terms *src, struct u32_vec *memo, term_id root);

#endif
