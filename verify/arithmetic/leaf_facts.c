// SPDX-License-Identifier: Apache-2.0
// Facts that a query about a leaf is told in addition to the leaf.
#include "verify/arithmetic/machine_leaf.h"

void leaf_infinity_facts(struct machine *machine, const struct u32_vec *all)
{
    struct exprs *exprs = &machine->session->exprs;
    Z3_context context = machine->session->smt.ctx;
    for (uint32_t i = 0; i < all->len; i++) {
        // A copy: making literals below may move the nodes.
        const struct expr node = *expr_at(exprs, all->at[i]);
        if (node.kind != X_LITERAL || (node.op != LIT_LOWEST && node.op != LIT_HIGHEST) ||
            !type_in_domain(machine->session->rule, node.type, machine->domain))
            continue;
        Z3_ast inf = machine_term(machine, all->at[i]);
        for (uint32_t j = 0; j < all->len; j++) {
            expr_id e = all->at[j];
            if (i == j || expr_sort(exprs, e) != SORT_ELEM || expr_at(exprs, e)->type != node.type)
                continue;
            bool loose = machine->order || element_may_be_infinite(machine->session, e);
            Z3_ast v = machine_term(machine, e);
            bool low = node.op == LIT_LOWEST;
            Z3_ast lo = low ? inf : v, hi = low ? v : inf;
            smt_assert(&machine->session->smt,
                       loose ? Z3_mk_le(context, lo, hi) : Z3_mk_lt(context, lo, hi));
        }
        if (machine->order)
            continue;
        smt_assert(
            &machine->session->smt,
            Z3_mk_lt(context,
                     machine_named(machine, "literal",
                                   expr_literal(exprs, LIT_LOWEST, 0, 0, node.type), node.type),
                     machine_named(machine, "literal",
                                   expr_literal(exprs, LIT_HIGHEST, 0, 0, node.type), node.type)));
    }
}

static bool plain_poly(struct session *session, struct poly poly)
{
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = session->polys.mono.at[poly.term[i].mono];
        for (uint32_t k = 0; k < mono.n; k++)
            if (expr_at(&session->exprs, session->polys.atoms.at[mono.at + k])->kind != X_VAR)
                return false;
    }
    return true;
}

void leaf_index_facts(struct machine *machine, const struct leaf *leaf,
                      const struct leaf_survey *survey)
{
    struct session *session = machine->session;
    bool injects = false;
    for (uint32_t i = 0; i < survey->all.len; i++)
        injects |= expr_at(&session->exprs, survey->all.at[i])->kind == X_INJECT;
    for (uint32_t i = 0; i < leaf->hyps->len && injects; i++) {
        expr_id h = canon(&session->polys, leaf->hyps->at[i]);
        uint32_t n =
            expr_at(&session->exprs, h)->kind == X_AND ? expr_at(&session->exprs, h)->n : 1;
        for (uint32_t k = 0; k < n; k++) {
            expr_id e =
                expr_at(&session->exprs, h)->kind == X_AND ? expr_arg(&session->exprs, h, k) : h;
            if (expr_at(&session->exprs, e)->kind != X_LE)
                continue;
            struct poly poly =
                poly_add(&session->polys, poly_of(&session->polys, expr_arg(&session->exprs, e, 1)),
                         poly_of(&session->polys, expr_arg(&session->exprs, e, 0)), -1);
            if (plain_poly(session, poly))
                smt_assert(
                    &session->smt,
                    Z3_mk_ge(session->smt.ctx, machine_real_poly(machine, poly),
                             Z3_mk_int64(session->smt.ctx, 0, Z3_mk_real_sort(session->smt.ctx))));
        }
    }
}

