// SPDX-License-Identifier: Apache-2.0
// Maxima and minima over the first indices of a range.
//
// Let the indices be those k of [0, end) with k <= m, and 0 <= m.  Then min(k, m) over all k of
// [0, end) is each of them at least once, and nothing else; that an element comes more than once
// changes no maximum.  A guard g(k) becomes g(min(k, m)).
#include "loops/symbolic/symbolic.h"

// k <= rest, where k may be 0.
static bool is_cap(struct symbolic *s, ipoly guard, iatom index, ipoly *rest)
{
    ipoly factor;
    int64_t c;
    return int_linear_in(s->in, guard, index, &factor, rest) &&
           int_is_constant(s->in, factor, &c) && c == -1 && int_prove(s->in, &s->facts, *rest);
}

void symbolic_clamp(struct symbolic *s, struct lreduce *open)
{
    iatom index;
    ipoly rest, least = open->index;
    uint32_t kept = 0;
    bool idempotent = open->op == CODE_MAXIMUM || open->op == CODE_MINIMUM;
    if (!idempotent || !int_is_atom(s->in, open->index, &index) ||
        !int_prove(s->in, &s->facts, int_shift(s->in, open->end, -1)))
        return;
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, open->index, open->end);
    for (uint32_t i = 0; i < open->guards.len; i++) {
        if (is_cap(s, open->guards.at[i], index, &rest))
            least = int_minimum(s->in, &s->facts, least, rest);
        else
            open->guards.at[kept++] = open->guards.at[i];
    }
    ifacts_pop(&s->facts, mark);
    open->guards.len = kept;
    struct int_substitution by = {1, &index, &least};
    for (uint32_t i = 0; i < kept; i++)
        open->guards.at[i] = int_substitute(s->in, open->guards.at[i], &by);
    if (least != open->index)
        open->body = lterm_substitute(s->terms, open->body, &by);
}
