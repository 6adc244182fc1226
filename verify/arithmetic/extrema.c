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

struct extrema {
    struct session *session;
    enum domain domain;
    bool moved;
};

static bool is_extremum(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_OP && (node->op == OP_MAXIMUM || node->op == OP_MINIMUM);
}

// Does the element, a function of an extremum, allow the move?  Of infinities among numbers
// nothing is known.
static bool may_move(const struct extrema *extrema, expr_id e)
{
    struct session *session = extrema->session;
    const struct expr *node = expr_at(&session->exprs, e);
    if (node->kind != X_OP || node->n != 1 ||
        !extremum_passes(extrema->domain, (enum op)node->op) ||
        !type_in_domain(session->rule, node->type, extrema->domain))
        return false;
    expr_id inner = expr_arg(&session->exprs, e, 0);
    return is_extremum(&session->exprs, inner) &&
           expr_at(&session->exprs, inner)->type == node->type &&
           (extrema->domain == DOMAIN_FLOAT || !element_may_be_infinite(session, inner));
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

bool extrema_same(struct session *session, enum domain domain, expr_id a, expr_id b)
{
    struct extrema extrema = {.session = session, .domain = domain};
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
