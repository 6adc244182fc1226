// SPDX-License-Identifier: Apache-2.0
// The parts of a query: the choices, quotients, monomials and linear forms below its
// conjuncts.  Definitions and lemmas are made from them.
#ifndef VERIFY_INTEGERS_LEMMAS_H
#define VERIFY_INTEGERS_LEMMAS_H

#include "verify/integers/linear.h"

#define PART_NONE 0xfffffffeU  // no variable
#define PART_MIXED 0xfffffffdU // several parts: never multiplied

struct gather {
    struct linear *linear;
    struct u32_vec seen;      // expressions, as a set of marks
    struct u32_vec choices;   // X_IF atoms
    struct u32_vec quotients; // X_DIV atoms
    struct u32_vec vars;      // X_VAR atoms
    struct u32_vec monos;     // of degree >= 2
    struct u32_vec accesses;  // X_ACCESS, X_INJECT
    struct u32_vec swaps;     // applications of commutative operators
    struct u32_vec form_ids;  // canonical expressions of the linear forms
    VEC(struct poly) forms;
    VEC(struct poly) divisors;
};

void gather_init(struct gather *gather, struct linear *linear);
void gather_release(struct gather *gather);
// Gathers everything below a canonical conjunct.
void gather_conjunct(struct gather *gather, expr_id e);
// Adds further forms: differences of accesses of one tensor, cofactors of monomials that
// share an atom, and quotients minus the polynomial that they should equal.
void gather_hints(struct gather *gather);
void gather_lemmas(struct gather *gather, unsigned slack, struct lemmas *out);

#endif
