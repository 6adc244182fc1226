// SPDX-License-Identifier: Apache-2.0
// Random sizes and contents for a run: scalars that meet the facts of the program, arrays as long as the
// program reads and writes them.
//
// Sizes are small and seldom multiples of the tiles.  The same state of `rng` gives the same
// sample.
#ifndef LOOPS_RUN_SAMPLE_H
#define LOOPS_RUN_SAMPLE_H

#include "loops/run/run.h"

struct sample_limits {
    uint64_t programs; // of the grid
    uint64_t elements; // of an array that is written; of others four times as many
    bool few;          // sizes that are not about a tile are mostly below 5
    bool wide;         // half of the sizes are of several tiles, the last one a part of one
};
extern const struct sample_limits sample_usual;
// Of more programs than run: for a run in part, and to see that there are sizes at all.
extern const struct sample_limits sample_part;

// Chooses all scalars.  False if no choice was found that meets the facts and the limit of programs.
bool sample_scalars(struct execution *run, struct rng *rng, const struct sample_limits *limits);
// Chooses the scalars whose byte in `fixed` is 0, at the others as they are.
bool sample_others(struct execution *run, struct rng *rng, const uint8_t *fixed,
                   const struct sample_limits *limits);
// Runs the program until its arrays are as long as it needs, and fills them.  An array keeps the
// length that it has if that is not 0.  False if one needs more than the limit, or the run was stopped.
bool sample_arrays(struct execution *run, struct rng *rng, const struct sample_limits *limits);

#endif
