// SPDX-License-Identifier: Apache-2.0
// Where terms have values.  Rules prove terms equal for any values of log(-1)
// and 1/0.  A result must also have a value wherever the formula has one.  The
// result has such values if each of its operators meets one of these
// conditions:
//   - the formula has the same term in such a place, so that the formula
//     evaluates the term too: below the same conditions of `where`, `and`,
//     `or`, or fewer;
//   - or all operands of the operator meet one of them, and the operator's own
//     condition (b != 0 for a/b) is one of the conditions above the place, is
//     asked by the formula in such a place, or is known: given, or proved.
// The checker of records decides this question.  The search asks the same
// question first.
#ifndef PROOF_FORMULA_PARTIAL_H
#define PROOF_FORMULA_PARTIAL_H

#include "formula/language/formula.h"

struct term_demand {  // of a term
    uint32_t set;     // of conditions
    uint32_t next[2]; // 1 + an entry of the same term; an entry that asks the same condition
};
struct partial {
    struct fterms *terms;
    const struct fdefines *defs;
    struct intern sets;              // of conditions: terms, ascending
    struct intern seen;              // term and set of conditions
    VEC(struct term_demand) demands; // of the formula
    struct u32_vec first[2];         // 1 + the last entry, by term and by condition
    struct u32_vec known;            // by term: 1: known; 2: known and among `used`
    struct u32_vec used, missing;
    struct u32_vec verdict; // by `seen`, of a result: 1 yes, 2 no
    uint32_t steps, depth;
};

// Collects the conditions that the formula asks, with their places.
void partial_init(struct partial *partial, struct fterms *terms, const struct fdefines *defs,
                  fterm formula);
void partial_release(struct partial *partial);
// The condition holds for all values of the variables for which the formula has
// a value, and at all indices.
void partial_know(struct partial *partial, fterm cond);
// True if the term is shown to have a value wherever the formula has one.
// partial->used has the known conditions that were needed.  After false,
// partial->missing has conditions that would help.
bool partial_fits(struct partial *partial, fterm term);

#endif