void leaf_remainder_facts(struct machine *machine, const struct leaf_survey *survey)
{
    const struct exprs *exprs = &machine->session->exprs;
    Z3_context context = machine->session->smt.ctx;
    for (uint32_t i = 0; i < survey->all.len; i++) {
        expr_id e = survey->all.at[i];
        const struct expr *node = expr_at(exprs, e);
        if (node->kind != X_OP || node->op != OP_REMAINDER ||
            expr_arg(exprs, e, 0) != expr_arg(exprs, e, 1) ||
            !type_in_domain(machine->session->rule, node->type, machine->domain))
            continue;
        Z3_ast x = machine_term(machine, expr_arg(exprs, e, 0));
        Z3_ast zero = Z3_mk_int64(context, 0, Z3_get_sort(context, x));
        Z3_ast either[] = {Z3_mk_eq(context, x, zero),
                           Z3_mk_eq(context, machine_term(machine, e), zero)};
        smt_assert(&machine->session->smt, Z3_mk_or(context, 2, either));
    }
}

static bool is_float(struct machine *machine, Z3_ast a)
{
    Z3_context context = machine->session->smt.ctx;
    return Z3_get_sort_kind(context, Z3_get_sort(context, a)) == Z3_FLOATING_POINT_SORT;
}

Z3_ast leaf_agree(struct machine *machine, Z3_ast a, Z3_ast b)
{
    Z3_context context = machine->session->smt.ctx;
    enum grade goal = machine->session->goal;
    Z3_ast sides[2] = {a, b};
    machine_integers(machine, sides);
    Z3_ast same = Z3_mk_eq(context, sides[0], sides[1]);
    if ((goal != GRADE_ZERO_SIGN && goal != GRADE_FINITE_ZERO_SIGN) || !is_float(machine, a))
        return same;
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(context, a), Z3_mk_fpa_is_zero(context, b)};
    return Z3_mk_or(context, 2, (Z3_ast[]){same, Z3_mk_and(context, 2, zeros)});
}

void leaf_finite_facts(struct machine *machine, const struct leaf_survey *survey)
{
    struct session *session = machine->session;
    Z3_context context = session->smt.ctx;
    if (machine->domain != DOMAIN_FLOAT ||
        (session->goal != GRADE_FINITE && session->goal != GRADE_FINITE_ZERO_SIGN))
        return;
    for (uint32_t i = 0; i < survey->n_sides; i++) {
        if (expr_sort(&session->exprs, survey->all.at[i]) != SORT_ELEM)
            continue;
        Z3_ast a = machine_term(machine, survey->all.at[i]);
        if (!is_float(machine, a))
            continue;
        Z3_ast odd[] = {Z3_mk_fpa_is_nan(context, a), Z3_mk_fpa_is_infinite(context, a)};
        smt_assert(&session->smt, Z3_mk_not(context, Z3_mk_or(context, 2, odd)));
    }
}

// a <= b if the type is ordered; NULL for floats and uninterpreted types.
static Z3_ast at_most(struct machine *machine, uint32_t type, Z3_ast a, Z3_ast b)
{
    Z3_context context = machine->session->smt.ctx;
    bool is_signed =
        machine->of == NULL ? machine->is_signed : elem_kind(machine->of[type]) == KIND_SINT;
    switch (Z3_get_sort_kind(context, Z3_get_sort(context, a))) {
    case Z3_BOOL_SORT:
        return Z3_mk_implies(context, a, b);
    case Z3_REAL_SORT:
        return Z3_mk_le(context, a, b);
    case Z3_BV_SORT:
        return is_signed ? Z3_mk_bvsle(context, a, b) : Z3_mk_bvule(context, a, b);
    default:
        return NULL;
    }
}

void leaf_monotone_facts(struct machine *machine, const struct leaf_survey *survey)
{
    struct session *session = machine->session;
    struct u32_vec pairs = {0};
    monotone_pairs(session, &survey->all, &pairs);
    for (uint32_t i = 0; i < pairs.len; i += 4) {
        Z3_ast a[4];
        for (uint32_t k = 0; k < 4; k++)
            a[k] = machine_term(machine, pairs.at[i + k]);
        uint32_t from = expr_at(&session->exprs, pairs.at[i])->type;
        uint32_t to = expr_at(&session->exprs, pairs.at[i + 2])->type;
        Z3_ast below = at_most(machine, from, a[0], a[1]);
        Z3_ast kept = at_most(machine, to, a[2], a[3]);
        if (below != NULL && kept != NULL)
            smt_assert(&session->smt, Z3_mk_implies(session->smt.ctx, below, kept));
    }
    vec_release(&pairs);
}
