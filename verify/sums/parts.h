// SPDX-License-Identifier: Apache-2.0
// Shared by the files of this folder: terms, sums, and the steps on them.
//
// T1  All conditions are canonical.  Each belongs to one rank class (`family`), at its one
//     place of the template in which every class has one axis.
// T2  A term's binders are its own; they occur in no hypothesis.
// T3  A read is `head` at the indices `arg`.  The head is an expression over the hole
//     variables 0, 1, .. (coeff_hole), which stand for its indices, so equal heads at
//     equal indices are equal elements.
// T4  A guard that can be false is never dropped with its family: at rank 0 the conjunction
//     over a class is true whatever its guard is.
#ifndef VERIFY_SUMS_PARTS_H
#define VERIFY_SUMS_PARTS_H

#include "verify/elements/same.h"
#include "verify/limits.h"

struct cguard {
    expr_id e;
    uint32_t family;
};
struct cread {
    expr_id head;
    uint32_t n;
    expr_id arg[VERIFY_SUM_INDICES];
    uint32_t family[VERIFY_SUM_INDICES];
};
struct cterm {
    int64_t c;
    int64_t divisor; // >= 1; it divides c times the counts wherever the guards
                     // hold
    bool right;      // stems from the right side
    uint32_t n_binders, n_guards, n_reads, n_counts;
    uint32_t quotients;                       // number that became binders
    struct cguard binder[VERIFY_SUM_BINDERS]; // X_VAR
    struct cguard guard[VERIFY_SUM_GUARDS];
    struct cguard count[VERIFY_SUM_COUNTS]; // integer factors
    struct cread read[VERIFY_SUM_READS];
};
struct csum {
    VEC(struct cterm) at;
};

// The algebra in which a sum is taken.
enum calgebra {
    ALG_RING,    // int, word, real: + - * and integers
    ALG_BOOLEAN, // or, and: idempotent
    ALG_MONOID,  // a formal sum under one operator
};
struct algebra {
    enum calgebra kind;
    uint16_t op;     // ALG_MONOID: operator, or N_OPS
    uint32_t opvar;  // and operator variable
    bool none;       // no operator at all: elements are compared as they are
    bool idempotent; // multiplicities do not matter
    // Only sums of positive terms, so that guards can be compared as conditions instead of
    // numbers.
    bool positive;
};

struct scope {
    expr_id var, low, high; // 0 <= var, var < size
    uint32_t family;
};
// A reduction that is an operand, with the bound indices around it replaced by holes.
// Reductions that are proved equal share the first one found.
struct nested {
    expr_id head;
    uint32_t n;
    expr_id hole[VERIFY_SUM_INDICES];
    uint32_t family[VERIFY_SUM_INDICES];
};

struct coeff {
    struct session *session;
    struct denote denote; // one axis per class
    expr_id lhs, rhs;
    uint32_t dropped_left; // denote.dropped of the left side
    int domain;
    uint32_t n_families;
    struct u32_vec hyps[64]; // per family
    VEC(struct scope) scope; // reduces around the element that is converted
    VEC(struct nested) nested;
    uint32_t depth;
    uint32_t asked;  // elements compared
    const char *why; // the first part that could not be expressed
};

// Sets up the sides and the hypotheses.  Callers must release `sums` in any case.
bool coeff_init(struct coeff *sums, struct session *session, int domain);
void coeff_release(struct coeff *sums);
bool coeff_fail(struct coeff *sums, const char *why);
// The one family of the variables in e; NONE if there are none.  False if there are several
// families, or elements inside.
bool coeff_family(struct coeff *sums, expr_id e, uint32_t *family);
bool coeff_is_single(const struct coeff *sums, uint32_t family);
// Can a class of the family have no axis?
bool coeff_may_be_empty(const struct coeff *sums, uint32_t family);
// The hole with this number: one variable for each number and family.
expr_id coeff_hole(struct coeff *sums, uint32_t number, uint32_t family);
// Does the goal follow from the hypotheses of the family and the guards of the term (may be
// NULL)?
bool coeff_follows(struct coeff *sums, uint32_t family, const struct cterm *term, expr_id goal);

