// SPDX-License-Identifier: Apache-2.0
// Hashing: 64-bit mixing for tables (seeded once per process for tests, never
// visible in output), SHA-256 (FIPS 180-4) for identities that are stored.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *data, size_t n, uint64_t seed);

// One mixing step: the two halves of a 128-bit product, folded.
static inline uint64_t hash_u64(uint64_t x, uint64_t seed)
{
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)(x ^ UINT64_C(0x9e3779b97f4a7c15)) * (seed ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

// Lower-case hexadecimal digest, 64 characters and a NUL.
void sha256_hex(const void *data, size_t n, char out[65]);
// The digest of texts one behind the other.
struct sha256 {
    uint32_t h[8];
    uint64_t n;             // bytes so far
    unsigned char rest[64]; // the last n % 64 of them
};
void sha256_init(struct sha256 *sha256);
void sha256_add(struct sha256 *sha256, const void *data, size_t n);
void sha256_end(struct sha256 *sha256, char out[65]);

#endif
