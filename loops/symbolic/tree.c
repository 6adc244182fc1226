// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"

// 0 <= p and its negation 0 <= -p - 1.
static ipoly negated(struct symbolic *s, ipoly p)
{
    return int_shift(s->in, int_scale(s->in, p, -1), -1);
}

// Of a condition and its negation, trees use the one with the smaller number.
lterm symbolic_choose(struct symbolic *s, ipoly p, lterm yes, lterm no)
{
    ipoly n = negated(s, p);
    if (yes == no || int_prove(s->in, &s->facts, p))
        return yes;
    if (int_prove(s->in, &s->facts, n))
        return no;
    uint32_t args[3] = {p < n ? p : n, p < n ? yes : no, p < n ? no : yes};
    return lterm_make(s->terms, LT_CHOOSE, 0, 3, args);
}

static bool is_choose(const struct symbolic *s, lterm term)
{
    return lterm_kind(s->terms, term) == LT_CHOOSE;
}

// The tree where the condition holds, or does not.
static lterm cofactor(struct symbolic *s, lterm tree, ipoly condition, bool holds)
{
    if (!is_choose(s, tree) || lterm_arg(s->terms, tree, 0) != condition)
        return tree;
    return lterm_arg(s->terms, tree, holds ? 1 : 2);
}

static lterm apply_under(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args,
                         ipoly condition, bool holds)
{
    lterm sides[8];
    uint32_t mark = ifacts_mark(&s->facts);
    for (uint32_t i = 0; i < n; i++)
        sides[i] = cofactor(s, args[i], condition, holds);
    ifacts_push(&s->facts, holds ? condition : negated(s, condition), NO_ORIGIN);
    lterm out = symbolic_apply(s, op, n, sides);
    ifacts_pop(&s->facts, mark);
    return out;
}

lterm symbolic_apply(struct symbolic *s, enum code_op op, uint32_t n, const lterm *args)
{
    ipoly first = UINT32_MAX;
    if (n > 8)
        return lterm_undefined(s->terms, "an operator with too many operands");
    for (uint32_t i = 0; i < n; i++)
        if (is_choose(s, args[i]) && lterm_arg(s->terms, args[i], 0) < first)
            first = lterm_arg(s->terms, args[i], 0);
    if (first == UINT32_MAX)
        return leaf_apply(s, op, n, args);
    bool yes = int_prove(s->in, &s->facts, first);
    if (yes || int_prove(s->in, &s->facts, negated(s, first)))
        return apply_under(s, op, n, args, first, yes);
    // A leaf of the result may be a choice itself (a comparison of integers): it is put in
    // order by the choice between the results.
    lterm then = apply_under(s, op, n, args, first, true);
    lterm otherwise = apply_under(s, op, n, args, first, false);
    return symbolic_choose(s, first, then, otherwise);
}

const char *symbolic_refusal(const struct symbolic *s, lterm term)
{
    const struct lterms *terms = s->terms;
    if (lterm_kind(terms, term) == LT_UNDEFINED)
        return intern_text(&terms->names, lterm_number(terms, term));
    enum lterm_kind kind = lterm_kind(terms, term);
    for (uint32_t i = 0; i < lterm_n(terms, term); i++) {
        bool below = kind == LT_APPLY || (kind == LT_CHOOSE && i) || (kind == LT_REDUCE && i == 1);
        const char *reason = below ? symbolic_refusal(s, lterm_arg(terms, term, i)) : NULL;
        if (reason)
            return reason;
    }
    return NULL;
}

bool symbolic_assume(struct symbolic *s, lterm truth, uint32_t origin)
{
    const struct lterms *terms = s->terms;
    if (lterm_kind(terms, truth) == LT_TRUTH)
        return lterm_number(terms, truth); // true says nothing; false: the caller decides
    if (lterm_kind(terms, truth) != LT_CHOOSE)
        return false;
    lterm no = lterm_truth(s->terms, false);
    ipoly condition = lterm_arg(terms, truth, 0);
    for (int side = 0; side < 2; side++)
        if (lterm_arg(terms, truth, 2 - (uint32_t)side) == no) {
            // The other side must be chosen.
            ifacts_push(&s->facts, side ? negated(s, condition) : condition, origin);
            lterm rest = lterm_arg(terms, truth, 1 + (uint32_t)side);
            return symbolic_assume(s, rest, origin);
        }
    return false;
}
