// SPDX-License-Identifier: Apache-2.0
// Reshapes, group by group: from the index on one side to the row-major number of the
// element, and from that number to the index on the other side.
#include "verify/meaning/parts.h"

// The row-major number of the element in its group.
static expr_id row_major(struct denote *denote, const struct pat *pattern,
                         const struct reshape_group *group, const expr_id *index)
{
    struct exprs *exprs = denote->exprs;
    expr_id l = expr_int(exprs, 0);
    for (uint32_t i = 0; i < group->n_to; i++) {
        if (i > 0)
            l = expr_mul(exprs, l, denote_group_size(denote, pattern, group, i));
        l = expr_add(exprs, l, index[group->to[i].cls * denote->max_rank]);
    }
    return l;
}

// Divisors are sizes of axes of the operand.  If one of them is 0, there is no element.
static void from_row_major(struct denote *denote, const struct pat *pattern,
                           const struct reshape_group *group, expr_id l, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    for (uint32_t i = group->n_from; i-- > 0;) {
        expr_id n = denote_size(denote, pattern->args[0], group->from[i], 0);
        expr_id *at = &ix[group->from[i] * denote->max_rank];
        *at = i == 0 ? l : expr_mod(exprs, l, n);
        l = i == 0 ? l : expr_div(exprs, l, n);
    }
}

expr_id denote_reshape(struct denote *denote, uint32_t pat, expr_id *ix)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    for (uint32_t i = 0; i < pattern->n_groups; i++) {
        const struct reshape_group *group = &pattern->groups[i];
        for (uint32_t k = 0; k < group->n_from && group->n_to == 0; k++)
            for (uint32_t j = 0; j < denote->rank[group->from[k]]; j++)
                ix[group->from[k] * denote->max_rank + j] = expr_int(denote->exprs, 0);
        if (group->n_from > 0 && group->n_to > 0)
            from_row_major(denote, pattern, group, row_major(denote, pattern, group, ix), ix);
    }
    return denote_element(denote, pattern->args[0], ix);
}
