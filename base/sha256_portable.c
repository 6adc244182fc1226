// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

// One round: the eight words of the state are named anew for the next round, not moved.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        uint32_t t = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) +          \
                     sha256_constants[i] + w[i];                                                   \
        d += t;                                                                                    \
        h = t + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));              \
    } while (0)

static void block(uint32_t h[8], const unsigned char *bytes)
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
               (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[i - 7] +
               (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
    }
    uint32_t s0 = h[0], s1 = h[1], s2 = h[2], s3 = h[3];
    uint32_t s4 = h[4], s5 = h[5], s6 = h[6], s7 = h[7];
    for (int i = 0; i < 64; i += 8) {
        ROUND(s0, s1, s2, s3, s4, s5, s6, s7, i);
        ROUND(s7, s0, s1, s2, s3, s4, s5, s6, i + 1);
        ROUND(s6, s7, s0, s1, s2, s3, s4, s5, i + 2);
        ROUND(s5, s6, s7, s0, s1, s2, s3, s4, i + 3);
        ROUND(s4, s5, s6, s7, s0, s1, s2, s3, i + 4);
        ROUND(s3, s4, s5, s6, s7, s0, s1, s2, i + 5);
        ROUND(s2, s3, s4, s5, s6, s7, s0, s1, i + 6);
        ROUND(s1, s2, s3, s4, s5, s6, s7, s0, i + 7);
    }
    const uint32_t s[8] = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}
#undef ROUND

void sha256_blocks_portable(uint32_t h[8], const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        block(h, bytes + 64 * i);
}
