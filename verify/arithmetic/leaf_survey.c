// SPDX-License-Identifier: Apache-2.0
// What occurs in a leaf.
#include "verify/arithmetic/machine_leaf.h"

static bool dyadic(const struct expr *n)
{
    uint64_t k = n->k < 0 ? 0 - (uint64_t)n->k : (uint64_t)n->k;
    for (uint32_t i = 0; n->op == LIT_DECIMAL && i < n->sym; i++) {
        if (k % 5 != 0)
            return false; // k / 10^sym is no multiple of a power of 2
        k /= 5;
    }
    while (k != 0 && k % 2 == 0)
        k /= 2;
    return k < 256;
}

// A literal whose value is the same in every float format.
static bool exact_everywhere(const struct expr *n)
{
    if (n->op != LIT_INT && n->op != LIT_DECIMAL)
        return true;
    return n->k >= -256 * 100 && n->k <= 256 * 100 &&
           (n->op != LIT_INT || (n->k >= -256 && n->k <= 256)) && dyadic(n) &&
           (n->op != LIT_DECIMAL || n->sym <= 6);
}

// Operators that only compare elements, in any totally ordered domain, and
// those that commute with every order- and sign-preserving map of floats.
static void survey_order(struct session *s, enum domain d, const struct expr *n,
                         struct leaf_survey *v)
{
    bool extreme = n->op == LIT_LOWEST || n->op == LIT_HIGHEST;
    if (n->kind == X_LITERAL && type_in_domain(s->r, n->type, d)) {
        v->not_order |= !extreme;
        v->not_float_order |= !extreme && n->k != 0;
        return;
    }
    bool monotone =
        n->kind == X_OPVAR && s->r->opvars[n->sym].kind == OPVAR_MONOTONE;
    v->not_order |= n->kind == X_INJECT || (n->kind == X_OPVAR && !monotone);
    v->not_float_order |= n->kind == X_INJECT || n->kind == X_OPVAR;
    if (n->kind != X_OP || n->op == OP_SELECT || n->op == OP_COMPARE ||
        n->op == OP_MAXIMUM || n->op == OP_MINIMUM)
        return;
    // Operators on types that are i1 everywhere have one meaning.
    bool computes = false;
    for (uint32_t i = 0; i < n->n; i++)
        computes |= !emit_type_is_bool(
            s->r, expr_at(&s->x, s->x.args.at[n->at + i])->type);
    computes |= !emit_type_is_bool(s->r, n->type);
    bool sign = n->op == OP_NEGATE || n->op == OP_ABS || n->op == OP_IS_FINITE;
    v->not_order |= computes;
    v->not_float_order |= computes && !sign;
}

static void meet(struct session *s, uint32_t type, struct leaf_survey *v)
{
    for (uint32_t i = 0; i < v->n_met; i++)
        if (v->met[i] == type)
            return;
    if (emit_type_is_bool(s->r, type))
        return;
    if (v->n_met < sizeof v->met / sizeof *v->met)
        v->met[v->n_met++] = type;
    else
        v->many = true;
}

static void survey_types(struct session *s, expr_id e, struct leaf_survey *v)
{
    const struct expr *n = expr_at(&s->x, e);
    meet(s, n->type, v);
    for (uint32_t i = 0; i < n->n; i++) {
        uint32_t type = expr_at(&s->x, expr_arg(&s->x, e, i))->type;
        meet(s, type, v);
        v->converts |= n->op == OP_CONVERT && type != n->type &&
                       !emit_type_is_bool(s->r, type) &&
                       !emit_type_is_bool(s->r, n->type);
    }
}

static void survey_node(struct session *s, enum domain d, expr_id e,
                        struct leaf_survey *v)
{
    const struct exprs *x = &s->x;
    const struct expr *n = expr_at(x, e);
    if (n->kind == X_LITERAL && !exact_everywhere(n))
        v->rough_literal = true;
    survey_order(s, d, n, v);
    if (n->kind == X_OP)
        survey_types(s, e, v);
    v->divides |=
        n->kind == X_OP && (n->op == OP_DIVIDE || n->op == OP_REMAINDER);
    v->multiplies |= n->kind == X_OP && n->op == OP_MULTIPLY &&
                     expr_at(x, expr_arg(x, e, 0))->kind != X_LITERAL &&
                     expr_at(x, expr_arg(x, e, 1))->kind != X_LITERAL;
    if (n->kind != X_OP || n->op == OP_SELECT || n->op == OP_CONVERT)
        return;
    bool order =
        n->op == OP_MAXIMUM || n->op == OP_MINIMUM || n->op == OP_COMPARE;
    for (uint32_t i = 0; i < n->n; i++) {
        expr_id a = expr_arg(x, e, i);
        uint32_t type = expr_at(x, a)->type;
        if (!order && element_may_be_infinite(s, a))
            v->infinite_arithmetic = true;
        bool known = !type_in_domain(s->r, type, d);
        for (uint32_t k = 0; k < v->n_computed && !known; k++)
            known = v->computed[k] == type;
        if (!known && v->n_computed < 8)
            v->computed[v->n_computed++] = type;
    }
}

void leaf_survey_of(struct session *s, enum domain d, const struct leaf *f,
                    struct leaf_survey *v)
{
    *v = (struct leaf_survey){.n_computed = 0};
    expr_reach(&s->x, f->lhs, &v->all);
    expr_reach(&s->x, f->rhs, &v->all);
    for (uint32_t i = 0; i < f->holds.len; i++)
        expr_reach(&s->x, f->holds.at[i], &v->all);
    for (uint32_t i = 0; i < f->below.len; i++)
        expr_reach(&s->x, f->below.at[i], &v->all);
    for (uint32_t i = 0; i < v->all.len; i++)
        survey_node(s, d, v->all.at[i], v);
}
