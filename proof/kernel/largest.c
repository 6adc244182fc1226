// SPDX-License-Identifier: Apache-2.0
// The largest value of a polynomial over iterations, lanes and sizes: a bound without iterations and
// lanes comes from the largest value of each of them.  Factors are at least 0, so a term with a
// positive coefficient grows with each factor, and a term with a negative one is at most 0.
#include "proof/kernel/widening.h"
#include <math.h>

static bool is_lane(const struct width *w, iatom atom, ipoly *extent)
{
    for (uint32_t i = 0; i < w->out->lane.len; i++)
        if (w->out->lane.at[i].symbol == atom) {
            *extent = w->out->lane.at[i].extent;
            return true;
        }
    return false;
}

// The symbol of a lane along an axis of this extent: the same one each time.
ipoly width_lane_of(struct width *w, uint32_t axis, uint32_t extent)
{
    struct buf name = {0};
    struct width_lane lane = {.extent = int_constant(w->s->in, extent)};
    ipoly unused;
    buf_printf(&name, "wide'%u'%u", axis, extent);
    ipoly symbol = int_symbol(w->s->in, buf_text(&name));
    buf_release(&name);
    int_is_atom(w->s->in, symbol, &lane.symbol);
    if (!is_lane(w, lane.symbol, &unused))
        vec_push(&w->out->lane, lane);
    return symbol;
}

static bool is_iteration(const struct width *w, iatom atom, uint32_t *loop)
{
    for (uint32_t i = 0; i < w->n_loops; i++)
        if (w->s->iteration.at[w->loops[i]] == int_atom_poly(w->s->in, atom)) {
            *loop = w->loops[i];
            return true;
        }
    return false;
}

static bool has_member(struct width *w, ipoly a)
{
    const struct u32_vec *symbols = int_symbols(w->s->in, a);
    uint32_t loop;
    ipoly extent;
    for (uint32_t i = 0; i < symbols->len; i++)
        if (is_lane(w, symbols->at[i], &extent) || is_iteration(w, symbols->at[i], &loop))
            return true;
    return false;
}

static ipoly fail(struct width *w)
{
    w->failed = true;
    return 0;
}

static ipoly upper_symbol(struct width *w, iatom atom)
{
    uint32_t loop;
    ipoly trips, extent;
    if (is_lane(w, atom, &extent))
        return int_shift(w->s->in, extent, -1);
    if (!is_iteration(w, atom, &loop))
        return int_atom_poly(w->s->in, atom);
    if (!symbolic_trips(w->s, loop, &trips))
        return fail(w);
    return width_upper(w, int_shift(w->s->in, trips, -1));
}

// (x*y - 1) div (c*y) is (x - 1) div c, for y of at least 1.
static ipoly upper_quotient(struct width *w, ipoly a, ipoly b)
{
    struct integers *in = w->s->in;
    ipoly most = width_upper(w, a), factor, rest;
    if (int_length(in, b) == 1) {
        struct iterm term = int_term(in, b, 0);
        bool single = int_degree(in, (imono)term.mono) == 1 && term.coefficient > 0;
        iatom y = single ? int_factor(in, (imono)term.mono, 0) : 0;
        if (single && int_linear_in(in, int_shift(in, most, 1), y, &factor, &rest) && rest == 0 &&
            int_prove(in, &w->s->facts, int_shift(in, int_atom_poly(in, y), -1))) {
            ipoly last = int_shift(in, factor, -1), c = int_constant(in, term.coefficient);
            return term.coefficient == 1 ? last : int_of_atom(in, INT_QUOTIENT, last, c);
        }
    }
    return int_of_atom(in, INT_QUOTIENT, most, b);
}

// An atom at its largest.
static ipoly upper_atom(struct width *w, iatom atom)
{
    struct integers *in = w->s->in;
    struct iatom_node node = int_atom(in, atom);
    ipoly self = int_atom_poly(in, atom);
    if (node.kind == INT_SYMBOL)
        return upper_symbol(w, atom);
    if (node.kind == INT_ELEMENT || node.kind == INT_TRUNCATED_QUOTIENT ||
        node.kind == INT_TRUNCATED_REMAINDER)
        return fail(w);
    if (!has_member(w, self))
        return self;
    bool divides = node.kind == INT_QUOTIENT || node.kind == INT_REMAINDER;
    if (divides && !int_prove(in, &w->s->facts, int_shift(in, node.b, -1)))
        return fail(w);
    switch (node.kind) {
    case INT_QUOTIENT:
        return has_member(w, node.b) ? fail(w) : upper_quotient(w, node.a, node.b);
    case INT_REMAINDER:
        return int_shift(in, width_upper(w, node.b), -1);
    case INT_MINIMUM:
        return has_member(w, node.a) ? width_upper(w, node.b) : node.a;
    default:
        return int_maximum(in, &w->s->facts, width_upper(w, node.a), width_upper(w, node.b));
    }
}

