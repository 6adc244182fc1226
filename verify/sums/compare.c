// SPDX-License-Identifier: Apache-2.0
// Comparing what is left of the terms of one signature.  The factor of a term
// in a rank class is a function of one place, taken to the product over all
// places; so factors that are equal at one place are equal at every rank.
#include "verify/sums/parts.h"

#define MAX_CASES 10 // terms told apart by cases

// The product of the counts of a family.
static expr_id count_of(struct coeff *k, const struct cterm *t, uint32_t family)
{
    struct exprs *x = &k->s->x;
    expr_id n = expr_int(x, 1);
    for (uint32_t i = 0; i < t->n_counts; i++)
        if (t->count[i].family == family)
            n = expr_mul(x, n, t->count[i].e);
    return canon(&k->s->p, n);
}

// The conjunction of the guards of a family.
static expr_id guards_of(struct coeff *k, const struct cterm *t,
                         uint32_t family)
{
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < t->n_guards; i++)
        if (t->guard[i].family == family)
            vec_push(&all, t->guard[i].e);
    expr_id e = expr_and(&k->s->x, all.len, all.at);
    vec_release(&all);
    return e;
}

// Do the guards of a imply those of b in the family?
static bool implies(struct coeff *k, const struct cterm *a,
                    const struct cterm *b, uint32_t family)
{
    for (uint32_t i = 0; i < b->n_guards; i++)
        if (b->guard[i].family == family &&
            !coeff_follows(k, family, a, b->guard[i].e))
            return false;
    return true;
}

// Have a and b the same factor in the family?
static bool same_factor(struct coeff *k, const struct cterm *a,
                        const struct cterm *b, uint32_t family)
{
    expr_id m = count_of(k, a, family), n = count_of(k, b, family);
    return implies(k, a, b, family) && implies(k, b, a, family) &&
           (m == n || coeff_follows(k, family, a, expr_eq(&k->s->x, m, n)));
}

static bool is_family(const struct coeff *k, uint32_t f)
{
    return denote_family(k->s->r, f) == f;
}

static bool same_factors(struct coeff *k, const struct cterm *a,
                         const struct cterm *b, bool singles)
{
    for (uint32_t f = 0; f < k->n_families; f++)
        if (is_family(k, f) && (singles || !coeff_is_single(k, f)) &&
            !same_factor(k, a, b, f))
            return false;
    return true;
}

// Terms with the same factors everywhere become one.
static bool merge(struct coeff *k, struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++) {
        struct cterm *t = &sum->at.at[i];
        for (uint32_t j = i + 1; j < sum->at.len; j++) {
            struct cterm *u = &sum->at.at[j];
            if (!same_factors(k, t, u, true))
                continue;
            // t.c / t.divisor + u.c / u.divisor
            int64_t a, b;
            if (__builtin_mul_overflow(t->c, u->divisor, &a) ||
                __builtin_mul_overflow(u->c, t->divisor, &b) ||
                __builtin_add_overflow(a, b, &t->c) ||
                __builtin_mul_overflow(t->divisor, u->divisor, &t->divisor))
                return coeff_fail(k, "constants too large");
            sum->at.at[j--] = vec_pop(&sum->at);
            if (t->c == 0)
                break;
        }
        if (t->c == 0)
            sum->at.at[i--] = vec_pop(&sum->at);
    }
    return true;
}

// ---- single axes, all at once

struct axis_cases {
    uint32_t n;
    int64_t c[MAX_CASES];
    expr_id guard[MAX_CASES], count[MAX_CASES];
};

// Is the sum of c * [guard] * count, c scaled by all divisors, from term `at`
// on, plus `sum`, 0?
static bool cases_vanish(struct coeff *k, const struct axis_cases *q,
                         struct u32_vec *hyps, uint32_t at, expr_id sum)
{
    struct exprs *x = &k->s->x;
    struct linear *l = &k->s->l;
    if (at == q->n) {
        expr_id zero = expr_int(x, 0);
        return canon(&k->s->p, sum) == zero ||
               linear_proves(l, hyps->len, hyps->at, expr_eq(x, sum, zero));
    }
    bool same = true;
    for (int truth = 0; truth < 2 && same; truth++) {
        expr_id g = q->guard[at];
        expr_id term = expr_mul(x, expr_int(x, q->c[at]), q->count[at]);
        vec_push(hyps, truth != 0 ? g : expr_not(x, g));
        uint32_t mark = smt_mark(&k->s->smt);
        if (linear_refute(l, hyps->len, hyps->at, NULL) != SMT_UNSAT) {
            smt_forget(&k->s->smt, mark);
            same = cases_vanish(k, q, hyps, at + 1,
                                truth != 0 ? expr_add(x, sum, term) : sum);
        }
        (void)vec_pop(hyps);
    }
    return same;
}

// The guards and counts of a term in the single families of a mask.
static void single_part(struct coeff *k, const struct cterm *t, uint64_t mask,
                        expr_id *guard, expr_id *count)
{
    struct exprs *x = &k->s->x;
    *guard = expr_true(x);
    *count = expr_int(x, 1);
    for (uint32_t f = 0; f < k->n_families; f++) {
        if ((mask >> f & 1) == 0)
            continue;
        *guard = expr_and2(x, *guard, guards_of(k, t, f));
        *count = expr_mul(x, *count, count_of(k, t, f));
    }
}

