// SPDX-License-Identifier: Apache-2.0
// Over the reals: exponentials of sums become products, divisors that are not 0
// become factors, logarithms of products of positive factors sums; what is
// inverse cancels, and exponentials that a sum does not bind are taken out of
// it.  So what a softmax is shifted by disappears.
#include "verify/sums/parts.h"

#define MAX_FACTORS 16

// A product; more factors than fit: `full`.
struct factors {
    expr_id at[MAX_FACTORS];
    uint32_t n;
    bool full;
};

static bool is_op(const struct exprs *x, expr_id e, enum op op)
{
    const struct expr *n = expr_at(x, e);
    return n->kind == X_OP && n->op == op;
}

static bool is_exp(const struct exprs *x, expr_id e)
{
    return is_op(x, e, OP_EXPONENTIAL);
}

static bool laws_hold(struct coeff *k, expr_id e)
{
    return type_in_domain(k->s->r, expr_at(&k->s->x, e)->type, DOMAIN_REAL) &&
           coeff_is_finite(k, e);
}

static expr_id op1(struct exprs *x, enum op op, expr_id a)
{
    return expr_op(x, op, 0, expr_at(x, a)->type, 1, &a);
}

static expr_id op2(struct exprs *x, enum op op, expr_id a, expr_id b)
{
    return expr_op(x, op, 0, expr_at(x, a)->type, 2, (expr_id[]){a, b});
}

// The argument of 1 / exp(t): -t, without two signs.
static expr_id opposite(struct exprs *x, expr_id t)
{
    return is_op(x, t, OP_NEGATE) ? expr_arg(x, t, 0) : op1(x, OP_NEGATE, t);
}

// The v of 1 / v; else NO_EXPR.
static expr_id divisor_of_one(const struct exprs *x, expr_id e)
{
    if (!is_op(x, e, OP_DIVIDE))
        return NO_EXPR;
    const struct expr *n = expr_at(x, expr_arg(x, e, 0));
    return n->kind == X_LITERAL && n->op == LIT_INT && n->k == 1
               ? expr_arg(x, e, 1)
               : NO_EXPR;
}

static bool is_not_zero(struct coeff *k, expr_id e)
{
    return (coeff_sign(k, e) & SIGN_ZERO) == 0;
}

static expr_id reciprocal(struct exprs *x, expr_id e)
{
    expr_id one = expr_literal(x, LIT_INT, 1, 0, expr_at(x, e)->type);
    return op2(x, OP_DIVIDE, one, e);
}

// 1 / e as a factor, e not 0.
static expr_id inverse_of(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    if (is_exp(x, e))
        return op1(x, OP_EXPONENTIAL, opposite(x, expr_arg(x, e, 0)));
    expr_id v = divisor_of_one(x, e);
    return v != NO_EXPR && is_not_zero(k, v) ? v : reciprocal(x, e);
}

// Adds a factor, or takes its inverse away: what has one is not 0.
static void add_factor(struct coeff *k, struct factors *f, expr_id e)
{
    expr_id inverse = inverse_of(k, e);
    for (uint32_t i = 0; i < f->n; i++)
        if (f->at[i] == inverse && (is_exp(&k->s->x, e) || is_not_zero(k, e))) {
            f->at[i] = f->at[--f->n];
            return;
        }
    if (f->n < MAX_FACTORS)
        f->at[f->n++] = e;
    else
        f->full = true;
}

static void factors_of(struct coeff *k, struct factors *f, expr_id e)
{
    const struct exprs *x = &k->s->x;
    if (!is_op(x, e, OP_MULTIPLY)) {
        add_factor(k, f, e);
        return;
    }
    expr_id a = expr_arg(x, e, 0), b = expr_arg(x, e, 1);
    factors_of(k, f, a);
    factors_of(k, f, b);
}

