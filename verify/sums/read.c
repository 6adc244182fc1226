// SPDX-License-Identifier: Apache-2.0
// Reads: what is not of the algebra, as a head and its indices.  Reductions
// below it are replaced by the first equal ones.
#include "verify/sums/parts.h"

// A reduction below an operator: the first equal one that was met, its holes
// filled with the bound indices around this one.
static bool intern(struct coeff *k, expr_id e, expr_id *out)
{
    struct exprs *x = &k->s->x;
    struct nested m = {.n = 0};
    expr_id from[MAX_INDICES], low[MAX_INDICES], high[MAX_INDICES];
    for (uint32_t i = 0; i < k->scope.len; i++) {
        struct scope sc = k->scope.at[i];
        if (!expr_contains(x, e, sc.var))
            continue;
        if (m.n == MAX_INDICES)
            return coeff_fail(k, "too many indices");
        from[m.n] = sc.var;
        m.family[m.n] = sc.family;
        // Numbers of their own at every depth: holes around stay apart.
        m.hole[m.n] = coeff_hole(k, 100 * k->depth + m.n, sc.family);
        low[m.n] = sc.low;
        high[m.n++] = sc.high;
    }
    m.head = canon(&k->s->p, expr_subst(x, e, m.n, from, m.hole));
    for (uint32_t i = 0; i < m.n; i++) {
        low[i] = expr_subst(x, low[i], m.n, from, m.hole);
        high[i] = expr_subst(x, high[i], m.n, from, m.hole);
    }
    for (uint32_t j = 0; j < k->nested.len; j++) {
        const struct nested q = k->nested.at[j];
        bool same =
            q.n == m.n && expr_at(x, q.head)->type == expr_at(x, m.head)->type;
        for (uint32_t i = 0; same && i < m.n; i++)
            same = q.hole[i] == m.hole[i];
        if (!same)
            continue;
        if (q.head != m.head) {
            // This one is used only where its own indices are in range.  Of the
            // other's range nothing is known there.
            uint32_t len[64];
            for (uint32_t f = 0; f < k->n_families; f++)
                len[f] = k->hyps[f].len;
            for (uint32_t i = 0; i < m.n; i++) {
                vec_push(&k->hyps[m.family[i]], low[i]);
                vec_push(&k->hyps[m.family[i]], high[i]);
            }
            same = coeff_same(k, q.head, m.head);
            for (uint32_t f = 0; f < k->n_families; f++)
                k->hyps[f].len = len[f];
        }
        if (same) {
            *out = expr_subst(x, q.head, m.n, q.hole, from);
            return true;
        }
    }
    vec_push(&k->nested, m);
    *out = expr_subst(x, m.head, m.n, m.hole, from);
    return true;
}

// Replaces index expressions by holes, except inside reductions, where only
// the bound indices around are.
static bool abstract(struct coeff *k, expr_id e, struct cread *r, expr_id *out);
static bool intern_all(struct coeff *k, expr_id e, expr_id *out);

static bool hole_for(struct coeff *k, struct cread *r, expr_id index,
                     uint32_t family, expr_id *out)
{
    index = canon(&k->s->p, index);
    for (uint32_t i = 0; i < r->n; i++) {
        *out = coeff_hole(k, i, family);
        if (r->arg[i] == index && r->family[i] == family)
            return true;
    }
    if (r->n == MAX_INDICES)
        return coeff_fail(k, "too many indices");
    *out = coeff_hole(k, r->n, family);
    r->family[r->n] = family;
    r->arg[r->n++] = index;
    return true;
}

static bool abstract_reduce(struct coeff *k, expr_id e, struct cread *r,
                            expr_id *out)
{
    *out = e;
    for (uint32_t i = 0; i < k->scope.len; i++) {
        struct scope sc = k->scope.at[i];
        expr_id hole;
        if (!expr_contains(&k->s->x, *out, sc.var))
            continue;
        if (!hole_for(k, r, sc.var, sc.family, &hole))
            return false;
        *out = expr_subst(&k->s->x, *out, 1, &sc.var, &hole);
    }
    return true;
}

// The class of index i of a tensor, where every class has one axis.
static uint32_t class_of_index(const struct coeff *k, uint32_t tensor,
                               uint32_t i)
{
    return denote_family(k->s->r, k->s->r->tensors[tensor].sizes[i].cls);
}

