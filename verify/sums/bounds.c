// SPDX-License-Identifier: Apache-2.0
// Binders of which only bounds are left: the factors that contain them are summed between
// the bounds.
#include "verify/sums/parts.h"
#include "verify/limits.h"

#define MAX_POWER 2

struct bounds {
    struct u32_vec low, high; // v >= low, v <= high
};

static bool find_bounds(struct coeff *sums, const struct cterm *term, uint32_t b,
                        struct bounds *out)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    expr_id v = term->binder[b].e;
    struct poly poly, rest;
    for (uint32_t i = 0; i < term->n_guards; i++) {
        if (!expr_contains(exprs, term->guard[i].e, v))
            continue;
        if (expr_at(exprs, term->guard[i].e)->kind != X_LE ||
            !coeff_linear_in(sums, coeff_guard_poly(sums, term->guard[i].e), v, &poly, &rest))
            return false;
        int sign = coeff_sign_of(sums, term->guard[i].family, NULL, poly);
        if (sign == 0)
            return false;
        // d*v + rest >= 0:  v >= -(rest div d),  or  v <= rest div -d
        expr_id r = poly_expr(polys, rest);
        if (sign > 0)
            vec_push(&out->low, expr_neg(exprs, expr_div(exprs, r, poly_expr(polys, poly))));
        else
            vec_push(&out->high, expr_div(exprs, r, poly_expr(polys, coeff_negated(sums, poly))));
    }
    return out->low.len > 0 && out->high.len > 0;
}

// The greatest of the lower bounds, or the least of the upper ones.
static expr_id tightest(struct coeff *sums, const struct cterm *term, uint32_t family,
                        const struct u32_vec *all, bool greatest)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id best = all->at[0];
    for (uint32_t i = 1; i < all->len; i++) {
        expr_id a = all->at[i];
        expr_id lo = greatest ? a : best, hi = greatest ? best : a;
        if (coeff_follows(sums, family, term, expr_le(exprs, lo, hi)))
            continue; // the best one stays
        if (coeff_follows(sums, family, term, expr_le(exprs, hi, lo)))
            best = a;
        else
            best = greatest ? expr_max(exprs, best, a) : expr_min(exprs, best, a);
    }
    return best;
}

static bool in_counts(const struct coeff *sums, const struct cterm *term, expr_id v)
{
    bool found = false;
    for (uint32_t i = 0; i < term->n_counts && !found; i++)
        found = expr_contains(&sums->session->exprs, term->count[i].e, v);
    return found;
}

// Takes the factors that contain v out of the term, as a polynomial in v: out[i] is the
// coefficient of v^i.  False if they are not a polynomial of small degree.
static bool take_counts(struct coeff *sums, struct cterm *term, expr_id v, uint32_t *degree,
                        struct poly *out)
{
    struct polys *polys = &sums->session->polys;
    struct poly all = poly_int(polys, 1);
    *degree = 0;
    for (uint32_t i = 0; i < term->n_counts; i++)
        if (expr_contains(polys->exprs, term->count[i].e, v))
            all = poly_mul(polys, all, poly_of(polys, term->count[i].e));
    for (uint32_t i = 0; i <= MAX_POWER; i++)
        out[i] = (struct poly){0, NULL};
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t power = 0, m = all.term[i].mono;
        while (mono_without(polys, m, v, &m))
            power++;
        for (uint32_t j = 0; j < polys->mono.at[m].n; j++)
            if (expr_contains(polys->exprs, polys->atoms.at[polys->mono.at[m].at + j], v))
                return false;
        if (power > MAX_POWER)
            return false;
        out[power] = poly_add(polys, out[power], poly_mono(polys, m), all.term[i].c);
        *degree = power > *degree ? power : *degree;
    }
    for (uint32_t i = term->n_counts; i-- > 0;)
        if (expr_contains(polys->exprs, term->count[i].e, v))
            term->count[i] = term->count[--term->n_counts];
    return true;
}

