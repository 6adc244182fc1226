// SPDX-License-Identifier: Apache-2.0
// Folds of pairs (value, index) that keep the pair with the greatest or the least value.
//
// The region is a function of two pairs, of which the left one has the smaller index.  It is
// what its results are in three cases, for all values: left < right, equal, left > right.
#include "loops/symbolic/leaf.h"

enum { CASE_LESS, CASE_EQUAL, CASE_GREATER, N_CASES };

struct pairs {
    struct symbolic *s;
    lterm left, right; // values
    int which;         // case
    bool known;
};

// The truth of a condition in a case.
static bool holds(struct pairs *p, lterm condition);

static int side_of(const struct pairs *p, lterm term)
{
    return term == p->left ? 0 : term == p->right ? 1 : 2;
}

static bool compared(struct pairs *p, enum code_op op, lterm a, lterm b)
{
    int x = side_of(p, a), y = side_of(p, b);
    if (x == 2 || y == 2) {
        p->known = false;
        return false;
    }
    int order = x == y ? 0 : p->which - CASE_EQUAL; // sign of left - right
    order = x > y ? -order : order;
    return op == CODE_LESS         ? order < 0
           : op == CODE_LESS_EQUAL ? order <= 0
                                   : (order == 0) == (op == CODE_EQUAL);
}

static bool holds(struct pairs *p, lterm condition)
{
    const struct lterms *terms = p->s->terms;
    if (lterm_kind(terms, condition) == LT_TRUTH)
        return lterm_number(terms, condition);
    if (lterm_kind(terms, condition) != LT_APPLY) {
        p->known = false;
        return false;
    }
    enum code_op op = lterm_number(terms, condition);
    lterm a = lterm_arg(terms, condition, 0);
    lterm b = lterm_n(terms, condition) > 1 ? lterm_arg(terms, condition, 1) : 0;
    switch (op) {
    case CODE_NOT:
        return !holds(p, a);
    case CODE_AND:
        return holds(p, a) & holds(p, b);
    case CODE_OR:
        return holds(p, a) | holds(p, b);
    case CODE_XOR:
        return holds(p, a) != holds(p, b);
    case CODE_LESS:
    case CODE_LESS_EQUAL:
    case CODE_EQUAL:
    case CODE_UNEQUAL:
        return compared(p, op, a, b);
    default:
        p->known = false;
        return false;
    }
}

// The result in a case.
static lterm chosen(struct pairs *p, lterm result)
{
    const struct lterms *terms = p->s->terms;
    while (p->known && lterm_is(terms, result, CODE_SELECT))
        result = lterm_arg(terms, result, holds(p, lterm_arg(terms, result, 0)) ? 1 : 2);
    if (p->known &&
        (lterm_is(terms, result, CODE_MAXIMUM) || lterm_is(terms, result, CODE_MINIMUM))) {
        bool first = compared(p, CODE_LESS, lterm_arg(terms, result, 0),
                              lterm_arg(terms, result, 1)) == lterm_is(terms, result, CODE_MINIMUM);
        result = lterm_arg(terms, result, first ? 0 : 1);
    }
    return result;
}

// Binds the parameters to unknowns: values, and integers of which the left one is less.
static void bind_unknowns(struct symbolic *s, const struct code_region *region, lterm *unknown)
{
    vec_clear(&s->environment);
    for (uint32_t i = 0; i < 2 * region->n; i++) {
        code_value node = s->program->bound.at[region->at + i];
        bool real = code_node(s->program, node)->type.kind == CODE_REAL;
        ipoly index = int_fresh(s->in, "p");
        unknown[i] =
            real ? lterm_make(s->terms, LT_READ, NO_CODE, 1, &index) : lterm_whole(s->terms, index);
        vec_push(&s->environment, unknown[i]);
        s->binding.at[node] = (struct binding){BIND_REGION, 0, i};
    }
}

bool pair_fold(struct symbolic *s, const struct code_region *region, enum pair_fold *out)
{
    lterm unknown[4], result[2];
    if (region->n != 2)
        return false;
    bind_unknowns(s, region, unknown);
    if (lterm_kind(s->terms, unknown[0]) != LT_READ || lterm_kind(s->terms, unknown[1]) != LT_WHOLE)
        return false;
    uint32_t mark = ifacts_mark(&s->facts);
    ipoly less =
        int_subtract(s->in, lterm_arg(s->terms, unknown[3], 0), lterm_arg(s->terms, unknown[1], 0));
    ifacts_push(&s->facts, int_shift(s->in, less, -1), NO_ORIGIN);
    s->in_region++;
    for (uint32_t i = 0; i < 2; i++)
        result[i] = symbolic_value(s, s->program->bound.at[region->at + 4 + i], NULL);
    s->in_region--;
    ifacts_pop(&s->facts, mark);
    bool left[N_CASES];
    for (int which = 0; which < N_CASES; which++) {
        struct pairs p = {s, unknown[0], unknown[2], which, true};
        lterm value = chosen(&p, result[0]), index = chosen(&p, result[1]);
        if (lterm_kind(s->terms, index) == LT_INTEGER)
            index = lterm_whole(s->terms, lterm_arg(s->terms, index, 0));
        left[which] = index == unknown[1];
        bool value_fits = value == unknown[left[which] ? 0 : 2] ||
                          (which == CASE_EQUAL && side_of(&p, value) < 2);
        if (!p.known || (!left[which] && index != unknown[3]) || !value_fits)
            return false;
    }
    if (left[CASE_LESS] == left[CASE_GREATER])
        return false;
    *out = left[CASE_GREATER] ? (left[CASE_EQUAL] ? PAIR_FIRST_GREATEST : PAIR_LAST_GREATEST)
                              : (left[CASE_EQUAL] ? PAIR_FIRST_LEAST : PAIR_LAST_LEAST);
    return true;
}
