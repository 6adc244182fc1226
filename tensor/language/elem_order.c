// SPDX-License-Identifier: Apache-2.0
// Which values an element type has.
#include "tensor/language/elem.h"
#include <math.h>

bool elem_has_int(enum elem elem, int64_t k)
{
    unsigned bits = elem_bits(elem);
    switch (elem_kind(elem)) {
    case KIND_BOOL:
        return k == 0 || k == 1;
    case KIND_SINT:
        return bits == 0 || bits >= 64 ||
               (k >= -((int64_t)1 << (bits - 1)) && k < (int64_t)1 << (bits - 1));
    case KIND_UINT:
        return k >= 0 && (bits >= 64 || k < (int64_t)1 << bits);
    case KIND_FLOAT: {
        if (elem == ELEM_REAL)
            return true;
        double d = scalar_to_double(elem, scalar_of_int(elem, k));
        return fabs(d) < 9.2e18 && (int64_t)d == k;
    }
    case KIND_ANY:
        break;
    }
    return false;
}

unsigned elem_precision(enum elem elem)
{
    return elem == ELEM_F16 ? 11 : elem == ELEM_BF16 ? 8 : elem == ELEM_F32 ? 24 : 53;
}

// Integers of `bits` bits.  The least signed one is a power of two, so a
// significand of bits - 1 has all of them; no range of an integer type with
// that few bits is over the exponents of a float.
static bool float_holds_ints(enum elem wide, enum elem narrow)
{
    unsigned bits = elem_bits(narrow);
    if (bits == 0)
        return false;
    return bits - (elem_kind(narrow) == KIND_SINT) <= elem_precision(wide);
}

bool elem_holds(enum elem wide, enum elem narrow)
{
    enum elem_kind kind = elem_kind(wide), n = elem_kind(narrow);
    if (wide == narrow)
        return wide != ELEM_OTHER;
    if (wide == ELEM_OTHER || narrow == ELEM_OTHER || kind == KIND_BOOL || n == KIND_BOOL)
        return false;
    if (wide == ELEM_INT || wide == ELEM_REAL)
        return n != KIND_FLOAT;
    if (elem_is_ideal(narrow))
        return false;
    if (kind == KIND_FLOAT && n == KIND_FLOAT)
        return elem_bits(wide) > elem_bits(narrow);
    if (kind == KIND_FLOAT)
        return float_holds_ints(wide, narrow);
    if (n == KIND_FLOAT || (n == KIND_SINT && kind == KIND_UINT))
        return false;
    return elem_bits(wide) > elem_bits(narrow);
}
