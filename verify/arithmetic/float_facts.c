// SPDX-License-Identifier: Apache-2.0
// Facts about correctly rounded functions of floats, which the solver takes for arbitrary
// functions.  Rounding to nearest keeps order and is symmetric, so the rounded function has
// the bounds, signs, monotony and parity of the real one.  A table adds the facts about NaN,
// infinities and zeros.
#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

static const struct float_fact facts[] = {
    {OP_EXPONENTIAL, .sign = FACT_SIGN_PLUS, .rises = true},
    {OP_EXPONENTIAL_MINUS_ONE, .sign = FACT_SIGN_OPERAND, .rises = true, .has_least = true,
     .least = -1},
    {OP_LOGISTIC, .sign = FACT_SIGN_PLUS, .rises = true, .has_most = true, .most = 1},
    {OP_TANH, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD, .has_least = true,
     .least = -1, .has_most = true, .most = 1},
    {OP_ERF, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD, .has_least = true,
     .least = -1, .has_most = true, .most = 1},
    {OP_CBRT, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD},
    {OP_SQRT, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_OPERAND, .rises = true},
    {OP_RSQRT, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_OPERAND},
    {OP_LOG, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_BELOW_1, .rises = true},
    {OP_LOG_PLUS_ONE, .nan = FACT_NAN_BELOW, .below = -1, .sign = FACT_SIGN_OPERAND, .rises = true},
    {OP_SINE, .nan = FACT_NAN_INFINITE, .parity = FACT_ODD, .has_least = true, .least = -1,
     .has_most = true, .most = 1},
    {OP_COSINE, .nan = FACT_NAN_INFINITE, .parity = FACT_EVEN, .has_least = true, .least = -1,
     .has_most = true, .most = 1},
    {OP_TAN, .nan = FACT_NAN_INFINITE, .parity = FACT_ODD},
};

const struct float_fact *float_fact_of(enum op op)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].op == op)
            return &facts[i];
    return NULL;
}

struct application {
    const struct float_fact *fact;
    Z3_ast x, r; // the operand, the result
};

static Z3_ast number(Z3_context context, int k, Z3_ast like)
{
    return Z3_mk_fpa_numeral_int(context, k, Z3_get_sort(context, like));
}

static Z3_ast both(Z3_context context, Z3_ast a, Z3_ast b)
{
    return Z3_mk_and(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast either(Z3_context context, Z3_ast a, Z3_ast b)
{
    return Z3_mk_or(context, 2, (Z3_ast[]){a, b});
}

// Where the result is NaN.
static Z3_ast nan_where(Z3_context context, const struct application *applied)
{
    Z3_ast nan = Z3_mk_fpa_is_nan(context, applied->x);
    switch (applied->fact->nan) {
    case FACT_NAN_BELOW:
        return either(
            context, nan,
            Z3_mk_fpa_lt(context, applied->x, number(context, applied->fact->below, applied->x)));
    case FACT_NAN_INFINITE:
        return either(context, nan, Z3_mk_fpa_is_infinite(context, applied->x));
    default:
        return nan;
    }
}

// Facts about a result that is a number.
static Z3_ast number_fact(Z3_context context, const struct application *applied)
{
    Z3_ast all = Z3_mk_true(context), one = number(context, 1, applied->x);
    Z3_ast negative = Z3_mk_fpa_is_negative(context, applied->r);
    if (applied->fact->has_least)
        all = both(
            context, all,
            Z3_mk_fpa_leq(context, number(context, applied->fact->least, applied->r), applied->r));
    if (applied->fact->has_most)
        all = both(
            context, all,
            Z3_mk_fpa_leq(context, applied->r, number(context, applied->fact->most, applied->r)));
    switch (applied->fact->sign) {
    case FACT_SIGN_PLUS:
        return both(context, all, Z3_mk_not(context, negative));
    case FACT_SIGN_OPERAND:
        return both(context, all,
                    Z3_mk_eq(context, negative, Z3_mk_fpa_is_negative(context, applied->x)));
    case FACT_SIGN_BELOW_1:
        all =
            both(context, all, Z3_mk_eq(context, negative, Z3_mk_fpa_lt(context, applied->x, one)));
        return both(context, all,
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
    smt_assert(&machine->session->smt, either(context, is_nan, number_fact(context, applied)));
}

// Facts about two applications of one function.
static void assert_two(struct machine *machine, const struct application *f,
                       const struct application *g)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast nan = either(context, Z3_mk_fpa_is_nan(context, f->r), Z3_mk_fpa_is_nan(context, g->r));
    if (f->fact->rises) {
        Z3_ast up = Z3_mk_implies(context, Z3_mk_fpa_leq(context, f->x, g->x),
                                  Z3_mk_fpa_leq(context, f->r, g->r));
        Z3_ast down = Z3_mk_implies(context, Z3_mk_fpa_leq(context, g->x, f->x),
                                    Z3_mk_fpa_leq(context, g->r, f->r));
        smt_assert(&machine->session->smt, either(context, nan, both(context, up, down)));
    }
    if (f->fact->parity != FACT_NEITHER) {
        Z3_ast mirrored = Z3_mk_eq(context, f->x, Z3_mk_fpa_neg(context, g->x));
        Z3_ast r = f->fact->parity == FACT_ODD ? Z3_mk_fpa_neg(context, g->r) : g->r;
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
        const struct float_fact *fact =
            node->kind == X_OP ? float_fact_of((enum op)node->op) : NULL;
        bool known = fact == NULL;
        struct application applied = {fact, NULL, NULL};
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
            if (at[k].fact == fact && Z3_is_eq_sort(context, Z3_get_sort(context, at[k].r),
                                                    Z3_get_sort(context, applied.r)))
                assert_two(machine, &at[k], &applied);
        at[n++] = applied;
    }
    if (n > 0)
        machine->session->rounds_right |= 1U << machine->domain;
}
