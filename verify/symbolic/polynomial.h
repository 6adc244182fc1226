// SPDX-License-Identifier: Apache-2.0
// Polynomials with integer coefficients over atoms.  An atom is an integer expression that
// is not a sum or product: a variable, a quotient, a choice (X_IF), the value of an
// element.  Two integer expressions with the same polynomial are equal for all values of
// the atoms.
//
// P1  The terms of a polynomial are sorted by monomial, greatest first (degree, then
//     atoms), without zero coefficients.
// P2  Monomial 0 is the empty product; the atoms of a monomial ascend.
// P3  poly_expr(poly_of(e)) is the same expression for all e with the same polynomial.
//     canon() puts every integer below an expression in that form.
// P4  Coefficients have 64 bits, and products VERIFY_POLYNOMIAL_TERMS terms.  Beyond that
//     `overflow` is set, and callers that use the result must answer "unknown".
#ifndef VERIFY_SYMBOLIC_POLYNOMIAL_H
#define VERIFY_SYMBOLIC_POLYNOMIAL_H

#include "verify/symbolic/expr.h"

struct mono {
    uint32_t at, n; // atoms, with repetitions
};
struct pterm {
    uint32_t mono;
    int64_t c;
};
struct poly {
    uint32_t n;
    const struct pterm *term; // owned by polys.mem
};

struct polys {
    struct exprs *exprs;
    struct arena mem;
    VEC(struct mono) mono;
    struct u32_vec atoms;    // storage of the monomials
    struct u32_vec slot;     // hash table of monomials: id + 1
    VEC(struct poly) cache;  // poly_of by expression
    struct u32_vec cached;   // expression -> index into cache + 1
    struct u32_vec canon_of; // expression -> canonical expression + 1
    bool overflow;
    bool large; // because of a product with too many terms
};

void polys_init(struct polys *polys, struct exprs *exprs);
void polys_release(struct polys *polys);

struct poly poly_int(struct polys *polys, int64_t k);
struct poly poly_atom(struct polys *polys, expr_id atom);
struct poly poly_mono(struct polys *polys, uint32_t mono);
struct poly poly_add(struct polys *polys, struct poly a, struct poly b, int64_t k);
struct poly poly_negated(struct polys *polys, struct poly poly);
struct poly poly_mul(struct polys *polys, struct poly a, struct poly b);
bool poly_same(struct poly a, struct poly b);
bool poly_constant(struct poly poly, int64_t *k); // false if it is not constant
// Divided by the greatest common divisor of its coefficients.
struct poly poly_primitive(struct polys *polys, struct poly poly);
uint32_t poly_degree(const struct polys *polys, struct poly poly);
// a = b * q + r with integer coefficients, as far as the greatest terms divide. q = 0 if the
// leading coefficient of b is negative.
void poly_divide(struct polys *polys, struct poly a, struct poly b, struct poly *q, struct poly *r);

// The polynomial of an integer expression.  Quotients, choices and conditions below are put
// in canonical form.  A quotient (b*q + r) div b becomes q + r div b if that makes the
// dividend shorter.
struct poly poly_of(struct polys *polys, expr_id e);
expr_id poly_expr(struct polys *polys, struct poly poly);
// The canonical form of any expression (P3).  Comparisons become 0 <= p and 0 = p with
// coprime coefficients; constant ones are decided.
expr_id canon(struct polys *polys, expr_id e);

// The greatest common divisor of a and |b|.
uint64_t common_divisor(uint64_t a, int64_t b);

// Monomials.
uint32_t mono_mul(struct polys *polys, uint32_t a, uint32_t b);
// The monomial without one occurrence of the atom.  False if it has none.
bool mono_without(struct polys *polys, uint32_t m, expr_id atom, uint32_t *out);
// a / b.  False if b does not divide a.
bool mono_div(struct polys *polys, uint32_t a, uint32_t b, uint32_t *out);
// The least u and v with a * u = b * v.
void mono_complements(struct polys *polys, uint32_t a, uint32_t b, uint32_t *u, uint32_t *v);

#endif