bool coeff_has_elements(const struct coeff *k, expr_id e)
{
    const struct exprs *x = &k->s->x;
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_sort(x, reach.at[i]) == SORT_ELEM;
    vec_release(&reach);
    return found;
}

// An index or a condition in which elements are: holes for the largest parts
// without elements, which must be of single axes.
static bool abstract_mixed(struct coeff *k, expr_id e, struct cread *r,
                           expr_id *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec args = {0};
    uint32_t family = NONE;
    bool ok = true;
    *out = e;
    if (expr_sort(x, e) == SORT_ELEM)
        return intern_all(k, e, &e) && abstract(k, e, r, out);
    if (!coeff_has_elements(k, e) && expr_sort(x, e) == SORT_INT) {
        if (!coeff_family(k, e, &family))
            return false;
        if (family == NONE)
            return true;
        return (coeff_is_single(k, family) ||
                coeff_fail(k, "a place on a class of many axes")) &&
               hole_for(k, r, e, family, out);
    }
    for (uint32_t i = 0; ok && i < n.n; i++) {
        expr_id b = NO_EXPR;
        ok = abstract_mixed(k, expr_arg(x, e, i), r, &b);
        vec_push(&args, b);
    }
    if (ok && n.n > 0)
        *out = expr_with_args(x, e, args.at);
    vec_release(&args);
    return ok;
}

static bool abstract(struct coeff *k, expr_id e, struct cread *r, expr_id *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec args = {0};
    bool ok = true;
    if (n.kind == X_REDUCE)
        return abstract_reduce(k, e, r, out);
    for (uint32_t i = 0; ok && i < n.n; i++) {
        expr_id a = expr_arg(x, e, i), b = a;
        uint32_t family = NONE;
        if (n.kind == X_ACCESS && coeff_has_elements(k, a))
            ok = abstract_mixed(k, a, r, &b);
        else if (n.kind == X_ACCESS)
            ok = coeff_family(k, a, &family) &&
                 (family == NONE || family == class_of_index(k, n.sym, i) ||
                  coeff_fail(k, "an index of another class")) &&
                 hole_for(k, r, a, class_of_index(k, n.sym, i), &b);
        else if (expr_sort(x, a) == SORT_ELEM)
            ok = abstract(k, a, r, &b);
        else if (n.kind == X_INJECT)
            ok = coeff_family(k, a, &family) &&
                 (family == NONE || hole_for(k, r, a, family, &b));
        else
            ok = coeff_fail(k, "a choice between elements");
        vec_push(&args, b);
    }
    if (ok)
        *out = n.n == 0 ? e : expr_with_args(x, e, args.at);
    vec_release(&args);
    return ok;
}

static bool has_reduce(const struct exprs *x, expr_id e)
{
    const struct expr *n = expr_at(x, e);
    bool found = n->kind == X_REDUCE;
    for (uint32_t i = 0; i < n->n && !found; i++)
        found = has_reduce(x, expr_arg(x, e, i));
    return found;
}

// What contains reductions and stands below an operator, replaced.
static bool intern_all(struct coeff *k, expr_id e, expr_id *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec args = {0};
    bool ok = true;
    *out = e;
    if (n.kind == X_REDUCE)
        return intern(k, e, out);
    if (!has_reduce(x, e))
        return true;
    for (uint32_t i = 0; ok && i < n.n; i++) {
        expr_id a = expr_arg(x, e, i), b = a;
        if (expr_sort(x, a) == SORT_ELEM && has_reduce(x, a))
            ok = intern(k, a, &b);
        vec_push(&args, b);
    }
    if (ok)
        *out = expr_with_args(x, e, args.at);
    vec_release(&args);
    return ok;
}

bool coeff_read(struct coeff *k, expr_id e, struct cread *r)
{
    *r = (struct cread){.n = 0};
    if (!intern_all(k, e, &e) || !abstract(k, e, r, &r->head))
        return false;
    if (k->domain >= 0)
        r->head = ring_normal(k->s, (enum domain)k->domain, r->head);
    r->head = canon(&k->s->p, r->head);
    return true;
}

bool coeff_condition(struct coeff *k, expr_id c, struct cread *r)
{
    *r = (struct cread){.n = 0};
    if (!abstract_mixed(k, c, r, &r->head))
        return false;
    r->head = canon(&k->s->p, r->head);
    return true;
}
