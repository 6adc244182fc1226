// SPDX-License-Identifier: Apache-2.0
// How many indices an axis of an output has.
#include "loops/grid/output.h"

enum { MOST_ALTERNATIVES = 8 }; // of one fact

// Where a fact adds the minimum of two polynomials, it holds with either of them.  So it does with
// the second operand of max(0, a), if it says that something is below: then a is not negative.
static void add_alternatives(struct symbolic *s, ipoly fact, struct u32_vec *out)
{
    for (uint32_t i = 0; i < int_length(s->in, fact); i++) {
        struct iterm term = int_term(s->in, fact, i);
        if (int_degree(s->in, (imono)term.mono) != 1 || term.coefficient < 1)
            continue;
        iatom atom = int_factor(s->in, (imono)term.mono, 0);
        struct iatom_node node = int_atom(s->in, atom);
        ipoly to[2] = {node.a, node.b};
        for (uint32_t k = 0; k < 2; k++)
            if (node.kind == INT_MINIMUM || (node.kind == INT_MAXIMUM && to[1 - k] == 0)) {
                ipoly rest = int_subtract(
                    s->in, fact, int_scale(s->in, int_atom_poly(s->in, atom), term.coefficient));
                vec_push(out, int_add(s->in, rest, int_scale(s->in, to[k], term.coefficient)));
            }
    }
}

// The facts about members, with minima replaced by their operands.
static void list_facts(struct symbolic *s, const struct output *out, struct u32_vec *list)
{
    for (uint32_t i = 0; i < s->facts.at.len; i++) {
        uint32_t first = list->len;
        if (!output_of_members(s, out, s->facts.at.at[i].poly))
            continue;
        vec_push(list, s->facts.at.at[i].poly);
        for (uint32_t k = first; k < list->len && k < first + MOST_ALTERNATIVES; k++)
            add_alternatives(s, list->at[k], list);
    }
}

// A fact index <= u, u without members: the least such u, or the last one, which the mask says.
static bool extent_by_fact(struct symbolic *s, struct output *out, uint32_t d)
{
    bool found = false;
    struct u32_vec facts = {0};
    list_facts(s, out, &facts);
    for (uint32_t i = 0; i < facts.len; i++) {
        ipoly end = int_add(s->in, facts.at[i], out->index[d]);
        if (output_of_members(s, out, end))
            continue;
        end = int_shift(s->in, end, 1);
        if (!found || !int_prove_less_equal(s->in, &s->facts, out->extent[d], end))
            out->extent[d] = end;
        found = true;
    }
    vec_release(&facts);
    return found;
}

bool output_quotient(struct symbolic *s, ipoly a, ipoly b, ipoly *out)
{
    if (int_length(s->in, a) != 1 || int_length(s->in, b) != 1)
        return false;
    struct iterm x = int_term(s->in, a, 0), y = int_term(s->in, b, 0);
    ipoly quotient = int_constant(s->in, 1);
    if (x.coefficient != y.coefficient)
        return false;
    uint32_t k = 0; // factors are sorted
    for (uint32_t i = 0; i < int_degree(s->in, (imono)x.mono); i++) {
        iatom factor = int_factor(s->in, (imono)x.mono, i);
        if (k < int_degree(s->in, (imono)y.mono) && int_factor(s->in, (imono)y.mono, k) == factor)
            k++;
        else
            quotient = int_multiply(s->in, quotient, int_atom_poly(s->in, factor));
    }
    int64_t number;
    *out = quotient;
    return k == int_degree(s->in, (imono)y.mono) && !int_is_constant(s->in, quotient, &number);
}

bool output_stays_below(struct symbolic *s, const struct output *out, ipoly index, ipoly end)
{
    struct u32_vec facts = {0};
    bool found = false, plain = false;
    ipoly want = int_subtract(s->in, int_shift(s->in, end, -1), index);
    list_facts(s, out, &facts);
    for (uint32_t i = 0; i < facts.len; i++)
        found = found || facts.at[i] == want;
    for (uint32_t i = 0; i < s->facts.at.len; i++)
        plain = plain || s->facts.at.at[i].poly == want;
    vec_release(&facts);
    return found && !plain;
}