static expr_id product(struct exprs *x, const struct factors *f, uint32_t type)
{
    if (f->n == 0)
        return expr_literal(x, LIT_INT, 1, 0, type);
    expr_id e = f->at[0];
    for (uint32_t i = 1; i < f->n; i++)
        e = op2(x, OP_MULTIPLY, e, f->at[i]);
    return e;
}

// exp(a), or exp(-a), as factors.
static void split_exp(struct coeff *k, struct factors *f, expr_id a,
                      bool negative)
{
    struct exprs *x = &k->s->x;
    bool sum = is_op(x, a, OP_ADD), difference = is_op(x, a, OP_SUBTRACT);
    if (sum || difference) {
        expr_id u = expr_arg(x, a, 0), v = expr_arg(x, a, 1);
        split_exp(k, f, u, negative);
        split_exp(k, f, v, negative != difference);
    } else if (is_op(x, a, OP_NEGATE)) {
        split_exp(k, f, expr_arg(x, a, 0), !negative);
    } else {
        add_factor(k, f,
                   op1(x, OP_EXPONENTIAL, negative ? op1(x, OP_NEGATE, a) : a));
    }
}

static bool mentions_bound(const struct exprs *x, expr_id reduce, expr_id e)
{
    for (uint32_t i = 1; i + 1 < expr_at(x, reduce)->n; i += 2)
        if (expr_contains(x, e, expr_arg(x, reduce, i)))
            return true;
    return false;
}

// Sum of u * b, u an exponential that is not bound: u * sum of b.
static expr_id take_out(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct factors all = {.n = 0}, out = {.n = 0}, in = {.n = 0};
    expr_id body = expr_arg(x, e, 0);
    if (n.op != OP_ADD || !laws_hold(k, body))
        return e;
    factors_of(k, &all, body);
    for (uint32_t i = 0; i < all.n; i++) {
        bool moves = is_exp(x, all.at[i]) && !mentions_bound(x, e, all.at[i]);
        add_factor(k, moves ? &out : &in, all.at[i]);
    }
    if (all.full || out.n == 0)
        return e;
    struct u32_vec args = {0};
    vec_push(&args, product(x, &in, n.type));
    for (uint32_t i = 1; i < n.n; i++)
        vec_push(&args, expr_arg(x, e, i));
    add_factor(k, &out, expr_with_args(x, e, args.at));
    vec_release(&args);
    return out.full ? e : product(x, &out, n.type);
}

// a / b, every factor of b being no 0: a product.
static expr_id divided(struct coeff *k, expr_id a, expr_id b, expr_id e)
{
    struct exprs *x = &k->s->x;
    struct factors above = {.n = 0}, below = {.n = 0};
    factors_of(k, &above, a);
    factors_of(k, &below, b);
    bool all = true;
    for (uint32_t i = 0; i < below.n && all; i++) {
        all = is_not_zero(k, below.at[i]);
        add_factor(k, &above, inverse_of(k, below.at[i]));
    }
    return !all || above.full || below.full
               ? e
               : product(x, &above, expr_at(x, e)->type);
}

// log(a), every factor of a being positive: a sum.
static expr_id log_of(struct coeff *k, expr_id a, expr_id e)
{
    struct exprs *x = &k->s->x;
    struct factors f = {.n = 0};
    expr_id out = NO_EXPR;
    factors_of(k, &f, a);
    bool positive = !f.full && f.n > 0;
    for (uint32_t i = 0; i < f.n && positive; i++) {
        expr_id v = divisor_of_one(x, f.at[i]), t;
        positive = coeff_sign(k, f.at[i]) == SIGN_POSITIVE;
        if (is_exp(x, f.at[i]))
            t = expr_arg(x, f.at[i], 0);
        else if (v != NO_EXPR) // positive, as its inverse is
            t = op1(x, OP_NEGATE, op1(x, OP_LOG, v));
        else
            t = op1(x, OP_LOG, f.at[i]);
        out = out == NO_EXPR ? t : op2(x, OP_ADD, out, t);
    }
    return positive ? out : e;
}

