// SPDX-License-Identifier: Apache-2.0
// Binders eliminated, one by one, each by an equivalence over the integers
// (docs/proving.md lists them).
#include "verify/sums/parts.h"

#define MAX_QUOTIENTS 6

static void substitute(struct coeff *k, struct cterm *t, expr_id from,
                       expr_id to)
{
    struct exprs *x = &k->s->x;
    for (uint32_t i = 0; i < t->n_guards; i++)
        t->guard[i].e =
            canon(&k->s->p, expr_subst(x, t->guard[i].e, 1, &from, &to));
    for (uint32_t i = 0; i < t->n_counts; i++)
        t->count[i].e =
            canon(&k->s->p, expr_subst(x, t->count[i].e, 1, &from, &to));
}

void coeff_drop_guard(struct cterm *t, uint32_t i)
{
    t->guard[i] = t->guard[--t->n_guards];
}

void coeff_drop_binder(struct cterm *t, uint32_t i)
{
    for (t->n_binders--; i < t->n_binders; i++)
        t->binder[i] = t->binder[i + 1];
}

static bool add_guard(struct coeff *k, struct cterm *t, expr_id e,
                      uint32_t family)
{
    e = canon(&k->s->p, e);
    if (t->n_guards == MAX_GUARDS)
        return coeff_fail(k, "too many conditions");
    t->guard[t->n_guards++] = (struct cguard){e, family};
    return true;
}

bool coeff_tidy(struct coeff *k, struct cterm *t, bool *zero)
{
    struct exprs *x = &k->s->x;
    *zero = false;
    for (uint32_t i = 0; i < t->n_guards;) {
        struct cguard g = t->guard[i];
        g.e = t->guard[i].e = canon(&k->s->p, g.e);
        const struct expr n = *expr_at(x, g.e);
        bool repeats = n.kind == X_TRUE;
        for (uint32_t j = 0; j < i && !repeats; j++)
            repeats = t->guard[j].e == g.e && t->guard[j].family == g.family;
        if (repeats) {
            coeff_drop_guard(t, i);
            continue;
        }
        if (n.kind == X_AND) {
            coeff_drop_guard(t, i);
            for (uint32_t j = 0; j < n.n; j++)
                if (!add_guard(k, t, expr_arg(x, g.e, j), g.family))
                    return false;
            continue;
        }
        if (n.kind == X_FALSE && !coeff_may_be_empty(k, g.family))
            *zero = true; // at least one axis, and none meets the guard
        i++;
    }
    for (uint32_t i = 0; i < t->n_counts; i++) {
        if (expr_is_int(x, t->count[i].e, 0) &&
            !coeff_may_be_empty(k, t->count[i].family))
            *zero = true;
        if (expr_is_int(x, t->count[i].e, 1))
            t->count[i--] = t->count[--t->n_counts];
    }
    return true;
}

struct poly coeff_guard_poly(struct coeff *k, expr_id e)
{
    struct polys *p = &k->s->p;
    return poly_add(p, poly_of(p, expr_arg(p->x, e, 1)),
                    poly_of(p, expr_arg(p->x, e, 0)), -1);
}

// a = d * v + rest, where v occurs in neither.
bool coeff_linear_in(struct coeff *k, struct poly a, expr_id v, struct poly *d,
                     struct poly *rest)
{
    struct polys *p = &k->s->p;
    *d = *rest = (struct poly){0, NULL};
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = p->mono.at[a.t[i].mono];
        uint32_t found = 0, without = a.t[i].mono;
        for (uint32_t j = 0; j < m.n; j++) {
            expr_id atom = p->atoms.at[m.at + j];
            if (atom == v)
                found++;
            else if (expr_contains(p->x, atom, v))
                return false;
        }
        if (found > 1 ||
            (found == 1 && !mono_without(p, a.t[i].mono, v, &without)))
            return false;
        struct poly one = poly_mono(p, without);
        if (found == 1)
            *d = poly_add(p, *d, one, a.t[i].c);
        else
            *rest = poly_add(p, *rest, one, a.t[i].c);
    }
    return true;
}

struct poly coeff_negated(struct coeff *k, struct poly a)
{
    return poly_add(&k->s->p, (struct poly){0, NULL}, a, -1);
}

// 1 or -1: the sign of d under the hypotheses, or the term's guards; 0:
// unknown.
int coeff_sign_of(struct coeff *k, uint32_t family, const struct cterm *t,
                  struct poly d)
{
    struct exprs *x = &k->s->x;
    int64_t c;
    if (poly_constant(d, &c))
        return c > 0 ? 1 : c < 0 ? -1 : 0;
    expr_id e = poly_expr(&k->s->p, d), one = expr_int(x, 1);
    if (coeff_follows(k, family, NULL, expr_le(x, one, e)))
        return 1;
    if (coeff_follows(k, family, NULL, expr_le(x, e, expr_int(x, -1))))
        return -1;
    return t != NULL && coeff_follows(k, family, t, expr_le(x, one, e)) ? 1 : 0;
}

