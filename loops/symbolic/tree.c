// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"

// 0 <= p and its negation 0 <= -p - 1.
static ipoly negated(struct symbolic *s, ipoly p)
{
    return int_shift(s->in, int_scale(s->in, p, -1), -1);
}

// Where 0 <= p holds, a rem c for a number c, as a - c*w for terms c*w of p.  False: it is none.
static bool last_group(struct symbolic *s, ipoly p, ipoly whole, ipoly *out)
{
    iatom atom;
    int64_t c;
    ipoly multiple = 0;
    if (!int_is_atom(s->in, whole, &atom))
        return false;
    struct iatom_node node = int_atom(s->in, atom);
    if ((node.kind != INT_REMAINDER && node.kind != INT_TRUNCATED_REMAINDER) ||
        !int_is_constant(s->in, node.b, &c) || c < 1)
        return false;
    for (uint32_t i = 0; i < int_length(s->in, p); i++) {
        struct iterm term = int_term(s->in, p, i);
        if (term.mono != 0 && term.coefficient % c == 0)
            multiple =
                int_add(s->in, multiple,
                        int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient));
    }
    *out = int_subtract(s->in, node.a, multiple);
    if (node.kind == INT_TRUNCATED_REMAINDER && !int_prove(s->in, &s->facts, node.a))
        return false; // a negative one has a remainder that is not positive
    return multiple && int_prove(s->in, &s->facts, *out) &&
           int_prove_less(s->in, &s->facts, *out, node.b);
}

// The rows of the last group are G rem c where g + c > G, else c: the smaller one of G - g and c.
static bool smaller_of(struct symbolic *s, ipoly p, lterm yes, lterm no, lterm *out)
{
    if (lterm_kind(s->terms, yes) != LT_WHOLE || lterm_kind(s->terms, no) != LT_WHOLE)
        return false;
    ipoly a, b = lterm_arg(s->terms, no, 0);
    uint32_t mark = ifacts_mark(&s->facts);
    ifacts_push(&s->facts, p, NO_ORIGIN);
    bool is = last_group(s, p, lterm_arg(s->terms, yes, 0), &a) &&
              int_prove_less_equal(s->in, &s->facts, a, b);
    ifacts_pop(&s->facts, mark);
    if (!is)
        return false;
    ifacts_push(&s->facts, negated(s, p), NO_ORIGIN);
    is = int_prove_less_equal(s->in, &s->facts, b, a);
    ifacts_pop(&s->facts, mark);
    if (is)
        *out = lterm_whole(s->terms, int_minimum(s->in, &s->facts, a, b));
    return is;
}

// Of a condition and its negation, trees use the one with the smaller number.
lterm symbolic_choose(struct symbolic *s, ipoly p, lterm yes, lterm no)
{
    ipoly n = negated(s, p);
    lterm smaller;
    if (yes == no || int_prove(s->in, &s->facts, p))
        return yes;
    if (int_prove(s->in, &s->facts, n))
        return no;
    if (smaller_of(s, p, yes, no, &smaller) || smaller_of(s, n, no, yes, &smaller))
        return smaller;
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

static bool divided(struct symbolic *s, ipoly a, int64_t by, ipoly *out)
{
    *out = 0;
    for (uint32_t i = 0; i < int_length(s->in, a); i++) {
        struct iterm term = int_term(s->in, a, i);
        if (term.coefficient % by)
            return false;
        *out = int_add(
            s->in, *out,
            int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient / by));
    }
    return true;
}

bool symbolic_pinned(struct symbolic *s, ipoly p, iatom *symbol, ipoly *to)
{
    if (!int_prove(s->in, &s->facts, int_scale(s->in, p, -1)))
        return false;
    for (uint32_t i = 0; i < int_length(s->in, p); i++) {
        struct iterm term = int_term(s->in, p, i);
        ipoly factor, rest;
        int64_t c;
        if (int_degree(s->in, (imono)term.mono) != 1)
            continue;
        *symbol = int_factor(s->in, (imono)term.mono, 0);
        if (int_atom(s->in, *symbol).kind == INT_SYMBOL &&
            int_linear_in(s->in, p, *symbol, &factor, &rest) &&
            int_is_constant(s->in, factor, &c) && c != INT64_MIN && divided(s, rest, -c, to))
            return true;
    }
    return false;
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

// Is a condition of the tree about elements of arrays?
static bool mentions_elements(const struct symbolic *s, lterm truth)
{
    if (!is_choose(s, truth))
        return lterm_kind(s->terms, truth) != LT_TRUTH;
    struct u32_vec atoms = {0};
    bool found = mentions_elements(s, lterm_arg(s->terms, truth, 1)) ||
                 mentions_elements(s, lterm_arg(s->terms, truth, 2));
    int_atoms(s->in, lterm_arg(s->terms, truth, 0), &atoms);
    for (uint32_t i = 0; i < atoms.len && !found; i++)
        found = int_atom(s->in, atoms.at[i]).kind == INT_ELEMENT;
    vec_release(&atoms);
    return found;
}

// The conditions of a tree that are not about elements, each once.
static void list_conditions(const struct symbolic *s, lterm tree, struct u32_vec *out)
{
    if (!is_choose(s, tree))
        return;
    ipoly p = lterm_arg(s->terms, tree, 0);
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(s->in, p, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        found = found || int_atom(s->in, atoms.at[i]).kind == INT_ELEMENT;
    for (uint32_t i = 0; i < out->len; i++)
        found = found || out->at[i] == p;
    vec_release(&atoms);
    if (!found)
        vec_push(out, p);
    list_conditions(s, lterm_arg(s->terms, tree, 1), out);
    list_conditions(s, lterm_arg(s->terms, tree, 2), out);
}

// The tree where the condition holds, or does not, wherever it stands in it.
static lterm cofactor_below(struct symbolic *s, lterm tree, ipoly condition, bool holds)
{
    if (!is_choose(s, tree))
        return tree;
    if (lterm_arg(s->terms, tree, 0) == condition)
        return cofactor_below(s, lterm_arg(s->terms, tree, holds ? 1 : 2), condition, holds);
    uint32_t args[3] = {lterm_arg(s->terms, tree, 0),
                        cofactor_below(s, lterm_arg(s->terms, tree, 1), condition, holds),
                        cofactor_below(s, lterm_arg(s->terms, tree, 2), condition, holds)};
    return args[1] == args[2] ? args[1] : lterm_make(s->terms, LT_CHOOSE, 0, 3, args);
}

void symbolic_assume_or_keep(struct symbolic *s, lterm truth, lterm *condition)
{
    uint32_t mark = ifacts_mark(&s->facts);
    if (!mentions_elements(s, truth) && symbolic_assume(s, truth, NO_ORIGIN))
        return;
    ifacts_pop(&s->facts, mark);
    // Conjuncts about integers alone become facts.
    struct u32_vec all = {0};
    list_conditions(s, truth, &all);
    for (uint32_t i = 0; i < all.len; i++)
        for (int side = 0; side < 2; side++) {
            ipoly p = side ? negated(s, all.at[i]) : all.at[i];
            if (cofactor_below(s, truth, all.at[i], side) != lterm_truth(s->terms, false))
                continue;
            ifacts_push(&s->facts, p, NO_ORIGIN);
            truth = cofactor_below(s, truth, all.at[i], !side);
        }
    vec_release(&all);
    if (truth == lterm_truth(s->terms, true))
        return;
    lterm args[2] = {*condition, truth};
    *condition = *condition ? symbolic_apply(s, CODE_AND, 2, args) : truth;
}
