// SPDX-License-Identifier: Apache-2.0
// One element as text.
#include "base/text/buf.h"
#include "tensor/language/elem.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_float(enum elem elem, struct scalar scalar, struct buf *out)
{
    double x = scalar_to_double(elem, scalar);
    char text[40];
    if (!isfinite(x)) {
        buf_printf(out, "0x%0*" PRIX64, (int)elem_bits(elem) / 4, scalar.bits);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, x);
        if (scalar_same(elem, scalar_of_double(elem, strtod(text, NULL)), scalar))
            break;
    }
    buf_puts(out, text);
}

static void print_ideal(struct scalar scalar, struct buf *out)
{
    if (scalar.den == 0)
        buf_puts(out, scalar.num > 0 ? "inf" : "-inf");
    else if (scalar.den == 1)
        buf_printf(out, "%" PRId64, scalar.num);
    else
        buf_printf(out, "%" PRId64 "/%" PRId64, scalar.num, scalar.den);
}

void scalar_print(enum elem elem, struct scalar scalar, struct buf *out)
{
    if (elem_is_ideal(elem))
        print_ideal(scalar, out);
    else if (elem_kind(elem) == KIND_FLOAT)
        print_float(elem, scalar, out);
    else if (elem_kind(elem) == KIND_BOOL)
        buf_puts(out, scalar.bits ? "true" : "false");
    else if (elem_kind(elem) == KIND_SINT)
        buf_printf(out, "%" PRId64, (int64_t)scalar.bits);
    else
        buf_printf(out, "%" PRIu64, scalar.bits);
}
