// SPDX-License-Identifier: Apache-2.0
#include "simplify/growth.h"

#include "formula/language/formula.h"

// One side of a rule.
struct line_side {
    double cost;             // of what is no variable
    uint32_t n_fixed;        // operators and names
    struct u32_vec variable; // names, each as often as it stands there
};

static void add_side(const struct fterms *terms, fterm term, struct line_side *side)
{
    const char *name = fterm_name(terms, term);
    if (*name == '?') {
        vec_push(&side->variable, terms->node.at[term].name);
        return;
    }
    side->cost += formula_cost(terms, term);
    side->n_fixed++;
    for (uint32_t k = 0; k < fterm_n(terms, term); k++)
        add_side(terms, fterm_args(terms, term)[k], side);
}

static uint32_t count(const struct line_side *side, uint32_t variable)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < side->variable.len; i++)
        n += side->variable.at[i] == variable;
    return n;
}

// Does a variable stand more often in b than in a?
static bool repeats(const struct line_side *a, const struct line_side *b)
{
    for (uint32_t i = 0; i < b->variable.len; i++)
        if (count(b, b->variable.at[i]) > count(a, b->variable.at[i]))
            return true;
    return false;
}

bool growth_is_truth(const char *name)
{
    static const char *const list[] = {"lt", "le",  "eq",   "ne",    "not",        "and",
                                       "or", "xor", "true", "false", "reduce_and", "reduce_or"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

// Is this subterm one of the term?
static bool contains(const struct fterms *terms, fterm term, fterm subterm)
{
    bool in = term == subterm;
    for (uint32_t k = 0; !in && k < fterm_n(terms, term); k++)
        in = contains(terms, fterm_args(terms, term)[k], subterm);
    return in;
}

// Makes a condition of the left side numbers that are not compared there?  A rule that moves
// operands from one side of a comparison to the other makes terms for each condition, of which
// none is ever read.
static bool moves(const struct fterms *terms, fterm left, fterm right)
{
    if (!growth_is_truth(fterm_name(terms, right)))
        return fterm_n(terms, right) > 0 && !contains(terms, left, right);
    for (uint32_t k = 0; k < fterm_n(terms, right); k++)
        if (moves(terms, left, fterm_args(terms, right)[k]))
            return true;
    return false;
}

// What variables of a definition stand for.
struct binding {
    struct u32_vec variable, value;
};

static bool fits(const struct fterms *terms, fterm pattern, fterm term, struct binding *binding)
{
    const char *name = fterm_name(terms, pattern);
    uint32_t n = fterm_n(terms, pattern);
    if (*name == '?') {
        for (uint32_t i = 0; i < binding->variable.len; i++)
            if (binding->variable.at[i] == pattern)
                return binding->value.at[i] == term;
        vec_push(&binding->variable, pattern);
        vec_push(&binding->value, term);
        return true;
    }
    bool fit = fterm_is(terms, term, name, n);
    for (uint32_t k = 0; fit && k < n; k++)
        fit = fits(terms, fterm_args(terms, pattern)[k], fterm_args(terms, term)[k], binding);
    return fit;
}

// Like add_side, where functions that are defined are called by name.
static void add_called(const struct choose *chooser, fterm term, struct line_side *side)
{
    const struct fterms *terms = &chooser->terms;
    struct binding binding = {0};
    bool call = false;
    for (uint32_t i = 0; !call && fterm_n(terms, term) > 0 && i < chooser->definition.len; i++) {
        vec_clear(&binding.variable);
        vec_clear(&binding.value);
        call = fits(terms, chooser->definition.at[i], term, &binding);
    }
    if (call) {
        side->cost += 1;
        for (uint32_t i = 0; i < binding.value.len; i++)
            add_called(chooser, binding.value.at[i], side);
    } else if (*fterm_name(terms, term) == '?') {
        vec_push(&side->variable, terms->node.at[term].name);
    } else {
        side->cost += formula_cost(terms, term);
        for (uint32_t k = 0; k < fterm_n(terms, term); k++)
            add_called(chooser, fterm_args(terms, term)[k], side);
    }
    vec_release(&binding.variable);
    vec_release(&binding.value);
}

// Is the right side shorter than the left one as soon as its functions are called by name?
static bool names_something(const struct choose *chooser, const struct line_side *left, fterm right)
{
    struct line_side side = {0};
    if (chooser->expand)
        return false;
    add_called(chooser, right, &side);
    bool shorter =
        side.cost + side.variable.len <= left->cost + left->variable.len && !repeats(left, &side);
    vec_release(&side.variable);
    return shorter;
}

enum choose_kind growth_kind(const struct choose *chooser, fterm left, fterm right)
{
    struct line_side side = {0}, r = {0};
    add_side(&chooser->terms, left, &side);
    add_side(&chooser->terms, right, &r);
    bool more = repeats(&side, &r);
    // Sets of axes cost nothing, so whole sides are compared.
    double growth = r.cost + r.variable.len - side.cost - side.variable.len;
    bool truth = growth_is_truth(fterm_name(&chooser->terms, left));
    enum choose_kind out = CHOOSE_NEVER;
    if (!more && growth <= 0 && !(truth && growth == 0 && moves(&chooser->terms, left, right)))
        out = CHOOSE_SIMPLER;
    else if (side.n_fixed >= 2 && !truth &&
             (growth <= CHOOSE_GROWTH || names_something(chooser, &side, right)))
        out = CHOOSE_LONGER;
    vec_release(&side.variable);
    vec_release(&r.variable);
    return out;
}