static bool mentions_binder(const struct coeff *k, const struct cterm *t,
                            expr_id e, expr_id but)
{
    bool found = false;
    for (uint32_t i = 0; i < t->n_binders && !found; i++)
        found =
            t->binder[i].e != but && expr_contains(&k->s->x, e, t->binder[i].e);
    return found;
}

// A guard E = D * (E div D) says that D divides E: there is exactly one q with
// E = D * q, the quotient.  It becomes a binder.
static bool divisions(struct coeff *k, struct cterm *t, bool *again)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct u32_vec reach = {0};
    bool ok = true;
    *again = false;
    for (uint32_t i = 0; i < t->n_guards && !*again && ok; i++) {
        struct cguard g = t->guard[i];
        if (expr_at(x, g.e)->kind != X_EQ)
            continue;
        vec_clear(&reach);
        expr_reach(x, g.e, &reach);
        for (uint32_t j = 0; j < reach.len && !*again; j++) {
            expr_id q = reach.at[j];
            if (expr_at(x, q)->kind != X_DIV)
                continue;
            expr_id d = expr_arg(x, q, 1);
            expr_id exact = expr_eq(x, expr_arg(x, q, 0), expr_mul(x, d, q));
            if (canon(p, exact) != g.e ||
                coeff_sign_of(k, g.family, t, poly_of(p, d)) == 0)
                continue;
            if (t->n_binders == MAX_BINDERS) {
                ok = coeff_fail(k, "too many bound indices");
                break;
            }
            expr_id v = expr_fresh(x, g.family);
            t->binder[t->n_binders++] = (struct cguard){v, g.family};
            substitute(k, t, q, v);
            *again = true;
        }
    }
    vec_release(&reach);
    return ok;
}

// A guard v = e for a binder v that does not occur in e.
static bool unit_equation(struct coeff *k, struct cterm *t)
{
    struct exprs *x = &k->s->x;
    struct poly d, rest;
    int64_t c;
    for (uint32_t b = t->n_binders; b-- > 0;)
        for (uint32_t i = 0; i < t->n_guards; i++) {
            expr_id v = t->binder[b].e;
            if (expr_at(x, t->guard[i].e)->kind != X_EQ ||
                !coeff_linear_in(k, coeff_guard_poly(k, t->guard[i].e), v, &d,
                                 &rest) ||
                !poly_constant(d, &c) || (c != 1 && c != -1))
                continue;
            if (c == 1)
                rest = coeff_negated(k, rest);
            coeff_drop_guard(t, i);
            coeff_drop_binder(t, b);
            substitute(k, t, v, poly_expr(&k->s->p, rest));
            return true;
        }
    return false;
}

// Any other quotient E div D with a binder in it, D >= 1 where the guards hold:
// it is the one q with 0 <= E - D*q <= D - 1, and becomes a binder.
static bool quotient(struct coeff *k, struct cterm *t)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct u32_vec reach = {0};
    expr_id q = NO_EXPR;
    uint32_t family = NONE;
    for (uint32_t i = 0; i < t->n_guards + t->n_counts && q == NO_EXPR; i++) {
        struct cguard g =
            i < t->n_guards ? t->guard[i] : t->count[i - t->n_guards];
        vec_clear(&reach);
        expr_reach(x, g.e, &reach);
        family = g.family;
        for (uint32_t j = 0; j < reach.len && q == NO_EXPR; j++) {
            expr_id e = reach.at[j];
            if (expr_at(x, e)->kind == X_DIV &&
                mentions_binder(k, t, e, NO_EXPR) &&
                coeff_sign_of(k, family, t, poly_of(p, expr_arg(x, e, 1))) == 1)
                q = e;
        }
    }
    vec_release(&reach);
    if (q == NO_EXPR || t->n_binders == MAX_BINDERS ||
        t->quotients == MAX_QUOTIENTS)
        return false;
    expr_id v = expr_fresh(x, family);
    expr_id d = expr_arg(x, q, 1);
    expr_id r = expr_sub(x, expr_arg(x, q, 0), expr_mul(x, d, v));
    t->quotients++;
    t->binder[t->n_binders++] = (struct cguard){v, family};
    substitute(k, t, q, v);
    return add_guard(k, t, expr_le(x, expr_int(x, 0), r), family) &&
           add_guard(k, t, expr_lt(x, r, d), family);
}

