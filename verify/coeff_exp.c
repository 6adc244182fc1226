// SPDX-License-Identifier: Apache-2.0
// Over the reals: exponentials of sums become products, their inverses cancel,
// and factors that a sum does not bind are taken out of it and out of a
// quotient.  So what a softmax is shifted by disappears.
#include "verify/coeff_parts.h"

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

static bool laws_hold(const struct coeff *k, expr_id e)
{
    return type_in_domain(k->s->r, expr_at(&k->s->x, e)->type, DOMAIN_REAL) &&
           !element_may_be_infinite(k->s, e);
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

// Adds a factor, or takes its inverse away.
static void add_factor(struct exprs *x, struct factors *f, expr_id e)
{
    expr_id inverse =
        is_exp(x, e) ? op1(x, OP_EXPONENTIAL, opposite(x, expr_arg(x, e, 0)))
                     : NO_EXPR;
    for (uint32_t i = 0; i < f->n; i++)
        if (f->at[i] == inverse) {
            f->at[i] = f->at[--f->n];
            return;
        }
    if (f->n < MAX_FACTORS)
        f->at[f->n++] = e;
    else
        f->full = true;
}

static void factors_of(struct exprs *x, struct factors *f, expr_id e)
{
    if (!is_op(x, e, OP_MULTIPLY)) {
        add_factor(x, f, e);
        return;
    }
    expr_id a = expr_arg(x, e, 0), b = expr_arg(x, e, 1);
    factors_of(x, f, a);
    factors_of(x, f, b);
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
static void split_exp(struct exprs *x, struct factors *f, expr_id a,
                      bool negative)
{
    bool sum = is_op(x, a, OP_ADD), difference = is_op(x, a, OP_SUBTRACT);
    if (sum || difference) {
        expr_id u = expr_arg(x, a, 0), v = expr_arg(x, a, 1);
        split_exp(x, f, u, negative);
        split_exp(x, f, v, negative != difference);
    } else if (is_op(x, a, OP_NEGATE)) {
        split_exp(x, f, expr_arg(x, a, 0), !negative);
    } else {
        add_factor(x, f,
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
    factors_of(x, &all, body);
    for (uint32_t i = 0; i < all.n; i++) {
        bool moves = is_exp(x, all.at[i]) && !mentions_bound(x, e, all.at[i]);
        add_factor(x, moves ? &out : &in, all.at[i]);
    }
    if (all.full || out.n == 0)
        return e;
    struct u32_vec args = {0};
    vec_push(&args, product(x, &in, n.type));
    for (uint32_t i = 1; i < n.n; i++)
        vec_push(&args, expr_arg(x, e, i));
    add_factor(x, &out, expr_with_args(x, e, args.at));
    vec_release(&args);
    return out.full ? e : product(x, &out, n.type);
}

// More than 0 at every index at which the sides are compared?
static bool is_positive(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_LITERAL)
        return n.op == LIT_INT && n.k > 0;
    if (is_exp(x, e))
        return true;
    if (n.kind == X_OP && (n.op == OP_ADD || n.op == OP_MULTIPLY))
        return is_positive(k, expr_arg(x, e, 0)) &&
               is_positive(k, expr_arg(x, e, 1));
    if (n.kind != X_REDUCE || n.op != OP_ADD ||
        !is_positive(k, expr_arg(x, e, 0)))
        return false;
    for (uint32_t i = 1; i + 1 < n.n; i += 2) { // of something
        uint32_t part = x->var.at[expr_at(x, expr_arg(x, e, i))->sym].part;
        expr_id some = expr_le(x, expr_int(x, 1), expr_arg(x, e, i + 1));
        uint32_t family = NONE;
        if (!coeff_family(k, some, &family) ||
            (family != NONE && family != part) ||
            !coeff_follows(k, part, NULL, some))
            return false;
    }
    return true;
}

// a / (u * b), u an exponential: (a / u) / b where b is not 0.
static expr_id divided(struct coeff *k, expr_id a, expr_id b, expr_id e)
{
    struct exprs *x = &k->s->x;
    struct factors above = {.n = 0}, below = {.n = 0}, rest = {.n = 0};
    uint32_t type = expr_at(x, e)->type;
    factors_of(x, &above, a);
    factors_of(x, &below, b);
    for (uint32_t i = 0; i < below.n; i++) {
        expr_id u = below.at[i];
        if (is_exp(x, u))
            add_factor(x, &above,
                       op1(x, OP_EXPONENTIAL, opposite(x, expr_arg(x, u, 0))));
        else
            add_factor(x, &rest, u);
    }
    if (above.full || below.full || rest.n == below.n)
        return e;
    if (rest.n == 0)
        return product(x, &above, type);
    expr_id left = product(x, &rest, type);
    if (!is_positive(k, left))
        return e;
    return op2(x, OP_DIVIDE, product(x, &above, type), left);
}

// The arguments of a node, expanded; a body where its indices are in range.
static void expand_args(struct coeff *k, expr_id e, struct u32_vec *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    uint32_t len[64];
    for (uint32_t f = 0; f < k->n_families; f++)
        len[f] = k->hyps[f].len;
    for (uint32_t i = 1; n.kind == X_REDUCE && i + 1 < n.n; i += 2) {
        expr_id v = expr_arg(x, e, i), size = expr_arg(x, e, i + 1);
        uint32_t part = x->var.at[expr_at(x, v)->sym].part;
        if (part >= k->n_families)
            continue;
        vec_push(&k->hyps[part], expr_le(x, expr_int(x, 0), v));
        vec_push(&k->hyps[part], expr_lt(x, v, size));
    }
    for (uint32_t i = 0; i < n.n; i++)
        vec_push(out, coeff_expand(k, expr_arg(x, e, i)));
    for (uint32_t f = 0; f < k->n_families; f++)
        k->hyps[f].len = len[f];
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
    if (n.kind != X_OP || !laws_hold(k, e))
        return e;
    if (n.op == OP_EXPONENTIAL) {
        split_exp(x, &f, expr_arg(x, e, 0), false);
    } else if (n.op == OP_MULTIPLY) {
        factors_of(x, &f, e);
    } else if (n.op == OP_DIVIDE) {
        return divided(k, expr_arg(x, e, 0), expr_arg(x, e, 1), e);
    } else {
        return e;
    }
    return f.full ? e : product(x, &f, n.type);
}
