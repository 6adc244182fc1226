// SPDX-License-Identifier: Apache-2.0
// Monotone operators move into extrema.  If f keeps the order and some t exists, f(max of t)
// is the maximum of f(t).  If f turns the order, f(min of t) is.
#include "verify/sums/parts.h"
#include "verify/integers/translate.h"

enum turn { NEITHER, KEEPS, TURNS };

static uint16_t dual(uint16_t op)
{
    return (uint16_t)op_facts((enum op)op)->dual;
}

static bool is_extremum(uint16_t op)
{
    return op == OP_MAXIMUM || op == OP_MINIMUM;
}

// Is the type int or real: no bits, no rounding?
static bool is_number(const struct coeff *sums, uint32_t type)
{
    return (sums->domain == DOMAIN_INT || sums->domain == DOMAIN_REAL) &&
           !emit_type_is_bool(sums->session->rule, type) &&
           type_in_domain(sums->session->rule, type, (enum domain)sums->domain);
}

// Are monotone variables monotone on the type?  Not on floats.
static bool is_ordered(const struct coeff *sums, uint32_t type)
{
    return emit_type_is_bool(sums->session->rule, type) ||
           (sums->domain != DOMAIN_FLOAT &&
            type_in_domain(sums->session->rule, type, (enum domain)sums->domain));
}

// The effect on the order of a factor of this sign.
static enum turn by_sign(unsigned s)
{
    if ((s & SIGN_NEGATIVE) == 0)
        return KEEPS;
    return (s & SIGN_POSITIVE) == 0 ? TURNS : NEITHER;
}

// Does the operator keep or turn the order in operand i, for all values of the others?
static enum turn turn_of(struct coeff *sums, expr_id e, uint32_t i, uint16_t op)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_OPVAR)
        return sums->session->rule->opvars[node.sym].kind == OPVAR_MONOTONE && is_extremum(op) &&
                       is_ordered(sums, node.type) &&
                       is_ordered(sums, expr_at(exprs, expr_arg(exprs, e, i))->type)
                   ? KEEPS
                   : NEITHER;
    if (node.kind != X_OP)
        return NEITHER;
    if (node.op == OP_NOT)
        return TURNS;
    if (!is_extremum(op))
        return NEITHER;
    if (is_extremum(node.op))
        return node.op == op ? NEITHER : KEEPS;
    const struct op_facts *facts = op_facts((enum op)node.op);
    if (!is_number(sums, node.type) || facts->defined != DEFINED_ALWAYS)
        return NEITHER;
    switch (facts->order) {
    case ORDER_NONE:
        return NEITHER;
    case ORDER_RISES:
        return KEEPS;
    case ORDER_FALLS:
        return TURNS;
    case ORDER_DIFFERENCE:
        return i == 0 ? KEEPS : TURNS;
    case ORDER_BY_SIGN:
        return by_sign(coeff_sign(sums, expr_arg(exprs, e, 1 - i)));
    }
    return NEITHER;
}

// e with `part` in place of operand i.
static expr_id with_operand(struct exprs *exprs, expr_id e, uint32_t i, expr_id part)
{
    struct u32_vec args = {0};
    for (uint32_t j = 0; j < expr_at(exprs, e)->n; j++)
        vec_push(&args, j == i ? part : expr_arg(exprs, e, j));
    expr_id out = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return out;
}

// May the operator move?  Extrema move through extrema with infinities, too; for other
// operators nothing is known about infinities.
static bool may_move(const struct coeff *sums, const struct expr *node, expr_id e)
{
    bool numbers = sums->domain == DOMAIN_INT || sums->domain == DOMAIN_REAL;
    bool lattice = node->kind == X_OP && (is_extremum(node->op) || node->op == OP_NOT);
    return lattice || !numbers || !element_may_be_infinite(sums->session, e);
}

bool coeff_has_terms(struct coeff *sums, expr_id reduce)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, reduce);
    bool yes = true;
    for (uint32_t i = 1; i + 1 < node.n && yes; i += 2) {
        uint32_t part = exprs->var.at[expr_at(exprs, expr_arg(exprs, reduce, i))->sym].part;
        uint32_t family = NONE;
        expr_id size = expr_arg(exprs, reduce, i + 1);
        yes = !coeff_has_elements(sums, size) && coeff_family(sums, size, &family) &&
              (family == NONE || family == part) && part < sums->n_families &&
              coeff_follows(sums, part, NULL, expr_le(exprs, expr_int(exprs, 1), size));
    }
    return yes;
}

// e is f with a reduce at operand i.  Stores the reduce by `op` of f.
static bool into_reduce(struct coeff *sums, expr_id e, uint32_t i, expr_id part, uint16_t op,
                        expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, part);
    const struct expr f = *expr_at(exprs, e);
    struct u32_vec from = {0}, to = {0}, args = {0};
    if (f.op != OP_NOT || f.kind != X_OP) // units turn into units there
        if (!coeff_has_terms(sums, part))
            return false;
    for (uint32_t j = 1; j + 1 < node.n; j += 2) {
        expr_id v = expr_arg(exprs, part, j);
        vec_push(&from, v);
        vec_push(&to, expr_fresh(exprs, exprs->var.at[expr_at(exprs, v)->sym].part));
    }
    expr_id body = expr_subst(exprs, expr_arg(exprs, part, 0), from.len, from.at, to.at);
    body = with_operand(exprs, e, i, body);
    bool ok = may_move(sums, &f, body);
    vec_push(&args, body);
    for (uint32_t j = 0; j < to.len; j++) {
        vec_push(&args, to.at[j]);
        vec_push(&args, expr_arg(exprs, part, 2 * j + 2));
    }
    *out = expr_reduce(exprs, (struct expr_reducer){(enum op)op, node.sym, node.k, f.type},
                       args.len, args.at);
    vec_release(&from);
    vec_release(&to);
    vec_release(&args);
    return ok;
}

bool coeff_order(struct coeff *sums, uint16_t op, expr_id e, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (sums->domain < 0 || dual(op) == N_OPS || (node.kind != X_OP && node.kind != X_OPVAR))
        return false;
    for (uint32_t i = 0; i < node.n; i++) {
        enum turn t = turn_of(sums, e, i, op);
        expr_id part = expr_arg(exprs, e, i), moved;
        if (t == NEITHER)
            continue;
        uint16_t below = t == KEEPS ? op : dual(op);
        if (coeff_order(sums, below, part, &moved))
            part = moved;
        const struct expr p = *expr_at(exprs, part);
        if (p.kind == X_REDUCE && p.op == below && into_reduce(sums, e, i, part, op, out))
            return true;
        if (p.kind != X_OP || p.op != below || !may_move(sums, &node, part))
            continue;
        expr_id pair[2] = {with_operand(exprs, e, i, expr_arg(exprs, part, 0)),
                           with_operand(exprs, e, i, expr_arg(exprs, part, 1))};
        *out = expr_op(exprs, (enum op)op, 0, node.type, 2, pair);
        return true;
    }
    return false;
}
