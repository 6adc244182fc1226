// SPDX-License-Identifier: Apache-2.0
#include "base/rng.h"
#include <assert.h>

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) { // splitmix64
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        rng->s[i] = z ^ z >> 31;
    }
}

static uint64_t rotl(uint64_t x, unsigned k)
{
    return x << k | x >> (64 - k);
}

uint64_t rng_u64(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return out;
}

// Numbers under 2^64 mod n are drawn again, so that each result is as likely
// as any other.
uint64_t rng_below(struct rng *rng, uint64_t n)
{
    assert(n > 0);
    uint64_t skip = (0 - n) % n, x;
    do
        x = rng_u64(rng);
    while (x < skip);
    return x % n;
}

int64_t rng_range(struct rng *rng, int64_t lo, int64_t hi)
{
    assert(lo <= hi);
    uint64_t span = (uint64_t)hi - (uint64_t)lo;
    uint64_t x = span == UINT64_MAX ? rng_u64(rng) : rng_below(rng, span + 1);
    return (int64_t)((uint64_t)lo + x);
}

double rng_unit(struct rng *rng)
{
    return (double)(rng_u64(rng) >> 11) * 0x1p-53;
}
