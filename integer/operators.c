// SPDX-License-Identifier: Apache-2.0
#include "integer/facts.h"

static bool trunc_constants(struct integers *in, ipoly a, ipoly b, int64_t *x, int64_t *y)
{
    return int_is_constant(in, a, x) && int_is_constant(in, b, y) && *y != 0 &&
           !(*x == INT64_MIN && *y == -1);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// a = b * whole + rest for a constant b > 0: whole takes the terms that b divides, and of the
// constant as much as leaves a remainder.  Otherwise whole is 0.
static void split_multiples(struct integers *in, ipoly a, ipoly b, ipoly *whole, ipoly *rest)
{
    *whole = 0, *rest = 0;
    int64_t divisor;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly mono = int_mono_poly(in, (imono)term.mono);
        int64_t times = 0;
        if (int_is_constant(in, b, &divisor) && divisor > 0 &&
            (term.mono == 0 || term.coefficient % divisor == 0))
            times = floor_of(term.coefficient, divisor);
        *whole = int_add(in, *whole, int_scale(in, mono, times));
        *rest = int_add(in, *rest,
                        int_scale(in, mono, term.coefficient - times * (times ? divisor : 0)));
    }
}

bool int_prove_below(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    iatom atom;
    if (int_prove_less(in, facts, a, b))
        return true;
    if (!int_is_atom(in, a, &atom))
        return false;
    struct iatom_node node = int_atom(in, atom);
    return node.kind == INT_QUOTIENT && int_prove(in, facts, int_shift(in, node.b, -1)) &&
           int_prove_below(in, facts, node.a, int_multiply(in, b, node.b));
}

// Is a = b*q + r with 0 <= r < b, for an r whose sign the facts decide?  Looks at multiples of a
// constant b, and at a below b.
static bool euclid(struct integers *in, struct ifacts *facts, ipoly a, ipoly b, ipoly *quotient,
                   ipoly *remainder)
{
    ipoly whole, rest;
    split_multiples(in, a, b, &whole, &rest);
    if (!int_prove(in, facts, rest) || !int_prove_below(in, facts, rest, b))
        return false;
    *quotient = whole, *remainder = rest;
    return true;
}

// a = b*quotient + remainder, where the quotient takes the terms that have all factors of b.
static void split_product(struct integers *in, ipoly a, imono b, ipoly *quotient, ipoly *remainder)
{
    *quotient = *remainder = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly whole = int_scale(in, int_mono_poly(in, (imono)term.mono), term.coefficient);
        ipoly part = whole, rest;
        for (uint32_t k = 0; k < int_degree(in, b) && part != 0; k++)
            int_linear_in(in, part, int_factor(in, b, k), &part, &rest);
        *quotient = int_add(in, *quotient, part);
        *remainder = int_add(in, *remainder, part == 0 ? whole : 0);
    }
}

// a = b*x + r where x is an atom that stands in a beside the monomials of b: for a symbolic b.
static bool euclid_symbolic(struct integers *in, struct ifacts *facts, ipoly a, ipoly b,
                            ipoly *quotient, ipoly *remainder)
{
    iatom divisor;
    if (int_is_atom(in, b, &divisor)) { // a = b*factor + rest
        int_linear_in(in, a, divisor, quotient, remainder);
        if (*quotient && int_prove(in, facts, *remainder) &&
            int_prove_less(in, facts, *remainder, b))
            return true;
    } else if (int_length(in, b) == 1 && int_term(in, b, 0).coefficient == 1) {
        split_product(in, a, (imono)int_term(in, b, 0).mono, quotient, remainder);
        if (*quotient && int_prove(in, facts, *remainder) &&
            int_prove_less(in, facts, *remainder, b))
            return true;
    }
    struct u32_vec atoms = {0};
    int_atoms(in, a, &atoms);
    bool found = false;
    for (uint32_t i = 0; i < atoms.len && !found; i++) {
        ipoly factor, rest, x = int_atom_poly(in, atoms.at[i]);
        int_linear_in(in, a, atoms.at[i], &factor, &rest); // x may stand inside atoms, too
        if (factor != b)
            continue;
        ipoly left = int_subtract(in, a, int_multiply(in, b, x));
        found = int_prove(in, facts, left) && int_prove_less(in, facts, left, b);
        *quotient = x, *remainder = left;
    }
    vec_release(&atoms);
    return found;
}

static bool decided(struct integers *in, struct ifacts *facts, ipoly a, ipoly b, ipoly *quotient,
                    ipoly *remainder)
{
    int64_t value;
    if (euclid(in, facts, a, b, quotient, remainder))
        return true;
    return !int_is_constant(in, b, &value) && euclid_symbolic(in, facts, a, b, quotient, remainder);
}

