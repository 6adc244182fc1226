// SPDX-License-Identifier: Apache-2.0
// Products and quotients of floats as unknown values, of which the solver is told only the sign
// and which of them are zero, infinite or NaN: far cheaper than circuits of products, and enough
// for leaves that compare them with zero.
#include "verify/arithmetic/machine_leaf.h"

static bool is_product(const struct expr *node)
{
    return node->kind == X_OP && (node->op == OP_MULTIPLY || node->op == OP_DIVIDE);
}

// Does the node order elements or touch their signs, and not more?
static bool is_sign(const struct session *session, const struct expr *node)
{
    if (node->kind != X_OP)
        return node->kind != X_OPVAR && node->kind != X_INJECT;
    bool truth = true;
    for (uint32_t i = 0; i < node->n; i++)
        truth &= emit_type_is_bool(
            session->rule, expr_at(&session->exprs, session->exprs.args.at[node->at + i])->type);
    return truth || node->op == OP_SELECT || node->op == OP_COMPARE || node->op == OP_MAXIMUM ||
           node->op == OP_MINIMUM || node->op == OP_NEGATE || node->op == OP_ABS ||
           node->op == OP_SIGN || node->op == OP_IS_FINITE;
}

bool leaf_is_about_signs(const struct session *session, const struct leaf *leaf,
                         const struct leaf_survey *survey)
{
    bool products = false;
    if (!emit_type_is_bool(session->rule, expr_at(&session->exprs, leaf->lhs)->type))
        return false;
    for (uint32_t i = 0; i < survey->all.len; i++) {
        const struct expr *node = expr_at(&session->exprs, survey->all.at[i]);
        if (expr_sort(&session->exprs, survey->all.at[i]) != SORT_ELEM)
            continue;
        products |= is_product(node);
        if (!is_product(node) && !is_sign(session, node))
            return false;
    }
    return products;
}

Z3_ast machine_product_fact(Z3_context context, bool divide, const Z3_ast *a, Z3_ast r)
{
    Z3_ast zero[3], infinite[3], negative[3], x[] = {a[0], a[1], r};
    for (int i = 0; i < 3; i++) {
        zero[i] = Z3_mk_fpa_is_zero(context, x[i]);
        infinite[i] = Z3_mk_fpa_is_infinite(context, x[i]);
        negative[i] = Z3_mk_fpa_is_negative(context, x[i]);
    }
    // A quotient is a product with the inverse, whose zeros are infinite and infinities zero.
    Z3_ast zero_by = divide ? infinite[1] : zero[1], infinite_by = divide ? zero[1] : infinite[1];
    Z3_ast none[] = {Z3_mk_fpa_is_nan(context, x[0]), Z3_mk_fpa_is_nan(context, x[1]),
                     Z3_mk_and(context, 2, (Z3_ast[]){zero[0], infinite_by}),
                     Z3_mk_and(context, 2, (Z3_ast[]){infinite[0], zero_by})};
    Z3_ast nan = Z3_mk_fpa_is_nan(context, r);
    Z3_ast number[] = {
        Z3_mk_eq(context, negative[2], Z3_mk_xor(context, negative[0], negative[1])),
        Z3_mk_implies(context, Z3_mk_or(context, 2, (Z3_ast[]){zero[0], zero_by}), zero[2]),
        Z3_mk_implies(context, Z3_mk_or(context, 2, (Z3_ast[]){infinite[0], infinite_by}),
                      infinite[2])};
    Z3_ast all[] = {Z3_mk_eq(context, nan, Z3_mk_or(context, 4, none)),
                    Z3_mk_or(context, 2, (Z3_ast[]){nan, Z3_mk_and(context, 3, number)})};
    return Z3_mk_and(context, 2, all);
}

void machine_product_facts(struct machine *machine, const struct u32_vec *all)
{
    struct session *session = machine->session;
    Z3_context context = session->smt.ctx;
    for (uint32_t i = 0; i < all->len; i++) {
        const struct expr node = *expr_at(&session->exprs, all->at[i]);
        if (expr_sort(&session->exprs, all->at[i]) != SORT_ELEM || !is_product(&node))
            continue;
        Z3_ast r = machine_term(machine, all->at[i]);
        Z3_ast a[] = {machine_term(machine, expr_arg(&session->exprs, all->at[i], 0)),
                      machine_term(machine, expr_arg(&session->exprs, all->at[i], 1))};
        if (Z3_get_sort_kind(context, Z3_get_sort(context, r)) == Z3_FLOATING_POINT_SORT)
            smt_assert(&session->smt, machine_product_fact(context, node.op == OP_DIVIDE, a, r));
    }
}