// An extremum of two numbers, one of which is never the less.
static expr_id extremum(struct coeff *k, expr_id e, bool maximum)
{
    expr_id a = expr_arg(&k->s->x, e, 0), b = expr_arg(&k->s->x, e, 1);
    unsigned p = coeff_sign(k, a), q = coeff_sign(k, b);
    bool above = (p & SIGN_NEGATIVE) == 0 && (q & SIGN_POSITIVE) == 0;
    bool below = (q & SIGN_NEGATIVE) == 0 && (p & SIGN_POSITIVE) == 0;
    if (above)
        return maximum ? a : b;
    if (below)
        return maximum ? b : a;
    return e;
}

void coeff_enter(struct coeff *k, expr_id reduce, uint32_t *mark)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, reduce);
    for (uint32_t f = 0; f < k->n_families; f++)
        mark[f] = k->hyps[f].len;
    for (uint32_t i = 1; n.kind == X_REDUCE && i + 1 < n.n; i += 2) {
        expr_id v = expr_arg(x, reduce, i), size = expr_arg(x, reduce, i + 1);
        uint32_t part = x->var.at[expr_at(x, v)->sym].part;
        if (part >= k->n_families)
            continue;
        vec_push(&k->hyps[part], expr_le(x, expr_int(x, 0), v));
        vec_push(&k->hyps[part], expr_lt(x, v, size));
    }
}

void coeff_leave(struct coeff *k, const uint32_t *mark)
{
    for (uint32_t f = 0; f < k->n_families; f++)
        k->hyps[f].len = mark[f];
}

// The arguments of a node, expanded; a body where its indices are in range.
static void expand_args(struct coeff *k, expr_id e, struct u32_vec *out)
{
    struct exprs *x = &k->s->x;
    uint32_t mark[64];
    coeff_enter(k, e, mark);
    for (uint32_t i = 0; i < expr_at(x, e)->n; i++)
        vec_push(out, coeff_expand(k, expr_arg(x, e, i)));
    coeff_leave(k, mark);
}

// A comparison or its negation: true or false, if that follows.
static expr_id compared(struct coeff *k, expr_id e)
{
    const struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    const struct expr a = *expr_at(x, expr_arg(x, e, 0));
    bool literal = a.kind == X_LITERAL && a.op == LIT_BOOL;
    uint32_t type = n.type;
    int truth = -1;
    if (n.op == OP_COMPARE)
        truth = coeff_compare(k, e);
    else if (literal)
        truth = a.k == 0;
    return truth < 0 ? e : expr_literal(&k->s->x, LIT_BOOL, truth, 0, type);
}

expr_id coeff_expand(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec args = {0};
    struct factors f = {.n = 0};
    if (n.n == 0 || expr_sort(x, e) != SORT_ELEM || n.kind == X_ACCESS)
        return e;
    expand_args(k, e, &args);
    e = expr_with_args(x, e, args.at);
    vec_release(&args);
    if (n.kind == X_REDUCE)
        return take_out(k, e);
    if (n.kind == X_OP && (n.op == OP_COMPARE || n.op == OP_NOT))
        return compared(k, e);
    if (n.kind != X_OP || !laws_hold(k, e))
        return e;
    expr_id a = expr_arg(x, e, 0);
    switch ((enum op)n.op) {
    case OP_EXPONENTIAL:
        split_exp(k, &f, a, false);
        break;
    case OP_MULTIPLY:
        factors_of(k, &f, e);
        break;
    case OP_DIVIDE:
        return divided(k, a, expr_arg(x, e, 1), e);
    case OP_LOG:
        return log_of(k, a, e);
    case OP_FLOOR:
    case OP_CEIL:
        return coeff_is_integer(k, a) ? a : e;
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return extremum(k, e, n.op == OP_MAXIMUM);
    default:
        return e;
    }
    return f.full ? e : product(x, &f, n.type);
}
