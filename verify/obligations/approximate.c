// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/approximate.h"
#include "verify/symbolic/rounding.h"

static bool number(const struct eval_env *env, expr_id e, double *out)
{
    enum elem elem = env->elem[expr_at(env->exprs, e)->type];
    struct scalar scalar;
    if (!eval_elem(env, e, &scalar))
        return false;
    *out = scalar_to_double(elem, scalar);
    return true;
}

static bool is_float(const struct eval_env *env, expr_id e)
{
    return elem_kind(env->elem[expr_at(env->exprs, e)->type]) == KIND_FLOAT;
}

static bool is_exact(const struct eval_env *env, expr_id e);

// An exact zero decides a product.  A function has a value at 0 that floats have, if it has one.
static bool zero_decides(const struct eval_env *env, expr_id e)
{
    const struct expr *node = expr_at(env->exprs, e);
    bool function = node->n == 1 && op_is_transcendental((enum op)node->op);
    for (uint32_t i = 0; (function || node->op == OP_MULTIPLY) && i < node->n; i++) {
        double x;
        expr_id in = expr_arg(env->exprs, e, i);
        if (number(env, in, &x) && x == 0 && is_exact(env, in))
            return true;
    }
    return false;
}

// Is the float the real number itself?
static bool is_exact(const struct eval_env *env, expr_id e)
{
    const struct expr *node = expr_at(env->exprs, e);
    double x;
    if (!number(env, e, &x) || (is_float(env, e) && !rounding_dyadic(x)))
        return false;
    if (node->kind != X_OP)
        return node->kind == X_ACCESS || node->kind == X_SCALAR || node->kind == X_LITERAL ||
               node->kind == X_INJECT;
    if (zero_decides(env, e))
        return true;
    if (op_is_transcendental((enum op)node->op))
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        if (!is_exact(env, expr_arg(env->exprs, e, i)))
            return false;
    return true;
}

// Do the node's operands, some of them rounded, leave its value where it is?
static bool keeps_error_small(const struct eval_env *env, expr_id e)
{
    const struct expr *node = expr_at(env->exprs, e);
    expr_id first = expr_arg(env->exprs, e, 0);
    double a, b, r;
    return is_float(env, first) && number(env, first, &a) &&
           number(env, node->n > 1 ? expr_arg(env->exprs, e, 1) : first, &b) &&
           number(env, e, &r) && rounding_step_is_safe((enum op)node->op, a, b, r);
}

// Say floats what the element is, up to a small relative error?
static bool tells(const struct eval_env *env, expr_id e)
{
    const struct expr *node = expr_at(env->exprs, e);
    bool exact = true;
    double x;
    if (is_exact(env, e))
        return true;
    if (node->kind != X_OP || !number(env, e, &x) ||
        (is_float(env, e) && !(fabs(x) <= ROUNDING_LARGE)))
        return node->kind == X_ACCESS || node->kind == X_SCALAR || node->kind == X_LITERAL;
    for (uint32_t i = 0; i < node->n; i++) {
        expr_id in = expr_arg(env->exprs, e, i);
        if (!tells(env, in))
            return false;
        exact = exact && (!is_float(env, in) || is_exact(env, in));
    }
    return exact || !is_float(env, expr_arg(env->exprs, e, 0)) || keeps_error_small(env, e);
}

bool approximately_holds(const struct eval_env *env, expr_id e)
{
    struct scalar truth;
    return tells(env, e) && eval_elem(env, e, &truth) && truth.bits != 0;
}
