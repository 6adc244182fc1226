// SPDX-License-Identifier: Apache-2.0
// Polynomials with integer coefficients over atoms, hash-consed: equal polynomials have equal
// ids, so equality is comparison.
//
// An atom is
//   symbol       an unknown integer, named by its caller
//   quotient     a div b by Euclid: a = b*q + r, 0 <= r < b, if b > 0; some integer otherwise
//   remainder    a - b*(a div b)
//   truncated    the quotient, or the remainder, of a division toward zero; nothing is known of
//                them but that equal operands give equal results
//   minimum, maximum of two polynomials
//   element      a[b]: nothing is known of it but that equal operands give equal results
//
// A monomial is a product of atoms.  A coefficient that does not fit into 64 bits makes the
// result an unknown of its own, so nothing false can follow from an overflow.
#ifndef INTEGER_POLY_H
#define INTEGER_POLY_H

#include "base/memory/intern.h"
#include "base/text/buf.h"
#include "integer/limits.h"

#include <stdbool.h>

__extension__ typedef __int128 wide; // for products of two coefficients

typedef uint32_t ipoly; // 0 is the polynomial 0
typedef uint32_t imono; // 0 is the monomial 1
typedef uint32_t iatom;

enum iatom_kind {
    INT_SYMBOL,
    INT_QUOTIENT,
    INT_REMAINDER,
    INT_TRUNCATED_QUOTIENT,
    INT_TRUNCATED_REMAINDER,
    INT_MINIMUM,
    INT_MAXIMUM,
    INT_ELEMENT,
};
struct iatom_node {
    uint32_t kind, name; // name: of symbols
    ipoly a, b;          // of the others
};
struct iterm {
    int64_t coefficient;
    uint64_t mono;
};

struct integers {
    struct intern names, atoms, monos, polys;
    struct intern pairs;         // products that were computed, and
    struct u32_vec product;      // what they are
    struct u32_vec plain;        // by polynomial, without remainders + 1; 0: not computed
    VEC(struct u32_vec) symbols; // by polynomial, those in it, if it was asked
    uint32_t fresh;              // symbols made by int_fresh
    uint32_t asked;              // questions to the simplex
    struct intern keys;          // questions that were answered (prove.c)
    VEC(uint8_t) answers;
    struct u32_vec used;    // origins of facts that proofs have used, each once
    struct u32_vec proving; // goals of the proofs that are open
};

void integers_init(struct integers *in);
void integers_release(struct integers *in);

ipoly int_constant(struct integers *in, int64_t value);
ipoly int_symbol(struct integers *in, const char *name);
// A symbol that no other has; its name starts with `hint` and holds a character that no
// symbol of a text can have.
ipoly int_fresh(struct integers *in, const char *hint);
// The polynomial of one atom, as given.
ipoly int_of_atom(struct integers *in, enum iatom_kind kind, ipoly a, ipoly b);
ipoly int_add(struct integers *in, ipoly a, ipoly b);
ipoly int_subtract(struct integers *in, ipoly a, ipoly b);
ipoly int_multiply(struct integers *in, ipoly a, ipoly b);
ipoly int_scale(struct integers *in, ipoly a, int64_t factor);
ipoly int_shift(struct integers *in, ipoly a, int64_t by); // a + by

uint32_t int_length(const struct integers *in, ipoly a); // number of terms
struct iterm int_term(const struct integers *in, ipoly a, uint32_t i);
bool int_is_constant(const struct integers *in, ipoly a, int64_t *value);
// The atom, if the polynomial is one atom with coefficient 1.
bool int_is_atom(const struct integers *in, ipoly a, iatom *out);
struct iatom_node int_atom(const struct integers *in, iatom atom);
ipoly int_atom_poly(struct integers *in, iatom atom);
ipoly int_mono_poly(struct integers *in, imono mono);
uint32_t int_degree(const struct integers *in, imono mono);
iatom int_factor(const struct integers *in, imono mono, uint32_t i);
const char *int_atom_name(const struct integers *in, iatom atom); // of a symbol

// Does the symbol occur, in operands of atoms too?
bool int_mentions(const struct integers *in, ipoly a, iatom symbol);
// Appends the atoms of a, and those inside atoms, each once, the inner ones first.
void int_atoms(const struct integers *in, ipoly a, struct u32_vec *out);
// The symbols of a, each once, those inside atoms too; borrowed until the next call.
const struct u32_vec *int_symbols(struct integers *in, ipoly a);
// a = factor * symbol + rest, the symbol not in factor, rest, or inside an atom.  False: it is not.
bool int_linear_in(struct integers *in, ipoly a, iatom symbol, ipoly *factor, ipoly *rest);

// Replaces atoms by polynomials, in operands of atoms too; other atoms are made again as they were.
struct int_substitution {
    uint32_t n;
    const iatom *from;
    const ipoly *to;
};
ipoly int_substitute(struct integers *in, ipoly a, const struct int_substitution *by);
// The same polynomial with a - b*(a div b) for each remainder.
ipoly int_without_remainders(struct integers *in, ipoly a);

// 1024*i + j, (n + 31) div 32, min(a, b)
void int_print(const struct integers *in, ipoly a, struct buf *out);

#endif
