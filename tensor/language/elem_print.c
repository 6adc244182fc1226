// SPDX-License-Identifier: Apache-2.0
// One element as text.
#include "base/text/buf.h"
#include "tensor/language/elem.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_float(enum elem t, struct scalar s, struct buf *out)
{
    double x = scalar_to_double(t, s);
    char text[40];
    if (!isfinite(x)) {
        buf_printf(out, "0x%0*" PRIX64, (int)elem_bits(t) / 4, s.bits);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, x);
        if (scalar_same(t, scalar_of_double(t, strtod(text, NULL)), s))
            break;
    }
    buf_puts(out, text);
}

static void print_ideal(struct scalar s, struct buf *out)
{
    if (s.den == 0)
        buf_puts(out, s.num > 0 ? "inf" : "-inf");
    else if (s.den == 1)
        buf_printf(out, "%" PRId64, s.num);
    else
        buf_printf(out, "%" PRId64 "/%" PRId64, s.num, s.den);
}

void scalar_print(enum elem t, struct scalar s, struct buf *out)
{
    if (elem_is_ideal(t))
        print_ideal(s, out);
    else if (elem_kind(t) == KIND_FLOAT)
        print_float(t, s, out);
    else if (elem_kind(t) == KIND_BOOL)
        buf_puts(out, s.bits ? "true" : "false");
    else if (elem_kind(t) == KIND_SINT)
        buf_printf(out, "%" PRId64, (int64_t)s.bits);
    else
        buf_printf(out, "%" PRIu64, s.bits);
}
