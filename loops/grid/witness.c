// SPDX-License-Identifier: Apache-2.0
#include "loops/grid/output.h"

// Atoms of members whose value is known in terms of elements.
struct known {
    VEC(iatom) atom;
    VEC(ipoly) value;
};

static void know(struct known *known, iatom atom, ipoly value)
{
    for (uint32_t i = 0; i < known->atom.len; i++)
        if (known->atom.at[i] == atom)
            return;
    vec_push(&known->atom, atom);
    vec_push(&known->value, value);
}

static ipoly translate(struct symbolic *s, const struct known *known, ipoly a)
{
    struct int_substitution by = {known->atom.len, known->atom.at, known->value.at};
    return int_simplify(s->in, &s->facts, int_substitute(s->in, a, &by));
}

static bool has_member(struct symbolic *s, const struct output *out, ipoly a)
{
    for (uint32_t i = 0; i < out->n_members; i++) {
        iatom atom;
        if (int_is_atom(s->in, out->member[i], &atom) && int_mentions(s->in, a, atom))
            return true;
    }
    return false;
}

// The term c*G*x of an index beside c*p, where p is a program of G: x counts in steps of G.
static bool step_of_grid(struct symbolic *s, const struct output *out, ipoly index, struct iterm of,
                         iatom *x, ipoly *programs)
{
    iatom program = int_factor(s->in, (imono)of.mono, 0);
    for (uint32_t m = 0; m < out->n_loops; m++) {
        iatom member;
        int_is_atom(s->in, out->member[m], &member);
        for (uint32_t i = 0; member == program && i < out->n_members; i++) {
            ipoly want =
                int_scale(s->in, int_multiply(s->in, out->end[m], out->member[i]), of.coefficient);
            for (uint32_t k = 0; k < int_length(s->in, index); k++) {
                struct iterm term = int_term(s->in, index, k);
                if (int_scale(s->in, int_mono_poly(s->in, (imono)term.mono), term.coefficient) ==
                    want) {
                    int_is_atom(s->in, out->member[i], x);
                    *programs = out->end[m];
                    return true;
                }
            }
        }
    }
    return false;
}

// The digits of an index, smallest coefficient first: x = c_0*d_0 + c_1*d_1 + .., c_0 = 1, each
// c_i dividing c_i+1.  Digit i is (x div c_i) rem (c_i+1 / c_i), the last without a remainder.
static void digits(struct symbolic *s, const struct output *out, ipoly index, ipoly element,
                   struct known *known)
{
    int64_t done = 1;
    ipoly left = element; // element div done
    uint32_t n = int_length(s->in, index);
    for (uint32_t round = 0; round < n; round++) {
        struct iterm now = {0}, next = {0};
        for (uint32_t i = 0; i < n; i++) {
            struct iterm term = int_term(s->in, index, i);
            if (term.coefficient >= done &&
                (!now.coefficient || term.coefficient < now.coefficient))
                now = term;
        }
        for (uint32_t i = 0; i < n; i++) {
            struct iterm term = int_term(s->in, index, i);
            if (int_degree(s->in, (imono)term.mono) == 1 && term.coefficient > now.coefficient &&
                (next.coefficient <= now.coefficient || term.coefficient < next.coefficient))
                next = term;
        }
        if (!now.coefficient || now.coefficient % done || int_degree(s->in, (imono)now.mono) != 1)
            return;
        int64_t step = now.coefficient / done;
        if (step > 1)
            left = int_divide(s->in, &s->facts, left, int_constant(s->in, step));
        iatom atom = int_factor(s->in, (imono)now.mono, 0);
        if (next.coefficient <= now.coefficient) {
            iatom x;
            ipoly programs;
            if (step_of_grid(s, out, index, now, &x, &programs)) {
                know(known, x, int_divide(s->in, &s->facts, left, programs));
                left = int_remainder(s->in, &s->facts, left, programs);
            }
            know(known, atom, left);
            return;
        }
        ipoly radix = int_constant(s->in, next.coefficient / now.coefficient);
        know(known, atom, int_remainder(s->in, &s->facts, left, radix));
        left = int_divide(s->in, &s->facts, left, radix);
        done = next.coefficient;
    }
}