// 0 <= E - D*v <= D - 1 says D >= 1 and v = E div D.
static bool window(struct coeff *k, struct cterm *t)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct poly d, rest, e, m;
    for (uint32_t b = 0; b < t->n_binders; b++)
        for (uint32_t i = 0; i < t->n_guards; i++) {
            expr_id v = t->binder[b].e, low = t->guard[i].e;
            if (expr_at(x, low)->kind != X_LE ||
                !coeff_linear_in(k, coeff_guard_poly(k, low), v, &d, &rest) ||
                d.n == 0)
                continue;
            struct poly width =
                coeff_negated(k, d); // low: 0 <= rest - width * v
            expr_id left = poly_expr(p, poly_add(p, width, poly_int(p, 1), -1));
            expr_id high = canon(
                p, expr_le(x, poly_expr(p, coeff_guard_poly(k, low)), left));
            for (uint32_t j = 0; j < t->n_guards; j++) {
                if (t->guard[j].e != high || j == i)
                    continue;
                struct cguard g = t->guard[i];
                coeff_drop_guard(t, i > j ? i : j);
                coeff_drop_guard(t, i > j ? j : i);
                coeff_drop_binder(t, b);
                e = rest;
                m = width;
                expr_id w = poly_expr(p, m);
                substitute(k, t, v, expr_div(x, poly_expr(p, e), w));
                return add_guard(k, t, expr_le(x, expr_int(x, 1), w), g.family);
            }
        }
    return false;
}

// A guard D*v = E with D of known sign: v = E div D, and D divides E.
// `alone`: only where E has no other binder, which would end up in a quotient.
static bool exact_quotient(struct coeff *k, struct cterm *t, bool alone)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct poly d, rest;
    for (uint32_t b = 0; b < t->n_binders; b++)
        for (uint32_t i = 0; i < t->n_guards; i++) {
            struct cguard g = t->guard[i];
            expr_id v = t->binder[b].e;
            if (expr_at(x, g.e)->kind != X_EQ ||
                !coeff_linear_in(k, coeff_guard_poly(k, g.e), v, &d, &rest) ||
                d.n == 0 || (alone && mentions_binder(k, t, g.e, v)) ||
                coeff_sign_of(k, g.family, NULL, d) == 0)
                continue;
            expr_id e = poly_expr(p, coeff_negated(k, rest)),
                    w = poly_expr(p, d);
            expr_id q = expr_div(x, e, w);
            coeff_drop_guard(t, i);
            coeff_drop_binder(t, b);
            substitute(k, t, v, q);
            return add_guard(k, t, expr_eq(x, e, expr_mul(x, w, q)), g.family);
        }
    return false;
}

// A guard a = E div D, D >= 1 following from the guards, says
// 0 <= E - D*a <= D - 1 (which says that D >= 1).
static bool unfold(struct coeff *k, struct cterm *t)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct poly c, rest;
    int64_t sign;
    for (uint32_t i = 0; i < t->n_guards; i++) {
        struct cguard g = t->guard[i];
        if (expr_at(x, g.e)->kind != X_EQ)
            continue;
        struct poly a = coeff_guard_poly(k, g.e);
        for (uint32_t j = 0; j < a.n; j++) {
            struct mono m = p->mono.at[a.t[j].mono];
            expr_id q = m.n == 1 ? p->atoms.at[m.at] : NO_EXPR;
            if (m.n != 1 || expr_at(x, q)->kind != X_DIV ||
                !coeff_linear_in(k, a, q, &c, &rest) ||
                !poly_constant(c, &sign) || (sign != 1 && sign != -1))
                continue;
            expr_id e = expr_arg(x, q, 0), d = expr_arg(x, q, 1);
            if (expr_contains(x, e, q) || t->n_guards + 1 >= MAX_GUARDS ||
                coeff_sign_of(k, g.family, t, poly_of(p, d)) != 1)
                continue;
            if (sign == 1)
                rest = coeff_negated(k, rest);
            expr_id value = poly_expr(p, rest);
            coeff_drop_guard(t, i);
            substitute(k, t, q, value);
            expr_id left = expr_sub(x, e, expr_mul(x, d, value));
            return add_guard(k, t, expr_le(x, expr_int(x, 0), left),
                             g.family) &&
                   add_guard(k, t, expr_lt(x, left, d), g.family);
        }
    }
    return false;
}

bool coeff_solve(struct coeff *k, struct cterm *t, bool *zero)
{
    bool again = true;
    while (again) {
        if (!coeff_tidy(k, t, zero) || !divisions(k, t, &again))
            return false;
        if (*zero)
            return true;
    }
    for (;;) {
        if (!coeff_tidy(k, t, zero))
            return false;
        if (*zero)
            return true;
        if (t->n_binders == 0 && !unfold(k, t))
            return k->why == NULL;
        if (t->n_binders == 0)
            continue;
        if (smt_out_of_time(&k->s->smt))
            return coeff_fail(k, "time");
        if (unit_equation(k, t) || window(k, t) || exact_quotient(k, t, true))
            continue;
        bool done = false;
        if (!coeff_count_some(k, t, &done))
            return false;
        if (!done && !exact_quotient(k, t, false) && !quotient(k, t))
            return coeff_fail(k, "a bound index could not be eliminated");
    }
}
