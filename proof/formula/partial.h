// SPDX-License-Identifier: Apache-2.0
// Where terms have values.  Rules prove terms equal whatever log(-1) and 1/0
// are; a result must also have a value wherever the formula has one.  It has if
// each of its operators is such that
//   - the formula has the same term in such a place, so that it is evaluated
//     there too: below the same conditions of `where`, `and`, `or`, or fewer;
//   - or all its operands are such, and what it asks of them (b != 0 for a/b)
//     is one of these conditions, is asked by the formula in such a place, or
//     is known: given, or proved.
// The checker of records decides this; the search asks the same first.
#ifndef PROOF_FORMULA_PARTIAL_H
#define PROOF_FORMULA_PARTIAL_H

#include "formula/language/formula.h"

struct term_demand {  // of a term
    uint32_t set;     // of conditions
    uint32_t next[2]; // 1 + one of the same term; one that asks the same
};
struct partial {
    struct fterms *terms;
    const struct fdefines *defs;
    struct intern sets;              // of conditions: terms, ascending
    struct intern seen;              // term and set of conditions
    VEC(struct term_demand) demands; // of the formula
    struct u32_vec first[2];         // 1 + the last: by term; by what is asked
    struct u32_vec known;            // by term: 1, it is; 2, and is among `used`
    struct u32_vec used, missing;
    struct u32_vec verdict; // by `seen`, of a result: 1 yes, 2 no
    uint32_t steps, depth;
};

// What the formula asks where.
void partial_init(struct partial *partial, struct fterms *terms, const struct fdefines *defs,
                  fterm formula);
void partial_release(struct partial *partial);
// The condition holds for all values of the variables for which the formula has
// a value, and at all indices.
void partial_know(struct partial *partial, fterm cond);
// Has the term a value wherever the formula has one?  partial->used: conditions that
// are known and needed; if it is not seen, partial->missing has some that would help.
bool partial_fits(struct partial *partial, fterm term);

#endif