// S*x + t, where S is no number: x is the quotient by S, and t the remainder.
static bool block_digits(struct symbolic *s, const struct output *out, ipoly index, ipoly element,
                         struct known *known)
{
    for (uint32_t i = 0; i < out->n_members; i++) {
        iatom x, t;
        ipoly block, rest;
        int64_t number;
        int_is_atom(s->in, out->member[i], &x);
        if (!int_linear_in(s->in, index, x, &block, &rest) || block == 0 ||
            int_is_constant(s->in, block, &number) || has_member(s, out, block) ||
            !int_is_atom(s->in, rest, &t))
            continue;
        know(known, x, int_divide(s->in, &s->facts, element, block));
        know(known, t, int_remainder(s->in, &s->facts, element, block));
        return true;
    }
    return false;
}

// The digits of an index with the members that count down mirrored: m is end - 1 - m.
static void mirrored_digits(struct symbolic *s, const struct output *out, uint32_t d,
                            struct known *known)
{
    ipoly index = out->index[d];
    bool down[OUTPUT_MEMBERS] = {0}, any = false;
    ipoly most;
    if (output_counts_down(s, out, index, &most)) {
        digits(s, out, int_subtract(s->in, most, index), int_subtract(s->in, most, out->element[d]),
               known);
        return;
    }
    for (uint32_t m = 0; m < out->n_members; m++) {
        iatom atom;
        ipoly factor, rest, mirror;
        int64_t c;
        int_is_atom(s->in, out->member[m], &atom);
        down[m] = int_linear_in(s->in, index, atom, &factor, &rest) &&
                  int_is_constant(s->in, factor, &c) && c < 0;
        if (!down[m])
            continue;
        mirror = int_subtract(s->in, int_shift(s->in, out->end[m], -1), out->member[m]);
        struct int_substitution by = {1, &atom, &mirror};
        index = int_substitute(s->in, index, &by);
        any = true;
    }
    uint32_t before = known->atom.len;
    if (!block_digits(s, out, index, out->element[d], known))
        digits(s, out, index, out->element[d], known);
    for (uint32_t i = before; any && i < known->atom.len; i++)
        for (uint32_t m = 0; m < out->n_members; m++)
            if (down[m] && int_atom_poly(s->in, known->atom.at[i]) == out->member[m])
                known->value.at[i] =
                    int_subtract(s->in, int_shift(s->in, out->end[m], -1), known->value.at[i]);
}

// a div b and a rem b are known: so is a = b*q + r, and the digits of a.
static bool join_divisions(struct symbolic *s, const struct output *out, struct known *known)
{
    for (uint32_t i = 0; i < known->atom.len; i++)
        for (uint32_t j = 0; j < known->atom.len; j++) {
            struct iatom_node q = int_atom(s->in, known->atom.at[i]);
            struct iatom_node r = int_atom(s->in, known->atom.at[j]);
            if (q.kind != INT_QUOTIENT || r.kind != INT_REMAINDER || q.a != r.a || q.b != r.b)
                continue;
            ipoly divisor = translate(s, known, q.b);
            uint32_t before = known->atom.len;
            if (has_member(s, out, divisor))
                continue;
            ipoly whole = int_add(s->in, int_multiply(s->in, divisor, known->value.at[i]),
                                  known->value.at[j]);
            digits(s, out, q.a, whole, known);
            if (known->atom.len > before)
                return true;
        }
    return false;
}

