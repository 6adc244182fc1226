// SPDX-License-Identifier: Apache-2.0
// StableHLO's element operators as solver terms.
#include "verify/arithmetic/machine.h"

static Z3_ast real_sign(Z3_context c, Z3_ast a, Z3_ast zero)
{
    Z3_sort real = Z3_mk_real_sort(c);
    Z3_ast one = Z3_mk_int64(c, 1, real), minus = Z3_mk_int64(c, -1, real);
    return Z3_mk_ite(c, Z3_mk_lt(c, a, zero), minus,
                     Z3_mk_ite(c, Z3_mk_eq(c, a, zero), zero, one));
}

// The greatest integer not above a.
static Z3_ast real_floor(Z3_context c, Z3_ast a)
{
    return Z3_mk_int2real(c, Z3_mk_real2int(c, a));
}

static Z3_ast real_round(struct machine *m, enum op op, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort real = Z3_mk_real_sort(c);
    Z3_ast half = Z3_mk_real(c, 1, 2), zero = Z3_mk_int64(c, 0, real);
    Z3_ast minus = Z3_mk_unary_minus(c, a);
    Z3_ast up = real_floor(c, Z3_mk_add(c, 2, (Z3_ast[]){a, half}));
    Z3_ast down = Z3_mk_unary_minus(
        c, real_floor(c, Z3_mk_add(c, 2, (Z3_ast[]){minus, half})));
    Z3_ast is_even = Z3_mk_eq(c,
                              Z3_mk_mod(c, Z3_mk_real2int(c, up),
                                        Z3_mk_int64(c, 2, Z3_mk_int_sort(c))),
                              Z3_mk_int64(c, 0, Z3_mk_int_sort(c)));
    switch (op) { // ties only: up and down differ
    case OP_FLOOR:
        return real_floor(c, a);
    case OP_CEIL:
        return Z3_mk_unary_minus(c, real_floor(c, minus));
    case OP_ROUND_NEAREST_AFZ:
        return Z3_mk_ite(c, Z3_mk_lt(c, a, zero), down, up);
    default:
        return Z3_mk_ite(c, is_even, up, down);
    }
}

