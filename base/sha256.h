// SPDX-License-Identifier: Apache-2.0
// Internal to base/: the rounds of SHA-256 (sha256_hex in base/hash.h) in two ways that give the
// same words.
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

// Adds n blocks of 64 bytes to the state.
typedef void sha256_blocks(uint32_t h[8], const unsigned char *bytes, size_t n);

extern const uint32_t sha256_constants[64];

sha256_blocks sha256_blocks_portable;
// The same by the processor's own instructions; NULL if it has none.
sha256_blocks *sha256_blocks_native(void);

#endif
