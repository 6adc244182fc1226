// SPDX-License-Identifier: Apache-2.0
// Over the reals: exponentials of sums become products, divisors that are not 0 become
// factors, and logarithms of products of positive factors become sums.  Inverse factors
// cancel, and exponentials that a sum does not bind move out of it.  So the shift of a
// softmax disappears.
#include "verify/sums/parts.h"
#include "verify/limits.h"

// A product; `full` if it has more factors than fit.
struct factors {
    expr_id at[VERIFY_SUM_EXPONENTIALS];
    uint32_t n;
    bool full;
};

static bool is_op(const struct exprs *exprs, expr_id e, enum op op)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_OP && node->op == op;
}

static bool is_exp(const struct exprs *exprs, expr_id e)
{
    return is_op(exprs, e, OP_EXPONENTIAL);
}

static bool laws_hold(struct coeff *sums, expr_id e)
{
    return type_in_domain(sums->session->rule, expr_at(&sums->session->exprs, e)->type,
                          DOMAIN_REAL) &&
           coeff_is_finite(sums, e);
}

static expr_id op1(struct exprs *exprs, enum op op, expr_id a)
{
    return expr_op(exprs, op, 0, expr_at(exprs, a)->type, 1, &a);
}

static expr_id op2(struct exprs *exprs, enum op op, expr_id a, expr_id b)
{
    return expr_op(exprs, op, 0, expr_at(exprs, a)->type, 2, (expr_id[]){a, b});
}

// The argument of 1 / exp(t): -t, with double signs removed.
static expr_id opposite(struct exprs *exprs, expr_id t)
{
    return is_op(exprs, t, OP_NEGATE) ? expr_arg(exprs, t, 0) : op1(exprs, OP_NEGATE, t);
}

// The v of 1 / v; otherwise NO_EXPR.
static expr_id divisor_of_one(const struct exprs *exprs, expr_id e)
{
    if (!is_op(exprs, e, OP_DIVIDE))
        return NO_EXPR;
    const struct expr *node = expr_at(exprs, expr_arg(exprs, e, 0));
    return node->kind == X_LITERAL && node->op == LIT_INT && node->k == 1 ? expr_arg(exprs, e, 1)
                                                                          : NO_EXPR;
}

static bool is_not_zero(struct coeff *sums, expr_id e)
{
    return (coeff_sign(sums, e) & SIGN_ZERO) == 0;
}

static expr_id reciprocal(struct exprs *exprs, expr_id e)
{
    expr_id one = expr_literal(exprs, LIT_INT, 1, 0, expr_at(exprs, e)->type);
    return op2(exprs, OP_DIVIDE, one, e);
}

// 1 / e as a factor; e must not be 0.
static expr_id inverse_of(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    if (is_exp(exprs, e))
        return op1(exprs, OP_EXPONENTIAL, opposite(exprs, expr_arg(exprs, e, 0)));
    expr_id v = divisor_of_one(exprs, e);
    return v != NO_EXPR && is_not_zero(sums, v) ? v : reciprocal(exprs, e);
}

// Adds a factor, or removes its inverse: a factor that has an inverse is not 0.
static void add_factor(struct coeff *sums, struct factors *factors, expr_id e)
{
    expr_id inverse = inverse_of(sums, e);
    for (uint32_t i = 0; i < factors->n; i++)
        if (factors->at[i] == inverse &&
            (is_exp(&sums->session->exprs, e) || is_not_zero(sums, e))) {
            factors->at[i] = factors->at[--factors->n];
            return;
        }
    if (factors->n < VERIFY_SUM_EXPONENTIALS)
        factors->at[factors->n++] = e;
    else
        factors->full = true;
}

static void factors_of(struct coeff *sums, struct factors *factors, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    if (!is_op(exprs, e, OP_MULTIPLY)) {
        add_factor(sums, factors, e);
        return;
    }
    expr_id a = expr_arg(exprs, e, 0), b = expr_arg(exprs, e, 1);
    factors_of(sums, factors, a);
    factors_of(sums, factors, b);
}

static expr_id product(struct exprs *exprs, const struct factors *factors, uint32_t type)
{
    if (factors->n == 0)
        return expr_literal(exprs, LIT_INT, 1, 0, type);
    expr_id e = factors->at[0];
    for (uint32_t i = 1; i < factors->n; i++)
        e = op2(exprs, OP_MULTIPLY, e, factors->at[i]);
    return e;
}

