// SPDX-License-Identifier: Apache-2.0
// Terms made again: atoms replaced, and every rule applied under the facts of now.
#include "loops/symbolic/leaf.h"

static lterm reduce_rebuilt(struct symbolic *s, lterm term, const struct int_substitution *by)
{
    struct lreduce open;
    lterm_open(s->terms, term, &open);
    iatom index;
    int_is_atom(s->in, open.index, &index);
    uint32_t mark = ifacts_mark(&s->facts);
    ipoly end = int_simplify(s->in, &s->facts, int_substitute(s->in, open.end, by));
    symbolic_range(s, open.index, end);
    for (uint32_t i = 0; i < open.guards.len; i++) {
        ipoly guard = int_substitute(s->in, open.guards.at[i], by);
        open.guards.at[i] = int_simplify(s->in, &s->facts, guard);
    }
    for (uint32_t i = 0; i < open.guards.len; i++)
        ifacts_push(&s->facts, open.guards.at[i], NO_ORIGIN);
    lterm body = symbolic_rebuild(s, open.body, by);
    ifacts_pop(&s->facts, mark);
    // The guards join the tree as conditions, so that those without the index come out.
    lterm unit = 0;
    leaf_unit(s, open.op, &unit);
    for (uint32_t i = 0; i < open.guards.len; i++) {
        ipoly p = open.guards.at[i], n = int_shift(s->in, int_scale(s->in, p, -1), -1);
        uint32_t args[3] = {p < n ? p : n, p < n ? body : unit, p < n ? unit : body};
        body = body == unit ? unit : lterm_make(s->terms, LT_CHOOSE, 0, 3, args);
    }
    lterm out = symbolic_reduce(s, open.op, index, end, body);
    lreduce_release(&open);
    return out;
}

// A shift by a maximum stands in a term many times: it is opened once.
static lterm remembered_reduce(struct symbolic *s, lterm term, const struct int_substitution *by)
{
    enum { MOST = 16 };
    uint32_t words[2 + 2 * MOST] = {(uint32_t)KEY_REBUILT, term}, n = 2;
    if (by->n > MOST)
        return reduce_rebuilt(s, term, by);
    for (uint32_t i = 0; i < by->n; i++)
        words[n++] = by->from[i], words[n++] = by->to[i];
    uint32_t key = symbolic_memory(s, n, words);
    if (s->known.at[key])
        return s->known.at[key];
    lterm made = reduce_rebuilt(s, term, by);
    s->known.at[key] = made;
    return made;
}

static lterm apply_rebuilt(struct symbolic *s, lterm term, const struct int_substitution *by)
{
    lterm args[8];
    uint32_t n = lterm_n(s->terms, term);
    for (uint32_t i = 0; i < n; i++)
        args[i] = symbolic_rebuild(s, lterm_arg(s->terms, term, i), by);
    return symbolic_apply(s, lterm_number(s->terms, term), n, args);
}

static lterm choose_rebuilt(struct symbolic *s, lterm term, const struct int_substitution *by)
{
    ipoly p = int_substitute(s->in, lterm_arg(s->terms, term, 0), by);
    p = int_simplify(s->in, &s->facts, p);
    lterm truth[3];
    truth[0] = symbolic_choose(s, p, lterm_truth(s->terms, true), lterm_truth(s->terms, false));
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t side = 1; side <= 2; side++) {
        ifacts_push(&s->facts, side == 1 ? p : int_shift(s->in, int_scale(s->in, p, -1), -1),
                    NO_ORIGIN);
        truth[side] = int_contradictory(s->in, &s->facts)
                          ? truth[0]
                          : symbolic_rebuild(s, lterm_arg(s->terms, term, side), by);
        ifacts_pop(&s->facts, mark);
    }
    return symbolic_apply(s, CODE_SELECT, 3, truth);
}

lterm symbolic_rebuild(struct symbolic *s, lterm term, const struct int_substitution *by)
{
    enum lterm_kind kind = lterm_kind(s->terms, term);
    uint32_t args[16], n = lterm_n(s->terms, term);
    switch (kind) {
    case LT_REDUCE:
        return remembered_reduce(s, term, by);
    case LT_APPLY:
        return apply_rebuilt(s, term, by);
    case LT_CHOOSE:
        return choose_rebuilt(s, term, by);
    default:
        for (uint32_t i = 0; i < n && i < 16; i++)
            args[i] = int_simplify(s->in, &s->facts,
                                   int_substitute(s->in, lterm_arg(s->terms, term, i), by));
        if (kind == LT_INTEGER)
            return lterm_integer(s->terms, args[0]);
        return n ? lterm_make(s->terms, kind, lterm_number(s->terms, term), n, args) : term;
    }
}
