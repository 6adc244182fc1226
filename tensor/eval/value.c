// SPDX-License-Identifier: Apache-2.0
// Values: random ones, comparison, text.
#include "tensor/eval/parts.h"
#include <math.h>

static bool machine_float(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem);
}

static struct scalar random_float(enum elem elem, struct rng *rng)
{
    if (rng_below(rng, 4) == 0) // halves: ties, equal elements, exact sums
        return scalar_of_double(elem, (double)rng_range(rng, -4, 4) / 2);
    return scalar_of_double(elem, rng_unit(rng) * 4 - 2);
}

static struct scalar special_float(enum elem elem, struct rng *rng)
{
    uint64_t mantissa_top = scalar_highest(elem).bits; // the bits of infinity
    uint64_t sign = (uint64_t)1 << (elem_bits(elem) - 1);
    uint64_t flip = rng_below(rng, 2) ? sign : 0;
    switch (rng_below(rng, 6)) {
    case 0:
        return float_nan(elem);
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

static struct scalar random_int(enum elem elem, struct rng *rng, bool special)
{
    if (elem_kind(elem) == KIND_BOOL)
        return scalar_of_int(elem, (int64_t)rng_below(rng, 2));
    if (special)
        return rng_below(rng, 2) ? scalar_lowest(elem) : scalar_highest(elem);
    return scalar_of_int(elem, elem_kind(elem) == KIND_UINT ? rng_range(rng, 0, 8)
                                                            : rng_range(rng, -4, 4));
}

static struct scalar random_rational(struct rng *rng)
{
    struct scalar scalar = {.num = 0, .den = 1};
    struct err err = {0};
    ideal_make(ELEM_REAL, rng_range(rng, -8, 8), rng_range(rng, 1, 4), &scalar, &err);
    return scalar;
}

static struct scalar random_element(enum elem elem, struct rng *rng, bool special)
{
    special = special && !elem_is_ideal(elem) && rng_below(rng, 6) == 0;
    if (elem == ELEM_REAL)
        return random_rational(rng);
    if (elem_kind(elem) != KIND_FLOAT)
        return random_int(elem, rng, special);
    return special ? special_float(elem, rng) : random_float(elem, rng);
}

struct value value_random(struct pool *pool, type_id t, struct rng *rng, bool special,
                          struct arena *arena)
{
    struct value value = {.type = t};
    const struct type *type = pool_type(pool, t);
    if (type->form == TYPE_TUPLE) {
        struct value *member = ARENA_NEW(arena, struct value, type->n + 1);
        for (uint32_t k = 0; k < type->n; k++)
            member[k] = value_random(pool, tuple_type(pool, t, k), rng, special, arena);
        value.data = member;
    }
    if (type->form != TYPE_TENSOR)
        return value;
    int64_t count = type_count(pool, t);
    enum elem elem = type->elem;
    value.data = arena_alloc(arena, elem_bytes(elem) * (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        scalar_store(elem, value.data, (size_t)i, random_element(elem, rng, special));
    return value;
}

// The largest finite magnitude of both tensors.
static double scale_of(enum elem elem, const void *a, const void *b, int64_t count)
{
    double scale = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = fabs(scalar_to_double(elem, scalar_load(elem, a, (size_t)i)));
        double y = fabs(scalar_to_double(elem, scalar_load(elem, b, (size_t)i)));
        if (isfinite(x) && x > scale)
            scale = x;
        if (isfinite(y) && y > scale)
            scale = y;
    }
    return scale;
}

static bool same_element(enum elem elem, struct scalar a, struct scalar b, double tolerance)
{
    if (scalar_same(elem, a, b))
        return true;
    if (!machine_float(elem))
        return false;
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    return tolerance > 0 && isfinite(x) && isfinite(y) && fabs(x - y) <= tolerance;
}

// If a tolerance is given, then zeros of both signs are equal, even if all elements are
// zero.
static double tolerance_of(enum elem elem, const void *a, const void *b, int64_t count, double rtol)
{
    double scale = machine_float(elem) && rtol > 0 ? scale_of(elem, a, b, count) : 0;
    return rtol > 0 ? fmax(rtol * scale, 0x1p-1074) : 0;
}

bool value_same(struct pool *pool, const struct value *a, const struct value *b, double rtol,
                int64_t *index)
{
    *index = -1;
    if (a->type.v != b->type.v)
        return false;
    const struct type *type = pool_type(pool, a->type);
    if (type->form == TYPE_TUPLE) {
        const struct value *value = a->data, *y = b->data;
        for (uint32_t k = 0; value && y && k < type->n; k++)
            if (!value_same(pool, &value[k], &y[k], rtol, index))
                return false;
        return true;
    }
    if (type->form == TYPE_OTHER)
        return true; // nothing to see
    enum elem elem = type->elem;
    int64_t count = type_count(pool, a->type);
    double tolerance = tolerance_of(elem, a->data, b->data, count, rtol);
    for (int64_t i = 0; i < count; i++)
        if (!same_element(elem, scalar_load(elem, a->data, (size_t)i),
                          scalar_load(elem, b->data, (size_t)i), tolerance)) {
            *index = i;
            return false;
        }
    return true;
}

bool value_same_at(struct pool *pool, const struct value *a, const struct value *b, double rtol,
                   int64_t index)
{
    enum elem elem = type_elem(pool, a->type);
    double tolerance = tolerance_of(elem, a->data, b->data, type_count(pool, a->type), rtol);
    return same_element(elem, scalar_load(elem, a->data, (size_t)index),
                        scalar_load(elem, b->data, (size_t)index), tolerance);
}

static bool all_same(enum elem elem, const void *data, int64_t count)
{
    size_t size = elem_bytes(elem);
    for (int64_t i = 1; i < count; i++)
        if (memcmp(data, (const char *)data + (size_t)i * size, size) != 0)
            return false;
    return true;
}

// Nested lists: a bracket opens before every element that begins a row of some
// axes, and closes behind the one that ends it.
static void print_elements(enum elem elem, uint32_t rank, const int64_t *dims,
                           const struct value *value, int64_t count, struct buf *out)
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
        scalar_print(elem, scalar_load(elem, value->data, (size_t)i), out);
        for (uint32_t k = 0; k < closed; k++)
            buf_putc(out, ']');
    }
}

void value_print(const struct pool *pool, const struct value *value, struct buf *out)
{
    const struct type *type = pool_type(pool, value->type);
    if (type->form != TYPE_TENSOR) {
        buf_puts(out, "opaque : ");
        type_print(pool, value->type, out);
        return;
    }
    int64_t count = type_count(pool, value->type);
    buf_puts(out, "dense<");
    if (count > 0 && all_same(type->elem, value->data, count))
        scalar_print(type->elem, scalar_load(type->elem, value->data, 0), out);
    else
        print_elements(type->elem, type->n, type_dims(pool, value->type), value, count, out);
    buf_puts(out, "> : ");
    type_print(pool, value->type, out);
}
