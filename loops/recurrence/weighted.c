// SPDX-License-Identifier: Apache-2.0
// Weighted sums: states that an iteration rescales by exp(a - b) before it adds to them, as online
// softmax does (docs/loops.md).
#include "loops/recurrence/solving.h"

static bool is_term(void *ctx, const struct lterms *terms, lterm term)
{
    (void)terms;
    return term == *(lterm *)ctx;
}

static bool has_own(lterm term, const struct lterms *terms, lterm state)
{
    return lterm_any(terms, term, is_term, &state);
}

// leaf = state * r + g, with r = exp(a - b).
static bool weight(const struct solving *v, lterm leaf, lterm state, lterm *r, lterm *g)
{
    struct symbolic *s = v->s;
    const struct lterms *terms = s->terms;
    if (lterm_is(terms, leaf, CODE_MULTIPLY)) {
        bool first = lterm_arg(terms, leaf, 0) == state;
        if (!first && lterm_arg(terms, leaf, 1) != state)
            return false;
        *r = lterm_arg(terms, leaf, first);
        *g = lterm_number_of(s->terms, "0");
        return lterm_is(terms, *r, CODE_EXP) || lterm_is(terms, *r, CODE_EXP2);
    }
    if (!lterm_is(terms, leaf, CODE_ADD))
        return false;
    for (uint32_t side = 0; side < 2; side++) {
        lterm without = lterm_arg(terms, leaf, 1 - side), inner;
        if (has_own(without, terms, state) ||
            !weight(v, lterm_arg(terms, leaf, side), state, r, &inner))
            continue;
        lterm args[2] = {inner, without};
        *g = symbolic_apply(s, CODE_ADD, 2, args);
        return true;
    }
    return false;
}

static lterm replaced(struct symbolic *s, lterm term, lterm from, lterm to)
{
    struct lterms *terms = s->terms;
    uint32_t args[64], n = lterm_n(terms, term);
    enum lterm_kind kind = lterm_kind(terms, term);
    if (term == from)
        return to;
    if (kind == LT_REDUCE) {
        struct lreduce open;
        iatom index;
        lterm_open(terms, term, &open);
        int_is_atom(s->in, open.index, &index);
        lterm body = replaced(s, open.body, from, to);
        lterm made =
            lterm_reduce(terms, open.op, index, open.end, open.guards.len, open.guards.at, body);
        lreduce_release(&open);
        return made;
    }
    for (uint32_t i = 0; i < n; i++) {
        args[i] = lterm_arg(terms, term, i);
        if (kind == LT_APPLY || (kind == LT_CHOOSE && i))
            args[i] = replaced(s, args[i], from, to);
    }
    return lterm_make(terms, kind, lterm_number(terms, term), n, args);
}

// The closed form, over the lanes of state `carried`, of another state whose value in iteration
// k >= 1 is the term.
static bool form_of_value(const struct solving *v, uint32_t carried, lterm term, lterm *form,
                          lterm *initial)
{
    struct symbolic *s = v->s;
    const struct code_loop *loop = solving_loop(v);
    uint32_t rank = solving_type(v, carried)->rank, mark = ifacts_mark(&s->facts);
    bool found = false;
    solving_lane_facts(v, carried);
    symbolic_range(s, int_shift(s->in, v->k, -1), int_shift(s->in, v->trips, -1));
    struct int_substitution none = {0, NULL, NULL};
    lterm here = symbolic_rebuild(s, term, &none); // conditions of the path may say more
    for (uint32_t i = 0; i < loop->n && !found; i++) {
        uint32_t other = loop->at + i, other_rank = solving_type(v, other)->rank;
        if (s->closed.at[other].kind != CLOSED_FORM || other_rank > rank ||
            solving_type(v, other)->kind != CODE_REAL)
            continue;
        for (uint32_t skip = 0; skip <= rank - other_rank && !found; skip++) {
            ipoly lane[CODE_RANK + 1];
            iatom from[CODE_RANK + 1];
            for (uint32_t d = 0; d < other_rank; d++) {
                lane[d] = symbolic_lane(s, d + skip);
                int_is_atom(s->in, symbolic_lane(s, d), &from[d]);
            }
            struct int_substitution by = {other_rank, from, lane};
            lterm value = symbolic_value(s, s->program->carried.at[other].state, lane);
            found = value == term || value == here ||
                    lterm_make(s->terms, LT_STATE, other, other_rank, lane) == term;
            if (!found)
                continue;
            *form = lterm_substitute(s->terms, s->closed.at[other].form, &by);
            *initial = symbolic_value(s, s->program->carried.at[other].initial, lane);
        }
    }
    ifacts_pop(&s->facts, mark);
    return found;
}

struct weights {
    const struct solving *v;
    uint32_t carried;
    lterm state, mark, end; // end: 0, not found yet
    lterm start;            // a at the start
    lterm factor;           // of the exponent; 0: none
    enum code_op exponential;
};

struct other_state {
    const struct code_loop *loop;
    lterm mark;
};

static bool is_other_state(void *ctx, const struct lterms *terms, lterm term)
{
    const struct other_state *other = ctx;
    struct code_loop loop = *other->loop;
    return term != other->mark && solving_is_state(&loop, terms, term);
}

