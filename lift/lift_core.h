// SPDX-License-Identifier: Apache-2.0
// What simplifying a formula knows; for the files lift*.c.
#ifndef LIFT_LIFT_CORE_H
#define LIFT_LIFT_CORE_H

#include "lift/chain.h"
#include "lift/choose.h"
#include "lift/lift.h"
#include "proof/partial.h"

// A proof that the term is equal to the one of the stage before.
struct stage {
    struct buf proof;
    bool flipped;
    fterm term;
};

// A condition that was proved: a line of the proof says that it is true.
struct truth {
    fterm cond;
    struct buf proof;
};

struct lift {
    struct formula *f;
    const struct fdefines *defs;
    uint32_t n;
    const struct lift_rule *rules;
    const struct lift_options *o;
    struct lift_result *out;
    struct formula_record *record;
    struct intern names; // of rules in the proof: id = number of the rule
    struct u32_vec name; // rule -> its name
    struct choose choose;
    struct partial partial;
    struct chain chain;
    VEC(struct stage) stage; // what was found, each better than the one before
    VEC(struct truth) truth;
    struct u32_vec given;   // conditions
    struct u32_vec told;    // numbers of those that the equality needs
    fterm left;             // with recovered constants
    struct u32_vec written; // by term: 1, it stands there
    double deadline; // on clock_cpu(); 0: none
};

// lift_constants.c: the formula's term with what its numbers were taken for,
// which the record gets.
fterm lift_recover(struct lift *l, fterm from);

// lift_price.c
void lift_find_written(struct lift *l); // what stands in l->left
// What cost_after says.
double lift_tree_cost(const struct lift *l, fterm root);
// What extraction minimises, of a term and of one operator; less by
// lift_familiar for each that stood in the formula.  ctx: a struct lift.
double lift_price(const struct lift *l, fterm root);
double lift_cost_of(const void *ctx, const struct fterms *t, fterm x);
bool lift_is_written(const void *ctx, fterm x);
extern const double lift_familiar;
// May the operator's arguments be exchanged by age?
bool lift_goes_by_age(const void *ctx, const char *op);

// lift_search.c: the stages; phases of rules, each from the best that is known.
bool lift_search(struct lift *l, fterm from, struct err *e);

// lift_proof.c: the proof of the whole, in l->chain.
enum { FACT_NODES = 2000 }; // of a search for conditions
bool lift_prove(struct lift *l, struct err *e);

// lift_record.c
const char *lift_kept(struct formula_record *r, const struct buf *text);
void lift_write_record(struct lift *l, const char *input, fterm from);

#endif
