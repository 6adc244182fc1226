// SPDX-License-Identifier: Apache-2.0
// Polynomials from texts, as int_print writes them: 1024*i + j, (n + 31) div 32, min(a, b).
//
// Besides: // is div, % is rem, cdiv(a, b) is (a + b - 1) div b.
#ifndef INTEGER_READ_H
#define INTEGER_READ_H

#include "integer/poly.h"

struct int_reader {
    struct integers *in;
    const char *at, *end;
    // What a name stands for; false: nothing.
    bool (*name)(void *ctx, const char *text, size_t n, ipoly *out);
    // name[offset], an integer in memory; NULL: there are none.
    bool (*element)(void *ctx, const char *text, size_t n, ipoly offset, ipoly *out);
    void *ctx;
    uint32_t depth;
};

// Reads as far as the polynomial goes.  False: `at` is where something else was expected.
bool int_read(struct int_reader *reader, ipoly *out);

#endif
