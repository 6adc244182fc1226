// SPDX-License-Identifier: Apache-2.0
// Functions that rise move into extrema: f(max(a, b)) = max(f(a), f(b)).
#include "verify/arithmetic/machine.h"

// In float f(max(a, b)) and max(f(a), f(b)) are NaN if a or b is.  Otherwise, say a <= b, -0 being
// below 0; then f(a) <= f(b) as numbers, so that max(f(a), f(b)) is f(b), unless they are zeros of
// different signs.  They are not, or f(b) is the one without: either both have the signs of a and
// b, or neither is negative.  (a = -0 and b = 0 compare both ways, so f(a) = f(b).)
bool extremum_passes(enum domain domain, enum op op)
{
    struct float_fact fact;
    if (domain == DOMAIN_FLOAT)
        return float_fact_of(op, &fact) && fact.rises && fact.nan == FACT_NAN_ONLY &&
               (fact.sign == RESULT_OPERAND || fact.sign == RESULT_POSITIVE);
    const struct op_facts *facts = op_facts(op);
    return domain == DOMAIN_REAL && op_class(op) == OPC_UNARY && op_is_transcendental(op) &&
           facts->order == ORDER_RISES && facts->defined == DEFINED_ALWAYS;
}

// From the bound on the result is a number, as above.  Results of RESULT_ABOVE_1 are zeros only at
// 1, so that a = b.
bool extremum_passes_from(enum op op, int *least)
{
    struct float_fact fact;
    bool passes = float_fact_of(op, &fact) && fact.rises && fact.nan == FACT_NAN_BELOW &&
                  (fact.sign == RESULT_OPERAND || fact.sign == RESULT_POSITIVE ||
                   fact.sign == RESULT_ABOVE_1);
    if (passes)
        *least = fact.below;
    return passes;
}

struct extrema {
    struct session *session;
    const struct u32_vec *holds; // truth values that are known
    enum domain domain;
    bool moved;
};

static bool is_extremum(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_OP && (node->op == OP_MAXIMUM || node->op == OP_MINIMUM);
}

// Does the known truth value say that the element is a number, and this or more?
static bool says_from(const struct exprs *exprs, expr_id holds, expr_id e, int least)
{
    const struct expr *node = expr_at(exprs, holds);
    bool found = false;
    if (node->kind == X_HOLDS || (node->kind == X_OP && node->op == OP_AND))
        for (uint32_t i = 0; i < node->n && !found; i++)
            found = says_from(exprs, expr_arg(exprs, holds, i), e, least);
    if (node->kind != X_OP || node->op != OP_COMPARE ||
        (node->sym != CMP_LE && node->sym != CMP_LT))
        return found;
    const struct expr *low = expr_at(exprs, expr_arg(exprs, holds, 0));
    return expr_arg(exprs, holds, 1) == e && low->kind == X_LITERAL && low->op == LIT_INT &&
           low->sym == 0 && low->k >= least;
}

static bool all_from(const struct extrema *extrema, expr_id extremum, int least)
{
    const struct exprs *exprs = &extrema->session->exprs;
    bool all = true;
    for (uint32_t k = 0; k < expr_at(exprs, extremum)->n && all; k++) {
        bool found = false;
        for (uint32_t i = 0; i < extrema->holds->len && !found; i++)
            found = says_from(exprs, extrema->holds->at[i], expr_arg(exprs, extremum, k), least);
        all = found;
    }
    return all;
}

// Does the element, a function of an extremum, allow the move?  Of infinities among numbers
// nothing is known.
static bool may_move(const struct extrema *extrema, expr_id e)
{
    struct session *session = extrema->session;
    const struct expr *node = expr_at(&session->exprs, e);
    int least;
    if (node->kind != X_OP || node->n != 1 ||
        !type_in_domain(session->rule, node->type, extrema->domain))
        return false;
    expr_id inner = expr_arg(&session->exprs, e, 0);
    if (!is_extremum(&session->exprs, inner) ||
        expr_at(&session->exprs, inner)->type != node->type ||
        (extrema->domain != DOMAIN_FLOAT && element_may_be_infinite(session, inner)))
        return false;
    return extremum_passes(extrema->domain, (enum op)node->op) ||
           (extrema->domain == DOMAIN_FLOAT && extremum_passes_from((enum op)node->op, &least) &&
            all_from(extrema, inner, least));
}

// The element with every such function moved.
static expr_id inwards(struct extrema *extrema, expr_id e)
{
    struct exprs *exprs = &extrema->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    if (node.kind != X_OP || node.n == 0)
        return e;
    for (uint32_t i = 0; i < node.n; i++)
        vec_push(&args, inwards(extrema, expr_arg(exprs, e, i)));
    e = expr_with_args(exprs, e, args.at);
    if (may_move(extrema, e)) {
        const struct expr extremum = *expr_at(exprs, args.at[0]);
        expr_id inner = args.at[0];
        vec_clear(&args);
        for (uint32_t i = 0; i < extremum.n; i++) {
            expr_id x = expr_arg(exprs, inner, i);
            x = expr_op(exprs, (enum op)node.op, node.sym, node.type, 1, &x);
            vec_push(&args, inwards(extrema, x));
        }
        e = expr_with_args(exprs, inner, args.at);
        extrema->moved = true;
    }
    vec_release(&args);
    return e;
}

bool extrema_same(struct session *session, enum domain domain, const struct u32_vec *holds,
                  expr_id a, expr_id b)
{
    struct extrema extrema = {.session = session, .holds = holds, .domain = domain};
    if (domain != DOMAIN_FLOAT && domain != DOMAIN_REAL)
        return false;
    a = inwards(&extrema, a);
    b = inwards(&extrema, b);
    bool same = extrema.moved &&
                ring_normal(session, domain, a) == ring_normal(session, domain, b) &&
                !session->polys.overflow;
    if (same && domain == DOMAIN_FLOAT)
        session->rounds_right |= 1U << domain;
    return same;
}
