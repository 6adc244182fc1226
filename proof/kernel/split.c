// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/normal.h"

struct splitter {
    struct symbolic *s;
    iatom k;
    uint32_t inside; // of how many folds
    bool ok;
};

static lterm split(struct splitter *sp, lterm term);

static ipoly one_less(struct splitter *sp, ipoly end)
{
    ipoly before = int_shift(sp->s->in, int_atom_poly(sp->s->in, sp->k), -1);
    struct int_substitution by = {1, &sp->k, &before};
    return int_substitute(sp->s->in, end, &by);
}

// The part of the fold from `start` on, counted from 0.
static lterm rest_of(struct splitter *sp, const struct lreduce *open, iatom index, ipoly start,
                     lterm body)
{
    struct integers *in = sp->s->in;
    ipoly moved = int_add(in, open->index, start);
    struct int_substitution by = {1, &index, &moved}, none = {0, NULL, NULL};
    struct u32_vec guards = {0};
    for (uint32_t i = 0; i < open->guards.len; i++)
        vec_push(&guards, int_substitute(in, open->guards.at[i], &by));
    lterm made = lterm_reduce(sp->s->terms, open->op, index, int_subtract(in, open->end, start),
                              guards.len, guards.at, lterm_substitute(sp->s->terms, body, &by));
    vec_release(&guards);
    return symbolic_rebuild(sp->s, made, &none);
}

// The choice as a tree with its conditions in order.
static lterm chosen(struct symbolic *s, ipoly p, lterm yes, lterm no)
{
    lterm truth = symbolic_choose(s, p, lterm_truth(s->terms, true), lterm_truth(s->terms, false));
    lterm args[3] = {truth, yes, no};
    return symbolic_apply(s, CODE_SELECT, 3, args);
}

// A start that may be below 0 is a case of its own: there the first part is empty.
static lterm split_at(struct splitter *sp, const struct lreduce *open, iatom index, ipoly start,
                      lterm body)
{
    struct symbolic *s = sp->s;
    struct int_substitution none = {0, NULL, NULL};
    bool known = int_prove(s->in, &s->facts, start);
    uint32_t mark = ifacts_mark(&s->facts);
    lterm whole =
        lterm_reduce(s->terms, open->op, index, open->end, open->guards.len, open->guards.at, body);
    sp->ok = sp->ok && (known || sp->inside == 0) &&
             int_prove_less_equal(s->in, &s->facts, start, open->end);
    ifacts_push(&s->facts, start, NO_ORIGIN);
    lterm first =
        lterm_reduce(s->terms, open->op, index, start, open->guards.len, open->guards.at, body);
    lterm args[2] = {symbolic_rebuild(s, first, &none), rest_of(sp, open, index, start, body)};
    lterm made = symbolic_apply(s, open->op, 2, args);
    ifacts_pop(&s->facts, mark);
    if (known)
        return made;
    ifacts_push(&s->facts, int_shift(s->in, int_scale(s->in, start, -1), -1), NO_ORIGIN);
    whole = symbolic_rebuild(s, whole, &none);
    ifacts_pop(&s->facts, mark);
    return chosen(s, start, made, whole);
}

static lterm split_fold(struct splitter *sp, lterm term)
{
    struct symbolic *s = sp->s;
    struct lreduce open;
    iatom index;
    lterm_open(s->terms, term, &open);
    int_is_atom(s->in, open.index, &index);
    sp->inside++;
    lterm body = split(sp, open.body);
    sp->inside--;
    lterm made;
    if (!int_mentions(s->in, open.end, sp->k)) {
        made =
            lterm_reduce(s->terms, open.op, index, open.end, open.guards.len, open.guards.at, body);
    } else {
        made = split_at(sp, &open, index, one_less(sp, open.end), body);
    }
    lreduce_release(&open);
    return made;
}

static lterm split(struct splitter *sp, lterm term)
{
    struct symbolic *s = sp->s;
    uint32_t args[8], n = lterm_n(s->terms, term);
    enum lterm_kind kind = lterm_kind(s->terms, term);
    if (kind == LT_REDUCE)
        return split_fold(sp, term);
    if (kind != LT_APPLY && kind != LT_CHOOSE)
        return term;
    for (uint32_t i = 0; i < n; i++) {
        args[i] = lterm_arg(s->terms, term, i);
        if (kind == LT_APPLY || i)
            args[i] = split(sp, args[i]);
    }
    if (kind == LT_CHOOSE)
        return chosen(s, args[0], args[1], args[2]);
    return symbolic_apply(s, lterm_number(s->terms, term), n, args);
}

bool normal_split(struct symbolic *s, lterm term, iatom k, lterm *out)
{
    struct splitter sp = {.s = s, .k = k, .ok = true};
    *out = split(&sp, term);
    return sp.ok;
}
