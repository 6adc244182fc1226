// SPDX-License-Identifier: Apache-2.0
// Refutes conjunctions over integers, truth values and uninterpreted elements.  Non-linear
// integer arithmetic never reaches the solver: each monomial becomes an integer of its
// own, tied to the others by instances of valid lemmas only.  So UNSAT is sound; SAT may
// be spurious unless `genuine`.  docs/proving.md states the lemmas and why they are valid.
//
// Steps:
//   1. canonical forms
//   2. equations are solved and substituted
//   3. definitions of quotients (Euclid) and choices
//   4. product lemmas that models violate, at slack 0, 1, 2: the number of new monomials a lemma
//      may introduce (lemma_pool.h)
//   5. the same with choices split into cases
#ifndef VERIFY_INTEGERS_LINEAR_H
#define VERIFY_INTEGERS_LINEAR_H

#include "verify/symbolic/polynomial.h"
#include "verify/solvers/smt.h"

// A product lemma about q = l * d.
struct lemma {
    struct poly l, d, q;
};

struct linear_answer {
    expr_id conjunction;
    bool refuted, quick;
    struct smt_slice rests_on;
};

struct linear {
    struct exprs *exprs;
    struct polys *polys;
    struct smt *smt;
    const struct rule *rule; // for names and the kinds of types; may be NULL
    bool commutative;        // assert f(a, b) = f(b, a) of commutative operators
    bool integers;           // elements that are not bool are integers
    bool quick;              // fewer lemmas, no cases: for questions whose "no" costs little
    // questions of linear_proves, as one conjunction each, and the answers
    VEC(struct linear_answer) answers;
    // translation, kept for the session
    VEC(Z3_ast) mono_ast;
    VEC(Z3_ast) expr_ast; // truth values and elements
    uint32_t queries;
};

// A model of the integers of a conjunction that could not be refuted.
struct linear_model {
    bool genuine;       // products and quotients have their true values
    VEC(int64_t) value; // by variable
    VEC(uint8_t) known;
};

void linear_init(struct linear *linear, struct exprs *exprs, struct polys *polys, struct smt *smt,
                 const struct rule *rule);
void linear_release(struct linear *linear);

// Can the conjunction be refuted?  `out` (may be NULL) gets a model for SAT.
enum smt_answer linear_refute(struct linear *linear, uint32_t n, const expr_id *conjuncts,
                              struct linear_model *out);
// Does the goal follow from the hypotheses?
bool linear_proves(struct linear *linear, uint32_t n, const expr_id *hyps, expr_id goal);
void linear_model_release(struct linear_model *model);

// The lemmas that a set of canonical conjuncts gives at a slack (for tests).  The terms are
// owned by the arena of `polys`.
struct lemmas {
    VEC(struct lemma) at;
};
void linear_lemmas(struct linear *linear, uint32_t n, const expr_id *conjuncts, unsigned slack,
                   struct lemmas *out);
void lemmas_release(struct lemmas *ls);

#endif