static bool at_least_0(struct width *w, ipoly a)
{
    return int_prove(w->s->in, &w->s->facts, a);
}

static ipoly upper_term(struct width *w, struct iterm term)
{
    struct integers *in = w->s->in;
    ipoly mono = int_mono_poly(in, (imono)term.mono), product = int_constant(in, 1);
    for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++) {
        iatom factor = int_factor(in, (imono)term.mono, k);
        if (!at_least_0(w, int_atom_poly(in, factor)))
            return fail(w);
        if (term.coefficient > 0)
            product = int_multiply(in, product, upper_atom(w, factor));
    }
    if (term.coefficient > 0)
        return int_scale(in, product, term.coefficient);
    return has_member(w, mono) ? 0 : int_scale(in, mono, term.coefficient);
}

ipoly width_upper(struct width *w, ipoly a)
{
    ipoly sum = 0;
    for (uint32_t i = 0; i < int_length(w->s->in, a) && !w->failed; i++)
        sum = int_add(w->s->in, sum, upper_term(w, int_term(w->s->in, a, i)));
    return sum;
}

static bool factors_at_least_0(struct width *w, imono mono)
{
    for (uint32_t k = 0; k < int_degree(w->s->in, mono); k++)
        if (!at_least_0(w, int_atom_poly(w->s->in, int_factor(w->s->in, mono, k))))
            return false;
    return true;
}

// c*(a div d) is at most (c/d)*a, if the number d divides the number c; beside other factors, if all
// of them are at least 0.
ipoly width_without_quotients(struct width *w, ipoly a)
{
    struct integers *in = w->s->in;
    ipoly sum = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly product = int_constant(in, 1);
        int64_t divisor, c = term.coefficient;
        bool single = int_degree(in, (imono)term.mono) < 2;
        bool known = single || factors_at_least_0(w, (imono)term.mono);
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++) {
            iatom factor = int_factor(in, (imono)term.mono, k);
            struct iatom_node node = int_atom(in, factor);
            bool divides = known && node.kind == INT_QUOTIENT &&
                           int_is_constant(in, node.b, &divisor) && divisor > 0 && c > 0 &&
                           c % divisor == 0;
            product = int_multiply(in, product, divides ? node.a : int_atom_poly(in, factor));
            c = divides ? c / divisor : c;
        }
        sum = int_add(in, sum, int_scale(in, product, c));
    }
    return sum;
}

// ---- what the widths of parameters say ----

// At least 0, and no less than the atom; infinite: not known.
static double most_of_atom(struct width *w, iatom atom)
{
    const struct code_program *p = w->s->program;
    struct iatom_node node = int_atom(w->s->in, atom);
    if (node.kind == INT_QUOTIENT)
        return at_least_0(w, int_shift(w->s->in, node.b, -1)) ? fmax(0, width_most(w, node.a))
                                                              : INFINITY;
    for (uint32_t i = 0; node.kind == INT_SYMBOL && i < p->parameter.len; i++) {
        ipoly name = int_symbol(w->s->in, code_parameter_name(p, i));
        if (!p->parameter.at[i].array && name == int_atom_poly(w->s->in, atom))
            return ldexp(1, p->parameter.at[i].type.bits - 1) - 1;
    }
    return INFINITY;
}

double width_most(struct width *w, ipoly a)
{
    double sum = 0;
    for (uint32_t i = 0; i < int_length(w->s->in, a); i++) {
        struct iterm term = int_term(w->s->in, a, i);
        uint32_t degree = int_degree(w->s->in, (imono)term.mono);
        double product = (double)term.coefficient;
        for (uint32_t k = 0; k < degree && product > 0; k++) {
            iatom factor = int_factor(w->s->in, (imono)term.mono, k);
            bool ok = degree == 1 || at_least_0(w, int_atom_poly(w->s->in, factor));
            product *= ok ? most_of_atom(w, factor) : INFINITY;
        }
        for (uint32_t k = 0; k < degree && product < 0; k++)
            if (!at_least_0(w, int_atom_poly(w->s->in, int_factor(w->s->in, (imono)term.mono, k))))
                product = INFINITY;
        sum += degree == 0 || product > 0 ? product : 0;
    }
    return sum;
}
