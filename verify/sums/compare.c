// SPDX-License-Identifier: Apache-2.0
// Comparison of the terms of one signature.  The factor of a term in a rank class is the
// product over all places of a function of one place.  So factors that are equal at one
// place are equal at every rank.
#include "verify/sums/parts.h"
#include "verify/limits.h"

// The product of the counts of a family.
static expr_id count_of(struct coeff *sums, const struct cterm *term, uint32_t family)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id n = expr_int(exprs, 1);
    for (uint32_t i = 0; i < term->n_counts; i++)
        if (term->count[i].family == family)
            n = expr_mul(exprs, n, term->count[i].e);
    return canon(&sums->session->polys, n);
}

// The conjunction of the guards of a family.
static expr_id guards_of(struct coeff *sums, const struct cterm *term, uint32_t family)
{
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < term->n_guards; i++)
        if (term->guard[i].family == family)
            vec_push(&all, term->guard[i].e);
    expr_id e = expr_and(&sums->session->exprs, all.len, all.at);
    vec_release(&all);
    return e;
}

// Do the guards of a imply those of b in the family?
static bool implies(struct coeff *sums, const struct cterm *a, const struct cterm *b,
                    uint32_t family)
{
    for (uint32_t i = 0; i < b->n_guards; i++)
        if (b->guard[i].family == family && !coeff_follows(sums, family, a, b->guard[i].e))
            return false;
    return true;
}

// Do a and b have the same factor in the family?
static bool same_factor(struct coeff *sums, const struct cterm *a, const struct cterm *b,
                        uint32_t family)
{
    expr_id m = count_of(sums, a, family), n = count_of(sums, b, family);
    return implies(sums, a, b, family) && implies(sums, b, a, family) &&
           (m == n || coeff_follows(sums, family, a, expr_eq(&sums->session->exprs, m, n)));
}

static bool is_family(const struct coeff *sums, uint32_t f)
{
    return denote_family(sums->session->rule, f) == f;
}

static bool same_factors(struct coeff *sums, const struct cterm *a, const struct cterm *b,
                         bool singles)
{
    for (uint32_t f = 0; f < sums->n_families; f++)
        if (is_family(sums, f) && (singles || !coeff_is_single(sums, f)) &&
            !same_factor(sums, a, b, f))
            return false;
    return true;
}

// Merges terms that have the same factors in all families.
static bool merge(struct coeff *sums, struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++) {
        struct cterm *term = &sum->at.at[i];
        for (uint32_t j = i + 1; j < sum->at.len; j++) {
            struct cterm *u = &sum->at.at[j];
            if (!same_factors(sums, term, u, true))
                continue;
            // t.c / t.divisor + u.c / u.divisor
            int64_t a, b;
            if (__builtin_mul_overflow(term->c, u->divisor, &a) ||
                __builtin_mul_overflow(u->c, term->divisor, &b) ||
                __builtin_add_overflow(a, b, &term->c) ||
                __builtin_mul_overflow(term->divisor, u->divisor, &term->divisor))
                return coeff_fail(sums, "constants too large");
            sum->at.at[j--] = vec_pop(&sum->at);
            if (term->c == 0)
                break;
        }
        if (term->c == 0)
            sum->at.at[i--] = vec_pop(&sum->at);
    }
    return true;
}

// ---- single axes, all at once

struct axis_cases {
    uint32_t n;
    int64_t c[VERIFY_SUM_CASES];
    expr_id guard[VERIFY_SUM_CASES], count[VERIFY_SUM_CASES];
};

// Is `sum` plus the sum of c * [guard] * count over the terms from `at` on 0?  All divisors
// are scaled into c.
static bool cases_vanish(struct coeff *sums, const struct axis_cases *cases, struct u32_vec *hyps,
                         uint32_t at, expr_id sum)
{
    struct exprs *exprs = &sums->session->exprs;
    struct linear *linear = &sums->session->linear;
    if (at == cases->n) {
        expr_id zero = expr_int(exprs, 0);
        return canon(&sums->session->polys, sum) == zero ||
               linear_proves(linear, hyps->len, hyps->at, expr_eq(exprs, sum, zero));
    }
    bool same = true;
    for (int truth = 0; truth < 2 && same; truth++) {
        expr_id g = cases->guard[at];
        expr_id term = expr_mul(exprs, expr_int(exprs, cases->c[at]), cases->count[at]);
        vec_push(hyps, truth != 0 ? g : expr_not(exprs, g));
        uint32_t mark = smt_mark(&sums->session->smt);
        if (linear_refute(linear, hyps->len, hyps->at, NULL) != SMT_UNSAT) {
            smt_forget(&sums->session->smt, mark);
            same = cases_vanish(sums, cases, hyps, at + 1,
                                truth != 0 ? expr_add(exprs, sum, term) : sum);
        }
        (void)vec_pop(hyps);
    }
    return same;
}

// The guards and counts of a term in the single families of a mask.
static void single_part(struct coeff *sums, const struct cterm *term, uint64_t mask, expr_id *guard,
                        expr_id *count)
{
    struct exprs *exprs = &sums->session->exprs;
    *guard = expr_true(exprs);
    *count = expr_int(exprs, 1);
    for (uint32_t f = 0; f < sums->n_families; f++) {
        if ((mask >> f & 1) == 0)
            continue;
        *guard = expr_and2(exprs, *guard, guards_of(sums, term, f));
        *count = expr_mul(exprs, *count, count_of(sums, term, f));
    }
}