// x div (c*b) and (x div c) rem b are known: so is x div c.
static bool join_nested(struct symbolic *s, const struct output *out, struct known *known)
{
    for (uint32_t i = 0; i < known->atom.len; i++)
        for (uint32_t j = 0; j < known->atom.len; j++) {
            struct iatom_node q = int_atom(s->in, known->atom.at[i]);
            struct iatom_node r = int_atom(s->in, known->atom.at[j]);
            iatom inner;
            if (q.kind != INT_QUOTIENT || r.kind != INT_REMAINDER ||
                !int_is_atom(s->in, r.a, &inner))
                continue;
            struct iatom_node of = int_atom(s->in, inner);
            ipoly divisor = translate(s, known, r.b);
            uint32_t before = known->atom.len;
            if (of.kind != INT_QUOTIENT || of.a != q.a || has_member(s, out, divisor) ||
                int_multiply(s->in, of.b, r.b) != q.b)
                continue;
            know(known, inner,
                 int_add(s->in, int_multiply(s->in, divisor, known->value.at[i]),
                         known->value.at[j]));
            if (known->atom.len > before)
                return true;
        }
    return false;
}

static bool value_of(const struct known *known, iatom atom, ipoly *out)
{
    for (uint32_t i = 0; i < known->atom.len; i++)
        if (known->atom.at[i] == atom)
            return *out = known->value.at[i], true;
    return false;
}

// R = x rem P, and R div b and x rem b are known, and x div P: x - P*(x div P) is R, so that R rem b
// is (x rem b - P*(x div P)) rem b, and R is b*(R div b) plus this.
static bool join_turned(struct symbolic *s, const struct output *out, struct known *known)
{
    for (uint32_t i = 0; i < known->atom.len; i++)
        for (uint32_t j = 0; j < known->atom.len; j++) {
            struct iatom_node q = int_atom(s->in, known->atom.at[i]);
            struct iatom_node r = int_atom(s->in, known->atom.at[j]);
            iatom inside, outside;
            ipoly high;
            if (q.kind != INT_QUOTIENT || r.kind != INT_REMAINDER || q.b != r.b ||
                !int_is_atom(s->in, q.a, &inside))
                continue;
            struct iatom_node whole = int_atom(s->in, inside);
            if (whole.kind != INT_REMAINDER || whole.a != r.a ||
                !int_is_atom(s->in, int_of_atom(s->in, INT_QUOTIENT, whole.a, whole.b), &outside) ||
                !value_of(known, outside, &high))
                continue;
            ipoly divisor = translate(s, known, q.b), large = translate(s, known, whole.b);
            if (has_member(s, out, divisor) || has_member(s, out, large))
                continue;
            ipoly turned =
                int_subtract(s->in, known->value.at[j], int_multiply(s->in, large, high));
            ipoly value = int_add(s->in, int_multiply(s->in, divisor, known->value.at[i]),
                                  int_of_atom(s->in, INT_REMAINDER, turned, divisor));
            uint32_t before = known->atom.len;
            know(known, inside, value);
            if (known->atom.len > before)
                return true;
        }
    return false;
}

// A quotient that an axis is, of an atom with a known remainder by the same divisor, was joined.
// A member whose end is 1 is 0.
static void trivial_members(struct symbolic *s, const struct output *out, struct known *known)
{
    for (uint32_t i = 0; i < out->n_members; i++) {
        iatom atom;
        int_is_atom(s->in, out->member[i], &atom);
        if (int_prove_zero(s->in, &s->facts, int_shift(s->in, out->end[i], -1)))
            know(known, atom, 0);
    }
}

void output_witness(struct symbolic *s, struct output *out)
{
    struct known known = {0};
    trivial_members(s, out, &known);
    for (uint32_t d = 0; d < out->n_axes; d++)
        mirrored_digits(s, out, d, &known);
    while (join_divisions(s, out, &known) || join_nested(s, out, &known) ||
           join_turned(s, out, &known))
        ;
    for (uint32_t i = 0; i < out->n_members && !out->reason; i++) {
        out->witness[i] = translate(s, &known, out->member[i]);
        if (has_member(s, out, out->witness[i])) {
            out->reason = "no inverse of the programs and lanes was found";
            out->place = out->statement->place;
        }
    }
    vec_release(&known.atom);
    vec_release(&known.value);
}
