// SPDX-License-Identifier: Apache-2.0
// Values: random ones, comparison, text.
#include "tensor/eval/parts.h"
#include <math.h>

static bool machine_float(enum elem t)
{
    return elem_kind(t) == KIND_FLOAT && !elem_is_ideal(t);
}

static struct scalar random_float(enum elem t, struct rng *r)
{
    if (rng_below(r, 4) == 0) // halves: ties, equal elements, exact sums
        return scalar_of_double(t, (double)rng_range(r, -4, 4) / 2);
    return scalar_of_double(t, rng_unit(r) * 4 - 2);
}

static struct scalar special_float(enum elem t, struct rng *r)
{
    uint64_t mantissa_top = scalar_highest(t).bits; // the bits of infinity
    uint64_t sign = (uint64_t)1 << (elem_bits(t) - 1);
    uint64_t flip = rng_below(r, 2) ? sign : 0;
    switch (rng_below(r, 6)) {
    case 0:
        return float_nan(t);
    case 1:
        return (struct scalar){.bits = mantissa_top ^ flip};
    case 2: // the largest finite number
        return (struct scalar){.bits = (mantissa_top - 1) ^ flip};
    case 3: // the smallest subnormal
        return (struct scalar){.bits = 1 ^ flip};
    default:
        return (struct scalar){.bits = flip}; // 0 and -0
    }
}

static struct scalar random_int(enum elem t, struct rng *r, bool special)
{
    if (elem_kind(t) == KIND_BOOL)
        return scalar_of_int(t, (int64_t)rng_below(r, 2));
    if (special)
        return rng_below(r, 2) ? scalar_lowest(t) : scalar_highest(t);
    return scalar_of_int(t, elem_kind(t) == KIND_UINT ? rng_range(r, 0, 8)
                                                      : rng_range(r, -4, 4));
}

static struct scalar random_rational(struct rng *r)
{
    struct scalar s = {.num = 0, .den = 1};
    struct err e = {0};
    ideal_make(ELEM_REAL, rng_range(r, -8, 8), rng_range(r, 1, 4), &s, &e);
    return s;
}

static struct scalar random_element(enum elem t, struct rng *r, bool special)
{
    special = special && !elem_is_ideal(t) && rng_below(r, 6) == 0;
    if (t == ELEM_REAL)
        return random_rational(r);
    if (elem_kind(t) != KIND_FLOAT)
        return random_int(t, r, special);
    return special ? special_float(t, r) : random_float(t, r);
}

struct value value_random(struct pool *p, type_id t, struct rng *r,
                          bool special, struct arena *a)
{
    struct value v = {.type = t};
    const struct type *type = pool_type(p, t);
    if (type->form == TYPE_TUPLE) {
        struct value *member = ARENA_NEW(a, struct value, type->n + 1);
        for (uint32_t k = 0; k < type->n; k++)
            member[k] = value_random(p, tuple_type(p, t, k), r, special, a);
        v.data = member;
    }
    if (type->form != TYPE_TENSOR)
        return v;
    int64_t count = type_count(p, t);
    enum elem elem = type->elem;
    v.data = arena_alloc(a, elem_bytes(elem) * (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        scalar_store(elem, v.data, (size_t)i, random_element(elem, r, special));
    return v;
}

// The largest finite magnitude of both tensors.
static double scale_of(enum elem t, const void *a, const void *b, int64_t count)
{
    double scale = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = fabs(scalar_to_double(t, scalar_load(t, a, (size_t)i)));
        double y = fabs(scalar_to_double(t, scalar_load(t, b, (size_t)i)));
        if (isfinite(x) && x > scale)
            scale = x;
        if (isfinite(y) && y > scale)
            scale = y;
    }
    return scale;
}

static bool same_element(enum elem t, struct scalar a, struct scalar b,
                         double tolerance)
{
    if (scalar_same(t, a, b))
        return true;
    if (!machine_float(t))
        return false;
    double x = scalar_to_double(t, a), y = scalar_to_double(t, b);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    return tolerance > 0 && isfinite(x) && isfinite(y) &&
           fabs(x - y) <= tolerance;
}

// Zeros of both signs are the same as soon as a tolerance is given, also when
// all elements are zero.
static double tolerance_of(enum elem t, const void *a, const void *b,
                           int64_t count, double rtol)
{
    double scale = machine_float(t) && rtol > 0 ? scale_of(t, a, b, count) : 0;
    return rtol > 0 ? fmax(rtol * scale, 0x1p-1074) : 0;
}

bool value_same(struct pool *p, const struct value *a, const struct value *b,
                double rtol, int64_t *index)
{
    *index = -1;
    if (a->type.v != b->type.v)
        return false;
    const struct type *type = pool_type(p, a->type);
    if (type->form == TYPE_TUPLE) {
        const struct value *x = a->data, *y = b->data;
        for (uint32_t k = 0; x && y && k < type->n; k++)
            if (!value_same(p, &x[k], &y[k], rtol, index))
                return false;
        return true;
    }
    if (type->form == TYPE_OTHER)
        return true; // nothing to see
    enum elem t = type->elem;
    int64_t count = type_count(p, a->type);
    double tolerance = tolerance_of(t, a->data, b->data, count, rtol);
    for (int64_t i = 0; i < count; i++)
        if (!same_element(t, scalar_load(t, a->data, (size_t)i),
                          scalar_load(t, b->data, (size_t)i), tolerance)) {
            *index = i;
            return false;
        }
    return true;
}

static bool all_same(enum elem t, const void *data, int64_t count)
{
    size_t size = elem_bytes(t);
    for (int64_t i = 1; i < count; i++)
        if (memcmp(data, (const char *)data + (size_t)i * size, size) != 0)
            return false;
    return true;
}

// Nested lists: a bracket opens before every element that begins a row of some
// axes, and closes behind the one that ends it.
static void print_elements(enum elem t, uint32_t rank, const int64_t *dims,
                           const struct value *v, int64_t count,
                           struct buf *out)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t block = 1;
        uint32_t opened = 0, closed = 0;
        for (uint32_t k = rank; k-- > 0;) {
            block *= dims[k];
            opened += i % block == 0;
            closed += (i + 1) % block == 0;
        }
        if (i > 0)
            buf_puts(out, ", ");
        for (uint32_t k = 0; k < opened; k++)
            buf_putc(out, '[');
        scalar_print(t, scalar_load(t, v->data, (size_t)i), out);
        for (uint32_t k = 0; k < closed; k++)
            buf_putc(out, ']');
    }
}

void value_print(const struct pool *p, const struct value *v, struct buf *out)
{
    const struct type *type = pool_type(p, v->type);
    if (type->form != TYPE_TENSOR) {
        buf_puts(out, "opaque : ");
        type_print(p, v->type, out);
        return;
    }
    int64_t count = type_count(p, v->type);
    buf_puts(out, "dense<");
    if (count > 0 && all_same(type->elem, v->data, count))
        scalar_print(type->elem, scalar_load(type->elem, v->data, 0), out);
    else
        print_elements(type->elem, type->n, type_dims(p, v->type), v, count,
                       out);
    buf_puts(out, "> : ");
    type_print(p, v->type, out);
}