// g of each path, with the mark in the place of b, where a leaf is x*exp(a - b) + g.
static bool weight_tree(struct weights *w, lterm tree, lterm *out)
{
    struct symbolic *s = w->v->s;
    const struct lterms *terms = s->terms;
    if (lterm_kind(terms, tree) == LT_CHOOSE) {
        ipoly p = lterm_arg(terms, tree, 0);
        lterm side[2];
        bool ok = true;
        for (uint32_t i = 0; i < 2 && ok; i++) {
            uint32_t mark = ifacts_mark(&s->facts);
            ifacts_push(&s->facts, i ? int_shift(s->in, int_scale(s->in, p, -1), -1) : p,
                        NO_ORIGIN);
            ok = weight_tree(w, lterm_arg(terms, tree, 1 + i), &side[i]);
            ifacts_pop(&s->facts, mark);
        }
        *out = ok ? symbolic_choose(s, p, side[0], side[1]) : tree;
        return ok;
    }
    lterm r, g;
    *out = lterm_number_of(s->terms, "0");
    if (tree == w->state)
        return true;
    if (!weight(w->v, tree, w->state, &r, &g) || has_own(r, terms, w->state))
        return false;
    lterm difference = lterm_arg(terms, r, 0);
    w->factor = 0;
    if (lterm_is(terms, difference, CODE_MULTIPLY)) { // exp(factor*(a - b))
        w->factor = lterm_arg(terms, difference, 1);
        difference = lterm_arg(terms, difference, 0);
    }
    if (!lterm_is(terms, difference, CODE_SUBTRACT))
        return false;
    lterm a = lterm_arg(terms, difference, 0), b = lterm_arg(terms, difference, 1);
    if (a == b && *out == g)
        return true;
    *out = replaced(s, g, b, w->mark);
    w->exponential = lterm_number(terms, r);
    struct other_state other = {solving_loop(w->v), w->mark};
    return !lterm_any(terms, *out, is_other_state, &other) &&
           (w->end || form_of_value(w->v, w->carried, a, &w->end, &w->start));
}

// The tree with the mark replaced by what the form is on each path.
static lterm replaced_tree(struct symbolic *s, lterm tree, lterm mark, lterm form)
{
    struct int_substitution none = {0, NULL, NULL};
    if (lterm_kind(s->terms, tree) != LT_CHOOSE)
        return replaced(s, tree, mark, symbolic_rebuild(s, form, &none));
    ipoly p = lterm_arg(s->terms, tree, 0);
    lterm side[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t facts = ifacts_mark(&s->facts);
        ifacts_push(&s->facts, i ? int_shift(s->in, int_scale(s->in, p, -1), -1) : p, NO_ORIGIN);
        side[i] = replaced_tree(s, lterm_arg(s->terms, tree, 1 + i), mark, form);
        ifacts_pop(&s->facts, facts);
    }
    return symbolic_choose(s, p, side[0], side[1]);
}

lterm solving_open_next(const struct solving *v, uint32_t carried)
{
    const struct code_loop *loop = solving_loop(v);
    struct symbolic *s = v->s;
    VEC(struct closed) kept = {0};
    for (uint32_t i = 0; i < loop->n; i++) {
        vec_push(&kept, s->closed.at[loop->at + i]);
        if (solving_type(v, loop->at + i)->kind == CODE_REAL)
            symbolic_close(s, loop->at + i, (struct closed){CLOSED_NOT, 0, 0});
    }
    lterm next = solving_next(v, carried, 0);
    for (uint32_t i = 0; i < loop->n; i++)
        symbolic_close(s, loop->at + i, kept.at[i]);
    vec_release(&kept);
    return next;
}

bool solve_weighted(const struct solving *v, uint32_t carried, lterm next)
{
    struct symbolic *s = v->s;
    struct weights w = {.v = v, .carried = carried, .state = solving_leaf(v, carried)};
    lterm g;
    w.mark = lterm_make(s->terms, LT_STATE, carried, 0, NULL);
    uint32_t mark = ifacts_mark(&s->facts);
    solving_lane_facts(v, carried);
    symbolic_range(s, int_shift(s->in, v->k, -1), int_shift(s->in, v->trips, -1));
    bool ok = weight_tree(&w, next, &g) && w.end;
    ifacts_pop(&s->facts, mark);
    if (!ok)
        return false;
    lterm folded = solving_fold(v, carried, CODE_ADD, g, 1);
    solving_lane_facts(v, carried);
    ifacts_push(&s->facts, int_shift(s->in, symbolic_iteration(s), -1), NO_ORIGIN);
    ifacts_push(&s->facts, int_subtract(s->in, v->trips, symbolic_iteration(s)), NO_ORIGIN);
    lterm form = replaced_tree(s, folded, w.mark, w.end);
    lterm initial = solving_initial(v, carried);
    if (!lterm_is_number(s->terms, initial, "0")) {
        // The initial value, rescaled.
        lterm ab[2] = {w.start, w.end};
        lterm difference = symbolic_apply(s, CODE_SUBTRACT, 2, ab);
        lterm scaled[2] = {difference, w.factor};
        if (w.factor)
            difference = symbolic_apply(s, CODE_MULTIPLY, 2, scaled);
        lterm first[2] = {initial, symbolic_apply(s, w.exponential, 1, &difference)};
        lterm parts[2] = {symbolic_apply(s, CODE_MULTIPLY, 2, first), form};
        form = symbolic_apply(s, CODE_ADD, 2, parts);
    }
    ifacts_pop(&s->facts, mark);
    if (symbolic_refusal(s, form))
        return false;
    symbolic_close(s, carried, (struct closed){CLOSED_FORM, 1, form});
    return true;
}
