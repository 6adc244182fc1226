// SPDX-License-Identifier: Apache-2.0
// Folds over adjacent ranges are one.
#include "loops/symbolic/symbolic.h"

// Do the conditions of b hold at all indices of a?
static bool hold_below(struct symbolic *s, const struct lreduce *a, const struct u32_vec *guards,
                       ipoly index)
{
    iatom atom;
    int_is_atom(s->in, index, &atom);
    struct int_substitution by = {1, &atom, &a->index};
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, a->index, a->end);
    bool yes = true;
    for (uint32_t i = 0; i < guards->len && yes; i++)
        yes = int_prove(s->in, &s->facts, int_substitute(s->in, guards->at[i], &by));
    ifacts_pop(&s->facts, mark);
    return yes;
}

// a over [0, e) without conditions, and b over [0, f) of the body at index + e.
static bool join_opened(struct symbolic *s, const struct lreduce *a, struct lreduce *b, lterm *out)
{
    struct int_substitution none = {0, NULL, NULL};
    iatom index_a, index_b;
    int_is_atom(s->in, a->index, &index_a);
    int_is_atom(s->in, b->index, &index_b);
    ipoly moved = int_add(s->in, b->index, a->end), back = int_subtract(s->in, b->index, a->end);
    struct int_substitution shift = {1, &index_a, &moved}, unshift = {1, &index_b, &back};
    lterm body = lterm_substitute(s->terms, a->body, &shift);
    if (body != b->body && symbolic_rebuild(s, body, &none) != symbolic_rebuild(s, b->body, &none))
        return false;
    for (uint32_t i = 0; i < b->guards.len; i++)
        b->guards.at[i] = int_substitute(s->in, b->guards.at[i], &unshift);
    if (!hold_below(s, a, &b->guards, b->index) || !int_prove(s->in, &s->facts, a->end) ||
        !int_prove(s->in, &s->facts, b->end))
        return false;
    struct int_substitution same = {1, &index_a, &b->index};
    lterm made =
        lterm_reduce(s->terms, a->op, index_b, int_add(s->in, a->end, b->end), b->guards.len,
                     b->guards.at, lterm_substitute(s->terms, a->body, &same));
    *out = symbolic_rebuild(s, made, &none);
    return true;
}

bool symbolic_join(struct symbolic *s, lterm a, lterm b, lterm *out)
{
    if (lterm_kind(s->terms, a) != LT_REDUCE || lterm_kind(s->terms, b) != LT_REDUCE ||
        lterm_number(s->terms, a) >> 16 != lterm_number(s->terms, b) >> 16)
        return false;
    struct lreduce x, y;
    lterm_open(s->terms, a, &x);
    lterm_open(s->terms, b, &y);
    bool ok = x.guards.len == 0 && join_opened(s, &x, &y, out);
    lreduce_release(&x);
    lreduce_release(&y);
    return ok;
}
