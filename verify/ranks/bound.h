// SPDX-License-Identifier: Apache-2.0
// The rank up to which instances must be proved so that all ranks follow (docs/proving.md,
// "Rank bounds").  Per rank class the bound is the number of distinct per-axis conditions
// that decide a branch, plus, for each tensor, the number of distinct places at which it is
// read minus one; at least 1.
#ifndef VERIFY_RANKS_BOUND_H
#define VERIFY_RANKS_BOUND_H

#include "verify/obligations/session.h"

struct rank_bound {
    uint32_t least[64], most[64]; // per class; equal within a rank class
    const char *json;             // {"x": 2}
    const char *why;
    uint64_t instances;  // number of instances from least to most
    const char *failure; // why the theorem does not apply; NULL: it does
};

void rank_bound_of(struct session *session, struct rank_bound *bound);

#endif
