// SPDX-License-Identifier: Apache-2.0
// Element types and single elements.  The f16 and bf16 conversions work on the
// bits, so that they round once and do not depend on the machine.
#include "tensor/language/elem.h"
#include "base/err.h"
#include <math.h>
#include <string.h>

struct elem_info {
    const char *text;
    enum elem_kind kind;
    unsigned bits;
    size_t bytes;
};

static const struct elem_info info[N_ELEMS] = {
#define X(name, text, kind, bits, bytes)                                                           \
    [ELEM_##name] = {text, (enum elem_kind)(kind), bits, bytes},
    ELEMS(X)
#undef X
};

const char *elem_text(enum elem elem)
{
    return info[elem].text;
}

enum elem_kind elem_kind(enum elem elem)
{
    return info[elem].kind;
}

unsigned elem_bits(enum elem elem)
{
    return info[elem].bits;
}

size_t elem_bytes(enum elem elem)
{
    return info[elem].bytes;
}

bool elem_by_text(const char *text, size_t n, enum elem *out)
{
    for (int t = ELEM_OTHER + 1; t < N_ELEMS; t++) {
        if (strlen(info[t].text) != n || memcmp(info[t].text, text, n) != 0)
            continue;
        *out = (enum elem)t;
        return true;
    }
    return false;
}

bool elem_is_ideal(enum elem elem)
{
    return elem == ELEM_INT || elem == ELEM_REAL;
}

// The low bits of x as a value of the integer type.
static uint64_t wrap(enum elem elem, uint64_t x)
{
    unsigned bits = elem_bits(elem);
    if (elem == ELEM_I1)
        return x != 0;
    if (bits == 0 || bits >= 64)
        return x;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    x &= mask;
    if (elem_kind(elem) == KIND_SINT && x >> (bits - 1))
        x |= ~mask;
    return x;
}

static uint64_t load_bits(enum elem elem, const unsigned char *p, size_t n)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t bits;
    switch (n) {
    case 1:
        memcpy(&b, p, 1);
        return wrap(elem, b);
    case 2:
        memcpy(&h, p, 2);
        return wrap(elem, h);
    case 4:
        memcpy(&w, p, 4);
        return wrap(elem, w);
    case 8:
        memcpy(&bits, p, 8);
        return bits;
    default:
        BUG("no element of type %s can be loaded", elem_text(elem));
    }
}

static struct scalar load_ideal(const unsigned char *p)
{
    struct scalar scalar = {.bits = 0};
    _Static_assert(offsetof(struct scalar, den) == 8, "num and den are read at once");
    memcpy(&scalar, p, 16);
    return scalar;
}

// The first 16 bytes are written at once (see struct scalar).
struct scalar scalar_load(enum elem elem, const void *data, size_t index)
{
    size_t n = elem_bytes(elem);
    const unsigned char *p = (const unsigned char *)data + n * index;
    if (n == 16)
        return load_ideal(p);
    return (struct scalar){.bits = load_bits(elem, p, n)};
}

void scalar_store(enum elem elem, void *data, size_t index, struct scalar scalar)
{
    size_t n = elem_bytes(elem);
    unsigned char *p = (unsigned char *)data + n * index;
    uint8_t b = (uint8_t)wrap(elem, scalar.bits);
    uint16_t h = (uint16_t)scalar.bits;
    uint32_t w = (uint32_t)scalar.bits;
    switch (n) {
    case 1:
        memcpy(p, &b, 1);
        break;
    case 2:
        memcpy(p, &h, 2);
        break;
    case 4:
        memcpy(p, &w, 4);
        break;
    case 8:
        memcpy(p, &scalar.bits, 8);
        break;
    case 16:
        memcpy(p, &scalar.num, 8);
        memcpy(p + 8, &scalar.den, 8);
        break;
    default:
        BUG("no element of type %s can be stored", elem_text(elem));
    }
}

static uint64_t double_bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, 8);
    return b;
}

static double double_of_bits(uint64_t b)
{
    double x;
    memcpy(&x, &b, 8);
    return x;
}

static uint32_t float_bits(float x)
{
    uint32_t b;
    memcpy(&b, &x, 4);
    return b;
}

