// SPDX-License-Identifier: Apache-2.0
// Conversions between element types: to i1 is x != 0; integers wrap; floats
// are truncated and saturate, NaN gives 0; everything to a float rounds once.
#include "tensor/eval/parts.h"
#include <math.h>

static bool no_value(enum elem from, enum elem to, struct err *err)
{
    return err_set(err, ERR_INPUT, "convert: the value of type %s has none in %s", elem_text(from),
                   elem_text(to));
}

static struct scalar to_bool(bool x)
{
    return (struct scalar){.bits = x};
}

static struct scalar float_to_int(enum elem to, double x)
{
    bool with_sign = elem_kind(to) == KIND_SINT;
    int magnitude_bits = (int)elem_bits(to) - with_sign;
    double limit = ldexp(1, magnitude_bits);
    if (isnan(x))
        return int_wrap(to, 0);
    if (x >= limit)
        return scalar_highest(to);
    if (with_sign)
        return x <= -limit ? scalar_lowest(to) : int_wrap(to, (uint64_t)(int64_t)x);
    return int_wrap(to, x <= 0 ? 0 : (uint64_t)x);
}

static bool float_to_ideal(enum elem from, enum elem to, double x, struct scalar *out,
                           struct err *err)
{
    if (isnan(x))
        return no_value(from, to, err);
    if (isinf(x)) {
        *out = (struct scalar){.num = x > 0 ? 1 : -1, .den = 0};
        return true;
    }
    if (to == ELEM_INT)
        x = trunc(x);
    int exponent;
    double mantissa = ldexp(frexp(x, &exponent), 53);
    exponent -= 53;
    if (x == 0)
        return ideal_make(to, 0, 1, out, err);
    while (exponent < 0 && fmod(mantissa, 2) == 0) {
        mantissa /= 2;
        exponent++;
    }
    if (exponent < -62 || exponent > 62)
        return no_value(from, to, err);
    i128 num = (int64_t)mantissa, power = 1;
    power <<= exponent < 0 ? -exponent : exponent;
    return exponent < 0 ? ideal_make(to, num, power, out, err)
                        : ideal_make(to, num * power, 1, out, err);
}

static struct scalar rational_to_float(enum elem to, struct scalar scalar)
{
    if (scalar.den == 0)
        return scalar.num > 0 ? scalar_highest(to) : scalar_lowest(to);
    bool negative = scalar.num < 0;
    uint64_t num = negative ? 0 - (uint64_t)scalar.num : (uint64_t)scalar.num;
    uint64_t den = (uint64_t)scalar.den;
    if (den == 1 || num == 0)
        return float_from_parts(to, negative, num, false, 0);
    // Scale both until num / den lies in [2^63, 2^64): the quotient then has
    // 64 significant bits, and the remainder says whether more follow.
    int shift = 0;
    for (; num >> 63 == 0; shift--)
        num <<= 1;
    for (; den >> 63 == 0; shift++)
        den <<= 1;
    int more = num >= den ? 63 : 64;
    u128 wide = (u128)num << more;
    return float_from_parts(to, negative, (uint64_t)(wide / den), wide % den != 0, shift - more);
}

static bool from_ideal(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                       struct err *err)
{
    enum elem_kind kind = elem_kind(to);
    if (kind == KIND_BOOL) {
        *out = to_bool(scalar.num != 0);
        return true;
    }
    if (to == ELEM_REAL || (scalar.den == 0 && to == ELEM_INT)) {
        *out = scalar;
        return true;
    }
    if (kind == KIND_FLOAT) {
        *out = rational_to_float(to, scalar);
        return true;
    }
    if (scalar.den == 0)
        return no_value(from, to, err);
    int64_t x = scalar.num / scalar.den;
    if (to == ELEM_INT)
        return ideal_make(to, x, 1, out, err);
    *out = int_wrap(to, (uint64_t)x);
    return true;
}

static bool from_int(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                     struct err *err)
{
    bool negative = elem_kind(from) == KIND_SINT && scalar.bits >> 63;
    uint64_t magnitude = negative ? 0 - scalar.bits : scalar.bits;
    if (elem_is_ideal(to))
        return ideal_make(to, negative ? -(i128)magnitude : (i128)magnitude, 1, out, err);
    if (elem_kind(to) == KIND_FLOAT)
        *out = float_from_parts(to, negative, magnitude, false, 0);
    else if (elem_kind(to) == KIND_BOOL)
        *out = to_bool(scalar.bits != 0);
    else
        *out = int_wrap(to, scalar.bits);
    return true;
}

static bool from_float(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                       struct err *err)
{
    double x = scalar_to_double(from, scalar);
    if (elem_is_ideal(to))
        return float_to_ideal(from, to, x, out, err);
    if (elem_kind(to) == KIND_FLOAT)
        *out = isnan(x) ? float_nan(to) : scalar_of_double(to, x);
    else if (elem_kind(to) == KIND_BOOL)
        *out = to_bool(x != 0);
    else
        *out = float_to_int(to, x);
    return true;
}

bool eval_convert(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                  struct err *err)
{
    if (from == ELEM_OTHER || to == ELEM_OTHER)
        return no_value(from, to, err);
    if (from == to) {
        *out = scalar;
        return true;
    }
    if (elem_is_ideal(from))
        return from_ideal(from, to, scalar, out, err);
    return elem_kind(from) == KIND_FLOAT ? from_float(from, to, scalar, out, err)
                                         : from_int(from, to, scalar, out, err);
}