// exp(a), or exp(-a), as factors.
static void split_exp(struct coeff *sums, struct factors *factors, expr_id a, bool negative)
{
    struct exprs *exprs = &sums->session->exprs;
    bool sum = is_op(exprs, a, OP_ADD), difference = is_op(exprs, a, OP_SUBTRACT);
    if (sum || difference) {
        expr_id u = expr_arg(exprs, a, 0), v = expr_arg(exprs, a, 1);
        split_exp(sums, factors, u, negative);
        split_exp(sums, factors, v, negative != difference);
    } else if (is_op(exprs, a, OP_NEGATE)) {
        split_exp(sums, factors, expr_arg(exprs, a, 0), !negative);
    } else {
        add_factor(sums, factors,
                   op1(exprs, OP_EXPONENTIAL, negative ? op1(exprs, OP_NEGATE, a) : a));
    }
}

static bool mentions_bound(const struct exprs *exprs, expr_id reduce, expr_id e)
{
    for (uint32_t i = 1; i + 1 < expr_at(exprs, reduce)->n; i += 2)
        if (expr_contains(exprs, e, expr_arg(exprs, reduce, i)))
            return true;
    return false;
}

// Sum of u * b, where u is an exponential that is not bound: u * (sum of b).
static expr_id take_out(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct factors all = {.n = 0}, out = {.n = 0}, in = {.n = 0};
    expr_id body = expr_arg(exprs, e, 0);
    if (node.op != OP_ADD || !laws_hold(sums, body))
        return e;
    factors_of(sums, &all, body);
    for (uint32_t i = 0; i < all.n; i++) {
        bool moves = is_exp(exprs, all.at[i]) && !mentions_bound(exprs, e, all.at[i]);
        add_factor(sums, moves ? &out : &in, all.at[i]);
    }
    if (all.full || out.n == 0)
        return e;
    struct u32_vec args = {0};
    vec_push(&args, product(exprs, &in, node.type));
    for (uint32_t i = 1; i < node.n; i++)
        vec_push(&args, expr_arg(exprs, e, i));
    add_factor(sums, &out, expr_with_args(exprs, e, args.at));
    vec_release(&args);
    return out.full ? e : product(exprs, &out, node.type);
}

// a / b as a product, if no factor of b is 0.
static expr_id divided(struct coeff *sums, expr_id a, expr_id b, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    struct factors above = {.n = 0}, below = {.n = 0};
    factors_of(sums, &above, a);
    factors_of(sums, &below, b);
    bool all = true;
    for (uint32_t i = 0; i < below.n && all; i++) {
        all = is_not_zero(sums, below.at[i]);
        add_factor(sums, &above, inverse_of(sums, below.at[i]));
    }
    return !all || above.full || below.full ? e : product(exprs, &above, expr_at(exprs, e)->type);
}

// log(a) as a sum, if every factor of a is positive.
static expr_id log_of(struct coeff *sums, expr_id a, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    struct factors factors = {.n = 0};
    expr_id out = NO_EXPR;
    factors_of(sums, &factors, a);
    bool positive = !factors.full && factors.n > 0;
    for (uint32_t i = 0; i < factors.n && positive; i++) {
        expr_id v = divisor_of_one(exprs, factors.at[i]), t;
        positive = coeff_sign(sums, factors.at[i]) == SIGN_POSITIVE;
        if (is_exp(exprs, factors.at[i]))
            t = expr_arg(exprs, factors.at[i], 0);
        else if (v != NO_EXPR) // positive, as its inverse is
            t = op1(exprs, OP_NEGATE, op1(exprs, OP_LOG, v));
        else
            t = op1(exprs, OP_LOG, factors.at[i]);
        out = out == NO_EXPR ? t : op2(exprs, OP_ADD, out, t);
    }
    return positive ? out : e;
}

// An extremum of two numbers of which one is always at most the other.
static expr_id extremum(struct coeff *sums, expr_id e, bool maximum)
{
    expr_id a = expr_arg(&sums->session->exprs, e, 0), b = expr_arg(&sums->session->exprs, e, 1);
    unsigned p = coeff_sign(sums, a), q = coeff_sign(sums, b);
    bool above = (p & SIGN_NEGATIVE) == 0 && (q & SIGN_POSITIVE) == 0;
    bool below = (q & SIGN_NEGATIVE) == 0 && (p & SIGN_POSITIVE) == 0;
    if (above)
        return maximum ? a : b;
    if (below)
        return maximum ? b : a;
    return e;
}

