// SPDX-License-Identifier: Apache-2.0
// Reshapes: group by group, from the index on one side to the number of the
// element in row-major order to the index on the other side.
#include "verify/meaning/parts.h"

// The number of the element among those of the group.
static expr_id row_major(struct denote *d, const struct pat *p,
                         const struct reshape_group *g, const expr_id *index)
{
    struct exprs *x = d->x;
    expr_id l = expr_int(x, 0);
    for (uint32_t i = 0; i < g->n_to; i++) {
        if (i > 0)
            l = expr_mul(x, l, denote_group_size(d, p, g, i));
        l = expr_add(x, l, index[g->to[i].cls * d->max_rank]);
    }
    return l;
}

// Divisors are sizes of axes of the operand; where one is 0 there is no
// element.
static void from_row_major(struct denote *d, const struct pat *p,
                           const struct reshape_group *g, expr_id l,
                           expr_id *ix)
{
    struct exprs *x = d->x;
    for (uint32_t i = g->n_from; i-- > 0;) {
        expr_id n = denote_size(d, p->args[0], g->from[i], 0);
        expr_id *at = &ix[g->from[i] * d->max_rank];
        *at = i == 0 ? l : expr_mod(x, l, n);
        l = i == 0 ? l : expr_div(x, l, n);
    }
}

expr_id denote_reshape(struct denote *d, uint32_t pat, expr_id *ix)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t i = 0; i < p->n_groups; i++) {
        const struct reshape_group *g = &p->groups[i];
        for (uint32_t k = 0; k < g->n_from && g->n_to == 0; k++)
            for (uint32_t j = 0; j < d->rank[g->from[k]]; j++)
                ix[g->from[k] * d->max_rank + j] = expr_int(d->x, 0);
        if (g->n_from > 0 && g->n_to > 0)
            from_row_major(d, p, g, row_major(d, p, g, ix), ix);
    }
    return denote_element(d, p->args[0], ix);
}