ipoly output_end_of_atom(struct symbolic *s, const struct output *out, iatom atom)
{
    struct iatom_node node = int_atom(s->in, atom);
    for (uint32_t i = 0; i < out->n_members; i++)
        if (out->member[i] == int_atom_poly(s->in, atom))
            return out->end[i];
    if (node.kind == INT_REMAINDER && !output_of_members(s, out, node.b))
        return node.b;
    return 0;
}

// The largest digit of the index decides: c * (end of its atom).
static bool extent_by_digits(struct symbolic *s, struct output *out, uint32_t d)
{
    int64_t best = 0;
    ipoly extent = 0;
    for (uint32_t i = 0; i < int_length(s->in, out->index[d]); i++) {
        struct iterm term = int_term(s->in, out->index[d], i);
        if (int_degree(s->in, (imono)term.mono) != 1 || term.coefficient < best)
            continue;
        best = term.coefficient;
        ipoly end = output_end_of_atom(s, out, int_factor(s->in, (imono)term.mono, 0));
        extent = end ? int_scale(s->in, end, best) : 0;
    }
    return (out->extent[d] = extent) != 0;
}

// a = c*b, where b is a product of atoms.
static bool divided_by(struct symbolic *s, ipoly a, ipoly b, ipoly *c)
{
    if (int_length(s->in, b) != 1 || int_term(s->in, b, 0).coefficient != 1)
        return false;
    imono mono = (imono)int_term(s->in, b, 0).mono;
    *c = a;
    for (uint32_t k = 0; k < int_degree(s->in, mono); k++) {
        ipoly factor, rest;
        if (!int_linear_in(s->in, *c, int_factor(s->in, mono, k), &factor, &rest) || rest != 0)
            return false;
        *c = factor;
    }
    return true;
}

// The whole that a quotient divides is below an end: what the facts say of it, or of what it is a
// quotient of.
static bool end_of_whole(struct symbolic *s, const struct output *out, ipoly whole, ipoly *end)
{
    iatom atom;
    *end = int_is_atom(s->in, whole, &atom) ? output_end_of_atom(s, out, atom) : 0;
    for (uint32_t i = 0; i < s->facts.at.len && *end == 0; i++) {
        ipoly last = int_add(s->in, s->facts.at.at[i].poly, whole);
        if (!output_of_members(s, out, last) && output_of_members(s, out, s->facts.at.at[i].poly))
            *end = int_shift(s->in, last, 1);
    }
    if (*end != 0 || !int_is_atom(s->in, whole, &atom))
        return *end != 0;
    struct iatom_node node = int_atom(s->in, atom);
    ipoly inner;
    return node.kind == INT_QUOTIENT && end_of_whole(s, out, node.a, &inner) &&
           divided_by(s, inner, node.b, end) && *end != 0;
}

// A quotient below a bound: a div b < c if a < b*c is a fact for some c.
static bool extent_by_quotient(struct symbolic *s, struct output *out, uint32_t d)
{
    iatom atom;
    ipoly factor, end;
    if (!int_is_atom(s->in, out->index[d], &atom) || int_atom(s->in, atom).kind != INT_QUOTIENT)
        return false;
    struct iatom_node node = int_atom(s->in, atom);
    if (!end_of_whole(s, out, node.a, &end) || !divided_by(s, end, node.b, &factor))
        return false;
    out->extent[d] = factor;
    return true;
}

// u - f with members that all count down is at most u.
static bool extent_by_count_down(struct symbolic *s, struct output *out, uint32_t d)
{
    ipoly most;
    if (!output_counts_down(s, out, out->index[d], &most))
        return false;
    out->extent[d] = int_shift(s->in, most, 1);
    return true;
}

bool output_extent(struct symbolic *s, struct output *out, uint32_t d)
{
    return extent_by_fact(s, out, d) || extent_by_count_down(s, out, d) ||
           extent_by_quotient(s, out, d) || extent_by_digits(s, out, d);
}