// The 16-bit formats: 1 sign bit, then the exponent, then `mant` bits.
static unsigned half_mantissa(enum elem elem)
{
    return elem == ELEM_F16 ? 10 : 7;
}

// Nearest, ties to even.  Subnormals and normals are one case: the value is
// written as m * 2^(e - 52) and m is cut to the bits that the format has left
// at that exponent; a carry out of the mantissa lands in the exponent.
static uint16_t half_of_double(enum elem elem, double x)
{
    unsigned mant = half_mantissa(elem);
    int bias = (1 << (14 - mant)) - 1;
    uint64_t b = double_bits(x);
    unsigned sign = (unsigned)(b >> 63) << 15;
    unsigned inf = 0x7fffu & ~((1u << mant) - 1);
    int e = (int)(b >> 52 & 0x7ff);
    uint64_t m = b & ((UINT64_C(1) << 52) - 1);
    if (e == 0x7ff) {
        unsigned payload = (unsigned)(m >> (52 - mant));
        if (m && !payload) // a NaN stays one
            payload = 1u << (mant - 1);
        return (uint16_t)(sign | inf | payload);
    }
    if (e == 0) // zero, or far below half of the least subnormal
        return (uint16_t)sign;
    m |= UINT64_C(1) << 52;
    int he = e - 1023 + bias; // exponent field before rounding
    if (he >= (1 << (15 - mant)) - 1)
        return (uint16_t)(sign | inf);
    unsigned drop = 52 - mant;
    if (he < 1) {
        drop += (unsigned)(1 - he);
        he = 1;
    }
    if (drop > 54)
        return (uint16_t)sign;
    uint64_t q = m >> drop, rest = m & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);
    if (rest > half || (rest == half && (q & 1)))
        q++;
    // q carries the implicit bit of a normal number: hence he - 1.
    return (uint16_t)(sign | (((unsigned)(he - 1) << mant) + (unsigned)q));
}

static double half_to_double(enum elem elem, uint16_t h)
{
    unsigned mant = half_mantissa(elem);
    int bias = (1 << (14 - mant)) - 1;
    uint64_t sign = (uint64_t)(h >> 15) << 63;
    int e = (h & 0x7fff) >> mant;
    uint64_t m = h & ((1u << mant) - 1);
    if (e == (1 << (15 - mant)) - 1)
        return double_of_bits(sign | UINT64_C(0x7ff) << 52 | m << (52 - mant));
    double x = e ? ldexp((double)(m | 1u << mant), e - bias - (int)mant)
                 : ldexp((double)m, 1 - bias - (int)mant);
    return double_of_bits(sign | double_bits(x));
}

