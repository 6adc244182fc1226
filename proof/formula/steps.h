// SPDX-License-Identifier: Apache-2.0
// A proof about named terms (proof/plain/check.h) as a sequence of whole
// formulas.  Each formula comes from the one before by rewriting one place.  No
// formula occurs twice.  The steps are for readers only: the checker checks the
// proof.
#ifndef PROOF_FORMULA_STEPS_H
#define PROOF_FORMULA_STEPS_H

#include "formula/terms/term.h"

enum fstep_kind {
    FSTEP_RULE,
    FSTEP_FOLD,  // an operator over numbers became its value
    FSTEP_GIVEN, // a given condition, by its number
    FSTEP_ORDER, // order and brackets
    FSTEP_MANY,  // several steps, cut short
};
struct fstep {
    enum fstep_kind kind;
    fterm after;      // the whole formula
    uint32_t at, n;   // where: path[at ..], numbers of arguments from the root on
    const char *rule; // RULE: its name in the proof; else ""
    bool flip;        // from its right to its left side
    uint32_t number;  // GIVEN: the number of the condition; MANY: the number of steps
    // The rule's conditions, which the proof has shown.
    uint32_t cond_at, cond_n; // cond[cond_at ..]
};
struct fsteps {
    fterm first;
    VEC(struct fstep) step;
    struct u32_vec path, cond;
    struct intern names;
};

// The steps from the term `from`, one of the two terms of the proof, to the
// other one.  At most `limit` steps: parts of longer proofs become one step.
// Callers must have checked the proof: ERR_INPUT if the proof is malformed, or
// does not begin with `from`.
bool fsteps_of(struct fsteps *steps, struct fterms *terms, const char *proof, fterm from,
               uint32_t limit, struct err *err);
void fsteps_release(struct fsteps *steps);

#endif
