// SPDX-License-Identifier: Apache-2.0
// Reproducible random numbers: xoshiro256** seeded by splitmix64 (Blackman and
// Vigna).  The same seed gives the same numbers on every machine.
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_u64(struct rng *rng);
uint64_t rng_below(struct rng *rng, uint64_t n);            // 0 <= x < n, n > 0
int64_t rng_range(struct rng *rng, int64_t lo, int64_t hi); // lo <= x <= hi
double rng_unit(struct rng *rng);                           // 0 <= x < 1

#endif
