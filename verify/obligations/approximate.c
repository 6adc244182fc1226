// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/approximate.h"
#include "verify/symbolic/real_error.h"

static bool is_float(const struct eval_env *env, expr_id e)
{
    return elem_kind(env->elem[expr_at(env->exprs, e)->type]) == KIND_FLOAT;
}

static bool tells(const struct eval_env *env, expr_id e, struct real_operand *out);

// Select has the elements between which it chooses behind its predicate.
static bool operator_tells(const struct eval_env *env, expr_id e, struct real_operand *out)
{
    const struct expr *node = expr_at(env->exprs, e);
    struct real_operand operand[3];
    uint32_t first = node->n > 2 ? 1 : 0;
    if (node->kind != X_OP || node->n == 0 || node->n > 3)
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        if (!tells(env, expr_arg(env->exprs, e, i), &operand[i]))
            return false;
    struct real_operand a = operand[first], b = operand[node->n - 1];
    if (node->op == OP_CLAMP || (node->op == OP_CONVERT && !is_float(env, e) && a.off > 0))
        return false;
    out->off =
        real_error_up_to(REAL_LARGEST, (enum op)node->op, a, b, is_float(env, e) ? out->x : 0);
    return out->off < REAL_UNKNOWN;
}

// The element, and how far it may be from the real number.  False if floats do not tell.
static bool tells(const struct eval_env *env, expr_id e, struct real_operand *out)
{
    const struct expr *node = expr_at(env->exprs, e);
    struct scalar scalar;
    if (!eval_elem(env, e, &scalar))
        return false;
    *out = (struct real_operand){scalar_to_double(env->elem[node->type], scalar), 0};
    if (node->kind == X_LITERAL && is_float(env, e) && !real_is_short(out->x))
        out->off = real_rounding(out->x);
    return node->kind == X_ACCESS || node->kind == X_SCALAR || node->kind == X_INJECT ||
           node->kind == X_LITERAL || operator_tells(env, e, out);
}

bool approximately_holds(const struct eval_env *env, expr_id e)
{
    struct real_operand truth;
    return tells(env, e, &truth) && truth.x != 0;
}
