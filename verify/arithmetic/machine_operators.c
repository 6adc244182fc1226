// SPDX-License-Identifier: Apache-2.0
// StableHLO's element operators as solver terms.
#include "verify/arithmetic/machine.h"

static Z3_ast real_sign(Z3_context context, Z3_ast a, Z3_ast zero)
{
    Z3_sort real = Z3_mk_real_sort(context);
    Z3_ast one = Z3_mk_int64(context, 1, real), minus = Z3_mk_int64(context, -1, real);
    return Z3_mk_ite(context, Z3_mk_lt(context, a, zero), minus,
                     Z3_mk_ite(context, Z3_mk_eq(context, a, zero), zero, one));
}

// The greatest integer not above a.
static Z3_ast real_floor(Z3_context context, Z3_ast a)
{
    return Z3_mk_int2real(context, Z3_mk_real2int(context, a));
}

static Z3_ast real_round(struct machine *machine, enum op op, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort real = Z3_mk_real_sort(context);
    Z3_ast half = Z3_mk_real(context, 1, 2), zero = Z3_mk_int64(context, 0, real);
    Z3_ast minus = Z3_mk_unary_minus(context, a);
    Z3_ast up = real_floor(context, Z3_mk_add(context, 2, (Z3_ast[]){a, half}));
    Z3_ast down = Z3_mk_unary_minus(
        context, real_floor(context, Z3_mk_add(context, 2, (Z3_ast[]){minus, half})));
    Z3_ast is_even = Z3_mk_eq(context,
                              Z3_mk_mod(context, Z3_mk_real2int(context, up),
                                        Z3_mk_int64(context, 2, Z3_mk_int_sort(context))),
                              Z3_mk_int64(context, 0, Z3_mk_int_sort(context)));
    switch (op) { // ties only: up and down differ
    case OP_FLOOR:
        return real_floor(context, a);
    case OP_CEIL:
        return Z3_mk_unary_minus(context, real_floor(context, minus));
    case OP_ROUND_NEAREST_AFZ:
        return Z3_mk_ite(context, Z3_mk_lt(context, a, zero), down, up);
    case OP_ABS:
    case OP_IMAG:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
        LEAF_CASES
        BINARY_CASES
        POINT_CASES
        BITS_UNARY_CASES
        TRANSCENDENTAL_UNARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return Z3_mk_ite(context, is_even, up, down);
}

static Z3_ast real_compare(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast b[2] = {a[0], a[1]};
    machine_integers(machine, b);
    return node->sym == CMP_EQ   ? Z3_mk_eq(context, b[0], b[1])
           : node->sym == CMP_LT ? Z3_mk_lt(context, b[0], b[1])
                                 : Z3_mk_le(context, b[0], b[1]);
}

// x / 0 is the solver's unspecified function of x.
Z3_ast machine_real_op(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast zero = Z3_mk_int64(context, 0, Z3_mk_real_sort(context));
    switch ((enum op)node->op) {
    case OP_ADD:
        return Z3_mk_add(context, 2, a);
    case OP_SUBTRACT:
        return Z3_mk_sub(context, 2, a);
    case OP_MULTIPLY:
        return Z3_mk_mul(context, 2, a);
    case OP_DIVIDE:
        return Z3_mk_div(context, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_unary_minus(context, a[0]);
    case OP_ABS:
        return Z3_mk_ite(context, Z3_mk_lt(context, a[0], zero), Z3_mk_unary_minus(context, a[0]),
                         a[0]);
    case OP_SIGN:
        return real_sign(context, a[0], zero);
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
        return real_round(machine, (enum op)node->op, a[0]);
    case OP_MAXIMUM:
        return Z3_mk_ite(context, Z3_mk_le(context, a[0], a[1]), a[1], a[0]);
    case OP_MINIMUM:
        return Z3_mk_ite(context, Z3_mk_le(context, a[0], a[1]), a[0], a[1]);
    case OP_COMPARE:
        return real_compare(machine, node, a);
    case OP_IMAG:
    case OP_REAL:
    case OP_REMAINDER:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return NULL;
}

static Z3_ast word_less(struct machine *machine, Z3_ast a, Z3_ast b)
{
    Z3_context context = machine->session->smt.ctx;
    return machine->is_signed ? Z3_mk_bvslt(context, a, b) : Z3_mk_bvult(context, a, b);
}

// Shifts by the width or more give 0 (arithmetic shifts: copies of the sign), as bit-vector
// shifts do.  The amount is read without sign.
static Z3_ast word_shift(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    return node->op == OP_SHIFT_LEFT            ? Z3_mk_bvshl(context, a[0], a[1])
           : node->op == OP_SHIFT_RIGHT_LOGICAL ? Z3_mk_bvlshr(context, a[0], a[1])
                                                : Z3_mk_bvashr(context, a[0], a[1]);
}

// The number of ones (wrapping: in i2 the value 2 is -2).
static Z3_ast word_popcnt(struct machine *machine, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = Z3_get_sort(context, a);
    Z3_ast sum = Z3_mk_int64(context, 0, sort);
    for (unsigned i = 0; i < machine->width; i++) {
        Z3_ast bit = Z3_mk_extract(context, i, i, a);
        sum = Z3_mk_bvadd(context, sum, Z3_mk_zero_ext(context, machine->width - 1, bit));
    }
    return sum;
}

// The number of zeros above the highest one: the width if there is none.
static Z3_ast word_leading_zeros(struct machine *machine, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = Z3_get_sort(context, a);
    Z3_ast one = Z3_mk_int64(context, 1, Z3_mk_bv_sort(context, 1));
    Z3_ast n = Z3_mk_unsigned_int64(context, machine->width, sort);
    for (unsigned i = 0; i < machine->width; i++)
        n = Z3_mk_ite(context, Z3_mk_eq(context, Z3_mk_extract(context, i, i, a), one),
                      Z3_mk_unsigned_int64(context, machine->width - 1 - i, sort), n);
    return n;
}

Z3_ast machine_word_op(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_sort sort = Z3_get_sort(context, a[0]);
    Z3_ast zero = Z3_mk_int64(context, 0, sort), one = Z3_mk_int64(context, 1, sort);
    switch ((enum op)node->op) {
    case OP_ADD:
        return Z3_mk_bvadd(context, a[0], a[1]);
    case OP_SUBTRACT:
        return Z3_mk_bvsub(context, a[0], a[1]);
    case OP_MULTIPLY:
        return Z3_mk_bvmul(context, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_bvneg(context, a[0]);
    case OP_NOT:
        return Z3_mk_bvnot(context, a[0]);
    case OP_AND:
        return Z3_mk_bvand(context, a[0], a[1]);
    case OP_OR:
        return Z3_mk_bvor(context, a[0], a[1]);
    case OP_XOR:
        return Z3_mk_bvxor(context, a[0], a[1]);
    case OP_DIVIDE:
        return machine_word_divide(machine, a, zero);
    case OP_REMAINDER:
        return machine_word_remainder(machine, a, zero);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SHIFT_RIGHT_ARITHMETIC:
        return word_shift(machine, node, a);
    case OP_ABS:
        return Z3_mk_ite(context, word_less(machine, a[0], zero), Z3_mk_bvneg(context, a[0]), a[0]);
    case OP_POPCNT:
        return word_popcnt(machine, a[0]);
    case OP_COUNT_LEADING_ZEROS:
        return word_leading_zeros(machine, a[0]);
    case OP_SIGN:
        return Z3_mk_ite(context, word_less(machine, a[0], zero), Z3_mk_bvnot(context, zero),
                         Z3_mk_ite(context, Z3_mk_eq(context, a[0], zero), zero, one));
    case OP_MAXIMUM:
        return Z3_mk_ite(context, word_less(machine, a[0], a[1]), a[1], a[0]);
    case OP_MINIMUM:
        return Z3_mk_ite(context, word_less(machine, a[0], a[1]), a[0], a[1]);
    case OP_COMPARE:
        return node->sym == CMP_EQ   ? Z3_mk_eq(context, a[0], a[1])
               : node->sym == CMP_LT ? word_less(machine, a[0], a[1])
                                     : Z3_mk_not(context, word_less(machine, a[1], a[0]));
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        FLOAT_UNARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return NULL;
}

// NaN if one is NaN; -0 < +0.
static Z3_ast float_extremum(struct machine *machine, const Z3_ast *a, bool max)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast nan = Z3_mk_fpa_nan(context, Z3_get_sort(context, a[0]));
    Z3_ast any[] = {Z3_mk_fpa_is_nan(context, a[0]), Z3_mk_fpa_is_nan(context, a[1])};
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(context, a[0]), Z3_mk_fpa_is_zero(context, a[1])};
    Z3_ast negative = Z3_mk_fpa_is_negative(context, a[0]);
    Z3_ast of_zeros =
        max ? Z3_mk_ite(context, negative, a[1], a[0]) : Z3_mk_ite(context, negative, a[0], a[1]);
    Z3_ast less = Z3_mk_fpa_lt(context, a[0], a[1]);
    Z3_ast rest = max ? Z3_mk_ite(context, less, a[1], a[0]) : Z3_mk_ite(context, less, a[0], a[1]);
    return Z3_mk_ite(context, Z3_mk_or(context, 2, any), nan,
                     Z3_mk_ite(context, Z3_mk_and(context, 2, zeros), of_zeros, rest));
}

// NaN and zeros stay; other operands give 1 with their sign.
static Z3_ast float_sign(Z3_context context, Z3_ast a)
{
    Z3_sort sort = Z3_get_sort(context, a);
    Z3_ast stays[] = {Z3_mk_fpa_is_nan(context, a), Z3_mk_fpa_is_zero(context, a)};
    Z3_ast one = Z3_mk_fpa_numeral_int(context, 1, sort);
    return Z3_mk_ite(
        context, Z3_mk_or(context, 2, stays), a,
        Z3_mk_ite(context, Z3_mk_fpa_is_negative(context, a), Z3_mk_fpa_neg(context, one), one));
}

// Rounds to an integer.  The solver cannot do so in formats of few digits; f32 replaces
// them. f32 has all numbers of such a format, and the format has the resulting integer: a
// number with a fraction has fewer digits before the point than the format has.
static Z3_ast float_integral(struct machine *machine, Z3_ast mode, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast rne = Z3_mk_fpa_rne(context);
    if (machine->sbits >= 11)
        return Z3_mk_fpa_round_to_integral(context, mode, a);
    Z3_ast wide = Z3_mk_fpa_to_fp_float(context, rne, a, Z3_mk_fpa_sort(context, 8, 24));
    wide = Z3_mk_fpa_round_to_integral(context, mode, wide);
    return Z3_mk_fpa_to_fp_float(context, rne, wide, Z3_get_sort(context, a));
}

// Is operand i of a node the result of the operator?
static bool operand_is(const struct machine *machine, const struct expr *node, uint32_t i,
                       enum op op)
{
    const struct exprs *exprs = &machine->session->exprs;
    const struct expr *e = expr_at(exprs, exprs->args.at[node->at + i]);
    return e->kind == X_OP && e->op == op;
}

// b times a sign (NaN, a zero, 1 or -1), without a multiplication, which is slow in the
// solver.
static Z3_ast float_by_sign(Z3_context context, Z3_ast sign, Z3_ast b)
{
    Z3_sort sort = Z3_get_sort(context, b);
    Z3_ast any[] = {Z3_mk_fpa_is_nan(context, sign), Z3_mk_fpa_is_nan(context, b)};
    Z3_ast nan = Z3_mk_fpa_nan(context, sort), none = Z3_mk_or(context, 2, any);
    Z3_ast down = Z3_mk_fpa_is_negative(context, sign);
    Z3_ast negative = Z3_mk_xor(context, down, Z3_mk_fpa_is_negative(context, b));
    Z3_ast zero = Z3_mk_ite(context, negative, Z3_mk_fpa_zero(context, sort, true),
                            Z3_mk_fpa_zero(context, sort, false));
    zero = Z3_mk_ite(context, Z3_mk_fpa_is_infinite(context, b), nan, zero);
    Z3_ast unit = Z3_mk_ite(context, down, Z3_mk_fpa_neg(context, b), b);
    return Z3_mk_ite(context, none, nan,
                     Z3_mk_ite(context, Z3_mk_fpa_is_zero(context, sign), zero, unit));
}

static Z3_ast float_multiply(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    for (uint32_t i = 0; i < 2; i++)
        if (operand_is(machine, node, i, OP_SIGN))
            return float_by_sign(context, a[i], a[1 - i]);
    return Z3_mk_fpa_mul(context, Z3_mk_fpa_rne(context), a[0], a[1]);
}

static Z3_ast float_compare(Z3_context context, uint32_t dir, Z3_ast a, Z3_ast b)
{
    return dir == CMP_EQ   ? Z3_mk_fpa_eq(context, a, b)
           : dir == CMP_LT ? Z3_mk_fpa_lt(context, a, b)
                           : Z3_mk_fpa_leq(context, a, b);
}

// A sum compares with zero as its terms compare with each other: the rounded sum is zero
// only if the sum is zero, since subnormal numbers exist.  Infinities of opposite signs have
// no sum, and every comparison with zero is false.  The result contains no addition.
static Z3_ast compared(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    const struct exprs *exprs = &machine->session->exprs;
    for (uint32_t i = 0; i < 2; i++) {
        const struct expr *zero = expr_at(exprs, exprs->args.at[node->at + 1 - i]);
        expr_id sum = exprs->args.at[node->at + i];
        bool add = operand_is(machine, node, i, OP_ADD);
        if (zero->kind != X_LITERAL || zero->k != 0 ||
            (zero->op != LIT_INT && zero->op != LIT_DECIMAL) ||
            (!add && !operand_is(machine, node, i, OP_SUBTRACT)))
            continue;
        Z3_ast p = machine_term(machine, expr_arg(exprs, sum, 0));
        Z3_ast q = machine_term(machine, expr_arg(exprs, sum, 1));
        q = add ? Z3_mk_fpa_neg(context, q) : q;
        Z3_ast infinite[] = {Z3_mk_fpa_is_infinite(context, p), Z3_mk_fpa_eq(context, p, q)};
        Z3_ast is[] = {float_compare(context, node->sym, i == 0 ? p : q, i == 0 ? q : p),
                       Z3_mk_not(context, Z3_mk_and(context, 2, infinite))};
        return Z3_mk_and(context, 2, is);
    }
    return float_compare(context, node->sym, a[0], a[1]);
}

// Each operation rounds once, to nearest even. sqrt, remainder, conversions and
// transcendental operators stay uninterpreted.
Z3_ast machine_float_op(struct machine *machine, const struct expr *node, const Z3_ast *a)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast rne = Z3_mk_fpa_rne(context);
    switch ((enum op)node->op) {
    case OP_ADD:
        return Z3_mk_fpa_add(context, rne, a[0], a[1]);
    case OP_SUBTRACT:
        return Z3_mk_fpa_sub(context, rne, a[0], a[1]);
    case OP_MULTIPLY:
        return float_multiply(machine, node, a);
    case OP_DIVIDE:
        return Z3_mk_fpa_div(context, rne, a[0], a[1]);
    case OP_NEGATE:
        return Z3_mk_fpa_neg(context, a[0]);
    case OP_ABS:
        return Z3_mk_fpa_abs(context, a[0]);
    case OP_SIGN:
        return float_sign(context, a[0]);
    case OP_FLOOR:
        return float_integral(machine, Z3_mk_fpa_rtn(context), a[0]);
    case OP_CEIL:
        return float_integral(machine, Z3_mk_fpa_rtp(context), a[0]);
    case OP_ROUND_NEAREST_EVEN:
        return float_integral(machine, rne, a[0]);
    case OP_ROUND_NEAREST_AFZ:
        return float_integral(machine, Z3_mk_fpa_rna(context), a[0]);
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return float_extremum(machine, a, node->op == OP_MAXIMUM);
    case OP_IS_FINITE:
        return Z3_mk_not(context, Z3_mk_or(context, 2,
                                           (Z3_ast[]){Z3_mk_fpa_is_nan(context, a[0]),
                                                      Z3_mk_fpa_is_infinite(context, a[0])}));
    case OP_COMPARE:
        return compared(machine, node, a);
    case OP_IMAG:
    case OP_REAL:
    case OP_REMAINDER:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return NULL;
}
