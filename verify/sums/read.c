// SPDX-License-Identifier: Apache-2.0
// Reads: elements outside the algebra, as a head and its indices.  Reductions below are
// replaced by the first equal ones.
#include "verify/sums/parts.h"
#include "verify/limits.h"

// Replaces a reduction below an operator by the first equal one that was met, with its holes
// filled by the bound indices around this one.
static bool intern(struct coeff *sums, expr_id e, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    struct nested nested = {.n = 0};
    expr_id from[VERIFY_SUM_INDICES], low[VERIFY_SUM_INDICES], high[VERIFY_SUM_INDICES];
    for (uint32_t i = 0; i < sums->scope.len; i++) {
        struct scope sc = sums->scope.at[i];
        if (!expr_contains(exprs, e, sc.var))
            continue;
        if (nested.n == VERIFY_SUM_INDICES)
            return coeff_fail(sums, "too many indices");
        from[nested.n] = sc.var;
        nested.family[nested.n] = sc.family;
        // Every depth has its own numbers, so that holes of outer reductions stay apart.
        nested.hole[nested.n] = coeff_hole(sums, 100 * sums->depth + nested.n, sc.family);
        low[nested.n] = sc.low;
        high[nested.n++] = sc.high;
    }
    nested.head = canon(&sums->session->polys, expr_subst(exprs, e, nested.n, from, nested.hole));
    for (uint32_t i = 0; i < nested.n; i++) {
        low[i] = expr_subst(exprs, low[i], nested.n, from, nested.hole);
        high[i] = expr_subst(exprs, high[i], nested.n, from, nested.hole);
    }
    for (uint32_t j = 0; j < sums->nested.len; j++) {
        const struct nested q = sums->nested.at[j];
        bool same =
            q.n == nested.n && expr_at(exprs, q.head)->type == expr_at(exprs, nested.head)->type;
        for (uint32_t i = 0; same && i < nested.n; i++)
            same = q.hole[i] == nested.hole[i];
        if (!same)
            continue;
        if (q.head != nested.head) {
            // This reduction is used only if its own indices are in range.  Nothing is known
            // there about the range of the other.
            uint32_t len[64];
            for (uint32_t f = 0; f < sums->n_families; f++)
                len[f] = sums->hyps[f].len;
            for (uint32_t i = 0; i < nested.n; i++) {
                vec_push(&sums->hyps[nested.family[i]], low[i]);
                vec_push(&sums->hyps[nested.family[i]], high[i]);
            }
            same = coeff_same(sums, q.head, nested.head);
            for (uint32_t f = 0; f < sums->n_families; f++)
                sums->hyps[f].len = len[f];
        }
        if (same) {
            *out = expr_subst(exprs, q.head, nested.n, q.hole, from);
            return true;
        }
    }
    vec_push(&sums->nested, nested);
    *out = expr_subst(exprs, nested.head, nested.n, nested.hole, from);
    return true;
}

// Replaces index expressions by holes.  Inside reductions, only the bound indices from
// outside are replaced.
static bool abstract(struct coeff *sums, expr_id e, struct cread *read_of, expr_id *out);
static bool intern_all(struct coeff *sums, expr_id e, expr_id *out);

static bool hole_for(struct coeff *sums, struct cread *read_of, expr_id index, uint32_t family,
                     expr_id *out)
{
    index = canon(&sums->session->polys, index);
    for (uint32_t i = 0; i < read_of->n; i++) {
        *out = coeff_hole(sums, i, family);
        if (read_of->arg[i] == index && read_of->family[i] == family)
            return true;
    }
    if (read_of->n == VERIFY_SUM_INDICES)
        return coeff_fail(sums, "too many indices");
    *out = coeff_hole(sums, read_of->n, family);
    read_of->family[read_of->n] = family;
    read_of->arg[read_of->n++] = index;
    return true;
}

static bool abstract_reduce(struct coeff *sums, expr_id e, struct cread *read_of, expr_id *out)
{
    *out = e;
    for (uint32_t i = 0; i < sums->scope.len; i++) {
        struct scope sc = sums->scope.at[i];
        expr_id hole;
        if (!expr_contains(&sums->session->exprs, *out, sc.var))
            continue;
        if (!hole_for(sums, read_of, sc.var, sc.family, &hole))
            return false;
        *out = expr_subst(&sums->session->exprs, *out, 1, &sc.var, &hole);
    }
    return true;
}

