// SPDX-License-Identifier: Apache-2.0
#include "integer/equations.h"

enum { EQUATIONS = 24, UNKNOWNS = 40 };
#define LARGEST (INT64_C(1) << 40) // coefficients above it end the search

struct system {
    uint32_t n_equations, n_unknowns;
    uint64_t mono[UNKNOWNS];
    int64_t a[EQUATIONS][UNKNOWNS + 1]; // the last one: the constant; sums are 0
    bool gave_up, impossible;
};

static uint32_t unknown_of(struct system *s, uint64_t mono)
{
    for (uint32_t i = 0; i < s->n_unknowns; i++)
        if (s->mono[i] == mono)
            return i;
    if (s->n_unknowns == UNKNOWNS)
        return UNKNOWNS;
    s->mono[s->n_unknowns] = mono;
    return s->n_unknowns++;
}

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

// An equation that does not fit is left out: fewer equations have more solutions.
static void add_equation(struct integers *in, struct system *s, ipoly zero)
{
    int64_t *row = s->a[s->n_equations];
    if (s->n_equations == EQUATIONS)
        return;
    for (uint32_t i = 0; i <= UNKNOWNS; i++)
        row[i] = 0;
    for (uint32_t i = 0; i < int_length(in, zero); i++) {
        struct iterm term = int_term(in, zero, i);
        uint32_t at = term.mono ? unknown_of(s, term.mono) : UNKNOWNS;
        if ((term.mono && at == UNKNOWNS) || term.coefficient > LARGEST ||
            term.coefficient < -LARGEST)
            return;
        row[at] = term.coefficient;
    }
    s->n_equations++;
}

static bool has_remainder(struct integers *in, ipoly a)
{
    struct u32_vec atoms = {0};
    bool found = false;
    int_atoms(in, a, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        found = found || int_atom(in, atoms.at[i]).kind == INT_REMAINDER;
    vec_release(&atoms);
    return found;
}

// 1 <= n mod 2 says that it is 1.
static bool is_equation(struct integers *in, struct ifacts *facts, uint32_t which)
{
    ipoly negative = int_scale(in, facts->at.at[which].poly, -1);
    for (uint32_t k = 0; k < facts->at.len; k++)
        if (facts->at.at[k].poly == negative)
            return k < which; // once
    return has_remainder(in, negative) && int_prove(in, facts, negative);
}

static void collect(struct integers *in, struct ifacts *facts, struct system *s)
{
    for (uint32_t i = 0; i < facts->at.len; i++)
        if (is_equation(in, facts, i))
            add_equation(in, s, int_without_remainders(in, facts->at.at[i].poly));
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    a = magnitude(a), b = magnitude(b);
    while (b) {
        int64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

// Divides an equation by the common divisor of its coefficients.  False: it says nothing, or no
// integers solve it.
static bool reduce(struct system *s, int64_t *row)
{
    int64_t divisor = 0;
    for (uint32_t i = 0; i < UNKNOWNS; i++)
        divisor = common_divisor(divisor, row[i]);
    if (divisor == 0 ? row[UNKNOWNS] != 0 : row[UNKNOWNS] % divisor != 0)
        s->impossible = true;
    for (uint32_t i = 0; divisor && !s->impossible && i <= UNKNOWNS; i++)
        row[i] /= divisor;
    return divisor != 0 && !s->impossible;
}

// The least coefficient of an equation.
static uint32_t least(const int64_t *row)
{
    uint32_t best = UNKNOWNS;
    for (uint32_t i = 0; i < UNKNOWNS; i++)
        if (row[i] && (best == UNKNOWNS || magnitude(row[i]) < magnitude(row[best])))
            best = i;
    return best;
}

// floor(a / b)
static int64_t quotient(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Unknown k becomes t - sum of factor[i]*unknown i - constant, t in the column of k.
static void replace(struct system *s, uint32_t k, const int64_t *factor)
{
    for (uint32_t e = 0; e < s->n_equations; e++)
        for (uint32_t i = 0; i <= UNKNOWNS && s->a[e][k]; i++) {
            if (i == k)
                continue;
            wide made = s->a[e][i] - (wide)s->a[e][k] * factor[i];
            s->gave_up = s->gave_up || made > LARGEST || made < -LARGEST;
            s->a[e][i] = s->gave_up ? 0 : (int64_t)made;
        }
}

// One step: an unknown with coefficient 1 goes, or the least coefficient becomes less.
static void eliminate(struct system *s)
{
    int64_t *row = s->a[s->n_equations - 1], factor[UNKNOWNS + 1];
    if (!reduce(s, row)) {
        s->n_equations--;
        return;
    }
    uint32_t k = least(row);
    int64_t c = row[k];
    for (uint32_t i = 0; i <= UNKNOWNS; i++)
        factor[i] = i == k ? 0 : quotient(row[i], c);
    if (magnitude(c) != 1)
        factor[UNKNOWNS] = 0;
    else
        s->n_equations--; // it says what unknown k is: t is 0
    replace(s, k, factor);
    for (uint32_t e = 0; magnitude(c) == 1 && e < s->n_equations; e++)
        s->a[e][k] = 0;
}

bool int_no_solution(struct integers *in, struct ifacts *facts)
{
    struct system s = {0};
    collect(in, facts, &s);
    while (s.n_equations && !s.gave_up && !s.impossible)
        eliminate(&s);
    return s.impossible && !s.gave_up;
}
