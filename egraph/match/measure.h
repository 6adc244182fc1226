// SPDX-License-Identifier: Apache-2.0
// Sizes, excesses and distances (egraph/match/index.h) of a closed graph.
//
// Both are least fixpoints of sums.  A pass over all nodes in the order in which
// most of them are final is followed by a worklist of the nodes that a change
// reaches, so the effort is the graph once and the changes, however deep it is.
#ifndef EGRAPH_MATCH_MEASURE_H
#define EGRAPH_MATCH_MEASURE_H

#include <stdbool.h>

#include "base/memory/vec.h"

#define SIZE_MOST (UINT64_C(1) << 60) // a larger size has no known excess
#define OVER_MOST (UINT32_C(1) << 28) // larger excesses and distances

struct measure {
    VEC(uint64_t) size;                      // by leader
    struct u32_vec over;                     // by live node: excess
    struct u32_vec away;                     // by leader: distance
    struct u32_vec over_before, away_before; // when the index was built last
};

// Lists of places in match_index.live, by leader: at[from[leader]] up to the next.
struct places_of {
    struct u32_vec from, at;
};

// Live nodes to look at again, each at most once at a time.
struct worklist {
    struct u32_vec now, next;
    VEC(bool) waits; // by place in match_index.live
};

struct match_index;

// Fills users and members, for the two below.
void measure_prepare(struct match_index *index);
// Sizes and excesses.  `held`: by leader, what is free as an argument (match_index.held), or NULL.
// Without it the sizes of the last time are a start, because sizes of trees never grow.
void measure_sizes(struct match_index *index, struct measure *measure, const uint32_t *held);
// Distances from the `wanted` leaders; everything is wanted if there are no roots.
void measure_distances(struct match_index *index, struct measure *measure,
                       const struct u32_vec *wanted, bool all);

static inline uint32_t add_over(uint32_t a, uint32_t b)
{
    return a + b < OVER_MOST ? a + b : OVER_MOST;
}

#endif
