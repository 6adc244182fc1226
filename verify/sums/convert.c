// SPDX-License-Identifier: Apache-2.0
// Words cut to a narrower type.
#include "verify/sums/parts.h"

bool coeff_is_wider(const struct rule *rule, uint32_t wide, uint32_t narrow)
{
    for (uint32_t i = 0; i < rule->n_wider; i++)
        if (rule->wider[i].wide == wide && rule->wider[i].narrow == narrow)
            return true;
    return false;
}

static expr_id converted(struct exprs *exprs, expr_id e, uint32_t type)
{
    return expr_op(exprs, OP_CONVERT, 0, type, 1, &e);
}

expr_id coeff_cut(struct coeff *sums, expr_id e, uint32_t to)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id out = NO_EXPR;
    if (node.kind == X_LITERAL && node.op == LIT_INT)
        return expr_literal(exprs, LIT_INT, node.k, 1, to);
    if (node.kind == X_INJECT)
        return expr_inject(exprs, expr_arg(exprs, e, 0), to);
    if (node.kind == X_OP && node.op == OP_CONVERT &&
        expr_at(exprs, expr_arg(exprs, e, 0))->type == to)
        return expr_arg(exprs, e, 0); // the type that is wider has its values
    bool sum = node.kind == X_REDUCE && node.op == OP_ADD;
    if (!sum && (node.kind != X_OP || (node.op != OP_ADD && node.op != OP_SUBTRACT &&
                                       node.op != OP_NEGATE && node.op != OP_MULTIPLY)))
        return NO_EXPR;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++) {
        expr_id a = expr_arg(exprs, e, i);
        vec_push(&args, sum && i > 0 ? a : converted(exprs, a, to));
    }
    out = sum ? expr_reduce(exprs, (struct expr_reducer){OP_ADD, node.sym, node.k, to}, args.len,
                            args.at)
              : expr_op(exprs, (enum op)node.op, 0, to, args.len, args.at);
    vec_release(&args);
    return out;
}