static unsigned bit_length(uint64_t x)
{
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

// x rounded to odd: no f32, f16 or bf16, and no midpoint of two, lies between the result
// and x.  So a second rounding of the result equals one rounding of x.
static double odd_double(int64_t x)
{
    uint64_t m = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    unsigned n = bit_length(m);
    if (n > 53) {
        unsigned drop = n - 53;
        bool inexact = (m & ((UINT64_C(1) << drop) - 1)) != 0;
        m = (m >> drop | inexact) << drop;
    }
    return x < 0 ? -(double)m : (double)m;
}

struct scalar scalar_of_int(enum elem elem, int64_t x)
{
    struct scalar scalar = {0};
    if (elem_is_ideal(elem)) {
        scalar.num = x;
        scalar.den = 1;
    } else if (elem == ELEM_F64) {
        scalar.bits = double_bits((double)x);
    } else if (elem_kind(elem) == KIND_FLOAT) {
        scalar = scalar_of_double(elem, odd_double(x));
    } else {
        scalar.bits = wrap(elem, (uint64_t)x);
    }
    return scalar;
}

// A double as an exact fraction; 0/0 when it is none or does not fit.
static struct scalar fraction_of_double(double x)
{
    struct scalar none = {0}, scalar = {.den = 1};
    int e;
    if (isnan(x))
        return none;
    if (isinf(x))
        return (struct scalar){.num = x > 0 ? 1 : -1};
    double f = frexp(x, &e); // x = f * 2^e, 0.5 <= |f| < 1
    if (f == 0)
        return scalar;
    scalar.num = (int64_t)ldexp(f, 53);
    for (e -= 53; !(scalar.num & 1); e++)
        scalar.num /= 2;
    if (e >= 0) {
        if (e > 63 ||
            bit_length((uint64_t)(scalar.num < 0 ? -scalar.num : scalar.num)) + (unsigned)e > 63)
            return none;
        scalar.num *= INT64_C(1) << e;
    } else {
        if (e < -62)
            return none;
        scalar.den = INT64_C(1) << -e;
    }
    return scalar;
}

struct scalar scalar_of_double(enum elem elem, double x)
{
    struct scalar scalar = {0};
    switch (elem) {
    case ELEM_F16:
    case ELEM_BF16:
        scalar.bits = half_of_double(elem, x);
        return scalar;
    case ELEM_F32:
        scalar.bits = float_bits((float)x);
        return scalar;
    case ELEM_F64:
        scalar.bits = double_bits(x);
        return scalar;
    case ELEM_REAL:
        return fraction_of_double(x);
    default:
        BUG("%s is not a type of doubles", elem_text(elem));
    }
}

// num/den rounded once: a quotient of 63 or 64 bits whose last bit also stands
// for the remainder, so that the conversion to double sees on which side of a
// tie it is.
static double fraction_to_double(struct scalar scalar)
{
    __extension__ typedef unsigned __int128 u128;
    if (scalar.den == 0)
        return scalar.num == 0 ? NAN : scalar.num > 0 ? INFINITY : -INFINITY;
    if (scalar.num == 0)
        return 0;
    uint64_t a = scalar.num < 0 ? 0 - (uint64_t)scalar.num : (uint64_t)scalar.num;
    uint64_t d = (uint64_t)scalar.den;
    int shift = 63 - (int)bit_length(a) + (int)bit_length(d);
    u128 wide = (u128)a << shift;
    uint64_t q = (uint64_t)(wide / d) | (wide % d != 0);
    double x = ldexp((double)q, -shift);
    return scalar.num < 0 ? -x : x;
}

double scalar_to_double(enum elem elem, struct scalar scalar)
{
    float f;
    uint32_t w = (uint32_t)scalar.bits;
    switch (elem) {
    case ELEM_F16:
    case ELEM_BF16:
        return half_to_double(elem, (uint16_t)scalar.bits);
    case ELEM_F32:
        memcpy(&f, &w, 4);
        return (double)f;
    case ELEM_F64:
        return double_of_bits(scalar.bits);
    case ELEM_INT:
    case ELEM_REAL:
        return fraction_to_double(scalar);
    default:
        return elem_kind(elem) == KIND_SINT ? (double)(int64_t)scalar.bits : (double)scalar.bits;
    }
}

bool scalar_same(enum elem elem, struct scalar a, struct scalar b)
{
    if (elem_is_ideal(elem))
        return a.num == b.num && a.den == b.den;
    return a.bits == b.bits;
}

bool scalar_is_nan(enum elem elem, struct scalar scalar)
{
    if (elem_is_ideal(elem))
        return scalar.num == 0 && scalar.den == 0;
    return elem_kind(elem) == KIND_FLOAT && isnan(scalar_to_double(elem, scalar));
}

// -inf, +inf or the integer of the type with the given bits.
static struct scalar extreme(enum elem elem, int sign, uint64_t bits)
{
    if (elem_is_ideal(elem))
        return (struct scalar){.num = sign};
    if (elem_kind(elem) == KIND_FLOAT)
        return scalar_of_double(elem, sign < 0 ? -INFINITY : INFINITY);
    return (struct scalar){.bits = wrap(elem, bits)};
}

struct scalar scalar_lowest(enum elem elem)
{
    bool sint = elem_kind(elem) == KIND_SINT && !elem_is_ideal(elem);
    return extreme(elem, -1, sint ? UINT64_C(1) << (elem_bits(elem) - 1) : 0);
}

struct scalar scalar_highest(enum elem elem)
{
    bool sint = elem_kind(elem) == KIND_SINT && !elem_is_ideal(elem);
    uint64_t top = sint ? (UINT64_C(1) << (elem_bits(elem) - 1)) - 1 : UINT64_MAX;
    return extreme(elem, 1, top);
}
