// SPDX-License-Identifier: Apache-2.0
// Conversions between machine types (docs/semantics.md).  Integers wrap; integers become
// floats by one rounding.  Floats lose their fraction, NaN becomes 0, and a number out of
// range becomes the nearest integer.
#include "verify/arithmetic/machine.h"

static Z3_ast resized(Z3_context context, enum elem from, enum elem to, Z3_ast a)
{
    unsigned n = elem_bits(from), w = elem_bits(to);
    if (w <= n)
        return w == n ? a : Z3_mk_extract(context, w - 1, 0, a);
    return elem_kind(from) == KIND_SINT ? Z3_mk_sign_ext(context, w - n, a)
                                        : Z3_mk_zero_ext(context, w - n, a);
}

// 2^k in a float sort; infinity if the sort has no such number.
static Z3_ast power_of_two(Z3_context context, unsigned k, Z3_sort sort)
{
    Z3_ast one = Z3_mk_unsigned_int64(context, 1, Z3_mk_int_sort(context));
    Z3_ast real = Z3_mk_int2real(context, one);
    Z3_ast two = Z3_mk_real(context, 2, 1);
    for (unsigned i = 0; i < k; i++)
        real = Z3_mk_mul(context, 2, (Z3_ast[]){real, two});
    return Z3_mk_fpa_to_fp_real(context, Z3_mk_fpa_rne(context), Z3_simplify(context, real), sort);
}

static Z3_ast to_integer(struct machine *machine, enum elem from, enum elem to, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = machine_elem_sort(machine, to);
    unsigned w = elem_bits(to);
    bool is_signed = elem_kind(to) == KIND_SINT;
    uint64_t top = UINT64_C(1) << (w - 1), all = top | (top - 1);
    Z3_ast least = Z3_mk_unsigned_int64(context, is_signed ? top : 0, sort);
    Z3_ast most = Z3_mk_unsigned_int64(context, is_signed ? top - 1 : all, sort);
    Z3_ast zero = Z3_mk_unsigned_int64(context, 0, sort);
    if (from == ELEM_BF16) { // exactly, to a format that the solver can do
        a = Z3_mk_fpa_to_fp_float(context, Z3_mk_fpa_rne(context), a,
                                  machine_elem_sort(machine, ELEM_F32));
        from = ELEM_F32;
    }
    Z3_sort wide = machine_elem_sort(machine, from);
    Z3_ast over = power_of_two(context, is_signed ? w - 1 : w, wide);
    Z3_ast under = is_signed ? Z3_mk_fpa_neg(context, over) : Z3_mk_fpa_zero(context, wide, false);
    Z3_ast rtz = Z3_mk_fpa_rtz(context);
    Z3_ast inside =
        is_signed ? Z3_mk_fpa_to_sbv(context, rtz, a, w) : Z3_mk_fpa_to_ubv(context, rtz, a, w);
    inside = Z3_mk_ite(context, Z3_mk_fpa_leq(context, a, under), least, inside);
    inside = Z3_mk_ite(context, Z3_mk_fpa_geq(context, a, over), most, inside);
    return Z3_mk_ite(context, Z3_mk_fpa_is_nan(context, a), zero, inside);
}

Z3_ast machine_convert(struct machine *machine, enum elem from, enum elem to, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    bool floats = elem_kind(to) == KIND_FLOAT;
    Z3_ast rne = Z3_mk_fpa_rne(context);
    if (elem_kind(from) == KIND_FLOAT)
        return floats ? Z3_mk_fpa_to_fp_float(context, rne, a, machine_elem_sort(machine, to))
                      : to_integer(machine, from, to, a);
    if (!floats)
        return resized(context, from, to, a);
    return elem_kind(from) == KIND_SINT
               ? Z3_mk_fpa_to_fp_signed(context, rne, a, machine_elem_sort(machine, to))
               : Z3_mk_fpa_to_fp_unsigned(context, rne, a, machine_elem_sort(machine, to));
}
