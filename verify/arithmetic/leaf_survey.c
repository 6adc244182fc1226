// SPDX-License-Identifier: Apache-2.0
// Survey of a leaf: which types and operators occur in it.
#include "verify/arithmetic/float_identities.h"
#include "verify/arithmetic/machine_leaf.h"
#include "verify/limits.h"

// Notes operators that do more than compare elements (in any totally ordered domain), and
// operators that do not commute with every map of floats that keeps order and sign.
static void survey_order(struct session *session, enum domain domain, const struct expr *node,
                         struct leaf_survey *survey)
{
    bool extreme = node->op == LIT_LOWEST || node->op == LIT_HIGHEST;
    if (node->kind == X_LITERAL && type_in_domain(session->rule, node->type, domain)) {
        survey->not_order |= !extreme;
        survey->not_float_order |= !extreme && node->k != 0;
        return;
    }
    bool monotone =
        node->kind == X_OPVAR && session->rule->opvars[node->sym].kind == OPVAR_MONOTONE;
    survey->not_order |= node->kind == X_INJECT || (node->kind == X_OPVAR && !monotone);
    survey->not_float_order |= node->kind == X_INJECT || node->kind == X_OPVAR;
    survey->beyond_order |= node->kind == X_INJECT || node->kind == X_OPVAR;
    if (node->kind != X_OP || node->op == OP_SELECT || node->op == OP_COMPARE ||
        node->op == OP_MAXIMUM || node->op == OP_MINIMUM)
        return;
    // Operators on types that are i1 everywhere have a fixed meaning.
    bool computes = false;
    for (uint32_t i = 0; i < node->n; i++)
        computes |= !emit_type_is_bool(
            session->rule, expr_at(&session->exprs, session->exprs.args.at[node->at + i])->type);
    computes |= !emit_type_is_bool(session->rule, node->type);
    bool sign = node->op == OP_NEGATE || node->op == OP_ABS || node->op == OP_IS_FINITE;
    survey->not_order |= computes;
    survey->not_float_order |= computes && !sign;
    survey->beyond_order |= computes && !sign && node->op != OP_CONVERT;
}

static void meet(struct session *session, uint32_t type, struct leaf_survey *survey)
{
    for (uint32_t i = 0; i < survey->n_met; i++)
        if (survey->met[i] == type)
            return;
    if (emit_type_is_bool(session->rule, type))
        return;
    if (survey->n_met < sizeof survey->met / sizeof *survey->met)
        survey->met[survey->n_met++] = type;
    else
        survey->many = true;
}

static void survey_types(struct session *session, expr_id e, struct leaf_survey *survey)
{
    const struct expr *node = expr_at(&session->exprs, e);
    meet(session, node->type, survey);
    for (uint32_t i = 0; i < node->n; i++) {
        uint32_t type = expr_at(&session->exprs, expr_arg(&session->exprs, e, i))->type;
        meet(session, type, survey);
        survey->converts |= node->op == OP_CONVERT && type != node->type &&
                            !emit_type_is_bool(session->rule, type) &&
                            !emit_type_is_bool(session->rule, node->type);
    }
}

static void survey_node(struct session *session, enum domain domain, expr_id e,
                        struct leaf_survey *survey)
{
    const struct exprs *exprs = &session->exprs;
    const struct expr *node = expr_at(exprs, e);
    if (node->kind == X_LITERAL && !literal_in_every_format(node))
        survey->rough_literal = true;
    survey_order(session, domain, node, survey);
    if (node->kind == X_OP)
        survey_types(session, e, survey);
    survey->divides |= node->kind == X_OP && (node->op == OP_DIVIDE || node->op == OP_REMAINDER);
    survey->multiplies |= node->kind == X_OP && node->op == OP_MULTIPLY &&
                          expr_at(exprs, expr_arg(exprs, e, 0))->kind != X_LITERAL &&
                          expr_at(exprs, expr_arg(exprs, e, 1))->kind != X_LITERAL;
    if (node->kind != X_OP || node->op == OP_SELECT || node->op == OP_CONVERT)
        return;
    bool order = node->op == OP_MAXIMUM || node->op == OP_MINIMUM || node->op == OP_COMPARE;
    for (uint32_t i = 0; i < node->n; i++) {
        expr_id a = expr_arg(exprs, e, i);
        uint32_t type = expr_at(exprs, a)->type;
        if (!order && element_may_be_infinite(session, a))
            survey->infinite_arithmetic = true;
        bool known = !type_in_domain(session->rule, type, domain);
        for (uint32_t k = 0; k < survey->n_computed && !known; k++)
            known = survey->computed[k] == type;
        if (!known && survey->n_computed < VERIFY_LEAF_COMPUTED_TYPES)
            survey->computed[survey->n_computed++] = type;
    }
}

void leaf_survey_of(struct session *session, enum domain domain, const struct leaf *leaf,
                    struct leaf_survey *survey)
{
    *survey = (struct leaf_survey){.n_computed = 0};
    expr_reach(&session->exprs, leaf->lhs, &survey->all);
    expr_reach(&session->exprs, leaf->rhs, &survey->all);
    survey->n_sides = survey->all.len;
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        expr_reach(&session->exprs, leaf->holds.at[i], &survey->all);
    for (uint32_t i = 0; i < leaf->below.len; i++)
        expr_reach(&session->exprs, leaf->below.at[i], &survey->all);
    for (uint32_t i = 0; i < survey->all.len; i++)
        survey_node(session, domain, survey->all.at[i], survey);
}
