// SPDX-License-Identifier: Apache-2.0
// dense<...> : type.  Floats are the shortest %e text that reads back to the
// same bits.  Floats without such a text (inf, NaN) are written as bits.
#include "io/stablehlo/stablehlo.h"
#include "io/limits.h"
#include <inttypes.h>
#include <math.h>

static void print_float(enum elem elem, struct scalar scalar, struct buf *out)
{
    double x = scalar_to_double(elem, scalar);
    char text[64];
    for (int digits = 6; isfinite(x) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, x);
        if (scalar_same(elem, scalar_of_double(elem, strtod(text, NULL)), scalar)) {
            buf_puts(out, text);
            return;
        }
    }
    buf_printf(out, "0x%0*" PRIX64, (int)(elem_bits(elem) / 4), scalar.bits);
}

static void print_scalar(enum elem elem, struct scalar scalar, struct buf *out)
{
    if (elem_kind(elem) == KIND_FLOAT)
        print_float(elem, scalar, out);
    else
        scalar_print(elem, scalar, out);
}

static void print_hex(const struct pool *pool, lit_id literal, struct buf *out)
{
    static const char digit[] = "0123456789ABCDEF";
    const struct literal *lit = pool_literal(pool, literal);
    size_t size = elem_bytes(lit->elem);
    buf_puts(out, "\"0x");
    for (uint64_t k = 0; k < lit->count; k++) {
        uint64_t bits = literal_get(pool, literal, k).bits;
        for (size_t b = 0; b < size; b++, bits >>= 8) {
            buf_putc(out, digit[bits >> 4 & 15]);
            buf_putc(out, digit[bits & 15]);
        }
    }
    buf_putc(out, '"');
}

static void print_list(const struct pool *pool, lit_id literal, uint32_t rank, const int64_t *dims,
                       uint64_t *index, struct buf *out)
{
    if (rank == 0) {
        print_scalar(pool_literal(pool, literal)->elem, literal_get(pool, literal, *index), out);
        ++*index;
        return;
    }
    buf_putc(out, '[');
    for (int64_t k = 0; k < dims[0]; k++) {
        if (k > 0)
            buf_puts(out, ", ");
        print_list(pool, literal, rank - 1, dims + 1, index, out);
    }
    buf_putc(out, ']');
}

void stablehlo_print_literal(const struct pool *pool, lit_id literal, type_id type, struct buf *out)
{
    const struct literal *lit = pool_literal(pool, literal);
    uint64_t index = 0;
    buf_puts(out, "dense<");
    if (type_count(pool, type) == 0) {
        // A literal without elements has nothing to print.
    } else if (lit->splat) {
        print_scalar(lit->elem, literal_get(pool, literal, 0), out);
    } else if (lit->count > IO_LIST_ELEMENTS && elem_bits(lit->elem) >= 8) {
        print_hex(pool, literal, out);
    } else {
        print_list(pool, literal, type_rank(pool, type), type_dims(pool, type), &index, out);
    }
    buf_puts(out, "> : ");
    type_print(pool, type, out);
}
