// SPDX-License-Identifier: Apache-2.0
// What is known of correctly rounded functions of floats, which the solver
// takes for arbitrary ones.  Rounding to nearest keeps order and is symmetric,
// so bounds, signs, monotony and parity of the real function are those of the
// rounded one; a table says what else holds of NaN, infinities and zeros.
#include "verify/arithmetic/machine.h"

#define MAX_TERMS 12 // of one leaf, that facts are told of

static const struct float_fact facts[] = {
    {OP_EXPONENTIAL, .sign = FACT_SIGN_PLUS, .rises = true},
    {OP_EXPONENTIAL_MINUS_ONE, .sign = FACT_SIGN_OPERAND, .rises = true,
     .has_least = true, .least = -1},
    {OP_LOGISTIC, .sign = FACT_SIGN_PLUS, .rises = true, .has_most = true,
     .most = 1},
    {OP_TANH, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD,
     .has_least = true, .least = -1, .has_most = true, .most = 1},
    {OP_ERF, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD,
     .has_least = true, .least = -1, .has_most = true, .most = 1},
    {OP_CBRT, .sign = FACT_SIGN_OPERAND, .rises = true, .parity = FACT_ODD},
    {OP_SQRT, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_OPERAND, .rises = true},
    {OP_RSQRT, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_OPERAND},
    {OP_LOG, .nan = FACT_NAN_BELOW, .sign = FACT_SIGN_BELOW_1, .rises = true},
    {OP_LOG_PLUS_ONE, .nan = FACT_NAN_BELOW, .below = -1,
     .sign = FACT_SIGN_OPERAND, .rises = true},
    {OP_SINE, .nan = FACT_NAN_INFINITE, .parity = FACT_ODD, .has_least = true,
     .least = -1, .has_most = true, .most = 1},
    {OP_COSINE, .nan = FACT_NAN_INFINITE, .parity = FACT_EVEN,
     .has_least = true, .least = -1, .has_most = true, .most = 1},
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

static Z3_ast number(Z3_context c, int k, Z3_ast like)
{
    return Z3_mk_fpa_numeral_int(c, k, Z3_get_sort(c, like));
}

static Z3_ast both(Z3_context c, Z3_ast a, Z3_ast b)
{
    return Z3_mk_and(c, 2, (Z3_ast[]){a, b});
}

static Z3_ast either(Z3_context c, Z3_ast a, Z3_ast b)
{
    return Z3_mk_or(c, 2, (Z3_ast[]){a, b});
}

// Where the result is NaN.
static Z3_ast nan_where(Z3_context c, const struct application *f)
{
    Z3_ast nan = Z3_mk_fpa_is_nan(c, f->x);
    switch (f->fact->nan) {
    case FACT_NAN_BELOW:
        return either(c, nan,
                      Z3_mk_fpa_lt(c, f->x, number(c, f->fact->below, f->x)));
    case FACT_NAN_INFINITE:
        return either(c, nan, Z3_mk_fpa_is_infinite(c, f->x));
    default:
        return nan;
    }
}

// What holds of a result that is a number.
static Z3_ast number_fact(Z3_context c, const struct application *f)
{
    Z3_ast all = Z3_mk_true(c), one = number(c, 1, f->x);
    Z3_ast negative = Z3_mk_fpa_is_negative(c, f->r);
    if (f->fact->has_least)
        all = both(c, all,
                   Z3_mk_fpa_leq(c, number(c, f->fact->least, f->r), f->r));
    if (f->fact->has_most)
        all = both(c, all,
                   Z3_mk_fpa_leq(c, f->r, number(c, f->fact->most, f->r)));
    switch (f->fact->sign) {
    case FACT_SIGN_PLUS:
        return both(c, all, Z3_mk_not(c, negative));
    case FACT_SIGN_OPERAND:
        return both(c, all,
                    Z3_mk_eq(c, negative, Z3_mk_fpa_is_negative(c, f->x)));
    case FACT_SIGN_BELOW_1:
        all = both(c, all, Z3_mk_eq(c, negative, Z3_mk_fpa_lt(c, f->x, one)));
        return both(c, all,
                    Z3_mk_eq(c, Z3_mk_fpa_is_zero(c, f->r),
                             Z3_mk_fpa_eq(c, f->x, one)));
    default:
        return all;
    }
}

static void assert_one(struct machine *m, const struct application *f)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast is_nan = Z3_mk_fpa_is_nan(c, f->r);
    smt_assert(&m->s->smt, Z3_mk_eq(c, is_nan, nan_where(c, f)));
    smt_assert(&m->s->smt, either(c, is_nan, number_fact(c, f)));
}

// Two applications of one function.
static void assert_two(struct machine *m, const struct application *f,
                       const struct application *g)
{
    Z3_context c = m->s->smt.ctx;
    Z3_ast nan =
        either(c, Z3_mk_fpa_is_nan(c, f->r), Z3_mk_fpa_is_nan(c, g->r));
    if (f->fact->rises) {
        Z3_ast up = Z3_mk_implies(c, Z3_mk_fpa_leq(c, f->x, g->x),
                                  Z3_mk_fpa_leq(c, f->r, g->r));
        Z3_ast down = Z3_mk_implies(c, Z3_mk_fpa_leq(c, g->x, f->x),
                                    Z3_mk_fpa_leq(c, g->r, f->r));
        smt_assert(&m->s->smt, either(c, nan, both(c, up, down)));
    }
    if (f->fact->parity != FACT_NEITHER) {
        Z3_ast mirrored = Z3_mk_eq(c, f->x, Z3_mk_fpa_neg(c, g->x));
        Z3_ast r = f->fact->parity == FACT_ODD ? Z3_mk_fpa_neg(c, g->r) : g->r;
        smt_assert(&m->s->smt,
                   Z3_mk_implies(c, mirrored, Z3_mk_eq(c, f->r, r)));
    }
}

void machine_float_facts(struct machine *m, const struct u32_vec *all)
{
    struct exprs *x = &m->s->x;
    Z3_context c = m->s->smt.ctx;
    struct application at[MAX_TERMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->len && n < MAX_TERMS; i++) {
        const struct expr *e = expr_at(x, all->at[i]);
        const struct float_fact *fact =
            e->kind == X_OP ? float_fact_of((enum op)e->op) : NULL;
        bool known = fact == NULL;
        struct application f = {fact, NULL, NULL};
        if (!known) {
            f.x = machine_term(m, expr_arg(x, all->at[i], 0));
            f.r = machine_term(m, all->at[i]);
            known = Z3_get_sort_kind(c, Z3_get_sort(c, f.r)) !=
                    Z3_FLOATING_POINT_SORT;
        }
        for (uint32_t k = 0; k < n && !known; k++)
            known = at[k].r == f.r;
        if (known)
            continue;
        assert_one(m, &f);
        for (uint32_t k = 0; k < n; k++)
            if (at[k].fact == fact &&
                Z3_is_eq_sort(c, Z3_get_sort(c, at[k].r), Z3_get_sort(c, f.r)))
                assert_two(m, &at[k], &f);
        at[n++] = f;
    }
    if (n > 0)
        m->s->rounds_right |= 1U << m->d;
}
