// SPDX-License-Identifier: Apache-2.0
// Eliminates binders one by one, each by an equivalence over the integers (docs/proving.md
// lists them).
#include "verify/sums/parts.h"
#include "verify/limits.h"

static void substitute(struct coeff *sums, struct cterm *term, expr_id from, expr_id to)
{
    struct exprs *exprs = &sums->session->exprs;
    for (uint32_t i = 0; i < term->n_guards; i++)
        term->guard[i].e =
            canon(&sums->session->polys, expr_subst(exprs, term->guard[i].e, 1, &from, &to));
    for (uint32_t i = 0; i < term->n_counts; i++)
        term->count[i].e =
            canon(&sums->session->polys, expr_subst(exprs, term->count[i].e, 1, &from, &to));
}

void coeff_drop_guard(struct cterm *term, uint32_t i)
{
    term->guard[i] = term->guard[--term->n_guards];
}

void coeff_drop_binder(struct cterm *term, uint32_t i)
{
    for (term->n_binders--; i < term->n_binders; i++)
        term->binder[i] = term->binder[i + 1];
}

static bool add_guard(struct coeff *sums, struct cterm *term, expr_id e, uint32_t family)
{
    e = canon(&sums->session->polys, e);
    if (term->n_guards == VERIFY_SUM_GUARDS)
        return coeff_fail(sums, "too many conditions");
    term->guard[term->n_guards++] = (struct cguard){e, family};
    return true;
}

bool coeff_tidy(struct coeff *sums, struct cterm *term, bool *zero)
{
    struct exprs *exprs = &sums->session->exprs;
    *zero = false;
    for (uint32_t i = 0; i < term->n_guards;) {
        struct cguard guard = term->guard[i];
        guard.e = term->guard[i].e = canon(&sums->session->polys, guard.e);
        const struct expr node = *expr_at(exprs, guard.e);
        bool repeats = node.kind == X_TRUE;
        for (uint32_t j = 0; j < i && !repeats; j++)
            repeats = term->guard[j].e == guard.e && term->guard[j].family == guard.family;
        if (repeats) {
            coeff_drop_guard(term, i);
            continue;
        }
        if (node.kind == X_AND) {
            coeff_drop_guard(term, i);
            for (uint32_t j = 0; j < node.n; j++)
                if (!add_guard(sums, term, expr_arg(exprs, guard.e, j), guard.family))
                    return false;
            continue;
        }
        if (node.kind == X_FALSE && !coeff_may_be_empty(sums, guard.family))
            *zero = true; // at least one axis, and none meets the guard
        i++;
    }
    for (uint32_t i = 0; i < term->n_counts; i++) {
        if (expr_is_int(exprs, term->count[i].e, 0) &&
            !coeff_may_be_empty(sums, term->count[i].family))
            *zero = true;
        if (expr_is_int(exprs, term->count[i].e, 1))
            term->count[i--] = term->count[--term->n_counts];
    }
    return true;
}

struct poly coeff_guard_poly(struct coeff *sums, expr_id e)
{
    struct polys *polys = &sums->session->polys;
    return poly_add(polys, poly_of(polys, expr_arg(polys->exprs, e, 1)),
                    poly_of(polys, expr_arg(polys->exprs, e, 0)), -1);
}

// a = d * v + rest, where v occurs in neither.
bool coeff_linear_in(struct coeff *sums, struct poly a, expr_id v, struct poly *d,
                     struct poly *rest)
{
    struct polys *polys = &sums->session->polys;
    *d = *rest = (struct poly){0, NULL};
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono mono = polys->mono.at[a.term[i].mono];
        uint32_t found = 0, without = a.term[i].mono;
        for (uint32_t j = 0; j < mono.n; j++) {
            expr_id atom = polys->atoms.at[mono.at + j];
            if (atom == v)
                found++;
            else if (expr_contains(polys->exprs, atom, v))
                return false;
        }
        if (found > 1 || (found == 1 && !mono_without(polys, a.term[i].mono, v, &without)))
            return false;
        struct poly one = poly_mono(polys, without);
        if (found == 1)
            *d = poly_add(polys, *d, one, a.term[i].c);
        else
            *rest = poly_add(polys, *rest, one, a.term[i].c);
    }
    return true;
}

struct poly coeff_negated(struct coeff *sums, struct poly poly)
{
    return poly_negated(&sums->session->polys, poly);
}

// 1 or -1: the sign of d under the hypotheses and the guards of the term (may be NULL). 0:
// unknown.
int coeff_sign_of(struct coeff *sums, uint32_t family, const struct cterm *term, struct poly poly)
{
    struct exprs *exprs = &sums->session->exprs;
    int64_t c;
    if (poly_constant(poly, &c))
        return c > 0 ? 1 : c < 0 ? -1 : 0;
    expr_id e = poly_expr(&sums->session->polys, poly), one = expr_int(exprs, 1);
    if (coeff_follows(sums, family, NULL, expr_le(exprs, one, e)))
        return 1;
    if (coeff_follows(sums, family, NULL, expr_le(exprs, e, expr_int(exprs, -1))))
        return -1;
    return term != NULL && coeff_follows(sums, family, term, expr_le(exprs, one, e)) ? 1 : 0;
}

