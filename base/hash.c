// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include "base/sha256.h"
#include <string.h>

uint64_t hash_bytes(const void *data, size_t n, uint64_t seed)
{
    const unsigned char *at = data;
    uint64_t h = hash_u64(n, seed), word;
    for (; n >= 8; n -= 8, at += 8) {
        memcpy(&word, at, 8);
        h = hash_u64(word, h);
    }
    if (n) {
        word = 0;
        memcpy(&word, at, n);
        h = hash_u64(word, h);
    }
    return hash_u64(h, seed);
}

// SHA-256, FIPS 180-4.
void sha256_hex(const void *data, size_t n, char out[65])
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    sha256_blocks *native = sha256_blocks_native();
    sha256_blocks *add = native != NULL ? native : sha256_blocks_portable;
    const unsigned char *at = data;
    size_t left = n % 64;
    add(h, at, n / 64);
    unsigned char tail[128] = {0};
    if (left)
        memcpy(tail, at + (n - left), left);
    tail[left] = 0x80;
    size_t len = left < 56 ? 64 : 128;
    uint64_t bits = (uint64_t)n * 8;
    for (unsigned i = 0; i < 8; i++)
        tail[len - 1 - i] = (unsigned char)(bits >> 8 * i);
    add(h, tail, len / 64);
    for (int i = 0; i < 64; i++)
        out[i] = "0123456789abcdef"[h[i / 8] >> (28 - 4 * (i % 8)) & 15];
    out[64] = 0;
}