static bool natural(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    return int_prove(in, facts, int_shift(in, b, -1)) && int_prove(in, facts, a);
}

ipoly int_divide(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    int64_t x, y;
    ipoly quotient, remainder;
    if (trunc_constants(in, a, b, &x, &y))
        return int_constant(in, x / y);
    if (int_is_constant(in, b, &y) && y == 1)
        return a;
    if (!natural(in, facts, a, b))
        return int_of_atom(in, INT_TRUNCATED_QUOTIENT, a, b);
    if (decided(in, facts, a, b, &quotient, &remainder))
        return quotient;
    return int_of_atom(in, INT_QUOTIENT, a, b);
}

ipoly int_remainder(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    int64_t x, y;
    ipoly quotient, remainder;
    if (trunc_constants(in, a, b, &x, &y))
        return int_constant(in, x % y);
    if (int_is_constant(in, b, &y) && y == 1)
        return 0;
    if (!natural(in, facts, a, b))
        return int_of_atom(in, INT_TRUNCATED_REMAINDER, a, b);
    if (decided(in, facts, a, b, &quotient, &remainder))
        return remainder;
    return int_of_atom(in, INT_REMAINDER, a, b);
}

ipoly int_minimum(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    if (int_prove_less_equal(in, facts, a, b))
        return a;
    if (int_prove_less_equal(in, facts, b, a))
        return b;
    return int_of_atom(in, INT_MINIMUM, a, b);
}

ipoly int_maximum(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    if (int_prove_less_equal(in, facts, a, b))
        return b;
    if (int_prove_less_equal(in, facts, b, a))
        return a;
    return int_of_atom(in, INT_MAXIMUM, a, b);
}

// a without multiples of the atom b, and with x for x rem b.
static ipoly congruent(struct integers *in, ipoly a, ipoly b)
{
    struct u32_vec atoms = {0};
    ipoly factor, rest;
    iatom divisor;
    if (!int_is_atom(in, b, &divisor))
        return a;
    int_atoms(in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++) {
        struct iatom_node node = int_atom(in, atoms.at[i]);
        if (node.kind == INT_REMAINDER && node.b == b &&
            int_linear_in(in, a, atoms.at[i], &factor, &rest))
            a = int_add(in, rest, int_multiply(in, factor, node.a));
    }
    vec_release(&atoms);
    return int_linear_in(in, a, divisor, &factor, &rest) ? rest : a;
}

// x rem y, if a is x - y*(x div y); a otherwise.
static ipoly packed(struct integers *in, ipoly a)
{
    struct u32_vec atoms = {0};
    ipoly out = a;
    int_atoms(in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len && out == a; i++) {
        struct iatom_node node = int_atom(in, atoms.at[i]);
        ipoly product = int_multiply(in, node.b, int_atom_poly(in, atoms.at[i]));
        if (node.kind == INT_QUOTIENT && int_add(in, a, product) == node.a)
            out = int_of_atom(in, INT_REMAINDER, node.a, node.b);
    }
    vec_release(&atoms);
    return out;
}

// Euclid's remainder by b >= 1 is the same for what is congruent.
static ipoly euclid_remainder(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    ipoly quotient, remainder, other;
    if (decided(in, facts, a, b, &quotient, &remainder))
        return remainder;
    other = packed(in, congruent(in, a, b));
    if (other == a || !int_prove(in, facts, int_shift(in, b, -1)))
        return int_of_atom(in, INT_REMAINDER, a, b);
    return decided(in, facts, other, b, &quotient, &remainder)
               ? remainder
               : int_of_atom(in, INT_REMAINDER, other, b);
}

static ipoly atom_simplified(struct integers *in, struct ifacts *facts, iatom atom)
{
    struct iatom_node node = int_atom(in, atom);
    if (node.kind == INT_SYMBOL)
        return int_atom_poly(in, atom);
    ipoly a = int_simplify(in, facts, node.a), b = int_simplify(in, facts, node.b);
    ipoly quotient, remainder;
    switch (node.kind) {
    case INT_QUOTIENT:
        return decided(in, facts, a, b, &quotient, &remainder) ? quotient
                                                               : int_of_atom(in, node.kind, a, b);
    case INT_REMAINDER:
        return euclid_remainder(in, facts, a, b);
    case INT_TRUNCATED_QUOTIENT:
        return int_divide(in, facts, a, b);
    case INT_TRUNCATED_REMAINDER:
        return int_remainder(in, facts, a, b);
    case INT_MINIMUM:
        return int_minimum(in, facts, a, b);
    case INT_ELEMENT:
        return int_of_atom(in, node.kind, a, b);
    default:
        return int_maximum(in, facts, a, b);
    }
}

