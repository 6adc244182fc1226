// SPDX-License-Identifier: Apache-2.0
// Limits of programs over arrays.
#ifndef LOOPS_LIMITS_H
#define LOOPS_LIMITS_H

#include "base/limit.h"

// clang-format off
#define LOOPS_LIMITS(X) \
    X(CODE_RANK, 8, "axes", "of a tile; Triton's tiles have up to five") \
    X(CODE_ELEMENTS, 1 << 20, "elements", "of a tile: Triton's own limit") \
    X(CODE_NODES, 1 << 20, "values", "of a program: copies of joined blocks and of functions end here") \
    X(CODE_DEPTH, 200, "levels", "of blocks inside blocks, which functions follow by recursion") \
    X(LOOPS_PROPOSED, 4096, "bytes", "of facts that are tried for a kernel that is not proved without them")
// clang-format on

enum { LOOPS_LIMITS(LIMIT_CONSTANT) };

extern const struct limit loops_limits[];
extern const unsigned n_loops_limits;

#endif