void coeff_enter(struct coeff *sums, expr_id reduce, uint32_t *mark)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, reduce);
    for (uint32_t f = 0; f < sums->n_families; f++)
        mark[f] = sums->hyps[f].len;
    for (uint32_t i = 1; node.kind == X_REDUCE && i + 1 < node.n; i += 2) {
        expr_id v = expr_arg(exprs, reduce, i), size = expr_arg(exprs, reduce, i + 1);
        uint32_t part = exprs->var.at[expr_at(exprs, v)->sym].part;
        if (part >= sums->n_families)
            continue;
        vec_push(&sums->hyps[part], expr_le(exprs, expr_int(exprs, 0), v));
        vec_push(&sums->hyps[part], expr_lt(exprs, v, size));
    }
}

void coeff_leave(struct coeff *sums, const uint32_t *mark)
{
    for (uint32_t f = 0; f < sums->n_families; f++)
        sums->hyps[f].len = mark[f];
}

// The arguments of a node, expanded.  A body is expanded with its indices in range.
static void expand_args(struct coeff *sums, expr_id e, struct u32_vec *out)
{
    struct exprs *exprs = &sums->session->exprs;
    uint32_t mark[64];
    coeff_enter(sums, e, mark);
    for (uint32_t i = 0; i < expr_at(exprs, e)->n; i++)
        vec_push(out, coeff_expand(sums, expr_arg(exprs, e, i)));
    coeff_leave(sums, mark);
}

// A comparison or its negation as true or false, if that follows.
static expr_id compared(struct coeff *sums, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    const struct expr a = *expr_at(exprs, expr_arg(exprs, e, 0));
    bool literal = a.kind == X_LITERAL && a.op == LIT_BOOL;
    uint32_t type = node.type;
    int truth = -1;
    if (node.op == OP_COMPARE)
        truth = coeff_compare(sums, e);
    else if (literal)
        truth = a.k == 0;
    return truth < 0 ? e : expr_literal(&sums->session->exprs, LIT_BOOL, truth, 0, type);
}

// An operator of expanded arguments, by the laws of the reals.
static expr_id by_laws(struct coeff *sums, expr_id e, enum op op, uint32_t type)
{
    struct exprs *exprs = &sums->session->exprs;
    struct factors factors = {.n = 0};
    expr_id a = expr_arg(exprs, e, 0);
    switch (op) {
    case OP_EXPONENTIAL:
        split_exp(sums, &factors, a, false);
        break;
    case OP_MULTIPLY:
        factors_of(sums, &factors, e);
        break;
    case OP_DIVIDE:
        return divided(sums, a, expr_arg(exprs, e, 1), e);
    case OP_LOG:
        return log_of(sums, a, e);
    case OP_FLOOR:
    case OP_CEIL:
        return coeff_is_integer(sums, a) ? a : e;
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return extremum(sums, e, op == OP_MAXIMUM);
    case OP_ABS:
    case OP_CBRT:
    case OP_COSINE:
    case OP_ERF:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_IMAG:
    case OP_LOG_PLUS_ONE:
    case OP_LOGISTIC:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_RSQRT:
    case OP_SIGN:
    case OP_SINE:
    case OP_SQRT:
    case OP_TAN:
    case OP_TANH:
    case OP_ADD:
    case OP_REMAINDER:
    case OP_SUBTRACT:
        LEAF_CASES
        POINT_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        return e;
    }
    return factors.full ? e : product(exprs, &factors, type);
}

expr_id coeff_expand(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    if (node.n == 0 || expr_sort(exprs, e) != SORT_ELEM || node.kind == X_ACCESS)
        return e;
    expand_args(sums, e, &args);
    e = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    if (node.kind == X_REDUCE)
        return take_out(sums, e);
    if (node.kind == X_OP && (node.op == OP_COMPARE || node.op == OP_NOT))
        return compared(sums, e);
    bool known = node.kind == X_OP && laws_hold(sums, e);
    return known ? by_laws(sums, e, (enum op)node.op, node.type) : e;
}
