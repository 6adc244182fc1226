// SPDX-License-Identifier: Apache-2.0
// Division and remainder of words, in forms that are easy for the solver.
#include "verify/arithmetic/machine.h"

// Division and remainder of numbers that were extended from n bits are those of the n bits,
// extended.  Exceptions: x / 0 = -1, and MIN / -1 = 2^(n-1).  Narrow divisions are much
// easier for the solver.  NULL: other operands.
static Z3_ast of_extended(struct machine *machine, const Z3_ast *a, bool divide)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_decl_kind kind = Z3_OP_ZERO_EXT;
    Z3_ast s[2];
    for (int i = 0; i < 2; i++) {
        if (Z3_get_ast_kind(context, a[i]) != Z3_APP_AST)
            return NULL;
        Z3_app app = Z3_to_app(context, a[i]);
        Z3_decl_kind own = Z3_get_decl_kind(context, Z3_get_app_decl(context, app));
        if (i == 0 && own == Z3_OP_SIGN_EXT && machine->is_signed)
            kind = own;
        if (own != kind)
            return NULL;
        s[i] = Z3_get_app_arg(context, app, 0);
    }
    Z3_sort sort = Z3_get_sort(context, s[0]), wide = Z3_get_sort(context, a[0]);
    if (!Z3_is_eq_sort(context, sort, Z3_get_sort(context, s[1])))
        return NULL;
    unsigned n = Z3_get_bv_sort_size(context, sort);
    unsigned more = Z3_get_bv_sort_size(context, wide) - n;
    Z3_ast zero = Z3_mk_int64(context, 0, wide), ones = Z3_mk_bvnot(context, zero);
    Z3_ast by_zero = Z3_mk_eq(context, a[1], zero);
    Z3_ast top = Z3_mk_unsigned_int64(context, UINT64_C(1) << (n - 1), sort);
    if (kind == Z3_OP_ZERO_EXT) { // without sign in either type
        Z3_ast q = divide ? Z3_mk_bvudiv(context, s[0], s[1]) : Z3_mk_bvurem(context, s[0], s[1]);
        return Z3_mk_ite(context, by_zero, divide ? ones : a[0], Z3_mk_zero_ext(context, more, q));
    }
    Z3_ast q = divide ? Z3_mk_bvsdiv(context, s[0], s[1]) : Z3_mk_bvsrem(context, s[0], s[1]);
    q = Z3_mk_sign_ext(context, more, q);
    Z3_ast wraps[] = {Z3_mk_eq(context, s[0], top), Z3_mk_eq(context, a[1], ones)};
    if (divide)
        q = Z3_mk_ite(context, Z3_mk_and(context, 2, wraps), Z3_mk_zero_ext(context, more, top), q);
    return Z3_mk_ite(context, by_zero, divide ? ones : a[0], q);
}

// Signed division and remainder, sign by sign, as SMT-LIB defines them.  Of divisions without sign
// by a power of two the solver makes shifts and masks, of those with a sign circuits.
static Z3_ast by_signs(Z3_context context, const Z3_ast *a, Z3_ast zero, bool divide)
{
    Z3_ast below = Z3_mk_bvslt(context, a[1], zero), q[2];
    Z3_ast magnitude = Z3_mk_ite(context, below, Z3_mk_bvneg(context, a[1]), a[1]);
    for (int i = 0; i < 2; i++) { // a dividend that is not negative, and a negative one
        Z3_ast x = i == 0 ? a[0] : Z3_mk_bvneg(context, a[0]);
        q[i] = divide ? Z3_mk_bvudiv(context, x, magnitude) : Z3_mk_bvurem(context, x, magnitude);
        Z3_ast minus = Z3_mk_bvneg(context, q[i]);
        if (divide)
            q[i] = i == 0 ? Z3_mk_ite(context, below, minus, q[i])
                          : Z3_mk_ite(context, below, q[i], minus);
        else
            q[i] = i == 0 ? q[i] : minus;
    }
    return Z3_mk_ite(context, Z3_mk_bvslt(context, a[0], zero), q[1], q[0]);
}

static bool is_by_power(const struct machine *machine)
{
    return machine->is_signed && machine->power != NO_EXPR;
}

// x / 0 = -1; MIN / -1 = MIN (what bvsdiv gives).
Z3_ast machine_word_divide(struct machine *machine, const Z3_ast *a, Z3_ast zero)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast q = of_extended(machine, a, true);
    if (q != NULL)
        return q;
    q = is_by_power(machine) ? by_signs(context, a, zero, true)
        : machine->is_signed ? Z3_mk_bvsdiv(context, a[0], a[1])
                             : Z3_mk_bvudiv(context, a[0], a[1]);
    return Z3_mk_ite(context, Z3_mk_eq(context, a[1], zero), Z3_mk_bvnot(context, zero), q);
}

// x rem 0 = x; the sign is that of the dividend.
Z3_ast machine_word_remainder(struct machine *machine, const Z3_ast *a, Z3_ast zero)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast r = of_extended(machine, a, false);
    if (r != NULL)
        return r;
    r = is_by_power(machine) ? by_signs(context, a, zero, false)
        : machine->is_signed ? Z3_mk_bvsrem(context, a[0], a[1])
                             : Z3_mk_bvurem(context, a[0], a[1]);
    return Z3_mk_ite(context, Z3_mk_eq(context, a[1], zero), a[0], r);
}
