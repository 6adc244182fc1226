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
void sha256_init(struct sha256 *sha256)
{
    *sha256 = (struct sha256){{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                               0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
                              0,
                              {0}};
}

void sha256_add(struct sha256 *sha256, const void *data, size_t n)
{
    sha256_blocks *native = sha256_blocks_native();
    sha256_blocks *add = native != NULL ? native : sha256_blocks_portable;
    const unsigned char *at = data;
    size_t held = sha256->n % 64;
    sha256->n += n;
    if (held > 0 && n >= 64 - held) {
        memcpy(sha256->rest + held, at, 64 - held);
        add(sha256->h, sha256->rest, 1);
        at += 64 - held;
        n -= 64 - held;
        held = 0;
    }
    if (n >= 64) {
        add(sha256->h, at, n / 64);
        at += n / 64 * 64;
        n %= 64;
    }
    if (n > 0)
        memcpy(sha256->rest + held, at, n);
}

void sha256_end(struct sha256 *sha256, char out[65])
{
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = sha256->n * 8;
    unsigned char length[8];
    for (unsigned i = 0; i < 8; i++)
        length[7 - i] = (unsigned char)(bits >> 8 * i);
    sha256_add(sha256, padding, 1 + (119 - sha256->n % 64) % 64);
    sha256_add(sha256, length, 8);
    for (int i = 0; i < 64; i++)
        out[i] = "0123456789abcdef"[sha256->h[i / 8] >> (28 - 4 * (i % 8)) & 15];
    out[64] = 0;
}

void sha256_hex(const void *data, size_t n, char out[65])
{
    struct sha256 sha256;
    sha256_init(&sha256);
    sha256_add(&sha256, data, n);
    sha256_end(&sha256, out);
}
