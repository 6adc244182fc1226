// SPDX-License-Identifier: Apache-2.0
// Proofs of linear integer inequalities from facts, by linear arithmetic over monomials: every
// monomial counts as an unknown of its own, and products of two facts join them.
//
// A proof is a list of rows, each a polynomial that is not negative, with multipliers.
// int_prove finds them by the simplex, and then adds them up itself: the sum must be a negative
// constant, so nothing depends on the search.  A row is one of
//   a fact; the negation of the goal; what poly.h says of an atom (the divisor proved positive
//   first); the product of two rows.
// Minimum and maximum are split into their two cases.
#ifndef INTEGER_FACTS_H
#define INTEGER_FACTS_H

#include "integer/poly.h"

struct ifact {
    ipoly poly;      // at least 0
    uint32_t origin; // the caller's: integers.used lists those that a proof has used
};
#define NO_ORIGIN UINT32_MAX

struct ifacts {
    VEC(struct ifact) at;
};

void ifacts_release(struct ifacts *facts);
void ifacts_push(struct ifacts *facts, ipoly at_least_0, uint32_t origin);
void ifacts_push_zero(struct integers *in, struct ifacts *facts, ipoly zero, uint32_t origin);
static inline uint32_t ifacts_mark(const struct ifacts *facts)
{
    return facts->at.len;
}
static inline void ifacts_pop(struct ifacts *facts, uint32_t mark)
{
    facts->at.len = mark;
}

// Do the facts imply goal >= 0?  "No" means unknown.
bool int_prove(struct integers *in, struct ifacts *facts, ipoly goal);
bool int_prove_zero(struct integers *in, struct ifacts *facts, ipoly goal);
bool int_prove_less(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);       // a < b
bool int_prove_less_equal(struct integers *in, struct ifacts *facts, ipoly a, ipoly b); // a <= b
// The same as int_prove_less, and of a quotient by c >= 1 what its dividend says: x div c < b if
// x < b*c.
bool int_prove_below(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);
// Do the facts contradict each other?
bool int_contradictory(struct integers *in, struct ifacts *facts);

// Operators whose atoms vanish if the facts decide them.  Divisions are those toward zero; they
// become quotients where a >= 0 and b >= 1 are proved.
ipoly int_divide(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);
ipoly int_remainder(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);
ipoly int_minimum(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);
ipoly int_maximum(struct integers *in, struct ifacts *facts, ipoly a, ipoly b);
// Makes the atoms of a again, innermost first, with these operators.
ipoly int_simplify(struct integers *in, struct ifacts *facts, ipoly a);

#endif