// The class of index i of a tensor, where every class has one axis.
static uint32_t class_of_index(const struct coeff *sums, uint32_t tensor, uint32_t i)
{
    return denote_family(sums->session->rule, sums->session->rule->tensors[tensor].sizes[i].cls);
}

bool coeff_has_elements(const struct coeff *sums, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_sort(exprs, reach.at[i]) == SORT_ELEM;
    vec_release(&reach);
    return found;
}

// An index or a condition that contains elements: holes replace its largest parts without
// elements, which must be about single axes.
static bool abstract_mixed(struct coeff *sums, expr_id e, struct cread *read_of, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    uint32_t family = NONE;
    bool ok = true;
    *out = e;
    if (expr_sort(exprs, e) == SORT_ELEM)
        return intern_all(sums, e, &e) && abstract(sums, e, read_of, out);
    if (!coeff_has_elements(sums, e) && expr_sort(exprs, e) == SORT_INT) {
        if (!coeff_family(sums, e, &family))
            return false;
        if (family == NONE)
            return true;
        return (coeff_is_single(sums, family) ||
                coeff_fail(sums, "a place on a class of many axes")) &&
               hole_for(sums, read_of, e, family, out);
    }
    for (uint32_t i = 0; ok && i < node.n; i++) {
        expr_id b = NO_EXPR;
        ok = abstract_mixed(sums, expr_arg(exprs, e, i), read_of, &b);
        vec_push(&args, b);
    }
    if (ok && node.n > 0)
        *out = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return ok;
}

static bool abstract(struct coeff *sums, expr_id e, struct cread *read_of, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    bool ok = true;
    if (node.kind == X_REDUCE)
        return abstract_reduce(sums, e, read_of, out);
    for (uint32_t i = 0; ok && i < node.n; i++) {
        expr_id a = expr_arg(exprs, e, i), b = a;
        uint32_t family = NONE;
        if (node.kind == X_ACCESS && coeff_has_elements(sums, a))
            ok = abstract_mixed(sums, a, read_of, &b);
        else if (node.kind == X_ACCESS)
            ok = coeff_family(sums, a, &family) &&
                 (family == NONE || family == class_of_index(sums, node.sym, i) ||
                  coeff_fail(sums, "an index of another class")) &&
                 hole_for(sums, read_of, a, class_of_index(sums, node.sym, i), &b);
        else if (expr_sort(exprs, a) == SORT_ELEM)
            ok = abstract(sums, a, read_of, &b);
        else if (node.kind == X_INJECT)
            ok = coeff_family(sums, a, &family) &&
                 (family == NONE || hole_for(sums, read_of, a, family, &b));
        else
            ok = coeff_fail(sums, "a choice between elements");
        vec_push(&args, b);
    }
    if (ok)
        *out = node.n == 0 ? e : expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return ok;
}

static bool has_reduce(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    bool found = node->kind == X_REDUCE;
    for (uint32_t i = 0; i < node->n && !found; i++)
        found = has_reduce(exprs, expr_arg(exprs, e, i));
    return found;
}

// Replaces the reductions below an operator.
static bool intern_all(struct coeff *sums, expr_id e, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    bool ok = true;
    *out = e;
    if (node.kind == X_REDUCE)
        return intern(sums, e, out);
    if (!has_reduce(exprs, e))
        return true;
    for (uint32_t i = 0; ok && i < node.n; i++) {
        expr_id a = expr_arg(exprs, e, i), b = a;
        if (expr_sort(exprs, a) == SORT_ELEM && has_reduce(exprs, a))
            ok = intern(sums, a, &b);
        vec_push(&args, b);
    }
    if (ok)
        *out = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return ok;
}

bool coeff_read(struct coeff *sums, expr_id e, struct cread *read_of)
{
    *read_of = (struct cread){.n = 0};
    if (!intern_all(sums, e, &e) || !abstract(sums, e, read_of, &read_of->head))
        return false;
    if (sums->domain >= 0)
        read_of->head = ring_normal(sums->session, (enum domain)sums->domain, read_of->head);
    read_of->head = canon(&sums->session->polys, read_of->head);
    return true;
}

bool coeff_condition(struct coeff *sums, expr_id c, struct cread *read_of)
{
    *read_of = (struct cread){.n = 0};
    if (!abstract_mixed(sums, c, read_of, &read_of->head))
        return false;
    read_of->head = canon(&sums->session->polys, read_of->head);
    return true;
}
