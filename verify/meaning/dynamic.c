// SPDX-License-Identifier: Apache-2.0
// Places that are known only when the program runs: dynamic slices and gather.
#include "verify/meaning/parts.h"

expr_id denote_place(struct denote *d, expr_id element)
{
    return d->ideal ? expr_value(d->x, element) : expr_place(d->x, element);
}

static expr_id clamped(struct denote *d, expr_id i, expr_id most)
{
    return expr_min(d->x, expr_max(d->x, i, expr_int(d->x, 0)), most);
}

// The start of a piece of m of n elements; starts that are too small or too
// large are moved so that the piece lies inside.
static expr_id start_of(struct denote *d, const struct pat_attr *a,
                        uint32_t place, expr_id n, expr_id m)
{
    expr_id zero = expr_int(d->x, 0);
    if (a == NULL || a->v[0] == NULL)
        return zero;
    return clamped(d, denote_iexp(d, a->v[0], place), expr_sub(d->x, n, m));
}

expr_id denote_dynamic_slice(struct denote *d, uint32_t pat, expr_id *ix)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t i = 0; i < p->n_attrs; i++) {
        const struct pat_attr *a = &p->attrs[i];
        for (uint32_t k = 0; k < d->rank[a->cls]; k++) {
            expr_id *at = &ix[a->cls * d->max_rank + k];
            expr_id start =
                start_of(d, a, k, denote_size(d, p->args[0], a->cls, k),
                         denote_size(d, pat, a->cls, k));
            *at = expr_add(d->x, start, *at);
        }
    }
    return denote_element(d, p->args[0], ix);
}

expr_id denote_dynamic_update(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    expr_id inside = expr_true(x), zero = expr_int(x, 0);
    expr_id old = denote_element(d, p->args[0], ix);
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        if (!denote_has_class(d, p->args[0], c))
            continue;
        const struct pat_attr *a = denote_attr(p, c);
        expr_id all = expr_true(x);
        for (uint32_t k = 0; k < d->rank[c]; k++) {
            expr_id *at = &ix[c * d->max_rank + k];
            expr_id n = denote_size(d, p->args[0], c, k);
            expr_id m = denote_size(d, p->args[1], c, k);
            *at = expr_sub(x, *at, start_of(d, a, k, n, m));
            // The index is in range of the whole anyway.
            if (m != n || (a != NULL && a->v[0] != NULL))
                all = expr_and2(
                    x, all,
                    expr_and2(x, expr_le(x, zero, *at), expr_lt(x, *at, m)));
        }
        denote_note_fold(d, c, all);
        inside = expr_and2(x, inside, all);
    }
    return expr_pick(x, inside, denote_element(d, p->args[1], ix), old);
}

expr_id denote_gather(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    uint32_t axis = denote_lowest_bit(p->classes);
    const struct pat_attr *a = denote_attr(p, axis);
    expr_id *at = &ix[axis * d->max_rank];
    expr_id m = denote_attr_value(d, a, 0, 0, expr_int(x, 1));
    expr_id n = denote_size(d, p->args[0], axis, 0);
    expr_id place = denote_place(d, denote_element(d, p->args[1], ix));
    place = clamped(d, place, expr_sub(x, n, m));
    *at = a == NULL ? place : expr_add(x, place, *at);
    return denote_element(d, p->args[0], ix);
}