// x / 0 is the solver's unspecified function of x.
Z3_ast machine_real_op(struct machine *m, const struct expr *n, const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast zero = Z3_mk_int64(c, 0, Z3_mk_real_sort(c));
    switch ((enum op)n->op) {
    case OP_ADD:
        return Z3_mk_add(c, 2, a);
    case OP_SUBTRACT:
        return Z3_mk_sub(c, 2, a);
    case OP_MULTIPLY:
        return Z3_mk_mul(c, 2, a);
    case OP_DIVIDE:
        return Z3_mk_div(c, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_unary_minus(c, a[0]);
    case OP_ABS:
        return Z3_mk_ite(c, Z3_mk_lt(c, a[0], zero), Z3_mk_unary_minus(c, a[0]),
                         a[0]);
    case OP_SIGN:
        return real_sign(c, a[0], zero);
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
        return real_round(m, (enum op)n->op, a[0]);
    case OP_MAXIMUM:
        return Z3_mk_ite(c, Z3_mk_le(c, a[0], a[1]), a[1], a[0]);
    case OP_MINIMUM:
        return Z3_mk_ite(c, Z3_mk_le(c, a[0], a[1]), a[0], a[1]);
    case OP_COMPARE:
        return n->sym == CMP_EQ   ? Z3_mk_eq(c, a[0], a[1])
               : n->sym == CMP_LT ? Z3_mk_lt(c, a[0], a[1])
                                  : Z3_mk_le(c, a[0], a[1]);
    default:
        return NULL;
    }
}

static Z3_ast word_less(struct machine *m, Z3_ast a, Z3_ast b)
{
    Z3_context c = m->s->smt.ctx;
    return m->is_signed ? Z3_mk_bvslt(c, a, b) : Z3_mk_bvult(c, a, b);
}

// Division and remainder of numbers that were extended from n bits are those of
// the n bits, extended; but x / 0 = -1 and MIN / -1, which is 2^(n-1), are not.
// That is much easier for the solver.  NULL: other operands.
static Z3_ast of_extended(struct machine *m, const Z3_ast *a, bool divide)
{
    Z3_context c = m->s->smt.ctx;
    Z3_decl_kind kind = Z3_OP_ZERO_EXT;
    Z3_ast s[2];
    for (int i = 0; i < 2; i++) {
        if (Z3_get_ast_kind(c, a[i]) != Z3_APP_AST)
            return NULL;
        Z3_app app = Z3_to_app(c, a[i]);
        Z3_decl_kind own = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
        if (i == 0 && own == Z3_OP_SIGN_EXT && m->is_signed)
            kind = own;
        if (own != kind)
            return NULL;
        s[i] = Z3_get_app_arg(c, app, 0);
    }
    Z3_sort sort = Z3_get_sort(c, s[0]), wide = Z3_get_sort(c, a[0]);
    if (!Z3_is_eq_sort(c, sort, Z3_get_sort(c, s[1])))
        return NULL;
    unsigned n = Z3_get_bv_sort_size(c, sort);
    unsigned more = Z3_get_bv_sort_size(c, wide) - n;
    Z3_ast zero = Z3_mk_int64(c, 0, wide), ones = Z3_mk_bvnot(c, zero);
    Z3_ast by_zero = Z3_mk_eq(c, a[1], zero);
    Z3_ast top = Z3_mk_unsigned_int64(c, UINT64_C(1) << (n - 1), sort);
    if (kind == Z3_OP_ZERO_EXT) { // without sign in either type
        Z3_ast q =
            divide ? Z3_mk_bvudiv(c, s[0], s[1]) : Z3_mk_bvurem(c, s[0], s[1]);
        return Z3_mk_ite(c, by_zero, divide ? ones : a[0],
                         Z3_mk_zero_ext(c, more, q));
    }
    Z3_ast q =
        divide ? Z3_mk_bvsdiv(c, s[0], s[1]) : Z3_mk_bvsrem(c, s[0], s[1]);
    q = Z3_mk_sign_ext(c, more, q);
    Z3_ast wraps[] = {Z3_mk_eq(c, s[0], top), Z3_mk_eq(c, a[1], ones)};
    if (divide)
        q = Z3_mk_ite(c, Z3_mk_and(c, 2, wraps), Z3_mk_zero_ext(c, more, top),
                      q);
    return Z3_mk_ite(c, by_zero, divide ? ones : a[0], q);
}

// x / 0 = -1; MIN / -1 = MIN (what bvsdiv gives).
static Z3_ast word_divide(struct machine *m, const Z3_ast *a, Z3_ast zero)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast q = of_extended(m, a, true);
    if (q != NULL)
        return q;
    q = m->is_signed ? Z3_mk_bvsdiv(c, a[0], a[1])
                     : Z3_mk_bvudiv(c, a[0], a[1]);
    return Z3_mk_ite(c, Z3_mk_eq(c, a[1], zero), Z3_mk_bvnot(c, zero), q);
}

// x rem 0 = x; the sign is that of the dividend.
static Z3_ast word_remainder(struct machine *m, const Z3_ast *a, Z3_ast zero)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast r = of_extended(m, a, false);
    if (r != NULL)
        return r;
    r = m->is_signed ? Z3_mk_bvsrem(c, a[0], a[1])
                     : Z3_mk_bvurem(c, a[0], a[1]);
    return Z3_mk_ite(c, Z3_mk_eq(c, a[1], zero), a[0], r);
}

// Shifts by the width or more give 0 (arithmetic: the sign), which bit-vector
// shifts do; the amount is read without sign.
static Z3_ast word_shift(struct machine *m, const struct expr *n,
                         const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    return n->op == OP_SHIFT_LEFT            ? Z3_mk_bvshl(c, a[0], a[1])
           : n->op == OP_SHIFT_RIGHT_LOGICAL ? Z3_mk_bvlshr(c, a[0], a[1])
                                             : Z3_mk_bvashr(c, a[0], a[1]);
}

