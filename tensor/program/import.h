// SPDX-License-Identifier: Apache-2.0
// Copies terms from one store into another over the same pool.
#ifndef TENSOR_PROGRAM_IMPORT_H
#define TENSOR_PROGRAM_IMPORT_H

#include "tensor/program/term.h"

// The copy of `root` in dst.  `memo` maps ids in src to ids in dst (UINT32_MAX: not
// copied yet).  The function grows and fills `memo`, so that several roots share copies.
term_id term_import(struct terms *dst, const struct terms *src, struct u32_vec *memo, term_id root);

#endif