static uint32_t count_divisions(struct integers *in, ipoly a)
{
    struct u32_vec atoms = {0};
    uint32_t n = 0;
    int_atoms(in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++) {
        uint32_t kind = int_atom(in, atoms.at[i]).kind;
        n += kind == INT_QUOTIENT || kind == INT_REMAINDER;
    }
    vec_release(&atoms);
    return n;
}

// Is the atom r.a div r.b?  So is x div (c*b) of a = x div c and b, for divisors of at least 1.
static bool is_quotient_of(struct integers *in, struct ifacts *facts, struct iatom_node q,
                           struct iatom_node r)
{
    iatom inner;
    if (q.kind != INT_QUOTIENT)
        return false;
    if (q.b == r.b)
        return int_without_remainders(in, q.a) == int_without_remainders(in, r.a);
    if (!int_is_atom(in, r.a, &inner))
        return false;
    struct iatom_node of = int_atom(in, inner);
    return of.kind == INT_QUOTIENT && int_multiply(in, of.b, r.b) == q.b &&
           int_without_remainders(in, of.a) == int_without_remainders(in, q.a) &&
           int_prove(in, facts, int_shift(in, of.b, -1)) &&
           int_prove(in, facts, int_shift(in, r.b, -1));
}

// The monomial without the factor at place k, times the coefficient.
static ipoly cofactor(struct integers *in, struct iterm term, uint32_t k)
{
    ipoly made = int_constant(in, term.coefficient);
    for (uint32_t i = 0; i < int_degree(in, (imono)term.mono); i++)
        if (i != k)
            made = int_multiply(in, made, int_atom_poly(in, int_factor(in, (imono)term.mono, i)));
    return made;
}

// c*b*(a div b), beside c*(a rem b), as a term of the polynomial.  False: there is none.
static bool beside(struct integers *in, struct ifacts *facts, ipoly poly, struct iatom_node r,
                   ipoly c, ipoly *out)
{
    for (uint32_t k = 0; k < int_length(in, poly); k++) {
        struct iterm other = int_term(in, poly, k);
        ipoly whole = int_scale(in, int_mono_poly(in, (imono)other.mono), other.coefficient);
        for (uint32_t f = 0; f < int_degree(in, (imono)other.mono); f++) {
            iatom atom = int_factor(in, (imono)other.mono, f);
            *out = int_multiply(in, c, int_multiply(in, r.b, int_atom_poly(in, atom)));
            if (*out == whole && is_quotient_of(in, facts, int_atom(in, atom), r))
                return true;
        }
    }
    return false;
}

// c*b*(a div b) + c*(a rem b) is c*a, also where the two have spellings of a of their own.
static ipoly rejoined(struct integers *in, struct ifacts *facts, ipoly a)
{
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly self = int_scale(in, int_mono_poly(in, (imono)term.mono), term.coefficient), product;
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++) {
            struct iatom_node r = int_atom(in, int_factor(in, (imono)term.mono, k));
            ipoly c = cofactor(in, term, k);
            if (r.kind != INT_REMAINDER || !beside(in, facts, a, r, c, &product))
                continue;
            ipoly both = int_subtract(in, int_multiply(in, c, r.a), int_add(in, product, self));
            return rejoined(in, facts, int_add(in, a, both));
        }
    }
    return a;
}

ipoly int_simplify(struct integers *in, struct ifacts *facts, ipoly a)
{
    ipoly out = 0;
    for (uint32_t i = 0; i < int_length(in, a); i++) {
        struct iterm term = int_term(in, a, i);
        ipoly product = int_constant(in, term.coefficient);
        for (uint32_t k = 0; k < int_degree(in, (imono)term.mono); k++)
            product = int_multiply(in, product,
                                   atom_simplified(in, facts, int_factor(in, (imono)term.mono, k)));
        out = int_add(in, out, product);
    }
    out = rejoined(in, facts, out);
    // b*(a div b) + a rem b is a: quotients have cancelled if there are no more terms, or if fewer
    // quotients and remainders than the remainders alone would leave.
    ipoly plain = int_without_remainders(in, out);
    if (plain == out || int_length(in, plain) <= int_length(in, out))
        return plain;
    return 2 * count_divisions(in, plain) < count_divisions(in, out) ? plain : out;
}
