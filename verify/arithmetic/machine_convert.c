// SPDX-License-Identifier: Apache-2.0
// Conversions between machine types (docs/semantics.md): integers wrap, to
// floats they round once; floats lose their fraction, NaN is 0, and what is out
// of range becomes the nearest integer.
#include "verify/arithmetic/machine.h"

static Z3_ast resized(Z3_context c, enum elem from, enum elem to, Z3_ast a)
{
    unsigned n = elem_bits(from), w = elem_bits(to);
    if (w <= n)
        return w == n ? a : Z3_mk_extract(c, w - 1, 0, a);
    return elem_kind(from) == KIND_SINT ? Z3_mk_sign_ext(c, w - n, a)
                                        : Z3_mk_zero_ext(c, w - n, a);
}

// 2^k in a float sort, infinity where it has no such number.
static Z3_ast power_of_two(Z3_context c, unsigned k, Z3_sort sort)
{
    Z3_ast one = Z3_mk_unsigned_int64(c, 1, Z3_mk_int_sort(c));
    Z3_ast real = Z3_mk_int2real(c, one);
    Z3_ast two = Z3_mk_real(c, 2, 1);
    for (unsigned i = 0; i < k; i++)
        real = Z3_mk_mul(c, 2, (Z3_ast[]){real, two});
    return Z3_mk_fpa_to_fp_real(c, Z3_mk_fpa_rne(c), Z3_simplify(c, real),
                                sort);
}

static Z3_ast to_integer(struct machine *m, enum elem from, enum elem to,
                         Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = machine_elem_sort(m, to);
    unsigned w = elem_bits(to);
    bool is_signed = elem_kind(to) == KIND_SINT;
    uint64_t top = UINT64_C(1) << (w - 1), all = top | (top - 1);
    Z3_ast least = Z3_mk_unsigned_int64(c, is_signed ? top : 0, sort);
    Z3_ast most = Z3_mk_unsigned_int64(c, is_signed ? top - 1 : all, sort);
    Z3_ast zero = Z3_mk_unsigned_int64(c, 0, sort);
    if (from == ELEM_BF16) { // exactly, to a format that the solver can do
        a = Z3_mk_fpa_to_fp_float(c, Z3_mk_fpa_rne(c), a,
                                  machine_elem_sort(m, ELEM_F32));
        from = ELEM_F32;
    }
    Z3_sort wide = machine_elem_sort(m, from);
    Z3_ast over = power_of_two(c, is_signed ? w - 1 : w, wide);
    Z3_ast under =
        is_signed ? Z3_mk_fpa_neg(c, over) : Z3_mk_fpa_zero(c, wide, false);
    Z3_ast rtz = Z3_mk_fpa_rtz(c);
    Z3_ast inside = is_signed ? Z3_mk_fpa_to_sbv(c, rtz, a, w)
                              : Z3_mk_fpa_to_ubv(c, rtz, a, w);
    inside = Z3_mk_ite(c, Z3_mk_fpa_leq(c, a, under), least, inside);
    inside = Z3_mk_ite(c, Z3_mk_fpa_geq(c, a, over), most, inside);
    return Z3_mk_ite(c, Z3_mk_fpa_is_nan(c, a), zero, inside);
}

Z3_ast machine_convert(struct machine *m, enum elem from, enum elem to,
                       Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    bool floats = elem_kind(to) == KIND_FLOAT;
    Z3_ast rne = Z3_mk_fpa_rne(c);
    if (elem_kind(from) == KIND_FLOAT)
        return floats
                   ? Z3_mk_fpa_to_fp_float(c, rne, a, machine_elem_sort(m, to))
                   : to_integer(m, from, to, a);
    if (!floats)
        return resized(c, from, to, a);
    return elem_kind(from) == KIND_SINT
               ? Z3_mk_fpa_to_fp_signed(c, rne, a, machine_elem_sort(m, to))
               : Z3_mk_fpa_to_fp_unsigned(c, rne, a, machine_elem_sort(m, to));
}
