// SPDX-License-Identifier: Apache-2.0
// What holds of single elements of a leaf.
#include "verify/integers/translate.h"
#include "verify/arithmetic/leaf.h"

bool type_in_domain(const struct rule *r, uint32_t type, enum domain d)
{
    return !emit_type_is_bool(r, type) &&
           (r->types[type].kinds & domain_kinds(d)) != 0;
}

bool element_may_be_infinite(const struct session *s, expr_id e)
{
    const struct expr *n = expr_at(&s->x, e);
    bool any = false;
    if (emit_type_is_bool(s->r, n->type))
        return false;
    switch ((enum expr_kind)n->kind) {
    case X_LITERAL:
        return n->op == LIT_LOWEST || n->op == LIT_HIGHEST || n->op == LIT_UNIT;
    case X_ATOM:
        if (n->k < 0) // renamed by leaf.c: odd numbers may be infinite
            return (-n->k & 1) != 0;
        return element_may_be_infinite(s, (expr_id)n->k);
    case X_REDUCE: // the unit of an empty maximum or minimum
        if (n->op != OP_ADD && n->op != OP_MULTIPLY)
            return true;
        return element_may_be_infinite(s, expr_arg(&s->x, e, 0));
    case X_OP: // finite of finite; of an infinity nothing is known
    case X_OPVAR:
    case X_PICK:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < n->n && !any; i++)
        any = expr_sort(&s->x, expr_arg(&s->x, e, i)) == SORT_ELEM &&
              element_may_be_infinite(s, expr_arg(&s->x, e, i));
    return any;
}

// An element that is an index: int and real have all integers.
static bool index_value(struct session *s, int d, expr_id e, expr_id *out)
{
    struct exprs *x = &s->x;
    const struct expr n = *expr_at(x, e);
    bool exact = (d == DOMAIN_INT || d == DOMAIN_REAL) &&
                 type_in_domain(s->r, n.type, (enum domain)d);
    if (exact && n.kind == X_INJECT)
        *out = expr_arg(x, e, 0);
    else if (exact && n.kind == X_LITERAL && n.op == LIT_INT && n.sym == 0)
        *out = expr_int(x, n.k);
    else
        return false;
    return true;
}

bool index_comparison(struct session *s, int d, expr_id e, expr_id *out)
{
    struct exprs *x = &s->x;
    const struct expr n = *expr_at(x, e);
    expr_id a, b;
    if (n.kind != X_OP || n.op != OP_COMPARE ||
        !index_value(s, d, expr_arg(x, e, 0), &a) ||
        !index_value(s, d, expr_arg(x, e, 1), &b))
        return false;
    switch ((enum compare_dir)n.sym) {
    case CMP_EQ:
        *out = expr_eq(x, a, b);
        return true;
    case CMP_LT:
        *out = expr_lt(x, a, b);
        return true;
    case CMP_LE:
        *out = expr_le(x, a, b);
        return true;
    default:
        return false;
    }
}

static bool is_monotone(const struct session *s, const struct expr *n)
{
    return n->kind == X_OPVAR && s->r->opvars[n->sym].kind == OPVAR_MONOTONE;
}

void monotone_pairs(const struct session *s, const struct u32_vec *all,
                    struct u32_vec *out)
{
    for (uint32_t i = 0; i < all->len; i++)
        for (uint32_t k = 0; k < all->len; k++) {
            const struct expr *p = expr_at(&s->x, all->at[i]);
            const struct expr *q = expr_at(&s->x, all->at[k]);
            if (i == k || !is_monotone(s, p) || q->kind != X_OPVAR ||
                p->sym != q->sym)
                continue;
            vec_push(out, expr_arg(&s->x, all->at[i], 0));
            vec_push(out, expr_arg(&s->x, all->at[k], 0));
            vec_push(out, all->at[i]);
            vec_push(out, all->at[k]);
        }
}