// The number of ones (wrapping: in i2 the value 2 is -2).
static Z3_ast word_popcnt(struct machine *m, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = Z3_get_sort(c, a);
    Z3_ast sum = Z3_mk_int64(c, 0, sort);
    for (unsigned i = 0; i < m->width; i++) {
        Z3_ast bit = Z3_mk_extract(c, i, i, a);
        sum = Z3_mk_bvadd(c, sum, Z3_mk_zero_ext(c, m->width - 1, bit));
    }
    return sum;
}

// The number of zeros above the highest one: the width if there is none.
static Z3_ast word_leading_zeros(struct machine *m, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = Z3_get_sort(c, a);
    Z3_ast one = Z3_mk_int64(c, 1, Z3_mk_bv_sort(c, 1));
    Z3_ast n = Z3_mk_unsigned_int64(c, m->width, sort);
    for (unsigned i = 0; i < m->width; i++)
        n = Z3_mk_ite(c, Z3_mk_eq(c, Z3_mk_extract(c, i, i, a), one),
                      Z3_mk_unsigned_int64(c, m->width - 1 - i, sort), n);
    return n;
}

Z3_ast machine_word_op(struct machine *m, const struct expr *n, const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_sort sort = Z3_get_sort(c, a[0]);
    Z3_ast zero = Z3_mk_int64(c, 0, sort), one = Z3_mk_int64(c, 1, sort);
    switch ((enum op)n->op) {
    case OP_ADD:
        return Z3_mk_bvadd(c, a[0], a[1]);
    case OP_SUBTRACT:
        return Z3_mk_bvsub(c, a[0], a[1]);
    case OP_MULTIPLY:
        return Z3_mk_bvmul(c, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_bvneg(c, a[0]);
    case OP_NOT:
        return Z3_mk_bvnot(c, a[0]);
    case OP_AND:
        return Z3_mk_bvand(c, a[0], a[1]);
    case OP_OR:
        return Z3_mk_bvor(c, a[0], a[1]);
    case OP_XOR:
        return Z3_mk_bvxor(c, a[0], a[1]);
    case OP_DIVIDE:
        return word_divide(m, a, zero);
    case OP_REMAINDER:
        return word_remainder(m, a, zero);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SHIFT_RIGHT_ARITHMETIC:
        return word_shift(m, n, a);
    case OP_ABS:
        return Z3_mk_ite(c, word_less(m, a[0], zero), Z3_mk_bvneg(c, a[0]),
                         a[0]);
    case OP_POPCNT:
        return word_popcnt(m, a[0]);
    case OP_COUNT_LEADING_ZEROS:
        return word_leading_zeros(m, a[0]);
    case OP_SIGN:
        return Z3_mk_ite(c, word_less(m, a[0], zero), Z3_mk_bvnot(c, zero),
                         Z3_mk_ite(c, Z3_mk_eq(c, a[0], zero), zero, one));
    case OP_MAXIMUM:
        return Z3_mk_ite(c, word_less(m, a[0], a[1]), a[1], a[0]);
    case OP_MINIMUM:
        return Z3_mk_ite(c, word_less(m, a[0], a[1]), a[0], a[1]);
    case OP_COMPARE:
        return n->sym == CMP_EQ   ? Z3_mk_eq(c, a[0], a[1])
               : n->sym == CMP_LT ? word_less(m, a[0], a[1])
                                  : Z3_mk_not(c, word_less(m, a[1], a[0]));
    default:
        return NULL;
    }
}

// NaN if one is NaN; -0 < +0.
static Z3_ast float_extremum(struct machine *m, const Z3_ast *a, bool max)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast nan = Z3_mk_fpa_nan(c, Z3_get_sort(c, a[0]));
    Z3_ast any[] = {Z3_mk_fpa_is_nan(c, a[0]), Z3_mk_fpa_is_nan(c, a[1])};
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(c, a[0]), Z3_mk_fpa_is_zero(c, a[1])};
    Z3_ast negative = Z3_mk_fpa_is_negative(c, a[0]);
    Z3_ast of_zeros = max ? Z3_mk_ite(c, negative, a[1], a[0])
                          : Z3_mk_ite(c, negative, a[0], a[1]);
    Z3_ast less = Z3_mk_fpa_lt(c, a[0], a[1]);
    Z3_ast rest =
        max ? Z3_mk_ite(c, less, a[1], a[0]) : Z3_mk_ite(c, less, a[0], a[1]);
    return Z3_mk_ite(c, Z3_mk_or(c, 2, any), nan,
                     Z3_mk_ite(c, Z3_mk_and(c, 2, zeros), of_zeros, rest));
}

