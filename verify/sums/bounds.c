// SPDX-License-Identifier: Apache-2.0
// Binders of which only bounds are left: the factors with them are summed
// between the bounds.
#include "verify/sums/parts.h"

#define MAX_POWER 2

struct bounds {
    struct u32_vec low, high; // v >= low, v <= high
};

static bool find_bounds(struct coeff *k, const struct cterm *t, uint32_t b,
                        struct bounds *out)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    expr_id v = t->binder[b].e;
    struct poly d, rest;
    for (uint32_t i = 0; i < t->n_guards; i++) {
        if (!expr_contains(x, t->guard[i].e, v))
            continue;
        if (expr_at(x, t->guard[i].e)->kind != X_LE ||
            !coeff_linear_in(k, coeff_guard_poly(k, t->guard[i].e), v, &d,
                             &rest))
            return false;
        int sign = coeff_sign_of(k, t->guard[i].family, NULL, d);
        if (sign == 0)
            return false;
        // d*v + rest >= 0:  v >= -(rest div d),  or  v <= rest div -d
        expr_id r = poly_expr(p, rest);
        if (sign > 0)
            vec_push(&out->low, expr_neg(x, expr_div(x, r, poly_expr(p, d))));
        else
            vec_push(&out->high,
                     expr_div(x, r, poly_expr(p, coeff_negated(k, d))));
    }
    return out->low.len > 0 && out->high.len > 0;
}

// The greatest of the lower bounds, or the least of the upper ones.
static expr_id tightest(struct coeff *k, const struct cterm *t, uint32_t family,
                        const struct u32_vec *all, bool greatest)
{
    struct exprs *x = &k->s->x;
    expr_id best = all->at[0];
    for (uint32_t i = 1; i < all->len; i++) {
        expr_id a = all->at[i];
        expr_id lo = greatest ? a : best, hi = greatest ? best : a;
        if (coeff_follows(k, family, t, expr_le(x, lo, hi)))
            continue; // the best one stays
        if (coeff_follows(k, family, t, expr_le(x, hi, lo)))
            best = a;
        else
            best = greatest ? expr_max(x, best, a) : expr_min(x, best, a);
    }
    return best;
}

static bool in_counts(const struct coeff *k, const struct cterm *t, expr_id v)
{
    bool found = false;
    for (uint32_t i = 0; i < t->n_counts && !found; i++)
        found = expr_contains(&k->s->x, t->count[i].e, v);
    return found;
}

// The factors of the term with v in them, taken out, as a polynomial in v:
// out[i] is the coefficient of v^i.  False if they are none of small degree.
static bool take_counts(struct coeff *k, struct cterm *t, expr_id v,
                        uint32_t *degree, struct poly *out)
{
    struct polys *p = &k->s->p;
    struct poly all = poly_int(p, 1);
    *degree = 0;
    for (uint32_t i = 0; i < t->n_counts; i++)
        if (expr_contains(p->x, t->count[i].e, v))
            all = poly_mul(p, all, poly_of(p, t->count[i].e));
    for (uint32_t i = 0; i <= MAX_POWER; i++)
        out[i] = (struct poly){0, NULL};
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t power = 0, m = all.t[i].mono;
        while (mono_without(p, m, v, &m))
            power++;
        for (uint32_t j = 0; j < p->mono.at[m].n; j++)
            if (expr_contains(p->x, p->atoms.at[p->mono.at[m].at + j], v))
                return false;
        if (power > MAX_POWER)
            return false;
        out[power] = poly_add(p, out[power], poly_mono(p, m), all.t[i].c);
        *degree = power > *degree ? power : *degree;
    }
    for (uint32_t i = t->n_counts; i-- > 0;)
        if (expr_contains(p->x, t->count[i].e, v))
            t->count[i] = t->count[--t->n_counts];
    return true;
}

// 6 * (the sum of j^power for 0 <= j <= n), as a polynomial in n.
static expr_id six_sums(struct exprs *x, uint32_t power, expr_id n)
{
    expr_id one = expr_int(x, 1), next = expr_add(x, n, one);
    expr_id e = expr_mul(x,
                         expr_int(x, power == 0   ? 6
                                     : power == 1 ? 3
                                                  : 1),
                         next);
    if (power >= 1)
        e = expr_mul(x, e, n);
    if (power == 2)
        e = expr_mul(x, e, expr_add(x, n, next));
    return e;
}

// The sum of the polynomial over low <= v <= high, where there are any.
static void sum_powers(struct coeff *k, struct cterm *t, uint32_t degree,
                       const struct poly *at, expr_id low, expr_id high,
                       uint32_t family)
{
    struct exprs *x = &k->s->x;
    expr_id one = expr_int(x, 1), zero = expr_int(x, 0), sum = zero;
    expr_id n = expr_add(x, expr_sub(x, high, low), one);
    bool some = coeff_follows(k, family, t, expr_le(x, zero, n));
    if (degree == 0) {
        sum = some ? n : expr_max(x, zero, n);
        sum = expr_mul(x, poly_expr(&k->s->p, at[0]), sum);
    } else {
        expr_id below = expr_sub(x, low, one);
        for (uint32_t i = 0; i <= degree; i++) {
            expr_id s =
                expr_sub(x, six_sums(x, i, high), six_sums(x, i, below));
            sum = expr_add(x, sum, expr_mul(x, poly_expr(&k->s->p, at[i]), s));
        }
        if (!some)
            sum = expr_if(x, expr_le(x, one, n), sum, zero);
        if (__builtin_mul_overflow(t->divisor, 6, &t->divisor))
            coeff_fail(k, "constants too large");
    }
    if (t->n_counts < MAX_COUNTS)
        t->count[t->n_counts++] = (struct cguard){canon(&k->s->p, sum), family};
    else
        coeff_fail(k, "too many factors");
}

// Only bounds of v are left: the factors with v are summed between them.
static bool count_values(struct coeff *k, struct cterm *t, uint32_t b,
                         bool *done)
{
    struct exprs *x = &k->s->x;
    struct bounds bounds = {{0}, {0}};
    struct cguard binder = t->binder[b];
    struct poly at[MAX_POWER + 1];
    uint32_t degree;
    // A divisor of sums of powers is there once, not once for every place.
    *done = (coeff_is_single(k, binder.family) || !in_counts(k, t, binder.e)) &&
            find_bounds(k, t, b, &bounds) &&
            take_counts(k, t, binder.e, &degree, at);
    if (*done) {
        for (uint32_t i = t->n_guards; i-- > 0;)
            if (expr_contains(x, t->guard[i].e, binder.e))
                coeff_drop_guard(t, i);
        coeff_drop_binder(t, b);
        expr_id low = tightest(k, t, binder.family, &bounds.low, true);
        expr_id high = tightest(k, t, binder.family, &bounds.high, false);
        sum_powers(k, t, degree, at, low, high, binder.family);
    }
    vec_release(&bounds.low);
    vec_release(&bounds.high);
    return k->why == NULL;
}

bool coeff_count_some(struct coeff *k, struct cterm *t, bool *done)
{
    *done = false;
    for (uint32_t b = 0; b < t->n_binders && !*done; b++)
        if (!count_values(k, t, b, done))
            return false;
    return true;
}
