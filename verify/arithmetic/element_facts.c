// SPDX-License-Identifier: Apache-2.0
// Facts about single elements of a leaf.
#include "verify/integers/translate.h"
#include "verify/arithmetic/leaf.h"

bool type_in_domain(const struct rule *rule, uint32_t type, enum domain domain)
{
    return !emit_type_is_bool(rule, type) && (rule->types[type].kinds & domain_kinds(domain)) != 0;
}

bool element_may_be_infinite(const struct session *session, expr_id e)
{
    const struct expr *node = expr_at(&session->exprs, e);
    bool any = false;
    if (emit_type_is_bool(session->rule, node->type))
        return false;
    switch ((enum expr_kind)node->kind) {
    case X_LITERAL:
        return node->op == LIT_LOWEST || node->op == LIT_HIGHEST || node->op == LIT_UNIT;
    case X_ATOM:
        if (node->k < 0) // renamed by elements/cases.c: odd numbers may be infinite
            return (-node->k & 1) != 0;
        return element_may_be_infinite(session, (expr_id)node->k);
    case X_REDUCE: // the unit of an empty maximum or minimum
        if (node->op != OP_ADD && node->op != OP_MULTIPLY)
            return true;
        return element_may_be_infinite(session, expr_arg(&session->exprs, e, 0));
    case X_OP: // finite of finite; of an infinity nothing is known
    case X_OPVAR:
    case X_PICK:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < node->n && !any; i++)
        any = expr_sort(&session->exprs, expr_arg(&session->exprs, e, i)) == SORT_ELEM &&
              element_may_be_infinite(session, expr_arg(&session->exprs, e, i));
    return any;
}

// Is the element an index?  Then its type has that number, since int and real have all
// integers.
static bool index_value(struct session *session, int d, expr_id e, expr_id *out)
{
    struct exprs *exprs = &session->exprs;
    const struct expr node = *expr_at(exprs, e);
    bool exact = (d == DOMAIN_INT || d == DOMAIN_REAL) &&
                 type_in_domain(session->rule, node.type, (enum domain)d);
    if (exact && node.kind == X_INJECT)
        *out = expr_arg(exprs, e, 0);
    else if (exact && node.kind == X_LITERAL && node.op == LIT_INT && node.sym == 0)
        *out = expr_int(exprs, node.k);
    else
        return false;
    return true;
}

bool index_comparison(struct session *session, int d, expr_id e, expr_id *out)
{
    struct exprs *exprs = &session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id a, b;
    if (node.kind != X_OP || node.op != OP_COMPARE ||
        !index_value(session, d, expr_arg(exprs, e, 0), &a) ||
        !index_value(session, d, expr_arg(exprs, e, 1), &b))
        return false;
    switch ((enum compare_dir)node.sym) {
    case CMP_EQ:
        *out = expr_eq(exprs, a, b);
        return true;
    case CMP_LT:
        *out = expr_lt(exprs, a, b);
        return true;
    case CMP_LE:
        *out = expr_le(exprs, a, b);
        return true;
    default:
        return false;
    }
}

static bool is_monotone(const struct session *session, const struct expr *node)
{
    return node->kind == X_OPVAR && session->rule->opvars[node->sym].kind == OPVAR_MONOTONE;
}

void monotone_pairs(const struct session *session, const struct u32_vec *all, struct u32_vec *out)
{
    for (uint32_t i = 0; i < all->len; i++)
        for (uint32_t k = 0; k < all->len; k++) {
            const struct expr *node = expr_at(&session->exprs, all->at[i]);
            const struct expr *q = expr_at(&session->exprs, all->at[k]);
            if (i == k || !is_monotone(session, node) || q->kind != X_OPVAR || node->sym != q->sym)
                continue;
            vec_push(out, expr_arg(&session->exprs, all->at[i], 0));
            vec_push(out, expr_arg(&session->exprs, all->at[k], 0));
            vec_push(out, all->at[i]);
            vec_push(out, all->at[k]);
        }
}