// NaN and zeros stay; else 1 with the operand's sign.
static Z3_ast float_sign(Z3_context c, Z3_ast a)
{
    Z3_sort sort = Z3_get_sort(c, a);
    Z3_ast stays[] = {Z3_mk_fpa_is_nan(c, a), Z3_mk_fpa_is_zero(c, a)};
    Z3_ast one = Z3_mk_fpa_numeral_int(c, 1, sort);
    return Z3_mk_ite(
        c, Z3_mk_or(c, 2, stays), a,
        Z3_mk_ite(c, Z3_mk_fpa_is_negative(c, a), Z3_mk_fpa_neg(c, one), one));
}

// To an integer.  The solver cannot do it in formats of few digits; there f32
// does it: it has all their numbers, and they have the integer that comes out,
// since a number of a fraction has less than all digits before the point.
static Z3_ast float_integral(struct machine *m, Z3_ast mode, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast rne = Z3_mk_fpa_rne(c);
    if (m->sbits >= 11)
        return Z3_mk_fpa_round_to_integral(c, mode, a);
    Z3_ast wide = Z3_mk_fpa_to_fp_float(c, rne, a, Z3_mk_fpa_sort(c, 8, 24));
    wide = Z3_mk_fpa_round_to_integral(c, mode, wide);
    return Z3_mk_fpa_to_fp_float(c, rne, wide, Z3_get_sort(c, a));
}

// Is operand i of a node the result of the operator?
static bool operand_is(const struct machine *m, const struct expr *n,
                       uint32_t i, enum op op)
{
    const struct exprs *x = &m->s->x;
    const struct expr *e = expr_at(x, x->args.at[n->at + i]);
    return e->kind == X_OP && e->op == op;
}

// b times a sign (NaN, a zero, 1 or -1): no multiplication, on which the solver
// would spend its time.
static Z3_ast float_by_sign(Z3_context c, Z3_ast sign, Z3_ast b)
{
    Z3_sort sort = Z3_get_sort(c, b);
    Z3_ast any[] = {Z3_mk_fpa_is_nan(c, sign), Z3_mk_fpa_is_nan(c, b)};
    Z3_ast nan = Z3_mk_fpa_nan(c, sort), none = Z3_mk_or(c, 2, any);
    Z3_ast down = Z3_mk_fpa_is_negative(c, sign);
    Z3_ast negative = Z3_mk_xor(c, down, Z3_mk_fpa_is_negative(c, b));
    Z3_ast zero = Z3_mk_ite(c, negative, Z3_mk_fpa_zero(c, sort, true),
                            Z3_mk_fpa_zero(c, sort, false));
    zero = Z3_mk_ite(c, Z3_mk_fpa_is_infinite(c, b), nan, zero);
    Z3_ast unit = Z3_mk_ite(c, down, Z3_mk_fpa_neg(c, b), b);
    return Z3_mk_ite(c, none, nan,
                     Z3_mk_ite(c, Z3_mk_fpa_is_zero(c, sign), zero, unit));
}

