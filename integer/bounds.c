// SPDX-License-Identifier: Apache-2.0
// Products of three factors and more, as in mixed radix: w*(h*i + j) + k < b*h*w.  Rows of prove.c are
// products of two facts, so such goals are none of their sums.
#include "integer/bounds.h"

struct bounding {
    struct integers *in;
    struct ifacts *facts;
    uint32_t steps; // that may still be taken
};

static bool is_high(const struct integers *in, ipoly a)
{
    for (uint32_t i = 0; i < int_length(in, a); i++)
        if (int_degree(in, (imono)int_term(in, a, i).mono) > 2)
            return true;
    return false;
}

// Is -a a sum of products of atoms that are not negative?
static bool is_not_positive(struct bounding *bounding, ipoly a)
{
    struct integers *in = bounding->in;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        imono mono = (imono)term.mono;
        if (term.coefficient > 0)
            return false;
        for (uint32_t k = 0; k < int_degree(in, mono); k++)
            if (!int_prove(in, bounding->facts, int_atom_poly(in, int_factor(in, mono, k))))
                return false;
    }
    return true;
}

static void mark_used(struct integers *in, uint32_t origin)
{
    for (uint32_t i = 0; i < in->used.len; i++)
        if (in->used.at[i] == origin)
            return;
    if (origin != NO_ORIGIN)
        vec_push(&in->used, origin);
}

static bool bounded(struct bounding *bounding, ipoly goal);

// The goal with an upper bound in the place of the symbol, whose factor is not positive, is at most
// the goal.
static bool bounded_by(struct bounding *bounding, ipoly goal, iatom symbol, struct ifact fact)
{
    struct integers *in = bounding->in;
    ipoly factor, rest, coefficient, bound;
    int64_t c;
    if (!int_linear_in(in, fact.poly, symbol, &coefficient, &bound) ||
        !int_is_constant(in, coefficient, &c) || c != -1 || int_mentions(in, bound, symbol) ||
        !int_linear_in(in, goal, symbol, &factor, &rest) || factor == 0 ||
        int_mentions(in, factor, symbol) || int_mentions(in, rest, symbol) ||
        !is_not_positive(bounding, factor))
        return false;
    if (!bounded(bounding, int_add(in, rest, int_multiply(in, factor, bound))))
        return false;
    mark_used(in, fact.origin);
    return true;
}

static bool bounded(struct bounding *bounding, ipoly goal)
{
    struct integers *in = bounding->in;
    struct u32_vec atoms = {0};
    if (!is_high(in, goal))
        return int_prove(in, bounding->facts, goal);
    if (bounding->steps == 0)
        return false;
    bounding->steps--;
    bool yes = false;
    int_atoms(in, goal, &atoms);
    for (uint32_t i = 0; i < atoms.len && !yes; i++)
        for (uint32_t k = 0; k < bounding->facts->at.len && !yes; k++)
            yes = int_atom(in, atoms.at[i]).kind == INT_SYMBOL &&
                  bounded_by(bounding, goal, atoms.at[i], bounding->facts->at.at[k]);
    vec_release(&atoms);
    return yes;
}

bool int_prove_by_bounds(struct integers *in, struct ifacts *facts, ipoly goal)
{
    struct bounding bounding = {in, facts, INTEGER_BOUNDS};
    return is_high(in, goal) && bounded(&bounding, goal);
}
