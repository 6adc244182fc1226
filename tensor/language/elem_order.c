// SPDX-License-Identifier: Apache-2.0
// Which values an element type has.
#include "tensor/language/elem.h"
#include <math.h>

bool elem_has_int(enum elem t, int64_t k)
{
    unsigned bits = elem_bits(t);
    switch (elem_kind(t)) {
    case KIND_BOOL:
        return k == 0 || k == 1;
    case KIND_SINT:
        return bits == 0 || bits >= 64 ||
               (k >= -((int64_t)1 << (bits - 1)) && k < (int64_t)1
                                                            << (bits - 1));
    case KIND_UINT:
        return k >= 0 && (bits >= 64 || k < (int64_t)1 << bits);
    case KIND_FLOAT: {
        if (t == ELEM_REAL)
            return true;
        double d = scalar_to_double(t, scalar_of_int(t, k));
        return fabs(d) < 9.2e18 && (int64_t)d == k;
    }
    case KIND_ANY:
        break;
    }
    return false;
}

// Bits of a float's significand, the hidden one included.
static unsigned precision(enum elem t)
{
    return t == ELEM_F16 ? 11 : t == ELEM_BF16 ? 8 : t == ELEM_F32 ? 24 : 53;
}

// Integers of `bits` bits.  The least signed one is a power of two, so a
// significand of bits - 1 has all of them; no range of an integer type with
// that few bits is over the exponents of a float.
static bool float_holds_ints(enum elem wide, enum elem narrow)
{
    unsigned bits = elem_bits(narrow);
    if (bits == 0)
        return false;
    return bits - (elem_kind(narrow) == KIND_SINT) <= precision(wide);
}

bool elem_holds(enum elem wide, enum elem narrow)
{
    enum elem_kind w = elem_kind(wide), n = elem_kind(narrow);
    if (wide == narrow)
        return wide != ELEM_OTHER;
    if (wide == ELEM_OTHER || narrow == ELEM_OTHER || w == KIND_BOOL ||
        n == KIND_BOOL)
        return false;
    if (wide == ELEM_INT || wide == ELEM_REAL)
        return n != KIND_FLOAT;
    if (elem_is_ideal(narrow))
        return false;
    if (w == KIND_FLOAT && n == KIND_FLOAT)
        return elem_bits(wide) > elem_bits(narrow);
    if (w == KIND_FLOAT)
        return float_holds_ints(wide, narrow);
    if (n == KIND_FLOAT || (n == KIND_SINT && w == KIND_UINT))
        return false;
    return elem_bits(wide) > elem_bits(narrow);
}
