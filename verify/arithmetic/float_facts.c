// SPDX-License-Identifier: Apache-2.0
// Facts about correctly rounded functions of floats, which the solver takes for arbitrary
// functions.  Rounding to nearest keeps order and is symmetric, so the rounded function has
// the bounds, signs, monotony and parity of the real one.  A table adds the facts about NaN,
// infinities and zeros.
#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

bool float_fact_of(enum op op, struct float_fact *out)
{
    const struct op_facts *facts = op_facts(op);
    if (op_class(op) != OPC_UNARY || !op_is_transcendental(op))
        return false;
    *out = (struct float_fact){
        .op = op,
        .sign = facts->result,
        .parity = facts->parity,
        .rises = facts->order == ORDER_RISES,
        .has_least = facts->range == RANGE_FROM_MINUS_1 || facts->range == RANGE_MINUS_1_TO_1,
        .least = -1,
        .has_most = facts->range == RANGE_UP_TO_1 || facts->range == RANGE_MINUS_1_TO_1,
        .most = 1};
    if (op_has(op, LAW_PERIODIC))
        out->nan = FACT_NAN_INFINITE;
    else if (facts->defined != DEFINED_ALWAYS)
        out->nan = FACT_NAN_BELOW; // at the bound itself the result is 0 or infinite
    out->below = facts->defined == DEFINED_ABOVE_MINUS_1 ? -1 : 0;
    return true;
}

struct application {
    struct float_fact fact;
    Z3_ast x, r; // the operand, the result
};

static Z3_ast number(Z3_context context, int k, Z3_ast like)
{
    return Z3_mk_fpa_numeral_int(context, k, Z3_get_sort(context, like));
}

// Where the result is NaN.
static Z3_ast nan_where(Z3_context context, const struct application *applied)
{
    Z3_ast nan = Z3_mk_fpa_is_nan(context, applied->x);
    switch (applied->fact.nan) {
    case FACT_NAN_BELOW:
        return smt_either(
            context, nan,
            Z3_mk_fpa_lt(context, applied->x, number(context, applied->fact.below, applied->x)));
    case FACT_NAN_INFINITE:
        return smt_either(context, nan, Z3_mk_fpa_is_infinite(context, applied->x));
    default:
        return nan;
    }
}

// Facts about a result that is a number.
static Z3_ast number_fact(Z3_context context, const struct application *applied)
{
    Z3_ast all = Z3_mk_true(context), one = number(context, 1, applied->x);
    Z3_ast negative = Z3_mk_fpa_is_negative(context, applied->r);
    if (applied->fact.has_least)
        all = smt_both(
            context, all,
            Z3_mk_fpa_leq(context, number(context, applied->fact.least, applied->r), applied->r));
    if (applied->fact.has_most)
        all = smt_both(
            context, all,
            Z3_mk_fpa_leq(context, applied->r, number(context, applied->fact.most, applied->r)));
    switch (applied->fact.sign) {
    case RESULT_POSITIVE:
        return smt_both(context, all, Z3_mk_not(context, negative));
    case RESULT_OPERAND:
        return smt_both(context, all,
                        Z3_mk_eq(context, negative, Z3_mk_fpa_is_negative(context, applied->x)));
    case RESULT_ABOVE_1:
        all = smt_both(context, all,
                       Z3_mk_eq(context, negative, Z3_mk_fpa_lt(context, applied->x, one)));
        return smt_both(context, all,
                        Z3_mk_eq(context, Z3_mk_fpa_is_zero(context, applied->r),
                                 Z3_mk_fpa_eq(context, applied->x, one)));
    default:
        return all;
    }
}

static void assert_one(struct machine *machine, const struct application *applied)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast is_nan = Z3_mk_fpa_is_nan(context, applied->r);
    smt_assert(&machine->session->smt, Z3_mk_eq(context, is_nan, nan_where(context, applied)));
    smt_assert(&machine->session->smt, smt_either(context, is_nan, number_fact(context, applied)));
}

// Facts about two applications of one function.
static void assert_two(struct machine *machine, const struct application *f,
                       const struct application *g)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast nan =
        smt_either(context, Z3_mk_fpa_is_nan(context, f->r), Z3_mk_fpa_is_nan(context, g->r));
    if (f->fact.rises) {
        Z3_ast up = Z3_mk_implies(context, Z3_mk_fpa_leq(context, f->x, g->x),
                                  Z3_mk_fpa_leq(context, f->r, g->r));
        Z3_ast down = Z3_mk_implies(context, Z3_mk_fpa_leq(context, g->x, f->x),
                                    Z3_mk_fpa_leq(context, g->r, f->r));
        smt_assert(&machine->session->smt, smt_either(context, nan, smt_both(context, up, down)));
    }
    if (f->fact.parity != PARITY_NEITHER) {
        Z3_ast mirrored = Z3_mk_eq(context, f->x, Z3_mk_fpa_neg(context, g->x));
        Z3_ast r = f->fact.parity == PARITY_ODD ? Z3_mk_fpa_neg(context, g->r) : g->r;
        smt_assert(&machine->session->smt,
                   Z3_mk_implies(context, mirrored, Z3_mk_eq(context, f->r, r)));
    }
}

void machine_float_facts(struct machine *machine, const struct u32_vec *all)
{
    struct exprs *exprs = &machine->session->exprs;
    Z3_context context = machine->session->smt.ctx;
    struct application at[VERIFY_FLOAT_FACT_TERMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->len && n < VERIFY_FLOAT_FACT_TERMS; i++) {
        const struct expr *node = expr_at(exprs, all->at[i]);
        struct application applied = {.x = NULL};
        bool known = node->kind != X_OP || !float_fact_of((enum op)node->op, &applied.fact);
        if (!known) {
            applied.x = machine_term(machine, expr_arg(exprs, all->at[i], 0));
            applied.r = machine_term(machine, all->at[i]);
            known = Z3_get_sort_kind(context, Z3_get_sort(context, applied.r)) !=
                    Z3_FLOATING_POINT_SORT;
        }
        for (uint32_t k = 0; k < n && !known; k++)
            known = at[k].r == applied.r;
        if (known)
            continue;
        assert_one(machine, &applied);
        for (uint32_t k = 0; k < n; k++)
            if (at[k].fact.op == applied.fact.op &&
                Z3_is_eq_sort(context, Z3_get_sort(context, at[k].r),
                              Z3_get_sort(context, applied.r)))
                assert_two(machine, &at[k], &applied);
        at[n++] = applied;
    }
    if (n > 0)
        machine->session->rounds_right |= 1U << machine->domain;
}
