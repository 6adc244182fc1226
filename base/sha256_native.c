// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdbool.h>

// Four rounds with the words `a` of the message, then four new words in the place of `a`. The four
// groups of words before them are a, b, c, d, from the oldest on.
#define FOUR_ROUNDS(a, i)                                                                          \
    do {                                                                                           \
        __m128i sum = _mm_add_epi32(a, _mm_loadu_si128((const void *)&sha256_constants[i]));       \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);                                             \
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));                    \
    } while (0)
#define NEW_WORDS(a, b, c, d)                                                                      \
    a = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4)), d)

__attribute__((target("sha,sse4.1"))) static __m128i words(const unsigned char *bytes)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128((const void *)bytes), big_endian);
}

__attribute__((target("sha,sse4.1"))) static void native(uint32_t h[8], const unsigned char *bytes,
                                                         size_t n)
{
    // The instructions want the state as the words a, b, e, f and c, d, g, h.
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const void *)h), 0xB1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(h + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xF0);
    for (; n > 0; n--, bytes += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i a = words(bytes), b = words(bytes + 16);
        __m128i c = words(bytes + 32), d = words(bytes + 48);
        for (int i = 0; i < 48; i += 16) {
            FOUR_ROUNDS(a, i);
            NEW_WORDS(a, b, c, d);
            FOUR_ROUNDS(b, i + 4);
            NEW_WORDS(b, c, d, a);
            FOUR_ROUNDS(c, i + 8);
            NEW_WORDS(c, d, a, b);
            FOUR_ROUNDS(d, i + 12);
            NEW_WORDS(d, a, b, c);
        }
        FOUR_ROUNDS(a, 48);
        FOUR_ROUNDS(b, 52);
        FOUR_ROUNDS(c, 56);
        FOUR_ROUNDS(d, 60);
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    low = _mm_shuffle_epi32(abef, 0x1B);
    high = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((void *)h, _mm_blend_epi16(low, high, 0xF0));
    _mm_storeu_si128((void *)(h + 4), _mm_alignr_epi8(high, low, 8));
}

static bool processor_has_sha(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

sha256_blocks *sha256_blocks_native(void)
{
    // The processor is asked once: a virtual machine may answer slowly.
    enum { UNKNOWN, ABSENT, PRESENT };
    static atomic_int known = UNKNOWN;
    if (known == UNKNOWN)
        known = processor_has_sha() ? PRESENT : ABSENT;
    return known == PRESENT ? native : NULL;
}

#else

sha256_blocks *sha256_blocks_native(void)
{
    return NULL;
}

#endif
