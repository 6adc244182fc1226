// SPDX-License-Identifier: Apache-2.0
// Leaves: identities between a few unknowns, without tensors or indices, and
// their proof by the arithmetic of one domain.
#ifndef VERIFY_ARITHMETIC_LEAF_H
#define VERIFY_ARITHMETIC_LEAF_H

#include "verify/obligations/session.h"

// Normal form in a domain (ring.c).  In int, word and real an element is a polynomial over
// its parts that are not ring arithmetic.  Operands of commutative operators are sorted;
// maximum, minimum, and, or and monoid variables are flat.
expr_id ring_normal(struct session *session, enum domain domain, expr_id e);

// A leaf; `holds` are truth values that are known.
struct leaf {
    expr_id lhs, rhs;
    struct u32_vec holds;
    struct u32_vec below;       // reals, in pairs: the first is at most the second
    const struct u32_vec *hyps; // about the integers that are left in it
    struct denote *denote;      // the instance; may be NULL
};
// Over the reals: puts both elements over one line each, and multiplies them by what stands below
// the lines.  If no divisor is 0, the results are equal where the elements are.  False: there is no
// quotient, or the result would be too large.
bool fractions_clear(struct session *session, expr_id *a, expr_id *b, struct u32_vec *divisors);
// Are both sides of the leaf equal as quotients of polynomials over the reals, and no divisor 0?
// DIFFER: they are quotients of polynomials that differ, at some reals that the leaf allows.
enum fractions { FRACTIONS_SAME, FRACTIONS_DIFFER, FRACTIONS_UNKNOWN };
enum fractions fractions_compare(struct session *session, const struct leaf *leaf);
// Do the elements of the leaf differ at reals that its conditions allow?  False: not known.
bool leaf_differs(const struct session *session, const struct leaf *leaf);
// Are both elements equal by normal forms, once functions that rise are moved into extrema
// (extrema.c)?  Over the reals and in float, where the truth values hold.
bool extrema_same(struct session *session, enum domain domain, const struct u32_vec *holds,
                  expr_id a, expr_id b);
// Is f(max(a, b)) = max(f(a), f(b)) for all a and b, and the same of the minimum?
bool extremum_passes(enum domain domain, enum op op);
// The same in float for all a and b from *least on.
bool extremum_passes_from(enum op op, int *least);
// Integers by integers/linear.h (integer_leaf.c); the other domains by the solver's theories
// (machine_leaf.c).
bool integer_leaf(struct session *session, const struct leaf *leaf);
bool machine_leaf(struct session *session, enum domain domain, const struct leaf *leaf);
// Words of every width of one sign, as integers (word_leaf.c).  `type` is the only type that
// operators compute with.
bool word_leaf(struct session *session, const struct leaf *leaf, uint32_t type, bool is_signed);
// Applications f(a) and f(b) of one monotone operator variable among the expressions.
// Appends four expressions for each pair: a, b, f(a), f(b).
void monotone_pairs(const struct session *session, const struct u32_vec *all, struct u32_vec *out);
// Truncating division or remainder; the sign of a number as -1, 0 or 1.
expr_id integer_truncated(struct exprs *exprs, enum op op, expr_id a, expr_id b);
expr_id integer_sign(struct exprs *exprs, expr_id a);

// May the element be an infinity in int or real?
bool element_may_be_infinite(const struct session *session, expr_id e);
// A comparison of injected indices and literals in int or real, which have all integers, is
// a condition about integers: returns true and stores it.  False in other domains.
bool index_comparison(struct session *session, int domain, expr_id e, expr_id *out);
// Appends "A, B": the operands of the rule that have the type variable.  If none has, its own name,
// or "results" (leaf_words.c).
void operands_of_type(const struct rule *rule, uint32_t type, struct buf *out);
// Is the type one whose elements live in the domain (and not always i1)?
bool type_in_domain(const struct rule *rule, uint32_t type, enum domain domain);

#endif
