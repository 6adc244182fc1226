// SPDX-License-Identifier: Apache-2.0
// The parts of a search for a contradiction between statements about reals.
#ifndef VERIFY_PRODUCTS_PARTS_H
#define VERIFY_PRODUCTS_PARTS_H

#include "base/memory/table.h"
#include "verify/products/products.h"

// A real term: poly / below, below > 0.
struct ratio {
    struct poly poly;
    int64_t below;
};
// A real term that is no sum, product or number.  `as` stands for it in linear statements; NULL:
// not needed so far.
struct unknown {
    Z3_ast term, as;
};
// If the guard holds, the polynomial is 0.
struct fact {
    Z3_ast guard;
    struct poly zero;
    bool holds; // the guard holds
    bool open;  // it may be found that it does
};
// The signs that a polynomial may have.
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4, SIGN_ANY = 7 };
enum truth { TRUTH_UNKNOWN, TRUTH_FALSE, TRUTH_TRUE };
// What is known of a term of the solver.
struct known {
    unsigned id; // in the solver's context
    bool walked;
    enum truth truth;
    uint32_t sign;    // of a comparison: the number of the difference, plus 1; 0: a constant
    bool turned;      // its sign is the opposite one
    uint8_t constant; // the sign of the constant
    uint32_t unknown; // of a real: its number plus 1; 0: none
    Z3_ast linear;    // products_linear; NULL: not made
    UT_hash_handle hh;
};

struct products {
    struct session *session;
    Z3_context context;
    Z3_sort real;
    struct polys polys; // over the unknowns, by number
    struct known *known;
    VEC(Z3_ast) asserted;
    VEC(struct unknown) unknown;
    VEC(struct fact) fact;
    VEC(struct poly) sign;  // polynomials that are compared with 0
    VEC(uint8_t) possible;  // their signs
    VEC(struct poly) basis; // 0 if the facts that hold do
    VEC(Z3_ast) as;         // by monomial of two or more unknowns; NULL: not needed so far
    bool too_large;         // a number of a term that was written: no query counts
    uint32_t laws, most;    // of one kind in the query that is being made, and how many at most
};

// ---- read.c: statements of the solver as polynomials

void products_init(struct products *products, struct session *session);
void products_release(struct products *products);
// Reads what is asserted.  False: numbers that are too large.
bool products_read(struct products *products);
struct known *known_of(struct products *products, Z3_ast term);
// Z3_OP_INTERNAL: no application.
Z3_decl_kind term_kind(const struct products *products, Z3_ast a);
unsigned term_args(const struct products *products, Z3_ast a);
Z3_ast term_arg(const struct products *products, Z3_ast a, unsigned i);
bool term_compares_reals(const struct products *products, Z3_ast a);
// The statement with unknowns in place of monomials, and every polynomial reduced by the basis.
Z3_ast products_linear(struct products *products, Z3_ast statement);
// Starts to reduce by another basis.
void products_forget_linear(struct products *products);
// The polynomial with unknowns in place of monomials.
Z3_ast products_term(struct products *products, struct poly poly);

// ---- settle.c: what follows without arithmetic

// Takes every asserted statement as true, and what follows from it alone.
void settle_all(struct products *products);
// Is the statement true or false, as far as that is known?
enum truth truth_of(struct products *products, Z3_ast statement);

// ---- basis.c

// A Groebner basis of the facts that hold, as far as the limits allow.
void basis_make(struct products *products);
// The polynomial times a positive integer, minus multiples of elements of the basis.
struct poly basis_reduce(struct products *products, struct poly poly);

// ---- laws.c

// Asserts laws about products, about `most` of each kind.  Deep: of three factors, and of degree
// VERIFY_PRODUCTS_DEGREE.
void laws_assert(struct products *products, bool deep);

#endif