static bool mentions_binder(const struct coeff *sums, const struct cterm *term, expr_id e,
                            expr_id but)
{
    bool found = false;
    for (uint32_t i = 0; i < term->n_binders && !found; i++)
        found =
            term->binder[i].e != but && expr_contains(&sums->session->exprs, e, term->binder[i].e);
    return found;
}

// A guard E = D * (E div D) says that D divides E: exactly one q has E = D * q, the
// quotient.  It becomes a binder.
static bool divisions(struct coeff *sums, struct cterm *term, bool *again)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct u32_vec reach = {0};
    bool ok = true;
    *again = false;
    for (uint32_t i = 0; i < term->n_guards && !*again && ok; i++) {
        struct cguard guard = term->guard[i];
        if (expr_at(exprs, guard.e)->kind != X_EQ)
            continue;
        vec_clear(&reach);
        expr_reach(exprs, guard.e, &reach);
        for (uint32_t j = 0; j < reach.len && !*again; j++) {
            expr_id q = reach.at[j];
            if (expr_at(exprs, q)->kind != X_DIV)
                continue;
            expr_id d = expr_arg(exprs, q, 1);
            expr_id exact = expr_eq(exprs, expr_arg(exprs, q, 0), expr_mul(exprs, d, q));
            if (canon(polys, exact) != guard.e ||
                coeff_sign_of(sums, guard.family, term, poly_of(polys, d)) == 0)
                continue;
            if (term->n_binders == VERIFY_SUM_BINDERS) {
                ok = coeff_fail(sums, "too many bound indices");
                break;
            }
            expr_id v = expr_fresh(exprs, guard.family);
            term->binder[term->n_binders++] = (struct cguard){v, guard.family};
            substitute(sums, term, q, v);
            *again = true;
        }
    }
    vec_release(&reach);
    return ok;
}

// A guard v = e for a binder v that does not occur in e.
static bool unit_equation(struct coeff *sums, struct cterm *term)
{
    struct exprs *exprs = &sums->session->exprs;
    struct poly poly, rest;
    int64_t c;
    for (uint32_t b = term->n_binders; b-- > 0;)
        for (uint32_t i = 0; i < term->n_guards; i++) {
            expr_id v = term->binder[b].e;
            if (expr_at(exprs, term->guard[i].e)->kind != X_EQ ||
                !coeff_linear_in(sums, coeff_guard_poly(sums, term->guard[i].e), v, &poly, &rest) ||
                !poly_constant(poly, &c) || (c != 1 && c != -1))
                continue;
            if (c == 1)
                rest = coeff_negated(sums, rest);
            coeff_drop_guard(term, i);
            coeff_drop_binder(term, b);
            substitute(sums, term, v, poly_expr(&sums->session->polys, rest));
            return true;
        }
    return false;
}

// Any other quotient E div D with a binder in it, where the guards imply D >= 1: the one q
// with 0 <= E - D*q <= D - 1 becomes a binder.
static bool quotient(struct coeff *sums, struct cterm *term)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct u32_vec reach = {0};
    expr_id q = NO_EXPR;
    uint32_t family = NONE;
    for (uint32_t i = 0; i < term->n_guards + term->n_counts && q == NO_EXPR; i++) {
        struct cguard guard = i < term->n_guards ? term->guard[i] : term->count[i - term->n_guards];
        vec_clear(&reach);
        expr_reach(exprs, guard.e, &reach);
        family = guard.family;
        for (uint32_t j = 0; j < reach.len && q == NO_EXPR; j++) {
            expr_id e = reach.at[j];
            if (expr_at(exprs, e)->kind == X_DIV && mentions_binder(sums, term, e, NO_EXPR) &&
                coeff_sign_of(sums, family, term, poly_of(polys, expr_arg(exprs, e, 1))) == 1)
                q = e;
        }
    }
    vec_release(&reach);
    if (q == NO_EXPR || term->n_binders == VERIFY_SUM_BINDERS ||
        term->quotients == VERIFY_SUM_QUOTIENTS)
        return false;
    expr_id v = expr_fresh(exprs, family);
    expr_id d = expr_arg(exprs, q, 1);
    expr_id r = expr_sub(exprs, expr_arg(exprs, q, 0), expr_mul(exprs, d, v));
    term->quotients++;
    term->binder[term->n_binders++] = (struct cguard){v, family};
    substitute(sums, term, q, v);
    return add_guard(sums, term, expr_le(exprs, expr_int(exprs, 0), r), family) &&
           add_guard(sums, term, expr_lt(exprs, r, d), family);
}

