// SPDX-License-Identifier: Apache-2.0
// Words cut to a narrower type.
#include "verify/sums/parts.h"

bool coeff_is_wider(const struct rule *r, uint32_t wide, uint32_t narrow)
{
    for (uint32_t i = 0; i < r->n_wider; i++)
        if (r->wider[i].wide == wide && r->wider[i].narrow == narrow)
            return true;
    return false;
}

static expr_id converted(struct exprs *x, expr_id e, uint32_t type)
{
    return expr_op(x, OP_CONVERT, 0, type, 1, &e);
}

expr_id coeff_cut(struct coeff *k, expr_id e, uint32_t to)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id out = NO_EXPR;
    if (n.kind == X_LITERAL && n.op == LIT_INT)
        return expr_literal(x, LIT_INT, n.k, 1, to);
    if (n.kind == X_INJECT)
        return expr_inject(x, expr_arg(x, e, 0), to);
    if (n.kind == X_OP && n.op == OP_CONVERT &&
        expr_at(x, expr_arg(x, e, 0))->type == to)
        return expr_arg(x, e, 0); // the type that is wider has its values
    bool sum = n.kind == X_REDUCE && n.op == OP_ADD;
    if (!sum && (n.kind != X_OP || (n.op != OP_ADD && n.op != OP_SUBTRACT &&
                                    n.op != OP_NEGATE && n.op != OP_MULTIPLY)))
        return NO_EXPR;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++) {
        expr_id a = expr_arg(x, e, i);
        vec_push(&args, sum && i > 0 ? a : converted(x, a, to));
    }
    out = sum ? expr_reduce(x, OP_ADD, n.sym, n.k, to, args.len, args.at)
              : expr_op(x, (enum op)n.op, 0, to, args.len, args.at);
    vec_release(&args);
    return out;
}
