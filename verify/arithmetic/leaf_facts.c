// SPDX-License-Identifier: Apache-2.0
// What a query about a leaf is told besides the leaf.
#include "verify/arithmetic/machine_leaf.h"

void leaf_infinity_facts(struct machine *m, const struct u32_vec *all)
{
    struct exprs *x = &m->s->x;
    Z3_context c = m->s->smt.ctx;
    for (uint32_t i = 0; i < all->len; i++) {
        // A copy: making literals below may move the nodes.
        const struct expr n = *expr_at(x, all->at[i]);
        if (n.kind != X_LITERAL ||
            (n.op != LIT_LOWEST && n.op != LIT_HIGHEST) ||
            !type_in_domain(m->s->r, n.type, m->d))
            continue;
        Z3_ast inf = machine_term(m, all->at[i]);
        for (uint32_t j = 0; j < all->len; j++) {
            expr_id e = all->at[j];
            if (i == j || expr_sort(x, e) != SORT_ELEM ||
                expr_at(x, e)->type != n.type)
                continue;
            bool loose = m->order || element_may_be_infinite(m->s, e);
            Z3_ast v = machine_term(m, e);
            bool low = n.op == LIT_LOWEST;
            Z3_ast lo = low ? inf : v, hi = low ? v : inf;
            smt_assert(&m->s->smt,
                       loose ? Z3_mk_le(c, lo, hi) : Z3_mk_lt(c, lo, hi));
        }
        if (m->order)
            continue;
        smt_assert(
            &m->s->smt,
            Z3_mk_lt(c,
                     machine_named(m, "literal",
                                   expr_literal(x, LIT_LOWEST, 0, 0, n.type),
                                   n.type),
                     machine_named(m, "literal",
                                   expr_literal(x, LIT_HIGHEST, 0, 0, n.type),
                                   n.type)));
    }
}

static bool plain_poly(struct session *s, struct poly a)
{
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono q = s->p.mono.at[a.t[i].mono];
        for (uint32_t k = 0; k < q.n; k++)
            if (expr_at(&s->x, s->p.atoms.at[q.at + k])->kind != X_VAR)
                return false;
    }
    return true;
}

void leaf_index_facts(struct machine *m, const struct leaf *f,
                      const struct leaf_survey *v)
{
    struct session *s = m->s;
    bool injects = false;
    for (uint32_t i = 0; i < v->all.len; i++)
        injects |= expr_at(&s->x, v->all.at[i])->kind == X_INJECT;
    for (uint32_t i = 0; i < f->hyps->len && injects; i++) {
        expr_id h = canon(&s->p, f->hyps->at[i]);
        uint32_t n =
            expr_at(&s->x, h)->kind == X_AND ? expr_at(&s->x, h)->n : 1;
        for (uint32_t k = 0; k < n; k++) {
            expr_id e =
                expr_at(&s->x, h)->kind == X_AND ? expr_arg(&s->x, h, k) : h;
            if (expr_at(&s->x, e)->kind != X_LE)
                continue;
            struct poly a =
                poly_add(&s->p, poly_of(&s->p, expr_arg(&s->x, e, 1)),
                         poly_of(&s->p, expr_arg(&s->x, e, 0)), -1);
            if (plain_poly(s, a))
                smt_assert(&s->smt,
                           Z3_mk_ge(s->smt.ctx, machine_real_poly(m, a),
                                    Z3_mk_int64(s->smt.ctx, 0,
                                                Z3_mk_real_sort(s->smt.ctx))));
        }
    }
}

static bool is_float(struct machine *m, Z3_ast a)
{
    Z3_context c = m->s->smt.ctx;
    return Z3_get_sort_kind(c, Z3_get_sort(c, a)) == Z3_FLOATING_POINT_SORT;
}

Z3_ast leaf_agree(struct machine *m, Z3_ast a, Z3_ast b)
{
    Z3_context c = m->s->smt.ctx;
    enum grade goal = m->s->goal;
    Z3_ast same = Z3_mk_eq(c, a, b);
    if ((goal != GRADE_ZERO_SIGN && goal != GRADE_FINITE_ZERO_SIGN) ||
        !is_float(m, a))
        return same;
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(c, a), Z3_mk_fpa_is_zero(c, b)};
    return Z3_mk_or(c, 2, (Z3_ast[]){same, Z3_mk_and(c, 2, zeros)});
}

void leaf_finite_facts(struct machine *m, const struct leaf_survey *v)
{
    struct session *s = m->s;
    Z3_context c = s->smt.ctx;
    if (m->d != DOMAIN_FLOAT ||
        (s->goal != GRADE_FINITE && s->goal != GRADE_FINITE_ZERO_SIGN))
        return;
    for (uint32_t i = 0; i < v->all.len; i++) {
        if (expr_sort(&s->x, v->all.at[i]) != SORT_ELEM)
            continue;
        Z3_ast a = machine_term(m, v->all.at[i]);
        if (!is_float(m, a))
            continue;
        Z3_ast odd[] = {Z3_mk_fpa_is_nan(c, a), Z3_mk_fpa_is_infinite(c, a)};
        smt_assert(&s->smt, Z3_mk_not(c, Z3_mk_or(c, 2, odd)));
    }
}

// a <= b where the type is an order; NULL: floats, and what is uninterpreted.
static Z3_ast at_most(struct machine *m, uint32_t type, Z3_ast a, Z3_ast b)
{
    Z3_context c = m->s->smt.ctx;
    bool is_signed =
        m->of == NULL ? m->is_signed : elem_kind(m->of[type]) == KIND_SINT;
    switch (Z3_get_sort_kind(c, Z3_get_sort(c, a))) {
    case Z3_BOOL_SORT:
        return Z3_mk_implies(c, a, b);
    case Z3_REAL_SORT:
        return Z3_mk_le(c, a, b);
    case Z3_BV_SORT:
        return is_signed ? Z3_mk_bvsle(c, a, b) : Z3_mk_bvule(c, a, b);
    default:
        return NULL;
    }
}

void leaf_monotone_facts(struct machine *m, const struct leaf_survey *v)
{
    struct session *s = m->s;
    struct u32_vec pairs = {0};
    monotone_pairs(s, &v->all, &pairs);
    for (uint32_t i = 0; i < pairs.len; i += 4) {
        Z3_ast a[4];
        for (uint32_t k = 0; k < 4; k++)
            a[k] = machine_term(m, pairs.at[i + k]);
        uint32_t from = expr_at(&s->x, pairs.at[i])->type;
        uint32_t to = expr_at(&s->x, pairs.at[i + 2])->type;
        Z3_ast below = at_most(m, from, a[0], a[1]);
        Z3_ast kept = at_most(m, to, a[2], a[3]);
        if (below != NULL && kept != NULL)
            smt_assert(&s->smt, Z3_mk_implies(s->smt.ctx, below, kept));
    }
    vec_release(&pairs);
}