// 0 <= E - D*v <= D - 1 says D >= 1 and v = E div D.
static bool window(struct coeff *sums, struct cterm *term)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct poly poly, rest, e, m;
    for (uint32_t b = 0; b < term->n_binders; b++)
        for (uint32_t i = 0; i < term->n_guards; i++) {
            expr_id v = term->binder[b].e, low = term->guard[i].e;
            if (expr_at(exprs, low)->kind != X_LE ||
                !coeff_linear_in(sums, coeff_guard_poly(sums, low), v, &poly, &rest) || poly.n == 0)
                continue;
            struct poly width = coeff_negated(sums, poly); // low: 0 <= rest - width * v
            expr_id left = poly_expr(polys, poly_add(polys, width, poly_int(polys, 1), -1));
            expr_id high =
                canon(polys, expr_le(exprs, poly_expr(polys, coeff_guard_poly(sums, low)), left));
            for (uint32_t j = 0; j < term->n_guards; j++) {
                if (term->guard[j].e != high || j == i)
                    continue;
                struct cguard guard = term->guard[i];
                coeff_drop_guard(term, i > j ? i : j);
                coeff_drop_guard(term, i > j ? j : i);
                coeff_drop_binder(term, b);
                e = rest;
                m = width;
                expr_id w = poly_expr(polys, m);
                substitute(sums, term, v, expr_div(exprs, poly_expr(polys, e), w));
                return add_guard(sums, term, expr_le(exprs, expr_int(exprs, 1), w), guard.family);
            }
        }
    return false;
}

// A guard D*v = E with D of known sign: v = E div D, and D divides E.  `alone`: only if E
// has no other binder, which would end up in a quotient.
static bool exact_quotient(struct coeff *sums, struct cterm *term, bool alone)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct poly poly, rest;
    for (uint32_t b = 0; b < term->n_binders; b++)
        for (uint32_t i = 0; i < term->n_guards; i++) {
            struct cguard guard = term->guard[i];
            expr_id v = term->binder[b].e;
            if (expr_at(exprs, guard.e)->kind != X_EQ ||
                !coeff_linear_in(sums, coeff_guard_poly(sums, guard.e), v, &poly, &rest) ||
                poly.n == 0 || (alone && mentions_binder(sums, term, guard.e, v)) ||
                coeff_sign_of(sums, guard.family, NULL, poly) == 0)
                continue;
            expr_id e = poly_expr(polys, coeff_negated(sums, rest)), w = poly_expr(polys, poly);
            expr_id q = expr_div(exprs, e, w);
            coeff_drop_guard(term, i);
            coeff_drop_binder(term, b);
            substitute(sums, term, v, q);
            return add_guard(sums, term, expr_eq(exprs, e, expr_mul(exprs, w, q)), guard.family);
        }
    return false;
}

// A guard a = E div D, where the guards imply D >= 1, means 0 <= E - D*a <= D - 1 (which
// implies D >= 1).
static bool unfold(struct coeff *sums, struct cterm *term)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct poly poly, rest;
    int64_t sign;
    for (uint32_t i = 0; i < term->n_guards; i++) {
        struct cguard guard = term->guard[i];
        if (expr_at(exprs, guard.e)->kind != X_EQ)
            continue;
        struct poly a = coeff_guard_poly(sums, guard.e);
        for (uint32_t j = 0; j < a.n; j++) {
            struct mono mono = polys->mono.at[a.term[j].mono];
            expr_id q = mono.n == 1 ? polys->atoms.at[mono.at] : NO_EXPR;
            if (mono.n != 1 || expr_at(exprs, q)->kind != X_DIV ||
                !coeff_linear_in(sums, a, q, &poly, &rest) || !poly_constant(poly, &sign) ||
                (sign != 1 && sign != -1))
                continue;
            expr_id e = expr_arg(exprs, q, 0), d = expr_arg(exprs, q, 1);
            if (expr_contains(exprs, e, q) || term->n_guards + 1 >= VERIFY_SUM_GUARDS ||
                coeff_sign_of(sums, guard.family, term, poly_of(polys, d)) != 1)
                continue;
            if (sign == 1)
                rest = coeff_negated(sums, rest);
            expr_id value = poly_expr(polys, rest);
            coeff_drop_guard(term, i);
            substitute(sums, term, q, value);
            expr_id left = expr_sub(exprs, e, expr_mul(exprs, d, value));
            return add_guard(sums, term, expr_le(exprs, expr_int(exprs, 0), left), guard.family) &&
                   add_guard(sums, term, expr_lt(exprs, left, d), guard.family);
        }
    }
    return false;
}

bool coeff_solve(struct coeff *sums, struct cterm *term, bool *zero)
{
    bool again = true;
    while (again) {
        if (!coeff_tidy(sums, term, zero) || !divisions(sums, term, &again))
            return false;
        if (*zero)
            return true;
    }
    for (;;) {
        if (!coeff_tidy(sums, term, zero))
            return false;
        if (*zero)
            return true;
        if (term->n_binders == 0 && !unfold(sums, term))
            return sums->why == NULL;
        if (term->n_binders == 0)
            continue;
        if (smt_spent(&sums->session->smt))
            return coeff_fail(sums, sums->session->smt.spent);
        if (unit_equation(sums, term) || window(sums, term) || exact_quotient(sums, term, true))
            continue;
        bool done = false;
        if (!coeff_count_some(sums, term, &done))
            return false;
        if (!done && !exact_quotient(sums, term, false) && !quotient(sums, term))
            return coeff_fail(sums, "a bound index could not be eliminated");
    }
}