// Appends the terms of an element (terms.c).
bool coeff_terms(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out);
bool coeff_push(struct coeff *sums, struct csum *out, const struct cterm *term);
bool coeff_guard(struct coeff *sums, struct cterm *term, expr_id cond);
// Does the rule say that one type is wider than the other (convert.c)?
bool coeff_is_wider(const struct rule *rule, uint32_t wide, uint32_t narrow);
// Cutting words to a narrower type is reduction modulo 2^w, a ring homomorphism.  Returns e
// cut, with the cut moved one operator further down; NO_EXPR if it cannot be moved.
expr_id coeff_cut(struct coeff *sums, expr_id e, uint32_t to);
// An element as a read (read.c).
bool coeff_read(struct coeff *sums, expr_id e, struct cread *read_of);
// Do elements occur in e?  The second function takes a condition with elements as a read: 1
// if it holds, else 0.
bool coeff_has_elements(const struct coeff *sums, expr_id e);
bool coeff_condition(struct coeff *sums, expr_id c, struct cread *read_of);
// The terms of an integer as an element of a ring, and the condition of a predicate that
// only compares indices (index.c).
bool coeff_index(struct coeff *sums, expr_id e, struct csum *out);
bool coeff_index_condition(struct coeff *sums, expr_id e, expr_id *out);
// Are the elements equal (recursively)?
bool coeff_same(struct coeff *sums, expr_id a, expr_id b);

// Compares elements that are sums of floats, or choices between them (float_lists.c).
bool coeff_same_lists(struct coeff *sums, expr_id a, expr_id b);
// A sum of floats along an axis of size 0, which every rank has, is 0.
expr_id coeff_without_empty(struct coeff *sums, expr_id e);

// The free indices of the reads of a signature.
struct anchors {
    expr_id at[VERIFY_SUM_READS][VERIFY_SUM_INDICES];
};
void coeff_anchors(struct coeff *sums, const struct cterm *term, struct anchors *anchors);
// Adds a guard J = e for every index e of a read.
bool coeff_anchor(struct coeff *sums, struct cterm *term, const struct anchors *anchors);

// f(extremum) as an extremum by `op` of f, if e is one (order.c).
bool coeff_order(struct coeff *sums, uint16_t op, expr_id e, expr_id *out);

// Rewrites exponentials over the reals so that common factors cancel (exponentials.c).
expr_id coeff_expand(struct coeff *sums, expr_id e);
// Between these two calls the bound indices of a reduce are in range.  `mark` has room for
// 64 numbers.
void coeff_enter(struct coeff *sums, expr_id reduce, uint32_t *mark);
void coeff_leave(struct coeff *sums, const uint32_t *mark);
// Does every class that the reduce binds have an index?
bool coeff_has_terms(struct coeff *sums, expr_id reduce);

// In int and real, a mask of the signs that an element can have (sign.c).
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4, SIGN_ANY = 7 };
unsigned coeff_sign(struct coeff *sums, expr_id e);
// Has a partial operator a value by the signs of its operands, at every index in range?
bool coeff_has_value(struct coeff *sums, expr_id e);
// Is the element no infinity?  A maximum or minimum of at least one finite element is
// finite.
bool coeff_is_finite(struct coeff *sums, expr_id e);
// Is the element an integer, as counts are?
bool coeff_is_integer(struct coeff *sums, expr_id e);
// The truth of a comparison if it follows from signs, or because an extremum is compared
// with one of its terms; otherwise -1.
int coeff_compare(struct coeff *sums, expr_id e);
// Is `a` a term of the reduce, at an index in range?
bool coeff_is_term(struct coeff *sums, expr_id reduce, expr_id a);

// Cancels sums of equally many equal terms as a divisor counts (mean.c).
bool coeff_cancel_counts(struct coeff *sums, struct csum *sum);

// Eliminates every binder, exactly (solve.c).  *zero: the term is 0.
bool coeff_solve(struct coeff *sums, struct cterm *term, bool *zero);
// Puts the guards in canonical form; *zero as above.
bool coeff_tidy(struct coeff *sums, struct cterm *term, bool *zero);

// Steps on a term, shared with bounds.c.
void coeff_drop_guard(struct cterm *term, uint32_t i);
void coeff_drop_binder(struct cterm *term, uint32_t i);
// The integer expression e of a condition e >= 0 or e = 0.
struct poly coeff_guard_poly(struct coeff *sums, expr_id e);
// a = d * v + rest, where v occurs in neither.
bool coeff_linear_in(struct coeff *sums, struct poly a, expr_id v, struct poly *d,
                     struct poly *rest);
struct poly coeff_negated(struct coeff *sums, struct poly poly);
// 1 or -1: the sign of d under the hypotheses and the guards of the term (may be NULL). 0:
// unknown.
int coeff_sign_of(struct coeff *sums, uint32_t family, const struct cterm *term, struct poly poly);
// Eliminates one binder of which only bounds are left (bounds.c).  *done: there was one.
bool coeff_count_some(struct coeff *sums, struct cterm *term, bool *done);

// Is the sum 0?  Its terms have one signature, are anchored and have no binders (compare.c).
bool coeff_vanishes(struct coeff *sums, struct csum *sum);
bool coeff_covers(struct coeff *sums, const struct csum *sum);

#endif
