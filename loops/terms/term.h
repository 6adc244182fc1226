// SPDX-License-Identifier: Apache-2.0
// Symbolic values of programs over arrays, hash-consed: equal terms have equal ids.  A term
// stands for one lane, at symbolic indices, iterations and sizes (integer/poly.h).
//
//   tree       a term whose upper nodes are CHOOSE, with other terms as leaves
//   CHOOSE     the first argument where a polynomial is at least 0, else the second; the
//              polynomials along a path ascend, and the two sides differ
//   leaf       a term that is no CHOOSE.  It is a real number, but for INFINITE, UNDEFINED,
//              WHOLE (an integer), and truth values
//   REDUCE     the fold of a body over an index 0 <= s < end for which all guards are at
//              least 0.  An empty sum is 0, an empty product 1.  A maximum is made only
//              where an index is known.  The index is the symbol `#h`; h is above those of
//              reductions inside, so equal reductions are equal terms
//
// T1  No leaf has a CHOOSE in its arguments, but for bodies of reductions, which have none
//     either: their conditions are guards.
// T2  Symbols `#h` occur in bodies only: whoever looks into a body opens it first.
#ifndef LOOPS_TERMS_TERM_H
#define LOOPS_TERMS_TERM_H

#include "integer/facts.h"
#include "loops/program/program.h"

typedef uint32_t lterm;

enum lterm_kind {
    LT_NUMBER,    // number: of names, a rational (formula/terms/number.h)
    LT_INFINITE,  // number: 1 or 0: +inf, -inf
    LT_UNDEFINED, // number: of names, the reason
    LT_PARAMETER, // number: of the program; a real scalar
    LT_READ,      // number: the array; argument 0: polynomial, the offset
    LT_INTEGER,   // argument 0: polynomial; the real number
    LT_WHOLE,     // argument 0: polynomial; an integer
    LT_STATE,     // number: of code_program.carried; arguments: polynomials, the lane
    LT_TRUTH,     // number: 1 or 0
    LT_APPLY,     // number: enum code_op; arguments: leaves
    LT_CHOOSE,    // arguments: polynomial, where it is >= 0, where it is not
    LT_REDUCE,    // number: enum code_op * 65536 + h; arguments: end, body, guards
};

struct lterms {
    struct integers *in;
    struct intern names, nodes;
    VEC(uint16_t) height; // by term: above those of all reductions inside
};

void lterms_init(struct lterms *terms, struct integers *in);
void lterms_release(struct lterms *terms);

lterm lterm_make(struct lterms *terms, enum lterm_kind kind, uint32_t number, uint32_t n,
                 const uint32_t *args);
enum lterm_kind lterm_kind(const struct lterms *terms, lterm term);
uint32_t lterm_number(const struct lterms *terms, lterm term);
uint32_t lterm_n(const struct lterms *terms, lterm term);
uint32_t lterm_arg(const struct lterms *terms, lterm term, uint32_t i);
// Is the term this operator on leaves?
bool lterm_is(const struct lterms *terms, lterm term, enum code_op op);

lterm lterm_number_of(struct lterms *terms, const char *rational);
lterm lterm_infinite(struct lterms *terms, bool positive);
lterm lterm_truth(struct lterms *terms, bool value);
lterm lterm_whole(struct lterms *terms, ipoly value);
lterm lterm_integer(struct lterms *terms, ipoly value); // a constant becomes a number
lterm lterm_undefined(struct lterms *terms, const char *reason);
bool lterm_is_number(const struct lterms *terms, lterm term, const char *rational);

// A reduction from a body over the symbol `index`: closes the body.
lterm lterm_reduce(struct lterms *terms, enum code_op op, iatom index, ipoly end, uint32_t n,
                   const ipoly *guards, lterm body);
// Its parts, with `index` in the place of #h.  `guards` gets n - 2 polynomials.
struct lreduce {
    enum code_op op;
    ipoly end, index;
    lterm body;
    struct u32_vec guards;
};
void lterm_open(struct lterms *terms, lterm reduce, struct lreduce *out);
void lreduce_release(struct lreduce *open);

// Replaces atoms in all polynomials, and makes the same nodes again (no simplification; trees
// may lose the order of their conditions, which symbolic/ restores).
lterm lterm_substitute(struct lterms *terms, lterm term, const struct int_substitution *by);
bool lterm_mentions(struct lterms *terms, lterm term, iatom symbol);
// Calls `each` with every node below the term that passes `inside`, shared nodes once for each use.
bool lterm_any(const struct lterms *terms, lterm term,
               bool (*holds)(void *ctx, const struct lterms *terms, lterm term), void *ctx);

// For people and for tests.
void lterm_print(const struct lterms *terms, const struct code_program *program, lterm term,
                 struct buf *out);

#endif