static void hyps_of(const struct coeff *sums, uint64_t mask, struct u32_vec *out)
{
    for (uint32_t f = 0; f < sums->n_families; f++)
        for (uint32_t i = 0; (mask >> f & 1) != 0 && i < sums->hyps[f].len; i++)
            vec_push(out, sums->hyps[f].at[i]);
}

static uint64_t single_families(const struct coeff *sums)
{
    uint64_t mask = 0;
    for (uint32_t f = 0; f < sums->n_families; f++)
        if (is_family(sums, f) && coeff_is_single(sums, f))
            mask |= UINT64_C(1) << f;
    return mask;
}

// Compares terms with equal factors in all classes of many axes: the rest of the sum speaks
// of single axes.
static bool group_vanishes(struct coeff *sums, const struct csum *sum, bool whole)
{
    struct axis_cases cases = {.n = sum->at.len};
    struct u32_vec hyps = {0};
    uint64_t mask = single_families(sums);
    if (cases.n > VERIFY_SUM_CASES)
        return coeff_fail(sums, "too many terms to compare");
    for (uint32_t f = 0; f < sums->n_families; f++) { // what is common goes, too
        bool common = !whole && (mask >> f & 1) != 0;
        for (uint32_t i = 1; i < sum->at.len && common; i++)
            common = same_factor(sums, &sum->at.at[0], &sum->at.at[i], f);
        if (common)
            mask &= ~(UINT64_C(1) << f);
    }
    for (uint32_t i = 0; i < cases.n; i++) {
        cases.c[i] = sum->at.at[i].c;
        for (uint32_t j = 0; j < cases.n; j++)
            if (j != i && __builtin_mul_overflow(cases.c[i], sum->at.at[j].divisor, &cases.c[i]))
                return coeff_fail(sums, "constants too large");
        single_part(sums, &sum->at.at[i], mask, &cases.guard[i], &cases.count[i]);
    }
    hyps_of(sums, mask, &hyps);
    bool same = cases_vanish(sums, &cases, &hyps, 0, expr_int(&sums->session->exprs, 0));
    vec_release(&hyps);
    return same;
}

// Drops terms that are 0 because a guard cannot hold on an axis that must exist.
static void drop_void(struct coeff *sums, struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++)
        for (uint32_t f = 0; f < sums->n_families; f++) {
            if (!is_family(sums, f) || coeff_may_be_empty(sums, f) ||
                !coeff_follows(sums, f, &sum->at.at[i], expr_false(&sums->session->exprs)))
                continue;
            sum->at.at[i--] = vec_last(&sum->at);
            (void)vec_pop(&sum->at);
            break;
        }
}

static bool rest_vanishes(struct coeff *sums, struct csum *sum)
{
    drop_void(sums, sum);
    return group_vanishes(sums, sum, true);
}

bool coeff_vanishes(struct coeff *sums, struct csum *sum)
{
    bool same = merge(sums, sum);
    while (same && sum->at.len > 0) {
        struct csum group = {{0}}, rest = {{0}};
        for (uint32_t i = 0; i < sum->at.len; i++) {
            const struct cterm *term = &sum->at.at[i];
            bool alike = i == 0 || same_factors(sums, &sum->at.at[0], term, false);
            if (alike)
                vec_push(&group.at, *term);
            else
                vec_push(&rest.at, *term);
        }
        vec_release(&sum->at);
        *sum = rest;
        // Common factors rarely need to be looked at.
        same = (group.at.len > 1 && group_vanishes(sums, &group, false)) ||
               (sums->why == NULL && rest_vanishes(sums, &group));
        vec_release(&group.at);
    }
    return same;
}

// ---- conditions instead of numbers

// Is some term of the other side not 0 wherever t is not 0?
static bool is_covered(struct coeff *sums, const struct csum *sum, const struct cterm *term)
{
    struct exprs *exprs = &sums->session->exprs;
    struct u32_vec hyps = {0};
    uint64_t mask = single_families(sums);
    expr_id guard, count;
    hyps_of(sums, mask, &hyps);
    single_part(sums, term, mask, &guard, &count);
    vec_push(&hyps, guard);
    for (uint32_t i = 0; i < sum->at.len; i++) {
        const struct cterm *u = &sum->at.at[i];
        bool usable = u->right != term->right;
        for (uint32_t f = 0; f < sums->n_families && usable; f++)
            if (is_family(sums, f) && !coeff_is_single(sums, f))
                usable = implies(sums, term, u, f);
        if (!usable)
            continue;
        single_part(sums, u, mask, &guard, &count);
        vec_push(&hyps, expr_not(exprs, guard));
    }
    uint32_t mark = smt_mark(&sums->session->smt);
    bool covered = linear_refute(&sums->session->linear, hyps.len, hyps.at, NULL) == SMT_UNSAT;
    if (!covered)
        smt_forget(&sums->session->smt, mark);
    vec_release(&hyps);
    return covered;
}

bool coeff_covers(struct coeff *sums, const struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++)
        if (!is_covered(sums, sum, &sum->at.at[i]))
            return false;
    return true;
}
