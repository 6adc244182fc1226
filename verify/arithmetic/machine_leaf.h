// SPDX-License-Identifier: Apache-2.0
// Shared by the files about leaves in the solver's theories: a survey of the leaf
// (leaf_survey.c), the facts that a query is told (leaf_facts.c), and the queries.
#ifndef VERIFY_ARITHMETIC_MACHINE_LEAF_H
#define VERIFY_ARITHMETIC_MACHINE_LEAF_H

#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

// Types and operators that occur in a leaf.
struct leaf_survey {
    struct u32_vec all;
    uint32_t n_sides; // of them, those of the two sides, which come first
    // Types of the domain that operators compute with.
    uint32_t computed[VERIFY_LEAF_COMPUTED_TYPES];
    uint32_t n_computed;
    uint32_t met[VERIFY_LEAF_TYPES]; // types of all operands and results except truth values
    uint32_t n_met;
    bool many;       // more than those
    bool converts;   // between two of them
    bool divides;    // or takes a remainder
    bool multiplies; // two unknowns
    bool infinite_arithmetic, rough_literal;
    bool not_order;       // more than order, in any domain
    bool not_float_order; // more than order and sign, in float
    bool beyond_order;    // more than order, sign and conversions, in some machine type
};

void leaf_survey_of(struct session *session, enum domain domain, const struct leaf *leaf,
                    struct leaf_survey *survey);

// lowest and highest over the reals lie below and above every finite element that occurs.
// Leaves with arithmetic on them are refused.
void leaf_infinity_facts(struct machine *machine, const struct u32_vec *all);
// Facts about the indices that iota injects into the reals: hypotheses about integers, read
// over the reals.  More values satisfy them there, so the facts are true.
void leaf_index_facts(struct machine *machine, const struct leaf *leaf,
                      const struct leaf_survey *survey);
// The remainder of a real by itself is 0 where it has a value.
void leaf_remainder_facts(struct machine *machine, const struct leaf_survey *survey);
// The grades FINITE: no unknown and no result on the way is NaN or infinite.
void leaf_finite_facts(struct machine *machine, const struct leaf_survey *survey);
// Monotone operator variables: if a <= b then f(a) <= f(b).
void leaf_monotone_facts(struct machine *machine, const struct leaf_survey *survey);
// The sides agree, as exactly as the grade asks.
Z3_ast leaf_agree(struct machine *machine, Z3_ast a, Z3_ast b);

// The bits of exponent and significand of a small format in which a query with facts about order
// speaks for every format.  False: the leaf has too many values for each of them.
bool leaf_order_format(const struct session *session, const struct leaf_survey *survey,
                       unsigned *ebits, unsigned *sbits);

// Asks whether the leaf can fail: UNSAT, it cannot.  The note names the width or format of the
// query in the text of the proof.
enum smt_answer leaf_refute(struct machine *machine, const struct leaf *leaf,
                            const struct leaf_survey *survey, const char *note);
// The sides at a few floats that the leaf speaks of, compared as exactly as the grade asks
// (float_sample.c).
enum leaf_samples { SAMPLES_NONE, SAMPLES_AGREE, SAMPLES_DIFFER };
enum leaf_samples leaf_sample_floats(const struct session *session, const struct leaf *leaf,
                                     const struct leaf_survey *survey);
// Is the leaf proved by the answer?  If not, sets the reason.  `where`: the types of the rule's
// operands, in words, or "".
bool leaf_conclude(struct machine *machine, enum smt_answer answer, const char *where);
// "A, B of f16": the operands that have the type variable, or its own name.
const char *leaf_operands(struct machine *machine, uint32_t type, const char *elem);
// The same of every type variable of the leaf, in the combination at hand.
const char *leaf_all_operands(struct machine *machine, const struct leaf_survey *survey);
// Must some element be infinite or NaN in every case (a literal is infinite)?  Then a proof
// for finite elements would be empty, and none is given.
bool leaf_never_finite(struct machine *machine, const struct leaf *leaf,
                       const struct leaf_survey *survey);

// Of two reals one is at most the other.  In either case an extremum is one of its operands,
// to which normal forms and axioms apply: at most `depth` extrema are taken apart so.
bool real_leaf(struct machine *machine, const struct leaf *leaf, const struct leaf_survey *survey,
               uint32_t depth);
// All types of operands and results at once, in every combination.
bool typed_leaf(struct machine *machine, const struct leaf *leaf, const struct leaf_survey *survey);

#endif