static Z3_ast float_multiply(struct machine *m, const struct expr *n,
                             const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    for (uint32_t i = 0; i < 2; i++)
        if (operand_is(m, n, i, OP_SIGN))
            return float_by_sign(c, a[i], a[1 - i]);
    return Z3_mk_fpa_mul(c, Z3_mk_fpa_rne(c), a[0], a[1]);
}

static Z3_ast float_compare(Z3_context c, uint32_t dir, Z3_ast a, Z3_ast b)
{
    return dir == CMP_EQ   ? Z3_mk_fpa_eq(c, a, b)
           : dir == CMP_LT ? Z3_mk_fpa_lt(c, a, b)
                           : Z3_mk_fpa_leq(c, a, b);
}

// A sum compares with zero as its terms compare, because it is rounded to zero
// only if it is zero, subnormal numbers being numbers.  Infinities of opposite
// signs have no sum, and compare with zero in no way.  No addition is left.
static Z3_ast compared(struct machine *m, const struct expr *n, const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    const struct exprs *x = &m->s->x;
    for (uint32_t i = 0; i < 2; i++) {
        const struct expr *zero = expr_at(x, x->args.at[n->at + 1 - i]);
        expr_id sum = x->args.at[n->at + i];
        bool add = operand_is(m, n, i, OP_ADD);
        if (zero->kind != X_LITERAL || zero->k != 0 ||
            (zero->op != LIT_INT && zero->op != LIT_DECIMAL) ||
            (!add && !operand_is(m, n, i, OP_SUBTRACT)))
            continue;
        Z3_ast p = machine_term(m, expr_arg(x, sum, 0));
        Z3_ast q = machine_term(m, expr_arg(x, sum, 1));
        q = add ? Z3_mk_fpa_neg(c, q) : q;
        Z3_ast infinite[] = {Z3_mk_fpa_is_infinite(c, p),
                             Z3_mk_fpa_eq(c, p, q)};
        Z3_ast is[] = {float_compare(c, n->sym, i == 0 ? p : q, i == 0 ? q : p),
                       Z3_mk_not(c, Z3_mk_and(c, 2, infinite))};
        return Z3_mk_and(c, 2, is);
    }
    return float_compare(c, n->sym, a[0], a[1]);
}

// One rounding to nearest even per operation.  sqrt, remainder, conversions
// and transcendental operators are left open.
Z3_ast machine_float_op(struct machine *m, const struct expr *n,
                        const Z3_ast *a)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast rne = Z3_mk_fpa_rne(c);
    switch ((enum op)n->op) {
    case OP_ADD:
        return Z3_mk_fpa_add(c, rne, a[0], a[1]);
    case OP_SUBTRACT:
        return Z3_mk_fpa_sub(c, rne, a[0], a[1]);
    case OP_MULTIPLY:
        return float_multiply(m, n, a);
    case OP_DIVIDE:
        return Z3_mk_fpa_div(c, rne, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_fpa_neg(c, a[0]);
    case OP_ABS:
        return Z3_mk_fpa_abs(c, a[0]);
    case OP_SIGN:
        return float_sign(c, a[0]);
    case OP_FLOOR:
        return float_integral(m, Z3_mk_fpa_rtn(c), a[0]);
    case OP_CEIL:
        return float_integral(m, Z3_mk_fpa_rtp(c), a[0]);
    case OP_ROUND_NEAREST_EVEN:
        return float_integral(m, rne, a[0]);
    case OP_ROUND_NEAREST_AFZ:
        return float_integral(m, Z3_mk_fpa_rna(c), a[0]);
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return float_extremum(m, a, n->op == OP_MAXIMUM);
    case OP_IS_FINITE:
        return Z3_mk_not(c,
                         Z3_mk_or(c, 2,
                                  (Z3_ast[]){Z3_mk_fpa_is_nan(c, a[0]),
                                             Z3_mk_fpa_is_infinite(c, a[0])}));
    case OP_COMPARE:
        return compared(m, n, a);
    default:
        return NULL;
    }
}
