// SPDX-License-Identifier: Apache-2.0
// The state of simplifying one formula, private to simplify/.
#ifndef SIMPLIFY_CORE_H
#define SIMPLIFY_CORE_H

#include "simplify/chain.h"
#include "simplify/choose.h"
#include "simplify/simplify.h"
#include "simplify/limits.h"
#include "proof/formula/partial.h"

// A proof that the term is equal to the one of the stage before.
struct proof_stage {
    struct buf proof;
    bool flipped;
    fterm term;
};

// A condition that was proved: a line of the proof says that it is true.
struct proved_condition {
    fterm cond;
    struct buf proof;
    bool flipped; // its last line reads from `true` to the condition
};

struct simplifier {
    struct formula *formula;
    const struct fdefines *defs;
    uint32_t n_rules;
    const struct simplify_rule *rules;
    const struct simplify_options *simplify_options;
    struct simplify_result *out;
    struct formula_record *record;
    struct intern names; // of rules in the proof: id = number of the rule
    struct u32_vec name; // rule -> its name
    struct choose *choose;
    struct parts *parts; // that find proofs of conditions (parts.h), or NULL
    bool part;           // of a formula: no text has to say the result
    struct partial partial;
    struct proof_chain chain;
    VEC(struct proof_stage) stage; // what was found, each better than the one before
    bool input_searched;           // a phase has begun at the input once more
    VEC(struct proved_condition) truth;
    struct u32_vec given;   // conditions
    struct u32_vec told;    // numbers of those that the equality needs
    fterm left;             // with recovered constants
    struct u32_vec written; // by term: 0, unless it stands in `left`
    bool nested;            // `left` has a quotient below the line of another
    uint64_t steps;         // taken by the phases so far
    double deadline;        // on clock_wall(); 0: none
};

// simplify/constants.c: the formula's term with what its numbers were taken for,
// which the record gets.
fterm simplifier_recover(struct simplifier *simplifier, fterm from);

// simplify/price.c
void simplifier_find_written(struct simplifier *simplifier); // what stands in simplifier->left
// The cost of the tree, as in cost_after.
double simplifier_tree_cost(const struct simplifier *simplifier, fterm root);
// The price that extraction minimises, of a term and of one operator; less by
// simplify_familiar for each operator that stood in the formula.  ctx: a struct simplifier.
double simplifier_price(const struct simplifier *simplifier, fterm root);
double simplifier_cost_of(const void *ctx, const struct fterms *terms, fterm term);
bool simplifier_is_written(const void *ctx, fterm term);
// The definition of the function that the term calls; NULL: it calls none.
const struct fdefine *simplifier_define(const struct simplifier *simplifier,
                                        const struct fterms *terms, fterm term);
extern const double simplify_familiar;
// May the operator's arguments be exchanged by age?
bool simplifier_goes_by_age(const void *ctx, const char *op);
bool simplifier_is_along(const void *ctx, const char *op, uint32_t len, uint32_t k);

// simplify/forms.c
// Is it a quotient below the line of which is another, by what is no number?
bool simplifier_is_nested(const struct fterms *terms, fterm term);
// What an operator costs besides, if people would write another form; little, if that form costs
// the same.
double simplifier_form_cost(const struct simplifier *simplifier, const struct fterms *terms,
                            fterm term);

// simplify/search.c: the stages; phases of rules, each from the best that is known.
bool simplifier_search(struct simplifier *simplifier, fterm from, struct err *err);
bool simplifier_run_phases(struct simplifier *simplifier, fterm from, struct err *err);
// The best term in the order in which people write.
void simplifier_tidy(struct simplifier *simplifier);
// A better term with its proof, of which the simplifier takes over the memory.
void simplifier_add_stage(struct simplifier *simplifier, struct buf *proof, bool flipped,
                          fterm term);
void simplifier_drop_stage(struct simplifier *simplifier);
// Can the term be told, and has it a value wherever the formula has one?
bool simplifier_may_take(struct simplifier *simplifier, fterm term);
// Looks for proofs of what simplifier->partial misses: first by facts alone, which grow
// slowly, then (`more`) with what makes terms simpler.
void simplifier_prove_missing(struct simplifier *simplifier, bool more);
// Of what is searched for; not the formula, the rules and the options.
void simplifier_release_search(struct simplifier *simplifier);

// simplify/proof.c: the proof of the whole, in simplifier->chain.
bool simplifier_prove(struct simplifier *simplifier, struct err *err);

// simplify/record.c
const char *simplify_kept_text(struct formula_record *record, const struct buf *text);
void simplifier_write_record(struct simplifier *simplifier, const char *input, fterm from);

#endif