// 6 * (the sum of j^power for 0 <= j <= n), as a polynomial in n.
static expr_id six_sums(struct exprs *exprs, uint32_t power, expr_id n)
{
    expr_id one = expr_int(exprs, 1), next = expr_add(exprs, n, one);
    expr_id e = expr_mul(exprs, expr_int(exprs, power == 0 ? 6 : power == 1 ? 3 : 1), next);
    if (power >= 1)
        e = expr_mul(exprs, e, n);
    if (power == 2)
        e = expr_mul(exprs, e, expr_add(exprs, n, next));
    return e;
}

// The sum of factor[0] + factor[1] * v + .. over low <= v <= high.
struct power_sum {
    uint32_t degree;
    struct poly factor[MAX_POWER + 1];
    expr_id low, high;
};

// Multiplies a term with the sum, which is 0 if no v lies between the bounds.
static void sum_powers(struct coeff *sums, struct cterm *term, const struct power_sum *of,
                       uint32_t family)
{
    struct exprs *exprs = &sums->session->exprs;
    uint32_t degree = of->degree;
    expr_id low = of->low, high = of->high;
    expr_id one = expr_int(exprs, 1), zero = expr_int(exprs, 0), sum = zero;
    expr_id n = expr_add(exprs, expr_sub(exprs, high, low), one);
    bool some = coeff_follows(sums, family, term, expr_le(exprs, zero, n));
    if (degree == 0) {
        sum = some ? n : expr_max(exprs, zero, n);
        sum = expr_mul(exprs, poly_expr(&sums->session->polys, of->factor[0]), sum);
    } else {
        expr_id below = expr_sub(exprs, low, one);
        for (uint32_t i = 0; i <= degree; i++) {
            expr_id s = expr_sub(exprs, six_sums(exprs, i, high), six_sums(exprs, i, below));
            sum = expr_add(exprs, sum,
                           expr_mul(exprs, poly_expr(&sums->session->polys, of->factor[i]), s));
        }
        if (!some)
            sum = expr_if(exprs, expr_le(exprs, one, n), sum, zero);
        if (__builtin_mul_overflow(term->divisor, 6, &term->divisor))
            coeff_fail(sums, "constants too large");
    }
    if (term->n_counts < VERIFY_SUM_COUNTS)
        term->count[term->n_counts++] = (struct cguard){canon(&sums->session->polys, sum), family};
    else
        coeff_fail(sums, "too many factors");
}

// Eliminates a binder v of which only bounds are left: sums the factors with v between them.
static bool count_values(struct coeff *sums, struct cterm *term, uint32_t b, bool *done)
{
    struct exprs *exprs = &sums->session->exprs;
    struct bounds bounds = {{0}, {0}};
    struct cguard binder = term->binder[b];
    struct power_sum of;
    // The divisor of a sum of powers counts once, not once for every place.
    *done = (coeff_is_single(sums, binder.family) || !in_counts(sums, term, binder.e)) &&
            find_bounds(sums, term, b, &bounds) &&
            take_counts(sums, term, binder.e, &of.degree, of.factor);
    if (*done) {
        for (uint32_t i = term->n_guards; i-- > 0;)
            if (expr_contains(exprs, term->guard[i].e, binder.e))
                coeff_drop_guard(term, i);
        coeff_drop_binder(term, b);
        of.low = tightest(sums, term, binder.family, &bounds.low, true);
        of.high = tightest(sums, term, binder.family, &bounds.high, false);
        sum_powers(sums, term, &of, binder.family);
    }
    vec_release(&bounds.low);
    vec_release(&bounds.high);
    return sums->why == NULL;
}

bool coeff_count_some(struct coeff *sums, struct cterm *term, bool *done)
{
    *done = false;
    for (uint32_t b = 0; b < term->n_binders && !*done; b++)
        if (!count_values(sums, term, b, done))
            return false;
    return true;
}
