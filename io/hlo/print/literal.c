// SPDX-License-Identifier: Apache-2.0
// Elements of constants.  A float is the shortest %g text that reads back to the same bits; of a
// zero with a sign XLA's parser needs the point, for it reads -0 as an integer, and so as 0.
#include "io/hlo/print/printer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned mantissa(enum elem elem)
{
    return elem == ELEM_F64 ? 52 : elem == ELEM_F32 ? 23 : elem == ELEM_F16 ? 10 : 7;
}

static void put_nan(enum elem elem, struct scalar scalar, struct buf *out)
{
    unsigned low = mantissa(elem);
    uint64_t payload = scalar.bits & ((UINT64_C(1) << low) - 1);
    buf_puts(out, scalar.bits >> (elem_bits(elem) - 1) & 1 ? "-nan" : "nan");
    if (payload != UINT64_C(1) << (low - 1))
        buf_printf(out, "(0x%" PRIx64 ")", payload);
}

static void put_float(enum elem elem, struct scalar scalar, struct buf *out)
{
    double value = scalar_to_double(elem, scalar);
    char text[64];
    if (isnan(value)) {
        put_nan(elem, scalar, out);
        return;
    }
    if (isinf(value)) {
        buf_puts(out, value < 0 ? "-inf" : "inf");
        return;
    }
    if (value == 0 && signbit(value)) {
        buf_puts(out, "-0.0");
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (scalar_same(elem, scalar_of_double(elem, strtod(text, NULL)), scalar))
            break;
    }
    buf_puts(out, text);
}

void hlo_put_scalar(enum elem elem, struct scalar scalar, struct buf *out)
{
    if (elem_kind(elem) == KIND_FLOAT)
        put_float(elem, scalar, out);
    else
        scalar_print(elem, scalar, out);
}

// `rank` is at most TENSOR_MAX_RANK.
static void put_list(const struct pool *pool, lit_id literal, uint32_t rank, const int64_t *dims,
                     uint64_t *index, struct buf *out)
{
    if (rank == 0) {
        hlo_put_scalar(pool_literal(pool, literal)->elem, literal_get(pool, literal, *index), out);
        ++*index;
        return;
    }
    buf_puts(out, rank > 1 ? "{ " : "{");
    for (int64_t k = 0; k < dims[0]; k++) {
        buf_puts(out, k > 0 ? ", " : "");
        put_list(pool, literal, rank - 1, dims + 1, index, out);
    }
    buf_puts(out, rank > 1 ? " }" : "}");
}

void hlo_put_literal(const struct pool *pool, lit_id literal, type_id type, struct buf *out)
{
    uint64_t index = 0;
    put_list(pool, literal, type_rank(pool, type), type_dims(pool, type), &index, out);
}
