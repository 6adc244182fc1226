// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample/values.h"
#include "verify/obligations/named.h"

#include <math.h>

// Distinct values only: of a narrow type several of a list are one.
static void put(struct cex_simple *out, enum elem elem, struct scalar scalar)
{
    for (uint32_t i = 0; i < out->n; i++)
        if (scalar_same(elem, out->at[i], scalar))
            return;
    if (out->n < VERIFY_CEX_SIMPLE_VALUES)
        out->at[out->n++] = scalar;
}

static void put_int(struct cex_simple *out, enum elem elem, int64_t k)
{
    if (elem_has_int(elem, k))
        put(out, elem, scalar_of_int(elem, k));
}

static void put_words(struct cex_simple *out, enum elem elem)
{
    struct scalar low = scalar_lowest(elem), high = scalar_highest(elem);
    uint32_t bits = elem_bits(elem);
    put_int(out, elem, bits);
    put_int(out, elem, (int64_t)bits - 1);
    put(out, elem, high);
    put(out, elem, low);
    put(out, elem, scalar_of_int(elem, (int64_t)high.bits - 1));
    put(out, elem, scalar_of_int(elem, (int64_t)low.bits + 1));
    put(out, elem, scalar_of_int(elem, (int64_t)(UINT64_C(1) << (bits - 1)) >> 1));
    put(out, elem, scalar_of_int(elem, (int64_t)(UINT64_C(1) << (bits - 1))));
}

static void put_floats(struct cex_simple *out, enum elem elem)
{
    uint64_t infinite = scalar_highest(elem).bits, sign = UINT64_C(1) << (elem_bits(elem) - 1);
    put(out, elem, scalar_of_double(elem, 0.1));
    put(out, elem, scalar_of_double(elem, 1.0 / 3));
    put(out, elem, (struct scalar){.bits = infinite - 1}); // greatest finite
    put(out, elem, (struct scalar){.bits = (infinite - 1) ^ sign});
    put(out, elem, (struct scalar){.bits = 1}); // least subnormal
    put(out, elem, (struct scalar){.bits = sign});
    put(out, elem, (struct scalar){.bits = infinite});
    put(out, elem, (struct scalar){.bits = infinite ^ sign});
    put(out, elem, scalar_of_double(elem, NAN));
}

// Appends them.
static void put_simple(const struct rule *rule, enum elem elem, bool approximate,
                       struct cex_simple *out)
{
    static const double halves[] = {0.5, -0.5, 1.5, -1.5, 0.25, 2.5};
    static const struct scalar fractions[] = {{.num = 1, .den = 2},  {.num = -1, .den = 2},
                                              {.num = 3, .den = 2},  {.num = 1, .den = 3},
                                              {.num = -1, .den = 3}, {.num = -3, .den = 2}};
    unsigned kind = elem_kind(elem);
    for (int64_t k = 0; k <= 4; k++) {
        put_int(out, elem, k);
        if (kind != KIND_BOOL && k > 0)
            put_int(out, elem, -k);
    }
    if (kind == KIND_BOOL)
        return;
    for (uint32_t i = 0; kind == KIND_FLOAT && i < sizeof halves / sizeof *halves; i++)
        put(out, elem, elem == ELEM_REAL ? fractions[i] : scalar_of_double(elem, halves[i]));
    put_int(out, elem, 5);
    put_int(out, elem, 7);
    put_int(out, elem, 100);
    struct named_values named;
    named_values_of(rule, elem, &named);
    for (uint32_t i = 0; i < named.n; i++)
        put(out, elem, named.at[i]);
    if (elem_is_ideal(elem) || approximate)
        return;
    if (kind == KIND_FLOAT)
        put_floats(out, elem);
    else
        put_words(out, elem);
}

void cex_simple_values(const struct rule *rule, enum elem elem, bool approximate,
                       struct cex_simple *out)
{
    out->n = 0;
    put_simple(rule, elem, approximate, out);
}

// A number with one digit more than the type holds absorbs 1; a third and a tenth are rounded.
void cex_addends(const struct rule *rule, enum elem elem, bool approximate, struct cex_simple *out)
{
    out->n = 0;
    if (elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem)) {
        put(out, elem, scalar_of_int(elem, 1));
        put(out, elem, scalar_of_double(elem, 0.1));
        put(out, elem, scalar_of_int(elem, -1));
        put(out, elem, scalar_of_double(elem, ldexp(1, (int)elem_precision(elem))));
        put(out, elem, scalar_of_double(elem, 1.0 / 3));
    }
    put_simple(rule, elem, approximate, out);
}

uint32_t cex_simplicity(const struct cex_simple *simple, enum elem elem, struct scalar scalar)
{
    uint32_t i = 0;
    while (i < simple->n && !scalar_same(elem, simple->at[i], scalar) &&
           !(scalar_is_nan(elem, simple->at[i]) && scalar_is_nan(elem, scalar)))
        i++;
    return i;
}