static void hyps_of(const struct coeff *k, uint64_t mask, struct u32_vec *out)
{
    for (uint32_t f = 0; f < k->n_families; f++)
        for (uint32_t i = 0; (mask >> f & 1) != 0 && i < k->hyps[f].len; i++)
            vec_push(out, k->hyps[f].at[i]);
}

static uint64_t single_families(const struct coeff *k)
{
    uint64_t mask = 0;
    for (uint32_t f = 0; f < k->n_families; f++)
        if (is_family(k, f) && coeff_is_single(k, f))
            mask |= UINT64_C(1) << f;
    return mask;
}

// Terms with equal factors in all classes of many axes: what is left of the
// sum speaks of single axes.
static bool group_vanishes(struct coeff *k, const struct csum *g, bool whole)
{
    struct axis_cases q = {.n = g->at.len};
    struct u32_vec hyps = {0};
    uint64_t mask = single_families(k);
    if (q.n > MAX_CASES)
        return coeff_fail(k, "too many terms to compare");
    for (uint32_t f = 0; f < k->n_families; f++) { // what is common goes, too
        bool common = !whole && (mask >> f & 1) != 0;
        for (uint32_t i = 1; i < g->at.len && common; i++)
            common = same_factor(k, &g->at.at[0], &g->at.at[i], f);
        if (common)
            mask &= ~(UINT64_C(1) << f);
    }
    for (uint32_t i = 0; i < q.n; i++) {
        q.c[i] = g->at.at[i].c;
        for (uint32_t j = 0; j < q.n; j++)
            if (j != i &&
                __builtin_mul_overflow(q.c[i], g->at.at[j].divisor, &q.c[i]))
                return coeff_fail(k, "constants too large");
        single_part(k, &g->at.at[i], mask, &q.guard[i], &q.count[i]);
    }
    hyps_of(k, mask, &hyps);
    bool same = cases_vanish(k, &q, &hyps, 0, expr_int(&k->s->x, 0));
    vec_release(&hyps);
    return same;
}

// Terms that are 0 because some axis must exist on which a guard cannot hold.
static void drop_void(struct coeff *k, struct csum *g)
{
    for (uint32_t i = 0; i < g->at.len; i++)
        for (uint32_t f = 0; f < k->n_families; f++) {
            if (!is_family(k, f) || coeff_may_be_empty(k, f) ||
                !coeff_follows(k, f, &g->at.at[i], expr_false(&k->s->x)))
                continue;
            g->at.at[i--] = vec_last(&g->at);
            (void)vec_pop(&g->at);
            break;
        }
}

static bool rest_vanishes(struct coeff *k, struct csum *g)
{
    drop_void(k, g);
    return group_vanishes(k, g, true);
}

bool coeff_vanishes(struct coeff *k, struct csum *sum)
{
    bool same = merge(k, sum);
    while (same && sum->at.len > 0) {
        struct csum group = {{0}}, rest = {{0}};
        for (uint32_t i = 0; i < sum->at.len; i++) {
            const struct cterm *t = &sum->at.at[i];
            bool alike = i == 0 || same_factors(k, &sum->at.at[0], t, false);
            if (alike)
                vec_push(&group.at, *t);
            else
                vec_push(&rest.at, *t);
        }
        vec_release(&sum->at);
        *sum = rest;
        // Mostly what is common need not be looked at.
        same = (group.at.len > 1 && group_vanishes(k, &group, false)) ||
               (k->why == NULL && rest_vanishes(k, &group));
        vec_release(&group.at);
    }
    return same;
}

// ---- conditions instead of numbers

// Where t does not vanish, some term of the other side does not.
static bool is_covered(struct coeff *k, const struct csum *sum,
                       const struct cterm *t)
{
    struct exprs *x = &k->s->x;
    struct u32_vec hyps = {0};
    uint64_t mask = single_families(k);
    expr_id guard, count;
    hyps_of(k, mask, &hyps);
    single_part(k, t, mask, &guard, &count);
    vec_push(&hyps, guard);
    for (uint32_t i = 0; i < sum->at.len; i++) {
        const struct cterm *u = &sum->at.at[i];
        bool usable = u->right != t->right;
        for (uint32_t f = 0; f < k->n_families && usable; f++)
            if (is_family(k, f) && !coeff_is_single(k, f))
                usable = implies(k, t, u, f);
        if (!usable)
            continue;
        single_part(k, u, mask, &guard, &count);
        vec_push(&hyps, expr_not(x, guard));
    }
    uint32_t mark = smt_mark(&k->s->smt);
    bool covered =
        linear_refute(&k->s->l, hyps.len, hyps.at, NULL) == SMT_UNSAT;
    if (!covered)
        smt_forget(&k->s->smt, mark);
    vec_release(&hyps);
    return covered;
}

bool coeff_covers(struct coeff *k, const struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++)
        if (!is_covered(k, sum, &sum->at.at[i]))
            return false;
    return true;
}
