// SPDX-License-Identifier: Apache-2.0
// bitcast_convert.  The element at the higher index holds the higher bits, as
// on a little-endian machine; i1 is one bit, i2 and i4 are two and four.
#include "tensor/eval/parts.h"

static uint64_t low_bits(unsigned n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static struct scalar from_bits(enum elem elem, uint64_t bits)
{
    return elem_kind(elem) == KIND_FLOAT || elem_kind(elem) == KIND_BOOL
               ? (struct scalar){.bits = bits}
               : int_wrap(elem, bits);
}

void bitcast_eval(const struct pool *pool, const struct value *arg, struct value *out)
{
    enum elem from = type_elem(pool, arg->type), to = type_elem(pool, out->type);
    unsigned a = elem_bits(from), b = elem_bits(to);
    unsigned splits = a > b ? a / b : 1, joins = b > a ? b / a : 1;
    int64_t count = type_count(pool, out->type);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        for (unsigned k = 0; k < joins; k++) {
            size_t at = (size_t)(i / splits) * joins + k;
            uint64_t part = scalar_load(from, arg->data, at).bits & low_bits(a);
            bits |= part << (k * a);
        }
        bits >>= (unsigned)(i % splits) * b;
        scalar_store(to, out->data, (size_t)i, from_bits(to, bits & low_bits(b)));
    }
}
