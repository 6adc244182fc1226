// SPDX-License-Identifier: Apache-2.0
// Places that are known only at run time: dynamic slices and gather.
#include "verify/meaning/parts.h"

expr_id denote_place(struct denote *denote, expr_id element)
{
    return denote->ideal ? expr_value(denote->exprs, element) : expr_place(denote->exprs, element);
}

static expr_id clamped(struct denote *denote, expr_id i, expr_id most)
{
    return expr_min(denote->exprs, expr_max(denote->exprs, i, expr_int(denote->exprs, 0)), most);
}

// The start of a piece of m of n elements.  Starts that are too small or too large are moved
// so that the piece lies inside.
static expr_id start_of(struct denote *denote, const struct pat_attr *attr, uint32_t place,
                        expr_id n, expr_id m)
{
    expr_id zero = expr_int(denote->exprs, 0);
    if (attr == NULL || attr->expr[0] == NULL)
        return zero;
    return clamped(denote, denote_iexp(denote, attr->expr[0], place),
                   expr_sub(denote->exprs, n, m));
}

expr_id denote_dynamic_slice(struct denote *denote, uint32_t pat, expr_id *ix)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    for (uint32_t i = 0; i < pattern->n_attrs; i++) {
        const struct pat_attr *attr = &pattern->attrs[i];
        for (uint32_t k = 0; k < denote->rank[attr->cls]; k++) {
            expr_id *at = &ix[attr->cls * denote->max_rank + k];
            expr_id start =
                start_of(denote, attr, k, denote_size(denote, pattern->args[0], attr->cls, k),
                         denote_size(denote, pat, attr->cls, k));
            *at = expr_add(denote->exprs, start, *at);
        }
    }
    return denote_element(denote, pattern->args[0], ix);
}

expr_id denote_dynamic_update(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    expr_id inside = expr_true(exprs), zero = expr_int(exprs, 0);
    expr_id old = denote_element(denote, pattern->args[0], ix);
    for (uint32_t c = 0; c < denote->rule->n_classes; c++) {
        if (!denote_has_class(denote, pattern->args[0], c))
            continue;
        const struct pat_attr *attr = denote_attr(pattern, c);
        expr_id all = expr_true(exprs);
        for (uint32_t k = 0; k < denote->rank[c]; k++) {
            expr_id *at = &ix[c * denote->max_rank + k];
            expr_id n = denote_size(denote, pattern->args[0], c, k);
            expr_id m = denote_size(denote, pattern->args[1], c, k);
            *at = expr_sub(exprs, *at, start_of(denote, attr, k, n, m));
            // A piece of all elements is in range anyway.
            if (m != n || (attr != NULL && attr->expr[0] != NULL))
                all =
                    expr_and2(exprs, all,
                              expr_and2(exprs, expr_le(exprs, zero, *at), expr_lt(exprs, *at, m)));
        }
        denote_note_fold(denote, c, all);
        inside = expr_and2(exprs, inside, all);
    }
    return expr_pick(exprs, inside, denote_element(denote, pattern->args[1], ix), old);
}

expr_id denote_gather(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    uint32_t axis = denote_lowest_bit(pattern->classes);
    const struct pat_attr *attr = denote_attr(pattern, axis);
    expr_id *at = &ix[axis * denote->max_rank];
    expr_id m = denote_attr_value(denote, attr, 0, 0, expr_int(exprs, 1));
    expr_id n = denote_size(denote, pattern->args[0], axis, 0);
    expr_id element = denote_element(denote, pattern->args[1], ix);
    expr_id place = denote_place(denote, element);
    place = clamped(denote, place, expr_sub(exprs, n, m));
    *at = attr == NULL ? place : expr_add(exprs, place, *at);
    expr_id out = denote_element(denote, pattern->args[0], ix);
    if (!expr_contains(exprs, out, element)) // one element is at all places
        vec_push(&denote->dropped, element);
    return out;
}
